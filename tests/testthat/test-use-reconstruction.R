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
    expect_identical(left_by(fit, x, weights = w), left_by(fit, x, sqrt(0.35), weights = w))
    expect_equal(left_by(fit, x, weights = w), naive_error(x, points, sqrt(0.35), w), tolerance = 1e-10)
  }
  # Other rows than those that the fit was learned from.
  new <- odd_matrix(50, 3, 5000)
  expect_equal(left_by(fit, new, 0.5, weights = rep(1, 50)), naive_error(new, points, 0.5), tolerance = 1e-10)
})

test_that("one pass gives the errors of all first landmarks", {
  fit <- as_landmarks(points, x, bandwidth = 0.7)
  all <- left_by(fit, x, n = 1:9)
  expect_named(all, as.character(1:9))
  for (m in 1:9) {
    first <- as_landmarks(points[seq_len(m), , drop = FALSE], x, bandwidth = 0.7)
    expect_equal(all[[m]], left_by(first, x), tolerance = 1e-14)
    expect_equal(all[[m]], naive_error(x, points[seq_len(m), , drop = FALSE], sqrt(0.35)), tolerance = 1e-10)
  }
  expect_equal(left_by(fit, x, n = c(7, 2, 7)), all[c(7, 2, 7)], tolerance = 1e-14)
  expect_identical(left_by(fit, x), all[[9]])
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

test_that("a landmark that repeats others adds nothing", {
  error <- left_by(as_landmarks(points[c(1:3, 2, 4, 1, 5), ], x, bandwidth = 0.7), x, n = 1:7)
  expect_identical(error[["4"]], error[["3"]])
  expect_identical(error[["6"]], error[["5"]])
  plain <- left_by(as_landmarks(points[1:5, ], x, bandwidth = 0.7), x, n = 1:5)
  expect_equal(unname(error[c(1:3, 5, 7)]), unname(plain), tolerance = 1e-14)
})

test_that("where W is all but singular it is what projection without W gives", {
  # c' W^-1 c by an orthonormal basis of W's larger eigenvectors.
  by_eigen <- function(x, t, sigma) {
    e <- eigen(naive_features(t, t, 2 * sigma^2), symmetric = TRUE)
    k <- e$values > 1e-13
    nrow(x) - sum((naive_features(x, t, 2 * sigma^2) %*% e$vectors[, k])^2 %*% (1 / e$values[k]))
  }
  for (sigma in c(1, 2, 4)) {
    fit <- as_landmarks(x[1:40, ], x)
    expect_lt(abs(left_by(fit, x, sigma) - by_eigen(x, x[1:40, ], sigma)), 1e-5)
  }
  # Two landmarks very close: their difference counts, as the derivative does.
  pair <- rbind(points[1, ], points[1, ] + c(1e-4, 0, 0))
  phi <- naive_features(x, points[1, , drop = FALSE], 0.7)
  slope <- phi * 2 * (x[, 1] - points[1, 1]) / 0.7
  # <k_t, k_t> = 1, <d k_t, d k_t> = 2 / eta, and the two are orthogonal.
  expected <- 120 - sum(phi^2) - sum(slope^2) * 0.7 / 2
  expect_equal(left_by(as_landmarks(pair, x, bandwidth = 0.7), x), expected, tolerance = 1e-4)
})

test_that("sparse data are dense data", {
  a <- sparse_case(100, 25)
  fit <- as_landmarks(a$dense[c(3, 9, 30, 50, 51, 77), ] * 0.9, a$sparse, bandwidth = 9)
  expect_equal(left_by(fit, a$sparse, n = 1:6), left_by(fit, a$dense, n = 1:6), tolerance = 1e-13)
  expect_equal(left_by(fit, a$sparse, 1.5), naive_error(a$dense, coef(fit), 1.5), tolerance = 1e-9)
})

test_that("distances are the fit's, in scaled columns where it scales", {
  wide <- x %*% diag(c(1, 40, 0.02))
  fit <- withr::with_seed(1, landmarks(wide, 8, scale = TRUE))
  spread <- apply(wide, 2, stats::sd)
  expected <- naive_error(t(t(wide) / spread), t(t(unname(coef(fit))) / spread), 0.8)
  expect_equal(left_by(fit, wide, 0.8), expected, tolerance = 1e-9)
  frame <- data.frame(a = x[, 1], f = rep_len(c("u", "v"), 120))
  of_frame <- withr::with_seed(1, landmarks(frame, 4, scale = TRUE))
  expect_lt(left_by(of_frame, frame), 120)
})

test_that("the trace of active learning is this error over N", {
  for (w in list(NULL, weights)) {
    fit <- withr::with_seed(1, landmarks(x, 30, by_active(), bandwidth = 0.8, weights = w))
    expect_equal(unname(left_by(fit, x, n = 1:30, weights = w)), 120 * fit$trace, tolerance = 1e-9)
  }
})

test_that("weights that are counts are repeated rows", {
  counts <- rep(c(1, 3, 0, 2), length.out = 120)
  fit <- as_landmarks(points, x)
  repeated <- left_by(fit, x[rep(1:120, counts), ])
  expect_equal(left_by(fit, x, weights = counts) * mean(counts), repeated, tolerance = 1e-12)
  expect_identical(left_by(fit, x, weights = rep(3, 120)), left_by(fit, x))
  weighted <- as_landmarks(points, x, weights = weights)
  expect_warning(left_by(weighted, x), class = "landmarker_warning_weights")
})

test_that("one landmark, one column, one row", {
  column <- x[, 1, drop = FALSE]
  at <- points[1:4, 1, drop = FALSE]
  fit <- as_landmarks(at, column, bandwidth = 0.7)
  expect_equal(left_by(fit, column), naive_error(column, at, sqrt(0.35)), tolerance = 1e-8)
  one <- as_landmarks(points[1, , drop = FALSE], x, bandwidth = 0.7)
  for (rows in list(x, x[7, , drop = FALSE])) {
    expect_equal(left_by(one, rows), naive_error(rows, points[1, , drop = FALSE], sqrt(0.35)))
  }
})

test_that("it is the same to the last bit for any number of threads, and close for every variant", {
  many <- odd_matrix(6000, 4)
  fit <- as_landmarks(many[1:30, ], many, bandwidth = 0.5)
  error <- function(threads, variant = "best") {
    withr::local_options(landmarker.threads = threads, landmarker.variant = variant)
    left_by(fit, many, n = 1:30)
  }
  one <- error(1)
  for (threads in c(2, 5)) expect_identical(error(threads), one)
  for (variant in .Call(C_variants)) expect_equal(error(2, variant), one, tolerance = 1e-12)
})

test_that("rows outside landmarks that nearly depend on each other count with what they have", {
  # Truth: Cholesky factors with 120 digits. Of 40 random rows the kernel's values show some 14.
  x <- withr::with_seed(6, matrix(stats::rnorm(200)))
  withr::local_seed(6)
  stats::rnorm(200)
  fit <- landmarks(x, 40, by_random(), bandwidth = stats::var(x[, 1]))
  error <- left_by(fit, x, n = 1:40)
  expect_equal(unname(error[c(1, 5, 10, 12)]), c(117.12, 31.4976, 5.76554, 3.42063), tolerance = 1e-3)
  expect_true(all(error[c(20, 30, 40)] >= c(0.420934, 4.40988e-4, 9.82098e-8)))
  expect_false(is.unsorted(-error))
  expect_equal(error[[40]], sum(predict(fit, x, type = "variance")), tolerance = 1e-9)
  expect_equal(200 * (1 - fit$explained), unname(error), tolerance = 1e-9)

})
