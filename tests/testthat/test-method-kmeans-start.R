# Rows drawn by k-means++ against the probabilities worked out by enumeration.

skip_slow_file()

# Every ordered choice of n different rows with its probability, when each further row has
# odds weight * distance^power to the nearest before it.
enumerate_seeds <- function(x, n, weights = rep(1, nrow(x)), power = 2) {
  distance <- unname(as.matrix(dist(x)))
  go_on <- function(rows, probability) {
    if (length(rows) == n) return(stats::setNames(probability, paste(rows, collapse = " ")))
    odds <- weights
    if (length(rows)) odds <- weights * apply(distance[, rows, drop = FALSE], 1, min)^power
    chosen <- unname(which(odds > 0))
    unlist(lapply(chosen, function(row) go_on(c(rows, row), probability * odds[row] / sum(odds))))
  }
  go_on(integer(), 1)
}

# How often each choice is made in so many.
seed_counts <- function(source, n, choices, draws = if (full_run()) 8000 else 3000) {
  drawn <- replicate(draws, paste(seed_plus_plus(source, n), collapse = " "))
  expect_true(all(drawn %in% choices))
  table(factor(drawn, choices))
}

points <- rbind(c(0, 0), c(1, 0), c(0, 2), c(4, 3))

test_that("frequencies are those of k-means++", {
  withr::local_seed(1)
  for (n in 2:3) {
    exact <- enumerate_seeds(points, n)
    expect_equal(sum(exact), 1)
    counts <- seed_counts(as_source(points), n, names(exact))
    expect_gt(p_value(counts, exact), 0.001)
    # Distances that are not squared would be noticed.
    expect_lt(p_value(counts, enumerate_seeds(points, n, power = 1)), 1e-10)
  }
})

test_that("weights are odds, and rows of weight 0 are never drawn", {
  withr::local_seed(2)
  x <- rbind(points, c(50, 50))
  weights <- c(3, 1, 0.5, 2, 0)
  exact <- enumerate_seeds(x, 2, weights)
  counts <- seed_counts(as_source(x, weights), 2, names(exact))
  expect_gt(p_value(counts, exact), 0.001)
  expect_lt(p_value(counts, enumerate_seeds(points, 2)), 1e-10)
  expect_setequal(seed_plus_plus(as_source(x, weights), 5), 1:4)
})

test_that("sparse and scaled data: the distances are those of the source", {
  withr::local_seed(3)
  x <- points * rep(c(1, 1000), each = 4)
  spread <- apply(x, 2, stats::sd)
  exact <- enumerate_seeds(x / rep(spread, each = 4), 3)
  for (data in list(x, methods::as(x, "CsparseMatrix"))) {
    counts <- seed_counts(as_source(data, scale = TRUE), 3, names(exact))
    expect_gt(p_value(counts, exact), 0.001)
  }
})

test_that("rows that are equal are drawn once, then there are fewer", {
  withr::local_seed(4)
  # Values that binary fractions do not hold, near the origin and far from it; the means are
  # others than those of the values, which differ in how often they come.
  for (shift in c(0, 1e3, 1e9)) {
    x <- matrix(stats::rnorm(70), 10) / 3 + shift
    of <- rep(1:10, c(7, 1, 5, 9, 2, 3, 11, 1, 4, 6))
    twice <- x[of, ]
    sparse <- methods::as(twice, "CsparseMatrix")
    for (source in list(
      as_source(twice), as_source(twice, scale = TRUE), as_source(twice, weights = seq_along(of)),
      as_source(sparse), as_source(sparse, scale = TRUE)
    )) {
      expect_identical(sort(of[seed_plus_plus(source, 49)]), 1:10)
    }
  }
  # Rows that differ, if only a little, are not equal.
  expect_length(seed_plus_plus(as_source(cbind(1 + (0:9) * 1e-12)), 10), 10)
  expect_length(seed_plus_plus(as_source(twice[c(1, 1, 1), ]), 3), 1)
  expect_identical(seed_plus_plus(as_source(twice[1, , drop = FALSE]), 1), 1L)
})

test_that("all rows come, in any unit, and the same seed gives the same rows", {
  for (unit in c(1, 1e150, 1e-155)) {
    withr::local_seed(5)
    expect_setequal(seed_plus_plus(as_source(points * unit), 9), 1:4)
  }
  withr::local_seed(6)
  first <- seed_plus_plus(as_source(points), 3)
  set.seed(6)
  expect_identical(seed_plus_plus(as_source(points), 3), first)
})

test_that("frequencies are those of k-means++ where most candidates of a block are turned away", {
  withr::local_seed(7)
  # Three places with rows close to each other: of two candidates at one place the second is turned away.
  x <- cbind(c(0, 0.1, 0.3, 9, 9.2, 4, 4.15), c(0, 0.2, 0.1, 1, 1.3, 7, 7.3))
  weights <- c(1, 2, 1, 3, 1, 1, 0.5)
  exact <- enumerate_seeds(x, 5, weights)
  drawn <- replicate(if (full_run()) 6000 else 3000, seed_plus_plus(as_source(x, weights), 5))
  rows <- do.call(rbind, lapply(strsplit(names(exact), " "), as.integer))
  for (k in 1:5) {
    expected <- vapply(1:7, function(row) sum(exact[rows[, k] == row]), 0)
    expect_gt(p_value(tabulate(drawn[k, ], 7), expected), 0.001)
  }
  for (k in 2:5) {
    expected <- tapply(exact, list(rows[, k - 1], rows[, k]), sum, default = 0)
    seen <- table(factor(drawn[k - 1, ], 1:7), factor(drawn[k, ], 1:7))
    expect_identical(sum(seen[expected == 0]), 0L)
    some <- expected > 0
    expect_gt(p_value(seen[some], expected[some]), 0.001)
  }
})

test_that("the first rows do not depend on how many are wanted, nor rows on threads or storage", {
  x <- round(odd_matrix(3000, 6) * 8)
  seeds <- function(n, source = as_source(x)) withr::with_seed(3, seed_plus_plus(source, n))
  long <- seeds(200)
  expect_identical(anyDuplicated(x[long, ]), 0L)
  for (n in c(1:9, 40, 199)) expect_identical(seeds(n), long[seq_len(n)])
  withr::local_options(landmarker.threads = 1)
  expect_identical(seeds(200), long)
  expect_identical(seeds(200, as_source(methods::as(x, "CsparseMatrix"))), long)
})
