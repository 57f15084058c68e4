# predict(type = "mean"), the process given its values at the landmarks; and whatever is made of a fit, from
# data in memory or in chunks: the same.

x <- withr::with_seed(1, sim_circles(120))
fit <- withr::with_seed(1, landmarks(x, 8, bandwidth = 0.3))

naive_mean <- function(fit, new, values) {
  w <- naive_features(fit$landmarks, fit$landmarks, fit$bandwidth)
  naive_features(new, fit$landmarks, fit$bandwidth) %*% solve(w, values)
}

test_that("the mean is that of the equation, for one function and several", {
  values <- cbind(a = sin(1:8), b = 1:8)
  expect_equal(predict(fit, x, values = values), naive_mean(fit, x, values), tolerance = 1e-6)
  expect_equal(predict(fit, x, "mean", values = 1:8), naive_mean(fit, x, values)[, 2], tolerance = 1e-6)
  # At the landmarks it is what was given, far away 0.
  expect_equal(unname(predict(fit, fit$landmarks, values = sin(1:8))), sin(1:8), tolerance = 1e-6)
  expect_identical(unname(predict(fit, matrix(100, 1, 2), values = 1:8)), 0)
  rownames(x) <- paste0("r", 1:120)
  expect_named(predict(fit, x, values = 1:8), rownames(x))
})

test_that("it is in the coordinates of the kernel, also in chunks", {
  table <- as.matrix(iris[1:4]) * rep(c(1, 10, 100, 1000), each = 150)
  fit <- withr::with_seed(1, landmarks(table, 6, scale = TRUE, bandwidth = 3))
  unit <- apply(table, 2, stats::sd)
  naive <- with_part(fit, landmarks = sweep(fit$landmarks, 2, unit, "/"))
  values <- cos(1:6)
  mean <- unname(predict(fit, table, values = values))
  expect_equal(mean, naive_mean(naive, sweep(table, 2, unit, "/"), values)[, 1], tolerance = 1e-6)
  expect_equal(unname(predict(fit, in_chunks(table, 4), values = values)), mean)
  passed <- predict(fit, replace(table[1:3, ], 2, NA), values = values, na.action = stats::na.pass)
  expect_identical(unname(is.na(passed)), c(FALSE, TRUE, FALSE))
})

test_that("wrong values are refused", {
  expect_refused(
    predict(fit, x, "mean"), predict(fit, x, values = 1:7), predict(fit, x, values = letters[1:8]),
    predict(fit, x, values = c(1:7, NA)), predict(fit, x, values = matrix(0, 8, 0)),
    predict(fit, x, values = rep(NA, 8)), predict(fit, x, values = c(1:7, 1e300)),
    predict(fit[1], x, values = 1:2), predict(fit, x, "features", values = 1:8),
    predict(fit, x, "features", x = x), predict(fit, x, values = 1:8, x = x),
    predict(fit, x, "variance", weights = rep(1, 120)), predict(fit, x, interval = "prediction"),
    predict(fit, x, level = 0.9)
  )
  # The remedy of a missing value.
  known <- 1:8 != 3
  got <- predict(fit[known], x, values = (1:8)[known])
  expect_equal(got, naive_mean(fit[known], x, (1:8)[known])[, 1], tolerance = 1e-6)
})

# ---- data in chunks -----------------------------------------------------------------

use_cases <- function() {
  withr::local_seed(2)
  roll <- unclass(sim_swiss_roll(360))[, 1:3]
  colnames(roll) <- c("a", "b", "c")
  counts <- methods::as(matrix(stats::rpois(240 * 8, rep(c(0.4, 1.5), each = 240 * 4)), 240), "CsparseMatrix")
  weights <- rep(c(1, 0, 2, 0.5), length.out = 360)
  of_weighted <- quietly(landmarks(roll, 12, weights = weights, scale = TRUE))
  list(
    dense = list(x = roll, fit = quietly(landmarks(roll, 20))),
    weighted = list(x = roll, weights = weights, fit = of_weighted, rows = c(120, 0, 120, 120)),
    sparse = list(x = counts, fit = quietly(landmarks(counts, 9, scale = TRUE)))
  )
}

test_that("values, errors, nearest rows and embeddings are those of data in memory", {
  skip_slow_file()
  for (case in use_cases()) {
    chunks <- in_chunks(case$x, rows = case$rows)
    for (type in c("features", "nearest")) {
      expect_equal(predict(case$fit, chunks, type), predict(case$fit, case$x, type), tolerance = 1e-10)
    }
    variance <- function(newdata, x) predict(case$fit, newdata, "variance", x = x, weights = case$weights)
    new <- case$x[c(1:40, 200:230), ]
    there <- list(variance(new, chunks), variance(in_chunks(new), chunks), variance(in_chunks(new), case$x))
    # Where next to nothing is left, it is rounding.
    for (one in there) expect_lt(max(abs(one - variance(new, case$x))), 1e-10 * max(case$fit$variance))
    error <- function(x) reconstruction_error(case$fit, x, 3, c(1, 4, 9), weights = case$weights)
    expect_equal(error(chunks), error(case$x), tolerance = 1e-8)
    want <- nearest_observations(case$fit, case$x, 4)
    for (count in c(1, 20)) {
      expect_equal(nearest_observations(case$fit, in_chunks(case$x, count), 4), want, tolerance = 1e-10)
    }
    few <- in_chunks(case$x[1:3, ])
    expect_identical(max(nearest_observations(case$fit, few)$rank), 3L)
    expect_error(nearest_observations(case$fit, few, 4), "k", class = "landmarker_error_input")
    of <- function(x) quietly(embed_landmarks(case$fit, x, neighbors = 4))
    map <- of(case$x)
    expect_equal(coef(of(chunks)), coef(map), tolerance = 1e-10)
    expect_equal(predict(map, chunks), predict(map, case$x), tolerance = 1e-10)
  }
})

test_that("variances of new rows in chunks read the data as often as those of rows in memory", {
  x <- as.matrix(iris[1:4])
  fit <- quietly(landmarks(x, 4))
  reads <- 0
  counted <- chunked(1:2, function(k) {
    reads <<- reads + 1
    x[75 * (k - 1) + 1:75, ]
  })
  predict(fit, x, "variance", x = counted)
  once <- reads
  predict(fit, in_chunks(x), "variance", x = counted)
  expect_identical(reads, 2 * once)
})

test_that("points of one's own and later steps are the same of chunks", {
  skip_slow_file()
  same <- c("variance", "explained", "log_det", "nearest", "nearest_distance", "on_data", "spacing", "gaps")
  for (case in use_cases()) {
    own <- function(x) {
      at <- coef(case$fit)
      unclass(quietly(as_landmarks(at, x, weights = case$weights, scale = case$fit$scaled)))[same]
    }
    expect_equal(own(in_chunks(case$x, rows = case$rows)), own(case$x), tolerance = 1e-8)
    if (!is.null(case$weights)) next
    add <- function(x) withr::with_seed(1, coef(quietly(add_landmarks(case$fit, x, 3))))
    refine <- function(x) coef(quietly(refine_landmarks(case$fit, x)))
    for (step in list(add, refine)) expect_equal(step(in_chunks(case$x)), step(case$x), tolerance = 1e-6)
  }
})

test_that("chunks are looked at for their space, and what needs all rows in one place says so", {
  x <- abs(odd_matrix(40, 3))
  chunks <- in_chunks(x)
  expect_error(landmarks(in_chunks(-x), 3, space = "nonnegative"), class = "landmarker_error_space")
  fit <- landmarks(x, 4)
  whole <- function(use) expect_error(use, "in memory", class = "landmarker_error_chunks")
  whole(raw_features(chunks))
  whole(predict(raw_features(x), chunks))
  whole(plot(fit, chunks))
  whole(plot(codebook(x, 4), chunks))
  if (full_run() && has_package("NMF")) {
    whole(nmf_features(chunks, 2))
    whole(predict(nmf_features(x, 2, 5), chunks))
  }
})
