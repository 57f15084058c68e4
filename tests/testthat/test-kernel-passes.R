# Features, the kernel, variances: [LP15] eqs. 5 and 7.

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
  shapes <- list(c(1, 1), c(1, 7), c(9, 1), c(255, 3), c(257, 2), c(40, 8), c(40, 9), c(17, 131), c(9, 700))
  for (shape in shapes) {
    x <- odd_matrix(shape[1], shape[2])
    points <- odd_matrix(3, shape[2], 77)
    bandwidth <- 0.5 * shape[2]
    fit <- suppressWarnings(as_landmarks(points, x, bandwidth = bandwidth), "landmarker_warning_off_data")
    expect_equal(unname(features(fit, x)), naive_features(x, points, 0.5 * shape[2]),
      tolerance = 1e-12, info = paste(shape, collapse = " x ")
    )
  }
})

test_that("features are right with 1 to 50 landmarks", {
  x <- odd_matrix(21, 3)
  for (n in c(1, 2, 7, 8, 9, 15, 16, 17, 23, 24, 25, 48, 50)) {
    points <- odd_matrix(n, 3, 5)
    fit <- suppressWarnings(as_landmarks(points, x, bandwidth = eta))
    expect_equal(unname(features(fit, x)), naive_features(x, points, eta), tolerance = 1e-12, info = n)
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

test_that("with scale = TRUE features are those of columns over their standard deviations", {
  x <- odd_matrix(40, 3) %*% diag(c(1, 100, 1e-3))
  new <- odd_matrix(10, 3, 50) %*% diag(c(1, 100, 1e-3))
  points <- x[c(3, 9, 27), ]
  s <- apply(x, 2, stats::sd)
  fit <- as_landmarks(points, x, bandwidth = eta, scale = TRUE)
  expect_equal(
    unname(features(fit, new)), naive_features(t(t(new) / s), t(t(points) / s), eta), tolerance = 1e-12
  )
  far <- naive_distances(t(t(new) / s), t(t(points) / s))
  expect_equal(predict(fit, new, "nearest")$distance, apply(far, 1, min), tolerance = 1e-10)
  expect_equal(
    unname(predict(fit, new, "variance", x = x)),
    naive_variance(t(t(x) / s), t(t(points) / s), t(t(new) / s), eta),
    tolerance = 1e-10
  )
  a <- sparse_case()
  s <- apply(a$dense, 2, stats::sd)
  points <- a$dense[1:3, ]
  fit <- as_landmarks(points, a$sparse, bandwidth = 20, scale = TRUE)
  expect_equal(
    unname(features(fit, a$sparse)), naive_features(t(t(a$dense) / s), t(t(points) / s), 20),
    tolerance = 1e-12
  )
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

test_that("variances at many rows are those at each of them", {
  x <- odd_matrix(90, 2)
  points <- x[c(4, 30, 77), ]
  new <- as_source(odd_matrix(2500, 2, 8))
  left <- function(rows) {
    variance_left(as_source(x), points, rows_of(new, rows), new_kernel(1), compute_with())
  }
  # 2,500 rows are three blocks.
  all <- left(1:2500)
  some <- c(1, 1024, 1025, 2500)
  expect_equal(all[some], vapply(some, left, 0), tolerance = 1e-12)
  expect_identical(left(integer()), numeric())
})

test_that("variance is eq. 7's projection, dense and sparse, with and without weights", {
  withr::local_seed(5)
  a <- sparse_case(80, 6, 0.4)
  weights <- stats::rexp(80)
  points <- odd_matrix(7, 6, 40)
  new <- rbind(odd_matrix(9, 6, 300), a$dense[1:3, ])
  for (w in list(NULL, weights)) {
    expected <- naive_variance(a$dense, points, new, 4, w)
    for (x in a) {
      fit <- as_landmarks(points, x, bandwidth = 4, weights = w)
      got <- predict(fit, new, "variance", x = x, weights = w)
      expect_equal(unname(got), expected, tolerance = 1e-10)
    }
  }
})

test_that("variance of many points does not depend on the blocks they come in", {
  x <- odd_matrix(50, 2)
  points <- odd_matrix(4, 2, 3)
  fit <- as_landmarks(points, x, bandwidth = eta)
  new <- odd_matrix(1100, 2, 17)
  some <- c(1, 255, 256, 257, 1023, 1024, 1025, 1100)
  expect_equal(
    predict(fit, new, "variance", x = x)[some], naive_variance(x, points, new[some, ], eta), tolerance = 1e-10
  )
})

test_that("variance is 0 at the landmarks and never below 0", {
  withr::local_seed(6)
  x <- sim_circles(200)
  fit <- landmarks(x, 10, bandwidth = 0.5)
  expect_lt(max(predict(fit, coef(fit), "variance", x = x)), 1e-13)
  expect_gte(min(predict(fit, coef(fit), "variance", x = x)), 0)
  # A point that no observation is near has no variance to lose.
  expect_identical(predict(fit, matrix(1e3, 1, 2, dimnames = list(NULL, c("x", "y"))), "variance", x = x), 0)
})

test_that("variance falls everywhere when a landmark is added", {
  x <- odd_matrix(100, 3)
  points <- odd_matrix(8, 3, 21)
  new <- odd_matrix(50, 3, 500)
  last <- vapply(1:50, function(i) mean(naive_features(x, new[i, , drop = FALSE], eta)^2), 0)
  for (k in 1:8) {
    now <- predict(as_landmarks(points[1:k, , drop = FALSE], x, bandwidth = eta), new, "variance", x = x)
    expect_true(all(now <= last + 1e-15))
    expect_lt(sum(now), sum(last) * 0.999)
    last <- now
  }
})

test_that("a landmark's variance is V given those before it", {
  withr::local_seed(7)
  x <- odd_matrix(70, 3)
  points <- odd_matrix(6, 3, 2)
  weights <- stats::runif(70)
  for (w in list(NULL, weights)) {
    fit <- as_landmarks(points, x, bandwidth = eta, weights = w)
    for (k in 1:6) {
      before <- points[seq_len(k - 1), , drop = FALSE]
      expect_equal(
        fit$variance[k], naive_variance(x, before, points[k, , drop = FALSE], eta, w), tolerance = 1e-10
      )
    }
  }
})

test_that("log det is that of G, and grows by log N V with each landmark", {
  withr::local_seed(8)
  x <- odd_matrix(70, 3)
  points <- odd_matrix(9, 3, 2)
  weights <- stats::runif(70)
  for (w in list(NULL, weights)) {
    fit <- as_landmarks(points, x, bandwidth = eta, weights = w)
    expect_equal(fit$log_det, naive_log_det(x, points, eta, w), tolerance = 1e-10)
    expect_equal(
      fit$log_det, as.numeric(determinant(naive_gram(x, points, eta, w))$modulus), tolerance = 1e-10
    )
    growth <- diff(c(0, vapply(1:9, function(k) naive_log_det(x, points[1:k, , drop = FALSE], eta, w), 0)))
    expect_equal(log(70 * fit$variance), growth, tolerance = 1e-10)
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
  expect_equal(
    features(as_landmarks(points * 1024 + 1e6, whole + 1000000L, bandwidth = eta * 1024^2), whole + 1000000L),
    features(near, x),
    tolerance = 1e-12
  )
})

test_that("data shifted by a million give landmarks shifted by a million", {
  x <- round(odd_matrix(120, 2) * 1024) / 1024
  start <- x[seq(5, 120, by = 20), ]
  near <- landmarks(x, 6, by_gp(start = start), bandwidth = 0.3)
  far <- landmarks(x + 2^20, 6, by_gp(start = start + 2^20), bandwidth = 0.3)
  expect_gt(near$iterations[1], 3)
  expect_equal(coef(far) - 2^20, coef(near), tolerance = 1e-7)
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
