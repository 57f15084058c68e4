# landmarks() and as_landmarks(): data and points of one's own, and what is refused.

skip_slow_file()

x <- odd_matrix(150, 3)
eta <- 0.6
weights <- 0.05 + (seq_len(150) * 0.377) %% 2
frame <- data.frame(a = 1:5, b = c(2, 1, 4, 3, 5))

test_that("data frames that are put together wrongly are refused", {
  uneven <- structure(list(a = 1:3, b = 1:2), class = "data.frame", row.names = 1:3)
  for (f in list(
    function(x) landmarks(~ a + b, x, 2), hellinger, function(x) predict(landmarks(frame, 2), x),
    function(x) predict(landmarks(as.matrix(frame), 2), x)
  )) expect_error(f(uneven), class = "landmarker_error_columns")
  for (names in list(c("a", NA), c("a", ""), NULL)) {
    expect_error(landmarks(`names<-`(frame, names), 2), class = "landmarker_error_columns")
  }
  # Numbers in a matrix are columns; anything else in one is not.
  wide <- frame
  wide$m <- matrix(c(1, 3, 2, 5, 4, 1:5), 5)
  expect_identical(ncol(coef(landmarks(wide, 2, scale = TRUE))), 4L)
  letters_in <- wide
  letters_in$m <- matrix(letters[1:10], 5)
  expect_refused(
    landmarks(uneven, 2), landmarks(`names<-`(frame, c("a", "")), 2),
    predict(landmarks(frame, 2), cbind(frame, a = 1:5)), landmarks(letters_in, 2)
  )
  for (m in list(array(1, c(5, 2, 2)), as.list(1:5), frame)) {
    wide$m <- m
    expect_error(landmarks(wide, 2), class = "landmarker_error_data")
  }
})

test_that("a space whose numbers are fewer than its length is refused", {
  registerS3method("as.double", "few_numbers", function(x, ...) 1, asNamespace("base"))
  short <- function(t) structure(t, class = "few_numbers")
  expect_refused(landmarks(x, 3, "random", space = short))
  expect_error(landmarks(x, 3, space = short), class = "landmarker_error_space")
})

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
  frame <- as_landmarks(as.data.frame(coef(fit)), as.data.frame(x), bandwidth = eta, weights = weights)
  expect_equal(frame$variance, fit$variance, tolerance = 1e-12)
  # The bandwidth's rule and the scale are those of landmarks().
  expect_equal(as_landmarks(x[1:2, ], x, scale = TRUE)$bandwidth, 3, tolerance = 1e-12)
})

test_that("as_landmarks keeps the order and a dependent point, with variance 0", {
  points <- x[c(5, 9, 5, 60, 9), ]
  fit <- as_landmarks(points, x, bandwidth = eta)
  expect_identical(unname(coef(fit)), points)
  # Not exactly 0 would be rounding error, and its logarithm noise.
  expect_identical(fit$variance[c(3, 5)], c(0, 0))
  keep <- c(1, 2, 4)
  less <- as_landmarks(points[keep, ], x, bandwidth = eta)
  expect_equal(fit$variance[keep], less$variance, tolerance = 1e-12)
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

test_that("as_landmarks() checks its arguments", {
  x <- cbind(a = c(0, 1, 2, 3, 4, 5), b = c(0, 2, 1, -1, 0.5, 3), c = c(1, 0, -2, 0, 1, 4))
  expect_refused(
    as_landmarks("a", x), as_landmarks(x[0, ], x), as_landmarks(x[1, ], x), as_landmarks(x[1:2, ], x[, 1:2]),
    as_landmarks(x[1:2, ] / 0, x), as_landmarks(x[1:2, ], x / 0),
    as_landmarks(x[2:3, ], x, space = "nonnegative"), as_landmarks(x, x, bandwidth = 0),
    as_landmarks(x, x, scale = "yes"), as_landmarks(x, x, weights = -1)
  )
})
