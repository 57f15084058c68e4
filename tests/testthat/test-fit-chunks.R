# Fits of data in chunks.

set.seed(1)
roll <- sim_swiss_roll(3000)
attr(roll, "position") <- NULL
in_four <- function(x, ...) {
  ends <- round(seq(0, nrow(x), length.out = 5))
  chunked(1:4, function(k) x[(ends[k] + 1):ends[k + 1], , drop = FALSE], ...)
}

test_that("with no more rows than the sample, every method finds what it finds in memory", {
  some <- roll[1:600, ]
  methods <- list(
    by_gp(), by_gp("sequential"), by_active(), by_dpp(), by_dpp_exact(), by_kmeans(), by_random(),
    by_class(y = rep(c("a", "b"), 300)), by_response(some[, 1], iterations = 30)
  )
  for (method in methods) {
    set.seed(2)
    there <- suppressWarnings(landmarks(in_four(some), 8, method))
    set.seed(2)
    here <- suppressWarnings(landmarks(some, 8, method))
    expect_equal(coef(there), coef(here), tolerance = 1e-6)
    parts <- c("explained", "variance", "log_det", "between", "nearest", "nearest_distance", "rows", "n_rows")
    for (part in parts) {
      expect_equal(there[[part]], here[[part]], tolerance = 1e-6, info = paste(class(method)[1], part))
    }
  }
})

test_that("a sample's landmarks are measured over all rows", {
  chunks <- in_four(roll, sample = 500)
  set.seed(3)
  fit <- landmarks(chunks, 20)
  all <- as_landmarks(fit$landmarks, roll, bandwidth = fit$bandwidth)
  parts <- c("explained", "variance", "log_det", "between", "nearest", "nearest_distance", "mean", "sd")
  for (part in parts) {
    expect_equal(fit[[part]], all[[part]], tolerance = 1e-8, info = part)
  }
  expect_equal(fit$bandwidth, sum(apply(roll, 2, var)))
  expect_equal(fit$n_rows, 3000)
  expect_match(fit$history, "from a sample of 500 rows", fixed = TRUE)
  rows <- landmarks(chunks, 10, "random")
  expect_identical(coef(rows), roll[rows$rows, ], ignore_attr = TRUE)
  # Later steps on the fit.
  expect_equal(nobs(add_landmarks(fit, chunks, 5)), 3000)
  expect_lt(reconstruction_error(refine_landmarks(fit, chunks), roll), 1.02 * reconstruction_error(fit, roll))
  expect_true(all(sketch_rows(fit, chunks, 40) %in% seq_len(3000)))
  # Rows keep their numbers, and a response of all rows goes with the sampled ones.
  more <- add_landmarks(rows, chunks, 5)
  expect_identical(more$rows[1:10], rows$rows)
  expect_identical(coef(more), roll[more$rows, ], ignore_attr = TRUE)
  expect_identical(sort(refine_landmarks(rows, chunks, 0)$rows), sort(rows$rows))
  toward <- refine_landmarks(fit, chunks, 20, y = roll[, 1])
  expect_gt(cor(predict(toward, roll), roll[, 1]), 0.9)
  given <- as_landmarks(roll[1:5, ], chunks)
  expect_equal(given$nearest, 1:5)
})

test_that("uses of a fit give the values of the same data in memory", {
  fit <- landmarks(roll, 15)
  chunks <- in_four(roll)
  for (type in c("features", "nearest", "variance")) {
    expect_equal(predict(fit, chunks, type), predict(fit, roll, type), tolerance = 1e-12)
  }
  expect_equal(predict(fit, chunks, values = 1:15), predict(fit, roll, values = 1:15))
  expect_equal(nearest_observations(fit, chunks, 4), nearest_observations(fit, roll, 4))
  expect_equal(nearest_observations(fit, in_four(roll[1:6, ])), nearest_observations(fit, roll[1:6, ]))
  expect_refused(nearest_observations(fit, in_four(roll[1:6, ]), 7))
  e <- embed_landmarks(fit)
  expect_equal(predict(e, chunks), predict(e, roll))
  set.seed(1)
  book <- codebook(in_four(roll, sample = 400), 6)
  expect_equal(book$within, sum(augment(book, roll)$.distance^2))
  expect_equal(book$n_frames, 3000)
  group <- rep(1:30, 100)
  expect_equal(predict(book, chunks, group), predict(book, roll, group))
})

test_that("the response, weights and factors may be columns of the chunks", {
  mixed <- iris[c(seq(1, 150, 3), seq(2, 150, 3), seq(3, 150, 3)), ]
  frames <- function(data, ...) chunked(1:3, function(k) data[seq(50 * k - 49, 50 * k), ], ...)
  set.seed(4)
  there <- landmarks(Species ~ ., frames(mixed), 6, by_response(iterations = 100))
  set.seed(4)
  here <- landmarks(Species ~ ., mixed, 6, by_response(iterations = 100))
  expect_equal(coef(there), coef(here), tolerance = 1e-6)
  expect_equal(predict(there, frames(mixed)), predict(here, mixed))
  mixed$w <- rep(c(1, 3), 75)
  set.seed(4)
  there <- landmarks(~ . - w, frames(mixed), 6, by_kmeans(), weights = w)
  set.seed(4)
  here <- landmarks(~ . - w, mixed, 6, by_kmeans(), weights = w)
  for (part in c("landmarks", "explained", "mean", "sd", "between")) {
    expect_equal(there[[part]], here[[part]], tolerance = 1e-8, info = part)
  }
  # A response in another order than the chunks cannot be given by mistake.
  expect_refused(
    landmarks(frames(mixed[1:4]), 4, by_response(mixed$Species[-1])),
    landmarks(frames(mixed[1:4]), 4, weights = rep(1, 150))
  )
  sorted <- iris
  sorted$Species <- as.character(sorted$Species)
  expect_refused(landmarks(frames(sorted), 4))
  declared <- frames(sorted, levels = list(Species = levels(iris$Species)))
  expect_equal(ncol(coef(landmarks(declared, 4))), 7)
  expect_refused(
    landmarks(frames(iris), 4, na.action = na.omit),
    landmarks(frames(iris[1:4]), 4, scale = "ranks")
  )
})

test_that("daemons give the same bits", {
  skip_if_not_installed("mirai")
  chunks <- in_four(roll, sample = 800)
  bare <- function(fit) {
    fit$seconds <- 0
    fit
  }
  once <- function() {
    set.seed(5)
    bare(landmarks(chunks, 12))
  }
  here <- once()
  two_daemons()
  expect_identical(once(), here)
  expect_identical(predict(here, chunks), predict(here, roll[, ]))
  missing <- roll
  missing[1600, 3] <- NA
  e <- expect_error(landmarks(in_four(missing), 5), class = "landmarker_error_missing")
  expect_match(conditionMessage(e), "Chunk 3 of 4")
  dying <- chunked(1:4, function(k) {
    if (k == 3) tools::pskill(Sys.getpid(), 9)
    matrix(rnorm(100), 50)
  })
  started <- proc.time()[["elapsed"]]
  expect_error(landmarks(dying, 5), class = "landmarker_error_daemon")
  expect_lt(proc.time()[["elapsed"]] - started, 30)
})

test_that("a response that is no column of the chunks is an error", {
  frame <- data.frame(a = roll[1:1000, 1], b = roll[1:1000, 2])
  away <- 3 * frame$a
  halves <- chunked(list(1:500, 501:1000), function(i) frame[i, ])
  assign("landmarker_test_away", away, globalenv())
  withr::defer(rm("landmarker_test_away", envir = globalenv()))
  e <- expect_error(
    landmarks(landmarker_test_away ~ a + b, halves, 5, by_response()), class = "landmarker_error_response"
  )
  expect_match(conditionMessage(e$parent), "1000 values of class .* for 500 rows")
})

test_that("weights are a column, a formula, or a vector with the numbers of rows", {
  w <- seq_len(nrow(iris))
  data <- cbind(iris, w)
  whole <- withr::with_seed(1, landmarks(~ Sepal.Length + Sepal.Width, data, 5, weights = w))
  known <- unname(vapply(in_chunks(data)$x, length, 0L))
  for (chunks in list(in_chunks(data), in_chunks(iris, rows = known))) {
    fit <- withr::with_seed(1, landmarks(~ Sepal.Length + Sepal.Width, chunks, 5, weights = w))
    expect_equal(coef(fit), coef(whole), tolerance = 1e-6)
  }
  plain <- data[c("Sepal.Length", "Sepal.Width", "w")]
  expect_equal(
    reconstruction_error(whole, in_chunks(plain), weights = ~w),
    reconstruction_error(whole, plain, weights = w)
  )
  expect_equal(
    reconstruction_error(whole, in_chunks(plain), weights = ~1),
    reconstruction_error(whole, plain, weights = rep(1, 150))
  )
  expect_warning(reconstruction_error(whole, in_chunks(plain)), class = "landmarker_warning_weights")
  # A part of an object of the session, with the name of a column.
  fit <- withr::with_seed(1, landmarks(~ Sepal.Length + Sepal.Width, in_chunks(data, rows = known), 5,
    weights = data$w
  ))
  expect_equal(coef(fit), coef(whole), tolerance = 1e-6)
  matrix <- as.matrix(iris[1:2])
  expect_silent(fit <- landmarks(in_chunks(matrix), 3, weights = ~1))
  expect_refused(
    landmarks(in_chunks(matrix), 3, weights = ~w_unknown),
    landmarks(~Sepal.Length, in_chunks(data), 3, weights = 0 * w),
    landmarks(unknown ~ Sepal.Length, in_chunks(iris), 3, by_response())
  )
  more <- withr::with_seed(1, add_landmarks(whole, in_chunks(plain), 2, weights = ~w))
  expect_equal(coef(more), coef(withr::with_seed(1, add_landmarks(whole, plain, 2, weights = w))),
    tolerance = 1e-6
  )
  wrong <- in_chunks(iris, rows = known[c(2, 1, 3, 4)])
  expect_refused(landmarks(~Sepal.Width, wrong, 3, weights = w))
})

test_that("a response has one type in all chunks, and may use local constants", {
  as_other <- function(species) {
    chunked(1:2, function(k) if (k == 1) iris else transform(iris, Species = species))
  }
  expect_refused(
    landmarks(Species ~ ., as_other(as.integer(iris$Species)), 3, by_response()),
    landmarks(Species ~ ., as_other(as.character(iris$Species)), 3, by_response())
  )
  local_name <- 2
  fit <- landmarks(I(Sepal.Length / local_name) ~ Petal.Width, in_chunks(iris), 3, by_response())
  expect_lt(mean(predict(fit, iris, "response")), 3.5)
  # As many values as the first chunk has rows.
  cuts <- c(5, 5.5, 6, 6.5)
  uneven <- chunked(list(1:4, 5:150), function(rows) iris[rows, ])
  fit <- landmarks(~ I(findInterval(Sepal.Length, cuts)) + Petal.Width, uneven, 3)
  expect_equal(unname(fit$mean[1]), mean(findInterval(iris$Sepal.Length, cuts)))
})

test_that("steps on a sample never raise the error of all rows, and say that they used a sample", {
  x <- withr::with_seed(1, sim_swiss_roll(4000))
  chunks <- in_chunks(x, 4, sample = 100)
  fit <- withr::with_seed(2, landmarks(chunks, 30))
  refined <- refine_landmarks(fit, chunks, 30)
  expect_lte(reconstruction_error(refined, chunks), reconstruction_error(fit, chunks))
  expect_output(print(refined), "on all rows of the sample", fixed = TRUE)
})

test_that("a response that is a column of a matrix on disk gives a warning", {
  skip_if_not_installed("DelayedArray")
  x <- DelayedArray::DelayedArray(as.matrix(iris[1:4]))
  expect_warning(landmarks(x, 3, by_response(iris$Sepal.Width)), class = "landmarker_warning_response")
})
