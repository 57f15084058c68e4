# The steps of a climb by either criterion: log det G, and tr(W^-1 G), what Nystrom explains of the kernel.

eta <- 0.7
x <- odd_matrix(80, 3)
points <- odd_matrix(6, 3, 900)
weights <- 0.1 + (seq_len(80) * 0.377) %% 2

climb <- function(x, points, eta, iterations, criterion = "volume", fixed = 0L, space = "euclidean",
                  halvings = 8L, weights = NULL, rows = NULL) {
  source <- as_source(x, weights)
  settings <- list(
    over = if (is.null(rows)) "all" else "batch", rows = rows, fixed = fixed, criterion = criterion,
    max_iterations = as.integer(iterations), halvings = as.integer(halvings), tolerance = 0
  )
  kernel <- kernel_of_moves(list(bandwidth = eta, space = space), source)
  .Call(C_climb, source, points, kernel, c(settings, compute_with()))
}

naive_value <- list(volume = naive_log_det, trace = naive_trace)

# The volume: T+ = H'X. The trace: T + 1.5 A^-1 R of the moving landmarks, R = (eta / 4) grad f and
# A = diag(max(s, mean(s) / 10) - M1) + M, s the diagonal of G W^-1, M = (W^-1 G W^-1) o W.
naive_proposal <- list(
  volume = function(x, t, eta, weights = NULL, fixed = 0) naive_step(x, t, eta, weights),
  trace = function(x, t, eta, weights = NULL, fixed = 0) {
    w <- naive_features(t, t, eta)
    g <- naive_gram(x, t, eta, weights)
    s <- diag(g %*% solve(w))
    m <- (solve(w) %*% g %*% solve(w)) * w
    moving <- seq_len(nrow(t)) > fixed
    a <- (diag(pmax(s, mean(s) / 10) - rowSums(m), nrow(t)) + m)[moving, moving, drop = FALSE]
    # Otherwise its diagonal is raised, see the core's tests.
    stopifnot(min(eigen(a, symmetric = TRUE)$values) > 0)
    slope <- naive_uphill(naive_trace, x, t, eta, weights, which(moving))
    t[moving, ] <- t[moving, ] + 1.5 * solve(a, slope)
    t
  }
)

test_that("a step is its equation, whichever landmarks are held, and the values are those before and after", {
  for (criterion in c("volume", "trace")) for (w in list(NULL, weights)) for (fixed in 0:5) {
    value <- naive_value[[criterion]]
    up <- climb(x, points, eta, 1, criterion, fixed, weights = w)
    expect_equal(up$start, value(x, points, eta, w), tolerance = 1e-11)
    expect_equal(up$value, value(x, up$landmarks, eta, w), tolerance = 1e-11)
    expect_identical(c(up$iterations, up$halvings), c(1L, 0L))
    expected <- naive_proposal[[criterion]](x, points, eta, w, fixed)
    move <- seq_len(6) > fixed
    expect_gt(min(abs(expected - points)[move, ]), 1e-5)
    digits <- if (criterion == "volume") 1e-11 else 1e-8
    expect_equal(up$landmarks[move, ], expected[move, ], tolerance = digits)
    expect_identical(up$landmarks[!move, ], points[!move, ])
    if (criterion == "trace") next
    expect_equal(up$moved, sqrt(rowSums((expected - points)^2) / eta)[move], tolerance = 1e-10)
    if (fixed == 5) expect_equal(up$landmarks[6, ], naive_eq10(x, points, eta, w), tolerance = 1e-10)
  }
  # T+ is T + (eta / 4) grad log det G.
  slope <- naive_uphill(naive_log_det, x, points, eta, weights)
  step <- climb(x, points, eta, 1, weights = weights)$landmarks - points
  expect_gt(min(abs(slope)), 1e-4)
  expect_equal(step, slope, tolerance = 1e-7)
  # The trace is N less what is left of the trace of K.
  k <- naive_features(x, x, eta)
  c <- naive_features(x, points, eta)
  left <- sum(diag(k - c %*% solve(naive_features(points, points, eta)) %*% t(c)))
  expect_equal(climb(x, points, eta, 0, "trace")$start, 80 - left, tolerance = 1e-6)
})

test_that("dependent landmarks have no volume and do not move, but the trace goes on", {
  twice <- points[c(1, 2, 3, 2), ]
  expect_identical(climb(x, twice, eta, 5)[c("value", "landmarks")], list(value = -Inf, landmarks = twice))
  up <- climb(x, twice, eta, 5, "trace")
  expect_true(is.finite(up$start) && up$value > up$start)
})

test_that("a step in a space is T+ and then the nearest point of the space", {
  off <- x + 0.3
  move <- 3:6
  for (space in list("nonnegative", "sphere", "nonnegative_sphere", function(t) pmin(pmax(t, -0.8), 0.7))) {
    at <- naive_project(abs(points), space)
    up <- climb(off, at, eta, 1, fixed = 2L, space = space)
    # Half the way is projected too.
    there <- at + 2^-up$halvings * (naive_step(off, at, eta) - at)
    expect_identical(up$iterations, 1L)
    expect_equal(up$landmarks[move, ], naive_project(there[move, ], space), tolerance = 1e-10)
    expect_identical(up$landmarks[-move, ], at[-move, ])
  }
})

test_that("the nearest point of a space is right also where it is not plain", {
  t <- rbind(c(0, 0, 0), c(-1, -3, -2), c(-1, 4, 3), c(0, -1e-300, 0))
  expect_equal(project_points(t, "nonnegative"), pmax(t, 0))
  on <- rbind(c(1, 0, 0), c(1, 0, 0), c(0, 0.8, 0.6), c(1, 0, 0))
  expect_equal(project_points(t, "nonnegative_sphere"), on, tolerance = 1e-15)
  expect_equal(project_points(t[c(1, 3), ], "sphere"), rbind(on[1, ], t[3, ] / sqrt(26)), tolerance = 1e-15)
  expect_identical(off_space(rbind(c(0, 0)), "nonnegative"), 0)
  expect_identical(off_space(rbind(c(0, 0)), "sphere"), Inf)
  expect_equal(off_space(rbind(3:4), function(t) t + c(0, 5)), 1)
  whole <- matrix(c(0L, 3L, -1L, 4L), 2, dimnames = list(NULL, c("a", "b")))
  expect_equal(project_points(whole, "sphere"), rbind(c(a = 0, b = -1), c(0.6, 0.8)))
})

test_that("refine_landmarks() makes the steps of the criterion that the fit was learned by", {
  fit <- withr::with_seed(1, landmarks(x, 5, by_gp(max_iterations = 3), bandwidth = eta))
  for (criterion in c("trace", "volume")) {
    fit$method$criterion <- criterion
    step <- naive_proposal[[criterion]](x, unname(coef(fit)), eta)
    found <- unname(coef(refine_landmarks(fit, x, 1)))
    expect_equal(sort_rows(found), sort_rows(step), tolerance = 1e-8)
  }
})
