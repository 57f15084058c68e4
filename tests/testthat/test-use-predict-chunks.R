# What is made of a fit, from data in memory or in chunks: the same.

skip_slow_file()

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
  for (case in use_cases()) {
    chunks <- in_chunks(case$x, rows = case$rows)
    for (type in c("features", "nearest")) {
      expect_equal(predict(case$fit, chunks, type), predict(case$fit, case$x, type), tolerance = 1e-10)
    }
    variance <- function(newdata, x) predict(case$fit, newdata, "variance", x = x, weights = case$weights)
    new <- case$x[c(1:40, 200:230), ]
    whole <- variance(new, case$x)
    # Where next to nothing is left, it is rounding.
    scale <- max(case$fit$variance)
    there <- list(variance(new, chunks), variance(in_chunks(new), chunks), variance(in_chunks(new), case$x))
    for (one in there) expect_lt(max(abs(one - whole)), 1e-10 * scale)
    error <- function(x) reconstruction_error(case$fit, x, 3, c(1, 4, 9), weights = case$weights)
    expect_equal(error(chunks), error(case$x), tolerance = 1e-8)
    for (count in c(1, 100)) {
      want <- nearest_observations(case$fit, case$x, 4)
      got <- nearest_observations(case$fit, in_chunks(case$x, count), 4)
      expect_identical(got[1:3], want[1:3])
      expect_equal(got, want, tolerance = 1e-10)
    }
    few <- in_chunks(case$x[1:3, ])
    expect_identical(max(nearest_observations(case$fit, few)$rank), 3L)
    expect_error(nearest_observations(case$fit, few, 4), "k", class = "landmarker_error_input")
    of <- function(x) quietly(embed_landmarks(case$fit, x, neighbors = 4))
    map <- of(case$x)
    expect_equal(coef(of(chunks)), coef(map), tolerance = 1e-10)
    expect_equal(predict(map, chunks), predict(map, case$x), tolerance = 1e-10)
  }
  huge <- replace(use_cases()$dense$x, cbind(350, 2), 1e200)
  dense <- quietly(embed_landmarks(use_cases()$dense$fit))
  expect_error(predict(dense, in_chunks(huge)), "Chunk 4 of 4", class = "landmarker_error_data")
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
  same <- c(
    "landmarks", "variance", "explained", "log_det", "nearest", "nearest_distance", "on_data", "spacing",
    "gaps"
  )
  for (case in use_cases()) {
    scale <- case$fit$scaled
    own <- function(x) {
      fit <- as_landmarks(coef(case$fit), x, "2 * variance", weights = case$weights, scale = scale)
      unclass(fit)[same]
    }
    expect_equal(quietly(own(in_chunks(case$x, rows = case$rows))), quietly(own(case$x)), tolerance = 1e-8)
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
  skip_if_not_installed("NMF")
  whole(nmf_features(chunks, 2))
  whole(predict(nmf_features(x, 2, 5), chunks))
})
