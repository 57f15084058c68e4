# The pictures of a fit with a response.

test_that("held-out numbers are drawn as they are", {
  set.seed(1)
  fit <- landmarks(quakes[c("lat", "long")], 5, by_response(quakes$depth, iterations = 40), scale = TRUE)
  shown <- held_out_points(fit)
  expect_equal(shown$observed - shown$fitted, unname(stats::na.omit(residuals(fit))), ignore_attr = TRUE)
  withr::local_pdf(NULL)
  expect_no_warning(plot(fit, type = "fit"))
  both <- suppressWarnings(landmarks(iris[1:2], 3, by_response(as.matrix(iris[3:4]), iterations = 20)))
  expect_identical(levels(held_out_points(both)$output), c("Petal.Length", "Petal.Width"))
  expect_no_warning(plot(both, type = "fit"))
})

test_that("probabilities are compared with shares", {
  set.seed(2)
  tags <- cbind(a = iris[, 4] > 1, b = iris[, 2] > 3) + 0
  for (y in list(iris$Species, iris$Species == "virginica", tags)) {
    fit <- landmarks(iris[1:4], 4, by_response(y, iterations = 40))
    report <- fit$response$held_out
    shown <- held_out_points(fit)
    expect_identical(sum(shown$rows), length(report$fitted))
    # The mean of all is that of the shares.
    expect_equal(sum(shown$rows * shown$fitted), sum(report$fitted))
    truth <- switch(fit$response$type, classes = length(report$index), sum(report$observed))
    expect_equal(sum(shown$rows * shown$observed), truth)
    expect_true(all(shown$low <= shown$fitted + 1 / shown$rows & shown$high >= shown$fitted - 1 / shown$rows))
    withr::with_pdf(NULL, plot(fit, type = "fit"))
  }
})

test_that("bins of probabilities have rows enough", {
  rows <- function(p) as.vector(table(probability_bins(p)))
  expect_identical(rows(c(rep(0.05, 20), rep(0.55, 3), rep(0.99, 20))), c(20L, 23L))
  expect_identical(rows(c(rep(0.05, 20), rep(0.99, 3))), 23L)
  expect_identical(rows(rep(0:9 / 10 + 0.05, each = 10)), rep(10L, 10))
  expect_identical(nlevels(probability_bins(0.5)), 1L)
})

test_that("relevances are drawn from the largest down", {
  set.seed(3)
  fit <- landmarks(iris[1:4], 4, by_response(iris$Species, iterations = 60, relevance = TRUE))
  shown <- most_relevant(fit)
  expect_false(is.unsorted(shown$value))
  expect_identical(max(shown$value), 1)
  expect_identical(nrow(most_relevant(fit, 2)), 2L)
  withr::local_pdf(NULL)
  expect_no_warning(plot(fit, type = "relevance"))
  expect_no_warning(plot(landmarks(iris[1:4], 3), type = "relevance"))
  # Without relevances the effects of columns, those of a factor's levels added up.
  fit <- quietly(landmarks(Sepal.Length ~ ., iris, 4, by_response(iterations = 60)))
  effect <- abs(tidy(fit, "columns")$effect)
  shown <- most_relevant(fit)
  expect_setequal(shown$column, names(iris)[-1])
  expect_equal(shown$value[shown$column == "Species"], sum(effect[4:6]))
})

test_that("what a fit does not have is no picture", {
  fit <- landmarks(iris[1:4], 3)
  expect_refused(plot(fit, type = "fit"))
  none <- landmarks(iris[1:4], 3, by_response(iris$Species, held_out = 0, iterations = 5))
  expect_refused(plot(none, type = "fit"), plot(none, type = "relevance", k = 3))
})

test_that("marks are where the numbers are", {
  set.seed(4)
  fits <- list(
    landmarks(iris[1:3], 3, by_response(iris$Petal.Width, iterations = 20)),
    landmarks(iris[1:2], 3, by_response(as.matrix(iris[3:4]), iterations = 20)),
    landmarks(iris[1:4], 3, by_response(iris$Species, iterations = 20))
  )
  for (fit in fits) {
    built <- ggplot2::ggplot_build(ggplot2::autoplot(fit, type = "fit"))
    points <- Filter(function(layer) "size" %in% names(layer), built$data)[[1]]
    expect_equal(sort(points$y), sort(held_out_points(fit)$observed))
    bars <- ggplot2::ggplot_build(ggplot2::autoplot(fit, type = "relevance"))$data
    expect_equal(bars[[3]]$x, most_relevant(fit)$value)
  }
})
