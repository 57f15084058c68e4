# by_kmeans(), by_random() and codebooks of data in parts: the starts, centers and rows of the data in memory.

skip_slow_file()

test_that("starts and centers are those of the data in memory", {
  methods <- list(
    by_kmeans(), by_kmeans(max_iterations = 200), by_kmeans(max_iterations = 0), by_kmeans("uniform"),
    by_kmeans("uniform", 0)
  )
  for (case in parts_cases()) {
    for (method in methods) do.call(expect_same_in_parts, c(case, list(method = method)))
  }
})

test_that("more starts than fit in one block of candidates come in the same order", {
  for (case in parts_cases()[c("dense", "weighted", "sparse")]) {
    do.call(expect_same_in_parts, c(case, list(method = by_kmeans(max_iterations = 0), n = 150)))
  }
})

test_that("beside held landmarks, too", {
  for (case in parts_cases()[c("dense", "weighted", "sparse")]) {
    # Two of them are rows of the data.
    held <- as.matrix(case$x[c(3, 90, 399), ])
    held[2, ] <- held[2, ] + 0.01
    for (method in list(by_kmeans(), by_kmeans(max_iterations = 0), by_kmeans("uniform", 3), by_random())) {
      do.call(expect_same_in_parts, c(case, list(method = method, held = held)))
    }
  }
})

test_that("random rows are the same, by weight and by probabilities", {
  for (case in parts_cases()) {
    do.call(expect_same_in_parts, c(case, list(method = by_random())))
    prob <- seq_len(nrow(case$x)) %% 5
    do.call(expect_same_in_parts, c(case, list(method = by_random(prob))))
  }
})

test_that("k-means++ of repeated rows ends at the same rows, all different", {
  x <- odd_matrix(9, 2)[rep(1:9, 8), ]
  for (k in c(1, 2, 3, 7)) {
    rows <- withr::with_seed(4, seed_plus_plus(as_source(cut_data(x, k)), 20))
    expect_identical(rows, withr::with_seed(4, seed_plus_plus(as_source(x), 20)))
    expect_setequal((rows - 1) %% 9, 0:8)
  }
})

test_that("centers that lose their rows start at the rows that are farthest over all parts", {
  # Whole numbers: distances tie within parts and between them.
  emptied <- 0
  seeds <- if (full_run()) 1:60 else 1:10
  for (seed in seeds) {
    withr::local_seed(seed)
    x <- matrix(sample(0:5, 80, TRUE), 40) + 0
    start <- rbind(unique(x)[1:5, ], matrix(50 + 1:6, 3))
    for (weights in list(NULL, rep(c(0, 1, 3, 1), 10))) {
      whole <- lloyd(as_source(x, weights), start, 30)
      for (k in c(1, 2, 3, 7)) {
        expect_equal(lloyd(as_source(cut_data(x, k), weights), start, 30), whole, tolerance = 1e-10)
      }
    }
    emptied <- emptied + all(whole$centers < 50)
  }
  expect_identical(emptied, length(seeds) + 0)
})

test_that("a part whose rows stay is not summed again, and one without weight is no part", {
  # The second part is one cluster far away, that settles at once; rows of the third do not count.
  x <- rbind(odd_matrix(40, 2), odd_matrix(20, 2) / 10 + 30, odd_matrix(20, 2) + 90)
  weights <- rep(c(1, 1, 0), c(40, 20, 20))
  parts <- parted_data(
    function(i) x[list(1:40, 41:60, 61:80)[[i]], ], c(40, 20, 20), 2
  )
  start <- x[c(1, 2, 3, 41), ]
  found <- lloyd(as_source(parts, weights), start, 50)
  expect_equal(found, lloyd(as_source(x, weights), start, 50), tolerance = 1e-12)
  expect_equal(found$centers[4, ], colMeans(x[41:60, ]), tolerance = 1e-12)
})

test_that("draws of a start leave parts unread", {
  x <- odd_matrix(60, 3)
  source <- counting_source(x, 2)
  seed_plus_plus(source, 1)
  # Once for what parts keep; and the part of the row that is drawn.
  expect_lte(source$count(), 2 + 1)
})

test_that("a codebook of frames in parts is that of the frames in memory", {
  x <- parts_cases()$dense
  group <- rep(1:50, each = 10)
  for (scale in c(FALSE, TRUE)) {
    whole <- withr::with_seed(2, codebook(x$x, 15, scale = scale))
    shares <- predict(whole, x$x, group)
    for (k in c(1, 2, 3, 7)) {
      cut <- withr::with_seed(2, codebook(cut_data(x$x, k), 15, scale = scale))
      expect_equal(cut, whole, tolerance = 1e-8)
      expect_identical(predict(whole, cut_data(x$x, k), group), shares)
    }
  }
  expect_error(predict(whole, cut_data(x$x[, -1], 2), group), class = "landmarker_error_columns")
})
