# The picture of the top columns of landmarks, and the other panels of a fit.

test_that("each landmark has a panel of its top columns", {
  x <- odd_matrix(60, 5)
  colnames(x) <- letters[1:5]
  fit <- as_landmarks(x[1:7, ], x, bandwidth = 1)
  panels <- function(plot) nrow(ggplot2::ggplot_build(plot)$layout$layout)
  words <- ggplot2::autoplot(fit, type = "words", k = 2, which = c(3, 1))
  expect_identical(panels(words), 2L)
  expect_match(words$labels$caption, "5 more landmarks")
  top <- top_features(fit, 2)
  bars <- ggplot2::layer_data(words, 1)
  expect_equal(sort(bars$xmin + bars$xmax), sort(top$deviation[top$landmark %in% c(1, 3)]))
  expect_error(ggplot2::autoplot(fit, type = "images"), class = "landmarker_error")
  expect_error(ggplot2::autoplot(fit, type = "words", words = 2), class = "landmarker_error_dots")
  axes <- ggplot2::autoplot(fit, x)$labels[c("x", "y")]
  expect_identical(unlist(axes, use.names = FALSE), to_plane(fit, x)$names)
})
