# New data and later data of a fit.

skip_slow_file()

x <- cbind(a = c(0, 1, 2, 3, 4, 5), b = c(0, 2, 1, -1, 0.5, 3), c = c(1, 0, -2, 0, 1, 4))
set.seed(1)
fit <- landmarks(x, 2)

test_that("data for a fit and arguments of later steps are checked", {
  bad <- replace(x, cbind(2, 3), NA)
  expect_refused(
    predict(fit), predict(fit, NULL), predict(fit, "a"), predict(fit, 1:3), predict(fit, bad),
    predict(fit, x, "variance", x = bad), predict(fit, x, "class"),
    predict(fit, x, c("features", "nearest")), predict(fit, x, "variance", x = x[0, ]),
    predict(fit, x, "variance", x = x, weights = 1), add_landmarks(fit, x), add_landmarks(fit, x, 0),
    add_landmarks(fit, n = 1), refine_landmarks(fit),
    refine_landmarks(fit, x, -1), refine_landmarks(fit, x, tolerance = NA),
    refine_landmarks(fit, x, weights = 1:5)
  )
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
