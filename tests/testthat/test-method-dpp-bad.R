# Bad input to by_dpp(). As in test-data-matrix-bad.R.

x <- cbind(a = c(0, 1, 2, 3, 4, 5), b = c(0, 2, 1, -1, 0.5, 3), c = c(1, 0, -2, 0, 1, 4))

test_that("options of by_dpp() are checked where they are given", {
  expect_refused(
    by_dpp(neighbors = 0),
    by_dpp(neighbors = 2.5),
    by_dpp(neighbors = NA),
    by_dpp(neighbors = "all"),
    by_dpp(neighbors = c(1, 2)),
    by_dpp(update = "cosine"),
    by_dpp(update = NULL),
    by_dpp(sigma = 0),
    by_dpp(sigma = -1),
    by_dpp(sigma = Inf),
    by_dpp(sigma = NA),
    by_dpp(sigma = c(1, 2)),
    by_dpp(covariance = TRUE),
    by_dpp(covariance = "round"),
    by_dpp(search = "kd"),
    by_dpp(search = NA)
  )
  expect_error(by_dpp(nearest = 3), "unused argument")
})

test_that("neighbors must be fewer than rows of weight above 0", {
  expect_refused(
    landmarks(x, 2, by_dpp(neighbors = 6)),
    landmarks(x, 2, by_dpp(neighbors = 4), weights = c(1, 1, 1, 1, 0, 0)),
    landmarks(x[1, , drop = FALSE], 1, by_dpp(neighbors = 1), bandwidth = 1),
    add_landmarks(landmarks(x, 2), x, 2, by_dpp(neighbors = 6))
  )
})

test_that("no more landmarks than rows", {
  expect_refused(
    landmarks(x, 7, "dpp"),
    landmarks(x, 5, "dpp", weights = c(1, 0, 1, 1, 0, 1)),
    landmarks(x, method = "dpp")
  )
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
  expect_refused(landmarks(x, 3, full))
  fit <- landmarks(x, 1, full)
  expect_refused(add_landmarks(fit, x, 2, full))
  expect_s3_class(landmarks(x, 3, by_dpp(covariance = "diagonal")), "landmarks")
  withr::local_options(landmarker.memory = 648)
  expect_s3_class(landmarks(x, 3, full), "landmarks")
  for (bad in list("4 GB", 0, -1, NA, c(1, 2), TRUE)) {
    withr::local_options(landmarker.memory = bad)
    expect_error(landmarks(x, 3, full), class = "landmarker_error_option")
  }
  withr::local_options(landmarker.memory = "4 GB")
  expect_refused(landmarks(x, 3, full))
})

test_that("data are checked as for other methods", {
  expect_refused(
    landmarks(replace(x, 5, NA), 2, "dpp"),
    landmarks(x * 1e200, 2, "dpp")
  )
})
