# Predictions of a response, by fits that know it.

skip_slow_file()

quick <- function(..., iterations = 100) by_response(..., iterations = iterations)

test_that("a fit keeps its regression, in the units of the response", {
  set.seed(1)
  x <- quakes[c("lat", "long")]
  learn <- function(y) landmarks(x, 10, quick(y), scale = TRUE)
  fit <- learn(quakes$depth)
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

test_that("two classes are the second where its chance is above one half", {
  set.seed(15)
  spiral <- two_arms()
  fit <- landmarks(spiral$x, 8, quick(spiral$y, iterations = 200))
  class <- as.character(predict(fit, spiral$x, "class"))
  expect_identical(class, ifelse(predict(fit, spiral$x, "prob")[, "out"] > 0.5, "out", "in"))
  expect_gt(mean(class == spiral$y), 0.8)
})

test_that("tags are predicted each by itself", {
  y <- cbind(a = iris$Sepal.Length > 6, b = iris$Species == "virginica") + 0
  set.seed(2)
  fit <- landmarks(iris[1:4], 6, quick(y))
  p <- predict(fit, iris, "response")
  expect_equal(colnames(p), colnames(y))
  for (tag in colnames(y)) expect_gt(score_ranking(p[, tag], y[, tag])[["auc"]], 0.9)
  expect_gt(fit$response$held_out$measure, 0.9)
})

test_that("tags are given from their thresholds on", {
  set.seed(1)
  x <- as.matrix(iris[1:4])
  y <- cbind(long = iris$Petal.Length > 5, short = iris$Petal.Length < 2, rare = seq_len(150) == 7) + 0
  fit <- landmarks(x, 5, quick(y, iterations = 60))
  given <- predict(fit, x, "class")
  p <- predict(fit, x)
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
  p <- predict(landmarks(iris[1:4], 4, quick(size, iterations = 50)), iris[1:4])
  expect_s3_class(p, c("ordered", "factor"), exact = TRUE)
  expect_identical(levels(p), levels(size))
  expect_gt(mean(p == size), 0.9)
  two <- cut(iris$Petal.Length, c(0, 3, 7), c("short", "long"), ordered_result = TRUE)
  cv <- cv_landmarks(iris[1:4], two, n = 3, folds = 2, seeds = 1, methods = "random")
  expect_true(is.ordered(predict(cv, iris[1:4])))
  expect_true(is.ordered(augment(cv, iris[1:4])$.pred_class))
})

test_that("levels without rows keep their place and have probability 0", {
  y <- factor(iris$Species, c("nobody", levels(iris$Species)), ordered = TRUE)
  for (rows in list(1:150, 51:150)) {
    x <- iris[rows, 1:4]
    fits <- lapply(list(y[rows], droplevels(y[rows])), function(y) {
      set.seed(1)
      landmarks(x, 4, quick(y, iterations = 20))
    })
    p <- predict(fits[[1]], x, "prob")
    expect_identical(colnames(p), levels(y))
    seen <- levels(droplevels(y[rows]))
    expect_identical(p[, seen], predict(fits[[2]], x, "prob"))
    expect_true(all(p[, setdiff(levels(y), seen)] == 0))
    expect_identical(predict(fits[[1]], x), factor(predict(fits[[2]], x), levels(y), ordered = TRUE))
    expect_identical(colnames(predict(fits[[1]], x, "set")), levels(y))
  }
  cv <- cv_landmarks(iris[1:4], y, n = 4, methods = by_kmeans(), folds = 2, seeds = 1)
  expect_identical(levels(predict(cv, iris[1:4])), levels(y))
  expect_true(all(predict(cv, iris[1:4], "prob")[, "nobody"] == 0))
})
