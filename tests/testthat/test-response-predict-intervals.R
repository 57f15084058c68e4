# Intervals and sets of predictions.

set.seed(21)
x <- cbind(1, rnorm(80), rnorm(80))
y <- x %*% c(1, 2, -1) + rnorm(80)

test_that("without penalties the model of the error has the leverages of least squares", {
  fit <- lm(y ~ x - 1)
  told <- list(f = x, left = runif(80), residuals = as.matrix(residuals(fit)), weights = rep(1, 80))
  model <- interval_model(list(f = x, weights = rep(1, 80), residuals = told$residuals), told, 0)
  expect_equal(leverage_of(model$root, x), unname(hatvalues(fit)), tolerance = 1e-6)
  expect_equal(model$s2, mean(residuals(fit)^2))
  # With a penalty of 2 on all but the intercept.
  model <- interval_model(list(f = x, weights = rep(1, 80), residuals = told$residuals), told, 2)
  expect_equal(
    leverage_of(model$root, x), diag(x %*% solve(crossprod(x) + diag(c(0, 2, 2)), t(x))), tolerance = 1e-6
  )
})

test_that("the share of the landmarks' variance is the one that is most likely", {
  left <- runif(4000)
  r <- rnorm(4000, 0, sqrt(0.5 + 3 * left))
  expect_equal(error_share(r, rep(0.5, 4000), left, 0.5), 3, tolerance = 0.15)
  expect_lt(error_share(rnorm(4000), rep(1, 4000), left, 1), 0.3)
})

test_that("the covering size is the quantile that split-conformal prediction asks for", {
  expect_identical(covering_size(1:9 + 0, 0.9), 9)
  expect_identical(covering_size(1:19 + 0, 0.9), 18)
  expect_identical(covering_size(1:8 + 0, 0.9), Inf)
  expect_identical(covering_size(1:99 + 0, 0.5), 50)
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
  f <- sin(2 * z[, 1]) + z[, 2]^2
  y <- f + rnorm(800, 0, 0.3)
  train <- 1:400
  fit <- landmarks(z[train, ], 20, by_response(y[train], iterations = 500))
  p <- predict(fit, z[-train, ], interval = "prediction", level = 0.9)
  expect_identical(colnames(p), c("fit", "lwr", "upr"))
  expect_equal(p[, "fit"], predict(fit, z[-train, ]))
  expect_equal(mean(y[-train] >= p[, "lwr"] & y[-train] <= p[, "upr"]), 0.9, tolerance = 0.05)
  wide <- function(rows) apply(predict(fit, rows, interval = "prediction", level = 0.9), 1, diff)[2, ]
  far <- suppressWarnings(wide(rbind(c(4, 4), c(9, 9))))
  expect_gt(min(far), 1.5 * mean(wide(z[-train, ])))
  more <- predict(fit, z[-train, ], interval = "prediction", level = 0.99)
  expect_true(all(more[, "upr"] > p[, "upr"]))
  one <- z[401, , drop = FALSE]
  expect_equal(predict(fit, one, interval = "prediction", level = 0.9), p[1, , drop = FALSE])
  expect_silent(none <- predict(fit, z[0, ], interval = "prediction"))
  expect_identical(dim(none), c(0L, 3L))
  both <- landmarks(z, 5, by_response(cbind(a = y, b = f), iterations = 20))
  both_of <- function(rows) predict(both, rows, interval = "prediction")
  expect_identical(dim(both_of(z[1, , drop = FALSE])), c(1L, 6L))
  named <- as.matrix(data.frame(z[1:2, ], row.names = c("first", "second")))
  expect_identical(rownames(both_of(named)), c("first", "second"))
  expect_identical(rownames(both_of(named[1, , drop = FALSE])), "first")
  expect_null(rownames(both_of(z[1, , drop = FALSE])))
  expect_refused(
    predict(fit, z, "features", interval = "prediction"),
    predict(fit, z, interval = "confidence"),
    predict(fit, z, interval = "prediction", level = 90),
    predict(fit, z, "set")
  )
})
