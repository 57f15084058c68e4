# by_dpp_exact(): every set of rows as often as its determinant, or a power of it, says.

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

# The probabilities of all sets of rows, named by their numbers: of `size` rows, or of one at least.
naive_sets <- function(l, size = seq_len(nrow(l)), power = 1) {
  sets <- do.call(c, lapply(size, utils::combn, x = nrow(l), simplify = FALSE))
  odds <- pmax(vapply(sets, function(s) det(l[s, s, drop = FALSE]), 0), 0)^power
  stats::setNames(odds / sum(odds), vapply(sets, paste, "", collapse = " "))
}

draws <- function(count, x, n, sigma, weights = NULL, fixed = x[0, , drop = FALSE], distances = NULL) {
  source <- as_source(x, weights)
  rows <- draw_rows(source, nrow(x))
  kernel <- new_kernel(2 * sigma^2)
  how <- compute_with()
  lapply(seq_len(count), function(i) {
    sort(draw_exact_dpp(source, rows, distances, fixed, n, kernel, how)$rows)
  })
}

expect_sets <- function(drawn, expected) expect_chosen(vapply(drawn, paste, "", collapse = " "), expected)

test_that("sets come as often as their determinants say, with weights and held landmarks too", {
  withr::local_seed(1)
  # One of them a row, which is then not drawn again.
  fixed <- rbind(six[3, ], c(0.3, 0.5))
  none <- six[0, ]
  cases <- list(
    list(1L, NULL, none), list(4L, NULL, none), list(2L, mass, none), list(NULL, mass, none),
    list(2L, mass, fixed)
  )
  for (case in cases) {
    drawn <- draws(600, six, case[[1]], sigma, case[[2]], case[[3]])
    expect_sets(drawn, naive_sets(naive_l(six, sigma, case[[2]], case[[3]]), case[[1]] %||% 1:6))
  }
})

test_that("rows that are the same, or held, are never both drawn", {
  withr::local_seed(5)
  x <- odd_matrix(12, 3)[rep(1:12, 4), ]
  for (i in 1:10) {
    expect_setequal((landmarks(x, 12, by_dpp_exact(sigma = 0.4))$rows - 1) %% 12, 0:11)
    expect_identical(anyDuplicated((landmarks(x, method = by_dpp_exact(sigma = 0.4))$rows - 1) %% 12), 0L)
  }
  x <- matrix(stats::rnorm(40), 20)
  held <- as_landmarks(x[1:4, ], x, bandwidth = 1)
  repeated <- rbind(x, x[1:4, ], x[5, ])
  drawn <- replicate(20, add_landmarks(held, repeated, 3, by_dpp_exact(power = 1e-6, steps = 500))$rows[5:7])
  expect_false(any(drawn %in% c(1:4, 21:24)))
  expect_false(any(colSums(drawn == 5) + colSums(drawn == 25) > 1))
})

test_that("sigma is that of the distances after scaling, by default of the bandwidth of the features", {
  x <- odd_matrix(60, 2)
  with <- function(x, ...) withr::with_seed(7, landmarks(x, 8, ...)$rows)
  method <- by_dpp_exact(sigma = 0.5)
  expect_identical(with(x, by_dpp_exact(), bandwidth = 0.5), with(x, method, bandwidth = 0.5))
  scaled <- t(t(x) / apply(x, 2, stats::sd))
  expect_identical(with(x, method, bandwidth = 1, scale = TRUE), with(scaled, method, bandwidth = 1))
  # At the ends all rows are apart, or all are one.
  expect_setequal(landmarks(x, 60, by_dpp_exact(sigma = 1e-300), bandwidth = 1e-5)$rows, 1:60)
  expect_error(landmarks(x, 2, by_dpp_exact(sigma = 1e300)), class = "landmarker_error_rank")
  expect_length(landmarks(x, 1, by_dpp_exact(sigma = 1e300))$rows, 1)
})

test_that("without n the number of landmarks is random", {
  x <- odd_matrix(60, 2)
  method <- by_dpp_exact(sigma = 0.3)
  withr::local_seed(2)
  lambda <- eigen(naive_l(x, 0.3), TRUE)$values
  sizes <- replicate(30, length(landmarks(x, method = method, bandwidth = 0.1)$rows))
  spread <- sqrt(sum(lambda / (1 + lambda)^2) / 30)
  expect_lt(abs(mean(sizes) - sum(lambda / (1 + lambda))), 4 * spread)
  expect_s3_class(landmarks(~ V1, as.data.frame(x), method = method), "landmarks")
  # Of a single row a draw is empty half the time, and is drawn again with a warning.
  withr::local_seed(4)
  one <- function() landmarks(matrix(2, 1, 1), method = by_dpp_exact(), bandwidth = 1)$rows
  said <- replicate(30, tryCatch(one(), landmarker_warning_empty = function(w) 0L))
  expect_gt(sum(said == 0), 5)
  expect_gt(sum(said == 1), 5)
  expect_identical(suppressWarnings(replicate(20, one())), rep(1L, 20))
})

# ---- geodesic distances --------------------------------------------------------

geodesics <- function(x, neighbors, rows = seq_len(nrow(x))) {
  method <- by_dpp_exact(distance = "geodesic", neighbors = neighbors)
  dpp_geodesics(method, as_source(x), rows, x[0, , drop = FALSE], NULL)
}

test_that("geodesic distances are those of a hand calculation", {
  skip_if_not_installed("igraph")
  # A horseshoe: from one end to the other by way of all corners, and a pair far away.
  x <- rbind(c(0, 0), c(2, 0), c(5, 0), c(5, 4), c(2.5, 5), c(0, 6), c(90, 0), c(90, 1))
  along <- c(0, cumsum(c(2, 3, 4, sqrt(7.25), sqrt(7.25))))
  two <- matrix(Inf, 8, 8)
  two[1:6, 1:6] <- abs(outer(along, along, "-"))
  two[7:8, 7:8] <- c(0, 1, 1, 0)
  # One neighbor each: 1-2, 3-2, 4-5, 6-5, 7-8. Of two, row 3's are 2 and 4, row 4's are 5 and 3.
  one <- two
  one[1:3, 4:6] <- one[4:6, 1:3] <- Inf
  expect_equal(geodesics(x, 1), one, tolerance = 1e-12)
  expect_equal(geodesics(x, 2)[1:6, 1:6], two[1:6, 1:6], tolerance = 1e-12)
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
  pairs <- eigen(exp(-side^2 / (2 * 1.5^2)), TRUE)
  expect_lt(min(pairs$values), -1e-3)
  clipped <- pairs$vectors %*% (pmax(pairs$values, 0) * t(pairs$vectors))
  withr::local_seed(9)
  expect_sets(draws(600, ring, 2L, 1.5, distances = 1 * side), naive_sets(clipped, 2))
  # By the front door, with a power too.
  method <- by_dpp_exact("geodesic", sigma = 1.5, neighbors = 2, power = 2, steps = 100)
  drawn <- replicate(150, sort(landmarks(ring, 2, method)$rows), simplify = FALSE)
  expect_sets(drawn, naive_sets(clipped, 2, 2))
  method <- by_dpp_exact("geodesic", 0.9, 2)
  expect_length(landmarks(ring, 2, method, weights = c(1, 1, 0, 1, 0, 2))$rows, 2)
  expect_length(landmarks(methods::as(ring, "CsparseMatrix"), 2, method)$rows, 2)
  expect_identical(landmarks(matrix(1, 1, 1), 1, method, bandwidth = 1)$rows, 1L)
  expect_error(landmarks(ring, 6, by_dpp_exact("geodesic", 1.5, 2)), class = "landmarker_error_rank")
})

# ---- powers ------------------------------------------------------------------------

test_that("the share of accepted steps is told", {
  x <- withr::with_seed(4, sim_circles(100))
  fit <- withr::with_seed(4, landmarks(x, 5, by_dpp_exact(power = 2, steps = 400)))
  accepted <- fit$used$accepted * 400
  expect_equal(accepted, round(accepted))
  expect_gt(accepted, 0)
  expect_match(fit$history, "accepted")
  expect_equal(by_dpp_exact(power = 1), by_dpp_exact())
  expect_null(landmarks(x, 5, by_dpp_exact())$used$accepted)
  # All rows: no row is left to come.
  expect_setequal(landmarks(six, 6, by_dpp_exact(power = 3, sigma = 0.2))$rows, 1:6)
})

# ---- refusals ------------------------------------------------------------------------

test_that("options that are wrong, or do not fit the data, are refused", {
  x <- cbind(a = c(0, 1, 2, 3, 4, 5), b = c(0, 2, 1, -1, 0.5, 3), c = c(1, 0, -2, 0, 1, 4))
  expect_refused(
    by_dpp_exact(distance = "manhattan"), by_dpp_exact(sigma = 0), by_dpp_exact(neighbors = 0),
    by_dpp_exact(power = 0), by_dpp_exact(steps = 0), landmarks(x, method = by_random()),
    landmarks(x, NULL, by_dpp_exact()), landmarks(x, method = by_dpp_exact(power = 2)),
    landmarks(x[c(1, 1, 2, 2, 3, 3), ], 4, by_dpp_exact(sigma = 1)),
    landmarks(x, 6, by_dpp_exact(sigma = 1e4)),
    landmarks(x, 5, by_dpp_exact(sigma = 1), weights = c(1, 0, 1, 1, 0, 1)),
    add_landmarks(as_landmarks(x[1:4, ], x), x, 2, by_dpp_exact(sigma = 1e10)),
    add_landmarks(landmarks(x, 2), x, 2, by_dpp_exact(distance = "geodesic"))
  )
})

test_that("a kernel that would not fit into memory is refused before it is made", {
  many <- cbind(seq_len(4000), 0)
  withr::local_options(landmarker.memory = 1e6)
  expect_refused(
    landmarks(many, 5, by_dpp_exact()), landmarks(many, method = by_dpp_exact(distance = "geodesic"))
  )
  # Rows of weight 0 need no room.
  expect_length(landmarks(many, 5, by_dpp_exact(), weights = rep(0:1, c(3900, 100)))$rows, 5)
  withr::local_options(landmarker.memory = Inf)
  expect_length(landmarks(many[1:50, ], 5, by_dpp_exact())$rows, 5)
})
