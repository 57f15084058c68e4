# Arguments of pictures: titles of legends, what R cannot draw, and what nobody asked for.

x <- cbind(a = c(0, 1, 2, 3, 4, 5, 6, 7), b = c(0, 2, 1, -1, 0.5, 3, 2, 2))
fit <- landmarks(x, 3)

test_that("legends have the name of what was given", {
  expect_identical(color_name(quote(species)), "species")
  expect_identical(color_name(quote(iris$Species)), "Species")
  expect_identical(color_name(quote(iris[["Species"]])), "Species")
  expect_identical(color_name(quote(attr(x, "position")[, "length"])), "length")
  expect_identical(color_name(quote(factor(iris$Species[rows]))), "Species")
  expect_identical(color_name(quote(x > 3)), "x > 3")
  expect_identical(color_name(c(1, 2)), "value")
  expect_identical(color_name(quote(paste("a very long expression", of, several, names))), "value")
  skip_if_not_installed("ggplot2", "3.4.0")
  fit <- landmarks(iris[1:4], 3)
  name <- function(...) ggplot2::autoplot(fit, iris[1:4], ...)$scales$get_scales("colour")$name
  expect_identical(name(color = iris$Species), "Species")
  expect_identical(name(colour = iris$Species), "Species")
  expect_identical(name(color = iris$Species, legend = "kind"), "kind")
  expect_null(name(color = iris$Species, legend = ""))
})

test_that("graphics that cannot be drawn are classed, and name what was given", {
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  bad <- Matrix::sparseMatrix(i = 1, j = 1, x = 1, dims = c(8, 2))
  said <- c(
    refusal(plot(fit, x, main = bad)), refusal(plot(fit, x, xlab = list())),
    refusal(plot(fit, x, las = new.env())),
    refusal(plot(fit, x, bty = "zz")),
    suppressWarnings(refusal(plot(fit, x, cex.axis = "a")))
  )
  expect_snapshot(writeLines(said))
  expect_error(plot(fit, type = "variance", las = 99), class = "landmarker_error_plot")
  expect_error(plot_images(x, dim = c(1, 2), main = mean), "`main` must be", class = "landmarker_error")
  cv <- suppressWarnings(cv_landmarks(x, x[, 1], n = 2, folds = 2, methods = "random", seeds = 1))
  expect_error(plot(cv, log = 7), class = "landmarker_error_plot")
  expect_error(plot(cv, ylab = list()), "`ylab` must be", class = "landmarker_error")
  # Titles of any kind that R draws.
  for (main in list(NULL, "a {x}", quote(x^2), expression(x^2), 3, NA, factor("a"))) {
    expect_no_error(plot(fit, x, main = main))
  }
})

test_that("unknown arguments of plots and tables of fits are refused", {
  x <- odd_matrix(40, 2)
  fit <- as_landmarks(x[1:4, ], x)
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_error(plot(fit, x, groups = 1:40), "color", class = "landmarker_error_dots")
  expect_error(plot(fit, x, size = 2), class = "landmarker_error_dots")
  expect_silent(plot(fit, x, color = rep(NA, 40)))
  skip_if_not_installed("ggplot2", "3.4.0")
  expect_error(ggplot2::autoplot(fit, x, groups = 1:40), class = "landmarker_error_dots")
})
