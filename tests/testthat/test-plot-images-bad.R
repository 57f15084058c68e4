# Bad input to plot_images(). As in test-data-matrix-bad.R.

skip_slow_file()

x <- cbind(a = c(0, 1, 2, 3, 4, 5), b = c(0, 2, 1, -1, 0.5, 3), c = c(1, 0, -2, 0, 1, 4))
set.seed(1)
fit <- landmarks(x, 2)

test_that("plot_images() checks its arguments", {
  expect_refused(
    plot_images(),
    plot_images("a", c(1, 1)),
    plot_images(as.data.frame(x), c(1, 3)),
    plot_images(fit),
    plot_images(fit, dim = c(2, 2)),
    plot_images(fit, dim = 3),
    plot_images(fit, dim = c(-1, -3)),
    plot_images(x / 0, dim = c(1, 3)),
    plot_images(fit, c(1, 3), which = 3),
    plot_images(fit, c(1, 3), byrow = NA),
    plot_images(fit, c(1, 3), columns = 0),
    plot_images(fit, c(1, 3), labels = 1:3),
    plot_images(fit, c(1, 3), range = 1),
    plot_images(fit, c(1, 3), range = c(1, 0)),
    plot_images(fit, c(1, 3), col = "no such color")
  )
})

test_that("images that may be square are told how", {
  error <- expect_error(plot_images(matrix(0, 2, 9)), class = "landmarker_error_input")
  expect_match(conditionMessage(error), "For square images it is `dim = c(3, 3)`.", fixed = TRUE)
})

test_that("nearest rows need landmarks and their data", {
  pixels <- odd_matrix(30, 6)
  fit <- as_landmarks(pixels[1:3, ], pixels, bandwidth = 1)
  fit$call <- NULL
  expect_refused(
    plot_images(pixels, c(2, 3), nearest = 1),
    plot_images(fit, c(2, 3), nearest = 1),
    plot_images(fit, c(2, 3), nearest = -1),
    plot_images(fit, c(2, 3), nearest = 31, data = pixels),
    plot_images(fit, c(2, 3), nearest = 1, data = pixels[, 1:5])
  )
})
