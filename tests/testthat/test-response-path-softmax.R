# Multinomial regression: the gradient at the answer, in plain R; optim(), glmnet, nnet.

set.seed(2)
f <- matrix(stats::runif(300 * 4), 300)
score <- f %*% cbind(c(3, -2, 1, 0), c(0, 2, -1, 1), c(-1, 0, 2, -2)) + matrix(stats::rlogis(900), 300)
own <- max.col(score)
y <- outer(own, 1:3, "==") + 0
lambda <- 10^c(-3, 0, 2)

# What is minimized, and its gradient, as in the help page; w is (1 + m) x classes.
objective <- function(w, f, y, lambda) {
  g <- cbind(1, f) %*% w
  sum(log(rowSums(exp(g)))) - sum(g * y) + lambda / 2 * sum(w[-1, ]^2)
}
slope <- function(w, f, y, lambda) {
  p <- exp(cbind(1, f) %*% w)
  crossprod(cbind(1, f), p / rowSums(p) - y) + lambda * rbind(0, w[-1, ])
}

test_that("the plain gradient is that of the plain objective, by finite differences", {
  w <- matrix(cos(1:15), 5)
  numeric <- vapply(seq_along(w), function(i) {
    step <- replace(0 * w, i, 1e-5)
    (objective(w + step, f, y, 2) - objective(w - step, f, y, 2)) / 2e-5
  }, 0)
  expect_equal(numeric, as.vector(slope(w, f, y, 2)), tolerance = 1e-7)
})

test_that("Newton ends where the gradient is zero and coefficients sum to zero", {
  path <- ridge_path(f, 4, y, lambda, "classes")
  expect_identical(path$link, "softmax")
  expect_true(all(path$converged))
  start <- sqrt(sum(slope(rbind(log(colMeans(y)), matrix(0, 4, 3)), f, y, 0)^2))
  for (l in seq_along(lambda)) {
    w <- path$coefficients[, , l]
    expect_lt(sqrt(sum(slope(w, f, y, lambda[l])^2)), 2e-7 * start)
    expect_equal(rowSums(w), rep(0, 5))
    best <- stats::optim(0 * w, function(v) objective(matrix(v, 5), f, y, lambda[l]),
      function(v) as.vector(slope(matrix(v, 5), f, y, lambda[l])), method = "BFGS",
      control = list(reltol = 1e-14, maxit = 1000)
    )
    expect_equal(w[-1, ], best$par[-1, ], tolerance = 1e-3)
    expect_lte(objective(w, f, y, lambda[l]), best$value + 1e-9)
  }
})

test_that("glmnet's multinomial finds no lower objective, and the same probabilities", {
  skip_if_not_installed("glmnet")
  wide <- 10^c(-1, 1)
  ours <- ridge_path(f, 4, y, wide, "classes")
  theirs <- glmnet::glmnet(f, factor(own), "multinomial",
    alpha = 0, lambda = c(1e4, 1e3, 100, rev(wide)) / 300, standardize = FALSE, thresh = 1e-16, maxit = 1e6
  )
  for (l in 1:2) {
    w <- sapply(stats::coef(theirs, s = wide[l] / 300), as.vector)
    expect_lte(objective(ours$coefficients[, , l], f, y, wide[l]), objective(w, f, y, wide[l]) + 1e-9)
    expect_equal(ours$coefficients[-1, , l], unname(w[-1, ]), tolerance = 1e-4)
    p <- stats::predict(theirs, f, s = wide[l] / 300, type = "response")[, , 1]
    expect_equal(ridge_response(f, ours$coefficients[, , l], "softmax"), unname(p), tolerance = 1e-4)
  }
})

test_that("with next to no penalty it is nnet's multinom", {
  skip_if_not_installed("nnet")
  theirs <- nnet::multinom(factor(own) ~ f, trace = FALSE, maxit = 2000, reltol = 1e-14, abstol = 1e-14)
  ours <- ridge_path(f, 4, y, 1e-7, "classes")
  expect_true(all(ours$converged))
  expect_equal(
    ridge_response(f, ours$coefficients[, , 1], "softmax"), unname(stats::fitted(theirs)), tolerance = 1e-4
  )
})

test_that("two classes are the logistic regression of half the penalty", {
  two <- cbind(own == 1, own != 1) + 0
  ours <- ridge_path(f, 4, two, 2 * lambda, "classes")$coefficients
  logistic <- ridge_path(f, 4, two[, 2, drop = FALSE], lambda, "binary")$coefficients
  expect_equal(ours[, 2, ] - ours[, 1, ], logistic[, 1, ], tolerance = 1e-6)
})

test_that("the order of classes and of lambda, unused features and offsets change nothing", {
  a <- ridge_path(f, 3, y, lambda, "classes")$coefficients
  b <- ridge_path(f[, 1:3], 3, y[, c(3, 1, 2)], rev(lambda), "classes")$coefficients
  expect_equal(b[, c(2, 3, 1), 3:1], a, tolerance = 1e-5)
  far <- ridge_path(f + 1e6, 3, y, lambda, "classes")
  expect_true(all(far$converged))
  expect_equal(far$coefficients[-1, , ], a[-1, , ], tolerance = 1e-5)
})

test_that("classes that are separable converge, and one column may dwarf the others", {
  apart <- outer(findInterval(f[, 1], c(0.3, 0.6)), 0:2, "==") + 0
  path <- ridge_path(f, 4, apart, 1e-6, "classes")
  expect_true(all(path$converged))
  expect_identical(max.col(ridge_response(f, path$coefficients[, , 1], "softmax")), max.col(apart))
  huge <- cbind(f, 1e8 * cos(1:300))
  path <- ridge_path(huge, 5, y, 1, "classes")
  expect_true(all(path$converged))
  # Their best answer leaves the huge column next to no coefficient, so that nothing is left of the others'
  # gradient.
  expect_lt(max(abs(slope(path$coefficients[, , 1], huge, y, 1)[2:5, ])), 1e-3)
})

test_that("the same bits with 1 and 2 threads", {
  big <- f[rep(1:300, 20), ] + seq_len(6000) / 1e5
  found <- lapply(1:2, function(threads) {
    withr::local_options(landmarker.threads = threads)
    ridge_path(big, 4, y[rep(1:300, 20), ], lambda, "classes")
  })
  expect_identical(found[[1]], found[[2]])
})

test_that("a class without rows has the chance of half a row, and a single class all of it", {
  none <- ridge_path(f, 4, cbind(y[, 1:2], 0, y[, 3]), lambda, "classes")
  without <- ridge_path(f, 4, y, lambda, "classes")
  expect_identical(none$coefficients[, -3, ], without$coefficients)
  expect_identical(none$coefficients[-1, 3, ], matrix(0, 4, 3))
  at_mean <- ridge_response(t(colMeans(f)), none$coefficients[, , 2], "softmax")
  expect_equal(at_mean[3] / sum(at_mean[-3]), 0.5 / 301)
  one <- ridge_path(f, 4, cbind(0, rep(1, 300)), lambda, "classes")
  expect_true(all(one$converged))
  expect_gt(min(ridge_response(f, one$coefficients[, , 1], "softmax")[, 2]), 0.99)
})
