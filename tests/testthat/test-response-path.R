# Penalized regression: the gradient at the answer, checked in plain R; glmnet.

set.seed(1)
f <- matrix(stats::runif(400 * 6), 400, dimnames = list(NULL, paste0("L", 1:6)))
score <- f %*% c(3, -2, 1, 0, 0, 1) - 1.5
y <- as.numeric(stats::runif(400) < stats::plogis(score))
lambda <- 10^c(-3, 0, 2)
classes <- outer(as.integer(cut(score, c(-Inf, -1, 0, 1, Inf))), 1:4, "==") + 0

# What is minimized, and its gradient, as in the help page.
objective <- function(w, f, y, lambda, logistic) {
  g <- w[1] + f %*% w[-1]
  sum(if (logistic) log1p(exp(g)) - y * g else (y - g)^2 / 2) + lambda / 2 * sum(w[-1]^2)
}
slope <- function(w, f, y, lambda, logistic) {
  g <- w[1] + f %*% w[-1]
  error <- (if (logistic) stats::plogis(g) else g) - y
  c(sum(error), crossprod(f, error) + lambda * w[-1])
}

test_that("Newton ends where the gradient is zero, for every response and lambda", {
  for (type in c("tags", "number")) {
    logistic <- type == "tags"
    response <- if (logistic) classes else cbind(score + sin(1:400), -score)
    path <- ridge_path(f, 6, response, lambda, type)
    expect_true(all(path$converged))
    for (k in seq_len(ncol(response))) {
      for (l in seq_along(lambda)) {
        w <- path$coefficients[, k, l]
        expect_lt(max(abs(slope(w, f, response[, k], lambda[l], logistic))), 1e-4)
        # The slope above is that of the objective.
        step <- c(1e-4, rep(0, 6))
        numeric <- (objective(w + step, f, response[, k], lambda[l], logistic) -
          objective(w - step, f, response[, k], lambda[l], logistic)) / 2e-4
        expect_lt(abs(numeric - slope(w, f, response[, k], lambda[l], logistic)[1]), 1e-3)
      }
    }
  }
})

test_that("logistic coefficients are optim()'s", {
  path <- ridge_path(f, 6, cbind(y), lambda, "binary")
  for (l in seq_along(lambda)) {
    best <- stats::optim(rep(0, 7), objective, slope, f, y, lambda[l], TRUE, method = "BFGS",
      control = list(reltol = 1e-14, maxit = 1000)
    )
    expect_equal(path$coefficients[, 1, l], best$par, tolerance = 1e-4)
    expect_lte(objective(path$coefficients[, 1, l], f, y, lambda[l], TRUE), best$value + 1e-9)
  }
})

test_that("numbers have the closed form of ridge regression with a free intercept", {
  path <- ridge_path(f, 6, cbind(score + 7), lambda, "number")
  centered <- scale(f, scale = FALSE)
  for (l in seq_along(lambda)) {
    w <- solve(crossprod(centered) + lambda[l] * diag(6), crossprod(centered, score))
    expect_equal(path$coefficients[-1, 1, l], as.vector(w), tolerance = 1e-10)
    expect_equal(path$coefficients[1, 1, l], mean(score) + 7 - sum(colMeans(f) * w), tolerance = 1e-10)
  }
})

test_that("more features than rows have the answer that their gradient says, for every kind of y", {
  wide <- cbind(f[1:30, ], cos(outer(1:30, 1:60)), 7)
  few <- y[1:30]
  for (type in c("binary", "number")) {
    response <- if (type == "binary") few else 3 * score[1:30] + 1
    path <- ridge_path(wide, 67, cbind(response), lambda, type)
    expect_identical(dim(path$coefficients), c(68L, 1L, 3L))
    for (l in seq_along(lambda)) {
      expect_lt(max(abs(slope(path$coefficients[, 1, l], wide, response, lambda[l], type == "binary"))), 1e-4)
    }
  }
  soft <- ridge_path(wide, 67, classes[1:30, ], lambda, "classes")
  expect_true(all(soft$converged))
  for (l in seq_along(lambda)) {
    expect_lt(
      max(relative_gradient(wide, classes[1:30, ], lambda[l], soft$coefficients[, , l], "softmax")), 1e-6
    )
  }
  same <- ridge_path(matrix(2, 5, 9), 9, cbind(c(0, 1, 0, 1, 1)), 1, "binary")
  expect_equal(same$coefficients[, 1, 1], c(stats::qlogis(0.6), rep(0, 9)))
})

test_that("lambda comes in any order, and only the first m features are used", {
  a <- ridge_path(f, 4, cbind(y), lambda, "binary")
  b <- ridge_path(f[, 1:4], 4, cbind(y), rev(lambda), "binary")
  expect_equal(a$coefficients, b$coefficients[, , 3:1, drop = FALSE], tolerance = 1e-6)
  expect_identical(dim(a$coefficients), c(5L, 1L, 3L))
})

test_that("separable classes converge too, and an event that never happens has its smoothed frequency", {
  apart <- as.numeric(f[, 1] > 0.5)
  path <- ridge_path(f, 6, cbind(apart, 0, 1), 1e-6, "tags")
  expect_true(all(path$converged))
  expect_true(all((ridge_response(f, path$coefficients[, , 1], "logistic")[, 1] > 0.5) == (apart == 1)))
  expect_identical(path$coefficients[-1, 2:3, 1], matrix(0, 6, 2))
  expect_equal(stats::plogis(path$coefficients[1, 2:3, 1]), c(0.5, 400.5) / 401)
})

test_that("the same bits with 1 and 2 threads, one model and many", {
  big <- f[rep(1:400, 12), ] + seq_len(4800) / 1e4
  for (response in list(cbind(rep(y, 12)), classes[rep(1:400, 12), ])) {
    found <- lapply(1:2, function(threads) {
      withr::local_options(landmarker.threads = threads)
      ridge_path(big, 6, response, lambda, "tags")
    })
    expect_identical(found[[1]], found[[2]])
  }
})

test_that("glmnet has the same solution, with lambda / N, for numbers times their standard deviation", {
  skip_if_not_installed("glmnet")
  for (type in c("binary", "number")) {
    response <- if (type == "binary") y else 30 * score[, 1] + cos(1:400)
    unit <- if (type == "binary") 1 else sqrt(mean((response - mean(response))^2))
    ours <- ridge_path(f, 6, cbind(response), c(100, 1), type)
    theirs <- glmnet::glmnet(f, response, if (type == "binary") "binomial" else "gaussian", alpha = 0,
      lambda = c(1000, 100, 1) / 400 * unit, standardize = FALSE, thresh = 1e-18, maxit = 1e6
    )
    expect_equal(ours$coefficients[, 1, ], unname(as.matrix(stats::coef(theirs))[, 2:3]),
      tolerance = 1e-5, ignore_attr = TRUE
    )
  }
})

test_that("the relative gradient is the plain one", {
  w <- cbind(c(0.3, -1, 2, 0.5, 0, 1, -2), 0)
  g <- relative_gradient(f, cbind(y, y), 2, w, "logistic")
  expect_equal(
    unname(g[1]), sqrt(sum(slope(w[, 1], f, y, 2, TRUE)^2)) / sqrt(sum(crossprod(cbind(1, f), mean(y) - y)^2))
  )
  best <- ridge_path(f, 6, cbind(y), 2, "binary")$coefficients
  expect_lt(relative_gradient(f, cbind(y), 2, matrix(best, 7), "logistic"), 1e-6)
})

test_that("neither the size of a feature, nor its offset, nor the unit of y matters", {
  huge <- cbind(f[, 1:2], 1e9 * cos(1:400))
  path <- ridge_path(huge, 3, cbind(score), c(1e-3, 1e3), "number")
  centered <- scale(huge, scale = FALSE)
  for (l in 1:2) {
    w <- solve(crossprod(centered) + c(1e-3, 1e3)[l] * diag(3), crossprod(centered, score), tol = 1e-30)
    expect_equal(path$coefficients[2:3, 1, l], w[1:2], tolerance = 1e-6)
  }
  plain <- ridge_path(f, 6, cbind(y), lambda, "binary")
  far <- ridge_path(f + 1e6, 6, cbind(y), lambda, "binary")
  expect_true(all(far$converged))
  expect_equal(far$coefficients[-1, , ], plain$coefficients[-1, , ], tolerance = 1e-5)
  one <- ridge_path(f, 6, cbind(score), lambda, "number")
  for (unit in c(1e-200, 1e-14, 1e12, 1e200)) {
    other <- ridge_path(f, 6, cbind(unit * (score + 3)), lambda, "number")
    expect_true(all(other$converged))
    expect_equal(other$coefficients[-1, , ] / unit, one$coefficients[-1, , ], tolerance = 1e-9)
    expect_equal(other$coefficients[1, , ] / unit, one$coefficients[1, , ] + 3, tolerance = 1e-9)
  }
})
