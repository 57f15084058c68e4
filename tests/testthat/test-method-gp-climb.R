# The fixed point T+ = H'X, eq. 10 for one landmark, and the climb.

# What one step of a climb proposes, and the value before. A step that was halved is doubled again.
proposal <- function(x, points, eta, fixed = 0L, weights = NULL, scale = FALSE) {
  settings <- list(
    over = "all", fixed = fixed, criterion = "volume", max_iterations = 1L, halvings = 8L, tolerance = 0
  )
  kernel <- list(bandwidth = eta, space = "euclidean")
  up <- .Call(C_climb, as_source(x, weights, scale), points, kernel, c(settings, compute_with()))
  list(value = up$start, landmarks = points + 2^up$halvings * (up$landmarks - points))
}

climb <- function(x, points, eta, iterations, fixed = 0L, space = "euclidean", halvings = 8, tolerance = 0,
                  weights = NULL, rows = NULL, criterion = "volume") {
  source <- as_source(x, weights)
  settings <- list(
    over = if (is.null(rows)) "all" else "batch", rows = rows, fixed = fixed, criterion = criterion,
    max_iterations = as.integer(iterations), halvings = as.integer(halvings), tolerance = tolerance
  )
  kernel <- kernel_of_moves(list(bandwidth = eta, space = space), source)
  .Call(C_climb, source, points, kernel, c(settings, compute_with()))
}

eta <- 0.7
x <- odd_matrix(80, 3)
points <- odd_matrix(6, 3, 900)
weights <- 0.1 + (seq_len(80) * 0.377) %% 2

# (eta / 4) grad log det G in one landmark, by central differences of the naive
# log det; two step lengths, so that the error is of the fourth order.
uphill <- function(x, points, eta, l, weights = NULL) {
  slope <- function(j, h) {
    up <- down <- points
    up[l, j] <- up[l, j] + h
    down[l, j] <- down[l, j] - h
    (naive_log_det(x, up, eta, weights) - naive_log_det(x, down, eta, weights)) / (2 * h)
  }
  eta / 4 * vapply(seq_len(ncol(x)), function(j) (4 * slope(j, 1e-3) - slope(j, 2e-3)) / 3, 0)
}

test_that("T+ is its formula", {
  for (w in list(NULL, weights)) {
    p <- proposal(x, points, eta, weights = w)
    expect_equal(p$landmarks, naive_step(x, points, eta, w), tolerance = 1e-11)
  }
  # The columns of H, which the core's tests look at, sum to 1: T+ moves along with the data.
  moved <- proposal(x + 3, points + 3, eta, weights = weights)$landmarks
  expect_equal(moved, proposal(x, points, eta, weights = weights)$landmarks + 3, tolerance = 1e-11)
})

test_that("the value is log det G, whichever landmarks are held", {
  for (w in list(NULL, weights)) {
    expected <- naive_log_det(x, points, eta, w)
    for (fixed in 0:5) expect_equal(proposal(x, points, eta, fixed, w)$value, expected, tolerance = 1e-11)
  }
})

test_that("T+ is T + (eta / 4) grad log det G by finite differences", {
  for (w in list(NULL, weights)) {
    p <- proposal(x, points, eta, weights = w)
    expected <- t(vapply(1:6, function(l) uphill(x, points, eta, l, w), numeric(3)))
    # The step is no rounding error itself.
    expect_gt(min(abs(expected)), 1e-4)
    expect_equal(p$landmarks - points, expected, tolerance = 1e-7)
  }
})

test_that("T+ is the same step in sparse data and in scaled columns", {
  a <- sparse_case(60, 12)
  at <- a$dense[1:5, ] * 0.9
  expect_equal(
    proposal(a$sparse, at, 9)$landmarks, naive_step(a$dense, at, 9), tolerance = 1e-11, ignore_attr = TRUE
  )
  wide <- x %*% diag(c(1, 50, 0.01))
  s <- apply(wide, 2, stats::sd)
  at <- points %*% diag(c(1, 50, 0.01))
  expected <- naive_step(t(t(wide) / s), t(t(at) / s), 3)
  expect_equal(t(t(proposal(wide, at, 3, scale = TRUE)$landmarks) / s), expected, tolerance = 1e-10)
})

test_that("one landmark with the others held makes eq. 10's step", {
  for (w in list(NULL, weights)) {
    p <- proposal(x, points, eta, fixed = 5L, weights = w)
    expect_equal(p$landmarks[6, ], naive_eq10(x, points, eta, w), tolerance = 1e-10)
    expect_equal(p$landmarks[6, ], points[6, ] + uphill(x, points, eta, 6, w), tolerance = 1e-7)
  }
  # The first landmark of all: a mean weighted by the squared feature.
  g <- naive_features(x, points[1, , drop = FALSE], eta)^2
  alone <- proposal(x, points[1, , drop = FALSE], eta)$landmarks
  expect_equal(as.vector(alone), as.vector(crossprod(g, x)) / sum(g), tolerance = 1e-12)
})

test_that("the value is that of the landmarks that the climb has reached", {
  for (criterion in c("trace", "volume")) {
    up <- climb(x, points, eta, 3, criterion = criterion)
    expect_gt(up$value, up$start)
    expect_equal(up$value, climb(x, up$landmarks, eta, 0, criterion = criterion)$start, tolerance = 1e-12)
  }
})

test_that("held landmarks do not move, and the others move as if all did", {
  together <- naive_step(x, points, eta)
  for (fixed in 1:5) {
    p <- proposal(x, points, eta, fixed = fixed)
    expect_identical(p$landmarks[seq_len(fixed), ], points[seq_len(fixed), ])
    expect_equal(p$landmarks[-seq_len(fixed), ], together[-seq_len(fixed), ], tolerance = 1e-11)
    up <- climb(x, points, eta, 5, fixed = fixed)
    expect_identical(up$landmarks[seq_len(fixed), ], points[seq_len(fixed), ])
    expect_identical(up$iterations, 5L)
  }
})

test_that("a step that is kept ends at T+", {
  for (w in list(NULL, weights)) {
    up <- climb(x, points, eta, 1, weights = w)
    expect_identical(c(up$iterations, up$halvings), c(1L, 0L))
    expected <- naive_step(x, points, eta, w)
    expect_equal(up$landmarks, expected, tolerance = 1e-11)
    expect_equal(up$start, naive_log_det(x, points, eta, w), tolerance = 1e-11)
    expect_equal(up$value, naive_log_det(x, expected, eta, w), tolerance = 1e-11)
    expect_equal(up$moved, sqrt(rowSums((expected - points)^2) / eta), tolerance = 1e-10)
  }
})

test_that("a climb on some rows is the climb on a matrix of these rows", {
  rows <- c(2L, 3L, 5L, 20:70)
  up <- climb(x, points, eta, 4, weights = weights, rows = rows)
  # Weights are of mean 1 over all rows: on these rows that is a constant factor of G.
  alone <- climb(x[rows, ], points, eta, 4, weights = weights[rows])
  expect_equal(up$landmarks, alone$landmarks, tolerance = 1e-11)
  expect_equal(up$value, alone$value + 6 * log(mean(weights[rows]) / mean(weights)), tolerance = 1e-11)
})

test_that("a climb over many ranges of rows is the climb on one batch of all of them", {
  many <- odd_matrix(8300, 3)
  v <- 0.5 + (seq_len(8300) * 0.377) %% 1
  for (fixed in c(0L, 2L)) {
    ranges <- climb(many, points, eta, 2, fixed = fixed, weights = v)
    batch <- climb(many, points, eta, 2, fixed = fixed, weights = v, rows = seq_len(8300))
    expect_equal(ranges$landmarks, batch$landmarks, tolerance = 1e-11)
    expect_equal(ranges$value, batch$value, tolerance = 1e-11)
  }
  phi <- vapply(1:6, function(l) exp(-rowSums((many - rep(points[l, ], each = 8300))^2) / eta), numeric(8300))
  h <- phi * (phi %*% solve(crossprod(phi)))
  expect_equal(climb(many, points, eta, 1)$landmarks, crossprod(h, many), tolerance = 1e-11)
})

test_that("the climb ends where the gradient is zero", {
  up <- climb(x, points, eta, 2000, tolerance = 1e-7)
  expect_lt(up$iterations, 2000)
  expect_lte(max(up$moved), 1e-7)
  expect_lt(max(abs(vapply(1:6, function(l) uphill(x, up$landmarks, eta, l), numeric(3)))), 1e-6)
  expect_equal(naive_step(x, up$landmarks, eta), up$landmarks, tolerance = 1e-6)
})

test_that("no step of a climb lowers the criterion", {
  at <- points
  value <- naive_log_det(x, at, eta)
  for (step in 1:40) {
    at <- climb(x, at, eta, 1)$landmarks
    now <- naive_log_det(x, at, eta)
    expect_gte(now, value - 1e-11)
    value <- now
  }
  expect_gt(value, naive_log_det(x, points, eta) + 1)
})

test_that("no step lowers the criterion where n comes near the kernel's rank", {
  hard <- hard_case()
  # A plain step ends far below its start here: what the guard is for.
  plain <- quick_step(hard$x, hard$start, hard$bandwidth)
  at <- hard$start
  value <- first <- quick_log_det(hard$x, at, hard$bandwidth)
  expect_lt(quick_log_det(hard$x, plain, hard$bandwidth), first - 10)
  halvings <- 0
  for (step in 1:25) {
    up <- climb(hard$x, at, hard$bandwidth, 1)
    at <- up$landmarks
    halvings <- halvings + up$halvings
    expect_gte(up$value, up$start)
    now <- quick_log_det(hard$x, at, hard$bandwidth)
    # G's condition number leaves the program fewer digits than QR has.
    expect_equal(up$value, now, tolerance = 1e-6)
    expect_gte(now, value - 1e-4)
    value <- now
  }
  expect_gt(halvings, 0)
  expect_gt(value, first + 10)
  # As many steps at once are corrected by those before, and end higher.
  end <- climb(hard$x, hard$start, hard$bandwidth, 25)
  expect_gt(end$value, value)
  expect_identical(end$iterations, 25L)
})

test_that("a step that would lower the criterion goes half the way, and half of it", {
  hard <- hard_case()
  at <- hard$start
  tried <- 0
  for (step in 1:25) {
    up <- climb(hard$x, at, hard$bandwidth, 1)
    if (up$halvings > 0 && tried < 3) {
      tried <- tried + 1
      # To the digits that G leaves; the core's tests compare with the proposal itself.
      full <- quick_step(hard$x, at, hard$bandwidth)
      # One halving less would have lowered it.
      longer <- at + 2^-(up$halvings - 1) * (full - at)
      expect_lt(quick_log_det(hard$x, longer, hard$bandwidth), up$start)
      expect_equal(up$landmarks, at + 2^-up$halvings * (full - at), tolerance = 1e-6)
      # With no halving allowed, nothing moves.
      still <- climb(hard$x, at, hard$bandwidth, 1, halvings = up$halvings - 1)
      expect_identical(still$landmarks, at)
      expect_identical(still$iterations, 0L)
      expect_identical(still$value, still$start)
    }
    at <- up$landmarks
  }
  expect_gt(tried, 0)
})

test_that("dependent landmarks have no value and do not move", {
  twice <- points[c(1, 2, 3, 2), ]
  up <- climb(x, twice, eta, 5)
  expect_identical(up$value, -Inf)
  expect_identical(up$landmarks, twice)
})

test_that("a step in a space is T+ and then the nearest point of the space", {
  off <- x + 0.3
  box <- function(t) pmin(pmax(t, -0.8), 0.7)
  for (space in list("nonnegative", "sphere", "nonnegative_sphere", box)) {
    at <- naive_project(abs(points), space)
    for (fixed in c(0L, 2L)) {
      move <- seq_len(6) > fixed
      up <- climb(off, at, eta, 1, fixed = fixed, space = space)
      full <- naive_step(off, at, eta)
      # Half the way is projected too.
      there <- at + 2^-up$halvings * (full - at)
      expect_identical(up$iterations, 1L)
      expect_equal(up$landmarks[move, ], naive_project(there[move, ], space), tolerance = 1e-10)
      expect_identical(up$landmarks[!move, ], at[!move, ])
    }
    end <- climb(off, at, eta, 30, space = space)
    expect_lt(naive_violation(end$landmarks, space), 1e-14)
    expect_gt(end$value, end$start)
  }
})

test_that("the nearest point of a space is right where it is not plain", {
  t <- rbind(c(0, 0, 0), c(-1, -3, -2), c(-1, 4, 3), c(3e200, 4e200, 0), c(0, -1e-300, 0))
  expect_equal(project_points(t, "nonnegative"), pmax(t, 0))
  expect_equal(
    project_points(t[-4, ], "nonnegative_sphere"),
    rbind(c(1, 0, 0), c(1, 0, 0), c(0, 0.8, 0.6), c(1, 0, 0)),
    tolerance = 1e-15
  )
  expect_equal(
    project_points(t[3, , drop = FALSE], "sphere"), t[3, , drop = FALSE] / sqrt(26), tolerance = 1e-15
  )
  expect_equal(project_points(t[1, , drop = FALSE], "sphere"), rbind(c(1, 0, 0)))
})

test_that("numbers whose squares are 0 or infinite are projected as all others", {
  at <- rbind(c(0.6, 0.8), c(-0.6, 0.8))
  for (size in c(1e-170, 1e-300, 1, 1e170, 1e300)) {
    expect_equal(project_points(size * at, "sphere"), at, tolerance = 1e-15)
    expect_equal(
      project_points(size * at, "nonnegative_sphere"), rbind(c(0.6, 0.8), c(0, 1)), tolerance = 1e-15
    )
    # How far they are off: for the second row of the orthant 0.6 of its length.
    expect_equal(off_space(size * at, "nonnegative"), c(0, 0.6), tolerance = 1e-15)
    if (size < 1) expect_gt(min(off_space(size * at, "sphere")), 1e100)
    if (size >= 1) expect_equal(off_space(size * at, "sphere"), rep((size - 1) / size, 2), tolerance = 1e-14)
  }
  expect_identical(off_space(rbind(c(0, 0)), "nonnegative"), 0)
  expect_identical(off_space(rbind(c(0, 0)), "sphere"), Inf)
  expect_equal(off_space(rbind(3:4), function(t) t + c(0, 5)), 1)
  whole <- matrix(c(0L, 3L, -1L, 4L), 2, dimnames = list(NULL, c("a", "b")))
  expect_equal(project_points(whole, "sphere"), rbind(c(a = 0, b = -1), c(0.6, 0.8)))
})

test_that("spaces have the names that the help gives", {
  expect_identical(space_names, c("euclidean", "nonnegative", "sphere", "nonnegative_sphere"))
  expect_error(.Call(C_project, matrix(0), list(space = "torus")), "torus")
})
