# What a method selects from data in memory, and from the same data in 1, 2, 3 and 7 parts: the same rows and
# coordinates, and R's stream left at the same place. `held`: landmarks before it, n x d.
expect_same_in_parts <- function(x, method, n = 12, bandwidth = 20, weights = NULL, scale = FALSE,
                                 held = NULL) {
  select <- function(x) {
    withr::local_seed(11)
    source <- as_source(x, weights, scale)
    kernel <- list(bandwidth = bandwidth, space = "euclidean")
    held <- held %||% source_no_points(source)
    found <- select_landmarks(method, source, n, kernel, held, rlang::current_env())
    c(found, list(left = stats::runif(1)))
  }
  whole <- select(x)
  for (k in c(1, 2, 3, 7)) {
    cut <- select(cut_data(x, k))
    expect_identical(cut$rows, whole$rows)
    expect_identical(cut$left, whole$left)
    expect_identical(cut$iterations, whole$iterations)
    expect_equal(cut$landmarks, whole$landmarks, tolerance = 1e-8)
    expect_equal(cut$trace, whole$trace, tolerance = 1e-8)
  }
}

# Data of every kind, with a bandwidth that suits them.
parts_cases <- function() {
  withr::local_seed(3)
  roll <- cbind(unclass(sim_swiss_roll(500)), level = 3)
  counts <- matrix(stats::rpois(400 * 20, rep(c(0.1, 0.5, 2, 0.05), each = 400 * 5)), 400)
  counts[201, ] <- 0
  weights <- rep(c(0, 1, 2.5, 1), length.out = 500)
  whole <- round(roll)
  storage.mode(whole) <- "integer"
  list(
    dense = list(x = roll), weighted = list(x = roll, weights = weights),
    scaled = list(x = roll, scale = TRUE, bandwidth = 1), whole = list(x = whole),
    sparse = list(x = methods::as(counts, "CsparseMatrix")),
    sparse_weighted = list(x = methods::as(counts, "CsparseMatrix"), weights = weights[1:400], scale = TRUE)
  )
}

# The solvers by the volume. The trace, their other criterion, has test-method-gp-trace.R to itself.
by_volume <- function(...) by_gp(..., criterion = "volume")

# Landmarks of odd_matrix(150, 3).
base_fit <- function(n = 8, ...) {
  withr::local_seed(1)
  landmarks(odd_matrix(150, 3), n, by_volume(), bandwidth = 0.6, ...)
}

# Two arms of a spiral, and which one a row is of.
two_arms <- function() {
  turn <- stats::runif(400, 1, 3) * pi
  arm <- rep(0:1, 200)
  x <- cbind(turn * cos(turn + pi * arm), turn * sin(turn + pi * arm)) / 3
  list(x = x + stats::rnorm(800, sd = 0.05), y = factor(c("in", "out")[arm + 1]))
}
