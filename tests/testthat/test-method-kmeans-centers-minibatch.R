# k-means from batches: Sculley's algorithm by loops, from the rows that R's stream gives.

skip_slow_file()

x <- odd_matrix(300, 3)
eta <- 0.8

# Dense rows of batches are in single precision. tests/core/test_minibatch.c has the same steps in doubles.
rounding <- 1e-6

# Batches of row numbers; row after row of a batch draws its center nearer.
naive_minibatch <- function(x, centers, batches, weights = rep(1, nrow(x)), fixed = 0) {
  seen <- numeric(nrow(centers))
  for (rows in batches) {
    own <- max.col(-naive_distances(x[rows, , drop = FALSE], centers), "first")
    for (i in seq_along(rows)) {
      w <- weights[rows[i]]
      seen[own[i]] <- seen[own[i]] + w
      rate <- w / seen[own[i]]
      if (own[i] > fixed) centers[own[i], ] <- (1 - rate) * centers[own[i], ] + rate * x[rows[i], ]
    }
  }
  unname(centers)
}

# The rows of batches, drawn as the package draws them.
batches_of <- function(source, size, count, seed) {
  withr::with_seed(seed, lapply(seq_len(count), function(b) draw_rows(source, size)))
}

batch_fit <- function(x, n, batch_size, ..., seed = 1) {
  withr::local_seed(seed)
  landmarks(x, n, by_kmeans(batch_size = batch_size, ...), bandwidth = eta)
}

test_that("centers are those of Sculley's algorithm on the same rows", {
  start <- x[c(3, 77, 150, 201, 299, 12), ]
  for (size in c(1, 20, 113)) {
    for (batches in c(1, 7, 40)) {
      naive <- naive_minibatch(x, start, batches_of(as_source(x), size, batches, 5))
      found <- withr::with_seed(5, find_centers(as_source(x), start, batches, size))
      expect_equal(found$centers, naive, tolerance = rounding)
      expect_identical(found$iterations, batches)
      expect_identical(found$converged, NA)
      expect_false(found$exact)
    }
  }
})

test_that("of numbers, logicals and sparse rows alike, also after scale", {
  a <- sparse_case(200, 12)
  start <- as.matrix(a$dense[c(5, 60, 110, 190), ])
  spread <- apply(a$dense, 2, stats::sd)
  spread[spread == 0] <- 1
  scaled <- sweep(as.matrix(a$dense), 2, spread, "/")
  for (y in a) {
    found <- withr::with_seed(2, find_centers(as_source(y), start, 15, 30))$centers
    naive <- naive_minibatch(as.matrix(a$dense), start, batches_of(as_source(y), 30, 15, 2))
    expect_equal(unname(found), naive, tolerance = rounding)
    found <- withr::with_seed(2, find_centers(as_source(y, scale = TRUE), start, 15, 30))$centers
    naive <- naive_minibatch(scaled, start / rep(spread, each = 4), batches_of(as_source(y), 30, 15, 2))
    expect_equal(unname(found) / rep(spread, each = 4), naive, tolerance = rounding)
  }
  there <- x > 0
  found <- withr::with_seed(3, find_centers(as_source(there), there[1:4, ] + 0, 8, 25))$centers
  expect_equal(found, naive_minibatch(there + 0, there[1:4, ] + 0, batches_of(as_source(there), 25, 8, 3)),
    tolerance = rounding
  )
})

test_that("rows count by their weights, and rows of weight 0 come in no batch", {
  weights <- rep(c(0, 1, 2.5), 100)
  source <- as_source(x, weights)
  start <- x[c(2, 50, 101, 200, 290), ]
  batches <- batches_of(source, 30, 12, 4)
  expect_true(all(weights[unlist(batches)] > 0))
  found <- withr::with_seed(4, find_centers(source, start, 12, 30))$centers
  expect_equal(found, naive_minibatch(x, start, batches, weights), tolerance = rounding)
  expect_gt(max(abs(found - naive_minibatch(x, start, batches))), 1e-3)
})

test_that("held centers take rows and stay", {
  fixed <- x[c(20, 40), ] + 0.05
  start <- x[c(2, 50, 101), ]
  found <- withr::with_seed(6, find_centers(as_source(x), start, 10, 40, fixed))$centers
  naive <- naive_minibatch(x, rbind(fixed, start), batches_of(as_source(x), 40, 10, 6), fixed = 2)
  expect_equal(found, naive[-(1:2), ], tolerance = rounding)
  base <- as_landmarks(fixed, x, bandwidth = eta)
  more <- withr::with_seed(1, add_landmarks(base, x, 3, by_kmeans(batch_size = 40)))
  expect_identical(unname(coef(more))[1:2, ], unname(coef(base)))
  expect_identical(nrow(coef(more)), 5L)
})

test_that("codewords of data in chunks are those of data in memory", {
  whole <- withr::with_seed(2, codebook(x, 9, batch_size = 50))
  for (k in c(2, 7)) {
    expect_equal(withr::with_seed(2, codebook(in_chunks(x, k), 9, batch_size = 50)), whole, tolerance = 1e-10)
  }
})

test_that("a batch of all rows makes Lloyd's iterations", {
  plain <- batch_fit(x, 7, NULL)
  for (size in c(300, 1e6)) {
    expect_identical(coef(batch_fit(x, 7, size, max_iterations = 10)), coef(plain))
  }
  weights <- rep(0:1, 150)
  some <- function(size) {
    withr::local_seed(1)
    landmarks(x, 7, by_kmeans("++", 10, size), bandwidth = eta, weights = weights)
  }
  expect_identical(coef(some(150)), coef(some(NULL)))
  expect_gt(max(abs(coef(some(149)) - coef(some(NULL)))), 0)
  expect_true(batch_fit(x, 7, 300)$exact)
  expect_false(batch_fit(x, 7, 299)$exact)
})

test_that("there are as many batches as asked for, by default 100", {
  expect_identical(by_kmeans(batch_size = 10)$max_iterations, 100L)
  expect_identical(by_kmeans()$max_iterations, 10L)
  expect_identical(withr::with_seed(1, codebook(x, 4, batch_size = 20))$iterations, 100L)
  expect_identical(withr::with_seed(1, codebook(x, 4, batch_size = 20, max_iterations = 3))$iterations, 3L)
  # Starts alone are rows.
  starts <- batch_fit(x, 5, 20, max_iterations = 0)
  expect_identical(unname(coef(starts)), x[starts$rows, ])
})

test_that("within clusters it leaves little more than Lloyd's iterations do", {
  images <- digits$images / 255
  left <- function(batch_size) {
    withr::local_seed(1)
    codebook(images, 50, batch_size = batch_size)$within
  }
  expect_lt(left(500) / left(NULL), 1.03)
})

test_that("it says what it does", {
  expect_identical(
    format(by_kmeans(batch_size = 1000)), "k-means, k-means++ starts, 100 batches of 1,000 rows"
  )
  expect_identical(format(by_kmeans("uniform", 1, 1)), "k-means, uniform starts, 1 batch of 1 row")
  expect_snapshot(print(withr::with_seed(1, codebook(x, 4, batch_size = 20))))
  expect_snapshot(print(by_kmeans(batch_size = 500)))
})

test_that("batch_size must be a whole number", {
  for (bad in list(0, 2.5, NA, "all", c(10, 20), Inf)) {
    expect_error(by_kmeans(batch_size = bad), class = "landmarker_error_input")
    expect_error(codebook(x, 3, batch_size = bad), class = "landmarker_error_input")
  }
  expect_refused(
    by_kmeans(batch_size = 0),
    codebook(x, 3, batch_size = "all")
  )
})

test_that("starts come from a random sample of five batches, or of all rows where that has too few", {
  source <- as_source(x)
  method <- by_kmeans(batch_size = 8)
  rows <- withr::with_seed(3, start_plus_plus(method, source, 5, NULL, source_no_points(source)))
  sample <- withr::with_seed(3, draw_rows(source, 40L))
  expect_true(all(rows %in% sample))
  expect_identical(anyDuplicated(rows), 0L)
  # All rows without batches, and for starts alone.
  for (method in list(by_kmeans(), by_kmeans(batch_size = 8, max_iterations = 0))) {
    all <- withr::with_seed(3, seed_plus_plus(source, 5))
    expect_identical(
      withr::with_seed(3, start_plus_plus(method, source, 5, NULL, source_no_points(source))), all
    )
  }
  # Four different rows among many equal ones, which a sample of 20 rows misses.
  few <- as_source(matrix(c(rep(0, 2000), 1:3)))
  method <- by_kmeans(batch_size = 4)
  found <- withr::with_seed(1, start_plus_plus(method, few, 4, NULL, few$x[0, , drop = FALSE]))
  expect_setequal(few$x[found, 1], 0:3)
})

test_that("rows go to their nearest centers where these are close and far from the mean", {
  within <- function(x, centers) sum(apply(naive_distances(x, centers)^2, 1, min))
  withr::local_seed(7)
  squares <- rbind(matrix(stats::runif(2000), 1000) - 100.5, matrix(stats::runif(2000), 1000) + 99.5)
  outlier <- matrix(stats::runif(8000), 4000)
  outlier[1, 1] <- 999999
  for (x in list(squares, outlier)) {
    sparse <- methods::as(x, "CsparseMatrix")
    for (start in c("++", "uniform")) {
      fits <- lapply(list(x, sparse), function(x) {
        withr::with_seed(1, landmarks(x, 20, by_kmeans(start, batch_size = 500), bandwidth = 1))
      })
      expect_equal(unname(coef(fits[[1]])), unname(coef(fits[[2]])), tolerance = 1e-6)
    }
    book <- withr::with_seed(1, codebook(x, 20, batch_size = 500))
    lloyd <- withr::with_seed(1, codebook(x, 20))
    expect_equal(book$within, within(x, coef(book)), tolerance = 1e-6)
    expect_lt(book$within, 1.2 * lloyd$within)
  }
})
