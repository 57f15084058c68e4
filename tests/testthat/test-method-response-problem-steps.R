best_shift <- getFromNamespace("best_shift", "landmarker")
losses <- getFromNamespace("losses", "landmarker")

test_that("the shift of the scores minimizes their loss", {
  set.seed(1)
  rows <- 60
  v <- stats::runif(rows)
  scores <- matrix(stats::rnorm(3 * rows, 1), rows)
  class <- sample(3, rows, TRUE)
  y <- list(
    squares = matrix(stats::rnorm(3 * rows), rows), huber = matrix(stats::rt(3 * rows, 2), rows),
    poisson = matrix(stats::rpois(3 * rows, 3), rows),
    logistic = matrix(stats::rbinom(3 * rows, 1, 0.3), rows),
    softmax = outer(class, 1:3, "==") + 0
  )
  for (kind in names(y)) {
    loss <- function(shift) {
      sum(v * rowSums(losses(scores + rep(shift, each = rows), y[[kind]], kind))) / sum(v)
    }
    by_optim <- stats::optim(numeric(3), loss, method = "BFGS", control = list(reltol = 1e-12))
    # Half a row is added to the observed ones of a class or of counts.
    slack <- if (kind %in% c("softmax", "poisson")) 1e-4 else 1e-8
    expect_lt(loss(best_shift(scores, y[[kind]], v, kind, 200)), by_optim$value + slack)
    few <- loss(best_shift(scores, y[[kind]], v, kind))
    expect_lt(few, loss(numeric(3)))
    expect_lt(few - by_optim$value, 0.01 * (loss(numeric(3)) - by_optim$value) + slack)
  }
})

test_that("a class that no row has, or that all rows have, moves no score without bound", {
  scores <- matrix(c(3, 3, 3, -3, -3, -3), 3)
  for (kind in c("softmax", "logistic", "poisson")) {
    shift <- best_shift(scores, cbind(c(1, 1, 1), 0), c(1, 1, 1), kind)
    expect_true(all(is.finite(shift)))
    expect_lt(max(abs(shift)), 20)
  }
})

test_that("a fit that stops early is right in the mean of the rows it has learned from", {
  set.seed(2)
  x <- matrix(stats::rnorm(600), 150)
  y <- 10 + x[, 1]^2 + 3 * x[, 2]
  weights <- stats::runif(150)
  # A wide kernel: the features are nearly the same everywhere.
  learn <- function(...) landmarks(x, 8, by_response(y, iterations = 40, ...), bandwidth = 2000)
  for (fit in list(learn(), learn(held_out = 0), learn(trend = FALSE, relevance = FALSE))) {
    expect_equal(mean(predict(fit, x)), mean(y), tolerance = 1e-10)
  }
  fit <- landmarks(x, 8, by_response(y, iterations = 40), weights = weights)
  expect_equal(sum(weights * (predict(fit, x) - y)), 0, tolerance = 1e-8)
  counts <- stats::rpois(150, exp(1 + 0.5 * x[, 1]))
  fit <- landmarks(x, 8, by_response(counts, "poisson", iterations = 40, held_out = 0))
  expect_equal(mean(predict(fit, x)), mean(counts), tolerance = 0.01)
})
