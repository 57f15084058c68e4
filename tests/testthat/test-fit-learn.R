# Rows that a fit will ask for are kept when they are first read.

skip_slow_file()

# Means of parts are those of the whole but for the last bits, which may turn the rounding of rows of a batch
# to single precision: steps then lead to places 1e-6 apart.
in_batches <- 1e-5

test_that("a default fit reads each part twice, and its extension and features once", {
  x <- withr::with_seed(1, unclass(sim_swiss_roll(12000)))
  reads <- 0
  parts <- data_parts(c(12000, 3), function(i) {
    reads <<- reads + 1
    x[(i - 1) * 1000 + 1:1000, ]
  }, 12)
  for (method in list(by_gp(), by_gp(criterion = "volume"), by_random())) {
    for (bandwidth in c("variance", "median")) {
      reads <- 0
      fit <- withr::with_seed(4, suppressWarnings(landmarks(parts, 20, method, bandwidth)))
      expect_identical(reads, 24)
      expect_equal(
        coef(fit), coef(withr::with_seed(4, suppressWarnings(landmarks(x, 20, method, bandwidth)))),
        tolerance = in_batches
      )
    }
  }
  reads <- 0
  predict(fit, parts)
  nearest_observations(fit, parts)
  expect_identical(reads, 24)
  # Rows that were not kept are read when they are wanted: less memory, the same fit.
  withr::local_options(landmarker.memory = 16 * 24 * 2000)
  reads <- 0
  expect_equal(coef(withr::with_seed(4, landmarks(parts, 20))), coef(withr::with_seed(4, landmarks(x, 20))),
    tolerance = in_batches
  )
  expect_gt(reads, 24)
})

test_that("the hint of rows to keep leaves the random stream as it was", {
  source <- list(dim = c(50000L, 3L), weights = NULL)
  for (method in list(by_gp(), by_gp(start = "random"), by_random(), by_active(subset = 50), by_kmeans())) {
    set.seed(1)
    rows_ahead(method, source, 20L, "median")
    after <- stats::runif(1)
    expect_identical(after, withr::with_seed(1, stats::runif(1)))
  }
})
