# by_dpp_exact(): every set of rows as often as its determinant says.

skip_slow_file()

six <- rbind(c(0, 0), c(0.4, 0.1), c(1.2, 0), c(1, 0.9), c(-0.7, 0.6), c(0.2, -0.8))
mass <- c(2, 1, 0.5, 1, 3, 0)
sigma <- 0.7

naive_l <- function(x, sigma, weights = NULL, fixed = x[0, , drop = FALSE]) {
  eta <- 2 * sigma^2
  k <- naive_features(x, x, eta)
  if (nrow(fixed)) {
    cross <- naive_features(x, fixed, eta)
    k <- k - cross %*% solve(naive_features(fixed, fixed, eta), t(cross))
  }
  q <- sqrt(naive_weights(weights, nrow(x)))
  k * outer(q, q)
}

# All sets of rows, as 0/1 columns, and the probability of each: of `size` rows, or of one at least.
naive_sets <- function(l, size = NULL) {
  n <- nrow(l)
  sets <- t(as.matrix(expand.grid(rep(list(0:1), n))))
  det_of <- function(s) if (any(s == 1)) det(l[s == 1, s == 1, drop = FALSE]) else 1
  odds <- pmax(apply(sets, 2, det_of), 0)
  odds[colSums(sets) == 0] <- 0
  if (!is.null(size)) odds[colSums(sets) != size] <- 0
  list(sets = unname(sets), probability = odds / sum(odds))
}

draws <- function(count, x, n, bandwidth, weights = NULL, fixed = x[0, , drop = FALSE], distances = NULL) {
  source <- as_source(x, weights)
  rows <- draw_rows(source, nrow(x))
  how <- compute_with()
  out <- matrix(0, nrow(x), count)
  for (i in seq_len(count)) {
    out[draw_exact_dpp(source, rows, distances, fixed, n, new_kernel(bandwidth), how)$rows, i] <- 1
  }
  out
}

# Whole sets by chi-square (those that are rare put together), rows and pairs within their errors.
expect_sets <- function(drawn, expected) {
  code <- function(sets) colSums(sets * 2^(seq_len(nrow(sets)) - 1))
  count <- ncol(drawn)
  seen <- tabulate(match(code(drawn), code(expected$sets)), ncol(expected$sets))
  p <- expected$probability
  expect_identical(sum(seen[p < 1e-12]), 0L)
  rare <- p * count < 8
  pool <- function(v) c(v[!rare], if (sum(p[rare]) * count > 1) sum(v[rare]))
  expect_gt(stats::chisq.test(pool(seen), p = pool(p), rescale.p = TRUE)$p.value, 0.001)
  inclusion <- expected$sets %*% (p * t(expected$sets))
  error <- sqrt(inclusion * (1 - inclusion) / count)
  expect_true(all(abs(tcrossprod(drawn) / count - inclusion) <= 4.5 * error + 1e-12))
}

test_that("sets of a given size come as often as their determinants say", {
  withr::local_seed(1)
  for (n in c(1L, 2L, 4L)) {
    expect_sets(draws(3000, six, n, 2 * sigma^2), naive_sets(naive_l(six, sigma), n))
  }
})

test_that("sets of a random size do, given that there is one row at least", {
  withr::local_seed(2)
  l <- naive_l(six, sigma)
  drawn <- draws(4000, six, NULL, 2 * sigma^2)
  expect_sets(drawn, naive_sets(l))
  # Once more by the marginal kernel K = L (L + I)^-1, whose process may be empty.
  k <- l %*% solve(l + diag(6))
  some <- 1 - det(diag(6) - k)
  expect_equal(rowMeans(drawn), diag(k) / some, tolerance = 0.05)
  expect_equal(mean(colSums(drawn)), sum(diag(k)) / some, tolerance = 0.02)
})

test_that("weights are qualities, and rows of weight 0 are never drawn", {
  withr::local_seed(3)
  l <- naive_l(six, sigma, mass)
  for (n in list(NULL, 2L)) {
    drawn <- draws(3000, six, n, 2 * sigma^2, mass)
    expect_identical(sum(drawn[6, ]), 0)
    expect_sets(drawn, naive_sets(l, n))
  }
  expect_setequal(landmarks(six, 5, by_dpp_exact(sigma = 0.2), weights = mass)$rows, 1:5)
  # A row of weight 2 stands for two that are the same.
  twice <- draws(3000, six[c(1, 1:5), ], 2L, 2 * sigma^2)
  once <- naive_sets(naive_l(six[1:5, ], sigma, c(2, 1, 1, 1, 1)), 2)
  expect_true(all(twice[1, ] + twice[2, ] <= 1))
  expect_sets(rbind(twice[1, ] + twice[2, ], twice[-(1:2), ]), once)
})

test_that("held landmarks are conditioned on", {
  withr::local_seed(4)
  # One of them a row, which is then not drawn again.
  fixed <- rbind(six[3, ], c(0.3, 0.5))
  for (w in list(NULL, mass)) {
    drawn <- draws(3000, six, 2L, 2 * sigma^2, w, fixed)
    expect_identical(sum(drawn[3, ]), 0)
    expect_sets(drawn, naive_sets(naive_l(six, sigma, w, fixed), 2))
  }
  # The same as draws of all that have the rows fixed in them.
  given <- naive_sets(naive_l(six, sigma), 4)
  given$probability[colSums(given$sets[c(2, 5), ]) < 2] <- 0
  given$sets[c(2, 5), ] <- 0
  given$probability <- given$probability / sum(given$probability)
  kept <- given$probability > 0
  given <- list(sets = given$sets[, kept], probability = given$probability[kept])
  expect_sets(draws(3000, six, 2L, 2 * sigma^2, fixed = six[c(2, 5), ]), given)
})

test_that("rows that are the same are never both drawn", {
  withr::local_seed(5)
  x <- odd_matrix(12, 3)[rep(1:12, 4), ]
  for (i in 1:40) {
    fit <- landmarks(x, 12, by_dpp_exact(sigma = 0.4))
    expect_setequal((fit$rows - 1) %% 12, 0:11)
    expect_identical(anyDuplicated((landmarks(x, method = by_dpp_exact(sigma = 0.4))$rows - 1) %% 12), 0L)
  }
})

test_that("landmarks are the rows drawn, in the data's units, in a space, of sparse data too", {
  a <- sparse_case(120, 20)
  fits <- lapply(a, function(x) {
    withr::local_seed(1)
    landmarks(x, 9, by_dpp_exact(sigma = 1.5), weights = 1:120)
  })
  expect_identical(sort(fits$sparse$rows), sort(fits$dense$rows))
  expect_equal(unname(coef(fits$dense)), unname(a$dense[fits$dense$rows, ]))
  expect_length(fits$dense$rows, 9)
  x <- odd_matrix(80, 3)
  wide <- x %*% diag(c(1, 40, 0.02))
  scaled <- withr::with_seed(2, landmarks(wide, 6, by_dpp_exact(), scale = TRUE))
  expect_identical(unname(coef(scaled)), wide[scaled$rows, ])
  bounded <- withr::with_seed(2, landmarks(x + 0.5, 6, by_dpp_exact(), space = "nonnegative"))
  expect_identical(unname(coef(bounded)), pmax(x[bounded$rows, ] + 0.5, 0))
})

test_that("sigma is what it is said to be, by default the bandwidth of the features", {
  x <- odd_matrix(60, 2)
  with <- function(method, ...) withr::with_seed(7, landmarks(x, 8, method, ...)$rows)
  expect_identical(with(by_dpp_exact(), bandwidth = 0.5), with(by_dpp_exact(sigma = 0.5), bandwidth = 0.5))
  narrow <- by_dpp_exact(sigma = 0.3)
  expect_identical(sort(with(narrow)), sort(with(narrow, bandwidth = 0.1)))
  # In units after scaling.
  scaled <- t(t(x) / apply(x, 2, stats::sd))
  expect_identical(
    withr::with_seed(8, landmarks(x, 8, by_dpp_exact(sigma = 0.4), bandwidth = 1, scale = TRUE)$rows),
    withr::with_seed(8, landmarks(scaled, 8, by_dpp_exact(sigma = 0.4), bandwidth = 1)$rows)
  )
  # At the ends all rows are apart, or all are one.
  expect_setequal(landmarks(x, 60, by_dpp_exact(sigma = 1e-300), bandwidth = 1e-5)$rows, 1:60)
  expect_error(landmarks(x, 2, by_dpp_exact(sigma = 1e300)), class = "landmarker_error_rank")
  expect_length(landmarks(x, 1, by_dpp_exact(sigma = 1e300))$rows, 1)
})

test_that("the number is n, or random", {
  x <- odd_matrix(60, 2)
  method <- by_dpp_exact(sigma = 0.3)
  expect_length(landmarks(x, 7, "dpp_exact")$rows, 7)
  withr::local_seed(2)
  lambda <- eigen(naive_l(x, 0.3), TRUE)$values
  sizes <- replicate(60, length(landmarks(x, method = method, bandwidth = 0.1)$rows))
  spread <- sqrt(sum(lambda / (1 + lambda)^2) / 60)
  expect_lt(abs(mean(sizes) - sum(lambda / (1 + lambda))), 4 * spread)
  frame <- as.data.frame(x)
  expect_s3_class(landmarks(frame, method = method), "landmarks")
  expect_s3_class(landmarks(~ V1, frame, method = method), "landmarks")
  expect_s3_class(landmarks(matrix(1, 1, 1), method = method, bandwidth = 1), "landmarks")
})

test_that("a random draw that is empty is drawn again, with a warning", {
  # Of a single row it is empty half the time.
  withr::local_seed(4)
  said <- vapply(1:30, function(i) {
    tryCatch(
      {
        landmarks(matrix(2, 1, 1), method = by_dpp_exact(), bandwidth = 1)
        "one row"
      },
      landmarker_warning_empty = function(w) "empty"
    )
  }, "")
  expect_gt(sum(said == "empty"), 5)
  expect_gt(sum(said == "one row"), 5)
  one <- function() landmarks(matrix(2, 1, 1), method = by_dpp_exact(), bandwidth = 1)$rows
  expect_identical(suppressWarnings(replicate(20, one())), rep(1L, 20))
})

test_that("the same seed gives the same rows, whatever the number of threads", {
  x <- odd_matrix(300, 4)
  for (n in list(NULL, 20)) {
    fits <- lapply(c(1, 2, 3), function(threads) {
      withr::local_options(landmarker.threads = threads)
      withr::local_seed(6)
      source <- as_source(x)
      draw_exact_dpp(source, 1:300, NULL, x[0, ], n, new_kernel(1.1), compute_with())
    })
    expect_identical(fits[[2]], fits[[1]])
    expect_identical(fits[[3]], fits[[1]])
  }
  one <- withr::with_seed(1, landmarks(x, 20, by_dpp_exact()))
  expect_identical(bare(withr::with_seed(1, landmarks(x, 20, by_dpp_exact()))), bare(one))
  expect_false(identical(sort(withr::with_seed(2, landmarks(x, 20, by_dpp_exact()))$rows), sort(one$rows)))
})

# ---- geodesic distances --------------------------------------------------------

geodesics <- function(x, neighbors, rows = seq_len(nrow(x))) {
  source <- as_source(x)
  method <- by_dpp_exact(distance = "geodesic", neighbors = neighbors)
  dpp_geodesics(method, source, rows, x[0, , drop = FALSE], NULL)
}

test_that("geodesic distances are those of a hand calculation", {
  skip_if_not_installed("igraph")
  # A horseshoe: from one end to the other by way of all corners, and a pair far away.
  x <- rbind(c(0, 0), c(2, 0), c(5, 0), c(5, 4), c(2.5, 5), c(0, 6), c(90, 0), c(90, 1))
  step <- c(2, 3, 4, sqrt(7.25), sqrt(7.25))
  along <- c(0, cumsum(step))
  expected <- matrix(Inf, 8, 8)
  expected[1:6, 1:6] <- abs(outer(along, along, "-"))
  expected[7:8, 7:8] <- c(0, 1, 1, 0)
  # One neighbor each: 1-2, 3-2, 4-5, 6-5, 7-8.
  one <- expected
  one[1:3, 4:6] <- one[4:6, 1:3] <- Inf
  expect_equal(geodesics(x, 1), one, tolerance = 1e-12)
  # Two: row 3's are 2 and 4, row 4's are 5 and 3.
  expect_equal(geodesics(x, 2)[1:6, 1:6], expected[1:6, 1:6], tolerance = 1e-12)
  # All neighbors: nothing is shorter than the straight line.
  expect_equal(geodesics(x, 100), naive_distances(x, x), tolerance = 1e-12)
  # Rows 1, 2, 3 and 7 alone: 7 goes to 3.
  along <- c(0, 2, 5, 90)
  expect_equal(geodesics(x, 1, c(1:3, 7)), abs(outer(along, along, "-")), tolerance = 1e-12)
})

test_that("the process by geodesic distances is that of their kernel, negative eigenvalues taken as 0", {
  skip_if_not_installed("igraph")
  # Six points round a circle: the graph is a ring.
  angle <- 2 * pi * (1:6) / 6
  ring <- cbind(cos(angle), sin(angle))
  side <- outer(1:6, 1:6, function(i, j) pmin((i - j) %% 6, (j - i) %% 6))
  expect_equal(geodesics(ring, 2), 1 * side, tolerance = 1e-10)
  l <- exp(-side^2 / (2 * 1.5^2))
  pairs <- eigen(l, TRUE)
  expect_lt(min(pairs$values), -1e-3)
  clipped <- pairs$vectors %*% (pmax(pairs$values, 0) * t(pairs$vectors))
  withr::local_seed(9)
  drawn <- vapply(1:2000, function(i) {
    wide <- new_kernel(2 * 1.5^2)
    rows <- draw_exact_dpp(as_source(ring), 1:6, 1 * side, ring[0, ], 2L, wide, compute_with())$rows
    tabulate(rows, 6)
  }, integer(6))
  expect_sets(drawn, naive_sets(clipped, 2))
  for (i in 1:5) {
    rows <- landmarks(ring, 2, by_dpp_exact(distance = "geodesic", sigma = 0.9, neighbors = 2))$rows
    expect_length(rows, 2)
  }
  method <- by_dpp_exact("geodesic", 0.9, 2)
  expect_length(landmarks(ring, 2, method, weights = c(1, 1, 0, 1, 0, 2))$rows, 2)
  expect_error(landmarks(ring, 6, by_dpp_exact(distance = "geodesic", sigma = 1.5, neighbors = 2)),
    class = "landmarker_error_rank"
  )
  method <- by_dpp_exact(distance = "geodesic")
  expect_s3_class(landmarks(matrix(1, 1, 1), 1, method, bandwidth = 1), "landmarks")
  expect_s3_class(landmarks(methods::as(ring, "CsparseMatrix"), 2, method), "landmarks")
})

# ---- elsewhere -------------------------------------------------------------------

test_that("it goes on from a fit, and is compared with others", {
  x <- odd_matrix(150, 3)
  withr::local_seed(3)
  fit <- landmarks(x, 6, by_dpp_exact(sigma = 0.5))
  more <- add_landmarks(fit, x, 5)
  expect_identical(more$rows[1:6], fit$rows)
  expect_length(unique(more$rows), 11)
  expect_length(add_landmarks(landmarks(x, 4), x, 5, by_dpp_exact())$rows, 9)
  compared <- cv_landmarks(x, rep(c("a", "b"), 75), c(4, 8),
    list(random = by_random(), dpp = by_dpp_exact()), lambda = 0.1, folds = 3, seeds = 1
  )
  expect_setequal(compared$units$n[compared$units$method == "dpp"], c(4, 8))
})

test_that("it says what it is", {
  expect_identical(format(by_dpp_exact()), "exact determinantal point process")
  geodesic <- format(by_dpp_exact(distance = "geodesic"))
  expect_identical(geodesic, "exact determinantal point process by geodesic distances")
})
