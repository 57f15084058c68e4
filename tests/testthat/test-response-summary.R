# The figures of held-out rows, computed by hand.

response_of <- function(type, family, levels, fitted, observed, weights = rep(1, nrow(fitted)), ...) {
  rows <- seq_len(nrow(fitted))
  report <- list(
    rows = nrow(fitted), index = rows, fitted = fitted, observed = observed, weights = weights, ...
  )
  list(type = type, family = family, levels = levels, held_out = report)
}

test_that("numbers: errors, R2 and the slope of calibration", {
  set.seed(1)
  f <- rnorm(40)
  y <- 2 * f + rnorm(40, sd = 0.1)
  v <- rep(c(0.5, 1.5), 20)
  # The mean of other rows is not that of these: 0.2 is.
  usual <- weighted.mean((y - 0.2)^2, v)
  s <- response_summary(response_of("number", "gaussian", NULL, cbind(f), y, v, baseline = usual))$measures
  expect_identical(s$measure, c("RMSE", "R2", "calibration slope"))
  error <- weighted.mean((y - f)^2, v)
  expect_equal(s$value, c(sqrt(error), 1 - error / usual, coef(lm(y ~ f, weights = v))[[2]]))
  expect_null(response_summary(list(type = "number", held_out = NULL)))
})

test_that("classes: confusion, recall, log loss and calibration", {
  p <- rbind(c(0.8, 0.1, 0.1), c(0.2, 0.5, 0.3), c(0.3, 0.3, 0.4), c(0.6, 0.3, 0.1))[rep(1:4, 10), ]
  truth <- rep(c(1, 2, 2, 1), 10)
  r <- response_of(
    "classes", "multinomial", c("a", "b", "c"), p, truth, measure = 0.75, baseline = 0.5, usual_loss = log(2)
  )
  s <- response_summary(r)
  expect_identical(unname(s$confusion), rbind(c(20, 0, 0), c(0, 10, 10), c(0, 0, 0)))
  expect_equal(s$measures$value[2], -mean(log(p[cbind(1:40, truth)])))
  expect_equal(s$measures$baseline[2], log(2))
  # Bins by tenths of all chances: .1 (1, 3 and 3 of 10 rows each), ...
  bins <- ceiling(round(10 * as.vector(p), 8))
  gaps <- tapply(as.vector(outer(truth, 1:3, "==") - p), bins, sum)
  expect_equal(s$measures$value[3], sum(abs(gaps)) / 120)
  expect_snapshot(print_response_summary(s, 4))
  # A row of weight 3 counts as three rows.
  figures <- function(rows, weights) {
    response_summary(response_of("classes", "multinomial", c("a", "b", "c"), p[rows, ], truth[rows], weights,
      measure = 0.75, baseline = 0.5, usual_loss = log(2)
    ))[c("measures", "confusion")]
  }
  times <- rep(c(1, 3), 20)
  expect_equal(figures(1:40, times), figures(rep(1:40, times), rep(1, 80)))
})

test_that("two classes and tags are chances of 0 and 1", {
  p <- cbind(c(0.9, 0.2, 0.6, 0.4))
  of <- function(type, ...) {
    response_summary(response_of(type, "binomial", c("no", "yes"), ...,
      measure = 0.5, baseline = 0.5, usual_loss = 1
    ))
  }
  s <- of("binary", p, c(1, 0, 0, 1))
  expect_equal(s$measures$value[2], -mean(log(c(0.9, 0.8, 0.4, 0.4))))
  expect_identical(unname(s$confusion), rbind(c(1, 1), c(1, 1)))
  tags <- of("tags", cbind(p, 1 - p), cbind(c(1, 0, 0, 1), c(0, 1, 1, 0)))
  expect_equal(tags$measures$value[2], 2 * s$measures$value[2])
  expect_null(tags$confusion)
})

test_that("summary() of a fit has the figures that print() has", {
  fit <- withr::with_seed(1, landmarks(Species ~ ., iris, 4, by_response(iterations = 20, held_out = 0.5)))
  s <- attr(summary(fit), "response")
  told <- fit$response$held_out
  expect_equal(s$measures$value[1:2], c(told$measure, told$loss), tolerance = 1e-3)
  expect_equal(s$measures$baseline[1:2], c(told$baseline, told$usual_loss))
  expect_equal(sum(diag(s$confusion)) / s$rows, told$measure)
  expect_output(print(summary(fit)), "recall")
  expect_null(attr(summary(fit[1:2]), "response"))
})

test_that("the threshold of a tag has the largest F of all", {
  set.seed(2)
  for (k in 1:5) {
    y <- c(1, rbinom(29, 1, 0.3))
    p <- round(plogis(rnorm(30) + y), 1)
    v <- runif(30)
    f_at <- function(t) 2 * sum(v * y * (p >= t)) / (sum(v * (p >= t)) + sum(v * y))
    expect_equal(f_at(best_threshold(p, y, v)), max(vapply(seq(0.005, 1, 0.005), f_at, 0)))
    # It lies between two values.
    expect_false(best_threshold(p, y, v) %in% p)
  }
})
