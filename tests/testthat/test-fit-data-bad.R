# Bad input to what is done with a fit: newdata that do not belong to it, and arguments out of range. As in
# test-data-matrix-bad.R.

skip_slow_file()

x <- cbind(a = c(0, 1, 2, 3, 4, 5), b = c(0, 2, 1, -1, 0.5, 3), c = c(1, 0, -2, 0, 1, 4))
set.seed(1)
fit <- landmarks(x, 2)

# ---- newdata -------------------------------------------------------------------

test_that("newdata must be data", {
  expect_refused(predict(fit))
  expect_refused(predict(fit, NULL), "data")
  expect_refused(predict(fit, "a"), "data")
  expect_refused(predict(fit, 1:3), "data")
  expect_refused(predict(fit, list(a = 1, b = 2, c = 3)), "data")
  expect_refused(predict(fit, matrix(letters[1:3], 1)), "data")
})

test_that("newdata must not have missing or infinite values", {
  bad <- x
  bad[2, 3] <- NA
  expect_refused(predict(fit, bad), "missing")
  expect_refused(predict(fit, methods::as(bad, "CsparseMatrix"), "nearest"), "missing")
  expect_refused(predict(fit, x, "variance", x = bad), "missing")
  expect_refused(add_landmarks(fit, bad, 1), "missing")
  expect_refused(refine_landmarks(fit, bad), "missing")
  expect_refused(nearest_observations(fit, bad, 1), "missing")
  expect_refused(plot(fit, bad), "missing")
  expect_error(augment(fit, bad), class = "landmarker_error_missing")
})

test_that("newdata far away have features of 0, and are refused where squares overflow", {
  for (far in c(1e160, 1e300, 1.7e308)) {
    new <- rbind(x[1, ], far, -far)
    for (type in c("features", "nearest")) {
      expect_error(predict(fit, new, type), class = "landmarker_error_data")
      expect_error(predict(fit, methods::as(new, "CsparseMatrix"), type), class = "landmarker_error_data")
    }
  }
  for (far in c(1e20, 1e150)) {
    for (new in list(x * far, methods::as(x * far, "CsparseMatrix"))) {
      w <- predict(fit, new)
      expect_false(anyNA(w))
      expect_true(all(w[2:6, ] == 0))
      expect_true(all(is.finite(predict(fit, new, "nearest")$distance)))
    }
  }
})

test_that("type must be one that is known, and x of variances have the columns", {
  expect_refused(predict(fit, x, "class"))
  expect_refused(predict(fit, x, c("features", "nearest")))
  expect_refused(predict(fit, x, "variance", x = x[0, ]), "data")
  expect_refused(predict(fit, x, "variance", x = x[, 1:2]), "columns")
  expect_refused(predict(fit, x, "variance", x = x, weights = 1), "weights")
})

# ---- arguments of the rest -------------------------------------------------------

test_that("add_landmarks() and refine_landmarks() check their arguments", {
  expect_refused(add_landmarks(fit, x))
  expect_refused(add_landmarks(fit, x, 0))
  expect_refused(add_landmarks(fit, n = 1))
  expect_refused(add_landmarks(fit, NULL, 1), "data")
  expect_refused(add_landmarks(fit, x, 1, weights = numeric(6)), "weights")
  expect_refused(refine_landmarks(fit))
  expect_refused(refine_landmarks(fit, x, -1))
  expect_refused(refine_landmarks(fit, x, tolerance = NA))
  expect_refused(refine_landmarks(fit, x, weights = 1:5), "weights")
})
