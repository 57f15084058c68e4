# Rows taken by greedy k-means++ against the probabilities worked out by enumeration of all candidates.

skip_slow_file()

seed_greedy <- function(...) seed_plus_plus(..., greedy = TRUE)

# The sum of weight times squared distance to the nearest of some rows.
left_by <- function(squared, weights, rows) sum(weights * apply(squared[, rows, drop = FALSE], 1, min))

# Every ordered choice of n rows with its probability, where each further one is the best of `tries`.
enumerate_greedy <- function(x, n, tries, weights = rep(1, nrow(x)), fixed = NULL) {
  squared <- unname(as.matrix(dist(rbind(x, fixed)))^2)[seq_len(nrow(x)), , drop = FALSE]
  fixed <- nrow(x) + seq_len(NROW(fixed))
  go_on <- function(rows, probability) {
    if (length(rows) == n) return(stats::setNames(probability, paste(rows, collapse = " ")))
    before <- c(fixed, rows)
    odds <- weights
    if (length(before)) odds <- weights * apply(squared[, before, drop = FALSE], 1, min)
    odds <- odds / sum(odds)
    many <- if (length(before)) tries else 1
    chance <- numeric(nrow(x))
    for (candidates in asplit(as.matrix(expand.grid(rep(list(which(odds > 0)), many))), 1)) {
      left <- vapply(candidates, function(row) left_by(squared, weights, c(before, row)), 0)
      best <- candidates[which.min(left)]
      chance[best] <- chance[best] + prod(odds[candidates])
    }
    unlist(lapply(which(chance > 0), function(row) go_on(c(rows, row), probability * chance[row])))
  }
  go_on(integer(), 1)
}

points <- rbind(c(0, 0), c(1, 0), c(0, 2.2), c(4, 3), c(4.5, 1))
tries_of <- function(n) 2 + floor(log(n))

expect_frequencies <- function(source, n, exact, fixed = source_no_points(source)) {
  exact <- tapply(exact, names(exact), sum)
  drawn <- replicate(if (full_run()) 8000 else 3000, {
    paste(seed_greedy(source, n, fixed = fixed), collapse = " ")
  })
  expect_true(all(drawn %in% names(exact)))
  counts <- table(factor(drawn, names(exact)))
  expect_gt(p_value(counts, exact), 0.001)
  counts
}

test_that("frequencies are those of the best of several candidates by the odds of k-means++", {
  withr::local_seed(1)
  for (n in 2:3) {
    exact <- enumerate_greedy(points, n, tries_of(n))
    expect_equal(sum(exact), 1)
    counts <- expect_frequencies(as_source(points), n, exact)
    # k-means++ itself, or one candidate more, would be noticed.
    plain <- enumerate_greedy(points, n, 1)
    expect_lt(p_value(counts[names(plain)], plain), 1e-10)
    more <- enumerate_greedy(points, n, tries_of(n) + 1)[names(counts)]
    expect_lt(p_value(counts, more), 1e-3)
  }
})

test_that("weights are counts, rows of weight 0 are never taken, and fixed points count as taken", {
  withr::local_seed(2)
  weights <- c(3, 1, 0.5, 2, 0)
  expect_frequencies(as_source(points, weights), 2, enumerate_greedy(points, 2, 2, weights))
  fixed <- rbind(c(4, 3))
  expect_frequencies(as_source(points), 2, enumerate_greedy(points, 2, 2, fixed = fixed), fixed)
  expect_setequal(seed_greedy(as_source(points, weights), 5), 1:4)
})

test_that("blocks of candidates do not change the frequencies", {
  # Copies of few places: of nine rows the last ones come from blocks in which the odds have fallen.
  withr::local_seed(3)
  x <- cbind(c(0, 1, 3, 7))
  exact <- enumerate_greedy(x, 4, tries_of(4))
  expect_frequencies(as_source(x), 4, exact)
})

test_that("equal rows are taken once, in units of any size, dense or sparse", {
  twice <- points[rep(1:5, 3), ]
  for (unit in c(1e-160, 1e-140, 1, 1e140)) {
    found <- withr::with_seed(4, seed_greedy(as_source(twice * unit), 9))
    expect_setequal((found - 1) %% 5 + 1, 1:5)
    expect_length(found, 5)
  }
  expect_length(seed_greedy(as_source(cbind(1 + (0:9) * 1e-12)), 10), 10)
  expect_length(seed_greedy(as_source(twice[c(1, 1, 1), ]), 3), 1)
  expect_identical(
    withr::with_seed(5, seed_greedy(as_source(methods::as(points, "CsparseMatrix")), 4)),
    withr::with_seed(5, seed_greedy(as_source(points), 4))
  )
})

test_that("the sum of squares is smaller than by k-means++", {
  x <- withr::with_seed(6, rbind(sim_spiral(300), sim_spiral(300) + 5))
  squared <- unname(as.matrix(dist(x))^2)
  sums <- function(seed_by) {
    vapply(1:20, function(seed) {
      left_by(squared, 1, withr::with_seed(seed, seed_by(as_source(x), 12)))
    }, 0)
  }
  expect_lt(mean(sums(seed_greedy)), 0.9 * mean(sums(seed_plus_plus)))
})
