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
  same <- as_landmarks(matrix(1, 2, 1), matrix(c(1, 1, 1), 3), bandwidth = 1)
  expect_drawn(plot(same, type = "variance"))
})
