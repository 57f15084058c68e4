# reconstruction_error(): eq. 1 of Wachinger and Golland (2015) as it is written,
# with N x N matrices and their singular values.

left_by <- reconstruction_error
x <- odd_matrix(120, 3)
points <- odd_matrix(9, 3, 700)
weights <- 0.1 + (seq_len(120) * 0.377) %% 2
weights[c(3, 40)] <- 0

# The nuclear norm of D^1/2 (K - C W^-1 C') D^1/2.
naive_error <- function(x, t, sigma, weights = NULL) {
  c <- naive_features(x, t, 2 * sigma^2)
  left <- naive_features(x, x, 2 * sigma^2) - c %*% solve(naive_features(t, t, 2 * sigma^2)) %*% t(c)
  v <- sqrt(naive_weights(weights, nrow(x)))
  sum(svd(v * t(v * left))$d)
}

test_that("it is the nuclear norm of what is left of the N x N kernel", {
  for (w in list(NULL, weights)) {
    fit <- as_landmarks(points, x, bandwidth = 0.7, weights = w)
    for (sigma in c(0.05, 0.6, 2)) {
      expect_equal(left_by(fit, x, sigma, weights = w), naive_error(x, points, sigma, w), tolerance = 1e-8)
    }
    # The kernel of the fit.
    expect_equal(left_by(fit, x, weights = w), naive_error(x, points, sqrt(0.35), w), tolerance = 1e-10)
  }
  # Other rows than those that the fit was learned from, and one.
  new <- odd_matrix(50, 3, 5000)
  for (rows in list(new, new[7, , drop = FALSE])) {
    error <- left_by(fit, rows, 0.5, weights = rep(1, nrow(rows)))
    expect_equal(error, naive_error(rows, points, 0.5), tolerance = 1e-10)
  }
  # Sparse data.
  a <- sparse_case(100, 25)
  fit <- as_landmarks(a$dense[c(3, 9, 30, 50, 51, 77), ] * 0.9, a$sparse, bandwidth = 9)
  expect_equal(left_by(fit, a$sparse, 1.5), naive_error(a$dense, coef(fit), 1.5), tolerance = 1e-9)
  # Distances are the fit's, in scaled columns where it scales.
  wide <- x %*% diag(c(1, 40, 0.02))
  fit <- withr::with_seed(1, landmarks(wide, 8, scale = TRUE))
  over <- function(v) t(t(unname(v)) / apply(wide, 2, stats::sd))
  expect_equal(left_by(fit, wide, 0.8), naive_error(over(wide), over(coef(fit)), 0.8), tolerance = 1e-9)
})

test_that("one pass gives the errors of all first landmarks", {
  fit <- as_landmarks(points, x, bandwidth = 0.7)
  all <- left_by(fit, x, n = 1:9)
  expect_named(all, as.character(1:9))
  want <- vapply(1:9, function(m) naive_error(x, points[seq_len(m), , drop = FALSE], sqrt(0.35)), 0)
  expect_equal(unname(all), want, tolerance = 1e-10)
  expect_equal(left_by(fit, x, n = c(7, 2, 7)), all[c(7, 2, 7)], tolerance = 1e-14)
  expect_identical(left_by(fit, x), all[[9]])
  # A landmark that repeats others adds nothing.
  error <- left_by(as_landmarks(points[c(1:3, 2, 4, 1, 5), ], x, bandwidth = 0.7), x, n = 1:7)
  expect_equal(unname(error), unname(all[c(1:3, 3, 4, 4, 5)]), tolerance = 1e-14)
})

test_that("the error of the first landmarks does not depend on what else is asked for", {
  # Landmark 13 nearly is landmark 3.
  near <- withr::with_seed(10, matrix(rnorm(900), 300))
  points <- near[seq(1, 300, 10), ]
  points[13, ] <- points[3, ] + 1e-7
  fit <- as_landmarks(points, near, bandwidth = 0.3)
  all <- left_by(fit, near, n = 1:30)
  for (m in c(12, 13, 20)) expect_identical(left_by(fit, near, n = m), all[m])
})

test_that("all rows as landmarks leave nothing, whatever the kernel's width", {
  fit <- as_landmarks(x, x)
  for (sigma in 10^(-4:4)) {
    error <- left_by(fit, x, sigma, n = 1:120)
    expect_true(all(error >= 0 & error <= 120))
    expect_false(is.unsorted(-error))
    expect_lt(error[120], 1e-9)
  }
  # Far too narrow, each explains itself; far too wide, the first explains all.
  expect_equal(unname(left_by(fit, x, 1e-4, n = 1:120)), 119:0)
  expect_lt(left_by(fit, x, 1e9, n = 1), 1e-12)
})

test_that("of two landmarks very close their difference counts, as the derivative does", {
  pair <- rbind(points[1, ], points[1, ] + c(1e-4, 0, 0))
  phi <- naive_features(x, points[1, , drop = FALSE], 0.7)
  slope <- phi * 2 * (x[, 1] - points[1, 1]) / 0.7
  # <k_t, k_t> = 1, <d k_t, d k_t> = 2 / eta, and the two are orthogonal.
  expected <- 120 - sum(phi^2) - sum(slope^2) * 0.7 / 2
  expect_equal(left_by(as_landmarks(pair, x, bandwidth = 0.7), x), expected, tolerance = 1e-4)
})

test_that("rows outside landmarks that nearly depend on each other count with what they have", {
  # Truth: Cholesky factors with 120 digits. Of 40 random rows the kernel's values show some 14.
  withr::local_seed(6)
  x <- matrix(stats::rnorm(200))
  fit <- landmarks(x, 40, by_random(), bandwidth = stats::var(x[, 1]))
  error <- left_by(fit, x, n = 1:40)
  expect_equal(unname(error[c(1, 5, 10, 12)]), c(117.12, 31.4976, 5.76554, 3.42063), tolerance = 1e-3)
  expect_true(all(error[c(20, 30, 40)] >= c(0.420934, 4.40988e-4, 9.82098e-8)))
  expect_false(is.unsorted(-error))
  expect_equal(error[[40]], sum(predict(fit, x, type = "variance")), tolerance = 1e-9)
  expect_equal(200 * (1 - fit$explained), unname(error), tolerance = 1e-9)
})

# ---- bounds --------------------------------------------------------------------

circles <- withr::with_seed(1, sim_circles(60))
of_circles <- withr::with_seed(1, landmarks(circles, 10, bandwidth = 2))

test_that("the least error is the sum of the other eigenvalues, and no landmarks are below it", {
  found <- left_by(of_circles, circles, n = c(2, 5, 10), bounds = TRUE)
  expect_identical(found$error, unname(left_by(of_circles, circles, n = c(2, 5, 10))))
  values <- eigen(naive_features(circles, circles, 2), symmetric = TRUE)$values
  expect_equal(found$least, vapply(c(2, 5, 10), function(n) sum(values[-(1:n)]), 0), tolerance = 1e-8)
  expect_true(all(found$error >= found$least & found$least <= found$dpp))
  expect_true(all(found$dpp <= found$dpp_bound & found$dpp_bound <= found$largest_bound * 60))
  expect_equal(found$dpp_bound, (found$n + 1) * found$least)
  expect_equal(found$largest_bound, (found$n + 1) * (60 - found$n) * values[found$n + 1], tolerance = 1e-6)
})

test_that("the mean error of the process is that over all sets, weighted by their determinants", {
  some <- circles[1:9, ]
  for (v in list(NULL, c(1, 2, 0.5, 1, 1, 3, 1, 0.2, 1))) {
    fit <- as_landmarks(some[1:4, ], some, bandwidth = 3, weights = v)
    k <- naive_features(some, some, 3) * sqrt(outer(naive_weights(v, 9), naive_weights(v, 9)))
    for (n in 1:3) {
      sets <- utils::combn(9, n, simplify = FALSE)
      odds <- vapply(sets, function(s) det(k[s, s, drop = FALSE]), 0)
      explained <- function(s) sum(k[, s, drop = FALSE] * t(solve(k[s, s], k[s, , drop = FALSE])))
      errors <- sum(diag(k)) - vapply(sets, explained, 0)
      found <- left_by(fit, some, n = n, weights = v, bounds = TRUE)
      expect_equal(found$dpp, sum(odds * errors) / sum(odds), tolerance = 1e-6)
      # The largest determinant.
      expect_lte(errors[which.max(odds)], found$largest_bound)
    }
  }
})

test_that("rows that repeat, or no more than landmarks, have a least error of 0", {
  twice <- rbind(1:2, 1:2, 3:4)
  found <- left_by(as_landmarks(rbind(1:2, 3:4), twice, bandwidth = 1), twice, bounds = TRUE)
  expect_equal(unlist(found[-1]), c(error = 0, least = 0, dpp = 0, dpp_bound = 0, largest_bound = 0))
  # Eigenvalues of rounding are none.
  expect_identical(left_by(of_circles, circles, sigma = 1e5, n = 6, bounds = TRUE)$least, 0)
  found <- left_by(of_circles, circles[1:4, ], n = c(3, 4, 7), bounds = TRUE)
  expect_true(all(found$least[1] > 0, found$error >= found$least))
  expect_identical(unlist(found[2:3, 3:6], use.names = FALSE), numeric(8))
})

test_that("arguments are checked, and bounds need rows in memory and not too many", {
  x <- cbind(a = c(0, 1, 2, 3, 4, 5), b = c(0, 2, 1, -1, 0.5, 3), c = c(1, 0, -2, 0, 1, 4))
  fit <- as_landmarks(x[1:2, ], x)
  expect_refused(
    reconstruction_error(), reconstruction_error(fit), reconstruction_error(fit, x, sigma = 0),
    reconstruction_error(fit, x, sigma = 1e-160), reconstruction_error(fit, x, sigma = 1e160),
    reconstruction_error(fit, x, n = 0), reconstruction_error(fit, x, n = 1:3),
    reconstruction_error(fit, x, bounds = NA), reconstruction_error(fit, in_chunks(x), bounds = TRUE)
  )
  withr::local_options(landmarker.memory = 1e5)
  expect_refused(reconstruction_error(of_circles, circles, bounds = TRUE))
})
