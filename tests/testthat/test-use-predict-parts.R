# What is made of a fit, from data in one part or in several: the same.

skip_slow_file()

parts <- c(1, 2, 3, 7)

use_cases <- function() {
  withr::local_seed(2)
  roll <- unclass(sim_swiss_roll(360))[, 1:3]
  colnames(roll) <- c("a", "b", "c")
  counts <- methods::as(matrix(stats::rpois(240 * 8, rep(c(0.4, 1.5), each = 240 * 4)), 240), "CsparseMatrix")
  weights <- rep(c(1, 0, 2, 0.5), length.out = 360)
  of_weighted <- quietly(landmarks(roll, 12, weights = weights, scale = TRUE))
  list(
    dense = list(x = roll, fit = quietly(landmarks(roll, 20))),
    weighted = list(x = roll, weights = weights, fit = of_weighted),
    sparse = list(x = counts, fit = quietly(landmarks(counts, 9, scale = TRUE)))
  )
}

test_that("features, nearest landmarks and variances of parts are bound together", {
  for (case in use_cases()) for (k in parts) {
    cut <- cut_data(case$x, k)
    for (type in c("features", "nearest")) {
      expect_equal(predict(case$fit, cut, type), predict(case$fit, case$x, type), tolerance = 1e-10)
    }
    variance <- function(newdata, x) predict(case$fit, newdata, "variance", x = x, weights = case$weights)
    new <- case$x[c(1:40, 200:230), ]
    whole <- variance(new, case$x)
    # Where next to nothing is left, it is rounding.
    scale <- max(case$fit$variance)
    expect_lt(max(abs(variance(new, cut) - whole)), 1e-10 * scale)
    expect_lt(max(abs(variance(cut_data(new, k), cut) - whole)), 1e-10 * scale)
    expect_lt(max(abs(variance(cut_data(new, k), case$x) - whole)), 1e-10 * scale)
  }
})

test_that("the variance of a process over parts is that of its definition", {
  case <- use_cases()$dense
  new <- case$x[c(5, 77), ] + 0.5
  phi <- function(at) {
    own <- seq_len(nrow(at))
    exp(-as.matrix(stats::dist(rbind(at, case$x)))[-own, own]^2 / case$fit$bandwidth)
  }
  q <- qr.Q(qr(phi(coef(case$fit))))
  psi <- phi(new)
  want <- colSums((psi - q %*% crossprod(q, psi))^2) / nrow(case$x)
  got <- predict(case$fit, new, "variance", x = cut_data(case$x, 3))
  expect_equal(unname(got), unname(want), tolerance = 1e-6)
})

test_that("what Nystrom leaves adds up over parts", {
  for (case in use_cases()) for (k in parts) {
    error <- function(x) reconstruction_error(case$fit, x, n = c(1, 4, 9), weights = case$weights)
    expect_equal(error(cut_data(case$x, k)), error(case$x), tolerance = 1e-10)
    wide <- function(x) reconstruction_error(case$fit, x, sigma = 3, weights = case$weights)
    expect_equal(wide(cut_data(case$x, k)), wide(case$x), tolerance = 1e-8)
  }
})

test_that("nearest observations are found in all parts", {
  for (case in use_cases()) for (k in parts) {
    want <- nearest_observations(case$fit, case$x, 4)
    got <- nearest_observations(case$fit, cut_data(case$x, k), 4)
    expect_identical(got[1:3], want[1:3])
    expect_equal(got, want, tolerance = 1e-10)
  }
})

test_that("points of one's own become the same landmarks", {
  for (case in use_cases()) for (k in parts) {
    make <- function(x) {
      scale <- case$fit$scaled
      quietly(as_landmarks(coef(case$fit), x, "2 * variance", weights = case$weights, scale = scale))
    }
    want <- unclass(make(case$x))
    got <- unclass(make(cut_data(case$x, k)))
    same <- c(
      "landmarks", "variance", "explained", "log_det", "nearest", "nearest_distance", "on_data", "spacing",
      "gaps"
    )
    expect_equal(got[same], want[same], tolerance = 1e-8)
  }
})

test_that("an embedding is made with the data in parts, and extended to them", {
  case <- use_cases()$dense
  of <- function(x) quietly(embed_landmarks(case$fit, x, neighbors = 4))
  want <- of(case$x)
  for (k in parts) {
    got <- of(cut_data(case$x, k))
    expect_equal(got$coordinates, want$coordinates, tolerance = 1e-10)
    expect_equal(predict(got, cut_data(case$x, k)), predict(want, case$x), tolerance = 1e-10)
  }
  sparse <- use_cases()$sparse
  embedding <- quietly(embed_landmarks(sparse$fit))
  for (k in parts) {
    expect_equal(predict(embedding, cut_data(sparse$x, k)), predict(embedding, sparse$x), tolerance = 1e-10)
  }
  huge <- case$x
  huge[350, 2] <- 1e200
  expect_error(predict(want, cut_data(huge, 3)), class = "landmarker_error_data")
})

test_that("columns go by their names also in parts", {
  case <- use_cases()$dense
  turned <- cut_data(case$x[, c("c", "a", "b")], 3)
  expect_equal(predict(case$fit, turned), predict(case$fit, case$x), tolerance = 1e-10)
  error <- function(x) reconstruction_error(case$fit, x)
  expect_equal(error(turned), error(case$x), tolerance = 1e-10)
  expect_error(predict(case$fit, cut_data(case$x[, 1:2], 3)), class = "landmarker_error_columns")
  expect_error(predict(case$fit, cut_data(unname(case$x[, 1:2]), 3)), class = "landmarker_error_columns")
})

test_that("a picture shows the same rows", {
  case <- use_cases()$dense
  groups <- seq_len(360) %% 3
  for (most in c(100, 5000)) {
    shown <- function(x) shown_data(case$fit, list(data = x), groups, "landmarks", most)
    expect_equal(shown(cut_data(case$x, 3)), shown(case$x))
  }
})

test_that("data in parts are looked at for their space and their units", {
  x <- use_cases()$dense$x
  low <- -abs(x)
  low[360, 1] <- 0.1
  for (k in parts) {
    expect_error(landmarks(cut_data(-abs(x), k), 3, space = "nonnegative"), class = "landmarker_error_space")
    expect_warning(check_in_space(as_source(cut_data(low, k)), "nonnegative"),
      class = "landmarker_warning_space"
    )
    # The only row with a value above 0 has no weight.
    expect_error(check_in_space(as_source(cut_data(low, k), rep(1:0, c(359, 1))), "nonnegative"),
      class = "landmarker_error_space"
    )
    expect_warning(check_in_space(as_source(cut_data(x, k)), "sphere"), class = "landmarker_warning_space")
    apart <- x * rep(c(1, 1000, 1), each = 360)
    colnames(apart) <- paste0(c("p", "q", "r"), k)
    expect_message(tell_units(as_source(cut_data(apart, k)), "euclidean"), class = "landmarker_message_units")
  }
})

test_that("a comparison of data in parts is that of the data in memory", {
  x <- use_cases()$dense$x
  y <- factor(x[, 2] > stats::median(x[, 2]))
  compare <- function(x, ...) {
    methods <- list(gp = by_gp(), raw = raw_features)
    found <- quietly(cv_landmarks(x, y, n = c(4, 8), methods = methods, folds = 3, seeds = 1:2, ...))
    units <- found$units[!startsWith(names(found$units), "seconds")]
    list(units, found$best[c("method", "n", "lambda")], found$coefficients)
  }
  cases <- list(list(), list(scale = TRUE, bandwidth = c("variance", "2 * variance")), list(test = 1:60))
  for (more in cases) {
    want <- do.call(compare, c(list(x), more))
    for (k in if (full_run()) parts else c(1, 7)) {
      expect_equal(do.call(compare, c(list(cut_data(x, k)), more)), want, tolerance = 1e-8)
    }
  }
  x[300, 1] <- NA
  expect_error(cv_landmarks(cut_data(x, 3), y, 4), class = "landmarker_error_missing")
})

test_that("methods may have data of their own in parts", {
  x <- use_cases()$dense$x
  compare <- function(data, own) {
    methods <- list(gp = by_gp(), own = with_data(by_gp(), own, scale = TRUE))
    found <- quietly(cv_landmarks(data, x[, 1], n = 4, methods = methods, folds = 2, seeds = 1))
    found$units[!startsWith(names(found$units), "seconds")]
  }
  expect_equal(compare(cut_data(x, 3), cut_data(x[, 2:3], 2)), compare(x, x[, 2:3]), tolerance = 1e-8)
})

test_that("variances at many rows read each part once, and in several goes the same", {
  x <- odd_matrix(90, 2)
  points <- x[c(4, 30, 77), ]
  new <- as_source(odd_matrix(2500, 2, 8))
  source <- counting_source(x, 3)
  before <- source$count()
  once <- variance_left(source, points, new, new_kernel(1), compute_with())
  expect_identical(source$count() - before, 3)
  # 2,500 rows are three blocks, of which two at a time have this room.
  expect_identical(variance_left(source, points, new, new_kernel(1), compute_with(), most = 1.2e5), once)
  expect_identical(source$count() - before, 3 + 6)
  none <- variance_left(source, points, rows_of(new, integer()), new_kernel(1), compute_with())
  expect_identical(none, list(prior = numeric(), left = numeric()))
})

test_that("baselines that need all rows in one place say so", {
  x <- abs(odd_matrix(40, 3))
  cut <- cut_data(x, 2)
  expect_error(raw_features(cut), "several parts", class = "landmarker_error_parts")
  expect_error(predict(raw_features(x), cut), "newdata", class = "landmarker_error_parts")
  skip_if_not_installed("NMF")
  expect_error(nmf_features(cut, 2), "several parts", class = "landmarker_error_parts")
  expect_error(predict(nmf_features(x, 2, 5), cut), "newdata", class = "landmarker_error_parts")
})
