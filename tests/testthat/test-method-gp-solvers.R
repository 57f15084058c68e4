# The solvers of by_gp(): where they start, where they end, and odd data.

skip_slow_file()

x <- odd_matrix(80, 3)
eta <- 0.7
weights <- 0.1 + (seq_len(80) * 0.377) %% 2

gp_fit <- function(x, n, criterion = "trace", ..., bandwidth = eta, weights = NULL, space = "euclidean",
                   scale = FALSE, seed = 1) {
  withr::local_seed(seed)
  method <- by_gp(criterion = criterion, ...)
  quiet(landmarks(x, n, method, bandwidth = bandwidth, weights = weights, space = space, scale = scale))
}
points_of <- function(fit) unname(coef(fit))

# ---- starts --------------------------------------------------------------------------

test_that("the pivoted start is the greedy loop over the rows, also where wide ones come in many blocks", {
  wide <- odd_matrix(37, 10000) * (odd_matrix(37, 10000, 5) > 0.9)
  greedy <- naive_greedy(wide, 1000, 3)
  left <- naive_variance(wide, wide[greedy$rows, ], wide, 1000)
  for (x in list(wide, methods::as(wide, "CsparseMatrix"))) {
    fit <- gp_fit(x, 3, "volume", max_iterations = 0, bandwidth = 1000)
    expect_identical(fit$nearest, greedy$rows)
    expect_equal(fit$variance, greedy$variance, tolerance = 1e-10)
    expect_equal(fit$explained, naive_explained(wide, points_of(fit), 1000), tolerance = 1e-9)
    expect_equal(unname(predict(fit, x, "variance", x = x)), left, tolerance = 1e-9)
  }
})

test_that("with no iterations the fit is the start, by the volume and by the trace", {
  for (w in list(NULL, weights)) {
    greedy <- naive_greedy(x, eta, 9, w)
    for (solver in c("joint", "sequential")) {
      fit <- gp_fit(x, 9, "volume", solver = solver, candidates = 80, max_iterations = 0, weights = w)
      expect_identical(points_of(fit), x[greedy$rows, ])
      expect_equal(fit$variance, greedy$variance, tolerance = 1e-10)
    }
    rows <- naive_trace_order(x, x, eta, w, n = 9)
    expect_identical(points_of(gp_fit(x, 9, max_iterations = 0, weights = w)), x[rows, ])
  }
  # Beside landmarks that are fixed, and where rows are moved into the space: the kernel is that of
  # the points that they become.
  fixed <- gp_fit(x, 3)
  more <- add_landmarks(fixed, x, 4, by_gp(max_iterations = 0))
  all <- rbind(points_of(fixed), x)
  expect_identical(points_of(more), all[naive_trace_order(x, all, eta, fixed = 3, n = 7), ])
  on <- naive_project(x, "sphere")
  fit <- gp_fit(x, 6, max_iterations = 0, space = "sphere")
  expect_equal(points_of(fit), on[naive_trace_order(x, on, eta, n = 6), ], tolerance = 1e-14)
})

# ---- where climbs end ----------------------------------------------------------------

test_that("a joint fit on all rows is a stationary point of its criterion", {
  for (w in list(NULL, weights)) {
    volume <- gp_fit(x, 5, "volume", max_iterations = 5000, tolerance = 1e-8, weights = w)
    expect_equal(naive_step(x, points_of(volume), eta, w), points_of(volume), tolerance = 1e-6)
    trace <- gp_fit(x, 5, max_iterations = 5000, tolerance = 1e-7, weights = w)
    expect_lt(max(abs(naive_uphill(naive_trace, x, points_of(trace), eta, w))), 1e-4)
    # The volume's end is not the trace's.
    expect_gt(max(abs(naive_uphill(naive_trace, x, points_of(volume), eta, w))), 1e-3)
    for (fit in list(volume, trace)) {
      expect_true(fit$exact)
      expect_lt(fit$iterations[1], 5000)
      expect_true(all(summary(fit)$converged))
    }
  }
})

test_that("one at a time, each landmark is a stationary point given those before it, in that order", {
  long <- list(solver = "sequential", iterations = c(500, 500), max_iterations = 2000, tolerance = 1e-8)
  volume <- do.call(gp_fit, c(list(x, 7, "volume"), long))
  t <- points_of(volume)
  for (k in 1:7) {
    variance <- naive_variance(x, t[seq_len(k - 1), , drop = FALSE], t[k, , drop = FALSE], eta)
    expect_equal(volume$variance[k], variance, tolerance = 1e-9)
    expect_equal(naive_eq10(x, t[seq_len(k), , drop = FALSE], eta), t[k, ], tolerance = 1e-5)
  }
  t <- points_of(do.call(gp_fit, c(list(x, 4), long)))
  for (k in 1:4) {
    slope <- naive_uphill(naive_trace, x, t[seq_len(k), , drop = FALSE], eta, of = k)
    expect_lt(max(abs(slope)), 1e-4)
  }
  three <- gp_fit(x, 3, "volume", solver = "sequential")
  expect_identical(coef(gp_fit(x, 2, "volume", solver = "sequential")), coef(three)[1:2, ])
})

test_that("on batches each landmark is nearly a top of V over all rows, given those before it", {
  rows <- withr::with_seed(7, sim_spiral(3000))
  t <- points_of(gp_fit(rows, 4, "volume", solver = "sequential", bandwidth = 0.5, seed = 7))
  for (k in 1:4) {
    away <- sqrt(sum((naive_eq10(rows, t[seq_len(k), , drop = FALSE], 0.5) - t[k, ])^2))
    expect_lt(away, 0.05 * sqrt(0.5))
  }
})

test_that("each criterion is larger than by the other, by random rows and one at a time", {
  withr::local_seed(21)
  data <- unclass(sim_swiss_roll(400))
  fit <- function(...) gp_fit(data, 20, ..., bandwidth = 8)
  volume <- fit("volume")
  sequential <- fit("volume", solver = "sequential")
  random <- lapply(1:5, function(i) landmarks(data, 20, "random", bandwidth = 8))
  explained <- function(fit) naive_trace(data, points_of(fit), 8)
  expect_gt(explained(fit()), max(vapply(c(random, list(volume)), explained, 0)))
  best <- max(vapply(random, `[[`, 0, "log_det"))
  expect_gt(volume$log_det, max(best + 1, sequential$log_det - 0.01))
  expect_gt(sequential$log_det, best)
  expect_lt(max(volume$nearest_distance), 0.5 * sqrt(8))
})

test_that("climbs on batches get almost as high as those on all rows", {
  toy <- withr::with_seed(9, sim_circles(3000))
  batches <- list(batch_size = c(300, 600), batches = c(10, 20), iterations = c(2, 1))
  fit <- do.call(gp_fit, c(list(toy, 12, "volume", bandwidth = 0.5, seed = 9), batches))
  expect_false(fit$exact)
  expect_identical(unique(fit$iterations), 40L)
  all <- gp_fit(toy, 12, "volume", batch_size = 3000, start = coef(fit), bandwidth = 0.5)
  expect_true(all$exact)
  expect_gt(fit$log_det, all$log_det - 0.2)
  expect_true(all(fit$moved < 0.5))
  many <- odd_matrix(3000, 3)
  # Iterations on all rows follow where a batch would have them all.
  both <- gp_fit(many, 8, batch_size = c(300, 3000), batches = 6, iterations = 2, max_iterations = 5)
  expect_identical(unique(both$iterations), 17L)
  # At a bandwidth at which no row sees another a batch pulls landmarks onto its own rows: they stay.
  fit <- gp_fit(odd_matrix(4000, 30), 5, batch_size = 50, batches = 3, bandwidth = 0.01)
  expect_identical(fit$iterations, rep(0L, 5))
  expect_true(all(fit$nearest_distance == 0))
})

test_that("going on from a fit climbs its criterion", {
  fit <- gp_fit(x, 4)
  value <- function(...) naive_trace(x, points_of(add_landmarks(fit, x, 3, ...)), eta)
  expect_gt(value(), value(by_gp(max_iterations = 0)))
  expect_gt(value(), value(by_gp(criterion = "volume")))
})

# ---- rows, weights, spaces, columns ----------------------------------------------------

test_that("weights that are counts are repeated rows, and count by their ratios only", {
  # Rows of weight 0 are rows that are not there.
  counts <- replace(1 + (seq_len(80) * 7) %% 4, c(4, 9), 0)
  repeated <- x[rep(1:80, counts), ]
  start <- x[c(2, 30, 44, 61, 75, 80), ]
  cases <- list(
    list(criterion = "volume", start = start),
    list(criterion = "volume", solver = "sequential", candidates = 400),
    list(criterion = "trace", max_iterations = 2000, tolerance = 1e-6)
  )
  for (case in cases) {
    learn <- function(x, weights) do.call(gp_fit, c(list(x, 6, weights = weights), case))
    fit <- learn(x, counts)
    long <- learn(repeated, NULL)
    # A climb by the trace ends within its tolerance.
    digits <- if (case$criterion == "trace") 1e-3 else 1e-7
    expect_equal(coef(fit), coef(long), tolerance = digits)
    expect_equal(fit$explained, long$explained, tolerance = 1e-6)
    # Weights are of mean 1, so that G is smaller by the mean count.
    expect_equal(fit$log_det + 6 * log(mean(counts)), long$log_det, tolerance = digits)
    expect_equal(coef(learn(x, counts * 1e6)), coef(fit), tolerance = 1e-9)
    expect_gt(max(abs(coef(fit) - coef(learn(x, NULL)))), 0.01)
  }
})

test_that("every solver stays in every space, and climbs there", {
  corner <- odd_matrix(90, 4) + 0.7
  ball <- function(t) t / max(1, sqrt(sum((t / c(1, 2, 3, 4))^2)))
  solvers <- list(
    list("volume", "joint"), list("volume", "sequential"), list("volume", "sgd"), list("trace", "joint"),
    list("trace", "sequential")
  )
  for (space in list("nonnegative", "sphere", "nonnegative_sphere", ball)) for (by in solvers) {
    learn <- function(...) {
      points_of(gp_fit(corner, 6, by[[1]], solver = by[[2]], step_size = function(s) 0.1 / s, space = space,
        iterations = 15, ...))
    }
    found <- learn()
    expect_identical(dim(found), c(6L, 4L))
    expect_lt(naive_violation(found, space), 1e-13)
    value <- if (by[[1]] == "trace") naive_trace else naive_log_det
    start <- learn(max_iterations = 0)
    if (by[[2]] != "sgd") expect_gt(value(corner, found, eta), value(corner, start, eta))
  }
  # On batches, where the last are averaged.
  fit <- gp_fit(corner, 4, "volume", batch_size = 40, batches = 8, space = "sphere")
  expect_false(fit$exact)
  expect_lt(naive_violation(coef(fit), "sphere"), 1e-13)
  # A user's function sees the columns' names and the data's units.
  fit <- gp_fit(`colnames<-`(x, c("a", "b", "c")), 4, space = function(t) replace(t, "b", 0.25), scale = TRUE)
  expect_equal(unname(coef(fit)[, "b"]), rep(0.25, 4), tolerance = 1e-14)
})

test_that("nonnegative landmarks are not below 0 by a rounding error either where columns are scaled", {
  # Many columns, because which of them round the wrong way depends on their means.
  withr::local_seed(2)
  part <- matrix(stats::rbinom(200 * 60, 1, 0.4), 200) * rep(stats::runif(60, 0.1, 9), each = 200)
  for (solver in c("joint", "sequential", "sgd")) {
    fit <- gp_fit(part, 10, "volume", solver = solver, iterations = if (solver == "sgd") 20,
      space = "nonnegative", scale = TRUE, bandwidth = 40)
    expect_gt(mean(abs(coef(fit)) < 1e-12), 0.02)
    expect_gte(min(coef(fit)), 0)
  }
})

test_that("rows that are one point of the space do not stop the climb, nor a start that has one twice", {
  # 12 directions, each at two distances from the origin: on the circle 12 points.
  direction <- cbind(cos(1:12), sin(1:12))
  rays <- rbind(direction, 4 * direction)
  for (wide in c(0.5, 1)) for (solver in c("joint", "sequential")) {
    expect_no_warning(fit <- gp_fit(rays, 8, "volume", solver = solver, bandwidth = wide, space = "sphere"))
    expect_length(fit, 8)
    expect_true(all(is.finite(fit$moved)))
    if (solver == "joint") expect_gt(min(fit$iterations), 0)
  }
  fit <- suppressWarnings(gp_fit(x, 4, "volume", start = x[c(2, 30, 44, 2), ]))
  expect_length(fit, 4)
  expect_gt(min(fit$iterations[1:3]), 0)
})

test_that("as many landmarks as rows, one row and two far rows are right", {
  few <- odd_matrix(7, 3)
  fit <- gp_fit(few, 7, "volume", bandwidth = 0.1)
  expect_equal(fit$explained[7], 1 - reconstruction_error(fit, few) / 7, tolerance = 1e-12)
  # One row: the landmark is that row, with V = 1 and log det 0.
  for (solver in c("joint", "sequential", "sgd")) {
    alone <- gp_fit(matrix(c(3, -2), 1), 1, "volume", solver = solver, bandwidth = 2)
    expect_equal(points_of(alone), matrix(c(3, -2), 1), tolerance = 1e-12)
    expect_equal(c(alone$variance, alone$log_det, alone$explained), c(1, 0, 1), tolerance = 1e-12)
  }
  two <- gp_fit(matrix(c(0, 10)), 2, "volume", bandwidth = 1)
  expect_equal(sort(as.vector(coef(two))), c(0, 10), tolerance = 1e-12)
  expect_equal(two$variance, c(0.5, 0.5), tolerance = 1e-12)
})

test_that("one landmark after another is found where most rows are equal", {
  one_by_one <- function(x, n, ..., bandwidth = "variance") {
    gp_fit(x, n, ..., solver = "sequential", bandwidth = bandwidth)
  }
  x <- withr::with_seed(1, rbind(matrix(0, 900, 5), matrix(stats::rnorm(500), 100)))
  fit <- one_by_one(x, 30, "volume")
  expect_length(fit, 30)
  expect_gt(min(fit$variance), 0)
  # With batches, in which rows that differ are rare, and with more landmarks than there are such rows.
  x <- withr::with_seed(1, rbind(matrix(1, 2000, 3), matrix(stats::rnorm(120), 40)))
  expect_length(one_by_one(x, 30, "volume", bandwidth = "0.1 * variance"), 30)
  expect_warning(fit <- one_by_one(x, 44, bandwidth = "0.1 * variance"), "41 of 44")
  expect_length(fit, 41)
  few <- withr::with_seed(8, matrix(stats::rnorm(10), 5))[rep(1:5, 600), ]
  expect_snapshot(fit <- landmarks(few, 9, bandwidth = 1))
  expect_length(fit, 5)
})

# ---- Algorithm 1 as published --------------------------------------------------------

test_that("Algorithm 1 as a whole is its loop in R, step by step", {
  # Batches are all rows here, so that only the normal start is drawn.
  for (kind in c("raw", "unit")) for (space in c("euclidean", "nonnegative")) {
    # Small steps: of the default length they jump about, and double every rounding error.
    rate <- function(s) 0.01 * (10 + s)^-0.51
    fit <- gp_fit(x, 2, "volume", solver = "sgd", iterations = 60, gradient = kind, step_size = rate,
      space = space, seed = 12)
    withr::local_seed(12)
    at <- matrix(0, 0, 3)
    for (k in 1:2) {
      at <- naive_project(rbind(at, stats::rnorm(3, colMeans(x), apply(x, 2, stats::sd))), space)
      for (s in 1:60) {
        g <- naive_gradient(x, at, eta)
        if (kind == "unit") g <- g / sqrt(sum(g^2))
        at[k, ] <- naive_project(rbind(at[k, ] + rate(s) * g), space)
      }
    }
    expect_equal(points_of(fit), at, tolerance = 1e-9)
    expect_identical(fit$iterations, c(60L, 60L))
  }
  s <- c(1, 2, 10, 1000)
  expect_equal(by_gp("sgd")$step_size(s), (10 + s)^-0.51, tolerance = 1e-15)
  # It starts anywhere: with a narrow bandwidth no feature is above 0 there.
  expect_error(
    gp_fit(x, 3, "volume", solver = "sgd", iterations = 5, bandwidth = 1e-20), class = "landmarker_error"
  )
})

# ---- options ---------------------------------------------------------------------------

test_that("the trace is the criterion of the joint solver, and of no other", {
  for (solver in c("joint", "sequential", "sgd")) {
    expect_identical(by_gp(solver)$criterion, if (solver == "joint") "trace" else "volume")
  }
  expect_refused(by_gp(criterion = "x"), by_gp("sgd", criterion = "trace"))
})
