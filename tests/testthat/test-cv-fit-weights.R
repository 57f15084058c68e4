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
rows_of_response <- function(y, rows) if (is.matrix(y)) y[rows, ] else y[rows]
# Landmarks that are the same for copies as for weights.
corners <- function(x, n) landmarker::as_landmarks(diag(3)[seq_len(n), , drop = FALSE], x, bandwidth = 3)

test_that("weighted regressions are those of repeated rows, for every kind of response", {
  for (type in names(responses)) {
    y <- as_response(responses[[type]], n)$y
    ours <- ridge_path(x, 3, y, c(10, 0.5), type, v * 1e3)
    copies <- ridge_path(x[again, ], 3, y[again, , drop = FALSE], c(10, 0.5) / 1e3, type)
    expect_true(all(ours$converged))
    expect_equal(ours$coefficients, copies$coefficients, tolerance = 1e-6)
  }
  # More features than rows: on the axes of the rows.
  wide <- cbind(x, x^2, x^3)[1:6, ]
  w <- c(1, 2, 3, 1, 2, 1)
  few <- rep(1:6, w)
  y <- cbind(score[1:6])
  expect_equal(
    ridge_path(wide, 9, y, 0.1, "number", w)$coefficients,
    ridge_path(wide[few, ], 9, y[few, , drop = FALSE], 0.1, "number")$coefficients,
    tolerance = 1e-6
  )
})

test_that("numbers have the closed form of weighted ridge regression", {
  w <- stats::runif(n, 0.1, 5)
  design <- cbind(1, x)
  exact <- solve(crossprod(design, w * design) + diag(c(0, 2, 2, 2)), crossprod(design, w * score))
  ours <- ridge_path(x, 3, cbind(score), 2, "number", w)
  expect_equal(ours$coefficients[, 1, 1], as.vector(exact))
  # In any unit of the weights.
  huge <- ridge_path(x, 3, cbind(score), 2 * 1e300, "number", w * 1e300)$coefficients[, 1, 1]
  expect_equal(huge, as.vector(exact))
})

test_that("weighted measures are those of repeated rows", {
  set.seed(6)
  for (type in names(responses)) {
    y <- as_response(responses[[type]], n)$y
    p <- matrix(round(stats::runif(length(y)), 1), n)
    if (type == "classes") p <- (p + 0.1) / rowSums(p + 0.1)
    above <- v > 0
    ours <- measure_response(p[above, , drop = FALSE], y[above, , drop = FALSE], type, 1, v[above])
    expect_equal(ours, measure_response(p[again, , drop = FALSE], y[again, , drop = FALSE], type, 1))
  }
})

test_that("a weighted comparison is that of repeated rows whose copies share a fold", {
  for (type in names(responses)) {
    y <- responses[[type]]
    compare <- function(rows, weights) {
      cv_landmarks(x[rows, ], rows_of_response(y, rows), n = 2:3, folds = part[rows], weights = weights,
        methods = list(corners = corners, raw = raw_features), lambda = c(0.1, 1), seeds = 1
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
  set_seed(1)
  base <- sample.int(.Machine$integer.max, 1)
  set_seed((base + 7919 + 104729 * 4) %% .Machine$integer.max)
  fit <- landmarks(x[21:40, ], 4, by_kmeans(), weights = w[21:40])
  f <- cbind(1, predict(fit, x, "features"))
  penalty <- diag(c(0, rep(cv$best$lambda, 4)))
  learned <- f[21:40, ]
  b <- solve(
    crossprod(learned, w[21:40] * learned) + penalty, crossprod(learned, w[21:40] * score[21:40])
  )
  error <- (f %*% b - score)^2
  expect_equal(cv$summary$mse, sum(w[1:20] * error[1:20]) / sum(w[1:20]))
  expect_equal(cv$summary$test_mse, sum(w[41:60] * error[41:60]) / sum(w[41:60]))
})

test_that("weights of a formula are a column of the data, or an expression with its columns", {
  data <- data.frame(x, score = score, heavy = v + 1)
  outside <- v + 1
  cv <- function(...) {
    methods <- list(km = by_kmeans())
    no_time(cv_landmarks(score ~ a + b, data = data, ..., n = 3, methods = methods, folds = part, seeds = 1,
      lambda = 1
    )$summary)
  }
  fit <- function(...) {
    set.seed(1)
    coef(landmarks(~ a + b, data = data, n = 3, method = by_kmeans(), ...))
  }
  for (of in list(cv, fit)) {
    by_name <- of(weights = heavy)
    expect_identical(of(weights = outside), by_name)
    expect_identical(of(weights = heavy^1), by_name)
    expect_false(identical(of(), by_name))
  }
  expect_identical(cv(weights = rep(1, n)), cv())
  expect_refused(landmarks(~ a + b, data = data, n = 3, weights = heaviest), cv(weights = heaviest))
})

test_that("weights must be a number for each row, and leave rows to learn from", {
  cv <- function(weights, y = score, ...) {
    cv_landmarks(x, y, n = 2, methods = by_random(), seeds = 1, lambda = 1, weights = weights, ...)
  }
  expect_refused(
    cv(1:3),
    cv(rep(0, n)),
    cv("heavy"),
    cv(rep(0:1, each = 30), validation = 1:10)
  )
  # A class whose rows all have weight 0 is no class of the comparison.
  three <- cv(as.numeric(responses$classes != "(-1,1]"), responses$classes, folds = 2)
  expect_identical(three$type, "binary")
  for (size in c(1.7e308, 5e-324)) {
    expect_error(cv(rep(size, n), responses$binary), "Divide the weights", class = "landmarker_error_weights")
  }
})
