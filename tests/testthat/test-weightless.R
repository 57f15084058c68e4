# Rows of weight 0 are nobody's neighbors: fewer rows than neighbors may be left.

test_that("the spacing of rows looks only at rows with a weight", {
  set.seed(1)
  x <- matrix(rnorm(400), 200)
  weights <- rep(0, 200)
  weights[c(3, 80, 150)] <- 1
  source <- as_source(x, weights)
  # The farthest of the three from each of them: at 95% of the weight the largest.
  largest <- max(dist(x[weights > 0, ]))
  expect_equal(row_spacing(source, 1e-6, compute_with()), largest)
})

test_that("more neighbors than rows with a weight are refused by the C code", {
  source <- as_source(cbind(1:10, 2), rep(0:1, c(8, 2)))
  near <- function(k) .Call(C_nearest_rows, source, cbind(1, 2), c(list(neighbors = k), compute_with()))
  expect_identical(near(2L)$observation, cbind(9:10))
  expect_error(near(3L), "weight above 0")
  source$weights[] <- 0
  expect_error(near(1L), "weight above 0")
})
