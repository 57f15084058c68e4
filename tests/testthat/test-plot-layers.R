# Landmarks in pictures, their numbers, and cells in place of points.

points <- odd_matrix(300, 3)
known_or_not <- c(NA, 1:298, NA) / 7
groups <- factor(c(rep_len(letters[1:9], 299), NA))

# The cells by a loop over points: names are their numbers, column by column from the lower left.
naive_cells <- function(points, grid) {
  vapply(seq_len(nrow(points)), function(i) {
    column <- floor((points[i, 1] - grid$from[1]) / grid$cell[1])
    row <- floor((points[i, 2] - grid$from[2]) / grid$cell[2])
    column * grid$size[2] + row + 1
  }, 0)
}

test_that("landmarks have their numbers, with package ggrepel and without it, and facets repeat them", {
  one <- ggplot2::autoplot(landmarks(quakes["depth"], 1), quakes["depth"])
  expect_identical(as.character(ggplot2::layer_data(one, 3)$label), "1")
  many <- ggplot2::autoplot(withr::with_seed(1, landmarks(sim_spiral(200), 80, bandwidth = 0.3)))
  withr::with_pdf(NULL, expect_no_warning(print(many)), width = 2, height = 2)
  marks <- data.frame(a = odd_matrix(80, 1)[, 1], b = odd_matrix(80, 1, 3)[, 1], label = 1:80)
  picture <- ggplot2::ggplot(marks, ggplot2::aes(a, b)) + numbers_beside(marks, FALSE)
  expect_silent(on_device(print(picture)))
  flowers <- ggplot2::autoplot(landmarks(iris[1:4], 2), iris[1:4], color = iris$Species)
  expect_silent(on_device(print(flowers + ggplot2::facet_wrap(~value))))
})

test_that("the grid covers its box, by square cells where axes are alike", {
  grid <- point_grid(cbind(c(0, 10), c(-1, 1)), 50, TRUE)
  expect_equal(grid, list(from = c(0, -1), cell = c(0.2, 0.2), size = c(50, 10)))
  expect_identical(point_grid(cbind(0:1, c(0, 10)), 30, FALSE)$size, c(30, 30))
  # Nothing to spread: one cell.
  expect_identical(point_grid(cbind(c(2, 2), c(3, 3)), 30, TRUE)$size, c(1, 1))
  expect_identical(point_grid(cbind(c(2, 2), c(0, 3)), 30, TRUE)$size, c(1, 30))
  # All points are inside, those on the edges too.
  for (resolution in c(1, 7, 333)) for (scale in c(1e-6, 1 / 3, 1e5)) {
    p <- points[, 1:2] * scale
    grid <- point_grid(apply(p, 2, range), resolution, TRUE)
    expect_true(all(naive_cells(p, grid) %in% seq_len(prod(grid$size))))
    expect_identical(max(grid$size), resolution)
  }
})

test_that("counts, means and majorities are those of a loop over points", {
  p <- points[, 2:3] %*% diag(c(1, 3))
  grid <- point_grid(apply(p, 2, range), 8, TRUE)
  cells <- split(seq_len(300), naive_cells(p, grid))
  of_cells <- function(value, summary) unname(vapply(cells, function(i) summary(value[i]), 0))
  counts <- counted_cells(p, NULL, grid)
  expect_equal(exp(counts$value), unname(lengths(cells)))
  # Each point is in its cell.
  k <- rep(seq_along(cells), lengths(cells))
  inside <- abs(cbind(counts$a, counts$b)[k, ] - p[unlist(cells), ])
  expect_true(all(inside <= rep(grid$cell / 2 * (1 + 1e-9), each = 300)))
  means <- of_cells(known_or_not, function(v) mean(v, na.rm = TRUE))
  ends <- stats::quantile(means, c(0.005, 0.995), na.rm = TRUE)
  expect_equal(counted_cells(p, known_or_not, grid)$value, pmin(pmax(means, ends[1]), ends[2]))
  most <- of_cells(groups, function(v) if (all(is.na(v))) NA else which.max(table(v)))
  expect_identical(counted_cells(p, groups, grid)$value, factor(letters[most], letters[1:9]))
})

test_that("sums of integers do not overflow, and dates stay dates", {
  corners <- cbind(c(0, 0, 1), c(0, 0, 1))
  grid <- point_grid(apply(corners, 2, range), 2, TRUE)
  most <- .Machine$integer.max
  expect_equal(counted_cells(corners, c(most, most, 0L), grid)$value, c(0.995, 0.005) * most)
  days <- as.Date("2024-01-01") + c(0, 2, NA)
  expect_identical(counted_cells(corners, days, grid)$value, as.Date(c("2024-01-02", NA)))
  expect_identical(counted_cells(corners, factor(c(NA, NA, NA)), grid)$value, factor(c(NA, NA)))
})
