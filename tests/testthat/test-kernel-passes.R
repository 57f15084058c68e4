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
  # At the landmarks it is 0, and never below.
  at <- predict(fit, coef(fit), "variance", x = x, weights = w)
  expect_true(all(at >= 0 & at < 1e-13))
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

test_that("bandwidths may be tiny or huge: features keep their digits, and are exactly 0 and 1 at the ends", {
  x <- odd_matrix(30, 2)
  points <- x[c(4, 20), ]
  fit <- as_landmarks(points, x, bandwidth = 1e-6)
  expect_equal(unname(features(fit, x)), naive_features(x, points, 1e-6), tolerance = 1e-8)
  fit <- quiet(as_landmarks(points, x, bandwidth = 1e8))
  expect_equal(unname(1 - features(fit, x)), 1 - naive_features(x, points, 1e8), tolerance = 1e-6)
  # Much below the rounding error of a squared distance: nothing but the row itself.
  expect_no_warning(fit <- landmarks(x, 5, bandwidth = 1e-30))
  expect_equal(fit$log_det, 0, tolerance = 1e-12)
  expect_equal(fit$variance, rep(1 / 30, 5), tolerance = 1e-12)
  expect_true(all(features(fit, x) %in% c(0, 1)))
  expect_equal(unname(colSums(features(fit, x))), rep(1, 5))
  one <- suppressWarnings(landmarks(x, 3, bandwidth = 1e300))
  expect_true(all(features(one, x) == 1))
  expect_length(one, 1)
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
