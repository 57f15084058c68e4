# Rows of weight 0 are nobody's neighbors: fewer rows than neighbors may be left.

test_that("more neighbors than rows with a weight are refused by the C code", {
  source <- as_source(cbind(1:10, 2), rep(0:1, c(8, 2)))
  near <- function(k) .Call(C_nearest_rows, source, cbind(1, 2), c(list(neighbors = k), compute_with()))
  expect_identical(near(2L)$observation, cbind(9:10))
  expect_error(near(3L), "weight above 0")
  # The spacing is the largest distance of the three rows with a weight.
  x <- odd_matrix(200, 2)
  three <- replace(rep(0, 200), c(3, 80, 150), 1)
  spacing <- row_spacing(as_source(x, three), new_kernel(1e-6), compute_with())
  expect_equal(spacing, max(dist(x[three > 0, ])))
  source$weights[] <- 0
  expect_error(near(1L), "weight above 0")
})

test_that("rows of weight 0 change no variance: bandwidth and scale are those of the other rows", {
  x <- odd_matrix(60, 3) + 2
  weights <- rep(c(0, 1, 3), 20)
  some <- weights > 0
  sparse <- methods::as(x, "CsparseMatrix")
  # By hand.
  w <- weights[some] / mean(weights[some])
  middle <- colMeans(x[some, ] * w)
  variance <- colSums(w * sweep(x[some, ], 2, middle)^2) / (sum(some) - 1)
  for (data in list(x, sparse)) {
    all <- landmarks(data, 5, by_random(), weights = weights)
    expect_equal(all$bandwidth, sum(variance), tolerance = 1e-12)
    expect_equal(unname(all$sd), sqrt(variance), tolerance = 1e-12)
  }
  without <- landmarks(x[some, ], 5, by_random(), weights = weights[some], scale = TRUE)
  expect_equal(landmarks(x, 5, by_random(), weights = weights, scale = TRUE)$factor, without$factor)
  one <- landmarks(x, 1, by_random(), weights = replace(rep(0, 60), 7, 2), bandwidth = 1)
  expect_equal(unname(one$sd), numeric(3))
})
