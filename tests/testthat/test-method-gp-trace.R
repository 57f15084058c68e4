# The second criterion: tr(W^-1 G), what Nystrom explains of the kernel.

eta <- 0.7
x <- odd_matrix(80, 3)
points <- odd_matrix(6, 3, 900)
weights <- 0.1 + (seq_len(80) * 0.377) %% 2

# What one step of a climb proposes, and the value before. A step that was halved is doubled again.
proposal <- function(x, points, eta, fixed = 0L, weights = NULL, scale = FALSE) {
  settings <- list(
    over = "all", fixed = fixed, criterion = "trace", max_iterations = 1L, halvings = 8L, tolerance = 0
  )
  kernel <- list(bandwidth = eta, space = "euclidean")
  up <- .Call(C_climb, as_source(x, weights, scale), points, kernel, c(settings, compute_with()))
  list(value = up$start, landmarks = points + 2^up$halvings * (up$landmarks - points))
}

# (eta / 4) grad f, all landmarks, by central differences of two lengths.
naive_slope <- function(x, t, eta, weights = NULL) {
  slope <- function(i, h) {
    up <- down <- t
    up[i] <- up[i] + h
    down[i] <- down[i] - h
    (naive_trace(x, up, eta, weights) - naive_trace(x, down, eta, weights)) / (2 * h)
  }
  out <- t
  for (i in seq_along(t)) out[i] <- eta / 4 * (4 * slope(i, 1e-3) - slope(i, 2e-3)) / 3
  out
}

# T + 1.5 A^-1 R of the moving landmarks: R = (eta / 4) grad f and A = diag(max(s, mean(s) / 10) - M1) + M,
# s the diagonal of G W^-1, M = (W^-1 G W^-1) o W.
naive_proposal <- function(x, t, eta, weights = NULL, fixed = 0) {
  k <- naive_features(t, t, eta)
  w <- k
  g <- naive_gram(x, t, eta, weights)
  s <- diag(g %*% solve(w))
  m <- (solve(w) %*% g %*% solve(w)) * w
  a <- diag(pmax(s, mean(s) / 10) - rowSums(m), nrow(t)) + m
  moving <- seq_len(nrow(t)) > fixed
  a <- a[moving, moving, drop = FALSE]
  # Otherwise its diagonal is raised, see the core's tests.
  stopifnot(min(eigen(a, symmetric = TRUE)$values) > 0)
  t[moving, ] <- t[moving, ] + 1.5 * solve(a, naive_slope(x, t, eta, weights)[moving, , drop = FALSE])
  t
}

trace_fit <- function(x, n, ..., seed = 1, bandwidth = eta, weights = NULL, space = "euclidean") {
  withr::local_seed(seed)
  landmarks(x, n, by_gp(criterion = "trace", ...), bandwidth = bandwidth, weights = weights, space = space)
}

test_that("the value is tr(W^-1 G), whichever landmarks are held", {
  for (w in list(NULL, weights)) {
    expected <- naive_trace(x, points, eta, w)
    for (fixed in 0:5) expect_equal(proposal(x, points, eta, fixed, w)$value, expected, tolerance = 1e-11)
  }
  # And that is N less what is left of the trace of K.
  k <- naive_features(x, x, eta)
  c <- naive_features(x, points, eta)
  left <- sum(diag(k - c %*% solve(naive_features(points, points, eta)) %*% t(c)))
  expect_equal(proposal(x, points, eta)$value, 80 - left, tolerance = 1e-6)
})

test_that("the step solves for where there is no slope, by finite differences", {
  for (w in list(NULL, weights)) {
    for (fixed in c(0L, 1L, 4L, 5L)) {
      expected <- naive_proposal(x, points, eta, w, fixed)
      p <- proposal(x, points, eta, fixed, w)
      fixed <- seq_len(6) <= fixed
      expect_gt(min(abs(expected - points)[!fixed, ]), 1e-5)
      expect_equal(p$landmarks[!fixed, ], expected[!fixed, ], tolerance = 1e-8)
      expect_identical(p$landmarks[fixed, ], points[fixed, ])
    }
  }
})

test_that("the step is the same in sparse data and in scaled columns", {
  a <- sparse_case(60, 12)
  at <- a$dense[1:5, ] * 0.9
  expect_equal(
    unname(proposal(a$sparse, at, 9)$landmarks), unname(naive_proposal(a$dense, at, 9)), tolerance = 1e-8
  )
  wide <- x %*% diag(c(1, 50, 0.01))
  s <- apply(wide, 2, stats::sd)
  at <- points %*% diag(c(1, 50, 0.01))
  expected <- naive_proposal(t(t(wide) / s), t(t(at) / s), 3)
  expect_equal(t(t(proposal(wide, at, 3, scale = TRUE)$landmarks) / s), expected, tolerance = 1e-8)
})

test_that("the climb ends where the gradient is zero", {
  for (w in list(NULL, weights)) {
    fit <- trace_fit(x, 5, max_iterations = 5000, tolerance = 1e-7, weights = w)
    expect_true(fit$exact)
    expect_true(all(summary(fit)$converged))
    expect_lt(max(abs(naive_slope(x, unname(coef(fit)), eta, w))), 1e-4)
    # A step that is lost sight of would show: the volume's end is not the trace's.
    volume <- withr::with_seed(
      1, landmarks(x, 5, by_gp(criterion = "volume", max_iterations = 5000), bandwidth = eta, weights = w)
    )
    expect_gt(max(abs(naive_slope(x, unname(coef(volume)), eta, w))), 1e-3)
  }
})

test_that("it explains more of the trace than the volume's landmarks, and than random rows", {
  cases <- list(
    list(x, 10, eta), list(withr::with_seed(2, sim_circles(400)), 15, 0.3),
    list(withr::with_seed(2, sim_swiss_roll(400)), 20, 20)
  )
  for (case in cases) {
    data <- unclass(case[[1]])
    explained <- function(fit) naive_trace(data, unname(coef(fit)), case[[3]])
    trace <- explained(trace_fit(data, case[[2]], bandwidth = case[[3]]))
    volume <- explained(
      withr::with_seed(1, landmarks(data, case[[2]], by_gp(criterion = "volume"), bandwidth = case[[3]]))
    )
    random <- withr::with_seed(1, vapply(1:5, function(i) {
      explained(landmarks(data, case[[2]], "random", bandwidth = case[[3]]))
    }, 0))
    expect_gt(trace, volume)
    expect_gt(trace, max(random))
  }
})

test_that("on batches it explains more too", {
  many <- odd_matrix(3000, 3)
  method <- function(criterion) {
    by_gp(
      criterion = criterion, batch_size = c(300, 600), batches = c(6, 8), iterations = c(2, 1)
    )
  }
  fits <- lapply(c("trace", "volume"), function(criterion) {
    withr::with_seed(1, landmarks(many, 8, method(criterion), bandwidth = eta))
  })
  expect_false(fits[[1]]$exact)
  expect_identical(unique(fits[[1]]$iterations), 20L)
  values <- vapply(fits, function(fit) naive_trace(many, unname(coef(fit)), eta), 0)
  expect_gt(values[1], values[2])
})

test_that("landmarks stay in their space", {
  off <- x + 0.3
  for (space in list("nonnegative", "sphere", "nonnegative_sphere", function(t) pmin(pmax(t, -0.8), 0.7))) {
    for (solver in c("joint", "sequential")) {
      fit <- trace_fit(off, 6, solver = solver, space = space)
      expect_lt(naive_violation(unname(coef(fit)), space), 1e-14)
      start <- trace_fit(off, 6, solver = solver, space = space, max_iterations = 0)
      expect_gt(naive_trace(off, unname(coef(fit)), eta), naive_trace(off, unname(coef(start)), eta))
    }
  }
})

test_that("weights that are counts are repeated rows", {
  counts <- rep(c(1, 3, 2), length.out = 80)
  fit <- trace_fit(x, 6, max_iterations = 2000, tolerance = 1e-6, weights = counts)
  repeated <- trace_fit(x[rep(1:80, counts), ], 6, max_iterations = 2000, tolerance = 1e-6)
  expect_equal(coef(fit), coef(repeated), tolerance = 1e-3)
  value <- function(fit) naive_trace(x, unname(coef(fit)), eta, counts)
  expect_equal(value(fit), value(repeated), tolerance = 1e-8)
  # They do count: others give other landmarks.
  expect_gt(max(abs(coef(fit) - coef(trace_fit(x, 6, max_iterations = 2000, tolerance = 1e-6)))), 0.01)
})

test_that("going on from a fit climbs the trace, the old ones held", {
  fit <- trace_fit(x, 4)
  more <- add_landmarks(fit, x, 3)
  expect_identical(unname(coef(more))[1:4, ], unname(coef(fit)))
  start <- add_landmarks(fit, x, 3, by_gp(max_iterations = 0))
  volume <- add_landmarks(fit, x, 3, by_gp(criterion = "volume"))
  value <- function(fit) naive_trace(x, unname(coef(fit)), eta)
  expect_gt(value(more), value(start))
  expect_gt(value(more), value(volume))
})

test_that("refine_landmarks() climbs the criterion that the fit was learned by", {
  for (w in list(NULL, weights)) {
    fit <- trace_fit(x, 7, max_iterations = 3, weights = w)
    value <- naive_trace(x, unname(coef(fit)), eta, w)
    for (sweep in 1:6) {
      fit <- refine_landmarks(fit, x, 1, weights = w)
      now <- naive_trace(x, unname(coef(fit)), eta, w)
      expect_gte(now, value - 1e-10)
      value <- now
    }
    expect_gt(
      value, naive_trace(x, unname(coef(trace_fit(x, 7, max_iterations = 3, weights = w))), eta, w) + 1e-4
    )
  }
  # A step of one fit is the naive step; of another, that of the volume.
  t <- unname(coef(trace_fit(x, 5, max_iterations = 3)))
  fit <- trace_fit(x, 5, max_iterations = 3)
  refined <- function(fit) sort_rows(unname(coef(refine_landmarks(fit, x, 1))))
  expect_equal(refined(fit), sort_rows(naive_proposal(x, t, eta)), tolerance = 1e-8)
  fit$method$criterion <- "volume"
  expect_equal(refined(fit), sort_rows(naive_step(x, t, eta)), tolerance = 1e-8)
})

test_that("one at a time, each landmark is where the trace has no slope given those before it", {
  fit <- trace_fit(
    x, 4, solver = "sequential", iterations = c(500, 500), max_iterations = 2000, tolerance = 1e-8
  )
  t <- unname(coef(fit))
  for (k in 1:4) expect_lt(max(abs(naive_slope(x, t[seq_len(k), , drop = FALSE], eta)[k, ])), 1e-4)
  three <- trace_fit(x, 3, solver = "sequential")
  expect_identical(trace_fit(x, 2, solver = "sequential")$landmarks, three$landmarks[1:2, ])
})

test_that("two landmarks in one place do not stop it", {
  twice <- points[c(1, 2, 3, 2), ]
  settings <- list(
    over = "all", fixed = 0L, criterion = "trace", max_iterations = 5L, halvings = 8L, tolerance = 0
  )
  kernel <- list(bandwidth = eta, space = "euclidean")
  up <- .Call(C_climb, as_source(x), twice, kernel, c(settings, compute_with()))
  expect_true(is.finite(up$start))
  expect_gte(up$value, up$start)
})

test_that("it says what it does", {
  expect_identical(format(by_gp(criterion = "trace")), "Gaussian process, all at once (trace criterion)")
  expect_identical(format(by_gp("sequential", "trace")), "Gaussian process, one at a time (trace criterion)")
})

test_that("it is the default of the joint solver, and of no other", {
  expect_identical(by_gp()$criterion, "trace")
  expect_identical(by_gp("sequential")$criterion, "volume")
  expect_identical(by_gp("sgd")$criterion, "volume")
  fit <- withr::with_seed(1, landmarks(x, 5, bandwidth = eta))
  expect_identical(coef(fit), coef(trace_fit(x, 5)))
})

test_that("it starts at the rows that leave least, one after another", {
  for (w in list(NULL, weights)) {
    fit <- trace_fit(x, 9, max_iterations = 0, weights = w)
    rows <- naive_trace_order(x, x, eta, w, n = 9)
    expect_identical(unname(coef(fit)), x[rows, ])
    # The variance is what those before leave, whatever the order.
    for (k in 1:9) {
      before <- x[rows[seq_len(k - 1)], , drop = FALSE]
      expect_equal(
        fit$variance[k], naive_variance(x, before, x[rows[k], , drop = FALSE], eta, w), tolerance = 1e-9
      )
    }
  }
  # Beside landmarks that are fixed, and where rows are moved into the space: the kernel is that of
  # the points that they become.
  fixed <- trace_fit(x, 3)
  more <- add_landmarks(fixed, x, 4, by_gp(max_iterations = 0))
  all <- rbind(unname(coef(fixed)), x)
  expect_identical(unname(coef(more)), all[naive_trace_order(x, all, eta, fixed = 3, n = 7), ])
  fit <- trace_fit(x, 6, max_iterations = 0, space = "sphere")
  on <- naive_project(x, "sphere")
  expect_equal(unname(coef(fit)), on[naive_trace_order(x, on, eta, n = 6), ], tolerance = 1e-14)
})

test_that("landmarks come in the order in which they leave least", {
  withr::local_seed(3)
  for (w in list(NULL, weights)) {
    fit <- trace_fit(x, 8, weights = w)
    t <- unname(coef(fit))
    expect_identical(naive_trace_order(x, t, eta, w), 1:8)
    expect_equal(fit$log_det, naive_log_det(x, t, eta, w), tolerance = 1e-9)
    more <- add_landmarks(fit, x, 5, weights = w)
    expect_identical(naive_trace_order(x, unname(coef(more)), eta, w, fixed = 8), 1:13)
  }
})

test_that("the first m of a fit leave little more than a fit of m, and less than m by the volume", {
  many <- withr::with_seed(1, sim_swiss_roll(600))
  many <- unclass(many)
  attr(many, "position") <- NULL
  wide <- sum(apply(many, 2, stats::var))
  left <- function(fit, m = nrow(coef(fit))) {
    1 - naive_trace(many, unname(coef(fit))[seq_len(m), ], wide) / 600
  }
  thirty <- trace_fit(many, 30, bandwidth = wide)
  volume <- by_gp(criterion = "volume")
  volume <- suppressWarnings(
    withr::with_seed(1, landmarks(many, 30, volume, bandwidth = wide)), "landmarker_warning_off_data"
  )
  for (m in c(5, 10, 20)) {
    own <- left(trace_fit(many, m, bandwidth = wide))
    expect_gte(left(thirty, m), own - 1e-6)
    expect_lt(left(thirty, m), 2.5 * own)
    expect_lt(left(thirty, m), left(volume, m))
  }
})

test_that("where batches say nothing of other rows the landmarks stay where they start", {
  # A bandwidth at which no row sees another: a batch pulls landmarks onto its own rows.
  far <- odd_matrix(4000, 30)
  fit <- trace_fit(far, 5, batch_size = 50, batches = 3, bandwidth = 0.01)
  expect_identical(fit$iterations, rep(0L, 5))
  expect_true(all(fit$nearest_distance == 0))
})

test_that("a climb does not end while short steps still gain, where the kernel is wide", {
  withr::local_seed(1)
  many <- matrix(stats::rnorm(600), 300, 2)
  left <- function(...) 1 - naive_trace(many, unname(coef(trace_fit(many, 60, bandwidth = 2, ...))), 2) / 300
  start <- left(max_iterations = 0)
  expect_lt(left(), 0.7 * start)
})
