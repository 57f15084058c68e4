# What by_response() tells of held-out rows.

skip_slow_file()

test_that("what is told of random labels is what is true of new rows", {
  seeds <- if (full_run()) 60 else 15
  told <- vapply(seq_len(seeds), function(seed) {
    set.seed(seed)
    x <- matrix(rnorm(240), 60)
    y <- factor(sample(c("a", "b"), 60, TRUE))
    fit <- suppressWarnings(landmarks(x, 6, by_response(y, iterations = 200)))
    new <- matrix(rnorm(4000), 1000)
    # A new label is either class with a probability of a half.
    p <- suppressWarnings(predict(fit, new, "response"))
    c(fit$response$held_out$measure, fit$response$held_out$loss, -mean(log(p) + log(1 - p)) / 2)
  }, c(accuracy = 0, loss = 0, truth = 0))
  error <- function(v) 2.5 * stats::sd(v) / sqrt(seeds)
  expect_lt(abs(mean(told["accuracy", ]) - 0.5), error(told["accuracy", ]) + 0.01)
  apart <- told["loss", ] - told["truth", ]
  expect_gt(mean(apart), -error(apart) - 0.01)
})

test_that("the measure and its baseline are those of the held-out predictions", {
  set.seed(2)
  fit <- landmarks(quakes[c("lat", "long")], 8, by_response(quakes$depth, iterations = 60), scale = TRUE)
  out <- fit$response$held_out
  expect_equal(out$observed, quakes$depth[out$index])
  expect_equal(out$measure, mean((out$observed - out$fitted[, 1])^2))
  # The mean of the other rows is about that of all.
  expect_equal(out$baseline, mean((out$observed - mean(quakes$depth))^2), tolerance = 0.02)
  expect_identical(out$rows, length(out$index))
  set.seed(2)
  fit <- landmarks(iris[1:4], 4, by_response(iris$Species, iterations = 60))
  out <- fit$response$held_out
  expect_equal(out$observed, as.numeric(iris$Species)[out$index])
  expect_equal(out$measure, mean(max.col(out$fitted) == out$observed))
  expect_equal(out$baseline, mean(out$observed == 1))
  expect_equal(out$loss, -mean(log(out$fitted[cbind(seq_along(out$index), out$observed)])))
  expect_output(print(fit), "the largest class) on 75 rows, held out in turn", fixed = TRUE)
})

test_that("with few rows each is held out in turn", {
  set.seed(3)
  fit <- landmarks(Employed ~ ., longley, 3, by_response(iterations = 40), scale = TRUE)
  expect_identical(fit$response$held_out$index, 1:16)
  expect_identical(sum(is.na(fitted(fit))), 0L)
  # An interval of 95 % needs 19 rows.
  p <- predict(fit, longley, interval = "prediction")
  expect_identical(unique(p[, "upr"]), Inf)
  p <- predict(fit, longley, interval = "prediction", level = 0.9)
  expect_true(all(is.finite(p)))
})

test_that("a model that is no better than none is told", {
  set.seed(4)
  x <- matrix(rnorm(400), 100)
  expect_warning(
    landmarks(x, 4, by_response(rnorm(100), iterations = 100)), class = "landmarker_warning_response"
  )
  set.seed(4)
  expect_no_warning(landmarks(x, 4, by_response(x[, 1] + rnorm(100) / 9, iterations = 100)))
})

test_that("tags that are noise are told as chance", {
  told <- vapply(1:8, function(seed) {
    set.seed(seed)
    tags <- matrix(stats::rbinom(450, 1, 0.3), 150)
    fit <- suppressWarnings(landmarks(matrix(rnorm(450), 150), 4, by_response(tags, iterations = 100)))
    c(fit$response$held_out$measure, fit$response$held_out$baseline)
  }, numeric(2))
  expect_equal(mean(told[1, ]), 0.5, tolerance = 0.08)
  expect_identical(unique(told[2, ]), 0.5)
})

test_that("the steps are those that were asked for", {
  for (rows in c(60, 700, 2300)) {
    for (iterations in c(1, 7, 50, 333)) {
      calls <- response_calls(
        list(method = by_response(iterations = iterations), source = as_source(matrix(0.5, 3, 2) * 1:3)), rows
      )
      expect_identical(sum(calls$steps), as.double(iterations))
      batches <- ceiling(calls$rows / calls$batch)
      expect_identical(batches * calls$passes, calls$steps)
      expect_true(all(calls$rows <= rows))
    }
  }
})

test_that("half of the rows may be held out", {
  set.seed(5)
  for (share in c(0.3, 0.5)) {
    fit <- landmarks(iris[1:4], 4, by_response(iris$Species, iterations = 40, held_out = share))
    expect_gte(fit$response$held_out$rows, 150 * share)
  }
})

test_that("a rare class stays rare, also where held-out rows make scores smaller", {
  set.seed(10)
  x <- matrix(stats::rnorm(900), 300)
  rare <- numeric(300)
  rare[sample(300, 10)] <- 1
  three <- factor(ifelse(rare == 1, "c", sample(c("a", "b"), 300, TRUE)))
  for (steps in c(50, 400)) {
    fit <- suppressWarnings(landmarks(x, 5, by_response(rare, iterations = steps)))
    expect_equal(mean(predict(fit, x, "response")), 10 / 300, tolerance = 1e-3)
    baseline <- -mean(log(c(rep(10 / 300, 10), rep(290 / 300, 290))))
    expect_lt(fit$response$held_out$loss, 1.4 * baseline)
    fit <- suppressWarnings(landmarks(x, 5, by_response(three, iterations = steps)))
    expect_equal(colMeans(predict(fit, x, "prob")), c(prop.table(table(three))), tolerance = 1e-2)
  }
})

test_that("the losses at each scale are those of scores around those of the shares", {
  evaluate <- function(name) getFromNamespace(name, "landmarker")
  set.seed(3)
  scores <- matrix(stats::rnorm(120, sd = 4), 40)
  null <- c(0, -1, -3)
  v <- stats::runif(40)
  y <- list(
    softmax = outer(sample(3, 40, TRUE), 1:3, "==") + 0, logistic = matrix(stats::rbinom(120, 1, 0.2), 40)
  )
  for (kind in names(y)) {
    told <- list(y = y[[kind]], weights = v)
    loss <- function(s) {
      at <- evaluate("scores_at_scale")(scores, null, s)
      sum(v * rowSums(evaluate("losses")(at, y[[kind]], kind))) / sum(v)
    }
    found <- evaluate("losses_at_scales")(kind, scores, null, told)
    expect_equal(found, vapply(exp(seq(-4, 1, 0.25)), loss, 0), tolerance = 1e-12)
  }
  expect_identical(evaluate("scores_at_scale")(scores, null, 0), matrix(null, 40, 3, byrow = TRUE))
})
