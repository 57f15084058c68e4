# The stream of random numbers; sparse is dense; variants of the products agree; a fit that was saved goes on
# as if it had not been. Bits with any number of threads: test-package-processes.R.

skip_slow_file()

solvers <- list(
  joint = by_gp(batch_size = c(60, 90), batches = c(2, 3), iterations = c(2, 1)), all_rows = by_gp(),
  random_start = by_gp(start = "random"),
  sequential = by_gp("sequential", batch_size = c(70, 100), iterations = c(3, 2)),
  sgd = by_gp("sgd", batch_size = 50, iterations = 30, step_size = function(s) 0.05 / s),
  random = by_random(),
  trace = by_gp(criterion = "trace", batch_size = c(60, 90), batches = c(2, 3), iterations = c(2, 1)),
  trace_alone = by_gp("sequential", "trace", batch_size = c(70, 100), iterations = c(3, 2)),
  active = by_active(), active_some = by_active(subset = 100, pivot = "random"),
  starts = by_kmeans(max_iterations = 0)
)

fit_with <- function(x, method, ...) {
  withr::with_seed(1, quiet(landmarks(x, 8, method, bandwidth = 6, ...)))
}

test_that("another seed gives other landmarks, and the stream moves on instead of being reset", {
  x <- odd_matrix(300, 5)
  for (name in setdiff(names(solvers), "all_rows")) {
    withr::local_seed(1)
    one <- quiet(landmarks(x, 8, solvers[[name]], bandwidth = 2))
    # The draws that a fit used up are gone, be it a single one.
    after <- stats::runif(3)
    two <- quiet(landmarks(x, 8, solvers[[name]], bandwidth = 2))
    expect_false(identical(coef(one), coef(two)), info = name)
    expect_false(identical(after, withr::with_seed(1, stats::runif(3))), info = name)
  }
})

test_that("a fit that draws nothing leaves the stream alone, and needs none", {
  x <- odd_matrix(100, 3)
  withr::local_seed(5)
  before <- .Random.seed
  fit <- landmarks(x, 5, bandwidth = 1)
  predict(fit, x, "variance", x = x)
  refine_landmarks(fit, x, 2)
  as_landmarks(x[1:3, ], x, bandwidth = 1)
  expect_identical(.Random.seed, before)
  withr::local_seed(6)
  expect_identical(bare(landmarks(x, 5, bandwidth = 1)), bare(fit))
})

test_that("sparse data give the landmarks of the same data stored densely, in every space", {
  for (space in c("nonnegative", "sphere", "nonnegative_sphere")) {
    fits <- lapply(sparse_case(300, 15), function(x) {
      # Some rows are far from the sphere.
      quiet(fit_with(x, solvers$sequential, weights = 1:300, space = space), c("weights", "space"))
    })
    for (part in c("landmarks", "variance", "explained", "log_det", "nearest", "rows", "bandwidth")) {
      expect_equal(fits$sparse[[part]], fits$dense[[part]], tolerance = 1e-8, info = part)
    }
  }
})


test_that("a whole fit agrees between the variants, and an unknown one is an error, not a crash", {
  x <- odd_matrix(200, 13)
  a <- sparse_case(200, 11)
  for (name in names(solvers)) {
    fits <- lapply(stats::setNames(nm = .Call(C_variants)), function(v) {
      withr::local_options(landmarker.variant = v)
      lapply(list(x, a$sparse), fit_with, solvers[[name]])
    })
    for (other in fits[-1]) for (k in 1:2) {
      expect_equal(coef(other[[k]]), coef(fits$plain[[k]]), tolerance = 1e-8, info = name)
      expect_equal(other[[k]]$log_det, fits$plain[[k]]$log_det, tolerance = 1e-9, info = name)
    }
  }
  withr::local_options(landmarker.variant = "avx9")
  expect_error(landmarks(x, 2, bandwidth = 1), "variant")
})

test_that("a new process goes on from a saved fit with the same bits", {
  x <- odd_matrix(700, 4)
  fit <- fit_with(x, solvers$joint)
  go_on <- function(fit, x) {
    # Sparse data of the package can be indexed where Matrix is not attached.
    counts <- sum(landmarker::newsgroups[1:3, 1:5])
    set.seed(9)
    list(fit = suppressWarnings(landmarker::add_landmarks(fit, x, 5)), counts = counts)
  }
  there <- in_fresh_r(go_on, fit, x)
  parts <- setdiff(names(bare(fit)), "method")
  expect_identical(bare(there$fit)[parts], bare(go_on(fit, x)$fit)[parts])
  expect_identical(there$counts, sum(as.matrix(newsgroups[1:3, ])[, 1:5]))
})
