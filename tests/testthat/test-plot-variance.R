# The picture of the variances of a fit.

test_that("both panels show what the fit says", {
  fit <- landmarks(iris[1:4], 6)
  picture <- variance_picture(fit)
  expect_identical(picture$points$y, c(fit$variance, 100 * fit$explained))
  expect_identical(picture$points$panel, rep(1:2, each = 6))
  expect_identical(vapply(picture$panels, `[[`, NA, "log"), c(TRUE, FALSE))
})

test_that("landmarks without variance are left out where the axis is logarithmic", {
  fit <- as_landmarks(as.matrix(iris[c(1, 1, 60), 1:4]), iris[1:4])
  picture <- variance_picture(fit)
  expect_identical(sum(picture$points$panel == 1), 2L)
  # The line does not lead through them.
  expect_identical(picture$paths$y[picture$paths$panel == 1] > 0, c(TRUE, NA, TRUE))
  expect_match(picture$panels[[1]]$name, "gaps are 0", fixed = TRUE)
  same <- as_landmarks(matrix(1, 2, 1), matrix(c(1, 1, 1), 3), bandwidth = 1)
  expect_drawn(plot(same, type = "variance"))
})

test_that("landmarks that predict a response have no picture of what they explain", {
  withr::local_seed(1)
  fit <- landmarks(Species ~ ., iris, 3, by_response(iterations = 20))
  expect_refused(plot(fit, type = "variance"), "fit")
})
