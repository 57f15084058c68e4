# The first pass over chunks: moments of all rows, and a uniform sample.

source_of_chunks <- function(x, sizes, weights = NULL, ...) {
  last <- cumsum(sizes)
  chunks <- chunked(seq_along(sizes), function(k) x[seq_len(sizes[k]) + last[k] - sizes[k], , drop = FALSE],
    rows = sizes, ...
  )
  as_source(chunk_plan(chunks, x[1:2, , drop = FALSE], identity, weights = weights, call = NULL))
}

test_that("moments are those of all rows, for chunks of any size", {
  set.seed(1)
  x <- cbind(matrix(rnorm(600, 1e3), 200), 7)
  for (sizes in list(200L, c(1L, 0L, 150L, 49L))) {
    source <- source_of_chunks(x, sizes, sample = 20)
    expect_equal(source$mean, colMeans(x))
    expect_equal(source$variance, apply(x, 2, var))
    expect_identical(source$variance[4], 0)
    expect_equal(source$whole$rows, 200)
  }
  v <- rexp(200)
  v[1:5] <- 0
  source <- source_of_chunks(x, c(80L, 120L), v, sample = 20)
  w <- v / mean(v)
  mean <- colSums(w * x) / 200
  expect_equal(source$mean, mean)
  deviation <- colSums(w * (x - rep(mean, each = 200))^2)
  expect_equal(source$variance[1:3], (deviation / variance_divisor(200, w))[1:3])
})

test_that("the sample has the rows of its numbers, each once, and is uniform", {
  x <- matrix(as.double(1:1000), 500)
  count <- numeric(500)
  for (seed in 1:100) {
    set.seed(seed)
    source <- source_of_chunks(x, c(100L, 250L, 150L), sample = 50)
    numbers <- source$whole$numbers
    expect_identical(unname(source$x), x[numbers, ])
    count[numbers] <- count[numbers] + 1
  }
  # 500 counts of 10 on average: the sum of squared standardized counts is about chi-squared.
  chance <- stats::pchisq(sum((count - 10)^2) / (10 * 0.9), 499)
  expect_true(chance > 1e-4 && chance < 1 - 1e-4)
  expect_lt(abs(sum(count[1:100]) - 1000), 5 * sqrt(1000))
  # All rows where there are no more, in their order.
  expect_identical(source_of_chunks(x, c(100L, 250L, 150L), sample = 500)$whole$numbers, as.double(1:500))
})

test_that("the number of rows need not be known, and a wrong one is an error", {
  x <- matrix(rnorm(2000), 1000)
  # The first chunk says far too little of the others, or far too much.
  for (sizes in list(c(2L, 498L, 500L), c(900L, 50L, 50L))) {
    last <- cumsum(sizes)
    read <- function(k) x[seq_len(sizes[k]) + last[k] - sizes[k], , drop = FALSE]
    source <- as_source(chunk_plan(chunked(1:3, read, sample = 100), read(1), identity, call = NULL))
    expect_lte(nrow(source$x), 100)
    expect_gt(nrow(source$x), 30)
    expect_equal(anyDuplicated(source$whole$numbers), 0)
    expect_equal(source$mean, colMeans(x))
  }
  wrong <- chunked(1:3, read, rows = c(900, 50, 51))
  expect_refused(landmarks(wrong, 3))
})

test_that("sparse chunks give the sample of the same numbers", {
  set.seed(2)
  x <- matrix(rpois(2000, 0.3), 200)
  sparse <- Matrix::Matrix(x * 1, sparse = TRUE)
  set.seed(3)
  a <- source_of_chunks(x, c(120L, 80L), sample = 40)
  set.seed(3)
  b <- source_of_chunks(sparse, c(120L, 80L), sample = 40)
  expect_identical(a$whole$numbers, b$whole$numbers)
  expect_equal(a$mean, b$mean)
  expect_equal(a$variance, b$variance)
})

test_that("the sample is whole where the first chunk is not like the others, or weights are 0", {
  x <- matrix(as.double(1:2000), 1000)
  sampled <- function(sizes, sample, weights = NULL) {
    last <- cumsum(sizes)
    chunks <- chunked(seq_along(sizes), function(k) x[seq_len(sizes[k]) + last[k] - sizes[k], , drop = FALSE],
      rows = if (!is.null(weights)) sizes, sample = sample
    )
    first <- x[seq_len(sizes[1]), , drop = FALSE]
    as_source(chunk_plan(chunks, first, identity, weights = weights, call = NULL))
  }
  for (sample in c(1, 5, 100, 2000)) {
    source <- sampled(c(901L, rep(1L, 99)), sample)
    expect_equal(source$dim[1], min(sample, 1000))
    expect_identical(unname(source$x), x[source$whole$numbers, , drop = FALSE])
  }
  expect_equal(sampled(c(1L, 999L), 100)$dim[1], 100)
  expect_equal(sampled(c(500L, 500L), 100, rep(1:0, c(150, 850)))$dim[1], 100)
})
