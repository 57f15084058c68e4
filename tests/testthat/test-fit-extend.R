# Going on from a fit: add_landmarks(), refine_landmarks().

skip_slow_file()

x <- odd_matrix(150, 3)
corners <- x[c(1, 40, 80, 120), ]
eta <- 0.6
weights <- 0.05 + (seq_len(150) * 0.377) %% 2

test_that("add_landmarks holds the old ones to the last bit, whatever the method", {
  fit <- base_fit()
  for (method in list(NULL, by_volume("sequential"), by_volume("sgd", iterations = 10), by_random())) {
    more <- withr::with_seed(2, add_landmarks(fit, x, 5, method = method))
    expect_identical(unname(coef(more)[1:8, ]), unname(coef(fit)))
    expect_length(more, 13)
    for (part in c("iterations", "moved")) expect_identical(more[[part]][1:8], fit[[part]])
    expect_identical(more$bandwidth, fit$bandwidth)
    expect_equal(more$variance[1:8], fit$variance, tolerance = 1e-12)
  }
})

test_that("new landmarks come in greedy order given the old ones, in the same space and units", {
  named <- `colnames<-`(x %*% diag(c(1, 20, 0.1)) + 3, c("a", "b", "c"))
  for (w in list(NULL, weights)) {
    withr::local_seed(3)
    fit <- landmarks(named, 8, by_volume(), bandwidth = 2, scale = TRUE, space = "nonnegative", weights = w)
    more <- add_landmarks(fit, named[, c("c", "a", "b")], 6, weights = w)
    expect_identical(colnames(coef(more)), c("a", "b", "c"))
    expect_gte(min(coef(more)), 0)
    z <- t(t(named) * fit$factor)
    t <- t(t(unname(coef(more))) * fit$factor)
    again <- naive_pivoted(naive_gram(z, t, 2, w), fixed = 8)
    expect_identical(again$order, 1:14)
    expect_equal(more$variance, again$pivot / 150, tolerance = 1e-9)
    expect_equal(more$explained, naive_explained(z, t, 2, w), tolerance = 1e-9)
    expect_equal(more$log_det, naive_log_det(z, t, 2, w), tolerance = 1e-10)
  }
})

test_that("a dependent point of a fit stays, and others are added or refined as without it", {
  fit <- as_landmarks(x[c(5, 9, 5, 60), ], x, bandwidth = eta)
  more <- add_landmarks(fit, x, 4)
  expect_identical(unname(coef(more)[1:4, ]), unname(coef(fit)))
  expect_identical(more$variance[3], 0)
  less <- suppressWarnings(add_landmarks(as_landmarks(x[c(5, 9, 60), ], x, bandwidth = eta), x, 4))
  expect_gt(less$iterations[4], 0)
  expect_equal(coef(more)[5:8, ], coef(less)[4:7, ], tolerance = 1e-8, ignore_attr = TRUE)
  # Refining moves the two apart.
  better <- refine_landmarks(fit, x, 5)
  expect_identical(nrow(unique(coef(better))), 4L)
  expect_lt(reconstruction_error(better, x), reconstruction_error(refine_landmarks(fit[c(1, 2, 4)], x, 5), x))
  expect_warning(same <- refine_landmarks(fit, x, 0), class = "landmarker_warning_rank")
  expect_length(same, 3)
})

test_that("more landmarks than rows are refused, and too many for the rank end with a warning", {
  expect_error(add_landmarks(base_fit(), x, 143), class = "landmarker_error_rank")
  five <- odd_matrix(5, 3)[rep(1:5, 4), ]
  withr::local_seed(4)
  three <- landmarks(five, 3, by_volume(), bandwidth = eta)
  expect_warning(more <- add_landmarks(three, five, 6), class = "landmarker_warning_rank")
  expect_identical(nrow(coef(more)), 5L)
  expect_identical(coef(more)[1:3, ], coef(three))
})

test_that("refine_landmarks() never lowers log det, in any space, nor where n comes near the kernel's rank", {
  hard <- hard_case()
  all <- list(
    digits = list(digits$images[1:200, ] / 255, "variance", "nonnegative"),
    sparse = list(sparse_case(300, 20)$sparse, 6, "sphere"), hard = list(hard$x, hard$bandwidth, "euclidean")
  )
  for (name in names(all)) {
    x <- all[[name]][[1]]
    method <- if (name == "hard") by_gp(start = hard$start, max_iterations = 0) else by_random()
    n <- if (name == "hard") 50 else 12
    withr::local_seed(5)
    # One of them is far from its sphere, which it says.
    fit <- suppressWarnings(landmarks(x, n, method, bandwidth = all[[name]][[2]], space = all[[name]][[3]]))
    last <- fit$log_det
    for (round in 1:3) {
      better <- refine_landmarks(fit, x, criterion = "volume", max_iterations = 3)
      expect_length(better, n)
      expect_gte(better$log_det, fit$log_det - 1e-9, label = name)
      now <- quick_log_det(unname(as.matrix(x))[, ], unname(coef(better)), fit$bandwidth)
      if (name == "hard") expect_gt(now, last)
      last <- now
      expect_equal(better$log_det, now, tolerance = if (name == "hard") 1e-6 else 1e-9, label = name)
      expect_identical(better$iterations, rep(max(better$iterations), n), label = name)
      fit <- better
    }
    expect_lt(naive_violation(coef(fit), all[[name]][[3]]), 1e-13)
  }
})

test_that("refining on all rows makes the steps of L-BFGS from T+, and comes in greedy order", {
  for (w in list(NULL, weights)) {
    fit <- as_landmarks(corners, x, bandwidth = eta, weights = w)
    some <- refine_landmarks(fit, x, criterion = "volume", max_iterations = 4, weights = w, tolerance = 0)
    expect_identical(some$iterations, rep(4L, 4))
    steps <- naive_quasi_newton(x, corners, eta, 4, w)
    order <- naive_pivoted(naive_gram(x, steps, eta, w))$order
    expect_equal(unname(coef(some)), steps[order, ], tolerance = 1e-9)
  }
})

test_that("max_iterations = 0 changes nothing but the order", {
  fit <- base_fit()
  order_again <- function(fit) refine_landmarks(fit, x, criterion = "volume", max_iterations = 0)
  same <- order_again(fit)
  for (part in c("landmarks", "iterations", "variance", "log_det", "nearest", "explained", "moved")) {
    expect_equal(same[[part]], fit[[part]], tolerance = 1e-14, info = part)
  }
  expect_identical(summary(same)$converged, summary(fit)$converged)
  # From another order: greedy order is found again.
  back <- order_again(as_landmarks(coef(fit)[8:1, ], x, bandwidth = eta))
  expect_equal(unname(coef(back)), unname(coef(fit)), tolerance = 0)
})

test_that("landmarks have converged by the tolerance of the last call", {
  x <- odd_matrix(400, 4)
  fit <- withr::with_seed(1, landmarks(x, 6, "random", bandwidth = 4))
  converged <- function(tolerance) {
    refined <- quietly(refine_landmarks(fit, x, 30, tolerance = tolerance))
    expect_identical(glance(refined)$converged, sum(refined$moved <= tolerance))
    glance(refined)$converged
  }
  expect_identical(converged(1e-9), 0L)
  expect_identical(converged(0.1), 6L)
})

test_that("a fit says how its landmarks were found, step after step", {
  history <- function(fit) {
    sub("^  (method|then) +", "", grep("^  (method|then)", utils::capture.output(print(fit)), value = TRUE))
  }
  withr::local_seed(1)
  fit <- landmarks(x, 6, "random", bandwidth = eta)
  refined <- refine_landmarks(fit, x, 3)
  steps <- c("random rows", "refined by the trace criterion, 3 iterations on all rows")
  expect_identical(history(refined), steps)
  # What did not move was not refined.
  expect_identical(history(refine_landmarks(fit, x, 0)), "random rows")
  more <- add_landmarks(refined, x, 2, by_dpp(neighbors = 5, sigma = 1))
  expect_identical(history(more)[1:2], steps)
  expect_match(history(more)[3], "^2 added: approximate determinantal point process")
  by_volume <- refine_landmarks(fit, x, 1, criterion = "volume")
  expect_identical(history(by_volume)[2], "refined by the volume criterion, 1 iteration on all rows")
})
