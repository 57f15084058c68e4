# A row with most of the weight.

test_that("a warning says that random rows may miss a row with much of the weight", {
  x <- withr::with_seed(1, matrix(rnorm(2200), 1100))
  heavy <- c(200, rep(1, 1099))
  expect_warning(landmarks(x, 3, weights = heavy), class = "landmarker_warning_weights")
  expect_snapshot(invisible(landmarks(x, 3, weights = heavy)))
  expect_no_warning(landmarks(x, 3, by_kmeans(), weights = heavy))
  expect_no_warning(landmarks(x, 3, weights = c(20, rep(1, 1099))))
  # All rows are used.
  expect_no_warning(landmarks(x[1:900, ], 3, weights = heavy[1:900]))
})
