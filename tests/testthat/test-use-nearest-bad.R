# Bad input to nearest_observations() and top_features(). As in test-data-matrix-bad.R.

skip_slow_file()

x <- cbind(a = c(0, 1, 2, 3, 4, 5), b = c(0, 2, 1, -1, 0.5, 3), c = c(1, 0, -2, 0, 1, 4))
set.seed(1)
fit <- landmarks(x, 2)

test_that("k must be at most what there is", {
  expect_refused(
    nearest_observations(fit, x, 7),
    nearest_observations(fit, x, 0),
    nearest_observations(fit, x[0, ], 1),
    nearest_observations(fit),
    top_features(fit, 4),
    top_features(fit, 1.5),
    top_features(fit, "all")
  )
})
