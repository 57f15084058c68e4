# Plots in the plane and their layers, with columns `a` and `b`: points, cells, edges, landmarks.

# A picture without layers. `plane`: list(names, equal), the titles of both axes, and whether a unit is as
# long on both. A single coordinate is drawn on a line, which has no second axis: its name is "". `legend`:
# the title of the legend, or NULL.
plane_picture <- function(plane, title, legend = NULL) {
  none <- ggplot2::element_blank()
  flat <- if (!nzchar(plane$names[2])) {
    list(ggplot2::scale_y_continuous(breaks = NULL), ggplot2::theme(axis.title.y = none, axis.line.y = none))
  }
  coords <- if (plane$equal) ggplot2::coord_equal else ggplot2::coord_cartesian
  ggplot2::ggplot(mapping = ggplot2::aes(.data$a, .data$b)) +
    ggplot2::labs(
      x = plane$names[1], y = plane$names[2], title = title, color = if (!is.null(legend)) wrapped(legend)
    ) +
    theme_landmarks() + flat +
    # Without clipping: the number of a landmark at the edge may reach beyond the panel.
    coords(clip = "off")
}

# Points, with colors as check_color() returns them.
points_layer <- function(at, value = NULL) {
  if (NROW(at) == 0) return(NULL)
  points <- data.frame(a = at[, 1], b = at[, 2])
  points$value <- value
  size <- point_size(at)
  if (is.null(value)) {
    return(ggplot2::geom_point(data = points, color = data_color, size = size, alpha = 0.6))
  }
  colored <- ggplot2::aes(color = .data$value)
  list(ggplot2::geom_point(colored, points, size = size, alpha = 0.7), color_scale(value))
}

point_size <- function(at) if (nrow(at) > 5000) 0.4 else 0.9

# ---- cells of a grid -----------------------------------------------------------------

# A grid over `box`, the ranges of a and b in two columns: list(from, cell, size), its lower left corner, the
# sides of a cell and the numbers of cells on both axes. Cells are square in the units of the axes where
# `square`, `resolution` of them along the longer side, else along both.
point_grid <- function(box, resolution, square) {
  sides <- box[2, ] - box[1, ]
  cell <- if (square) rep(max(sides), 2) / resolution else sides / resolution
  # Points in one place, or on one line.
  cell[cell == 0] <- if (any(cell > 0)) max(cell) else 1
  # Slightly larger, so that points on the far edge are inside.
  cell <- cell * (1 + 1e-9)
  size <- pmax(1, ceiling(sides / cell))
  list(from = box[1, ] - (size * cell - sides) / 2, cell = cell, size = size)
}

# The middles of some cells, which are numbered column by column from the lower left.
cell_centers <- function(grid, cells = seq_len(prod(grid$size))) {
  data.frame(
    a = grid$from[1] + ((cells - 1) %/% grid$size[2] + 0.5) * grid$cell[1],
    b = grid$from[2] + ((cells - 1) %% grid$size[2] + 0.5) * grid$cell[2]
  )
}

# The cells with points, and for each the logarithm of their number, their most frequent group, or their mean.
counted_cells <- function(at, value, grid) {
  place <- function(k) pmin(pmax(floor((at[, k] - grid$from[k]) / grid$cell[k]), 0), grid$size[k] - 1)
  cells <- place(1) * grid$size[2] + place(2) + 1
  counts <- tabulate(cells, prod(grid$size))
  there <- which(counts > 0)
  centers <- cell_centers(grid, there)
  known <- !is.na(value)
  summary <- if (is.factor(value)) most_frequent else means_of_cells
  centers$value <- if (is.null(value)) log(counts[there]) else summary(cells[known], value[known], there)
  centers
}

# The most frequent value of each of some cells, the first of several; NA where there is none.
most_frequent <- function(cells, value, there) {
  pairs <- (cells - 1) * nlevels(value) + as.integer(value)
  kinds <- sort(unique(pairs))
  kinds <- kinds[order(-tabulate(match(pairs, kinds), length(kinds)))]
  most <- kinds[match(there, (kinds - 1) %/% nlevels(value) + 1)]
  value[match(most, pairs)]
}

# Means of cells vary less than single values, except in cells with few points. A few extreme cells would move
# all others to the middle of the scale, so they get the colors of its ends.
means_of_cells <- function(cells, value, there) {
  sums <- rowsum(cbind(as.double(value), 1), cells)
  means <- (sums[, 1] / sums[, 2])[match(there, rownames(sums))]
  ends <- stats::quantile(means, c(0.005, 0.995), names = FALSE, na.rm = TRUE)
  means <- pmin(pmax(means, ends[1]), ends[2])
  # Dates and times stay what they are.
  attributes(means) <- attributes(value)[c("class", "tzone")]
  means
}

# Tiles with a border of their color, so that no seams are seen between them.
tiles_layer <- function(tiles, cell) {
  filled <- ggplot2::aes(color = .data$value, fill = ggplot2::after_scale(.data$colour))
  ggplot2::geom_tile(filled, tiles, width = cell[1], height = cell[2], linewidth = 0.3)
}

# Points counted in the cells of a grid over `box`.
cells_layer <- function(at, value, box, square) {
  grid <- point_grid(box, round(min(max(sqrt(nrow(at)) / 2.5, 150), 500)), square)
  density <- grDevices::hcl.colors(256, "Blues 3", rev = TRUE)[-(1:60)]
  list(
    tiles_layer(counted_cells(at, value, grid), grid$cell),
    if (is.null(value)) ggplot2::scale_colour_gradientn(colors = density, guide = "none"),
    color_scale(value)
  )
}

# ---- edges ---------------------------------------------------------------------------

# Lines between pairs of landmarks, whose numbers are the columns `low` and `high`. On a line they are arcs,
# which do not cover each other.
pairs_layer <- function(pairs, at, color, width = 0.5, type = "solid", alpha = 1) {
  if (NROW(pairs) == 0) return(NULL)
  from <- at[pairs[, "low"], , drop = FALSE]
  to <- at[pairs[, "high"], , drop = FALSE]
  ends <- data.frame(a = from[, 1], b = from[, 2], a_end = to[, 1], b_end = to[, 2], alpha = alpha)
  # An arc between landmarks in one place is no curve.
  ends <- ends[abs(ends$a - ends$a_end) + abs(ends$b - ends$b_end) > 1e-9 * max(abs(at)), ]
  geom <- if (any(at[, 2] != 0)) ggplot2::geom_segment else ggplot2::geom_curve
  geom(ggplot2::aes(xend = .data$a_end, yend = .data$b_end), ends,
    color = color, alpha = ends$alpha, linewidth = width, linetype = type
  )
}

# The edges of a graph, the heaviest on top and darkest.
edges_layer <- function(weights, at) {
  edges <- Matrix::summary(Matrix::triu(weights, 1))
  edges <- edges[edges$x > 0, ]
  edges <- edges[order(edges$x), ]
  pairs <- cbind(low = edges$i, high = edges$j)
  pairs_layer(pairs, at, "gray45", alpha = 0.3 + 0.5 * edges$x / max(edges$x, 0))
}

# ---- landmarks -----------------------------------------------------------------------

# With more landmarks than these, they have no numbers by default.
most_numbered <- 50

# Whether landmarks are drawn with numbers: by default, few are.
are_numbered <- function(labels, n, call = rlang::caller_env()) {
  check_flag(labels %||% (n <= most_numbered), "labels", call)
}

# Landmarks, numbered if `labels`. Their colors are those of `value`, as check_color() returns
# them, or `plain`; `size` is that of dots.
marks_layer <- function(at, labels, plain = landmark_color, value = NULL,
                        size = if (nrow(at) <= most_numbered) 2.2 else 1.8) {
  # Not all landmarks may be there: rows have names then.
  marks <- data.frame(a = at[, 1], b = at[, 2], label = rownames(at) %||% seq_len(nrow(at)))
  stroke <- 0.5 * min(1, size / 2)
  points <- if (is.null(value)) {
    ggplot2::geom_point(data = marks, shape = 21, color = "white", fill = plain, size = size, stroke = stroke)
  } else {
    marks$value <- value
    # ggplot2 finds this function by its name only.
    stage <- ggplot2::stage
    filled <- ggplot2::aes(
      color = stage(.data$value, after_scale = "white"), fill = ggplot2::after_scale(.data$colour)
    )
    list(ggplot2::geom_point(filled, marks, shape = 21, size = size, stroke = stroke), color_scale(value))
  }
  list(points, if (labels) numbers_beside(marks))
}

# Labels of points. Overlapping labels are moved by package ggrepel, or omitted without it.
numbers_beside <- function(marks, repel = has_package("ggrepel")) {
  label <- ggplot2::aes(label = .data$label)
  # In a panel without height, of points on a line, ggrepel fails.
  sides <- c(diff(range(marks$a)), diff(range(marks$b)))
  if (!repel || min(sides) <= 1e-6 * max(sides)) {
    return(ggplot2::geom_text(
      label, marks, size = 2.5, fontface = "bold", vjust = -0.7, check_overlap = TRUE
    ))
  }
  # The same picture each time, whatever the machine's speed.
  ggrepel::geom_text_repel(label, marks,
    size = 2.5, fontface = "bold", bg.color = "white", seed = 1, max.time = Inf, max.iter = 500,
    max.overlaps = Inf
  )
}
