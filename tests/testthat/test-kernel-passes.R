# Features, variances, shares explained and distances, by passes over rows: [LP15] eqs. 5 and 7.

eta <- 0.8

test_that("features are eq. 5's, for every way to store a matrix", {
  withr::local_seed(1)
  whole <- matrix(sample(0:3, 37 * 5, TRUE), 37, 5)
  stored <- list(
    double = odd_matrix(37, 5), integer = whole, logical = whole > 1,
    sparse = Matrix::Matrix(whole * (whole > 1) / 2, sparse = TRUE)
  )
  expect_s4_class(stored$sparse, "dgCMatrix")
  expect_type(stored$integer, "integer")
  points <- odd_matrix(4, 5, 1000)
  for (kind in names(stored)) {
    x <- stored[[kind]]
    fit <- as_landmarks(points, x, bandwidth = eta)
    w <- features(fit, x)
    expect_equal(unname(w), naive_features(as.matrix(x) + 0, points, eta), tolerance = 1e-12, info = kind)
    expect_identical(colnames(w), paste0("L", 1:4), info = kind)
  }
})

test_that("features are right at every shape, the edges of tiles and blocks among them", {
  # Rows, columns and landmarks.
  shapes <- c(
    list(
      c(1, 1, 3), c(1, 7, 3), c(9, 1, 3), c(255, 3, 3), c(257, 2, 3), c(40, 8, 3), c(40, 9, 3), c(17, 131, 3),
      c(9, 700, 3)
    ), lapply(c(1, 2, 7, 8, 9, 15, 16, 17, 23, 24, 25, 48, 50), function(n) c(21, 3, n))
  )
  for (shape in shapes) {
    x <- odd_matrix(shape[1], shape[2])
    points <- odd_matrix(shape[3], shape[2], 77)
    fit <- quiet(as_landmarks(points, x, bandwidth = 0.5 * shape[2]))
    want <- naive_features(x, points, 0.5 * shape[2])
    expect_equal(unname(features(fit, x)), want, tolerance = 1e-12, info = paste(shape, collapse = " x "))
  }
})

test_that("features and the nearest landmark of many rows do not depend on the blocks they come in", {
  x <- odd_matrix(8200, 2)
  points <- odd_matrix(3, 2, 9)
  fit <- as_landmarks(points, x[1:50, ], bandwidth = eta)
  some <- c(1, 256, 257, 1024, 1025, 8191, 8192, 8193, 8200)
  expect_equal(unname(features(fit, x)[some, ]), naive_features(x[some, ], points, eta), tolerance = 1e-12)
  far <- naive_distances(x[some, ], points)
  near <- predict(fit, x, "nearest")[some, ]
  expect_identical(near$landmark, max.col(-far))
  expect_equal(near$distance, apply(far, 1, min), tolerance = 1e-10)
})

test_that("with scale = TRUE distances and variances are those of columns over their standard deviations", {
  x <- odd_matrix(40, 3) %*% diag(c(1, 100, 1e-3))
  new <- odd_matrix(10, 3, 50) %*% diag(c(1, 100, 1e-3))
  points <- x[c(3, 9, 27), ]
  over <- function(v) t(t(v) / apply(x, 2, stats::sd))
  for (data in list(x, methods::as(x, "CsparseMatrix"))) {
    fit <- as_landmarks(points, data, bandwidth = eta, scale = TRUE)
    expect_equal(unname(features(fit, new)), naive_features(over(new), over(points), eta), tolerance = 1e-12)
    near <- apply(naive_distances(over(new), over(points)), 1, min)
    expect_equal(predict(fit, new, "nearest")$distance, near, tolerance = 1e-10)
    expect_equal(
      unname(predict(fit, new, "variance", x = data)), naive_variance(over(x), over(points), over(new), eta),
      tolerance = 1e-10
    )
  }
})

test_that("sums over many ranges of rows are those over all rows", {
  withr::local_seed(4)
  x <- odd_matrix(8300, 3)
  weights <- stats::runif(8300)
  points <- odd_matrix(5, 3, 4)
  for (w in list(NULL, weights)) {
    v <- naive_weights(w, 8300)
    phi <- vapply(1:5, function(l) exp(-rowSums((x - rep(points[l, ], each = 8300))^2) / eta), numeric(8300))
    settings <- c(list(fixed = 0L, floor = kernel_floor), compute_with())
    pass <- .Call(C_nystrom, as_source(x, w), points, list(bandwidth = eta), settings)
    expect_identical(pass$nearest, unname(apply(phi, 2, which.max)))
    # The eigenvalues of A are those of W^-1 G, whatever the order of the factor.
    values <- eigen(solve(naive_features(points, points, eta), crossprod(phi, v * phi)))$values
    expect_equal(sort(eigen(pass$sums)$values), sort(Re(values)), tolerance = 1e-10)
    expect_equal(pass$total, sum(v))
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
})

test_that("variance is 0 at landmarks, never below 0, and falls with every landmark", {
  x <- odd_matrix(100, 3)
  points <- odd_matrix(8, 3, 21)
  new <- odd_matrix(50, 3, 500)
  last <- vapply(1:50, function(i) mean(naive_features(x, new[i, , drop = FALSE], eta)^2), 0)
  for (k in 1:8) {
    fit <- as_landmarks(points[1:k, , drop = FALSE], x, bandwidth = eta)
    now <- predict(fit, new, "variance", x = x)
    expect_true(all(now <= last + 1e-15))
    expect_lt(sum(now), sum(last) * 0.999)
    last <- now
  }
  at <- predict(fit, coef(fit), "variance", x = x)
  expect_true(all(at >= 0 & at < 1e-13))
  # A point that no observation is near has no variance to lose.
  expect_identical(predict(fit, matrix(1e3, 1, 3), "variance", x = x), 0)
})

test_that("a landmark's variance is V given those before it, and log det that of G", {
  withr::local_seed(7)
  x <- odd_matrix(70, 3)
  points <- odd_matrix(9, 3, 2)
  for (w in list(NULL, stats::runif(70))) {
    fit <- as_landmarks(points, x, bandwidth = eta, weights = w)
    for (k in 1:9) {
      given <- naive_variance(x, points[seq_len(k - 1), , drop = FALSE], points[k, , drop = FALSE], eta, w)
      expect_equal(fit$variance[k], given, tolerance = 1e-10)
    }
    expect_equal(fit$log_det, naive_log_det(x, points, eta, w), tolerance = 1e-10)
  }
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
  for (w in list(NULL, weights)) {
    fit <- as_landmarks(points, x, bandwidth = eta, weights = w)
    # Rows of weight 0 are not there at all.
    there <- if (is.null(w)) 1:90 else which(w > 0)
    expect_equal(fit$explained, naive_explained(x[there, ], points, eta, w[there]), tolerance = 1e-10)
  }
  # As many landmarks as there are directions explain everything.
  fit <- as_landmarks(x[1:6, ], x[1:6, ], bandwidth = eta)
  expect_equal(fit$explained[6], 1, tolerance = 1e-12)
})

test_that("large offsets keep their digits", {
  # On a grid of 2^-10 a shift by 2^20 is exact, so nothing may change.
  x <- round(odd_matrix(60, 4) * 1024) / 1024
  points <- round(odd_matrix(5, 4, 70) * 1024) / 1024
  shift <- 2^20
  near <- as_landmarks(points, x, bandwidth = eta)
  far <- as_landmarks(points + shift, x + shift, bandwidth = eta)
  expect_equal(features(far, x + shift), features(near, x), tolerance = 1e-12)
  expect_equal(far$log_det, near$log_det, tolerance = 1e-12)
  expect_equal(
    predict(far, x + shift, "variance", x = x + shift), predict(near, x, "variance", x = x),
    tolerance = 1e-10
  )
  rule <- as_landmarks(points + shift, x + shift)$bandwidth
  expect_equal(rule, sum(apply(x, 2, stats::var)), tolerance = 1e-12)
  whole <- matrix(as.integer(x * 1024), 60)
  high <- as_landmarks(points * 1024 + 1e6, whole + 1000000L, bandwidth = eta * 1024^2)
  expect_equal(features(high, whole + 1000000L), features(near, x), tolerance = 1e-12)
  # Landmarks are shifted as the data are.
  x <- round(odd_matrix(120, 2) * 1024) / 1024
  start <- x[seq(5, 120, by = 20), ]
  near <- landmarks(x, 6, by_gp(start = start), bandwidth = 0.3)
  far <- landmarks(x + shift, 6, by_gp(start = start + shift), bandwidth = 0.3)
  expect_gt(near$iterations[1], 3)
  expect_equal(coef(far) - shift, coef(near), tolerance = 1e-7)
  expect_equal(far$log_det, near$log_det, tolerance = 1e-8)
})

test_that("tiny bandwidths give features of exactly 1 and 0", {
  x <- odd_matrix(30, 2)
  fit <- as_landmarks(x[c(4, 20), ], x, bandwidth = 1e-6)
  expect_equal(unname(features(fit, x)), naive_features(x, x[c(4, 20), ], 1e-6), tolerance = 1e-8)
  # Much below the rounding error of a squared distance: nothing but the row itself.
  expect_no_warning(fit <- landmarks(x, 5, bandwidth = 1e-30))
  expect_equal(fit$log_det, 0, tolerance = 1e-12)
  expect_equal(fit$variance, rep(1 / 30, 5), tolerance = 1e-12)
  w <- features(fit, x)
  expect_true(all(w %in% c(0, 1)))
  expect_equal(unname(colSums(w)), rep(1, 5))
})

test_that("huge bandwidths give features of almost 1, to the last digits", {
  x <- odd_matrix(30, 2)
  fit <- suppressWarnings(as_landmarks(x[c(4, 20), ], x, bandwidth = 1e8))
  expect_equal(unname(1 - features(fit, x)), 1 - naive_features(x, x[c(4, 20), ], 1e8), tolerance = 1e-6)
  expect_true(all(features(fit, x) > 1 - 1e-7 & features(fit, x) <= 1))
  one <- suppressWarnings(landmarks(x, 3, bandwidth = 1e300))
  expect_true(all(features(one, x) == 1))
  expect_identical(nrow(coef(one)), 1L)
})

# Data whose spread is large against the bandwidth: distances by products alone would lose their digits.

test_that("features of far clusters and of an outlier are those of the differences, dense and sparse", {
  near <- withr::with_seed(1, matrix(rnorm(400), ncol = 2))
  cases <- lapply(c(1e2, 1e5, 1e7), function(apart) list(rbind(near, near + apart), 0.5, 1e-8))
  for (case in c(cases, list(list(rbind(near, 1e8), 1, 1e-6)))) {
    x <- case[[1]]
    fit <- withr::with_seed(1, landmarks(x, 8, bandwidth = case[[2]]))
    phi <- naive_features(x, unname(coef(fit)), case[[2]])
    for (data in list(x, methods::as(x, "CsparseMatrix"))) {
      expect_equal(features(fit, data), phi, tolerance = case[[3]], ignore_attr = TRUE)
    }
    expect_equal(fit$log_det, as.numeric(determinant(crossprod(phi))$modulus), tolerance = 1e-8)
  }
  # Data that are nowhere near are refused, not answered by an empty fit.
  small <- landmarks(near, 5)
  expect_error(refine_landmarks(small, near + 1e6), class = "landmarker_error_rank")
})

test_that("the distance of a row from itself is 0", {
  set.seed(2)
  x <- matrix(rnorm(300), 50) + 3
  fit <- as_landmarks(x[1:5, ], x)
  expect_identical(fit$nearest, 1:5)
  expect_equal(predict(fit, x[1:5, ], "nearest")$distance, numeric(5), tolerance = 1e-14)
  expect_equal(nearest_observations(fit, x, 1)$distance, numeric(5), tolerance = 1e-14)
  expect_equal(fit$nearest_distance, numeric(5), tolerance = 1e-14)
  # Names that R cannot use for rows do not stop anything.
  rownames(x) <- c(NA, 1:49)
  expect_identical(dim(predict(landmarks(x, 3), x, "nearest")), c(50L, 2L))
})

# Rows of weight 0 are nobody's neighbors: fewer rows than neighbors may be left.

test_that("more neighbors than rows with a weight are refused by the C code", {
  source <- as_source(cbind(1:10, 2), rep(0:1, c(8, 2)))
  near <- function(k) .Call(C_nearest_rows, source, cbind(1, 2), c(list(neighbors = k), compute_with()))
  expect_identical(near(2L)$observation, cbind(9:10))
  expect_error(near(3L), "weight above 0")
  # The spacing is the largest distance of the three rows with a weight.
  x <- odd_matrix(200, 2)
  three <- replace(rep(0, 200), c(3, 80, 150), 1)
  spacing <- row_spacing(as_source(x, three), new_kernel(1e-6), compute_with())
  expect_equal(spacing, max(dist(x[three > 0, ])))
  source$weights[] <- 0
  expect_error(near(1L), "weight above 0")
})

test_that("rows of weight 0 change no variance: bandwidth and scale are those of the other rows", {
  x <- odd_matrix(60, 3) + 2
  weights <- rep(c(0, 1, 3), 20)
  some <- weights > 0
  sparse <- methods::as(x, "CsparseMatrix")
  # By hand.
  w <- weights[some] / mean(weights[some])
  middle <- colMeans(x[some, ] * w)
  variance <- colSums(w * sweep(x[some, ], 2, middle)^2) / (sum(some) - 1)
  for (data in list(x, sparse)) {
    all <- landmarks(data, 5, by_random(), weights = weights)
    expect_equal(all$bandwidth, sum(variance), tolerance = 1e-12)
    expect_equal(unname(all$sd), sqrt(variance), tolerance = 1e-12)
  }
  without <- landmarks(x[some, ], 5, by_random(), weights = weights[some], scale = TRUE)
  expect_equal(landmarks(x, 5, by_random(), weights = weights, scale = TRUE)$factor, without$factor)
  one <- landmarks(x, 1, by_random(), weights = replace(rep(0, 60), 7, 2), bandwidth = 1)
  expect_equal(unname(one$sd), numeric(3))
})
