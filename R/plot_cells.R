# Millions of points as a grid of cells: each cell shows the number of its points, their mean, or their most
# frequent group. All code is vectorized over points.

# Row numbers in chunks. A hundred thousand rows at a time, so that no copy of all of them is made.
row_chunks <- function(n) {
  lapply(seq(1, by = 1e5, length.out = ceiling(n / 1e5)), function(first) first:min(first + 99999, n))
}

column_range <- function(points, k) {
  range(vapply(row_chunks(nrow(points)), function(rows) range(points[rows, k]), c(0, 0)))
}

# A grid over `box` = c(left, right, bottom, top), its cells square in the units of the
# axes where `square`, `resolution` of them along the longer side, else along both.
point_grid <- function(box, resolution, square = TRUE) {
  sides <- c(box[2] - box[1], box[4] - box[3])
  cell <- if (square) rep(max(sides) / resolution, 2) else sides / resolution
  # Points in one place, or on one line.
  cell[cell == 0] <- if (any(cell > 0)) max(cell) else 1
  # Slightly larger, so that points on the far edge are inside.
  cell <- cell * (1 + 1e-9)
  size <- pmax(1, ceiling(sides / cell))
  spare <- (size * cell - sides) / 2
  list(
    columns = as.integer(size[1]), rows = as.integer(size[2]), cell = cell,
    box = box + c(-1, 1, -1, 1) * rep(spare, each = 2)
  )
}

# The middle of each cell, in their order.
cell_centers <- function(grid) {
  cell <- seq_len(grid$columns * grid$rows) - 1
  cbind(
    grid$box[1] + (cell %/% grid$rows + 0.5) * diff(grid$box[1:2]) / grid$columns,
    grid$box[4] - (cell %% grid$rows + 0.5) * diff(grid$box[3:4]) / grid$rows
  )
}

# The cell of each point, down the columns of the picture from its top left, as a matrix
# of colors is laid out; 0 where the point is outside.
point_cells <- function(points, dims, grid) {
  place <- function(v, from, cell, size) {
    at <- floor((v - from) / cell)
    at[at < 0 | at >= size] <- NA
    at
  }
  cells <- integer(nrow(points))
  for (rows in row_chunks(nrow(points))) {
    column <- place(points[rows, dims[1]], grid$box[1], grid$cell[1], grid$columns)
    up <- if (length(dims) < 2) 0 else place(points[rows, dims[2]], grid$box[3], grid$cell[2], grid$rows)
    at <- as.integer(column * grid$rows + grid$rows - up)
    at[is.na(at)] <- 0L
    cells[rows] <- at
  }
  cells
}

# tabulate() leaves out the zeros.
cell_counts <- function(cells, size) tabulate(cells, size)

# The mean of the values of each cell that are not NA; NaN where there are none.
cell_means <- function(cells, size, values) {
  if (anyNA(values)) {
    known <- !is.na(values)
    cells <- cells[known]
    values <- values[known]
  }
  means <- rep(NaN, size)
  if (length(cells) == 0) return(means)
  # As doubles, because sums of integers may overflow.
  sums <- rowsum(as.double(values), cells, reorder = FALSE)
  at <- as.integer(rownames(sums))
  inside <- at > 0
  means[at[inside]] <- sums[inside, 1] / tabulate(cells, size)[at[inside]]
  means
}

# The level that most points of each cell have, the first of several; NA where no point
# has one.
cell_majority <- function(cells, size, groups) {
  most <- integer(size)
  level <- rep(NA_integer_, size)
  for (k in seq_along(part <- split(cells, groups))) {
    count <- tabulate(part[[k]], size)
    more <- which(count > most)
    most[more] <- count[more]
    level[more] <- k
  }
  level
}

# The cells that are not empty, and for each of them the logarithm of its count,
# the mean of its numbers, or its most frequent group.
cell_values <- function(cells, size, color) {
  counts <- cell_counts(cells, size)
  there <- which(counts > 0)
  values <- switch(color$kind,
    none = log(counts),
    numbers = cell_means(cells, size, color$values),
    groups = factor(levels(color$values)[cell_majority(cells, size, color$values)], levels(color$values))
  )
  list(there = there, values = values[there])
}

# The ends of a color scale. Where all numbers are equal, they are put in its middle.
scale_range <- function(range) {
  if (diff(range) > 1e-12 * max(abs(range))) range else range[1] + c(-0.5, 0.5) * max(1, abs(range[1]))
}

# The ends of the color scale for means of cells. They vary less than single numbers, except in cells with few
# points. A few extreme cells would move all others to the middle of the scale, so the scale ends before them.
means_range <- function(means) {
  # Without cells in view there is no scale.
  if (length(means) == 0) return(NULL)
  means <- means[!is.na(means)]
  if (length(means) == 0) c(0, 1) else scale_range(stats::quantile(means, c(0.005, 0.995), names = FALSE))
}

# ---- the layer of a picture --------------------------------------------------------

# The grid, the values of its cells and for numbers their scale. `square`: whether cells are.
shown_cells <- function(shown, square) {
  grid <- point_grid(shown$box, shown$resolution, square)
  # A line is drawn as a band.
  if (length(shown$dims) < 2) grid[c("rows", "box")] <- list(1L, c(grid$box[1:2], -0.4, 0.4))
  if (!is.null(shown$of)) {
    values <- shown$of(cell_centers(grid))
    return(c(grid, list(there = seq_along(values), values = values, range = shown$color$range)))
  }
  cells <- point_cells(shown$points, shown$dims, grid)
  values <- cell_values(cells, grid$columns * grid$rows, shown$color)
  c(grid, values, list(range = if (shown$color$kind == "numbers") means_range(values$values)))
}
