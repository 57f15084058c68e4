# Real data (see helper-shared-data.R): on modest subsets of each, the joint solver is better than
# the best of three draws of random rows, by each criterion.

skip_slow_file()

# What landmarks leave of the kernel's trace, as a share: by R's own inverse.
naive_left <- function(x, fit) {
  w <- predict(fit, x, "features")
  k <- predict(fit, coef(fit), "features")
  1 - mean(rowSums((w %*% solve(k + diag(1e-8, nrow(k)))) * w))
}

beats_random <- function(x, by, method = by_gp(criterion = "volume"), ...) {
  withr::local_seed(1)
  learn <- function(...) suppressWarnings(landmarks(x, 20, ...))
  default <- learn(...)
  random <- lapply(1:3, function(i) learn("random", bandwidth = default$bandwidth, ...))
  expect_lt(naive_left(x, default), 0.99 * min(vapply(random, naive_left, 0, x = x)))
  expect_true(all(default$on_data))
  fit <- learn(method, bandwidth = default$bandwidth, ...)
  expect_lt(naive_left(x, default), naive_left(x, fit))
  expect_gt(fit$log_det, max(vapply(random, `[[`, 0, "log_det")) + by)
  fit
}

# Rows spread over all of the file.
spread_rows <- function(x, size) x[unique(round(seq(1, nrow(x), length.out = size))), , drop = FALSE]

test_that("joint beats random rows on images", {
  # Width, the number of rows that are used, and by how much the log determinant is larger.
  sets <- list(
    list("usps_16x16", "usps_16x16", 1200, 5), list("mnist", "t10k", 1500, 10),
    # More columns than rows.
    list("orl_64x64", "orl_64x64", 400, 5), list("frey_28x20", "frey_28x20", 1965, 5)
  )
  for (set in if (full_run()) sets else sets[1]) {
    path <- shared_data(set[[1]], paste0(set[[2]], "-images-idx3-ubyte.gz"))
    skip_without_shared(path)
    fit <- beats_random(spread_rows(read_idx(path) / 255, set[[3]]), space = "nonnegative", by = set[[4]])
    expect_gte(min(coef(fit)), 0)
  }
})

test_that("joint beats random rows on 20 Newsgroups, sparse and on the sphere", {
  skip_unless_full()
  path <- shared_data("20news", "20news.mtx.gz")
  skip_without_shared(path)
  file <- gzfile(path, "r")
  withr::defer(close(file))
  readLines(file, 3)
  entry <- scan(file, list(0L, 0L, 0L), quiet = TRUE)
  # Documents spread over all groups by their most frequent words.
  keep <- entry[[1]] %% 16 == 0
  counts <- Matrix::sparseMatrix(entry[[1]][keep] / 16, entry[[2]][keep], x = as.double(entry[[3]][keep]))
  counts <- counts[, order(-Matrix::colSums(counts > 0))[1:2500]]
  x <- hellinger(counts, "drop")
  method <- by_gp(criterion = "volume", batch_size = c(500, 800), batches = c(3, 4), iterations = c(2, 1))
  fit <- beats_random(x, by = 1, space = "nonnegative_sphere", method = method)
  expect_lt(naive_violation(coef(fit), "nonnegative_sphere"), 1e-13)
})
