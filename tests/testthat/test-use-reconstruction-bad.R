# Bad input to reconstruction_error().

x <- cbind(a = c(0, 1, 2, 3, 4, 5), b = c(0, 2, 1, -1, 0.5, 3), c = c(1, 0, -2, 0, 1, 4))
fit <- as_landmarks(x[1:2, ], x)

test_that("fit, x, sigma, n and weights are checked", {
  expect_refused(
    reconstruction_error(),
    reconstruction_error(list(), x),
    reconstruction_error(fit),
    reconstruction_error(fit, x[, 1:2]),
    reconstruction_error(fit, x[0, ]),
    reconstruction_error(fit, rbind(x, NA)),
    reconstruction_error(fit, x, weights = 1:5),
    reconstruction_error(fit, x, sigma = 0),
    reconstruction_error(fit, x, sigma = c(1, 2)),
    reconstruction_error(fit, x, sigma = 1e-160),
    reconstruction_error(fit, x, sigma = 1e160),
    reconstruction_error(fit, x, n = 0),
    reconstruction_error(fit, x, n = 1:3),
    reconstruction_error(fit, x, n = 1.5),
    reconstruction_error(fit, x, n = integer())
  )
})
