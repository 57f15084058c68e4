# The rows nearest to landmarks, and their top columns.

eta <- 0.8

set.seed(1)
x <- cbind(a = rep(c(0, 3, 6), each = 8), b = rep(c(0, 4, 0), each = 8)) + round(rnorm(48), 1) / 8

test_that("the nearest row and its distance are those of all distances", {
  x <- odd_matrix(60, 3)
  points <- odd_matrix(5, 3, 8)
  fit <- as_landmarks(points, x, bandwidth = eta)
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
  }
  sparse <- as_landmarks(
    unname(coef(fit)), methods::as(d, "CsparseMatrix"), bandwidth = 1e8, weights = weights
  )
  expect_equal(top_features(sparse, by = "deviation"), top, tolerance = 1e-9)
  # The columns of sparse data share a unit.
  expect_equal(top_features(sparse), top_features(fit, by = "value"), tolerance = 1e-9)
  scaled <- as_landmarks(unname(coef(fit)), d, weights = weights, scale = TRUE)
  expect_equal(top_features(scaled), top, tolerance = 1e-12)
  expect_refused(top_features(fit, by = "size"))
})

test_that("k and the number of features are at most what there is", {
  fit <- as_landmarks(x[1:2, ], x)
  expect_refused(
    nearest_observations(fit, x, 25),
    nearest_observations(fit, x, 0),
    nearest_observations(fit, x[0, ], 1),
    nearest_observations(fit),
    top_features(fit, 4),
    top_features(fit, 1.5)
  )
})
