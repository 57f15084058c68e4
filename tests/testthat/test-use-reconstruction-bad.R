# Bad input to reconstruction_error(). As in test-data-matrix-bad.R.

x <- cbind(a = c(0, 1, 2, 3, 4, 5), b = c(0, 2, 1, -1, 0.5, 3), c = c(1, 0, -2, 0, 1, 4))
fit <- as_landmarks(x[1:2, ], x)

test_that("what is not a fit, or not its data, is refused", {
  expect_refused(
    reconstruction_error(),
    reconstruction_error(list(), x),
    reconstruction_error(structure(list(), class = "landmarks"), x),
    reconstruction_error(fit),
    reconstruction_error(fit, unname(x[, 1:2])),
    reconstruction_error(fit, x[, 1:2]),
    reconstruction_error(fit, x[0, ]),
    reconstruction_error(fit, "x"),
    reconstruction_error(fit, rbind(x, NA)),
    reconstruction_error(fit, x, weights = 1:5)
  )
})

test_that("sigma is one number above 0 whose square a computer knows", {
  expect_refused(
    reconstruction_error(fit, x, sigma = 0),
    reconstruction_error(fit, x, sigma = -1),
    reconstruction_error(fit, x, sigma = NA),
    reconstruction_error(fit, x, sigma = Inf),
    reconstruction_error(fit, x, sigma = "median"),
    reconstruction_error(fit, x, sigma = c(1, 2)),
    reconstruction_error(fit, x, sigma = 1e-160),
    reconstruction_error(fit, x, sigma = 1e160)
  )
})

test_that("n are whole numbers, no more than there are landmarks", {
  expect_refused(
    reconstruction_error(fit, x, n = 0),
    reconstruction_error(fit, x, n = 1:3),
    reconstruction_error(fit, x, n = 1.5),
    reconstruction_error(fit, x, n = c(1, NA)),
    reconstruction_error(fit, x, n = "all"),
    reconstruction_error(fit, x, n = integer()),
    reconstruction_error(fit, x, n = TRUE)
  )
})
