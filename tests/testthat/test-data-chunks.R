# Data in chunks: how they are described and read.

x <- as.matrix(iris[1:4])
thirds <- function(x) chunked(1:3, function(k) x[seq((k - 1) * 50 + 1, k * 50), , drop = FALSE])

test_that("a function meets the rows of each chunk, and values are combined in order", {
  seen <- map_chunks(thirds(x), function(rows, k) list(k, rows))
  expect_equal(lapply(seen, `[[`, 1), list(1L, 2L, 3L))
  expect_identical(do.call(rbind, lapply(seen, `[[`, 2)), x)
  expect_equal(map_chunks(thirds(x), function(rows, k) paste0(k), paste0), "123")
  expect_identical(map_chunks(thirds(x), function(rows, k) if (k == 2) k), list(NULL, 2L, NULL))
  expect_output(print(thirds(x)), "Data in 3 chunks", fixed = TRUE)
  expect_output(print(chunked(1:2, identity, rows = c(5, 6))), "11 rows", fixed = TRUE)
})

test_that("declared levels make factors, and other values are errors", {
  text <- transform(iris, Species = as.character(Species))
  with_levels <- function(levels) {
    map_chunks(chunked(1, function(k) text, levels = list(Species = levels)), function(rows, k) rows)
  }
  expect_identical(with_levels(levels(iris$Species))[[1]]$Species, iris$Species)
  e <- expect_error(with_levels(c("setosa", "virginica")), class = "landmarker_error_chunks")
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
  missing <- replace(x, cbind(117, 2), NA)
  e <- expect_error(landmarks(thirds(missing), 2), class = "landmarker_error_missing")
  expect_match(conditionMessage(e), "Chunk 3 of 3")
  expect_match(conditionMessage(e$parent), "row 17, column")
  two <- function(first, second) chunked(1:2, function(k) if (k == 1) first else second)
  expect_refused(
    landmarks(two(x, x[, 1:3]), 2), landmarks(two(x, x[, 4:1]), 2), landmarks(two(x, iris), 2),
    landmarks(two(iris, iris[-2]), 2), landmarks(two(x[0, ], x[0, ]), 2),
    map_chunks(thirds(x), function(rows, k) stop("no"))
  )
})

test_that("arguments are checked", {
  each <- function(rows, k) 1
  fit <- landmarks(x, 3)
  expect_refused(
    chunked(), chunked(x, identity), chunked(1:3, 3), chunked(1:3, identity, levels = list("a")),
    chunked(1:3, identity, rows = c(1, 2)), chunked(1:3, identity, sample = 0), map_chunks(x, each),
    map_chunks(thirds(x), function(rows) 1), map_chunks(thirds(x), each, function(a) a),
    map_chunks(thirds(x), function(rows, k) "one", function(a, b) a + b),
    # These need all rows.
    cv_landmarks(thirds(x), iris$Species, 3), augment(fit, thirds(x)),
    reconstruction_error(fit, thirds(x), bounds = TRUE),
    map_chunks(chunked(1:2, function(k) iris, levels = list(Spezies = "a")), each),
    landmarks(without(thirds(x), "read"), 2)
  )
  withr::local_options(landmarker.memory = 5000)
  expect_refused(predict(fit, thirds(x)))
})

test_that("chunks without rows have no nearest rows, and no warning", {
  expect_silent(near <- nearest_observations(landmarks(x, 2), chunked(1:2, function(k) x[0, ])))
  expect_identical(nrow(near), 0L)
})

test_that("values that a later reading makes bad are refused by every method", {
  x <- odd_matrix(200, 3)
  for (bad in c(NaN, 1e308)) for (method in c("random", "gp", "kmeans", "dpp", "active")) {
    readings <- 0
    read <- function(k) {
      readings <<- readings + 1
      block <- x[1:50 + 50 * (k - 1), ]
      # The first reading of all chunks is sound, and few rows are compared with it later.
      if (readings > 5) replace(block, cbind(7, 2), bad) else block
    }
    set.seed(1)
    expect_error(landmarks(chunked(1:4, read, sample = 150), 4, method), class = "landmarker_error")
  }
})
