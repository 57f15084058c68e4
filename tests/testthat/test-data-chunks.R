# Data in chunks: how they are described and read.

x <- as.matrix(iris[1:4])
thirds <- function(x) chunked(1:3, function(k) x[seq((k - 1) * 50 + 1, k * 50), , drop = FALSE])

test_that("a function meets the rows of each chunk, and values are combined in order", {
  seen <- map_chunks(thirds(x), function(rows, k) list(k, rows))
  expect_equal(lapply(seen, `[[`, 1), list(1L, 2L, 3L))
  expect_identical(do.call(rbind, lapply(seen, `[[`, 2)), x)
  expect_equal(map_chunks(thirds(x), function(rows, k) paste0(k), paste0), "123")
  expect_identical(map_chunks(thirds(x), function(rows, k) if (k == 2) k), list(NULL, 2L, NULL))
})

test_that("declared levels make factors, and other values are errors", {
  text <- transform(iris, Species = as.character(Species))
  rows <- map_chunks(
    chunked(1, function(k) text, levels = list(Species = levels(iris$Species))),
    function(rows, k) rows
  )
  expect_identical(rows[[1]]$Species, iris$Species)
  few <- chunked(1:2, function(k) text, levels = list(Species = c("setosa", "virginica")))
  e <- expect_error(map_chunks(few, function(rows, k) 1), class = "landmarker_error_chunks")
  expect_match(conditionMessage(e$parent), "versicolor")
})

test_that("each chunk has random numbers of its own at each reading, and the session's stream stays", {
  noise <- chunked(1:3, function(k) matrix(rnorm(20), 10))
  read <- function() map_chunks(noise, function(rows, k) rows[1])
  withr::local_seed(1)
  before <- .Random.seed
  first <- read()
  expect_identical(.Random.seed, before)
  expect_identical(read(), first)
  expect_identical(anyDuplicated(unlist(first)), 0L)
})

test_that("chunks that cannot be used are errors that name them", {
  gone <- chunked(c("a.rds", "b.rds"), readRDS)
  e <- expect_error(suppressWarnings(landmarks(gone, 2)), class = "landmarker_error_chunks")
  expect_match(conditionMessage(e), "Chunk 1 of 2")
  expect_s3_class(e$parent, "simpleError")
  other <- chunked(1:2, function(k) x[, if (k == 1) 1:4 else 1:3])
  expect_error(landmarks(other, 2), "150 x 3", class = "landmarker_error_chunks")
  named <- chunked(1:2, function(k) x[, if (k == 1) 1:4 else 4:1])
  expect_refused(landmarks(named, 2))
  kinds <- chunked(1:2, function(k) if (k == 1) x else iris)
  expect_error(landmarks(kinds, 2), "a data frame", class = "landmarker_error_chunks")
  lacking <- chunked(1:2, function(k) if (k == 1) iris else iris[-2])
  expect_refused(landmarks(lacking, 2))
  missing <- x
  missing[117, 2] <- NA
  e <- expect_error(landmarks(thirds(missing), 2), class = "landmarker_error_missing")
  expect_match(conditionMessage(e), "Chunk 3 of 3")
  expect_match(conditionMessage(e$parent), "row 17, column")
  expect_refused(
    landmarks(chunked(1:2, function(k) x[0, ]), 2),
    map_chunks(thirds(x), function(rows, k) stop("no"))
  )
})

test_that("arguments are checked", {
  expect_refused(
    chunked(),
    chunked(x, identity),
    chunked(1:3, 3),
    chunked(1:3, identity, levels = list("a")),
    chunked(1:3, identity, rows = c(1, 2)),
    chunked(1:3, identity, sample = 0),
    map_chunks(thirds(x), 1),
    map_chunks(thirds(x), function(rows) 1),
    map_chunks(x, function(rows, k) 1),
    map_chunks(thirds(x), function(rows, k) 1, function(a) a)
  )
  frames <- chunked(1:2, function(k) iris, levels = list(Spezies = "a"))
  expect_refused(map_chunks(frames, function(rows, k) 1))
  broken <- thirds(x)
  broken$read <- NULL
  expect_refused(landmarks(broken, 2))
  expect_output(print(thirds(x)), "Data in 3 chunks", fixed = TRUE)
  expect_output(print(chunked(1:2, identity, rows = c(5, 6))), "11 rows", fixed = TRUE)
})

test_that("functions that need all rows in memory say so", {
  fit <- landmarks(x, 3)
  expect_refused(
    cv_landmarks(thirds(x), iris$Species, 3),
    augment(fit, thirds(x)),
    reconstruction_error(fit, thirds(x), bounds = TRUE)
  )
})

test_that("values of all chunks that need too much memory are an error", {
  fit <- landmarks(x, 3)
  withr::local_options(landmarker.memory = 5000)
  expect_refused(predict(fit, thirds(x)))
})

test_that("chunks without rows have no nearest rows, and no warning", {
  fit <- landmarks(x, 2)
  expect_silent(near <- nearest_observations(fit, chunked(1:2, function(k) x[0, ])))
  expect_identical(nrow(near), 0L)
})
