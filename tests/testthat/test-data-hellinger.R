# Square roots of shares, against a naive loop, and what is refused.

# As it is written, one count at a time.
naive_hellinger <- function(counts) {
  out <- matrix(0, nrow(counts), ncol(counts), dimnames = dimnames(counts))
  for (i in seq_len(nrow(counts))) {
    for (j in seq_len(ncol(counts))) {
      out[i, j] <- if (counts[i, j] == 0) 0 else sqrt(counts[i, j] / sum(counts[i, ]))
    }
  }
  out
}

counts <- withr::with_seed(5, matrix(stats::rpois(30 * 7, 0.8) + 0, 30, 7))
counts[, 1] <- counts[, 1] + 1
dimnames(counts) <- list(paste0("doc", 1:30), letters[1:7])
sparse <- methods::as(counts, "CsparseMatrix")

with_bad <- function(value, row = 4, column = 2, at = counts) replace(at, cbind(row, column), value)
# Rows 2 and 9 have no counts.
with_empty <- replace(counts, cbind(c(2, 9), rep(1:7, each = 2)), 0)

test_that("values are square roots of shares, so that rows have norm 1 and distances are Hellinger's", {
  h <- hellinger(counts)
  expect_equal(h, naive_hellinger(counts), tolerance = 1e-15)
  expect_equal(unname(rowSums(h^2)), rep(1, nrow(h)), tolerance = 1e-14)
  # H^2 = 1 - sum sqrt(p q), the Bhattacharyya coefficient taken from 1.
  p <- counts[1, ] / sum(counts[1, ])
  q <- counts[2, ] / sum(counts[2, ])
  expect_equal(sqrt(sum((h[1, ] - h[2, ])^2)), sqrt(2) * sqrt(1 - sum(sqrt(p * q))), tolerance = 1e-12)
})

test_that("sparse stays sparse, whatever its class, and other tables of numbers are dense", {
  for (class in c("CsparseMatrix", "RsparseMatrix", "TsparseMatrix")) {
    h <- hellinger(methods::as(sparse, class))
    expect_s4_class(h, "dgCMatrix")
    expect_true(methods::validObject(h))
    expect_equal(as.matrix(h), naive_hellinger(counts), tolerance = 1e-15)
  }
  expect_equal(as.matrix(hellinger(Matrix::Matrix(counts > 0, sparse = TRUE))), naive_hellinger(counts > 0))
  whole <- `storage.mode<-`(counts, "integer")
  for (other in list(whole, as.data.frame(counts), Matrix::Matrix(counts, sparse = FALSE))) {
    expect_identical(hellinger(other), hellinger(counts))
  }
  crossed <- hellinger(table(c("x", "x", "y"), c("b", "a", "a")))
  expect_equal(crossed, rbind(x = rep(sqrt(0.5), 2), y = c(1, 0)), ignore_attr = TRUE)
  expect_identical(rownames(crossed), c("x", "y"))
})

test_that("what was given is left as it was", {
  square <- methods::as(Matrix::crossprod(sparse), "generalMatrix")
  before <- square + 0
  # Matrix notes the factorization in the object.
  Matrix::lu(square)
  h <- hellinger(square)
  expect_equal(square@x, before@x)
  expect_length(h@factors, 0)
})

test_that("sums that overflow do no harm, nor do counts that hardly are", {
  huge <- .Machine$double.xmax
  counts <- rbind(a = c(huge, huge, 0, 0), b = c(1, 0, 1, 2), c = rep(huge, 4), d = c(0, 5e-324, 0, 0))
  half <- sqrt(0.5)
  expected <- rbind(a = c(half, half, 0, 0), b = c(0.5, 0, 0.5, half), c = rep(0.5, 4), d = c(0, 1, 0, 0))
  for (x in list(counts, methods::as(counts, "CsparseMatrix"))) {
    expect_equal(as.matrix(hellinger(x)), expected, tolerance = 1e-15)
  }
})

test_that("rows without counts are refused, kept or dropped", {
  expected <- naive_hellinger(with_empty)
  for (x in list(with_empty, methods::as(with_empty, "CsparseMatrix"))) {
    expect_error(hellinger(x), class = "landmarker_error_empty")
    expect_equal(as.matrix(hellinger(x, empty = "keep")), expected, tolerance = 1e-15)
    dropped <- hellinger(x, empty = "drop")
    expect_identical(class(dropped), class(x))
    expect_equal(as.matrix(dropped), expected[-c(2, 9), ], tolerance = 1e-15)
  }
  # Zeros that are stored are no counts.
  sparse@x[sparse@i == 2] <- 0
  first <- "1 of 30 rows has none: the first is row 3."
  expect_error(hellinger(sparse), first, class = "landmarker_error_empty")
  # All rows, or one row: it stays a matrix.
  expect_identical(dim(hellinger(counts * 0, "drop")), c(0L, 7L))
  expect_identical(hellinger(counts * 0, "keep"), counts * 0)
  expect_identical(hellinger(rbind(c(0, 0), c(2, 0)), "drop"), rbind(c(1, 0)))
})

test_that("counts must be numbers in rows and columns, finite and at least 0, with some in each row", {
  # The first is named column by column.
  twice <- with_bad(-3, 30, 1, with_bad(-1, 1, 2))
  expect_refused(
    hellinger(), hellinger(1:3), hellinger(matrix("1", 2, 2)), hellinger(counts[, 0]),
    hellinger(data.frame(a = 1:2, word = c("x", "y"))), hellinger(with_bad(NA)),
    hellinger(unname(with_bad(-1, 30, 7))), hellinger(with_bad(NaN, at = sparse)), hellinger(twice),
    hellinger(methods::as(twice, "CsparseMatrix")), hellinger(with_empty), hellinger(matrix(0, 40, 3)),
    hellinger(counts, empty = "remove")
  )
})
