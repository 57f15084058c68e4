# Fits of data in chunks.

set.seed(1)
roll <- sim_swiss_roll(3000)
attr(roll, "position") <- NULL
in_four <- function(x, ...) {
  ends <- round(seq(0, nrow(x), length.out = 5))
  chunked(1:4, function(k) x[(ends[k] + 1):ends[k + 1], , drop = FALSE], ...)
}
seeded <- function(..., seed = 1) withr::with_seed(seed, suppressWarnings(landmarks(...)))
measured <- c("explained", "variance", "log_det", "between", "nearest", "nearest_distance", "mean", "sd")
parts_of <- function(fit, parts = measured) unclass(fit)[parts]

test_that("with no more rows than the sample, every method finds what it finds in memory", {
  some <- roll[1:600, ]
  methods <- list(by_gp(), by_gp("sequential"), by_active(), by_dpp(), by_dpp_exact(), by_kmeans(),
    by_random(), by_class(y = rep(c("a", "b"), 300)),
    by_response(some[, 1], iterations = 20, held_out = 0.5, trend = FALSE))
  for (method in methods) {
    fits <- lapply(list(in_four(some), some), seeded, 8, method, seed = 2)
    parts <- lapply(fits, parts_of, c(measured[1:6], "landmarks", "rows", "n_rows"))
    expect_equal(parts[[1]], parts[[2]], tolerance = 1e-6, info = class(method)[1])
  }
})

test_that("a sample's landmarks are measured over all rows", {
  chunks <- in_four(roll, sample = 500)
  set.seed(3)
  fit <- landmarks(chunks, 20)
  all <- as_landmarks(fit$landmarks, roll, bandwidth = fit$bandwidth)
  expect_equal(parts_of(fit), parts_of(all), tolerance = 1e-8)
  expect_equal(fit$bandwidth, sum(apply(roll, 2, var)))
  expect_equal(fit$n_rows, 3000)
  expect_match(fit$history, "from a sample of 500 rows", fixed = TRUE)
  rows <- landmarks(chunks, 10, "random")
  expect_identical(coef(rows), roll[rows$rows, ], ignore_attr = TRUE)
  # Later steps on the fit.
  expect_equal(nobs(add_landmarks(fit, chunks, 5)), 3000)
  expect_true(all(sketch_rows(fit, chunks, 40) %in% seq_len(3000)))
  # Rows keep their numbers, and a response of all rows goes with the sampled ones.
  more <- add_landmarks(rows, chunks, 5)
  expect_identical(more$rows[1:10], rows$rows)
  expect_identical(coef(more), roll[more$rows, ], ignore_attr = TRUE)
  expect_identical(sort(refine_landmarks(rows, chunks, 0)$rows), sort(rows$rows))
  toward <- quiet(refine_landmarks(fit, chunks, 20, y = roll[, 1]), "response")
  expect_gt(cor(predict(toward, roll), roll[, 1]), 0.9)
  expect_equal(as_landmarks(roll[1:5, ], chunks)$nearest, 1:5)
  # Weights of any sum.
  frame <- data.frame(unclass(roll), w = rep(1:3, 1000))
  fit <- seeded(~ . - w, in_four(frame, sample = 500), 10, weights = w)
  all <- as_landmarks(coef(fit), roll, bandwidth = fit$bandwidth, weights = frame$w)
  expect_equal(parts_of(fit), parts_of(all), tolerance = 1e-8, ignore_attr = TRUE)
})

test_that("held-out rows of a sample have their numbers among all rows", {
  frame <- data.frame(first = roll[, 1], others = roll[, 2:3])
  fit <- seeded(first ~ ., in_four(frame, sample = 500), 5, by_response(iterations = 20))
  report <- fit$response$held_out
  expect_equal(as.vector(report$observed), frame$first[report$index])
})

test_that("steps on a sample never raise the error of all rows", {
  chunks <- in_chunks(withr::with_seed(1, sim_swiss_roll(4000)), 4, sample = 100)
  fit <- seeded(chunks, 30, seed = 2)
  refined <- refine_landmarks(fit, chunks, 30)
  expect_lte(reconstruction_error(refined, chunks), reconstruction_error(fit, chunks))
})

test_that("the response and factors may be columns of the chunks, of one type in all of them", {
  mixed <- iris[c(seq(1, 150, 3), seq(2, 150, 3), seq(3, 150, 3)), ]
  frames <- function(data, ...) chunked(1:3, function(k) data[seq(50 * k - 49, 50 * k), ], ...)
  there <- seeded(Species ~ ., frames(mixed), 6, by_response(iterations = 10, held_out = 0.5), seed = 4)
  here <- seeded(Species ~ ., mixed, 6, by_response(iterations = 10, held_out = 0.5), seed = 4)
  expect_equal(coef(there), coef(here), tolerance = 1e-6)
  expect_equal(predict(there, frames(mixed)), predict(here, mixed))
  sorted <- transform(iris, Species = as.character(Species))
  declared <- frames(sorted, levels = list(Species = levels(iris$Species)))
  expect_equal(ncol(coef(landmarks(declared, 4))), 7)
  as_other <- function(y) chunked(1:2, function(k) if (k == 1) iris else transform(iris, Species = y))
  expect_refused(
    # A response in another order than the chunks cannot be given by mistake.
    landmarks(frames(mixed[1:4]), 4, by_response(mixed$Species[-1])), landmarks(frames(sorted), 4),
    landmarks(frames(iris), 4, na.action = na.omit), landmarks(frames(iris[1:4]), 4, scale = "ranks"),
    landmarks(Species ~ ., as_other(as.integer(iris$Species)), 3, by_response()),
    landmarks(Species ~ ., as_other(as.character(iris$Species)), 3, by_response())
  )
})

test_that("a response may use local constants, and objects that have no rows of the chunks are refused", {
  local_name <- 2
  fit <- landmarks(I(Sepal.Length / local_name) ~ Petal.Width, in_chunks(iris), 3, by_response(held_out = 0))
  expect_lt(mean(predict(fit, iris, "response")), 3.5)
  # As many values as the first chunk has rows.
  cuts <- c(5, 5.5, 6, 6.5)
  uneven <- chunked(list(1:4, 5:150), function(rows) iris[rows, ])
  fit <- landmarks(~ I(findInterval(Sepal.Length, cuts)) + Petal.Width, uneven, 3)
  expect_equal(unname(fit$mean[1]), mean(findInterval(iris$Sepal.Length, cuts)))
  assign("landmarker_test_away", iris$Sepal.Length, globalenv())
  withr::defer(rm("landmarker_test_away", envir = globalenv()))
  halves <- chunked(list(1:75, 76:150), function(i) iris[i, ])
  e <- expect_error(
    landmarks(landmarker_test_away ~ Sepal.Width, halves, 5, by_response()),
    class = "landmarker_error_response"
  )
  expect_match(conditionMessage(e$parent), "150 values for 75 rows")
})

test_that("weights are a column, a formula, or a vector with the numbers of rows", {
  w <- seq_len(nrow(iris))
  data <- cbind(iris, w)
  whole <- seeded(~ Sepal.Length + Sepal.Width, data, 5, weights = w)
  known <- unname(vapply(in_chunks(data)$x, length, 0L))
  numbered <- in_chunks(data, rows = known)
  fits <- list(
    seeded(~ Sepal.Length + Sepal.Width, in_chunks(data), 5, weights = w),
    seeded(~ Sepal.Length + Sepal.Width, in_chunks(iris, rows = known), 5, weights = w),
    # A part of an object of the session, with the name of a column.
    seeded(~ Sepal.Length + Sepal.Width, numbered, 5, weights = data$w)
  )
  parts <- c("landmarks", "explained", "mean", "sd", "between")
  for (fit in fits) expect_equal(parts_of(fit, parts), parts_of(whole, parts), tolerance = 1e-6)
  plain <- data[c("Sepal.Length", "Sepal.Width", "w")]
  error <- function(...) reconstruction_error(whole, ...)
  expect_equal(error(in_chunks(plain), weights = ~w), error(plain, weights = w))
  expect_equal(error(in_chunks(plain), weights = ~1), error(plain, weights = rep(1, 150)))
  expect_warning(error(in_chunks(plain)), class = "landmarker_warning_weights")
  added <- function(...) coef(withr::with_seed(1, add_landmarks(whole, ..., n = 2)))
  expect_equal(added(in_chunks(plain), weights = ~w), added(plain, weights = w), tolerance = 1e-6)
  matrix <- as.matrix(iris[1:2])
  expect_silent(fit <- landmarks(in_chunks(matrix), 3, weights = ~1))
  wrong <- in_chunks(iris, rows = known[c(2, 1, 3, 4)])
  expect_refused(
    landmarks(in_chunks(iris[1:4]), 4, weights = rep(1, 150)),
    landmarks(in_chunks(matrix), 3, weights = ~w_unknown),
    landmarks(~Sepal.Length, in_chunks(data), 3, weights = 0 * w),
    landmarks(unknown ~ Sepal.Length, in_chunks(iris), 3, by_response()),
    landmarks(~Sepal.Width, wrong, 3, weights = w)
  )
})

test_that("daemons give the same bits, and tell the chunk of an error", {
  chunks <- in_four(roll, sample = 800)
  here <- seeded(chunks, 12, seed = 5)
  two_daemons()
  expect_identical(bare(seeded(chunks, 12, seed = 5)), bare(here))
  expect_identical(predict(here, chunks), predict(here, roll[, ]))
  missing <- replace(roll, cbind(1600, 3), NA)
  expect_error(landmarks(in_four(missing), 5), "Chunk 3 of 4", class = "landmarker_error_missing")
})

test_that("a response that is a column of the chunks gives a warning, of a matrix on disk too", {
  x <- as.matrix(iris[1:4])
  known <- in_chunks(x, rows = unname(vapply(in_chunks(x)$x, length, 0L)))
  stored <- if (full_run() && has_package("DelayedArray")) list(DelayedArray::DelayedArray(x))
  for (data in c(list(known), stored)) {
    method <- by_response(iris$Sepal.Width, held_out = 0)
    expect_warning(landmarks(data, 3, method), class = "landmarker_warning_response")
  }
})
