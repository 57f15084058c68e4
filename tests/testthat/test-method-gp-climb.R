# The steps of a climb by either criterion: log det G, and tr(W^-1 G), what Nystrom explains of the kernel.

eta <- 0.7
x <- odd_matrix(80, 3)
points <- odd_matrix(6, 3, 900)
weights <- 0.1 + (seq_len(80) * 0.377) %% 2

climb <- function(x, points, eta, iterations, criterion = "volume", fixed = 0L, space = "euclidean") {
  source <- as_source(x)
  settings <- list(
    over = "all", fixed = fixed, criterion = criterion, max_iterations = as.integer(iterations),
    halvings = 8L, tolerance = 0
  )
  kernel <- kernel_of_moves(list(bandwidth = eta, space = space), source)
  .Call(C_climb, source, points, kernel, c(settings, compute_with()))
}

# The volume: T+ = H'X. The trace: T + 1.5 A^-1 R, R = (eta / 4) grad f and
# A = diag(max(s, mean(s) / 10) - M1) + M, s the diagonal of G W^-1, M = (W^-1 G W^-1) o W.
naive_proposal <- list(
  volume = naive_step,
  trace = function(x, t, eta, weights) {
    w <- naive_features(t, t, eta)
    g <- naive_gram(x, t, eta, weights)
    s <- diag(g %*% solve(w))
    m <- (solve(w) %*% g %*% solve(w)) * w
    a <- diag(pmax(s, mean(s) / 10) - rowSums(m), nrow(t)) + m
    # Otherwise its diagonal is raised, see the core's tests.
    stopifnot(min(eigen(a, symmetric = TRUE)$values) > 0)
    t + 1.5 * solve(a, naive_uphill(naive_trace, x, t, eta, weights))
  }
)

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

test_that("points in no space are infinitely far from it, and whole numbers with names are projected", {
  expect_identical(off_space(rbind(c(0, 0)), "nonnegative"), 0)
  expect_identical(off_space(rbind(c(0, 0)), "sphere"), Inf)
  expect_equal(off_space(rbind(3:4), function(t) t + c(0, 5)), 1)
  whole <- matrix(c(0L, 3L, -1L, 4L), 2, dimnames = list(NULL, c("a", "b")))
  expect_equal(project_points(whole, "sphere"), rbind(c(a = 0, b = -1), c(0.6, 0.8)))
})

test_that("refine_landmarks() makes the steps of the criterion that the fit was learned by", {
  for (criterion in c("trace", "volume")) for (w in list(NULL, weights)) {
    fit <- withr::with_seed(1, landmarks(x, 5, by_gp(max_iterations = 3), bandwidth = eta, weights = w))
    fit$method$criterion <- criterion
    step <- naive_proposal[[criterion]](x, unname(coef(fit)), eta, w)
    found <- unname(coef(refine_landmarks(fit, x, 1, weights = w)))
    expect_equal(sort_rows(found), sort_rows(step), tolerance = 1e-8)
  }
})
