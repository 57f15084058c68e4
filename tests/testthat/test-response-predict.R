# Predictions of a response, by fits that know it.

skip_slow_file()

quick <- function(..., iterations = 50, held_out = 0.5) {
  by_response(..., iterations = iterations, held_out = held_out)
}

test_that("a fit keeps its regression, in the units of the response", {
  set.seed(1)
  x <- quakes[c("lat", "long")]
  fit <- landmarks(x, 10, quick(quakes$depth), scale = TRUE)
  expect_equal(dim(fit$response$coefficients), c(11, 1))
  p <- predict(fit, quakes, "response")
  expect_equal(as.vector(scores_by_hand(fit, x)), as.vector(p))
  expect_gt(stats::cor(p, quakes$depth), 0.9)
  # That of held-out rows is larger than that of the rows learned from.
  expect_equal(fit$response$held_out$measure, mean((p - quakes$depth)^2), tolerance = 0.5)

  fit <- landmarks(iris[1:4], 4, quick(iris$Species))
  p <- predict(fit, iris, "response")
  scores <- scores_by_hand(fit, iris[1:4])
  expect_equal(p, exp(scores) / rowSums(exp(scores)), ignore_attr = TRUE)
  expect_equal(colnames(p), levels(iris$Species))
  expect_equal(as.character(predict(fit, iris, "class")), colnames(p)[max.col(p)])
})

test_that("tags are predicted each by itself, and given from their thresholds on", {
  set.seed(1)
  x <- as.matrix(iris[1:4])
  y <- cbind(long = iris$Petal.Length > 5, short = iris$Petal.Length < 2, rare = seq_len(150) == 7) + 0
  fit <- landmarks(x, 5, quick(y, iterations = 60))
  given <- predict(fit, x, "class")
  p <- predict(fit, x)
  for (tag in 1:2) expect_gt(score_ranking(p[, tag], y[, tag])[["auc"]], 0.9)
  t <- tag_thresholds(fit$response)
  expect_identical(given, p >= rep(t, each = 150))
  expect_identical(colnames(given), colnames(y))
  expect_identical(attr(summary(fit), "response")$thresholds, c(long = t[1], short = t[2], rare = 0.5))
  expect_gt(mean(given[, 1] == y[, 1]), 0.9)
  fit$response$held_out <- NULL
  expect_identical(predict(fit, x, "class"), p >= 0.5)
})

test_that("predicted classes of an ordered response are ordered", {
  size <- cut(iris$Petal.Length, c(0, 2, 5, 7), c("small", "medium", "large"), ordered_result = TRUE)
  p <- predict(landmarks(iris[1:4], 4, quick(size, held_out = 0)), iris[1:4])
  expect_s3_class(p, c("ordered", "factor"), exact = TRUE)
  expect_identical(levels(p), levels(size))
  expect_gt(mean(p == size), 0.9)
  cv <- cv_landmarks(iris[1:4], size, n = 3, folds = 2, seeds = 1, methods = "random")
  expect_true(is.ordered(predict(cv, iris[1:4])))
  expect_true(is.ordered(augment(cv, iris[1:4])$.pred_class))
})

test_that("levels without rows keep their place and have probability 0", {
  y <- factor(iris$Species, c("nobody", levels(iris$Species)), ordered = TRUE)
  for (rows in list(1:150, 51:150)) {
    x <- iris[rows, 1:4]
    fits <- lapply(list(y[rows], droplevels(y[rows])), function(y) {
      withr::with_seed(1, landmarks(x, 4, quick(y, iterations = 5)))
    })
    p <- predict(fits[[1]], x, "prob")
    seen <- levels(droplevels(y[rows]))
    expect_identical(p[, seen], predict(fits[[2]], x, "prob"))
    expect_true(all(p[, setdiff(levels(y), seen)] == 0))
    expect_identical(predict(fits[[1]], x), factor(predict(fits[[2]], x), levels(y), ordered = TRUE))
    for (type in c("prob", "set")) expect_identical(colnames(predict(fits[[1]], x, type)), levels(y))
  }
  cv <- cv_landmarks(iris[1:4], y, n = 4, methods = by_kmeans(), folds = 2, seeds = 1)
  expect_identical(levels(predict(cv, iris[1:4])), levels(y))
  expect_true(all(predict(cv, iris[1:4], "prob")[, "nobody"] == 0))
})

# ---- intervals and sets ----------------------------------------------------------------

test_that("the model of the error has the leverages of ridge regression, and weights count rows", {
  set.seed(21)
  x <- cbind(1, rnorm(80), rnorm(80))
  fit <- lm(x %*% c(1, 2, -1) + rnorm(80) ~ x - 1)
  told <- list(f = x, left = runif(80), residuals = cbind(unname(residuals(fit))), weights = rep(1, 80))
  for (penalty in c(0, 2)) {
    model <- interval_model(told, told, penalty)
    # The intercept has no penalty.
    hat <- x %*% solve(crossprod(x) + diag(c(0, penalty, penalty)), t(x))
    expect_equal(leverage_of(model$root, x), diag(hat), tolerance = 1e-6)
    expect_equal(model$s2, mean(residuals(fit)^2))
  }
  times <- rep(c(1, 3), 40)
  model <- function(rows, weights) {
    out <- list(f = x[rows, ], left = told$left[rows], residuals = told$residuals[rows, , drop = FALSE])
    interval_model(told, c(out, list(weights = weights)), 0.1)
  }
  weighted <- model(1:80, times)
  repeated <- model(rep(1:80, times), rep(1, 160))
  expect_equal(weighted$share, repeated$share)
  expect_equal(rep(weighted$errors, weighted$mass), repeated$errors[, 1])
})

test_that("the share of the landmarks' variance is the one that is most likely", {
  set.seed(24)
  left <- runif(4000)
  r <- rnorm(4000, 0, sqrt(0.5 + 3 * left))
  expect_equal(error_share(r, rep(0.5, 4000), left, 0.5), 3, tolerance = 0.15)
  expect_lt(error_share(rnorm(4000), rep(1, 4000), left, 1), 0.3)
})

test_that("the covering size is the quantile that split-conformal prediction asks for", {
  expect_identical(covering_size(1:9 + 0, 0.9), 9)
  expect_identical(covering_size(1:19 + 0, 0.9), 18)
  expect_identical(covering_size(1:8 + 0, 0.9), Inf)
  # A weight of 2 counts as two rows, and rows of nearly no weight do not count.
  expect_identical(covering_size(c(1, 2, 5), 0.6, c(2, 2, 2)), covering_size(c(1, 1, 2, 2, 5, 5), 0.6))
  expect_identical(covering_size(c(1:19, 90:99) + 0, 0.8, rep(c(1, 1e-9), c(19, 10))), 16)
})

test_that("sets have the most probable class, and cover", {
  p <- rbind(c(0.7, 0.2, 0.1), c(0.4, 0.35, 0.25), c(0.1, 0.1, 0.8))
  expect_identical(class_sets(p, rep(0.99, 20), 0.9), p == apply(p, 1, max))
  expect_true(all(class_sets(p, rep(0.05, 20), 0.9)))
  # Weights go with their rows.
  own <- seq(0.99, 0.01, length.out = 20)
  w <- rep(c(1, 0.1), each = 10)
  grid <- cbind(0:100, 100:0) / 100
  expect_identical(class_sets(grid, rev(own), 0.8, rev(w)), class_sets(grid, own, 0.8, w))
  set.seed(22)
  p <- proportions(matrix(rexp(6000), 2000), 1)
  truth <- apply(p, 1, function(p) sample(3, 1, prob = p))
  sets <- class_sets(p[1001:2000, ], p[cbind(1:1000, truth[1:1000])], 0.9)
  expect_equal(mean(sets[cbind(1:1000, truth[1001:2000])]), 0.9, tolerance = 0.04)
})

test_that("intervals of a fit cover new rows, and are wider far from landmarks", {
  set.seed(23)
  z <- matrix(runif(1600, -2, 2), 800)
  y <- sin(2 * z[, 1]) + z[, 2]^2 + rnorm(800, 0, 0.3)
  train <- 1:400
  fit <- landmarks(z[train, ], 20, quick(y[train], iterations = 300))
  intervals <- function(rows, level = 0.9) predict(fit, rows, interval = "prediction", level = level)
  p <- intervals(z[-train, ])
  expect_identical(colnames(p), c("fit", "lwr", "upr"))
  expect_equal(p[, "fit"], predict(fit, z[-train, ]))
  expect_equal(mean(y[-train] >= p[, "lwr"] & y[-train] <= p[, "upr"]), 0.9, tolerance = 0.05)
  width <- function(p) p[, "upr"] - p[, "lwr"]
  far <- suppressWarnings(intervals(rbind(c(4, 4), c(9, 9))))
  expect_gt(min(width(far)), 1.5 * mean(width(p)))
  expect_true(all(intervals(z[-train, ], 0.99)[, "upr"] > p[, "upr"]))
  expect_silent(none <- intervals(z[0, ]))
  expect_identical(dim(none), c(0L, 3L))
})

test_that("intervals of several numbers have the rows' names, also those of one row", {
  x <- as.matrix(mtcars[c("wt", "hp")])
  fit <- landmarks(x, 3, by_response(cbind(a = mtcars$mpg, b = mtcars$disp), iterations = 5), scale = TRUE)
  for (rows in list(1:2, 1)) {
    p <- predict(fit, x[rows, , drop = FALSE], interval = "prediction")
    expect_identical(dim(p), c(length(rows), 6L))
    expect_identical(rownames(p), rownames(mtcars)[rows])
  }
  expect_null(rownames(predict(fit, unname(x[1, , drop = FALSE]), interval = "prediction")))
})
