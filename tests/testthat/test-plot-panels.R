# Pictures of panels: variances.

test_that("both panels show what the fit says", {
  fit <- landmarks(iris[1:4], 6)
  built <- ggplot2::ggplot_build(ggplot2::autoplot(fit, type = "variance"))
  # Panels share a scale: the first panel's numbers are logarithms.
  expect_equal(built$data[[3]]$y, c(log10(fit$variance), 100 * fit$explained))
  expect_identical(built$data[[3]]$PANEL, factor(rep(1:2, each = 6)))
  expect_identical(built$data[[3]]$colour, rep(okabe_ito[c(1, 6)], each = 6))
})

test_that("landmarks without variance are left out where the axis is logarithmic", {
  fit <- as_landmarks(as.matrix(iris[c(1, 1, 60), 1:4]), iris[1:4])
  picture <- ggplot2::autoplot(fit, type = "variance")
  expect_silent(on_device(print(picture)))
  line <- ggplot2::layer_data(picture, 2)
  # The line does not lead through them.
  expect_identical(is.na(line$y[line$PANEL == 1]), c(FALSE, TRUE, FALSE))
  expect_match(levels(picture$data$panel)[1], "gaps are 0", fixed = TRUE)
  same <- as_landmarks(matrix(1, 2, 1), matrix(c(1, 1, 1), 3), bandwidth = 1)
  expect_drawn(plot(same, type = "variance"))
})

test_that("landmarks that predict a response have no picture of what they explain", {
  withr::local_seed(1)
  fit <- landmarks(Species ~ ., iris, 3, by_response(iterations = 20))
  expect_refused(plot(fit, type = "variance"))
})

test_that("the ticks of variances are those of their logarithms", {
  at <- variance_places(c(-4.2, 0.1))
  expect_equal(as.numeric(variance_labels(at)), 10^at)
  expect_identical(variance_labels(c(NA, -1)), c("", "0.1"))
  expect_identical(variance_labels(c(NA, 100)), c("", "100"))
  expect_identical(variance_places(c(-5, 105)), pretty(c(-5, 105)))
})

test_that("places of whole numbers are whole", {
  expect_identical(whole_places(c(1, 2)), c(1, 2))
  expect_true(all(whole_places(c(0.6, 12.4)) %% 1 == 0))
})
