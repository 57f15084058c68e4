# Landmarks keep their digits where the kernel is wide: order, rank, variances and the climb come from the
# Cholesky factor of the landmarks' own kernel.

# Pivoted Cholesky of the kernel matrix of all rows, straight from the definition: the error after each pivot,
# as long as one is above 1e-13.
naive_pivot_errors <- function(x, eta, n) {
  rest <- rep(1, nrow(x))
  l <- matrix(0, nrow(x), 0)
  error <- numeric()
  for (k in seq_len(n)) {
    j <- which.max(rest)
    if (rest[j] <= 1e-13) break
    column <- (naive_features(x, x[j, , drop = FALSE], eta) - l %*% l[j, ]) / sqrt(rest[j])
    l <- cbind(l, column)
    rest <- pmax(rest - column^2, 0)
    rest[j] <- 0
    error <- c(error, sum(rest))
  }
  error
}

wide_sets <- list(
  line = matrix(seq(0, 1, length.out = 50)), iris = as.matrix(iris[1:4]),
  quakes = scale(as.matrix(quakes[1:300, 1:4]))
)

# Fits of n landmarks find n, up to the rank of the kernel; they leave at most 1.2 times what rows by pivots
# leave, and not more than fewer landmarks.
expect_keeps_digits <- function(x, eta, sizes, about) {
  pivots <- naive_pivot_errors(x, eta, max(sizes))
  before <- Inf
  for (n in sizes[sizes <= nrow(x)]) {
    withr::local_seed(1)
    fit <- suppressWarnings(landmarks(x, n, bandwidth = eta))
    info <- paste(about, signif(eta, 3), n)
    asked <- min(n, length(pivots))
    error <- reconstruction_error(fit, x)
    # Rounding leaves some 1e-15 of each row.
    noise <- 1e-14 * nrow(x)
    expect_gte(length(fit), asked, label = info)
    expect_lte(error, max(1.2 * pivots[asked], noise), label = info)
    expect_lte(error, before * (1 + 1e-6) + noise, label = info)
    expect_equal(fit$explained[length(fit)], 1 - error / nrow(x), tolerance = 1e-12, info = info)
    before <- error
  }
}

test_that("as many landmarks are found as asked for up to the rank, with less error than rows by pivots", {
  times <- if (full_run()) c(1, 5, 10, 30, 100) else c(10, 100)
  sizes <- if (full_run()) c(2, 5, 8, 12, 20, 40, 60, 107, 200) else c(5, 40)
  for (set in names(wide_sets)) {
    x <- wide_sets[[set]]
    for (eta in times * sum(apply(x, 2, stats::var))) expect_keeps_digits(x, eta, sizes, set)
  }
  line <- if (full_run()) c(1, 2, 10, 30) else c(1, 30)
  for (eta in line) expect_keeps_digits(wide_sets$line, eta, 3:12, "line")
})

test_that("a climb in a narrow valley does not end at its side, and goes on by shorter steps", {
  # The most that is to be left: the optimum is that of general optimization of log(error).
  cases <- list(
    # 1.6e-6 is left at the side.
    list(wide_sets$line, 6, 1, 1.01 * 3.94e-7),
    # Without the shorter steps 8.9e-9.
    list(as.matrix(cars), 29, 3 * sum(apply(cars, 2, stats::var)), 6e-9),
    # 3,000 steps reach .0325.
    list(unique(wide_sets$iris), 10, 10 * sum(apply(unique(iris[1:4]), 2, stats::var)), 0.0335)
  )
  for (case in cases) {
    withr::local_seed(1)
    x <- case[[1]]
    fit <- landmarks(x, case[[2]], bandwidth = case[[3]])
    left <- reconstruction_error(fit, x)
    expect_lt(left, case[[4]])
    expect_gt(reconstruction_error(refine_landmarks(fit, x, 200), x), 0.95 * left)
  }
  short <- landmarks(x, 10, by_gp(max_iterations = 3), bandwidth = case[[3]])
  expect_gt(short$gain, 1e-3)
  expect_identical(glance(short)$converged, 0L)
})

test_that("landmarks have converged when the last step gains less than a hundredth of the tolerance", {
  for (tolerance in c(1e-6, 0.01)) {
    fit <- withr::with_seed(1, landmarks(iris[1:4], 10, by_gp(tolerance = tolerance)))
    expect_identical(glance(fit)$converged, 10L)
    expect_lte(max(fit$moved), tolerance)
    expect_lte(fit$gain, 0.01 * tolerance)
    expect_lt(max(fit$iterations), 200)
  }
})

test_that("with many rows and a wide kernel landmarks stay apart, and rows far from the others count", {
  skip_unless_full()
  cases <- list(
    list(matrix(seq(0, 1, length.out = 8000)), 5, 10),
    list(withr::with_seed(1, matrix(stats::rpois(8000, 30))), 25, 1),
    list(matrix(c(rep(0, 7800), withr::with_seed(1, stats::rnorm(200)))), 25, 10),
    list(withr::with_seed(1, matrix(stats::rcauchy(1500))), 14, 10)
  )
  for (case in cases) {
    x <- case[[1]]
    n <- case[[2]]
    eta <- case[[3]] * stats::var(x[, 1])
    fit <- withr::with_seed(2, landmarks(x, n, bandwidth = eta))
    error <- reconstruction_error(fit, x)
    expect_lt(error, naive_pivot_errors(x, eta, n)[n])
    # Longer climbs on all rows leave about half of it at the least.
    expect_lt(error, 2 * reconstruction_error(refine_landmarks(fit, x, 100), x))
    expect_equal(fit$explained[n], 1 - error / nrow(x), tolerance = 1e-12)
  }
})

test_that("landmarks of a line keep their digits by every method", {
  x <- wide_sets$line
  error <- function(fit) reconstruction_error(fit, x)
  fit <- withr::with_seed(1, landmarks(x, 8, bandwidth = 1))
  rows <- withr::with_seed(1, landmarks(x, 8, by_active(), bandwidth = 1))
  # Points of the user stay, and steps never raise the error.
  own <- as_landmarks(unname(coef(rows)), x, bandwidth = 1)
  expect_true(all(own$variance > 0))
  better <- list(refine_landmarks(own, x, 50), landmarks(x, 8, by_gp(start = coef(own)), bandwidth = 1))
  expect_identical(lengths(c(list(fit, rows), better)), rep(8L, 4))
  # General optimization of the logarithm of the error finds 1.14e-10.
  expect_lt(error(fit), 1.2e-10)
  expect_equal(error(rows), naive_pivot_errors(x, 1, 8)[8], tolerance = 1e-3)
  for (one in better) expect_lt(error(one), error(rows))
})

test_that("mean and variance have no ridge", {
  # Six points have a W of condition 1e8, which solve() bears.
  points <- matrix(seq(0, 1, length.out = 6))
  fit <- as_landmarks(points, wide_sets$line, bandwidth = 1)
  w <- naive_features(points, points, 1)
  k <- naive_features(matrix(1.2), points, 1)
  y <- sin(4 * points)
  expect_equal(predict(fit, matrix(1.2), values = y)[[1]], c(k %*% solve(w, y)), tolerance = 1e-6)
  expect_equal(predict(fit, matrix(1.2), "variance")[[1]], c(1 - k %*% solve(w, t(k))), tolerance = 1e-4)
  expect_equal(c(predict(fit, points, values = y)), c(y), tolerance = 1e-8)
})

test_that("a row that is far away does not spoil the landmarks of the others", {
  x <- withr::with_seed(7, matrix(stats::rnorm(600), 200))
  left <- function(x, n) {
    fit <- withr::with_seed(1, suppressWarnings(landmarks(x, n, bandwidth = 3)))
    expect_length(fit, n)
    reconstruction_error(fit, x)
  }
  for (far in c(1e11, 1e12)) expect_lt(left(rbind(x, far), 8), 1.1 * left(x, 7))
})

test_that("a climb ends where what remains is rounding", {
  cases <- list(
    list(withr::with_seed(3, matrix(rnorm(30))), 12, "10 * variance"),
    list(matrix(as.numeric(lynx)), 8, "100 * variance"), list(as.matrix(faithful), 10, "1000 * variance")
  )
  cases <- c(cases, lapply(8:14, function(n) list(wide_sets$line, n, 5)))
  for (case in cases) {
    fit <- suppressWarnings(landmarks(case[[1]], case[[2]], bandwidth = case[[3]]))
    expect_lt(max(fit$iterations), 200)
  }
})

test_that("refining loses no landmark that does not depend on others", {
  x <- withr::with_seed(6, matrix(rnorm(200)))
  fit <- withr::with_seed(6, suppressWarnings(landmarks(x, 40, by_random(), bandwidth = var(x[, 1]))))
  left <- function(fit) sum(predict(fit, x, type = "variance"))
  for (k in c(0, 5)) expect_lt(left(suppressWarnings(refine_landmarks(fit, x, k))), left(fit) + 1e-3)
  # Also where the measure would leave one out: 19 steps end where three landmarks are told apart, which
  # leave .437.
  x <- unname(as.matrix(expand.grid(1:40, 1:40) + 0))
  withr::local_seed(35)
  fit <- landmarks(x, 4, bandwidth = 100 * sum(apply(x, 2, stats::var)))
  again <- refine_landmarks(fit, x, 200)
  expect_length(again, 4)
  expect_lte(reconstruction_error(again, x), (1 + 1e-9) * reconstruction_error(fit, x))
})
