# Landmarks from points of one's own.

skip_slow_file()

x <- odd_matrix(150, 3)
eta <- 0.6
weights <- 0.05 + (seq_len(150) * 0.377) %% 2

test_that("as_landmarks brings a fit's own coordinates back", {
  for (w in list(NULL, weights)) {
    fit <- base_fit(weights = w)
    back <- as_landmarks(coef(fit), x, bandwidth = eta, weights = w)
    expect_identical(unname(coef(back)), unname(coef(fit)))
    for (part in c("variance", "explained", "log_det", "nearest", "nearest_distance", "bandwidth")) {
      expect_equal(back[[part]], fit[[part]], tolerance = 1e-12, info = part)
    }
    expect_identical(predict(back, x), predict(fit, x))
  }
  # The bandwidth's rule and the scale are those of landmarks().
  expect_equal(as_landmarks(x[1:2, ], x, scale = TRUE)$bandwidth, 3, tolerance = 1e-12)
  fit <- base_fit()
  frame <- as_landmarks(as.data.frame(coef(fit)), as.data.frame(x), bandwidth = eta)
  expect_equal(frame$variance, fit$variance, tolerance = 1e-12)
})

test_that("as_landmarks keeps the order and a dependent point, with variance 0", {
  points <- x[c(5, 9, 5, 60, 9), ]
  fit <- as_landmarks(points, x, bandwidth = eta)
  expect_identical(unname(coef(fit)), points)
  # Not exactly 0 would be rounding error, and its logarithm noise.
  expect_identical(fit$variance[c(3, 5)], c(0, 0))
  keep <- c(1, 2, 4)
  expect_equal(
    fit$variance[keep], as_landmarks(points[keep, ], x, bandwidth = eta)$variance, tolerance = 1e-12
  )
  expect_identical(fit$explained[3], fit$explained[2])
  expect_equal(fit$explained[keep], naive_explained(x, points[keep, ], eta), tolerance = 1e-10)
  # The variance elsewhere is that given the others.
  expect_equal(
    predict(fit, x[70:80, ], "variance", x = x),
    naive_variance(x, points[keep, ], x[70:80, ], eta),
    tolerance = 1e-10
  )
})

test_that("as_landmarks() leaves rows with missing values out as landmarks() does", {
  gaps <- airquality[1:40, c("Ozone", "Temp")]
  whole <- stats::na.omit(gaps)
  points <- data.frame(Ozone = c(20, 30, 100), Temp = c(60, 70, 80))
  fit <- as_landmarks(points, gaps, scale = TRUE, na.action = na.omit)
  rest <- as_landmarks(points, whole, scale = TRUE)
  expect_identical(fit$variance, rest$variance)
  expect_identical(fit$na.action, attr(whole, "na.action"))
  expect_identical(row.names(gaps)[fit$nearest], row.names(whole)[rest$nearest])
  expect_identical(
    as_landmarks(as.matrix(points), as.matrix(gaps), scale = TRUE, na.action = na.exclude)$nearest,
    fit$nearest
  )
  weights <- as.double(1:40)
  expect_identical(
    as_landmarks(points, gaps, weights = weights, na.action = na.omit)$variance,
    as_landmarks(points, whole, weights = weights[-attr(whole, "na.action")])$variance
  )
  expect_error(as_landmarks(points, gaps), class = "landmarker_error_missing")
})
