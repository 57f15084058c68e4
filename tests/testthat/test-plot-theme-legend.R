# Arguments of pictures: titles of legends, and unknown arguments.

test_that("legends have the name of what was given", {
  expect_identical(color_name(quote(species)), "species")
  expect_identical(color_name(quote(iris$Species)), "Species")
  expect_identical(color_name(quote(iris[["Species"]])), "Species")
  expect_identical(color_name(quote(attr(x, "position")[, "length"])), "length")
  expect_identical(color_name(quote(factor(iris$Species[rows]))), "Species")
  expect_identical(color_name(quote(x > 3)), "x > 3")
  expect_identical(color_name(c(1, 2)), "value")
  expect_identical(color_name(quote(paste("a very long expression", of, several, names))), "value")
  fit <- landmarks(iris[1:4], 3)
  picture <- ggplot2::autoplot(fit, iris[1:4], color = iris$Species)
  expect_identical(picture$labels$colour, "Species")
  # The expression is that of the user, through plot() too.
  expect_identical(on_device(plot(fit, iris[1:4], color = iris$Species)), fit)
  # The title is changed as in any picture.
  picture <- ggplot2::ggplot_build(picture + ggplot2::labs(color = "kind"))$plot
  title <- picture$scales$get_scales("colour")$make_title(picture$labels$colour)
  expect_identical(title, "kind")
})

test_that("unknown arguments of plots and tables of fits are refused", {
  x <- odd_matrix(40, 2)
  fit <- as_landmarks(x[1:4, ], x)
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_refused(plot(fit, x, groups = 1:40), plot(fit, x, main = "Two columns"))
  expect_silent(plot(fit, x, color = rep(NA, 40)))
})
