# Landmarks in pictures, and their numbers.

test_that("one landmark of one named column has its number", {
  fit <- landmarks(quakes["depth"], 1)
  numbers <- ggplot2::layer_data(ggplot2::autoplot(fit, quakes["depth"]), 3)
  expect_identical(as.character(numbers$label), "1")
})

test_that("facets repeat landmarks", {
  flowers <- ggplot2::autoplot(landmarks(iris[1:4], 6), iris[1:4], color = iris$Species)
  expect_silent(on_device(print(flowers + ggplot2::facet_wrap(~value))))
})

test_that("all numbers are drawn, without a warning", {
  fit <- withr::with_seed(1, landmarks(sim_spiral(600), 80, bandwidth = 0.3))
  picture <- ggplot2::autoplot(fit)
  grDevices::pdf(NULL, 2, 2)
  withr::defer(grDevices::dev.off())
  expect_no_warning(print(picture))
})

test_that("numbers are drawn with package ggrepel and without it", {
  marks <- data.frame(a = odd_matrix(80, 1)[, 1], b = odd_matrix(80, 1, 3)[, 1], label = 1:80)
  for (repel in c(FALSE, has_package("ggrepel"))) {
    plot <- ggplot2::ggplot(marks, ggplot2::aes(a, b)) + numbers_beside(marks, repel)
    expect_silent(on_device(print(plot)))
  }
})
