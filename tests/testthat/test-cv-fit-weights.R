# Weights: a row of weight 2 counts as two rows, in regressions, measures and whole comparisons.

set.seed(5)
n <- 60
x <- matrix(stats::rnorm(3 * n), n, dimnames = list(NULL, letters[1:3]))
score <- x[, 1] - x[, 2] + stats::rnorm(n)
v <- sample(0:3, n, TRUE)
again <- rep(seq_len(n), v)
part <- rep(1:3, length.out = n)
responses <- list(
  number = score, binary = factor(score > 0), classes = cut(score, c(-Inf, -1, 1, Inf)),
  tags = cbind(a = score > 0, b = x[, 3] > 0.5)
)

test_that("weighted regressions on the axes of few rows are those of repeated rows", {
  wide <- cbind(x, x^2, x^3)[1:6, ]
  w <- c(1, 2, 3, 1, 2, 1)
  few <- rep(1:6, w)
  expect_equal(
    ridge_path(wide, 9, cbind(score[1:6]), 0.1, "number", w)$coefficients,
    ridge_path(wide[few, ], 9, cbind(score[few]), 0.1, "number")$coefficients, tolerance = 1e-6
  )
})

test_that("a weighted comparison is that of repeated rows whose copies share a fold", {
  # Landmarks that are the same for copies as for weights.
  corners <- function(x, n) landmarker::as_landmarks(diag(3)[seq_len(n), , drop = FALSE], x, bandwidth = 3)
  for (y in responses) {
    compare <- function(rows, weights) {
      cv_landmarks(x[rows, ], if (is.matrix(y)) y[rows, ] else y[rows], n = 3, folds = part[rows],
        weights = weights, methods = list(corners = corners, raw = raw_features), lambda = c(0.1, 1),
        seeds = 1
      )
    }
    weighted <- compare(seq_len(n), v)
    copies <- compare(again, NULL)
    expect_equal(no_time(weighted$units), no_time(copies$units), tolerance = 1e-5)
    expect_equal(no_time(weighted$summary), no_time(copies$summary), tolerance = 1e-5)
    expect_equal(coef(weighted), coef(copies), tolerance = 1e-5)
    expect_identical(weighted$n_rows, sum(v > 0))
  }
})

test_that("landmarks, test rows, nested lambda and functions get the weights of their rows", {
  seen <- list()
  spy <- function(x, n, weights) {
    seen[[length(seen) + 1]] <<- weights
    raw_features(x)
  }
  w <- seq_len(n)
  cv_landmarks(x, score, n = 2, methods = list(spy = spy), folds = part, weights = w, lambda = 1, seeds = 1)
  expect_identical(lapply(seen, as.integer), c(lapply(1:3, function(k) w[part != k]), list(w)))
  cv <- cv_landmarks(x, score, n = 4, methods = by_kmeans(), validation = 1:20, test = 41:60, weights = w,
    lambda = c(0.1, 1), seeds = 1, nested = TRUE
  )
  expect_true(cv$fit$weighted)
  expect_output(print(cv), "60 weighted rows")
  # The test's mean squared error, by hand, of the fit to the rows from 21 to 40.
  set_seed((base_of(1) + 7919 + 104729 * 4) %% .Machine$integer.max)
  fit <- landmarks(x[21:40, ], 4, by_kmeans(), weights = w[21:40])
  f <- cbind(1, predict(fit, x, "features"))
  penalty <- diag(c(0, rep(cv$best$lambda, 4)))
  learned <- w[21:40] * f[21:40, ]
  b <- solve(crossprod(f[21:40, ], learned) + penalty, crossprod(learned, score[21:40]))
  error <- (f %*% b - score)^2
  expect_equal(cv$summary$mse, sum(w[1:20] * error[1:20]) / sum(w[1:20]))
  expect_equal(cv$summary$test_mse, sum(w[41:60] * error[41:60]) / sum(w[41:60]))
})

test_that("weights are a column of the data, an expression with its columns, or a number for each row", {
  data <- data.frame(x, score = score, heavy = v + 1)
  outside <- v + 1
  cv <- function(...) {
    no_time(cv_landmarks(score ~ a + b, data = data, ..., n = 3, methods = list(km = by_kmeans()),
      folds = part, seeds = 1, lambda = 1
    )$summary)
  }
  fit <- function(...) {
    withr::with_seed(1, coef(landmarks(~ a + b, data = data, n = 3, method = by_kmeans(), ...)))
  }
  for (of in list(cv, fit)) {
    by_name <- of(weights = heavy)
    expect_identical(of(weights = outside), by_name)
    expect_identical(of(weights = heavy^1), by_name)
    expect_false(identical(of(), by_name))
  }
  expect_identical(cv(weights = rep(1, n)), cv())
  of_matrix <- function(weights, y = score, ...) {
    cv_landmarks(x, y, n = 2, methods = by_random(), seeds = 1, lambda = 1, weights = weights, ...)
  }
  expect_refused(
    fit(weights = heaviest), cv(weights = heaviest), of_matrix(1:3),
    of_matrix(rep(0:1, each = 30), validation = 1:10), of_matrix(rep(1.7e308, n), responses$binary)
  )
  # A class whose rows all have weight 0 is no class of the comparison.
  two <- of_matrix(as.numeric(responses$classes != "(-1,1]"), responses$classes, folds = 2)
  expect_identical(two$type, "binary")
})

test_that("raw features are scaled by weighted standard deviations", {
  w <- (v + 1) / mean(v + 1)
  train <- list(x = x, weights = w)
  divisor <- cv_learn(list(method = raw_features, scale = TRUE), "raw", 3, NULL, train)$divisor
  apart <- x - rep(colMeans(w * x), each = n)
  expect_equal(divisor, sqrt(colSums(w * apart^2) / (n - 1)), ignore_attr = TRUE)
})

test_that("a class without a row has half a row's chance at the weighted means of the features", {
  w <- v + 1
  y <- cbind(as_response(responses$classes, n)$y, 0)
  scores <- c(1, colSums(w * x) / sum(w)) %*% ridge_path(x, 3, y, 1, "classes", w)$coefficients[, , 1]
  expect_equal(exp(scores[4]) / sum(exp(scores[1:3])), 0.5 / (n + 1))
})

test_that("areas under the curve of several parts are means by the weights of their rows", {
  problem <- list(y = cbind(c(1, 0, 1, 0, 0, 1, 1)), v = c(1, 2, 3, 1, 4, 2, 5))
  scores <- list(cbind(c(3, 1, 2, 2)), cbind(c(1, 2, 0)))
  # Pairs of a row with the tag and one without: first 1 * 3 + 3 * 2.5 of 4 * 3, then 2 * 4 of 7 * 4.
  areas <- c((1 * 3 + 3 * 2.5) / 12, 2 * 4 / 28)
  expect_equal(auc_of_parts(problem, scores, list(1:4, 5:7)), sum(c(7, 11) * areas) / 18)
})
