# Real data (see helper-shared-data.R): on modest subsets of each, the joint solver is better than
# the best of three draws of random rows, by each criterion.

skip_slow_file()

# What landmarks leave of the kernel's trace, as a share: by R's own inverse.
naive_left <- function(x, fit) {
  w <- predict(fit, x, "features")
  k <- predict(fit, coef(fit), "features")
  1 - mean(rowSums((w %*% solve(k + diag(1e-8, nrow(k)))) * w))
}

beats_random <- function(x, n = 20, method = by_gp(criterion = "volume"), space = "euclidean", by = 1, ...) {
  withr::local_seed(1)
  default <- landmarks(x, n, space = space, ...)
  left <- vapply(1:3, function(i) {
    naive_left(
      x, suppressWarnings(landmarks(x, n, "random", space = space, bandwidth = default$bandwidth, ...))
    )
  }, 0)
  expect_lt(naive_left(x, default), 0.99 * min(left))
  expect_true(all(default$on_data))
  set.seed(1)
  fit <- landmarks(x, n, method, space = space, ...)
  expect_lt(naive_left(x, default), naive_left(x, fit))
  random <- vapply(1:3, function(i) {
    suppressWarnings(landmarks(x, n, "random", space = space, bandwidth = fit$bandwidth, ...))$log_det
  }, 0)
  expect_identical(nrow(coef(fit)), as.integer(n))
  expect_gt(fit$log_det, max(random) + by)
  expect_true(all(diff(fit$variance) <= 0))
  # log det by R's own Cholesky of the features' inner products.
  w <- predict(fit, x, "features")
  expect_equal(fit$log_det, 2 * sum(log(diag(chol(crossprod(w))))), tolerance = 1e-9)
  invisible(fit)
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

test_that("joint beats random rows on CAL500 and on frames of FSDD, columns scaled", {
  path <- shared_data("cal500", "cal500-features.csv.gz")
  frames <- shared_data("fsdd", "fsdd-mfcc13-f32le.bin.gz")
  skip_without_shared(c(path, frames))
  beats_random(as.matrix(utils::read.csv(path, header = FALSE)), scale = TRUE, by = 5)
  file <- gzfile(frames, "rb")
  withr::defer(close(file))
  x <- matrix(readBin(file, "numeric", 13 * 20000, size = 4, endian = "little"), ncol = 13, byrow = TRUE)
  beats_random(spread_rows(x, 2000), scale = TRUE, by = 1)
})

# Documents spread over all groups by their most frequent words, of length 1 after
# the square root of shares.
news <- function() {
  path <- shared_data("20news", "20news.mtx.gz")
  skip_without_shared(path)
  file <- gzfile(path, "r")
  withr::defer(close(file))
  head <- readLines(file, 3)
  expect_match(head[1], "coordinate integer general")
  entry <- scan(file, list(0L, 0L, 0L), quiet = TRUE)
  keep <- entry[[1]] %% 16 == 0
  counts <- Matrix::sparseMatrix(entry[[1]][keep] / 16, entry[[2]][keep], x = as.double(entry[[3]][keep]))
  counts <- counts[, order(-Matrix::colSums(counts > 0))[1:2500]]
  counts <- counts[Matrix::rowSums(counts) > 0, ]
  sqrt(Matrix::Diagonal(x = 1 / Matrix::rowSums(counts)) %*% counts)
}

test_that("on 20 Newsgroups sparse is dense, on the sphere, and joint beats random rows", {
  x <- news()
  expect_s4_class(x, "dgCMatrix")
  expect_gt(nrow(x), 1000)
  expect_lt(Matrix::nnzero(x), 0.05 * length(x))
  expect_equal(range(Matrix::rowSums(x^2)), c(1, 1), tolerance = 1e-12)
  method <- by_gp(criterion = "volume", batch_size = c(500, 800), batches = c(3, 4), iterations = c(2, 1))
  fit <- beats_random(x, space = "nonnegative_sphere", method = method)
  withr::local_seed(1)
  dense <- landmarks(as.matrix(x), 20, method, space = "nonnegative_sphere")
  expect_equal(coef(fit), coef(dense), tolerance = 1e-8)
  for (part in c("variance", "explained", "log_det", "nearest", "iterations")) {
    expect_equal(fit[[part]], dense[[part]], tolerance = 1e-8, info = part)
  }
  expect_lt(max(abs(predict(fit, x, "features") - predict(dense, as.matrix(x), "features"))), 1e-10)
  expect_lt(naive_violation(coef(fit), "nonnegative_sphere"), 1e-13)
})
