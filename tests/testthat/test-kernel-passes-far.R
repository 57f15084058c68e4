# Data whose spread is large against the bandwidth: distances by products alone
# would lose their digits.

far_clusters <- function(apart) {
  set.seed(1)
  near <- matrix(rnorm(400), ncol = 2)
  rbind(near, near + apart)
}

by_differences <- function(x, landmarks, bandwidth) {
  apply(landmarks, 1, function(t) exp(-colSums((t(x) - t)^2) / bandwidth))
}

test_that("features of far clusters are those of the differences, dense and sparse", {
  for (apart in c(1e2, 1e5, 1e7)) {
    x <- far_clusters(apart)
    fit <- landmarks(x, 8, bandwidth = 0.5)
    phi <- by_differences(x, fit$landmarks, 0.5)
    expect_equal(features(fit, x), phi, tolerance = 1e-8, ignore_attr = TRUE)
    expect_equal(fit$log_det, as.numeric(determinant(crossprod(phi))$modulus), tolerance = 1e-8)
    sparse <- methods::as(x, "CsparseMatrix")
    expect_equal(features(fit, sparse), phi, tolerance = 1e-8, ignore_attr = TRUE)
  }
})

test_that("one outlier spoils nothing", {
  set.seed(1)
  x <- rbind(matrix(rnorm(600), 300), 1e8)
  fit <- landmarks(x, 6, bandwidth = 1)
  expect_equal(features(fit, x), by_differences(x, fit$landmarks, 1), tolerance = 1e-6, ignore_attr = TRUE)
})

test_that("the distance of a row from itself is 0", {
  set.seed(2)
  x <- matrix(rnorm(300), 50) + 3
  fit <- as_landmarks(x[1:5, ], x)
  expect_identical(fit$nearest, 1:5)
  expect_equal(predict(fit, x[1:5, ], "nearest")$distance, numeric(5), tolerance = 1e-14)
  expect_equal(nearest_observations(fit, x, 1)$distance, numeric(5), tolerance = 1e-14)
  expect_equal(fit$nearest_distance, numeric(5), tolerance = 1e-14)
})

test_that("refining on data that are nowhere near is refused, not answered by an empty fit", {
  set.seed(3)
  x <- matrix(rnorm(200), 50)
  fit <- landmarks(x, 5)
  expect_error(refine_landmarks(fit, x + 1e6), class = "landmarker_error_rank")
})

test_that("names that R cannot use for rows or in formulas do not stop anything", {
  set.seed(4)
  x <- matrix(rnorm(100), 50, dimnames = list(c(NA, 1:49), NULL))
  fit <- landmarks(x, 3)
  expect_identical(dim(predict(fit, x, "nearest")), c(50L, 2L))
  frame <- data.frame(. = 1:9 + 0, b = rnorm(9), check.names = FALSE)
  expect_identical(dim(predict(landmarks(frame, 2), frame)), c(9L, 2L))
})
