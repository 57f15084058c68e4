# How a response comes to a method, and that it does not stay in the fit.

skip_slow_file()

set.seed(15)
spiral <- two_arms()
quick <- function(...) by_response(..., iterations = 200)

test_that("the response may come from a formula", {
  set.seed(1)
  a <- landmarks(Species ~ ., data = iris, n = 4, method = quick())
  set.seed(1)
  b <- landmarks(iris[1:4], 4, quick(iris$Species))
  expect_identical(a$landmarks, b$landmarks)
  expect_identical(a$response, b$response)
  set.seed(1)
  fit <- landmarks(log(mag) ~ lat + long, data = quakes, n = 5, method = quick())
  expect_equal(colnames(coef(fit)), c("lat", "long"))
  expect_length(predict(fit, quakes[1:7, ], "response"), 7)
})

test_that("a fit does not keep the response, and can be saved", {
  set.seed(13)
  fit <- landmarks(spiral$x, 5, quick(spiral$y))
  expect_null(fit$method$y)
  expect_lt(length(serialize(fit, NULL)), 50000)
  file <- withr::local_tempfile()
  saveRDS(fit, file)
  expect_identical(predict(readRDS(file), spiral$x, "class"), predict(fit, spiral$x, "class"))
})

test_that("cv_landmarks() gives each fold the response of its own rows", {
  x <- cbind(stats::rnorm(60), stats::rnorm(60))
  y <- stats::rnorm(60)
  seen <- list()
  by_spy <- function() new_method("by_spy", list(y = NULL), uses_response = TRUE)
  registerS3method("format", "by_spy", function(x, ...) "spy", asNamespace("landmarker"))
  registerS3method("select_landmarks", "by_spy", function(method, source, n, kernel, held, call) {
    seen[[length(seen) + 1]] <<- method$y$y[, 1]
    selection(rows_as_points(source, 1:n))
  }, asNamespace("landmarker"))
  folds <- rep(1:3, 20)
  cv_landmarks(x, y, 3, methods = list(spy = by_spy()), folds = folds, seeds = 1)
  expect_equal(seen[1:3], lapply(1:3, function(f) y[folds != f]))
  expect_equal(seen[[4]], y)
})
