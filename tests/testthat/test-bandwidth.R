# The rule of the bandwidth makes room for as many landmarks as are asked for.

flat <- function(x) {
  attr(x, "position") <- NULL
  unname(unclass(x))
}

# The pivots of the kernel matrix of all rows, by R's own pivoted Cholesky: largest first.
pivots <- function(x, eta) {
  k <- exp(-as.matrix(stats::dist(x))^2 / eta)
  r <- suppressWarnings(chol(k, pivot = TRUE, tol = 1e-12))
  diag(r)[seq_len(attr(r, "rank"))]^2
}

wide_cases <- function() {
  withr::local_seed(1)
  list(
    circles = list(flat(sim_circles(900)), 100), spiral = list(flat(sim_spiral(900)), 80),
    roll = list(flat(sim_swiss_roll(800)), 200), iris = list(unname(as.matrix(unique(iris[1:4]))), 140)
  )
}

test_that("where the variance is too wide the rule is the widest bandwidth that tells n rows apart", {
  all <- wide_cases()
  for (name in names(all)) {
    x <- all[[name]][[1]]
    n <- all[[name]][[2]]
    variance <- sum(apply(x, 2, stats::var))
    withr::local_seed(2)
    expect_no_warning(fit <- landmarks(x, n))
    expect_identical(nrow(coef(fit)), as.integer(n), label = name)
    expect_lt(fit$bandwidth, variance)
    expect_gt(pivots(x, fit$bandwidth)[n], 0.99e-4)
    wider <- pivots(x, fit$bandwidth * 1.02)
    expect_true(length(wider) < n || wider[n] < 1.01e-4, label = name)
    expect_true(is.finite(fit$log_det))
    expect_gt(mean(fit$on_data), 0.9)
    expect_output(print(fit), paste0("variance, narrowed [0-9.]+ times to tell ", n, " landmarks apart"))
    # The same for methods that do not use the kernel, so that features compare.
    expect_equal(landmarks(x, n, "random")$bandwidth, fit$bandwidth)
  }
})

test_that("where there is room the rule is the variance itself, and no random number is drawn for it", {
  x <- as.matrix(iris[1:4])
  withr::local_seed(3)
  before <- .Random.seed
  found <- find_bandwidth("variance", as_source(x), 20)
  expect_identical(.Random.seed, before)
  expect_equal(found$value, sum(apply(x, 2, stats::var)), tolerance = 1e-14)
  expect_identical(found$rule, "variance")
  narrow <- find_bandwidth("variance", as_source(x), 130)
  expect_identical(.Random.seed, before)
  expect_lt(narrow$value, found$value)
})

test_that("a number or a multiple is kept, with a warning where the rank is used up", {
  withr::local_seed(4)
  x <- flat(sim_circles(500))
  variance <- sum(apply(x, 2, stats::var))
  for (bandwidth in list(variance, "1.0001 * variance")) {
    expect_warning(fit <- landmarks(x, 100, bandwidth = bandwidth), class = "landmarker_warning_rank")
    expect_equal(fit$bandwidth, variance, tolerance = 1e-3)
    expect_lt(nrow(coef(fit)), 100)
  }
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

test_that("rows of weight 0 make no room", {
  withr::local_seed(6)
  x <- flat(sim_spiral(400))
  alone <- find_bandwidth("variance", as_source(x), 60)$value
  more <- rbind(x, odd_matrix(300, 2) * 50)
  expect_equal(find_bandwidth("variance", as_source(more, rep(1:0, c(400, 300))), 60)$value, alone, tolerance = 0.02)
})
