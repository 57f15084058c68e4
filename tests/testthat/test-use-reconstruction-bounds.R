# reconstruction_error(bounds = TRUE).

x <- withr::with_seed(1, sim_circles(60))
fit <- withr::with_seed(1, landmarks(x, 10, bandwidth = 2))

naive_error <- function(k, s) {
  sum(diag(k)) - sum(diag(k[, s, drop = FALSE] %*% solve(k[s, s], k[s, , drop = FALSE])))
}

test_that("the least error is the sum of the other eigenvalues, and no landmarks are below it", {
  found <- reconstruction_error(fit, x, n = c(2, 5, 10), bounds = TRUE)
  expect_identical(found$n, c(2L, 5L, 10L))
  expect_identical(found$error, unname(reconstruction_error(fit, x, n = c(2, 5, 10))))
  values <- eigen(naive_features(x, x, 2), symmetric = TRUE)$values
  expect_equal(found$least, vapply(c(2, 5, 10), function(n) sum(values[-(1:n)]), 0), tolerance = 1e-8)
  expect_true(all(found$error >= found$least & found$least <= found$dpp))
  expect_true(all(found$dpp <= found$dpp_bound & found$dpp_bound <= found$largest_bound * 60))
  expect_equal(found$dpp_bound, (found$n + 1) * found$least)
  expect_equal(found$largest_bound, (found$n + 1) * (60 - found$n) * values[found$n + 1], tolerance = 1e-6)
})

test_that("the mean error of the process is that over all sets, weighted by their determinants", {
  some <- x[1:9, ] + 0
  weights <- c(1, 2, 0.5, 1, 1, 3, 1, 0.2, 1)
  for (v in list(NULL, weights)) {
    fit <- as_landmarks(some[1:4, ], some, bandwidth = 3, weights = v)
    k <- naive_features(some, some, 3) * sqrt(outer(naive_weights(v, 9), naive_weights(v, 9)))
    for (n in 1:3) {
      sets <- utils::combn(9, n, simplify = FALSE)
      odds <- vapply(sets, function(s) det(k[s, s, drop = FALSE]), 0)
      errors <- vapply(sets, function(s) naive_error(k, s), 0)
      found <- reconstruction_error(fit, some, n = n, weights = v, bounds = TRUE)
      expect_equal(found$dpp, sum(odds * errors) / sum(odds), tolerance = 1e-6)
      # The largest determinant.
      expect_lte(errors[which.max(odds)], found$largest_bound)
    }
  }
})

test_that("draws have the mean error that is told", {
  skip_unless_full()
  withr::local_seed(3)
  error <- replicate(200, reconstruction_error(landmarks(x, 4, by_dpp_exact(), bandwidth = 2), x))
  told <- reconstruction_error(fit, x, n = 4, bounds = TRUE)$dpp
  expect_lt(abs(mean(error) - told), 4 * stats::sd(error) / sqrt(200))
})

test_that("repeated rows and all rows have an error of 0", {
  twice <- rbind(1:2, 1:2, 3:4)
  fit <- as_landmarks(rbind(1:2, 3:4), twice, bandwidth = 1)
  found <- reconstruction_error(fit, twice, bounds = TRUE)
  # Eigenvalues of rounding are none.
  wide <- reconstruction_error(landmarks(x, 6, bandwidth = 2), x, sigma = 1e5, n = 6, bounds = TRUE)
  expect_identical(wide$least, 0)
  expect_equal(unlist(found[-1]), c(error = 0, least = 0, dpp = 0, dpp_bound = 0, largest_bound = 0))
})

test_that("of more landmarks than rows nothing is left at best", {
  found <- reconstruction_error(fit, x[1:4, ], n = c(3, 4, 7), bounds = TRUE)
  expect_true(all(found$least[1] > 0, found$error >= found$least))
  expect_identical(unlist(found[2:3, 3:6], use.names = FALSE), numeric(8))
})

test_that("bounds need rows in memory and not too many", {
  expect_refused(
    reconstruction_error(fit, x, bounds = NA),
    reconstruction_error(fit, in_chunks(x), bounds = TRUE)
  )
  withr::local_options(landmarker.memory = 1e5)
  expect_refused(reconstruction_error(fit, x, bounds = TRUE))
})
