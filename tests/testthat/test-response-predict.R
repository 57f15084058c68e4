# Predictions of a response, by fits that know it.

skip_slow_file()

set.seed(15)
spiral <- two_arms()
quick <- function(...) by_response(..., iterations = 200)

test_that("a fit keeps its regression, in the units of the response", {
  set.seed(1)
  fit <- landmarks(quakes[c("lat", "long")], 10, quick(quakes$depth), scale = TRUE)
  w <- fit$response$coefficients
  expect_equal(dim(w), c(11, 1))
  p <- predict(fit, quakes, "response")
  expect_equal(as.vector(scores_by_hand(fit, quakes[c("lat", "long")])), as.vector(p))
  expect_gt(stats::cor(p, quakes$depth), 0.9)
  # That of held-out rows is larger than that of the rows learned from.
  expect_equal(fit$response$held_out$measure, mean((p - quakes$depth)^2), tolerance = 0.5)
  moved <- landmarks(quakes[c("lat", "long")], 10, quick(1000 + 1e6 * quakes$depth), scale = TRUE)
  expect_gt(stats::cor(predict(moved, quakes, "response"), quakes$depth), 0.9)

  set.seed(1)
  fit <- landmarks(iris[1:4], 4, quick(iris$Species))
  p <- predict(fit, iris, "response")
  expect_equal(rowSums(p), rep(1, 150), ignore_attr = TRUE)
  expect_equal(colnames(p), levels(iris$Species))
  expect_equal(as.character(predict(fit, iris, "class")), colnames(p)[max.col(p)])
  scores <- scores_by_hand(fit, iris[1:4])
  expect_equal(p, exp(scores) / rowSums(exp(scores)), ignore_attr = TRUE)

  set.seed(1)
  fit <- landmarks(spiral$x, 8, quick(spiral$y))
  p <- predict(fit, spiral$x, "response")
  expect_equal(as.character(predict(fit, spiral$x, "class")), ifelse(p > 0.5, "out", "in"))
})

test_that("predicted classes of an ordered response are ordered", {
  size <- cut(iris$Petal.Length, c(0, 2, 5, 7), c("small", "medium", "large"), ordered_result = TRUE)
  set.seed(1)
  fit <- landmarks(iris[1:4], 4, by_response(size, iterations = 50))
  p <- predict(fit, iris[1:4])
  expect_s3_class(p, c("ordered", "factor"), exact = TRUE)
  expect_identical(levels(p), levels(size))
  expect_gt(mean(p == size), 0.9)
  two <- cut(iris$Petal.Length, c(0, 3, 7), c("short", "long"), ordered_result = TRUE)
  methods <- list(random = by_random())
  cv <- cv_landmarks(iris[1:4], two, n = 3, folds = 2, seeds = 1, methods = methods)
  expect_true(is.ordered(predict(cv, iris[1:4])))
  expect_true(is.ordered(augment(cv, iris[1:4])$.pred_class))
  fit <- landmarks(iris[1:4], 2, by_response(iris$Species, iterations = 5))
  expect_false(is.ordered(predict(fit, iris[1:4])))
})

test_that("tags are predicted each by itself", {
  tags <- cbind(up = spiral$x[, 1] > 0, right = spiral$x[, 2] > 0, wide = rowSums(spiral$x^2) > 4) + 0
  set.seed(1)
  fit <- landmarks(spiral$x, 10, quick(tags))
  p <- predict(fit, spiral$x, "response")
  expect_equal(colnames(p), colnames(tags))
  for (tag in colnames(tags)) expect_gt(score_ranking(p[, tag], tags[, tag])[["auc"]], 0.9)
  expect_gt(fit$response$held_out$measure, 0.9)
})
