# The steps of by_response(), the metric that they learn, and what a fit says of the columns.

skip_slow_file()

quick <- function(..., iterations = 300) by_response(..., iterations = iterations, held_out = 0)

# One step of Adam on all rows, straight from the equations in ?by_response: softmax, no penalty.
plain_step <- function(x, y, landmarks, eta, weights, rate, pull) {
  n <- nrow(landmarks)
  squared <- outer(rowSums(x^2), rowSums(landmarks^2), "+") - 2 * tcrossprod(x, landmarks)
  phi <- exp(-squared / eta)
  scores <- cbind(phi, 1) %*% weights
  p <- exp(scores) / rowSums(exp(scores))
  r <- (p - y) / nrow(x)
  h <- tcrossprod(r, weights[seq_len(n), ]) * phi
  slope <- 2 / eta * (crossprod(h, x) - colSums(h) * landmarks)
  factor <- chol((crossprod(phi) + diag(n)) / nrow(x))
  by_v <- rbind(solve(t(factor), crossprod(phi, r)), colSums(r))
  v <- rbind(factor %*% weights[seq_len(n), ], weights[n + 1, ]) - pull * rate * sign(by_v)
  list(
    # The first step of Adam: each landmark goes as far as the rate says.
    landmarks = landmarks - rate * sqrt(eta) * slope / sqrt(rowSums(slope^2)),
    weights = rbind(solve(factor, v[seq_len(n), ]), v[n + 1, ]),
    bandwidth = eta * exp(-pull * rate * sign(sum(h * squared)))
  )
}

test_that("a step is that of the equations", {
  x <- as.matrix(iris[1:4])
  y <- outer(as.integer(iris$Species), 1:3, "==") + 0
  landmarks <- x[c(3, 60, 80, 120, 140), ]
  weights <- matrix(stats::rnorm(18), 6)
  want <- plain_step(x, y, landmarks, 3, weights, 0.05, 0.3)
  none <- matrix(0, 6, 3)
  state <- list(
    weights = weights, first = matrix(0, 4, 5), second = matrix(0, 1, 5), weight_first = none,
    weight_second = none, moment = c(0, 0), steps = 0, factor = matrix(0, 5, 5), made = c(0, 0)
  )
  settings <- list(
    rows = sample.int(150), batch = 150L, passes = 1L, loss = "softmax", rates = 0.05, pull = 0.3,
    penalty = 0, moves_bandwidth = TRUE, fixed = 0L, narrowest = 0.1, widest = 100, relevance = 0, width = 1,
    projects = FALSE
  )
  kernel <- list(bandwidth = 3, space = "euclidean")
  got <- .Call(C_respond, as_source(x), landmarks, y, kernel, state, c(settings, compute_with()))
  expect_equal(got$landmarks, want$landmarks, tolerance = 1e-7, ignore_attr = TRUE)
  expect_equal(got$weights, want$weights, tolerance = 1e-5)
  expect_equal(got$bandwidth, want$bandwidth)
  # Two passes are one after another, each with rates of its own.
  pass <- function(from, passes, rates) {
    settings[c("passes", "rates")] <- list(passes, rates)
    kernel$bandwidth <- from$bandwidth
    .Call(C_respond, as_source(x), from$landmarks, y, kernel, from, c(settings, compute_with()))
  }
  expect_equal(pass(got, 2L, c(0.04, 0.01)), pass(pass(got, 1L, 0.04), 1L, 0.01), tolerance = 1e-8)
})

test_that("the steps are those that were asked for", {
  source <- as_source(matrix(0.5, 3, 2) * 1:3)
  for (batch_size in c(500, 2300)) for (rows in c(60, 2300)) for (iterations in c(1, 7, 333)) {
    method <- by_response(iterations = iterations, batch_size = batch_size)
    calls <- response_calls(list(method = method, source = source), rows)
    expect_identical(sum(calls$steps), as.double(iterations))
    expect_identical(ceiling(calls$rows / calls$batch) * calls$passes, calls$steps)
    expect_true(all(calls$rows <= rows))
  }
})

test_that("weights of a least-squares fit are those of a ridge regression on its features", {
  x <- as.matrix(mtcars[c("wt", "hp", "qsec")])
  y <- cbind(mtcars$mpg, mtcars$disp)
  v <- rep(c(1, 0.5), 16)
  set.seed(1)
  method <- by_response(y, held_out = 0, penalty = 2)
  fit <- landmarks(x, 6, method, bandwidth = 1.7, scale = TRUE, weights = v)
  expect_identical(fit$bandwidth, 1.7)
  features <- unname(predict(fit, x, "features"))
  z <- sweep(x, 2, fit$center) * rep(fit$factor * fit$response$trend_unit, each = 32)
  f <- cbind(1, features, z)
  unit <- apply(y, 2, function(y) sqrt(weighted.mean((y - weighted.mean(y, v))^2, v)))
  # The penalty is divided by the number of rows, the sum of squares by the sum of the weights.
  w <- solve(crossprod(f, v * f) / sum(v) + diag(c(0, rep(2 / 32, 9))), crossprod(f, v * y) / sum(v))
  trend <- w[8:10, ] * fit$response$trend_unit
  expect_equal(unname(fit$response$trend), unname(trend), tolerance = 1e-6)
  # Landmarks are in another order.
  expect_equal(unname(fit$response$coefficients), unname(w[1:7, ]), tolerance = 1e-6)
})

test_that("the shift of the scores minimizes their loss", {
  set.seed(1)
  rows <- 60
  v <- stats::runif(rows)
  scores <- matrix(stats::rnorm(3 * rows, 1), rows)
  y <- list(
    squares = matrix(stats::rnorm(3 * rows), rows), huber = matrix(stats::rt(3 * rows, 2), rows),
    poisson = matrix(stats::rpois(3 * rows, 3), rows),
    logistic = matrix(stats::rbinom(3 * rows, 1, 0.3), rows),
    softmax = outer(sample(3, rows, TRUE), 1:3, "==") + 0
  )
  for (kind in names(y)) {
    loss <- function(shift) {
      sum(v * rowSums(losses(scores + rep(shift, each = rows), y[[kind]], kind))) / sum(v)
    }
    least <- stats::optim(numeric(3), loss, method = "BFGS", control = list(reltol = 1e-12))$value
    # Half a row is added to the observed ones of a class or of counts.
    slack <- if (kind %in% c("softmax", "poisson")) 1e-4 else 1e-8
    expect_lt(loss(best_shift(scores, y[[kind]], v, kind, 200)), least + slack)
    few <- loss(best_shift(scores, y[[kind]], v, kind))
    expect_lt(few - least, 0.01 * (loss(numeric(3)) - least) + slack)
  }
  # A class that no row has, or that all rows have, moves no score without bound.
  for (kind in c("softmax", "logistic", "poisson")) {
    shift <- best_shift(matrix(c(3, -3), 3, 2, byrow = TRUE), cbind(c(1, 1, 1), 0), c(1, 1, 1), kind)
    expect_lt(max(abs(shift)), 20)
  }
})

test_that("a fit that stops early is right in the mean of the rows it has learned from", {
  set.seed(2)
  x <- matrix(stats::rnorm(600), 150)
  y <- 10 + x[, 1]^2 + 3 * x[, 2]
  weights <- stats::runif(150)
  # A wide kernel: the features are nearly the same everywhere.
  learn <- function(..., weights = NULL) {
    landmarks(x, 8, quick(..., iterations = 40), bandwidth = 2000, weights = weights)
  }
  expect_equal(mean(predict(learn(y), x)), mean(y), tolerance = 1e-10)
  expect_equal(sum(weights * (predict(learn(y, weights = weights), x) - y)), 0, tolerance = 1e-8)
  counts <- stats::rpois(150, exp(1 + 0.5 * x[, 1]))
  expect_equal(mean(predict(learn(counts, "poisson"), x)), mean(counts), tolerance = 0.01)
})

# ---- the metric ------------------------------------------------------------------------

test_that("columns of noise lose their relevance, which is part of the metric", {
  set.seed(1)
  noise <- matrix(rnorm(150 * 60), 150, dimnames = list(NULL, paste0("noise", 1:60)))
  x <- cbind(as.matrix(iris[1:4]), noise)
  train <- sample(150, 105)
  learn <- function(relevance) {
    landmarks(x[train, ], 20, quick(iris$Species[train], relevance = relevance), scale = TRUE)
  }
  fit <- learn(TRUE)
  expect_gt(min(fit$relevance[3:4]), 3 * stats::quantile(fit$relevance[-(1:4)], 0.9))
  expect_gt(mean(predict(fit, x[-train, ]) == iris$Species[-train]), 0.85)
  sd <- apply(x[train, ], 2, stats::sd)
  expect_equal(fit$factor, fit$relevance / sd, ignore_attr = TRUE)
  expect_equal(learn(FALSE)[["factor"]], 1 / sd, ignore_attr = TRUE)
  # The columns that matter are printed first.
  expect_output(print(fit), "relevance   (Petal.Width|Petal.Length) 1, ")
})

test_that("later steps and variances keep the metric", {
  set.seed(6)
  fit <- landmarks(iris[1:4], 6, quick(iris$Species, relevance = TRUE))
  more <- suppressWarnings(add_landmarks(fit, iris[1:4], 2, "random"))
  for (later in list(more, suppressMessages(fit[1:3]))) expect_identical(later$factor, fit$factor)
  expect_identical(more$relevance, fit$relevance)
  moved <- refine_landmarks(fit, iris[1:4], 50, y = iris$Species)
  expect_equal(unname(moved$factor), unname(moved$relevance))
  expect_gt(mean(predict(moved, iris) == iris$Species), 0.9)
  # 1 - k(x)' K^-1 k(x), of points in units of the metric.
  in_metric <- function(v) sweep(as.matrix(v), 2, fit$factor, "*")
  t <- in_metric(fit$landmarks)
  across <- naive_features(in_metric(iris[1:4]), t, fit$bandwidth)
  want <- 1 - rowSums((across %*% solve(naive_features(t, t, fit$bandwidth))) * across)
  expect_equal(predict(fit, iris[1:4], "variance"), pmax(want, 0), tolerance = 1e-4, ignore_attr = TRUE)
})

test_that("slopes of columns are those of differences, with and without a trend", {
  x <- as.matrix(quakes[c("lat", "long", "mag")])
  flowers <- as.matrix(iris[1:4])
  set.seed(1)
  learn <- function(...) landmarks(x, 8, quick(quakes$depth, iterations = 50, ...), scale = TRUE)
  cases <- list(
    list(x = x, fit = learn(trend = FALSE)), list(x = x, fit = learn(trend = TRUE)),
    list(x = flowers, fit = landmarks(flowers, 4, quick(iris$Species, iterations = 60)))
  )
  for (case in cases) {
    columns <- tidy(case$fit, "columns")
    expect_named(columns, c("column", "sd", "relevance", "distance", "slope", "effect"))
    # The root of the mean squared derivative of the scores by each column.
    by_hand <- vapply(seq_len(ncol(case$x)), function(j) {
      at <- function(h) scores_by_hand(case$fit, case$x + h * (col(case$x) == j))
      sqrt(mean(rowSums(((at(1e-4) - at(-1e-4)) / 2e-4)^2)))
    }, 0)
    expect_equal(columns$slope, by_hand, tolerance = 1e-5)
    expect_equal(columns$effect, columns$slope * unname(apply(case$x, 2, stats::sd)), tolerance = 0.01)
  }
  # Columns without a response, and of sparse data, have what they can have.
  columns <- tidy(landmarks(iris[1:4], 3, scale = TRUE), "columns")
  expect_identical(columns$relevance, rep(1, 4))
  expect_equal(columns$distance, rep(1, 4))
  counts <- methods::as(matrix(stats::rpois(600, 0.5), 60), "CsparseMatrix")
  fit <- suppressWarnings(landmarks(counts, 3, quick(counts[, 1] + 0, iterations = 20)))
  expect_named(tidy(fit, "columns"), c("column", "sd", "relevance", "distance"))
  expect_null(fit$relevance)
  expect_null(fit$response$trend)
})
