# The first pass over chunks: moments of all rows, and a uniform sample.

# `known`: whether the numbers of rows are. `sample`: how many rows are kept.
source_of_chunks <- function(x, sizes, sample, weights = NULL, known = TRUE) {
  last <- cumsum(sizes)
  read <- function(k) x[seq_len(sizes[k]) + last[k] - sizes[k], , drop = FALSE]
  chunks <- chunked(seq_along(sizes), read, rows = if (known) sizes, sample = sample)
  first <- read(which(sizes > 0)[1])
  as_source(chunk_plan(chunks, first, identity, weights = weights, call = NULL))
}

test_that("moments are those of all rows, for chunks of any size", {
  set.seed(1)
  x <- cbind(matrix(rnorm(600, 1e3), 200), 7)
  for (sizes in list(200L, c(1L, 0L, 150L, 49L))) {
    source <- source_of_chunks(x, sizes, 20)
    expect_equal(source$mean, colMeans(x))
    expect_equal(source$variance, apply(x, 2, var))
    expect_identical(source$variance[4], 0)
    expect_equal(source$whole$rows, 200)
  }
  v <- replace(rexp(200), 1:5, 0)
  source <- source_of_chunks(x, c(80L, 120L), 20, v)
  w <- v / mean(v)
  mean <- colSums(w * x) / 200
  expect_equal(source$mean, mean)
  deviation <- colSums(w * (x - rep(mean, each = 200))^2)
  expect_equal(source$variance[1:3], (deviation / variance_divisor(200, w))[1:3])
})

test_that("the sample has the rows of its numbers, each once, and is uniform", {
  x <- matrix(as.double(1:1000), 500)
  sizes <- c(100L, 250L, 150L)
  count <- numeric(500)
  for (seed in 1:100) {
    source <- withr::with_seed(seed, source_of_chunks(x, sizes, 50))
    numbers <- source$whole$numbers
    expect_identical(unname(source$x), x[numbers, ])
    count[numbers] <- count[numbers] + 1
  }
  # 500 counts of 10 on average: the sum of squared standardized counts is about chi-squared.
  chance <- stats::pchisq(sum((count - 10)^2) / (10 * 0.9), 499)
  expect_true(chance > 1e-4 && chance < 1 - 1e-4)
  expect_lt(abs(sum(count[1:100]) - 1000), 5 * sqrt(1000))
  # All rows where there are no more, in their order.
  expect_identical(source_of_chunks(x, sizes, 500)$whole$numbers, as.double(1:500))
})

test_that("the number of rows need not be known, and a wrong one is an error", {
  x <- matrix(as.double(1:2000), 1000)
  # The first chunk says far too little of the others, or far too much.
  for (sizes in list(c(1L, 499L, 500L), c(901L, rep(1L, 99)))) for (sample in c(1, 5, 100, 2000)) {
    source <- source_of_chunks(x, sizes, sample, known = FALSE)
    expect_equal(source$dim[1], min(sample, 1000))
    expect_equal(anyDuplicated(source$whole$numbers), 0)
    expect_identical(unname(source$x), x[source$whole$numbers, , drop = FALSE])
    expect_equal(source$mean, colMeans(x))
  }
  # Nor do rows of weight 0 make the sample smaller.
  expect_equal(source_of_chunks(x, c(500L, 500L), 100, rep(1:0, c(150, 850)))$dim[1], 100)
  expect_refused(landmarks(chunked(1:2, function(k) x[seq_len(500), ], rows = c(500, 501)), 3))
})
