# Bad input to as_landmarks().

skip_slow_file()

x <- cbind(a = c(0, 1, 2, 3, 4, 5), b = c(0, 2, 1, -1, 0.5, 3), c = c(1, 0, -2, 0, 1, 4))

test_that("as_landmarks() checks its arguments", {
  expect_refused(
    as_landmarks("a", x),
    as_landmarks(x[0, ], x),
    as_landmarks(x[1, ], x),
    as_landmarks(x[1:2, ], x[, 1:2]),
    as_landmarks(x[1:2, ] / 0, x),
    as_landmarks(x[1:2, ], x / 0),
    as_landmarks(x[2:3, ], x, space = "nonnegative"),
    as_landmarks(x, x, bandwidth = 0),
    as_landmarks(x, x, scale = "yes"),
    as_landmarks(x, x, weights = -1)
  )
})
