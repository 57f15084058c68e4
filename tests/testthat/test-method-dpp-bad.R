# Bad input to by_dpp(). As in test-data-matrix-bad.R.

x <- cbind(a = c(0, 1, 2, 3, 4, 5), b = c(0, 2, 1, -1, 0.5, 3), c = c(1, 0, -2, 0, 1, 4))

test_that("options of by_dpp() are checked where they are given", {
  expect_refused(by_dpp(neighbors = 0))
  expect_refused(by_dpp(neighbors = 2.5))
  expect_refused(by_dpp(neighbors = NA))
  expect_refused(by_dpp(neighbors = "all"))
  expect_refused(by_dpp(neighbors = c(1, 2)))
  expect_refused(by_dpp(update = "cosine"))
  expect_refused(by_dpp(update = NULL))
  expect_refused(by_dpp(sigma = 0))
  expect_refused(by_dpp(sigma = -1))
  expect_refused(by_dpp(sigma = Inf))
  expect_refused(by_dpp(sigma = NA))
  expect_refused(by_dpp(sigma = c(1, 2)))
  expect_refused(by_dpp(covariance = TRUE))
  expect_refused(by_dpp(covariance = "round"))
  expect_refused(by_dpp(search = "kd"))
  expect_refused(by_dpp(search = NA))
  expect_error(by_dpp(nearest = 3), "unused argument")
})

test_that("neighbors must be fewer than rows of weight above 0", {
  expect_refused(landmarks(x, 2, by_dpp(neighbors = 6)))
  expect_refused(landmarks(x, 2, by_dpp(neighbors = 4), weights = c(1, 1, 1, 1, 0, 0)))
  expect_refused(landmarks(x[1, , drop = FALSE], 1, by_dpp(neighbors = 1), bandwidth = 1))
  expect_refused(add_landmarks(landmarks(x, 2), x, 2, by_dpp(neighbors = 6)))
})

test_that("no more landmarks than rows", {
  expect_refused(landmarks(x, 7, "dpp"), "rank")
  expect_refused(landmarks(x, 5, "dpp", weights = c(1, 0, 1, 1, 0, 1)), "rank")
  expect_refused(landmarks(x, method = "dpp"))
})

test_that("a tree is for dense data", {
  sparse <- methods::as(x, "CsparseMatrix")
  expect_refused(landmarks(sparse, 2, by_dpp(search = "tree")))
  expect_s3_class(landmarks(sparse, 2, by_dpp(search = "all")), "landmarks")
})

test_that("full covariances that would not fit into memory are refused before they are made", {
  full <- by_dpp(covariance = "full")
  # 3 landmarks x 9 x 8 bytes x 3 copies
  withr::local_options(landmarker.memory = 647)
  expect_refused(landmarks(x, 3, full), "memory")
  fit <- landmarks(x, 1, full)
  expect_refused(add_landmarks(fit, x, 2, full), "memory")
  expect_s3_class(landmarks(x, 3, by_dpp(covariance = "diagonal")), "landmarks")
  withr::local_options(landmarker.memory = 648)
  expect_s3_class(landmarks(x, 3, full), "landmarks")
  for (bad in list("4 GB", 0, -1, NA, c(1, 2), TRUE)) {
    withr::local_options(landmarker.memory = bad)
    expect_error(landmarks(x, 3, full), class = "landmarker_error_option")
  }
  withr::local_options(landmarker.memory = "4 GB")
  expect_refused(landmarks(x, 3, full), "option")
})

test_that("data are checked as for other methods", {
  expect_refused(landmarks(replace(x, 5, NA), 2, "dpp"), "missing")
  expect_refused(landmarks(x * 1e200, 2, "dpp"), "data")
})
