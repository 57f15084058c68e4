# Pictures of panels: variances, words, and held-out rows and relevances of a response.

test_that("variances and errors are drawn on a logarithmic axis", {
  fit <- landmarks(iris[1:4], 6)
  drawn <- function(type) ggplot2::layer_data(ggplot2::autoplot(fit, type = type), 2)$y
  expect_equal(drawn("variance"), log10(fit$variance))
  expect_equal(drawn("error"), log10(1 - fit$explained))
  expect_drawn(plot(fit[1], type = "error"))
  # Landmarks without variance are left out, and the line does not lead through them.
  twice <- as_landmarks(as.matrix(iris[c(1, 1, 60), 1:4]), iris[1:4])
  picture <- ggplot2::autoplot(twice, type = "variance")
  expect_silent(on_device(print(picture)))
  expect_identical(is.na(ggplot2::layer_data(picture, 1)$y), c(FALSE, TRUE, FALSE))
  expect_match(picture$labels$caption, "0 up to rounding", fixed = TRUE)
  same <- as_landmarks(matrix(1, 2, 1), matrix(c(1, 1, 1), 3), bandwidth = 1)
  expect_drawn(plot(same, type = "variance"))
})

test_that("each landmark has a panel of its top columns", {
  x <- odd_matrix(60, 5)
  colnames(x) <- letters[1:5]
  fit <- as_landmarks(x[1:7, ], x, bandwidth = 1)
  words <- ggplot2::autoplot(fit, type = "words", k = 2, which = c(3, 1))
  expect_match(words$labels$caption, "5 more landmarks")
  top <- top_features(fit, 2)
  bars <- ggplot2::layer_data(words, 1)
  expect_equal(sort(bars$xmin + bars$xmax), sort(top$deviation[top$landmark %in% c(1, 3)]))
})

test_that("held-out numbers are drawn as they are, and probabilities are compared with shares", {
  set.seed(1)
  fit_of <- function(x, y) {
    quietly(landmarks(x, 5, by_response(y, iterations = 10, held_out = 0.5), scale = TRUE))
  }
  fit <- fit_of(quakes[c("lat", "long")], quakes$depth)
  shown <- held_out_points(fit)
  expect_equal(shown$observed - shown$fitted, unname(stats::na.omit(residuals(fit))), ignore_attr = TRUE)
  both <- fit_of(iris[1:2], as.matrix(iris[3:4]))
  expect_identical(levels(held_out_points(both)$output), c("Petal.Length", "Petal.Width"))
  tags <- cbind(a = iris[, 4] > 1, b = iris[, 2] > 3) + 0
  with_chances <- lapply(list(iris$Species, iris$Species == "virginica", tags), fit_of, x = iris[1:4])
  for (one in with_chances) {
    report <- one$response$held_out
    shown <- held_out_points(one)
    expect_identical(sum(shown$rows), length(report$fitted))
    # The mean of all is that of the shares.
    expect_equal(sum(shown$rows * shown$fitted), sum(report$fitted))
    truth <- switch(one$response$type, classes = length(report$index), sum(report$observed))
    expect_equal(sum(shown$rows * shown$observed), truth)
    limits <- vapply(c(0.025, 0.975), stats::qbinom, shown$low, shown$rows, shown$fitted) / shown$rows
    expect_equal(unname(as.matrix(shown[c("low", "high")])), limits)
  }
  # Marks are where the numbers are.
  for (one in c(list(fit, both), with_chances)) {
    expect_drawn(plot(one, type = "fit"))
    built <- ggplot2::ggplot_build(ggplot2::autoplot(one, type = "fit"))
    points <- Filter(function(layer) "size" %in% names(layer), built$data)[[1]]
    expect_equal(sort(points$y), sort(held_out_points(one)$observed))
    bars <- ggplot2::ggplot_build(ggplot2::autoplot(one, type = "relevance"))$data
    expect_equal(bars[[3]]$x, most_relevant(one)$value)
  }
})

test_that("bins of probabilities have rows enough", {
  rows <- function(p, times) as.vector(table(probability_bins(rep(p, times))))
  expect_identical(rows(c(0.05, 0.55, 0.99), c(20, 3, 20)), c(20L, 23L))
  expect_identical(rows(c(0.05, 0.99), c(20, 3)), 23L)
  expect_identical(rows(0:9 / 10 + 0.05, rep(10, 10)), rep(10L, 10))
})

test_that("relevances are drawn from the largest down", {
  set.seed(3)
  quick <- function(...) by_response(..., iterations = 20, held_out = 0)
  fit <- landmarks(iris[1:4], 4, quick(iris$Species, relevance = TRUE))
  shown <- most_relevant(fit, 3)
  columns <- tidy(fit, "columns")
  expect_identical(shown$column, columns$column[order(columns$distance)[2:4]])
  expect_equal(shown$value, sort(columns$distance)[2:4])
  expect_drawn(plot(fit, type = "relevance"))
  expect_drawn(plot(landmarks(iris[1:4], 3), type = "relevance"))
  # Without relevances the effects of columns, those of a factor's levels added up.
  fit <- landmarks(Sepal.Length ~ ., iris, 4, quick(relevance = FALSE))
  effect <- abs(tidy(fit, "columns")$effect)
  shown <- most_relevant(fit)
  expect_setequal(shown$column, names(iris)[-1])
  expect_equal(shown$value[shown$column == "Species"], sum(effect[4:6]))
  none <- landmarks(iris[1:4], 3, quick(iris$Species))
  expect_refused(
    plot(landmarks(iris[1:4], 3), type = "fit"), plot(none, type = "fit"),
    plot(none, type = "relevance", k = 3), plot(none, type = "variance")
  )
})
