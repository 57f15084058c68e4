# Bad input to plot() of a fit. As in test-data-matrix-bad.R.

skip_slow_file()

x <- cbind(a = c(0, 1, 2, 3, 4, 5), b = c(0, 2, 1, -1, 0.5, 3), c = c(1, 0, -2, 0, 1, 4))
set.seed(1)
fit <- landmarks(x, 2)

test_that("plot() checks its arguments", {
  expect_refused(
    plot(fit, color = 1:3),
    plot(fit, type = "words", k = 0),
    plot(fit, type = "words", which = c(1, 1)),
    plot(fit, type = "words", by = "name"),
    plot(fit, type = "words", words = 3),
    plot(fit, type = "images"),
    plot(fit, type = "images", dim = c(2, 2)),
    plot(fit, x, type = "scree"),
    plot(fit, "a"),
    plot(fit, x, color = 1:3),
    plot(fit, x, color = list(1)),
    plot(fit, x, max_points = 0),
    plot(fit, x, labels = NA)
  )
})
