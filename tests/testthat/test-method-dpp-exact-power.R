# by_dpp_exact(power = ): sets as often as powers of their determinants say.

six <- rbind(c(0, 0), c(0.4, 0.1), c(1.2, 0), c(1, 0.9), c(-0.7, 0.6), c(0.2, -0.8))
mass <- c(2, 1, 0.5, 1, 3, 0)

# Odds of all sets of `size` rows, from their determinants.
naive_odds <- function(size, sigma, power, weights = rep(1, 6)) {
  l <- naive_features(six, six, 2 * sigma^2) * sqrt(outer(weights, weights))
  sets <- utils::combn(6, size)
  odds <- pmax(apply(sets, 2, function(s) det(l[s, s, drop = FALSE])), 0)^power
  list(sets = apply(sets, 2, paste, collapse = " "), probability = odds / sum(odds))
}

draw_sets <- function(count, n, method, ...) {
  vapply(seq_len(count), function(i) {
    paste(sort(landmarks(six, n, method, ...)$rows), collapse = " ")
  }, "")
}

expect_drawn <- function(drawn, expected) {
  seen <- table(factor(drawn, expected$sets))
  expect_identical(sum(seen), length(drawn))
  p <- expected$probability
  rare <- p * length(drawn) < 8
  pool <- function(v) if (any(rare)) c(v[!rare], sum(v[rare])) else v
  expect_gt(p_value(pool(as.vector(seen)), pool(p)), 0.001)
}

test_that("sets come as often as powers of their determinants say", {
  withr::local_seed(1)
  for (power in c(0.3, 4)) {
    method <- by_dpp_exact(sigma = 0.7, power = power, steps = 100)
    expect_drawn(draw_sets(600, 3, method), naive_odds(3, 0.7, power))
  }
})

test_that("weights count, and rows of weight 0 are never drawn", {
  withr::local_seed(2)
  method <- by_dpp_exact(sigma = 0.7, power = 2, steps = 100)
  expect_drawn(draw_sets(600, 2, method, weights = mass), naive_odds(2, 0.7, 2, mass))
})

test_that("a large power finds nearly the largest determinant, a small one is uniform", {
  withr::local_seed(3)
  x <- sim_circles(150)
  volume <- function(power) {
    mean(replicate(5, {
      fit <- landmarks(x, 10, by_dpp_exact(power = power, sigma = 0.5))
      as.numeric(determinant(naive_features(fit$landmarks, fit$landmarks, 0.5))$modulus)
    }))
  }
  found <- vapply(c(0.01, 1, 10), volume, 0)
  expect_true(all(diff(found) > 0))
  expect_equal(by_dpp_exact(power = 1), by_dpp_exact())
})

test_that("the share of accepted steps is told", {
  withr::local_seed(4)
  x <- sim_circles(100)
  fit <- landmarks(x, 5, by_dpp_exact(power = 2, steps = 400))
  accepted <- fit$used$accepted * 400
  expect_equal(accepted, round(accepted))
  expect_gt(accepted, 0)
  expect_match(format(fit$method), "annealed determinantal point process of power 2")
  expect_match(fit$history, "accepted")
  expect_null(landmarks(x, 5, by_dpp_exact())$used$accepted)
  # All rows: no row is left to come.
  expect_identical(sort(landmarks(six, 6, by_dpp_exact(power = 3, sigma = 0.2))$rows), 1:6)
})

test_that("landmarks that are held condition the chain", {
  withr::local_seed(5)
  held <- as_landmarks(six[c(1, 3), ], six, bandwidth = 2 * 0.7^2)
  l <- naive_features(six, six, 2 * 0.7^2)
  drawn <- replicate(400, {
    fit <- add_landmarks(held, six, 1, by_dpp_exact(power = 3, steps = 60))
    setdiff(fit$rows, c(NA, 1, 3))
  })
  odds <- pmax(vapply(1:6, function(i) {
    s <- unique(c(1, 3, i))
    if (length(s) < 3) 0 else det(l[s, s])
  }, 0), 0)^3
  expect_gt(p_value(tabulate(drawn, 6)[odds > 0], odds[odds > 0] / sum(odds)), 0.001)
})

test_that("rows that are held are not drawn again, nor their equals", {
  withr::local_seed(6)
  x <- matrix(stats::rnorm(40), 20)
  held <- as_landmarks(x[1:4, ], x, bandwidth = 1)
  repeated <- rbind(x, x[1:4, ], x[5, ])
  drawn <- replicate(20, add_landmarks(held, repeated, 3, by_dpp_exact(power = 1e-6, steps = 500))$rows[5:7])
  expect_false(any(drawn %in% c(1:4, 21:24)))
  expect_false(any(colSums(drawn == 5) + colSums(drawn == 25) > 1))
})

test_that("with a wide kernel the chain still moves, and a large power finds larger determinants", {
  withr::local_seed(7)
  x <- matrix(stats::rnorm(60), 30)
  loose <- landmarks(x, 8, by_dpp_exact(power = 1e-10, steps = 5000), bandwidth = 1000)
  expect_gt(loose$used$accepted, 0.99)
  # Every row is as likely: each is in 8 of 30 sets.
  drawn <- replicate(150, landmarks(x, 8, by_dpp_exact(power = 1e-10, steps = 300), bandwidth = 1000)$rows)
  expect_gt(stats::chisq.test(tabulate(drawn, 30))$p.value, 0.001)
  volume <- function(power) {
    fit <- withr::with_seed(8, landmarks(x, 6, by_dpp_exact(power = power), bandwidth = 1000))
    as.numeric(determinant(naive_features(x[fit$rows, ], x[fit$rows, ], 1000))$modulus)
  }
  expect_gt(volume(1e6), volume(1) + 0.5)
})

test_that("bad powers and steps are refused", {
  expect_refused(
    by_dpp_exact(power = 0),
    by_dpp_exact(power = -1),
    by_dpp_exact(power = Inf),
    by_dpp_exact(power = "2"),
    by_dpp_exact(steps = 0),
    by_dpp_exact(steps = 2.5),
    landmarks(six, method = by_dpp_exact(power = 2))
  )
})

test_that("a Gaussian of geodesic distances, which has negative eigenvalues, counts without them", {
  skip_if_not_installed("igraph")
  angle <- 2 * pi * (1:12) / 12
  ring <- cbind(cos(angle), sin(angle))
  method <- by_dpp_exact(distance = "geodesic", sigma = 2, neighbors = 2, power = 2, steps = 200)
  steps <- abs(outer(1:12, 1:12, `-`))
  apart <- pmin(steps, 12 - steps) * 2 * sin(pi / 12)
  e <- eigen(exp(-apart^2 / 8), symmetric = TRUE)
  expect_lt(min(e$values), -0.01)
  l <- e$vectors %*% (pmax(e$values, 0) * t(e$vectors))
  odds <- apply(utils::combn(12, 3), 2, function(s) det(l[s, s]))^2
  gap <- apply(utils::combn(12, 3), 2, function(s) min(diff(c(s, s[1] + 12))))
  withr::local_seed(6)
  drawn <- vapply(1:400, function(i) {
    rows <- sort(landmarks(ring, 3, method)$rows)
    min(diff(c(rows, rows[1] + 12)))
  }, 0)
  expected <- tapply(odds, gap, sum) / sum(odds)
  expect_gt(p_value(c(sum(drawn < 3), tabulate(drawn, 4)[3:4]), c(sum(expected[1:2]), expected[3:4])), 0.001)
})
