# by_active(): eq. 3 of Liang and Paisley (2015), with explicit inverses.

skip_slow_file()

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

# That each row has most left of the candidates, given those before it and what is
# fixed. Early on what is left is nearly 1 everywhere: within rounding they tie.
expect_greedy <- function(x, rows, eta, fixed = x[0, , drop = FALSE], candidates = seq_len(nrow(x))) {
  expect_true(all(rows %in% candidates))
  expect_identical(anyDuplicated(rows), 0L)
  for (k in seq_along(rows)) {
    left <- naive_rest(x, rbind(fixed, x[rows[seq_len(k - 1)], , drop = FALSE]), eta)
    # Rows tie that agree to nine digits.
    expect_gte(left[rows[k]], max(left[candidates]) * (1 - 1e-9) - 1e-10)
  }
}

naive_shares <- function(x, rows, eta, weights = rep(1, nrow(x)), fixed = x[0, , drop = FALSE]) {
  vapply(seq_along(rows), function(k) {
    points <- rbind(fixed, x[rows[seq_len(k)], , drop = FALSE])
    sum(weights * naive_rest(x, points, eta)) / sum(weights)
  }, 0)
}

active <- function(x, n, ..., seed = 1, bandwidth = eta, weights = NULL, space = "euclidean") {
  withr::local_seed(seed)
  landmarks(x, n, by_active(...), bandwidth = bandwidth, weights = weights, space = space)
}

test_that("each row has most variance left, and the trace is what all leave", {
  for (seed in 1:3) {
    fit <- active(x, 15, seed = seed)
    expect_greedy(x, fit$rows, eta)
    expect_equal(fit$trace, naive_shares(x, fit$rows, eta), tolerance = 1e-10)
    expect_identical(unname(coef(fit)), x[fit$rows, ])
  }
  # The trace once more, as it is written.
  k <- naive_features(x, x, eta)
  s <- fit$rows
  expect_equal(fit$trace[15], mean(diag(k - k[, s] %*% solve(k[s, s]) %*% t(k[, s]))), tolerance = 1e-10)
})

test_that("weights count in the trace, and rows of weight 0 are no candidates", {
  fit <- active(x, 15, weights = weights)
  expect_greedy(x, fit$rows, eta, candidates = which(weights > 0))
  expect_equal(fit$trace, naive_shares(x, fit$rows, eta, weights), tolerance = 1e-10)
  # Without weights one of these is taken: it lies alone.
  far <- rbind(x, c(9, 9, 9))
  expect_true(151L %in% active(far, 15)$rows)
  expect_false(151L %in% active(far, 15, weights = rep(1:0, c(150, 1)))$rows)
  expect_false(151L %in% active(far, 15, pivot = "random", weights = rep(1:0, c(150, 1)))$rows)
})

test_that("pivots are those of another incomplete Cholesky factorization", {
  skip_if_not_installed("kernlab")
  wide <- 6
  fit <- active(x, 12, bandwidth = wide)
  # It starts with the first row: ours goes there.
  order <- c(fit$rows[1], seq_len(150)[-fit$rows[1]])
  theirs <- kernlab::inchol(
    x[order, ], kernel = "rbfdot", kpar = list(sigma = 1 / wide), tol = 1e-10, maxiter = 12
  )
  rows <- order[kernlab::pivots(theirs)[1:12]]
  same <- which(rows != fit$rows)
  # Where they part it is for a tie.
  if (length(same)) {
    k <- same[1]
    left <- naive_rest(x, x[rows[seq_len(k - 1)], , drop = FALSE], wide)
    expect_equal(left[rows[k]], left[fit$rows[k]], tolerance = 1e-10)
  }
  expect_gt(length(rows) - length(same), 8)
})

test_that("sparse data give the rows of the same data stored densely, and integers those of doubles", {
  a <- sparse_case(120, 20)
  for (pivot in c("largest", "random")) {
    fits <- lapply(a, function(x) active(x, 10, pivot = pivot, bandwidth = 6, weights = 1:120))
    expect_identical(fits$sparse$rows, fits$dense$rows)
    expect_equal(fits$sparse$trace, fits$dense$trace, tolerance = 1e-10)
    expect_equal(coef(fits$sparse), coef(fits$dense), tolerance = 1e-12)
  }
  expect_greedy(a$dense, active(a$sparse, 10, bandwidth = 6)$rows, 6)
  whole <- round(4 * x)
  doubles <- active(whole, 10, bandwidth = 9)
  storage.mode(whole) <- "integer"
  expect_identical(active(whole, 10, bandwidth = 9)$rows, doubles$rows)
  expect_identical(active(whole > 0, 5, bandwidth = 3)$rows, active((whole > 0) + 0, 5, bandwidth = 3)$rows)
})

test_that("among a subset the candidates, and the trace, are the subset's", {
  for (w in list(NULL, weights)) {
    fit <- active(x, 8, subset = 30, weights = w)
    candidates <- withr::with_seed(1, {
      if (is.null(w)) sort(sample.int(150, 30, useHash = TRUE)) else sort(which(w > 0)[sample.int(147, 30)])
    })
    part <- match(fit$rows, candidates)
    expect_greedy(x[candidates, ], part, eta)
    v <- if (is.null(w)) rep(1, 30) else w[candidates]
    expect_equal(fit$trace, naive_shares(x[candidates, ], part, eta, v), tolerance = 1e-10)
    expect_identical(unname(coef(fit)), x[fit$rows, ])
  }
  # A subset of all rows or more is all rows, and none is drawn.
  expect_identical(active(x, 8, subset = 150)$rows, active(x, 8)$rows)
  expect_identical(active(x, 8, subset = 5000)$rows, active(x, 8)$rows)
  expect_length(active(x, 8, subset = 8)$rows, 8)
})

test_that("columns are scaled before, and landmarks are rows in the data's units", {
  wide <- x %*% diag(c(1, 40, 0.02))
  scaled <- t(t(wide) / apply(wide, 2, stats::sd))
  withr::local_seed(4)
  fit <- landmarks(wide, 9, by_active(), bandwidth = 2, scale = TRUE)
  expect_greedy(scaled, fit$rows, 2)
  expect_equal(fit$trace, naive_shares(scaled, fit$rows, 2), tolerance = 1e-9)
  expect_identical(unname(coef(fit)), wide[fit$rows, ])
})

test_that("in a space the rows chosen are the same, and projected", {
  for (space in list("nonnegative", "sphere", "nonnegative_sphere", function(t) pmin(t, 0.3))) {
    fit <- active(x, 6, space = space)
    plain <- active(x, 6)
    kept <- match(fit$rows, plain$rows)
    expect_false(is.unsorted(kept))
    expect_identical(fit$trace, plain$trace[kept])
    expect_equal(unname(coef(fit)), naive_project(x[fit$rows, ], space), tolerance = 1e-15)
  }
})

test_that("rows that repeat others end it when each has been taken", {
  few <- x[rep(1:6, 5), ]
  for (pivot in c("largest", "random")) {
    for (y in list(few, methods::as(few, "CsparseMatrix"))) {
      expect_warning(fit <- active(y, 10, pivot = pivot), class = "landmarker_warning_rank")
      expect_length(fit$rows, 6)
      expect_setequal((fit$rows - 1) %% 6, 0:5)
      expect_lt(fit$trace[6], 1e-8)
    }
  }
})

# ---- draws -------------------------------------------------------------------

five <- rbind(c(0, 0), c(0.3, 0.1), c(2, 0), c(2, 1.5), c(-1, 1))
mass <- c(2, 1, 0.5, 1, 3)

draws <- function(count, n, random, weights = NULL, fixed = five[0, ]) {
  withr::local_seed(8)
  source <- as_source(five, weights)
  vapply(seq_len(count), function(i) {
    active_rows(source, fixed, n, new_kernel(1.5), compute_with(), random, rank_floor)$rows
  }, integer(n))
}

test_that("rows are drawn in proportion to weight times what is left of them", {
  for (w in list(NULL, mass)) {
    v <- w %||% rep(1, 5)
    expected <- matrix(0, 5, 5)
    for (i in 1:5) expected[i, ] <- v[i] / sum(v) * v * naive_rest(five, five[i, , drop = FALSE], 1.5)
    # A row once taken has nothing left but rounding.
    diag(expected) <- 0
    expected <- expected * v / sum(v) / rowSums(expected)
    pairs <- draws(if (full_run()) 6000 else 2000, 2L, TRUE, w)
    seen <- table(factor(pairs[1, ], 1:5), factor(pairs[2, ], 1:5))
    expect_equal(sum(diag(seen)), 0)
    off <- row(seen) != col(seen)
    expect_gt(stats::chisq.test(seen[off], p = expected[off])$p.value, 0.001)
  }
})

test_that("a row of weight 2 is two rows", {
  # Drawn from data in which rows are repeated, and from data in which they have weights instead.
  times <- c(2L, 1L, 4L, 0L, 3L)
  of <- rep(1:5, times)
  for (random in c(FALSE, TRUE)) {
    count <- if (full_run()) 4000 else 2000
    weighted <- draws(count, 3L, random, times)
    withr::local_seed(9)
    source <- as_source(five[of, ])
    repeated <- vapply(seq_len(count), function(i) {
      of[active_rows(source, five[0, ], 3L, new_kernel(1.5), compute_with(), random, rank_floor)$rows]
    }, integer(3))
    words <- function(rows) paste(rows[1, ], rows[2, ], rows[3, ])
    counts <- table(c(words(weighted), words(repeated)), rep(1:2, each = count))
    expect_gt(stats::chisq.test(counts, simulate.p.value = TRUE)$p.value, 0.001)
    # Without weights it is another law.
    counts <- table(c(words(weighted), words(draws(count, 3L, random))), rep(1:2, each = count))
    expect_lt(suppressWarnings(stats::chisq.test(counts))$p.value, 1e-10)
  }
  # What they leave is the same number.
  times <- rep(1:3, 50)
  of <- rep(1:150, times)
  weighted <- active(x, 12, weights = times)
  repeated <- active(x[of, ], 12)
  expect_equal(weighted$trace, naive_shares(x, weighted$rows, eta, times), tolerance = 1e-10)
  expect_equal(repeated$trace, naive_shares(x, of[repeated$rows], eta, times), tolerance = 1e-10)
})

test_that("rounding has no say in ties: sparse data give the rows of dense data", {
  # Lengths of 1 and products of roots of counts: many rows would tie, but for rounding.
  posts <- newsgroups[seq(1, 5652, by = 9), 1:200]
  roots <- hellinger(posts[Matrix::rowSums(posts) > 0, ])
  grid <- as.matrix(expand.grid(0:7, 0:7, 0:3))
  for (y in list(roots, methods::as(grid, "CsparseMatrix"))) {
    wide <- sum(apply(y, 2, stats::var))
    for (seed in 1:2) {
      for (times in c(1, 5)) {
        fits <- lapply(list(y, as.matrix(y)), active, n = 40, bandwidth = times * wide, seed = seed)
        expect_identical(fits[[1]]$rows, fits[[2]]$rows)
      }
    }
  }
})

test_that("pivot says which of the two it is", {
  withr::local_seed(8)
  drawn <- active_rows(as_source(x), x[0, ], 12L, new_kernel(eta), compute_with(), TRUE, rank_floor)$rows
  expect_identical(active(x, 12, pivot = "random", seed = 8)$rows, drawn)
  # No greedy choice: what it takes has, before it is taken, less left than another.
  left <- vapply(2:12, function(k) {
    rest <- naive_rest(x, x[drawn[seq_len(k - 1)], , drop = FALSE], eta)
    max(rest) - rest[drawn[k]]
  }, 0)
  expect_gt(max(left), 0.05)
})

test_that("given fixed landmarks the first row is drawn from what they leave", {
  fixed <- rbind(c(0, 0), c(2, 0.5))
  left <- mass * naive_rest(five, fixed, 1.5)
  seen <- draws(4000, 1L, TRUE, mass, fixed)
  expect_identical(sum(seen == 1), 0L)
  expect_gt(stats::chisq.test(tabulate(seen, 5)[-1], p = left[-1] / sum(left[-1]))$p.value, 0.001)
})

test_that("the first row is any of them, as all tie, by weight", {
  for (w in list(NULL, mass)) {
    p <- w %||% rep(1, 5)
    expect_gt(stats::chisq.test(tabulate(draws(4000, 1L, FALSE, w), 5), p = p / sum(p))$p.value, 0.001)
  }
  expect_setequal(draws(200, 1L, FALSE, c(1, 0, 2, 3, 0)), c(1, 3, 4))
  # With a fixed landmark nothing ties, and nothing is drawn.
  withr::local_seed(2)
  before <- .Random.seed
  fixed <- rbind(c(0, 0))
  found <- active_rows(as_source(five), fixed, 2L, new_kernel(1.5), compute_with(), FALSE, rank_floor)
  expect_identical(found$rows[1], which.max(naive_rest(five, fixed, 1.5)))
  expect_identical(.Random.seed, before)
})

test_that("the first m rows of n are those of m", {
  for (method in list(list(), list(pivot = "random"), list(subset = 60, pivot = "random"))) {
    long <- do.call(active, c(list(x, 12), method))
    for (m in c(1, 5)) {
      short <- do.call(active, c(list(x, m), method))
      expect_identical(short$rows, long$rows[seq_len(m)])
      expect_identical(short$trace, long$trace[seq_len(m)])
    }
  }
})

# ---- going on ----------------------------------------------------------------

test_that("fixed landmarks, rows or not, are conditioned on", {
  base <- withr::with_seed(3, landmarks(x, 5, bandwidth = eta))
  fixed <- unname(coef(base))
  more <- withr::with_seed(4, add_landmarks(base, x, 6, by_active()))
  expect_identical(unname(coef(more))[1:5, ], fixed)
  expect_identical(more$rows[1:5], rep(NA_integer_, 5))
  expect_identical(more$trace[1:5], rep(NA_real_, 5))
  expect_greedy(x, more$rows[6:11], eta, fixed)
  expect_equal(more$trace[6:11], naive_shares(x, more$rows[6:11], eta, fixed = fixed), tolerance = 1e-9)
  expect_identical(unname(coef(more))[6:11, ], x[more$rows[6:11], ])
  # Without them other rows are chosen.
  expect_gt(max(abs(active(x, 6)$trace - more$trace[6:11])), 0.01)
})

test_that("going on from its own fit keeps rows and trace, and is the longer fit", {
  base <- active(x, 5)
  more <- withr::with_seed(9, add_landmarks(base, x, 5))
  long <- active(x, 10)
  expect_s3_class(more$method, "by_active")
  expect_identical(more$rows[1:5], base$rows)
  expect_identical(more$trace[1:5], base$trace)
  expect_greedy(x, more$rows, eta)
  expect_equal(more$trace, naive_shares(x, more$rows, eta), tolerance = 1e-9)
  expect_equal(more$trace, long$trace, tolerance = 1e-6)
})

test_that("a fit whose landmarks were moved has neither rows nor trace", {
  fit <- active(x, 5)
  moved <- refine_landmarks(fit, x, 2)
  expect_true(all(is.na(moved$rows)) && all(is.na(moved$trace)))
  still <- refine_landmarks(fit, x, 0)
  expect_setequal(still$rows, fit$rows)
  expect_identical(unname(coef(still)), x[still$rows, ])
  expect_true(all(is.na(withr::with_seed(1, landmarks(x, 4, bandwidth = eta))$rows)))
})

test_that("one thread and two leave the same bits where there is work for both", {
  many <- odd_matrix(20000, 20)
  narrow <- many * (many > 0.7)
  for (y in list(many, methods::as(narrow, "CsparseMatrix"))) {
    fits <- lapply(1:2, function(threads) {
      withr::local_options(landmarker.threads = threads)
      list(bare(active(y, 4, bandwidth = 5)), bare(active(y, 4, pivot = "random", bandwidth = 5)))
    })
    expect_identical(fits[[2]], fits[[1]])
  }
})

test_that("its name will do, and it says what it does", {
  withr::local_seed(1)
  expect_identical(landmarks(x, 4, "active", bandwidth = eta)$rows, active(x, 4)$rows)
  expect_identical(format(by_active()), "active learning on all rows")
  expect_identical(
    format(by_active(subset = 5000, pivot = "random")),
    "active learning on 5,000 random rows, drawn in proportion to the variance left"
  )
})
