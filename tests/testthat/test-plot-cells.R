# A grid of cells in place of points: what it shows is what a table says.

points <- odd_matrix(300, 3)
known_or_not <- c(NA, 1:298, NA) / 7
groups <- factor(c(rep_len(letters[1:9], 299), NA))

# The cells by a loop over points: names are "row column" from the top left.
naive_cells <- function(points, grid) {
  vapply(seq_len(nrow(points)), function(i) {
    column <- 1 + floor((points[i, 1] - grid$box[1]) / grid$cell[1])
    up <- 1 + floor((points[i, 2] - grid$box[3]) / grid$cell[2])
    outside <- column < 1 || column > grid$columns || up < 1 || up > grid$rows
    if (outside) NA_character_ else paste(grid$rows + 1 - up, column)
  }, "")
}

by_naive <- function(points, grid, value) {
  cells <- naive_cells(points, grid)
  out <- matrix(NA_real_, grid$rows, grid$columns)
  for (cell in unique(cells[!is.na(cells)])) {
    at <- as.integer(strsplit(cell, " ")[[1]])
    out[at[1], at[2]] <- value(which(cells == cell))
  }
  out
}

test_that("the grid covers its box, by square cells where axes are alike", {
  grid <- point_grid(c(0, 10, -1, 1), 50)
  expect_identical(c(grid$columns, grid$rows), c(50L, 10L))
  expect_equal(grid$box, c(0, 10, -1, 1))
  expect_equal(grid$cell, c(0.2, 0.2))
  expect_identical(unlist(point_grid(c(0, 1, 0, 10), 30)[1:2]), c(columns = 3L, rows = 30L))
  expect_identical(unlist(point_grid(c(0, 1, 0, 10), 30, square = FALSE)[1:2]), c(columns = 30L, rows = 30L))
  # Nothing to spread: one cell.
  expect_identical(unlist(point_grid(c(2, 2, 3, 3), 30)[1:2]), c(columns = 1L, rows = 1L))
  expect_identical(unlist(point_grid(c(2, 2, 0, 3), 30)[1:2]), c(columns = 1L, rows = 30L))
  # All points are inside, those on the edges too.
  for (resolution in c(1, 7, 100, 333)) {
    for (scale in c(1e-6, 1 / 3, 1e5)) {
      p <- points * scale
      grid <- point_grid(c(range(p[, 1]), range(p[, 2])), resolution)
      cells <- point_cells(p, 1:2, grid)
      expect_true(all(cells >= 1 & cells <= grid$columns * grid$rows))
      expect_identical(max(grid$columns, grid$rows), as.integer(resolution))
    }
  }
})

test_that("counts, means and majorities are those of a table", {
  p <- points[, 2:3]
  # Some are outside of the second box.
  for (box in list(c(range(p[, 1]), range(p[, 2])), c(-0.5, 0.4, -0.9, 0.3))) {
    grid <- point_grid(box, 8)
    size <- grid$columns * grid$rows
    cells <- point_cells(points, 2:3, grid)
    shape <- function(v) matrix(as.double(v), grid$rows, grid$columns)
    counts <- by_naive(p, grid, length)
    expect_equal(shape(cell_counts(cells, size)), ifelse(is.na(counts), 0, counts))
    means <- by_naive(p, grid, function(i) mean(known_or_not[i], na.rm = TRUE))
    expect_equal(shape(cell_means(cells, size, known_or_not)), ifelse(is.na(means), NaN, means))
    most <- by_naive(p, grid, function(i) {
      count <- table(groups[i])
      if (sum(count)) which.max(count) else NA
    })
    expect_equal(shape(cell_majority(cells, size, groups)), most)
    shown <- cell_values(cells, size, list(kind = "none"))
    expect_equal(exp(shown$values), counts[!is.na(counts)])
    expect_identical(shown$there, which(!is.na(counts)))
  }
  expect_identical(cell_means(c(1L, 1L), 2, c(.Machine$integer.max, .Machine$integer.max))[1], 2147483647)
  expect_identical(cell_means(integer(), 2, numeric()), c(NaN, NaN))
})
