#' Plots of an embedding
#'
#' `plot()` draws the landmarks at the coordinates of [embed_landmarks()], with their numbers, and among them
#' the points of new data, colored by groups or by numbers. Figures 4 to 6 of Wachinger and Golland (2015)
#' are such plots. Up to `max_points` points are drawn one by one. More points, up to millions, are counted
#' in the cells of a grid, in seconds. The color of a cell shows the mean of its points' numbers or their
#' most frequent group; without `color`, it shows the logarithm of their count.
#'
#' Both axes have the same unit length. All coordinates have the same variance, so the plot fills a square,
#' and a ring looks like a ring. `asp = NA` fills the window instead. Colors of groups can be told apart with
#' any kind of color vision. With more than seven groups their shapes differ too; a grid uses darker and
#' lighter shades. Numbers have an evenly graded scale (viridis). In a grid the scale leaves out the highest
#' and the lowest 0.5% of the cell means, which get the colors of its ends. `dims` selects other coordinates
#' than the first two. An `NA` in `color` is gray; a grid cell is gray if all its values are `NA`. Where
#' `xlim` and `ylim` are given, the grid covers these limits.
#'
#' Of an embedding of one `component` only its landmarks are drawn, and only the points near them.
#'
#' @param x,object An object of class `landmark_embedding`, of [embed_landmarks()].
#' @param data New data with the columns that the landmarks were learned from, M rows. `predict()` computes
#'   their coordinates. Default `NULL`: only the landmarks are drawn, unless `points` are given.
#' @param color,colour A factor, character or logical vector for groups, with a legend; or a numeric vector,
#'   with a bar of colors. It has length M, a value for each point, or where only the landmarks are drawn
#'   length n, a value for each landmark. Default `NULL`: one color. Both spellings work. More than seven
#'   groups have their names on them instead of a legend.
#' @param points The coordinates of new data, as `predict()` returns them: a numeric matrix, M x dimensions.
#'   Use it instead of `data` to extend millions of rows once for several plots.
#' @param dims Which coordinates to draw: two whole numbers, or one, which is drawn on a line. Default the
#'   first two.
#' @param edges Whether to draw the edges of the landmarks' graph below everything else (default `FALSE`).
#'   Edges of larger weight are darker.
#' @param landmarks Whether to draw the landmarks where there are points (default `TRUE`). More landmarks are
#'   drawn smaller.
#' @param labels Whether to number the landmarks. Default `NULL`: for up to 100 landmarks. A number stands
#'   beside its landmark where there is no room inside, and is left out where it would cover others.
#' @param resolution Cells of the grid along its longer side. Default `NULL`: from 150 to 500, depending on
#'   the number of points.
#' @param max_points The largest number of points that are drawn one by one (default 20000).
#' @param main,xlab,ylab Title and axis labels.
#' @param legend Title of the legend or of the bar of colors, a string. Default `NULL`: the name in `color`.
#'   `""` gives none.
#' @param ... For `plot()` further arguments of [plot.default()], for example `xlim` or `asp`, and `pch` and
#'   `cex` for the points. `autoplot()` accepts none.
#' @return `plot()`: the embedding, invisibly. `autoplot()`: an object of class `ggplot`.
#' @references C. Wachinger and P. Golland (2015). Diverse landmark sampling from determinantal point
#'   processes for scalable manifold learning. \url{https://arxiv.org/abs/1503.03506}.
#' @examples
#' set.seed(1)
#' x <- sim_swiss_roll(4000)
#' fit <- landmarks(x, 200, by_gp(criterion = "trace"), bandwidth = 20)
#' embedding <- embed_landmarks(fit, alpha = 1)
#' plot(embedding, edges = TRUE)
#' plot(embedding, x, color = attr(x, "position")[, "length"])
#' points <- predict(embedding, x)
#' plot(embedding, points = points, color = points[, 1] > 0, landmarks = FALSE, max_points = 1000)
#' @export
plot.landmark_embedding <- function(x, data = NULL, color = NULL, points = NULL, dims = c(1, 2),
                                    edges = FALSE, landmarks = TRUE, labels = NULL, resolution = NULL,
                                    max_points = 20000, main = NULL, xlab = NULL, ylab = NULL, legend = NULL,
                                    ..., colour = color) {
  check_embedding(x, "x")
  title <- check_legend(legend, if (missing(colour)) substitute(color) else substitute(colour))
  if (missing(dims)) dims <- seq_len(min(2, ncol(x$coordinates)))
  shown <- shown_embedding(x, data, colour, points, list(
    dims = dims, edges = edges, labels = labels, resolution = resolution, max_points = max_points
  ))
  pars <- list(
    main = main %||% shown$title, xlab = xlab %||% shown$names[1], ylab = ylab %||% shown$names[2],
    asp = if (length(shown$dims) == 2) 1 else NA
  )
  if (length(shown$dims) < 2) pars[names(flat_pars)] <- flat_pars
  given <- list(...)
  check_plot_args(given)
  check_titles(main = main, xlab = xlab, ylab = ylab)
  landmarks <- check_flag(landmarks, "landmarks") || is.null(shown$points)
  point <- given[intersect(names(given), c("pch", "cex"))]
  given <- given[setdiff(names(given), names(point))]
  pars[names(given)] <- given
  drawing(draw_embedding(shown, pars, point, title, landmarks), list(...))
  invisible(x)
}

draw_embedding <- function(shown, pars, point, title, landmarks) {
  if (shown$as_cells) {
    cells <- shown_cells(shown, pars)
    shown$color$range <- cells$range
  }
  key <- embedding_key(shown$color, shown$as_cells, title)
  draw_key <- open_plane(shown$box[1:2], shown$box[3:4], pars, key)
  draw_edges(shown$edges, shown$marks)
  color <- shown$color
  if (shown$as_cells) {
    draw_cells(cells, color)
  } else if (NROW(shown$points) > 0) {
    shapes <- if (color$kind == "groups") group_shapes(color$values)[color$values] else 16
    shapes[is.na(shapes)] <- 16
    graphics::points(in_dims(shown$points, shown$dims),
      pch = point$pch %||% shapes, cex = (point$cex %||% 1) * (if (nrow(shown$points) > 5000) 0.4 else 0.7),
      col = grDevices::adjustcolor(value_colors(color, "gray55"), 0.7)
    )
  }
  draw_key()
  size <- if (!shown$labels) 0.9 * marks_share(shown)
  marks <- marks_of(shown$marks, shown$labels, size)
  named <- embedding_names(shown)
  if (landmarks) draw_marks(marks, mark_colors(shown), named) else draw_group_names(named)
}

# All that is drawn, checked: landmarks and points, their bounding box, and their colors. `given`: the
# arguments dims, edges, labels, resolution and max_points of the user.
shown_embedding <- function(embedding, data, color, points, given, call = rlang::caller_env()) {
  dims <- check_dims(given$dims, ncol(embedding$coordinates), call)
  edges <- check_flag(given$edges, "edges", call)
  n <- nrow(embedding$coordinates)
  labels <- are_numbered(given$labels, n, call)
  max_points <- check_count(given$max_points, "max_points", min = 0, call = call)
  resolution <- given$resolution
  if (!is.null(resolution)) resolution <- check_count(resolution, "resolution", 1, 10000, call)
  points <- check_points(embedding, data, points, call)
  count <- NROW(points)
  alone <- is.null(points)
  color <- check_color(color, if (alone) n else count, if (alone) "landmark" else "point", call)
  # Those of other components have no coordinates.
  kept <- which(!is.na(embedding$coordinates[, 1]))
  marks <- in_dims(embedding$coordinates[kept, , drop = FALSE], dims)
  if (length(kept) < n) rownames(marks) <- kept
  there <- if (alone) kept else which(!is.na(points[, 1]))
  if (color$kind != "none") color$values <- color$values[there]
  if (!alone && length(there) < count) points <- points[there, , drop = FALSE]
  count <- NROW(points)
  crossing <- nrow(embedding$graph$shortcuts)
  reach <- function(k) {
    range(marks[, k], if (!alone && count > 0 && k <= length(dims)) column_range(points, dims[k]))
  }
  list(
    points = points, dims = dims, marks = marks, box = c(reach(1), reach(2)), color = color,
    labels = labels, edges = if (edges) embedding$graph$weights[kept, kept, drop = FALSE],
    as_cells = count > max_points,
    resolution = resolution %||% round(min(max(sqrt(count) / 2.5, 150), 500)),
    names = c(colnames(embedding$coordinates)[dims], "")[1:2],
    title = paste0(
      "Embedding of ", if (length(kept) < n) paste(length(kept), "of "), how_many(n, "landmark"),
      if (!alone) paste(" and", how_many(count, "point")),
      if (crossing > 0) shortcut_words(crossing)
    )
  )
}

# The points of new data, or NULL.
check_points <- function(embedding, data, points, call) {
  if (is.null(points)) {
    if (is.null(data)) return(NULL)
    check_points_plot_memory(NROW(data), ncol(embedding$coordinates), call)
    return(embedded(embedding, data, NULL, stats::na.fail, "data", call))
  }
  names <- colnames(embedding$coordinates)
  same <- is.matrix(points) && is.numeric(points) && ncol(points) == length(names) &&
    (is.null(colnames(points)) || identical(colnames(points), names))
  if (!same) {
    abort_input(c(
      paste0(
        "{.arg points} must be a numeric matrix with columns {.field {names}}, ",
        "as {.fn predict} returns it for the embedding."
      ),
      x = paste0("It is {describe(points)}", if (is.matrix(points) && !is.null(colnames(points))) {
        ", with {.field {colnames(points)}}"
      }, ".")
    ), arg = "points", call = call)
  }
  # Rows near other components have NA.
  check_finite(if (is.null(embedding$component)) points else stats::na.omit(points), "points", call)
  points
}

# Of new rows that are drawn: their coordinates, and the cells that they lie in.
check_points_plot_memory <- function(rows, dims, call) {
  check_work(as.double(rows) * (dims + 5), "A picture of {rows} rows needs",
    "Give fewer rows as {.arg data}.", "data", call
  )
}

# list(kind, values, range), kind "none", "groups" or "numbers".
check_color <- function(color, count, of, call) {
  if (is.null(color)) return(list(kind = "none"))
  check_sound(color, "color", call)
  is_group <- is.factor(color) || is.character(color) || is.logical(color)
  if (!is_group && !is.numeric(color) || !is.null(dim(color)) || length(color) != count) {
    abort_input(c(
      paste0(
        "{.arg color} must be a factor, character, logical or numeric ",
        "vector with a value for each {of}, {count}."
      ),
      x = "It is {describe(color)}.",
      i = if (is_path(color)) "{column_words(color)}"
    ), arg = "color", call = call)
  }
  if (is_group) return(list(kind = "groups", values = as.factor(color)))
  range <- if (all(is.na(color))) c(0, 0) else range(color, na.rm = TRUE)
  if (!all(is.finite(range))) {
    abort_input(c(
      "{.arg color} must be finite numbers, or NA.",
      x = "Number {which(is.infinite(color))[1]} is {color[is.infinite(color)][1]}."
    ), arg = "color", call = call)
  }
  list(kind = "numbers", values = color, range = scale_range(range))
}

# The coordinates to draw, in two columns. Where there is only one, the second column is 0: it is drawn on a
# line.
in_dims <- function(coordinates, dims) {
  out <- unname(coordinates[, dims, drop = FALSE])
  if (length(dims) == 2) out else cbind(out, rep(0, nrow(out)))
}

# ---- colors -------------------------------------------------------------------

# Many landmarks are drawn smaller, so that points stay visible; numbered ones keep their size.
marks_share <- function(shown) {
  if (is.null(shown$points) || shown$labels) return(1)
  max(0.3, min(1, (100 / nrow(shown$marks))^0.75))
}

# Landmarks drawn alone have the colors of `color`; among points they have one color of their own.
mark_colors <- function(shown) {
  if (is.null(shown$points)) return(value_colors(shown$color, landmark_color))
  if (shown$color$kind == "none") landmark_color else "black"
}

embedding_key <- function(color, as_cells, title) {
  switch(color$kind,
    none = NULL,
    numbers = if (!all(is.na(color$values)) && !is.null(color$range)) {
      bar_key(color$range, sequential_colors(), title)
    },
    groups = if (as_cells) {
      key_of_groups(color$values, title, group_shades(color$values), 15)
    } else {
      key_of_groups(color$values, title)
    }
  )
}

# What names on groups need, list(at, groups, colors): the points, at most 20,000 of them, their groups and
# the colors of these. NULL where groups have no names on them.
embedding_names <- function(shown) {
  if (shown$color$kind != "groups" || !names_stand(shown$color$values)) return(NULL)
  groups <- shown$color$values
  colors <- if (shown$as_cells) group_shades(groups) else group_colors(groups)
  if (is.null(shown$points)) return(list(at = shown$marks, groups = groups, colors = colors))
  n <- length(groups)
  rows <- unique(round(seq(1, n, length.out = min(n, 20000))))
  list(
    at = in_dims(shown$points[rows, , drop = FALSE], shown$dims), groups = groups[rows], colors = colors
  )
}

# ---- layers --------------------------------------------------------------------

# The grid, the values of its cells and for numbers their scale; `pars` may have limits.
shown_cells <- function(shown, pars = list()) {
  box <- shown$box
  if (!is.null(pars$xlim) || !is.null(pars$ylim)) {
    # The limits that the axes will have: with equal units they may be wider than xlim and ylim.
    graphics::plot.new()
    graphics::plot.window(pars$xlim %||% box[1:2], pars$ylim %||% box[3:4], asp = pars$asp %||% NA)
    box <- graphics::par("usr")
    graphics::par(new = TRUE)
  }
  grid <- point_grid(box, shown$resolution, square = isTRUE(pars$asp == 1))
  # A line is drawn as a band.
  if (length(shown$dims) < 2) grid[c("rows", "box")] <- list(1L, c(grid$box[1:2], -0.4, 0.4))
  cells <- point_cells(shown$points, shown$dims, grid)
  values <- cell_values(cells, grid$columns * grid$rows, shown$color)
  c(grid, values, list(range = if (shown$color$kind == "numbers") means_range(values$values)))
}

draw_cells <- function(cells, color) {
  if (length(cells$there) == 0) return(invisible())
  picture <- matrix(NA_character_, cells$rows, cells$columns)
  picture[cells$there] <- cell_colors(cells$values, color)
  box <- cells$box
  graphics::rasterImage(grDevices::as.raster(picture), box[1], box[3], box[2], box[4], interpolate = FALSE)
}

# ---- the same by ggplot2 -------------------------------------------------------------

#' @rdname plot.landmark_embedding
#' @exportS3Method ggplot2::autoplot
autoplot.landmark_embedding <- function(object, data = NULL, color = NULL, points = NULL, dims = c(1, 2),
                                        edges = FALSE, landmarks = TRUE, labels = NULL, resolution = NULL,
                                        max_points = 20000, legend = NULL, ..., colour = color) {
  check_dots(...)
  need_package("ggplot2", "autoplot()")
  title <- check_legend(legend, if (missing(colour)) substitute(color) else substitute(colour))
  check_embedding(object, "object")
  if (missing(dims)) dims <- seq_len(min(2, ncol(object$coordinates)))
  shown <- shown_embedding(object, data, colour, points, list(
    dims = dims, edges = edges, labels = labels, resolution = resolution, max_points = max_points
  ))
  aes <- ggplot2::aes
  .data <- rlang::.data
  plot <- ggplot2::ggplot(mapping = aes(.data$a, .data$b))
  if (!is.null(shown$edges)) plot <- plot + edges_layer(shown$edges, shown$marks)
  if (!is.null(shown$points)) {
    plot <- plot + if (shown$as_cells) cells_layer(shown, title) else points_layer(shown, title)
  }
  names <- embedding_names(shown)
  if (check_flag(landmarks, "landmarks") || is.null(shown$points)) plot <- plot + marks_layer(shown, title)
  if (!is.null(names)) plot <- plot + names_layer(
    names$at, names$groups, names$colors, if_numbered(shown$marks, shown$labels && landmarks)
  )
  plot <- plot + ggplot2::labs(x = shown$names[1], y = shown$names[2], title = shown$title) +
    theme_landmarks()
  if (length(shown$dims) < 2) plot <- plot + flat_axis()
  plot + plane_coords(length(shown$dims) == 2)
}

marks_layer <- function(shown, title) {
  alone <- is.null(shown$points) && shown$color$kind != "none"
  colors <- mark_colors(shown)
  layers <- marks_layer_of(shown$marks, shown$labels, colors, if (!shown$labels) 2 * marks_share(shown))
  if (!alone) return(layers)
  # Colored by a scale, so that there is a legend.
  marks <- data.frame(a = shown$marks[, 1], b = shown$marks[, 2])
  marks$value <- shown$color$values
  size <- layers[[1]]$aes_params$size
  .data <- rlang::.data
  layers[[1]] <- ggplot2::geom_point(
    ggplot2::aes(fill = .data$value), marks, shape = 21, color = "white", size = size, stroke = 0.5
  )
  c(list(value_scale("fill", shown$color, group_colors, title)), layers)
}

points_layer <- function(shown, title) {
  aes <- ggplot2::aes
  .data <- rlang::.data
  at <- in_dims(shown$points, shown$dims)
  points <- data.frame(a = at[, 1], b = at[, 2])
  points$value <- shown$color$values
  size <- if (nrow(points) > 5000) 0.4 else 0.9
  switch(shown$color$kind,
    none = ggplot2::geom_point(data = points, color = data_color, size = size, alpha = 0.6),
    numbers = list(
      ggplot2::geom_point(aes(color = .data$value), points, size = size, alpha = 0.7),
      value_scale("color", shown$color, title = title)
    ),
    groups = list(
      ggplot2::geom_point(aes(color = .data$value, shape = .data$value), points, size = size, alpha = 0.7),
      group_scales(shown$color$values, title)
    )
  )
}

cells_layer <- function(shown, title) {
  aes <- ggplot2::aes
  .data <- rlang::.data
  cells <- shown_cells(shown, list(asp = if (length(shown$dims) == 2) 1))
  if (shown$color$kind == "numbers") {
    shown$color$range <- cells$range
    cells$values <- pmin(pmax(cells$values, cells$range[1]), cells$range[2])
  }
  column <- (cells$there - 1) %/% cells$rows
  row <- (cells$there - 1) %% cells$rows
  width <- diff(cells$box[1:2]) / cells$columns
  height <- diff(cells$box[3:4]) / cells$rows
  tiles <- data.frame(
    a = cells$box[1] + (column + 0.5) * width, b = cells$box[4] - (row + 0.5) * height, value = cells$values
  )
  list(
    ggplot2::geom_tile(aes(fill = .data$value), tiles, width = width, height = height),
    value_scale("fill", shown$color, group_shades, title)
  )
}
