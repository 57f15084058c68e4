# Which rows by_response() holds out, which of them choose, and what it tells of them.

skip_slow_file()

test_that("with few rows, what a row is told does not depend on what was observed of it", {
  set.seed(8)
  x <- matrix(stats::rnorm(180), 60)
  y <- factor(sample(c("a", "b"), 60, TRUE))
  # So few steps that no run ends early: all fits draw the same random numbers.
  told <- function(y) {
    method <- by_response(y, iterations = 5, penalty = 1, relevance = FALSE, trend = FALSE)
    suppressWarnings(withr::with_seed(4, landmarks(x, 5, method)))$response$held_out
  }
  first <- told(y)
  expect_equal(first$index, 1:60)
  for (i in c(1, 17)) {
    found <- told(replace(y, i, setdiff(levels(y), y[i])))
    expect_identical(found$fitted[i, ], first$fitted[i, ])
    expect_gt(sum(found$fitted[-i, ] != first$fitted[-i, ]), 20)
  }
})

test_that("held-out figures and intervals with groups are those of new groups", {
  # Subjects who differ in their response, and whose rows are near each other.
  subjects <- function(count, each) {
    of <- rep(seq_len(count), each = each)
    place <- matrix(stats::rnorm(3 * count), count)
    x <- place[of, ] + 0.1 * matrix(stats::rnorm(3 * count * each), count * each)
    y <- (0.5 * place[, 1] + stats::rnorm(count))[of] + 0.2 * stats::rnorm(count * each)
    list(x = x, y = y, of = of)
  }
  set.seed(1)
  d <- subjects(20, 15)
  new <- subjects(200, 5)
  figures <- function(groups) {
    method <- by_response(d$y, iterations = 100, groups = groups, relevance = FALSE)
    fit <- suppressWarnings(withr::with_seed(3, landmarks(d$x, 15, method, scale = TRUE)))
    p <- suppressWarnings(predict(fit, new$x, interval = "prediction", level = 0.8))
    report <- fit$response$held_out
    covered <- mean(new$y >= p[, "lwr"] & new$y <= p[, "upr"])
    list(fit = fit, covered = covered, r2 = 1 - report$measure / report$baseline)
  }
  rows <- figures(NULL)
  groups <- figures(d$of)
  expect_gt(rows$r2, 0.8)
  expect_lt(groups$r2, 0.4)
  expect_lt(rows$covered, 0.6)
  expect_gt(groups$covered, 0.65)
  expect_identical(groups$fit$response$held_out$groups, 20L)
  printed <- paste(capture.output(print(groups$fit)), collapse = " ")
  expect_match(printed, "out-of-fold rows of 20 groups")
})

test_that("groups go with rows that are left out, and are checked", {
  d <- data.frame(airquality[1:60, c("Ozone", "Wind", "Temp")], month = factor(airquality$Month[1:60]))
  learn <- function(...) {
    method <- by_response(iterations = 5, groups = d$month)
    withr::with_seed(1, landmarks(Ozone ~ Wind + Temp, d, 3, method, scale = TRUE, ...))
  }
  whole <- !is.na(d$Ozone)
  fit <- learn(na.action = na.omit)
  expect_setequal(fit$response$held_out$index, which(whole))
  expect_identical(learn(subset = whole)$landmarks, fit$landmarks)
  grouped <- function(groups) landmarks(iris[1:4], 3, by_response(iris$Species, groups = groups))
  expect_refused(
    grouped(1:3), grouped(replace(rep(1:5, 30), 8, NA)), grouped(rep("a", 150)), grouped(list(1))
  )
})

test_that("what is told of random labels is what is true of new rows", {
  seeds <- if (full_run()) 60 else 4
  told <- vapply(seq_len(seeds), function(seed) {
    set.seed(seed)
    x <- matrix(rnorm(240), 60)
    y <- factor(sample(c("a", "b"), 60, TRUE))
    fit <- suppressWarnings(landmarks(x, 6, by_response(y, iterations = 50, relevance = FALSE)))
    # A new label is either class with a probability of a half.
    p <- suppressWarnings(predict(fit, matrix(rnorm(4000), 1000), "response"))
    c(fit$response$held_out$measure - 0.5, fit$response$held_out$loss + mean(log(p) + log(1 - p)) / 2)
  }, c(accuracy = 0, loss = 0))
  error <- apply(told, 1, stats::sd) * 2.5 / sqrt(seeds) + 0.01
  expect_lt(abs(mean(told["accuracy", ])), error[["accuracy"]])
  expect_gt(mean(told["loss", ]), -error[["loss"]])
})

test_that("the measure and its baseline are those of the held-out predictions", {
  one_model <- function(y) by_response(y, iterations = 60, relevance = FALSE, trend = TRUE, penalty = 1)
  set.seed(2)
  fit <- landmarks(quakes[c("lat", "long")], 8, one_model(quakes$depth), scale = TRUE)
  out <- fit$response$held_out
  expect_equal(out$observed, quakes$depth[out$index])
  expect_equal(out$measure, mean((out$observed - out$fitted[, 1])^2))
  # The mean of the other rows is about that of all.
  expect_equal(out$baseline, mean((out$observed - mean(quakes$depth))^2), tolerance = 0.02)
  expect_identical(out$rows, length(out$index))
  fit <- landmarks(iris[1:4], 4, one_model(iris$Species))
  out <- fit$response$held_out
  expect_equal(out$observed, as.numeric(iris$Species)[out$index])
  expect_equal(out$measure, mean(max.col(out$fitted) == out$observed))
  expect_equal(out$baseline, mean(out$observed == 1))
  expect_equal(out$loss, -mean(log(out$fitted[cbind(seq_along(out$index), out$observed)])))
  expect_output(print(fit), ") on 75 out-of-fold rows", fixed = TRUE)
})

test_that("a rare class stays rare, also where held-out rows make scores smaller", {
  set.seed(10)
  x <- matrix(stats::rnorm(900), 300)
  rare <- replace(numeric(300), sample(300, 10), 1)
  three <- factor(ifelse(rare == 1, "c", sample(c("a", "b"), 300, TRUE)))
  learn <- function(y) {
    suppressWarnings(landmarks(x, 5, by_response(y, iterations = 50, relevance = FALSE, trend = TRUE)))
  }
  fit <- learn(rare)
  expect_equal(mean(predict(fit, x, "response")), 10 / 300, tolerance = 1e-3)
  baseline <- -mean(log(c(rep(10 / 300, 10), rep(290 / 300, 290))))
  expect_lt(fit$response$held_out$loss, 1.4 * baseline)
  expect_equal(colMeans(predict(learn(three), x, "prob")), c(prop.table(table(three))), tolerance = 1e-2)
})

test_that("the losses at each scale are those of scores around those of the shares", {
  set.seed(3)
  scores <- matrix(stats::rnorm(120, sd = 4), 40)
  null <- c(0, -1, -3)
  v <- stats::runif(40)
  class <- sample(3, 40, TRUE)
  tags <- matrix(stats::rbinom(120, 1, 0.2), 40)
  expect_losses <- function(kind, y, log_likelihood) {
    expected <- vapply(exp(seq(-4, 1, 0.25)), function(s) {
      -sum(v * log_likelihood(sweep(s * sweep(scores, 2, null), 2, null, "+"))) / sum(v)
    }, 0)
    expect_equal(losses_at_scales(kind, scores, null, list(y = y, weights = v)), expected)
  }
  classes <- outer(class, 1:3, "==") + 0
  expect_losses("softmax", classes, function(f) f[cbind(1:40, class)] - log(rowSums(exp(f))))
  expect_losses("logistic", tags, function(f) rowSums(stats::dbinom(tags, 1, stats::plogis(f), log = TRUE)))
})

test_that("the first landmarks are those that predict best", {
  set.seed(15)
  spiral <- two_arms()
  fit <- landmarks(spiral$x, 10, by_response(spiral$y, iterations = 100, held_out = 0, trend = FALSE))
  f <- predict(fit, spiral$x, "features")
  left <- function(some) sum(stats::lm.fit(cbind(1, f[, some]), as.numeric(spiral$y))$residuals^2)
  for (m in 1:9) {
    others <- vapply(m:10, function(next_one) left(c(seq_len(m - 1), next_one)), 0)
    expect_lte(others[1], min(others) * (1 + 1e-6))
  }
})
