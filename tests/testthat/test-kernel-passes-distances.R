# Which rows are equal, against duplicated() of rounded numbers.

how <- compute_with()

different <- function(x, same_as = x, ...) {
  source <- as_source(x, ...)
  expect_identical(different_rows(source, how), which(!duplicated(as.matrix(same_as))))
}

test_that("rows of a grid are different, though many are equally far from any two of them", {
  grid <- as.matrix(expand.grid(1:60, 1:60))
  different(grid)
  different(grid[c(1:100, 1:3600), ])
  different(grid * 1L)
  different(grid[c(1:3600, 5:60), ] + 1e9)
  different(as.matrix(expand.grid(1:5, 1:5, 1:5, 1:5, 1:5)))
})

test_that("equal rows of every kind of data", {
  withr::local_seed(1)
  items <- matrix(sample(1:4, 6000, replace = TRUE), 2000)
  different(items)
  different(items == 2)
  different(items, scale = TRUE)
  different(items, scale = "ranks")
  different(cbind(items, 5))
  counts <- methods::as(matrix(stats::rpois(2000 * 40, 0.02), 2000), "CsparseMatrix")
  different(counts)
  different(counts, scale = TRUE)
  different(items[rep(1, 30), ])
  different(items[1, , drop = FALSE])
  different(rbind(items, items)[, 1, drop = FALSE] * 1e-13)
})

test_that("rows that differ by rounding are equal, and others are not, with an outlier as well", {
  withr::local_seed(2)
  items <- matrix(sample(1:4, 6000, replace = TRUE), 2000)
  different(items %*% qr.Q(qr(odd_matrix(3, 3))), items)
  different(items * (1 + sample(c(-1e-16, 0, 2e-16), 6000, replace = TRUE)) * 0.1, items)
  close <- items
  close[, 1] <- close[, 1] + (1:2000) * 1e-12
  different(close)
  few <- matrix(stats::runif(400), 200)[c(1:200, 1:50), ]
  for (far in c(1e5, 1e12)) different(replace(few, 3, far))
})

test_that("rows that equal a point are found", {
  x <- odd_matrix(20, 3)[c(1:20, 4, 4, 9), ]
  points <- x[c(4, 9), ] * (1 + 1e-16)
  for (y in list(x, methods::as(x, "CsparseMatrix"))) {
    source <- as_source(y)
    expect_identical(which(squared_from(source, points, how) == 0), c(4L, 9L, 21L, 22L, 23L))
    expect_identical(rows_apart(source, c(21L, 3L, 9L, 20L), points), c(3L, 20L))
    expect_identical(rows_apart(source, 5:7, source_no_points(source)), 5:7)
  }
})
