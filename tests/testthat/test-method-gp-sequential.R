# One landmark at a time.

x <- odd_matrix(90, 3)
eta <- 0.5
weights <- 0.05 + (seq_len(90) * 0.377) %% 2

test_that("sequential's variance is V when each was found, and its order that of finding", {
  withr::local_seed(5)
  fit <- landmarks(x, 7, by_volume("sequential", iterations = c(300, 300), tolerance = 1e-8), bandwidth = eta)
  t <- unname(coef(fit))
  for (k in 1:7) {
    before <- t[seq_len(k - 1), , drop = FALSE]
    expect_equal(fit$variance[k], naive_variance(x, before, t[k, , drop = FALSE], eta), tolerance = 1e-9)
    # Each is a stationary point of V given those before it, and no lower than any row.
    expect_equal(naive_eq10(x, t[seq_len(k), , drop = FALSE], eta), t[k, ], tolerance = 1e-5)
  }
  # The first is found from the best of 20 rows: better than half of all rows at the least.
  expect_gt(fit$variance[1], stats::median(naive_variance(x, t[0, , drop = FALSE], x, eta)))
})

test_that("sequential on all candidates starts each landmark at the best row", {
  withr::local_seed(6)
  fit <- landmarks(
    x, 6, by_volume("sequential", candidates = 90, max_iterations = 0), bandwidth = eta, weights = weights
  )
  greedy <- naive_greedy(x, eta, 6, weights)
  expect_identical(unname(coef(fit)), x[greedy$rows, ])
  expect_equal(fit$variance, greedy$variance, tolerance = 1e-10)
})

test_that("a landmark that no observation is near is refused or dropped, never half a fit", {
  # Algorithm 1 starts anywhere: with a narrow bandwidth no feature is above 0 there.
  withr::local_seed(14)
  result <- tryCatch(
    suppressWarnings(landmarks(x, 3, by_volume("sgd", iterations = 5), bandwidth = 1e-20)),
    landmarker_error = function(e) "an error of the package's own"
  )
  if (inherits(result, "landmarks")) {
    expect_gt(nrow(coef(result)), 0)
  } else {
    expect_identical(result, "an error of the package's own")
  }
})

test_that("on batches each landmark is nearly a top of V over all rows, given those before it", {
  withr::local_seed(7)
  rows <- sim_spiral(3000)
  fit <- landmarks(rows, 4, by_volume("sequential"), bandwidth = 0.5)
  t <- unname(coef(fit))
  for (k in 1:4) {
    before <- t[seq_len(k - 1), , drop = FALSE]
    best <- max(naive_variance(rows, before, rows[seq(1, 3000, 5), ], 0.5))
    # Not always the highest: each starts at the best of 20 rows.
    expect_gt(naive_variance(rows, before, t[k, , drop = FALSE], 0.5), 0.75 * best)
    away <- sqrt(sum((naive_eq10(rows, t[seq_len(k), , drop = FALSE], 0.5) - t[k, ])^2))
    expect_lt(away, 0.05 * sqrt(0.5))
  }
})

test_that("where no row of a batch has anything left, the landmarks found are the fit", {
  withr::local_seed(8)
  few <- matrix(stats::rnorm(10), 5)[rep(1:5, 600), ]
  expect_warning(
    fit <- landmarks(few, 9, by_volume("sequential"), bandwidth = 1), "5 of 9 landmarks were found"
  )
  expect_snapshot(fit <- landmarks(few, 9, bandwidth = 1))
  expect_identical(nrow(coef(fit)), 5L)
})

test_that("one landmark after another is found where most rows are equal", {
  withr::local_seed(1)
  x <- rbind(matrix(0, 900, 5), matrix(stats::rnorm(500), 100))
  for (seed in 1:2) {
    withr::local_seed(seed)
    fit <- landmarks(x, 30, by_gp("sequential", criterion = "volume"))
    expect_identical(length(fit), 30L)
    expect_gt(min(fit$variance), 0)
  }
  # With batches, in which rows that differ are rare, and with more landmarks than there are such rows.
  x <- rbind(matrix(1, 2000, 3), matrix(stats::rnorm(120), 40))
  eta <- 0.1 * sum(apply(x, 2, stats::var))
  expect_identical(length(landmarks(x, 30, by_gp("sequential"), bandwidth = eta)), 30L)
  expect_warning(
    fit <- landmarks(x, 44, by_gp("sequential", criterion = "trace"), bandwidth = eta), "41 of 44"
  )
  expect_identical(length(fit), 41L)
})
