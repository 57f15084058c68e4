# A matrix of more than 2^31 values takes 9 GB, a copy as much again. LANDMARKER_LONG=1 asks for this test,
# on a machine with 18 GB free.

test_that("a matrix of more than 2^31 values is read to its end", {
  skip_if(Sys.getenv("LANDMARKER_LONG") != "1", "LANDMARKER_LONG is not 1")
  rows <- 43000000L
  columns <- 50L
  value <- function(at) as.integer((at - 1) %% 251)
  x <- rep_len(0:250, as.double(rows) * columns)
  dim(x) <- c(rows, columns)
  expect_gt(length(x), 2^31)
  row_of <- function(i) value(outer(i, (seq_len(columns) - 1) * as.double(rows), `+`))

  set.seed(1)
  fit <- landmarks(x, 4, "random", bandwidth = 1e5)
  expect_identical(unname(coef(fit)), matrix(as.double(row_of(fit$rows)), 4))
  expect_equal(fit$mean, rep(125, columns), tolerance = 1e-5)

  # Distances at the last rows, whose values stand behind place 2^31 in the last column.
  near <- predict(fit, x, "nearest")
  last <- (rows - 9L):rows
  at <- matrix(as.double(row_of(last)), 10)
  apart <- apply(coef(fit), 1, function(t) sqrt(rowSums((at - rep(t, each = 10))^2)))
  expect_equal(near$distance[last], apply(apart, 1, min))
  expect_identical(near$landmark[last], apply(apart, 1, which.min))

  # A value that is missing, at the end.
  x[rows, columns] <- NA
  expect_error(landmarks(x, 4, "random", bandwidth = 1e5), "row 43000000, column 50")
})
