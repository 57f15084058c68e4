# Penalized regression: the gradient at the answer, in plain R; glmnet.

set.seed(1)
f <- matrix(stats::runif(300 * 6), 300, dimnames = list(NULL, paste0("L", 1:6)))
score <- f %*% c(3, -2, 1, 0, 0, 1) - 1.5
y <- as.numeric(stats::runif(300) < stats::plogis(score))
own <- as.integer(cut(score + stats::rlogis(300), c(-Inf, -1, 1, Inf)))
classes <- outer(own, 1:3, "==") + 0
lambda <- 10^c(-3, 0, 2)
responses <- list(number = cbind(score + sin(1:300), -score), tags = cbind(y, classes), classes = classes)

# The gradient of what is minimized, as in the help page; w is (1 + m) x responses.
slope <- function(w, f, y, lambda, type) {
  g <- cbind(1, f) %*% w
  p <- switch(type, number = g, classes = exp(g) / rowSums(exp(g)), stats::plogis(g))
  crossprod(cbind(1, f), p - y) + lambda * rbind(0, w[-1, , drop = FALSE])
}

test_that("Newton ends where the gradient is zero, also with more features than rows", {
  wide <- cbind(f[1:30, ], cos(outer(1:30, 1:60)), 7)
  for (type in names(responses)) for (f in list(f, wide)) {
    y <- responses[[type]][seq_len(nrow(f)), ]
    path <- ridge_path(f, ncol(f), y, lambda, type)
    expect_true(all(path$converged))
    expect_identical(dim(path$coefficients), c(ncol(f) + 1L, ncol(y), 3L))
    for (l in seq_along(lambda)) {
      w <- path$coefficients[, , l]
      expect_lt(max(abs(slope(w, f, y, lambda[l], type))), 1e-4)
      if (type == "classes") expect_equal(rowSums(w), rep(0, nrow(w)), tolerance = 1e-6)
    }
  }
  same <- ridge_path(matrix(2, 5, 9), 9, cbind(c(0, 1, 0, 1, 1)), 1, "binary")
  expect_equal(same$coefficients[, 1, 1], c(stats::qlogis(0.6), rep(0, 9)))
})

test_that("lambda and classes come in any order, only the first m features are used, offsets do not matter", {
  for (type in names(responses)) {
    y <- responses[[type]]
    a <- ridge_path(f, 4, y, lambda, type)$coefficients
    turned <- rev(seq_len(ncol(y)))
    b <- ridge_path(f[, 1:4], 4, y[, turned], rev(lambda), type)$coefficients
    expect_equal(b[, turned, 3:1], a, tolerance = 1e-5)
    far <- ridge_path(f + 1e6, 4, y, lambda, type)
    expect_true(all(far$converged))
    expect_equal(far$coefficients[-1, , ], a[-1, , ], tolerance = 1e-5)
  }
})

test_that("an event that never happens has its smoothed frequency, a class without rows that of half a row", {
  path <- ridge_path(f, 6, cbind(y, 0, 1), 1, "tags")$coefficients[, , 1]
  expect_identical(path[-1, 2:3], matrix(0, 6, 2))
  expect_equal(stats::plogis(path[1, 2:3]), c(0.5, 300.5) / 301)
  none <- ridge_path(f, 6, cbind(classes[, 1:2], 0, classes[, 3]), lambda, "classes")$coefficients
  expect_identical(none[, -3, ], ridge_path(f, 6, classes, lambda, "classes")$coefficients)
  expect_identical(none[-1, 3, ], matrix(0, 6, 3))
  at_mean <- ridge_response(t(colMeans(f)), none[, , 2], "softmax")
  expect_equal(at_mean[3] / sum(at_mean[-3]), 0.5 / 301)
  one <- ridge_path(f, 6, cbind(0, rep(1, 300)), lambda, "classes")
  expect_true(all(one$converged))
  expect_gt(min(ridge_response(f, one$coefficients[, , 1], "softmax")[, 2]), 0.99)
})
