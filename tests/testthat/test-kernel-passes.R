# Features, variances, shares explained and distances, by passes over rows: [LP15] eqs. 5 and 7.

eta <- 0.8

test_that("with scale = TRUE distances and variances are those of columns over their standard deviations", {
  x <- odd_matrix(40, 3) %*% diag(c(1, 100, 1e-3))
  new <- odd_matrix(10, 3, 50) %*% diag(c(1, 100, 1e-3))
  over <- function(v) t(t(v) / apply(x, 2, stats::sd))
  points <- over(x[c(3, 9, 27), ])
  for (data in list(x, methods::as(x, "CsparseMatrix"))) {
    fit <- as_landmarks(x[c(3, 9, 27), ], data, bandwidth = eta, scale = TRUE)
    expect_equal(unname(features(fit, new)), naive_features(over(new), points, eta), tolerance = 1e-12)
    near <- apply(naive_distances(over(new), points), 1, min)
    expect_equal(predict(fit, new, "nearest")$distance, near, tolerance = 1e-10)
    left <- unname(predict(fit, new, "variance", x = data))
    expect_equal(left, naive_variance(over(x), points, over(new), eta), tolerance = 1e-10)
  }
})

test_that("variance is eq. 7's projection, dense and sparse, weighted and not, at any number of rows", {
  withr::local_seed(5)
  a <- sparse_case(80, 6, 0.4)
  weights <- stats::rexp(80)
  points <- odd_matrix(7, 6, 40)
  # 2,500 rows are three blocks.
  new <- rbind(a$dense[1:3, ], odd_matrix(2497, 6, 300))
  some <- c(1:3, 255:257, 1023:1026, 2500)
  for (w in list(NULL, weights)) {
    expected <- naive_variance(a$dense, points, new[some, ], 4, w)
    for (x in a) {
      fit <- as_landmarks(points, x, bandwidth = 4, weights = w)
      got <- predict(fit, new, "variance", x = x, weights = w)
      expect_equal(unname(got[some]), expected, tolerance = 1e-10)
    }
  }
  expect_identical(predict(fit, new[0, ], "variance", x = x, weights = w), numeric())
  # At the landmarks it is 0, and never below.
  at <- predict(fit, coef(fit), "variance", x = x, weights = w)
  expect_true(all(at >= 0 & at < 1e-13))
})

test_that("a landmark's variance is V given those before it, and log det that of G", {
  # By hand, rows and landmarks at 0 and 1: Phi = (1, e; e, 1) with e = exp(-1 / 2), and |Phi| = 1 - e^2.
  e <- exp(-1 / 2)
  fit <- as_landmarks(cbind(0:1), cbind(0:1), bandwidth = 2)
  expect_equal(fit$log_det, 2 * log(1 - e^2), tolerance = 1e-14)
  expect_equal(fit$variance, c(1 + e^2, (1 - e^2)^2 / (1 + e^2)) / 2, tolerance = 1e-14)
})

test_that("the share explained is its formula over all rows where there are 1,000 or fewer", {
  withr::local_seed(9)
  x <- odd_matrix(90, 2)
  points <- odd_matrix(6, 2, 2)
  weights <- stats::rexp(90)
  weights[1:4] <- 0
  fit <- as_landmarks(points, x, bandwidth = eta, weights = weights)
  # Rows of weight 0 are not there at all.
  expect_equal(fit$explained, naive_explained(x[-(1:4), ], points, eta, weights[-(1:4)]), tolerance = 1e-10)
})

test_that("large offsets keep their digits", {
  # On a grid of 2^-10 a shift by 2^20 is exact, so nothing may change.
  x <- round(odd_matrix(120, 2) * 1024) / 1024
  start <- x[seq(5, 120, by = 20), ]
  shift <- 2^20
  near <- landmarks(x, 6, by_gp(start = start), bandwidth = 0.3)
  far <- landmarks(x + shift, 6, by_gp(start = start + shift), bandwidth = 0.3)
  expect_gt(near$iterations[1], 3)
  # Landmarks are shifted as the data are.
  expect_equal(coef(far) - shift, coef(near), tolerance = 1e-7)
  expect_equal(far$log_det, near$log_det, tolerance = 1e-8)
  near <- as_landmarks(start, x, bandwidth = eta)
  far <- as_landmarks(start + shift, x + shift, bandwidth = eta)
  expect_equal(features(far, x + shift), features(near, x), tolerance = 1e-12)
  left <- predict(far, x + shift, "variance", x = x + shift)
  expect_equal(left, predict(near, x, "variance", x = x), tolerance = 1e-10)
})

test_that("bandwidths may be tiny or huge: features keep their digits, and are exactly 0 and 1 at the ends", {
  x <- odd_matrix(30, 2)
  points <- x[c(4, 20), ]
  at <- function(bandwidth) unname(features(quiet(as_landmarks(points, x, bandwidth = bandwidth)), x))
  expect_equal(at(1e-6), naive_features(x, points, 1e-6), tolerance = 1e-8)
  expect_equal(1 - at(1e8), 1 - naive_features(x, points, 1e8), tolerance = 1e-6)
  # Much below the rounding error of a squared distance: nothing but the row itself.
  expect_no_warning(fit <- landmarks(x, 5, bandwidth = 1e-30))
  expect_equal(fit$log_det, 0, tolerance = 1e-12)
  expect_equal(fit$variance, rep(1 / 30, 5), tolerance = 1e-12)
  expect_setequal(features(fit, x), c(0, 1))
  expect_equal(unname(colSums(features(fit, x))), rep(1, 5))
  one <- suppressWarnings(landmarks(x, 3, bandwidth = 1e300))
  expect_true(all(features(one, x) == 1))
  expect_length(one, 1)
})

# Data whose spread is large against the bandwidth: distances by products alone would lose their digits.

test_that("features of far clusters and of an outlier are those of the differences, dense and sparse", {
  near <- withr::with_seed(1, matrix(rnorm(400), ncol = 2))
  cases <- lapply(c(1e2, 1e5, 1e7), function(apart) list(rbind(near, near + apart), 0.5, 1e-8))
  for (case in c(if (full_run()) cases else cases[c(1, 3)], list(list(rbind(near, 1e8), 1, 1e-6)))) {
    x <- case[[1]]
    fit <- withr::with_seed(1, landmarks(x, 8, bandwidth = case[[2]]))
    phi <- naive_features(x, unname(coef(fit)), case[[2]])
    for (data in list(x, methods::as(x, "CsparseMatrix"))) {
      expect_equal(features(fit, data), phi, tolerance = case[[3]], ignore_attr = TRUE)
    }
    expect_equal(fit$log_det, as.numeric(determinant(crossprod(phi))$modulus), tolerance = 1e-8)
  }
  # Data that are nowhere near are refused, not answered by an empty fit.
  expect_error(refine_landmarks(landmarks(near, 5), near + 1e6), class = "landmarker_error_rank")
})

test_that("the distance of a row from itself is 0", {
  set.seed(2)
  x <- matrix(rnorm(300), 50) + 3
  fit <- as_landmarks(x[1:5, ], x)
  expect_identical(fit$nearest, 1:5)
  expect_equal(predict(fit, x[1:5, ], "nearest")$distance, numeric(5), tolerance = 1e-14)
  expect_equal(fit$nearest_distance, numeric(5), tolerance = 1e-14)
  # Names that R cannot use for rows do not stop anything.
  rownames(x) <- c(NA, 1:49)
  expect_identical(dim(predict(landmarks(x, 3), x, "nearest")), c(50L, 2L))
})

# ---- equal rows, and rows of weight 0, which are nobody's neighbors -------------------------------

test_that("the first of equal rows are those of duplicated(), for every kind of data", {
  withr::local_seed(1)
  different <- function(x, same_as = x, ...) {
    found <- different_rows(as_source(x, ...), compute_with())
    expect_identical(found, which(!duplicated(as.matrix(same_as))))
  }
  # Many rows of a grid are equally far from any two of them.
  grid <- as.matrix(expand.grid(1:60, 1:60))
  for (x in list(grid, grid[c(1:100, 1:3600), ] * 1L, grid[c(1:3600, 5:60), ] + 1e9)) different(x)
  different(as.matrix(expand.grid(1:5, 1:5, 1:5, 1:5, 1:5)))
  items <- matrix(sample(1:4, 6000, replace = TRUE), 2000)
  for (scale in list(FALSE, TRUE, "ranks")) different(items, scale = scale)
  counts <- methods::as(matrix(stats::rpois(2000 * 40, 0.02), 2000), "CsparseMatrix")
  for (scale in c(FALSE, TRUE)) different(counts, scale = scale)
  for (x in list(items == 2, cbind(items, 5), items[rep(1, 30), ], items[1, , drop = FALSE])) different(x)
  different(rbind(items, items)[, 1, drop = FALSE] * 1e-13)
  # Rows that differ by rounding are equal, and others are not, with an outlier as well.
  different(items %*% qr.Q(qr(odd_matrix(3, 3))), items)
  different(items * (1 + sample(c(-1e-16, 0, 2e-16), 6000, replace = TRUE)) * 0.1, items)
  different(cbind(items[, 1] + (1:2000) * 1e-12, items[, -1]))
  few <- matrix(stats::runif(400), 200)[c(1:200, 1:50), ]
  for (far in c(1e5, 1e12)) different(replace(few, 3, far))
})

test_that("rows that equal a point are found", {
  x <- odd_matrix(20, 3)[c(1:20, 4, 4, 9), ]
  points <- x[c(4, 9), ] * (1 + 1e-16)
  for (y in list(x, methods::as(x, "CsparseMatrix"))) {
    source <- as_source(y)
    expect_identical(which(squared_from(source, points, compute_with()) == 0), c(4L, 9L, 21L, 22L, 23L))
    expect_identical(rows_apart(source, c(21L, 3L, 9L, 20L), points), c(3L, 20L))
    expect_identical(rows_apart(source, 5:7, source_no_points(source)), 5:7)
  }
})

test_that("more neighbors than rows with a weight are refused by the C code", {
  source <- as_source(cbind(1:10, 2), rep(0:1, c(8, 2)))
  near <- function(k) .Call(C_nearest_rows, source, cbind(1, 2), c(list(neighbors = k), compute_with()))
  expect_identical(near(2L)$observation, cbind(9:10))
  expect_error(near(3L), "weight above 0")
  source$weights[] <- 0
  expect_error(near(1L), "weight above 0")
})

test_that("rows of weight 0 change no variance: bandwidth and scale are those of the other rows", {
  x <- odd_matrix(60, 3) + 2
  weights <- rep(c(0, 1, 3), 20)
  some <- weights > 0
  # By hand.
  w <- weights[some] / mean(weights[some])
  variance <- colSums(w * sweep(x[some, ], 2, colMeans(x[some, ] * w))^2) / (sum(some) - 1)
  for (data in list(x, methods::as(x, "CsparseMatrix"))) {
    all <- landmarks(data, 5, by_random(), weights = weights)
    expect_equal(all$bandwidth, sum(variance), tolerance = 1e-12)
    expect_equal(unname(all$sd), sqrt(variance), tolerance = 1e-12)
    expect_equal(landmarks(data, 5, by_random(), weights = weights, scale = TRUE)$factor, 1 / sqrt(variance),
      ignore_attr = TRUE)
  }
  one <- landmarks(x, 1, by_random(), weights = replace(rep(0, 60), 7, 2), bandwidth = 1)
  expect_equal(unname(one$sd), numeric(3))
})
