# Intervals and sets of predictions.

test_that("the model of the error has the leverages of ridge regression", {
  set.seed(21)
  x <- cbind(1, rnorm(80), rnorm(80))
  fit <- lm(x %*% c(1, 2, -1) + rnorm(80) ~ x - 1)
  told <- list(f = x, left = runif(80), residuals = as.matrix(residuals(fit)), weights = rep(1, 80))
  for (penalty in c(0, 2)) {
    model <- interval_model(told, told, penalty)
    # The intercept has no penalty.
    hat <- x %*% solve(crossprod(x) + diag(c(0, penalty, penalty)), t(x))
    expect_equal(leverage_of(model$root, x), diag(hat), tolerance = 1e-6)
    expect_equal(model$s2, mean(residuals(fit)^2))
  }
})

test_that("the share of the landmarks' variance is the one that is most likely", {
  set.seed(24)
  left <- runif(4000)
  r <- rnorm(4000, 0, sqrt(0.5 + 3 * left))
  expect_equal(error_share(r, rep(0.5, 4000), left, 0.5), 3, tolerance = 0.15)
  expect_lt(error_share(rnorm(4000), rep(1, 4000), left, 1), 0.3)
})

test_that("the covering size is the quantile that split-conformal prediction asks for", {
  expect_identical(covering_size(1:9 + 0, 0.9), 9)
  expect_identical(covering_size(1:19 + 0, 0.9), 18)
  expect_identical(covering_size(1:8 + 0, 0.9), Inf)
  # A weight of 2 counts as two rows, and rows of nearly no weight do not count.
  expect_identical(covering_size(c(1, 2, 5), 0.6, c(2, 2, 2)), covering_size(c(1, 1, 2, 2, 5, 5), 0.6))
  expect_identical(covering_size(c(1:19, 90:99) + 0, 0.8, rep(c(1, 1e-9), c(19, 10))), 16)
})

test_that("sets have the most probable class, and cover", {
  p <- rbind(c(0.7, 0.2, 0.1), c(0.4, 0.35, 0.25), c(0.1, 0.1, 0.8))
  expect_identical(class_sets(p, rep(0.99, 20), 0.9), p == apply(p, 1, max))
  expect_true(all(class_sets(p, rep(0.05, 20), 0.9)))
  set.seed(22)
  p <- matrix(rexp(6000), 2000)
  p <- p / rowSums(p)
  truth <- apply(p, 1, function(p) sample(3, 1, prob = p))
  own <- p[cbind(1:2000, truth)]
  sets <- class_sets(p[1001:2000, ], own[1:1000], 0.9)
  expect_equal(mean(sets[cbind(1:1000, truth[1001:2000])]), 0.9, tolerance = 0.04)
})

test_that("intervals of a fit cover new rows, and are wider far from landmarks", {
  skip_on_cran()
  set.seed(23)
  z <- matrix(runif(1600, -2, 2), 800)
  y <- sin(2 * z[, 1]) + z[, 2]^2 + rnorm(800, 0, 0.3)
  train <- 1:400
  fit <- landmarks(z[train, ], 20, by_response(y[train], iterations = 300))
  intervals <- function(rows, level = 0.9) predict(fit, rows, interval = "prediction", level = level)
  p <- intervals(z[-train, ])
  expect_identical(colnames(p), c("fit", "lwr", "upr"))
  expect_equal(p[, "fit"], predict(fit, z[-train, ]))
  expect_equal(mean(y[-train] >= p[, "lwr"] & y[-train] <= p[, "upr"]), 0.9, tolerance = 0.05)
  width <- function(p) p[, "upr"] - p[, "lwr"]
  far <- suppressWarnings(intervals(rbind(c(4, 4), c(9, 9))))
  expect_gt(min(width(far)), 1.5 * mean(width(p)))
  expect_true(all(intervals(z[-train, ], 0.99)[, "upr"] > p[, "upr"]))
  expect_equal(intervals(z[401, , drop = FALSE]), p[1, , drop = FALSE])
  expect_silent(none <- intervals(z[0, ]))
  expect_identical(dim(none), c(0L, 3L))
})

test_that("intervals of several numbers have the rows' names, also those of one row", {
  x <- as.matrix(mtcars[c("wt", "hp")])
  fit <- landmarks(x, 3, by_response(cbind(a = mtcars$mpg, b = mtcars$disp), iterations = 10), scale = TRUE)
  for (rows in list(1:2, 1)) {
    p <- predict(fit, x[rows, , drop = FALSE], interval = "prediction")
    expect_identical(dim(p), c(length(rows), 6L))
    expect_identical(rownames(p), rownames(mtcars)[rows])
  }
  expect_null(rownames(predict(fit, unname(x[1, , drop = FALSE]), interval = "prediction")))
})

test_that("intervals do not depend on the order of landmarks", {
  set.seed(1)
  method <- by_response(quakes$mag, iterations = 30)
  fit <- suppressWarnings(landmarks(quakes[c("lat", "long")], 6, method, scale = TRUE))
  of <- function(fit) predict(fit, quakes[1:20, ], interval = "prediction", level = 0.8)
  expect_equal(of(fit[c(4, 2, 6, 1, 3, 5)]), of(fit), tolerance = 1e-8)
})
