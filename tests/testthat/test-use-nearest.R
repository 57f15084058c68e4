# The rows nearest to landmarks, their top columns, and rows that stand for all.

test_that("the nearest row and its distance are those of all distances", {
  x <- odd_matrix(60, 3)
  points <- odd_matrix(5, 3, 8)
  fit <- as_landmarks(points, x, bandwidth = 0.8)
  far <- naive_distances(x, points)
  expect_identical(fit$nearest, apply(far, 2, which.min))
  expect_equal(fit$nearest_distance, apply(far, 2, min), tolerance = 1e-10)
  near <- nearest_observations(fit, x, k = 4)
  for (l in 1:5) {
    expect_identical(near$observation[near$landmark == l], order(far[, l])[1:4])
    expect_equal(near$distance[near$landmark == l], sort(far[, l])[1:4], tolerance = 1e-10)
  }
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
    for (l in 1:3) {
      order <- order(-abs(by_hand[l, ]))
      expect_identical(top$feature[top$landmark == l], colnames(d)[order])
      expect_equal(top$deviation[top$landmark == l], by_hand[l, order], tolerance = 1e-10)
      expect_identical(top$value[top$landmark == l], unname(coef(fit)[l, order]))
    }
    expect_identical(top$feature[top$rank == 1], c("age", "income", "rare"))
    expect_identical(unique(top_features(fit, 1, by = "value")$feature), "income")
    expect_type(top_features(as_landmarks(unname(coef(fit)), unname(d)), 1)$feature, "integer")
  }
  sparse <- as_landmarks(
    unname(coef(fit)), methods::as(d, "CsparseMatrix"), bandwidth = 1e8, weights = weights
  )
  expect_equal(top_features(sparse, by = "deviation"), top, tolerance = 1e-9)
  # The columns of sparse data share a unit.
  expect_equal(top_features(sparse), top_features(fit, by = "value"), tolerance = 1e-9)
  scaled <- as_landmarks(unname(coef(fit)), d, weights = weights, scale = TRUE)
  expect_equal(top_features(scaled), top, tolerance = 1e-12)
  few <- as_landmarks(x[1:2, ], x)
  expect_refused(
    top_features(few, by = "size"), top_features(few, 4), top_features(few, 1.5),
    nearest_observations(few, x, 25), nearest_observations(few, x, 0), nearest_observations(few, x[0, ], 1),
    nearest_observations(few)
  )
})

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
  # Active learning goes on where there are more rows than landmarks.
  for (size in c(13, 25)) {
    expect_identical(sketch_rows(fit, x, size), naive_active(x, naive(fit, x), size, fit$bandwidth))
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
})

test_that("a sketch is the same for sparse rows and data in chunks, and draws no random numbers", {
  set.seed(3)
  before <- .Random.seed
  rows <- sketch_rows(fit, x, 20)
  expect_identical(sketch_rows(fit, methods::as(x, "CsparseMatrix"), 20), rows)
  expect_identical(sketch_rows(fit, in_chunks(x, 7), 20), rows)
  expect_identical(.Random.seed, before)
  framed <- landmarks(iris, 4)
  expect_identical(anyDuplicated(iris[sketch_rows(framed, iris, 30), ]), 0L)
  expect_refused(
    sketch_rows(x, fit), sketch_rows(fit), sketch_rows(fit, x[, 1, drop = FALSE]), sketch_rows(fit, x, 201),
    sketch_rows(fit, x, 2.5)
  )
})
