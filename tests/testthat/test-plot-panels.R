# Pictures of panels: variances.

test_that("variances and errors are drawn on a logarithmic axis", {
  fit <- landmarks(iris[1:4], 6)
  drawn <- function(type) ggplot2::layer_data(ggplot2::autoplot(fit, type = type), 2)$y
  expect_equal(drawn("variance"), log10(fit$variance))
  expect_equal(drawn("error"), log10(1 - fit$explained))
  expect_drawn(plot(fit[1], type = "error"))
})

test_that("landmarks without variance are left out where the axis is logarithmic", {
  fit <- as_landmarks(as.matrix(iris[c(1, 1, 60), 1:4]), iris[1:4])
  picture <- ggplot2::autoplot(fit, type = "variance")
  expect_silent(on_device(print(picture)))
  # The line does not lead through them.
  expect_identical(is.na(ggplot2::layer_data(picture, 1)$y), c(FALSE, TRUE, FALSE))
  expect_match(picture$labels$caption, "0 up to rounding", fixed = TRUE)
  same <- as_landmarks(matrix(1, 2, 1), matrix(c(1, 1, 1), 3), bandwidth = 1)
  expect_drawn(plot(same, type = "variance"))
})

test_that("landmarks that predict a response have no picture of what they explain", {
  withr::local_seed(1)
  fit <- landmarks(Species ~ ., iris, 3, by_response(iterations = 20))
  expect_refused(plot(fit, type = "variance"))
})
