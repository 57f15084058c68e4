# Numbers of landmarks in pictures.

test_that("one landmark of one named column has its number", {
  fit <- landmarks(quakes["depth"], 1)
  plane <- in_plane(fit, as.matrix(quakes["depth"]), "landmarks")
  expect_identical(mark_numbers(plane$landmarks), "1")
})

test_that("room for numbers is computed on each axis where units differ, and facets repeat landmarks", {
  x <- withr::with_seed(1, sim_spiral(600))
  x[, 1] <- 1000 * x[, 1]
  fit <- withr::with_seed(1, landmarks(x, 10, scale = TRUE))
  picture <- ggplot2::autoplot(fit, x)
  expect_gt(ggplot2::layer_data(picture, 2)$size[1], 4)
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
