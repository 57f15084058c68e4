# by_random() and by_active(): rows by their weights, and by eq. 3 of Liang and Paisley (2015).

skip_slow_file()

# ---- random rows -----------------------------------------------------------------------

row_draws <- function(source, n, method = by_random()) {
  select_landmarks(method, source, n, list(space = "euclidean"), source_no_points(source), NULL)$rows
}

test_that("rows are drawn one after another by weight, and a row of weight 2 is two rows", {
  withr::local_seed(6)
  many <- if (full_run()) 2000 else 400
  four <- odd_matrix(4, 2)
  times <- c(5, 1, 3, 1)
  copies <- rep(1:4, times)
  law <- sequence_law(3, function(before) replace(times, before, 0))
  for (method in c(list(by_random()), if (full_run()) list(by_kmeans("uniform", 0)))) {
    expect_chosen(sequence_names(replicate(many, row_draws(as_source(four, times), 3, method))), law)
    # A row that equals an earlier one is left out, and the next row drawn takes its place.
    repeated <- replicate(many, copies[row_draws(as_source(four[copies, ]), 3, method)])
    expect_chosen(sequence_names(repeated), law)
    # Without weights, and with those of which one is 0.
    expect_chosen(replicate(many, row_draws(as_source(four), 1, method)), rep(1, 4))
    expect_chosen(replicate(many, row_draws(as_source(four, c(4, 0, 1, 3)), 1, method)), c(4, 0, 1, 3))
  }
})

test_that("weights of any size: the heaviest come first, and as many as there are can be drawn", {
  withr::local_seed(1)
  source <- as_source(odd_matrix(5, 2), c(1e-300, 1e-150, 1, 1e-200, 1e-100))
  expect_identical(row_draws(source, 5), c(3L, 5L, 2L, 4L, 1L))
  # One row alone is that row, not a number of rows.
  expect_identical(row_draws(as_source(odd_matrix(60, 2), replace(numeric(60), 50, 1)), 1), 50L)
})

test_that("the first different rows are those of the order that all rows were drawn in", {
  few <- odd_matrix(7, 2)[c(rep(1, 40), 2:7), ]
  for (seed in 1:10) {
    rows <- withr::with_seed(seed, draw_different(as_source(few), 1:46, 5))
    order <- withr::with_seed(seed, sample.int(46))
    expect_identical(rows, order[!duplicated(few[order, ])][1:5])
  }
  expect_length(draw_different(as_source(few), 1:46, 20), 7)
  # They do not depend on how many follow, with weights either.
  many <- odd_matrix(30, 2)[c(rep(1, 300), 1:30), ]
  for (weights in list(NULL, rep(c(1, 2), 165))) {
    rows <- function(n) withr::with_seed(1, row_draws(as_source(many, weights), n))
    expect_identical(rows(7), rows(20)[1:7])
  }
})

# ---- active learning -------------------------------------------------------------------

x <- odd_matrix(150, 3)
eta <- 0.8
weights <- 0.1 + (seq_len(150) * 0.377) %% 2
weights[c(3, 40, 41)] <- 0

# K(x, x) - K(x, S) K(S, S)^-1 K(S, x) at each row of x, S the rows of `points`.
naive_rest <- function(x, points, eta) {
  if (nrow(points) == 0) return(rep(1, nrow(x)))
  k <- naive_features(x, points, eta)
  1 - rowSums((k %*% solve(naive_features(points, points, eta))) * k)
}

# That each row has most left of the candidates, given those before it and what is fixed, and that the trace
# is the share that they leave. Rows tie that agree to nine digits.
expect_greedy <- function(fit, x, eta, weights = rep(1, nrow(x)), fixed = x[0, , drop = FALSE],
                          rows = fit$rows, trace = fit$trace) {
  expect_identical(anyDuplicated(rows), 0L)
  candidates <- which(weights > 0)
  expect_true(all(rows %in% candidates))
  share <- numeric()
  for (k in seq_along(rows)) {
    left <- naive_rest(x, rbind(fixed, x[rows[seq_len(k - 1)], , drop = FALSE]), eta)
    expect_gte(left[rows[k]], max(left[candidates]) * (1 - 1e-9) - 1e-10)
    left <- naive_rest(x, rbind(fixed, x[rows[seq_len(k)], , drop = FALSE]), eta)
    share[k] <- sum(weights * left) / sum(weights)
  }
  expect_equal(trace, share, tolerance = 1e-9)
}

active <- function(x, n, ..., seed = 1, bandwidth = eta, weights = NULL) {
  withr::local_seed(seed)
  landmarks(x, n, by_active(...), bandwidth = bandwidth, weights = weights)
}

test_that("each row has most variance left, and the trace is what all leave", {
  for (seed in 1:3) expect_greedy(active(x, 15, seed = seed), x, eta)
  expect_greedy(active(x, 15, weights = weights), x, eta, weights)
  a <- sparse_case(120, 20)
  expect_greedy(active(a$sparse, 10, bandwidth = 6), a$dense, 6)
})

test_that("among a subset the candidates, and the trace, are the subset's", {
  for (w in list(NULL, weights)) {
    fit <- active(x, 8, subset = 30, weights = w)
    candidates <- withr::with_seed(1, {
      if (is.null(w)) sort(sample.int(150, 30, useHash = TRUE)) else sort(which(w > 0)[sample.int(147, 30)])
    })
    v <- if (is.null(w)) rep(1, 30) else w[candidates]
    expect_greedy(fit, x[candidates, ], eta, v, rows = match(fit$rows, candidates))
  }
  # A subset of all rows or more is all rows, and none is drawn.
  for (subset in c(150, 5000)) expect_identical(active(x, 8, subset = subset)$rows, active(x, 8)$rows)
  expect_length(active(x, 8, subset = 8)$rows, 8)
})

test_that("fixed landmarks, rows or not, are conditioned on", {
  base <- withr::with_seed(3, landmarks(x, 5, bandwidth = eta))
  more <- withr::with_seed(4, add_landmarks(base, x, 6, by_active()))
  expect_identical(coef(more)[1:5, ], coef(base))
  for (part in c("rows", "trace")) expect_true(all(is.na(more[[part]][1:5])))
  expect_greedy(more, x, eta, fixed = unname(coef(base)), rows = more$rows[6:11], trace = more$trace[6:11])
  # Going on from its own fit is the longer fit.
  base <- active(x, 5)
  more <- withr::with_seed(9, add_landmarks(base, x, 5))
  expect_identical(more$rows[1:5], base$rows)
  expect_greedy(more, x, eta)
  # Landmarks that were moved have neither rows nor trace.
  moved <- refine_landmarks(base, x, 2)
  expect_true(all(is.na(moved$rows)) && all(is.na(moved$trace)))
  still <- refine_landmarks(base, x, 0)
  expect_identical(unname(coef(still)), x[still$rows, ])
})

test_that("rounding has no say in ties: sparse data give the rows of dense data", {
  # Lengths of 1 and products of roots of counts: many rows would tie, but for rounding.
  posts <- newsgroups[seq(1, 5652, by = 9), 1:200]
  roots <- hellinger(posts[Matrix::rowSums(posts) > 0, ])
  grid <- as.matrix(expand.grid(0:7, 0:7, 0:3))
  for (y in list(roots, methods::as(grid, "CsparseMatrix"))) {
    wide <- sum(apply(y, 2, stats::var))
    for (seed in 1:2) for (times in c(1, 5)) {
      fits <- lapply(list(y, as.matrix(y)), active, n = 40, bandwidth = times * wide, seed = seed)
      expect_identical(fits[[1]]$rows, fits[[2]]$rows)
    }
  }
})

test_that("rows are chosen as long as the variance left at one of them is above the floor", {
  rows <- active_rows(as_source(x), x[0, ], nrow(x), new_kernel(eta), compute_with(), floor = 0.5)$rows
  k <- naive_features(x, x, eta)
  largest <- function(rows) max(1 - colSums(k[rows, ] * solve(k[rows, rows], k[rows, ])))
  expect_lte(largest(rows), 0.5)
  expect_gt(largest(rows[-length(rows)]), 0.5)
})

test_that("the core chooses, and draws no random number where nothing ties", {
  from <- function(fixed, size, random) {
    active_rows(as_source(x), fixed, size, new_kernel(eta), compute_with(), random, rank_floor)$rows
  }
  # The odds of each row are compared in tests/core/test_active.c.
  drawn <- withr::with_seed(8, from(x[0, ], 12L, TRUE))
  expect_identical(active(x, 12, pivot = "random", seed = 8)$rows, drawn)
  withr::local_seed(2)
  before <- .Random.seed
  from(x[1, , drop = FALSE], 2L, FALSE)
  expect_identical(.Random.seed, before)
})
