# The rows nearest to landmarks, their top columns, and rows that stand for all.

test_that("the nearest row and its distance are those of all distances", {
  x <- odd_matrix(60, 3)
  points <- odd_matrix(5, 3, 8)
  fit <- as_landmarks(points, x, bandwidth = 0.8)
  far <- naive_distances(x, points)
  expect_identical(fit$nearest, apply(far, 2, which.min))
  expect_equal(fit$nearest_distance, apply(far, 2, min), tolerance = 1e-10)
  near <- nearest_observations(fit, x, k = 4)
  expect_identical(near$observation, as.vector(apply(far, 2, order)[1:4, ]))
  expect_equal(near$distance, as.vector(apply(far, 2, sort)[1:4, ]), tolerance = 1e-10)
})

test_that("top_features() ranks columns by standard deviations from the mean", {
  x <- cbind(a = rep(c(0, 3, 6), each = 8), b = rep(c(0, 4, 0), each = 8)) + odd_matrix(24, 2) / 8
  # Incomes in euros, ages in years, a column that is constant, and one that is 0 but for a few.
  d <- cbind(income = 20000 + 500 * x[, 1], age = 10 * x[, 2], same = 7, rare = rep(c(0, 0, 0, 1), 6))
  weights <- rep(1:3, 8)
  for (w in list(NULL, weights)) {
    fit <- as_landmarks(rbind(c(20000, 90, 7, 0), c(26000, 20, 7, 0), c(21000, 10, 7, 1)), d, weights = w)
    v <- naive_weights(w, 24)
    mean <- colSums(v * d) / 24
    sd <- sqrt(colSums(v * (d - rep(mean, each = 24))^2) / 23)
    by_hand <- (unname(coef(fit)) - rep(mean, each = 3)) / rep(sd, each = 3)
    by_hand[, 3] <- 0
    top <- top_features(fit)
    order <- as.vector(apply(-abs(by_hand), 1, order))
    at <- cbind(rep(1:3, each = 4), order)
    expect_identical(top$feature, colnames(d)[order])
    expect_equal(top$deviation, by_hand[at], tolerance = 1e-10)
    expect_identical(top$value, unname(coef(fit))[at])
    expect_identical(unique(top_features(fit, 1, by = "value")$feature), "income")
    expect_type(top_features(as_landmarks(unname(coef(fit)), unname(d)), 1)$feature, "integer")
  }
  thin <- methods::as(d, "CsparseMatrix")
  sparse <- as_landmarks(unname(coef(fit)), thin, bandwidth = 1e8, weights = weights)
  expect_equal(top_features(sparse, by = "deviation"), top, tolerance = 1e-9)
  # The columns of sparse data share a unit.
  expect_equal(top_features(sparse), top_features(fit, by = "value"), tolerance = 1e-9)
  scaled <- as_landmarks(unname(coef(fit)), d, weights = weights, scale = TRUE)
  expect_equal(top_features(scaled), top, tolerance = 1e-12)
  few <- as_landmarks(x[1:2, ], x)
  expect_refused(
    top_features(few, by = "size"), top_features(few, 4), nearest_observations(few, x, 25),
    nearest_observations(few, x[0, ], 1), nearest_observations(few)
  )
})

set.seed(1)
x <- matrix(rnorm(400), 200, 2)
fit <- landmarks(x, 12)

# Each landmark's nearest row that no landmark before it has taken.
naive <- function(fit, x, size = nrow(coef(fit))) {
  rows <- integer()
  for (l in seq_len(size)) {
    rows <- c(rows, setdiff(order(colSums((t(x) - coef(fit)[l, ])^2)), rows)[1])
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
  same <- suppressWarnings(as_landmarks(rbind(matrix(0, 40, 2), c(0.01, 0)), x))
  expect_identical(sketch_rows(same, x), naive(same, x))
  # Active learning goes on where there are more rows than landmarks.
  for (size in c(13, 25)) {
    expect_identical(sketch_rows(fit, x, size), naive_active(x, naive(fit, x), size, fit$bandwidth))
  }
})

test_that("every row can be had, once", {
  expect_identical(sort(sketch_rows(fit, x, 200)), 1:200)
  # Repeated rows add nothing to the kernel, and come last.
  twice <- x[rep(1:20, 2), ]
  expect_identical(sort(sketch_rows(fit, twice, 40)), 1:40)
  expect_setequal(sketch_rows(landmarks(twice, 5), twice, 20) %% 20, 0:19)
  expect_identical(sketch_rows(fit, x[3, , drop = FALSE]), 1L)
})

test_that("a sketch is the same for sparse rows and data in chunks, and draws no random numbers", {
  set.seed(3)
  before <- .Random.seed
  rows <- sketch_rows(fit, x, 20)
  for (same in list(methods::as(x, "CsparseMatrix"), in_chunks(x, 7), as.data.frame(x))) {
    expect_identical(sketch_rows(fit, same, 20), rows)
  }
  expect_identical(.Random.seed, before)
  column <- x[, 1, drop = FALSE]
  expect_refused(sketch_rows(x, fit), sketch_rows(fit), sketch_rows(fit, column), sketch_rows(fit, x, 201))
})
