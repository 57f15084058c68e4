# The order of landmarks, and what becomes of those that depend on others.

x <- odd_matrix(90, 3)
eta <- 0.5
weights <- 0.05 + (seq_len(90) * 0.377) %% 2

test_that("joint landmarks come in the greedy order of their criterion, with what belongs to it", {
  for (w in list(NULL, weights)) {
    learn <- function(criterion, n) {
      withr::with_seed(3, landmarks(x, n, by_gp(criterion = criterion), bandwidth = eta, weights = w))
    }
    fit <- learn("volume", 15)
    expect_gt(fit$iterations[1], 2)
    t <- unname(coef(fit))
    again <- naive_pivoted(naive_gram(x, t, eta, w))
    expect_identical(again$order, 1:15)
    expect_equal(fit$variance, again$pivot / 90, tolerance = 1e-9)
    expect_equal(fit$log_det, naive_log_det(x, t, eta, w), tolerance = 1e-10)
    expect_equal(fit$explained, naive_explained(x, t, eta, w), tolerance = 1e-9)
    fit <- learn("trace", 8)
    expect_identical(naive_trace_order(x, unname(coef(fit)), eta, w), 1:8)
    more <- add_landmarks(fit, x, 5, weights = w)
    expect_identical(naive_trace_order(x, unname(coef(more)), eta, w, fixed = 8), 1:13)
  }
})

test_that("wide bandwidths end with a warning and as many landmarks as the rank", {
  # At eta = 1e16 the kernel is 1 up to the last digits, at 1e8 no more is left of it than 1, x1, x2, x3.
  for (case in list(c(4, 1e16, 1), c(9, 1e8, 4))) {
    expect_warning(
      fit <- quiet(landmarks(x, case[1], by_volume(), bandwidth = case[2])), class = "landmarker_warning_rank"
    )
    expect_identical(nrow(coef(fit)), as.integer(case[3]))
  }
})

test_that("of landmarks in a given order the last is the one that depends on others", {
  # At this bandwidth the kernel of three points on a line has rank two, and 9 has the second pivot.
  fit <- as_landmarks(matrix(c(5, 6, 9)), matrix(1:10), bandwidth = 1e9)
  expect_identical(fit$variance > 0, c(TRUE, TRUE, FALSE))
  expect_lt(1 - fit$explained[2], 1e-14)
})

test_that("what is explained does not count landmarks that are left out", {
  withr::local_seed(2)
  x <- rbind(matrix(0, 50, 2), matrix(stats::rnorm(20), 10))
  withr::local_seed(1)
  fit <- suppressWarnings(landmarks(x, 14, by_gp("sequential", "trace")))
  # Of the 14 some depend on others; .09082 is left, and with what those explain .09087.
  expect_lt(length(fit), 14)
  expect_equal(nrow(x) * (1 - fit$explained[length(fit)]), reconstruction_error(fit, x), tolerance = 1e-9)
  expect_length(fit$iterations, length(fit))
})

test_that("sums over a share of the rows estimate those over all rows", {
  x <- withr::with_seed(1, unclass(sim_swiss_roll(3000)))
  for (w in list(NULL, rep(c(1, 0, 2), 1000))) {
    source <- as_source(x, w)
    order <- function(...) {
      greedy_order(x[c(1, 4, 6, 7, 9), ], source, new_kernel(30), 5L, "trace", compute_with(), ...)
    }
    all <- order()
    some <- order(sums = function(...) nystrom_sums(..., rows = 300))
    explained <- function(order) 1 - left_after(order$gain, order$pass) / total_weight(source)
    expect_equal(explained(some), explained(all), tolerance = 0.15)
    expect_lt(explained(all)[1], 0.2)
    expect_equal(some$pass$total, total_weight(source))
    expect_equal(some$pass$within, all$pass$within, tolerance = 0.15)
    found <- list(landmarks = x[c(1, 4, 6, 7, 9), ], rows = rep(NA, 5))
    near <- nearest_of_landmarks(found, some$pass, source, compute_with())
    expect_identical(near, list(row = all$pass$nearest, distance = all$pass$distance))
  }
})

test_that("thinned rows are as even in every phase of a period", {
  all <- thinned_rows(1e5L, 0.1)
  expect_lt(abs(length(all) - 1e4), 11)
  for (period in c(2, 3, 100)) {
    expect_lt(max(abs(table(factor(all %% period, 0:(period - 1))) / (1e4 / period) - 1)), 0.15)
  }
  expect_length(c(thinned_rows(0L, 0.1), thinned_rows(5L, 1e-6)), 0)
})

test_that("passes over chunks of the rows join to the pass over all rows", {
  x <- odd_matrix(90, 3)
  # Each landmark is equally near to two rows, in different chunks.
  x <- rbind(x, x[c(3, 50, 71), ])
  points <- x[c(3, 50, 71, 8), ]
  settings <- c(list(fixed = 0L, floor = kernel_floor), compute_with())
  pass <- function(rows) {
    found <- nystrom_over(as_source(x[rows, ]), points, new_kernel(eta), settings)
    found$nearest <- rows[found$nearest]
    found
  }
  all <- pass(1:93)
  joined <- Reduce(join_passes, lapply(list(1:40, 41:60, 61:93), pass))
  expect_identical(joined$nearest, c(3L, 50L, 71L, 8L))
  expect_equal(joined[names(all)], all, tolerance = 1e-12)
})
