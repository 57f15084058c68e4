# Rows that stand for all.

set.seed(1)
x <- matrix(rnorm(400), 200, 2)
fit <- landmarks(x, 12)

# Each landmark's nearest row that no landmark before it has taken.
naive <- function(fit, x, size = nrow(coef(fit))) {
  rows <- integer()
  for (l in seq_len(size)) {
    near <- order(colSums((t(x) - coef(fit)[l, ])^2))
    rows <- c(rows, setdiff(near, rows)[1])
  }
  rows
}

# Repeatedly the row whose kernel the rows before it explain least.
naive_active <- function(x, rows, size, bandwidth) {
  kernel <- exp(-as.matrix(dist(x))^2 / bandwidth)
  while (length(rows) < size) {
    left <- 1 - diag(kernel[, rows] %*% solve(kernel[rows, rows], kernel[rows, ]))
    rows <- c(rows, unname(which.max(left)))
  }
  rows
}

test_that("each landmark gives its nearest row that is free", {
  expect_identical(sketch_rows(fit, x), naive(fit, x))
  expect_identical(sketch_rows(fit, x, 5), naive(fit, x, 5))
  # Landmarks in one place take turns.
  same <- suppressWarnings(as_landmarks(rbind(c(0, 0), c(0, 0), c(0, 0), c(0.01, 0)), x))
  rows <- sketch_rows(same, x)
  expect_identical(rows, naive(same, x))
  expect_identical(anyDuplicated(rows), 0L)
  many <- suppressWarnings(as_landmarks(matrix(0, 40, 2), x))
  expect_identical(sketch_rows(many, x), naive(many, x))
})

test_that("active learning goes on where there are more rows than landmarks", {
  for (size in c(13, 25)) {
    rows <- sketch_rows(fit, x, size)
    expect_identical(rows, naive_active(x, naive(fit, x), size, fit$bandwidth))
  }
})

test_that("every row can be had, once", {
  expect_setequal(sketch_rows(fit, x, 200), 1:200)
  expect_length(sketch_rows(fit, x, 200), 200)
  # Repeated rows add nothing to the kernel, and come last.
  twice <- x[rep(1:20, 2), ]
  expect_setequal(sketch_rows(fit, twice, 40), 1:40)
  expect_setequal(sketch_rows(landmarks(twice, 5), twice, 20) %% 20, 0:19)
  expect_identical(sketch_rows(fit, x[3, , drop = FALSE]), 1L)
  expect_type(sketch_rows(fit, x, 30), "integer")
})

test_that("it is the same for sparse rows, data frames and data in chunks", {
  rows <- sketch_rows(fit, x, 20)
  expect_identical(sketch_rows(fit, methods::as(x, "CsparseMatrix"), 20), rows)
  expect_identical(sketch_rows(fit, in_chunks(x, 7), 20), rows)
  framed <- landmarks(iris, 4)
  expect_identical(anyDuplicated(iris[sketch_rows(framed, iris, 30), ]), 0L)
})

test_that("the random numbers of a call without ties stay where they are", {
  set.seed(3)
  sketch_rows(fit, x, 30)
  now <- runif(1)
  set.seed(3)
  expect_identical(now, runif(1))
})

test_that("bad input is refused", {
  expect_refused(
    sketch_rows(x, fit),
    sketch_rows(fit),
    sketch_rows(fit, x[, 1, drop = FALSE]),
    sketch_rows(fit, x[0, ]),
    sketch_rows(fit, replace(x, 3, NA)),
    sketch_rows(fit, x, 201),
    sketch_rows(fit, x, 2.5)
  )
})
