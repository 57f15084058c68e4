# The rule of the bandwidth makes room for as many landmarks as are asked for.

skip_slow_file()

flat <- function(x) unname(x[, ])

# The pivots of the kernel matrix of all rows, by R's own pivoted Cholesky: largest first, and of those that
# tie, as all do at first, the row that is nearest to all others.
pivots <- function(x, eta) {
  squared <- as.matrix(stats::dist(x))^2
  middle <- order(signif(rowSums(squared), 10))
  k <- exp(-squared[middle, middle] / eta)
  r <- suppressWarnings(chol(k, pivot = TRUE, tol = 1e-12))
  diag(r)[seq_len(attr(r, "rank"))]^2
}

test_that("where the variance is too wide the rule is the widest bandwidth that tells n rows apart", {
  withr::local_seed(1)
  all <- list(
    circles = list(flat(sim_circles(900)), 100), roll = list(flat(sim_swiss_roll(800)), 200),
    iris = list(unname(as.matrix(unique(iris[1:4]))), 140)
  )
  for (name in names(all)) {
    x <- all[[name]][[1]]
    n <- all[[name]][[2]]
    variance <- sum(apply(x, 2, stats::var))
    withr::local_seed(2)
    expect_no_warning(fit <- landmarks(x, n))
    expect_identical(nrow(coef(fit)), as.integer(n), label = name)
    expect_lt(fit$bandwidth, variance)
    expect_gt(pivots(x, fit$bandwidth)[n], 0.99e-2)
    wider <- pivots(x, fit$bandwidth * 1.06)
    expect_true(length(wider) < n || wider[n] < 1.01e-2, label = name)
    expect_true(is.finite(fit$log_det))
    expect_gt(mean(fit$on_data), 0.9)
    expect_output(print(fit), paste0("variance, divided by [0-9.]+ so that ", n, " landmarks are"))
    # The same for methods that do not use the kernel, so that features compare.
    expect_equal(landmarks(x, n, "random")$bandwidth, fit$bandwidth)
  }
  # A number or a multiple is kept, with a warning where the rank is used up.
  x <- all$circles[[1]]
  variance <- sum(apply(x, 2, stats::var))
  for (bandwidth in list(variance, "1.0001 * variance")) {
    expect_warning(fit <- landmarks(x, 200, bandwidth = bandwidth), class = "landmarker_warning_rank")
    expect_equal(fit$bandwidth, variance, tolerance = 1e-3)
    expect_lt(nrow(coef(fit)), 200)
  }
  # Rows of weight 0 make no room.
  room <- function(...) find_kernel("variance", as_source(...), 60)$bandwidth
  more <- rbind(x, odd_matrix(300, 2) * 50)
  expect_equal(room(more, rep(1:0, c(900, 300))), room(x), tolerance = 0.06)
})

test_that("neither the order of the rows nor a very wide rule is in the way", {
  x <- as.matrix(iris[1:4])
  withr::local_seed(3)
  expect_equal(landmarks(x[sample(150), ], 50)$bandwidth, landmarks(x, 50)$bandwidth, tolerance = 1e-8)
  # Lengths of rivers: most are alike, a few are far longer.
  few <- landmarks(as.matrix(rivers), 80)
  expect_identical(nrow(coef(few)), 80L)
  expect_true(all(few$variance > 0))
})

test_that("where there is room the rule is the variance itself, and no random number is drawn for it", {
  x <- as.matrix(iris[1:4])
  withr::local_seed(3)
  before <- .Random.seed
  found <- find_kernel("variance", as_source(x), 20)
  expect_identical(.Random.seed, before)
  expect_equal(found$bandwidth, sum(apply(x, 2, stats::var)), tolerance = 1e-14)
  expect_identical(found$rule, "variance")
  narrow <- find_kernel("variance", as_source(x), 130)
  expect_identical(.Random.seed, before)
  expect_lt(narrow$bandwidth, found$bandwidth)
})

test_that("all different rows can be asked for, also where most rows are repeated", {
  withr::local_seed(5)
  different <- nrow(unique(iris[1:4]))
  fit <- landmarks(iris[1:4], different)
  expect_identical(nrow(coef(fit)), different)
  # 40 rows that differ, each of them among many copies of the first few.
  few <- odd_matrix(40, 3)
  x <- few[c(rep(1:3, 3000), 4:40), ]
  expect_no_warning(fit <- landmarks(x, 40))
  expect_identical(nrow(coef(fit)), 40L)
  expect_warning(fit <- landmarks(x, 41), class = "landmarker_warning_rank")
  expect_identical(nrow(coef(fit)), 40L)
})

test_that("where rows are all but equal the rule is not narrowed, and the rank is told", {
  withr::local_seed(7)
  clusters <- matrix(stats::rnorm(40), 20, 2)[rep(1:20, each = 15), ]
  x <- clusters + 1e-9 * stats::rnorm(600)
  variance <- sum(apply(x, 2, stats::var))
  fit <- suppressWarnings(landmarks(x, 25))
  expect_equal(fit$bandwidth, variance)
  expect_warning(landmarks(x, 25), class = "landmarker_warning_rank")
  # A point within a twentieth of the kernel's width of a row is on the data.
  expect_no_warning(fit <- landmarks(x, 15))
  expect_equal(fit$spacing, 0.05 * sqrt(variance), tolerance = 1e-6)
})

test_that("landmarks that end as good as equal are replaced, so that n are found in every draw", {
  # Without that these draws give 99.
  for (case in list(c(800, 7), c(1500, 6), c(1500, 8), c(3000, 4))) {
    withr::local_seed(case[2])
    x <- flat(sim_circles(case[1]))
    expect_no_warning(fit <- landmarks(x, 100))
    expect_identical(nrow(coef(fit)), 100L)
    expect_gt(min(fit$variance), 0)
  }
})

test_that("the median counts pairs of rows by the product of their weights", {
  x <- odd_matrix(31, 2)
  w <- rep(1:3, length.out = 31)
  times <- outer(w, w)
  squared <- rep(as.vector(stats::dist(x))^2, times[lower.tri(times)])
  middle <- unname(stats::quantile(squared, 0.5, type = 1))
  expect_equal(find_kernel("median", as_source(x, w))$bandwidth, middle)
})
