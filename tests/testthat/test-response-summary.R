# A response with held-out rows of which all figures can be computed by hand.
report_of <- function(fitted, observed, weights = rep(1, nrow(fitted)), ...) {
  list(
    rows = nrow(fitted), index = seq_len(nrow(fitted)), fitted = fitted, observed = observed,
    weights = weights, ...
  )
}

test_that("numbers: errors, R2 and the slope of calibration", {
  set.seed(1)
  f <- rnorm(40)
  y <- 2 * f + rnorm(40, sd = 0.1)
  v <- rep(c(0.5, 1.5), 20)
  # The mean of other rows is not that of these: 0.2 is.
  usual <- weighted.mean((y - 0.2)^2, v)
  r <- list(type = "number", family = "gaussian", held_out = report_of(cbind(f), y, v, baseline = usual))
  s <- response_summary(r)$measures
  by_hand <- lm(y ~ f, weights = v)
  expect_equal(s$value[s$measure == "mean squared error"], weighted.mean((y - f)^2, v))
  expect_equal(s$value[s$measure == "R2"], 1 - weighted.mean((y - f)^2, v) / usual)
  expect_equal(s$value[s$measure == "calibration slope"], unname(coef(by_hand)[2]))
})

test_that("classes: confusion, recall, log loss and calibration", {
  p <- rbind(c(0.8, 0.1, 0.1), c(0.2, 0.5, 0.3), c(0.3, 0.3, 0.4), c(0.6, 0.3, 0.1))
  p <- p[rep(1:4, 10), ]
  truth <- rep(c(1, 2, 2, 1), 10)
  r <- list(
    type = "classes", family = "multinomial", levels = c("a", "b", "c"),
    held_out = report_of(p, truth, measure = 0.75, baseline = 0.5, usual_loss = log(2))
  )
  s <- response_summary(r)
  expect_identical(unname(s$confusion), rbind(c(20, 0, 0), c(0, 10, 10), c(0, 0, 0)))
  expect_equal(s$measures$value[2], -mean(log(p[cbind(1:40, truth)])))
  expect_equal(s$measures$baseline[2], log(2))
  # Bins by tenths of all chances: .1 (1, 3 and 3 of 10 rows each), ...
  of <- list(p = p, y = outer(truth, 1:3, "==") + 0)
  bins <- ceiling(round(10 * as.vector(p), 8))
  gaps <- tapply(as.vector(of$y - p), bins, sum)
  expect_equal(s$measures$value[3], sum(abs(gaps)) / 120)
  expect_snapshot(print_response_summary(s, 4))
})

test_that("two classes and tags are chances of 0 and 1", {
  p <- cbind(c(0.9, 0.2, 0.6, 0.4))
  r <- list(
    type = "binary", family = "binomial", levels = c("no", "yes"),
    held_out = report_of(p, c(1, 0, 0, 1), measure = 0.5, baseline = 0.5, usual_loss = 1)
  )
  s <- response_summary(r)
  expect_equal(s$measures$value[2], -mean(log(c(0.9, 0.8, 0.4, 0.4))))
  expect_identical(unname(s$confusion), rbind(c(1, 1), c(1, 1)))
  tags <- list(
    type = "tags", family = "binomial", levels = c("a", "b"),
    held_out = report_of(cbind(p, 1 - p), cbind(c(1, 0, 0, 1), c(0, 1, 1, 0)),
      measure = 0.5, baseline = 0.5, usual_loss = 1
    )
  )
  expect_equal(response_summary(tags)$measures$value[2], 2 * s$measures$value[2])
  expect_null(response_summary(tags)$confusion)
  expect_null(s$thresholds)
  expect_null(response_summary(list(type = "number", held_out = NULL)))
})

test_that("summary() of a fit has the figures that print() has", {
  set.seed(1)
  fit <- landmarks(Species ~ ., iris, 4, by_response(iterations = 60))
  s <- attr(summary(fit), "response")
  expect_equal(s$measures$value[1], fit$response$held_out$measure)
  expect_equal(s$measures$value[2], fit$response$held_out$loss, tolerance = 1e-3)
  told <- fit$response$held_out
  expect_equal(s$measures$baseline[1:2], c(told$baseline, told$usual_loss))
  expect_equal(sum(diag(s$confusion)) / s$rows, fit$response$held_out$measure)
  expect_output(print(summary(fit)), "recall")
  expect_null(attr(summary(fit[1:2]), "response"))
  expect_s3_class(summary(fit), c("summary.landmarks", "data.frame"), exact = TRUE)
})

test_that("the threshold of a tag has the largest F of all", {
  set.seed(2)
  for (k in 1:20) {
    y <- rbinom(30, 1, 0.3)
    p <- round(plogis(rnorm(30) + y), 1)
    v <- runif(30)
    if (sum(y) == 0) next
    f_at <- function(t) 2 * sum(v * y * (p >= t)) / (sum(v * (p >= t)) + sum(v * y))
    all <- vapply(seq(0.005, 1, 0.005), f_at, 0)
    expect_equal(f_at(best_threshold(p, y, v)), max(all))
  }
})

test_that("predict() of tags gives those above their thresholds", {
  set.seed(1)
  x <- as.matrix(iris[1:4])
  y <- cbind(long = iris$Petal.Length > 5, short = iris$Petal.Length < 2, rare = seq_len(150) == 7) + 0
  fit <- landmarks(x, 5, by_response(y, iterations = 60))
  given <- predict(fit, x, "class")
  expect_true(is.logical(given))
  expect_identical(colnames(given), colnames(y))
  p <- predict(fit, x)
  r <- fit$response
  t <- tag_thresholds(r)
  expect_identical(unname(given), unname(p >= rep(t, each = 150)))
  expect_identical(attr(summary(fit), "response")$thresholds, c(long = t[1], short = t[2], rare = 0.5))
  expect_identical(t[3], 0.5)
  expect_gt(mean(given[, 1] == y[, 1]), 0.9)
  fit$response$held_out <- NULL
  expect_identical(unname(predict(fit, x, "class")), unname(p >= 0.5))
})
