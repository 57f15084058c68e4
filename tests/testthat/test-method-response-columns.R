# How fast the scores of a response change along each column.

skip_slow_file()

# The root of the mean squared derivative of `f` by column j of `x`, by differences.
slope_by_differences <- function(f, x, j, h) {
  up <- down <- x
  up[, j] <- up[, j] + h
  down[, j] <- down[, j] - h
  sqrt(mean(rowSums(as.matrix((f(up) - f(down)) / (2 * h))^2)))
}

test_that("slopes of columns are those of differences, with and without a trend", {
  x <- as.matrix(quakes[c("lat", "long", "mag")])
  for (trend in c(FALSE, TRUE)) {
    set.seed(1)
    fit <- landmarks(x, 8, by_response(quakes$depth, iterations = 100, trend = trend), scale = TRUE)
    columns <- tidy(fit, "columns")
    expect_named(columns, c("column", "sd", "relevance", "distance", "slope", "effect"))
    by_hand <- vapply(1:3, function(j) slope_by_differences(function(x) predict(fit, x), x, j, 1e-4), 0)
    expect_equal(columns$slope, by_hand, tolerance = 1e-5)
    expect_equal(columns$effect, columns$slope * apply(x, 2, stats::sd), tolerance = 0.01, ignore_attr = TRUE)
  }
  set.seed(1)
  classes <- landmarks(iris[1:4], 4, by_response(iris$Species, iterations = 60))
  scores <- function(x) scores_by_hand(classes, x)
  by_hand <- vapply(1:4, function(j) slope_by_differences(scores, as.matrix(iris[1:4]), j, 1e-4), 0)
  expect_equal(tidy(classes, "columns")$slope, by_hand, tolerance = 1e-5)
})

test_that("columns without a response, and of sparse data, have what they can have", {
  columns <- tidy(landmarks(iris[1:4], 3, scale = TRUE), "columns")
  expect_identical(columns$relevance, rep(1, 4))
  expect_equal(columns$distance, rep(1, 4))
  counts <- methods::as(matrix(stats::rpois(600, 0.5), 60), "CsparseMatrix")
  fit <- suppressWarnings(landmarks(counts, 3, by_response(counts[, 1] + 0, iterations = 20)))
  expect_named(tidy(fit, "columns"), c("column", "sd", "relevance", "distance"))
  expect_null(fit$relevance)
  expect_null(fit$response$trend)
})

test_that("print() names the columns that matter", {
  set.seed(2)
  x <- matrix(rnorm(600), 150, dimnames = list(NULL, c("a", "b", "c", "d")))
  fit <- landmarks(x, 8, by_response(sin(2 * x[, 3]), iterations = 300, relevance = TRUE, trend = FALSE))
  expect_output(print(fit), "relevance   c 1, [abd] .[0-9]+, [abd] .[0-9]+, 1 more")
})
