# by_kmeans(): Lloyd's iterations by hand and by stats::kmeans(), from the starts that were drawn.

x <- odd_matrix(150, 3)
eta <- 0.8

kmeans_fit <- function(x, n, ..., seed = 1, scale = FALSE, space = "euclidean", weights = NULL,
                       bandwidth = eta) {
  withr::local_seed(seed)
  landmarks(x, n, by_kmeans(...), bandwidth = bandwidth, scale = scale, space = space, weights = weights)
}

# Returns list(centers, iterations): an iteration is a look at all rows, the last
# of them that which changes nothing. The first `fixed` centers stay where they are.
naive_lloyd <- function(x, centers, most, weights = rep(1, nrow(x)), fixed = 0) {
  near <- rep(0L, nrow(x))
  for (iteration in seq_len(most)) {
    now <- max.col(-naive_distances(x, centers), "first")
    if (identical(now[weights > 0], near[weights > 0])) break
    near <- now
    for (k in setdiff(seq_len(nrow(centers)), seq_len(fixed))) {
      mine <- near == k
      centers[k, ] <- colSums(weights[mine] * x[mine, , drop = FALSE]) / sum(weights[mine])
    }
  }
  list(centers = unname(centers), iterations = iteration)
}

start_rows <- function(x, n, start, seed = 1, ...) kmeans_fit(x, n, start, 0, seed = seed, ...)$rows

test_that("centers are those of Lloyd's iterations from the same starts", {
  for (start in c("++", "uniform")) {
    for (iterations in c(1, 2, 5, 200)) {
      fit <- kmeans_fit(x, 8, start, iterations)
      naive <- naive_lloyd(x, x[start_rows(x, 8, start), ], iterations)
      expect_equal(sort_rows(unname(coef(fit))), sort_rows(naive$centers), tolerance = 1e-12)
      expect_identical(fit$iterations, rep(as.integer(naive$iterations), 8))
      # The order is the greedy one, by what is left of the trace.
      expect_identical(naive_trace_order(x, unname(coef(fit)), eta), 1:8)
      expect_true(all(is.na(fit$rows)) && all(is.na(fit$trace)) && all(is.na(fit$moved)))
    }
  }
  # At the end every center is the mean of the rows nearest to it.
  expect_lt(fit$iterations[1], 200)
  near <- max.col(-naive_distances(x, unname(coef(fit))), "first")
  expect_equal(unname(coef(fit)), unname(rowsum(x, near) / tabulate(near)), tolerance = 1e-12)
})

test_that("from the same start the centers are those of stats::kmeans()", {
  withr::local_seed(3)
  for (shape in list(c(400, 2, 7), c(300, 40, 25), c(1100, 5, 3))) {
    y <- matrix(stats::rnorm(shape[1] * shape[2]), shape[1]) + 10 * stats::runif(shape[2])
    start <- y[sample.int(shape[1], shape[3]), ]
    for (iterations in c(1, 4, 300)) {
      theirs <- suppressWarnings(stats::kmeans(y, start, iter.max = iterations, algorithm = "Lloyd"))
      ours <- find_centers(as_source(y), start, iterations)
      expect_equal(ours$centers, unname(theirs$centers), tolerance = 1e-12)
      # One more than allowed says there that it has not converged.
      expect_identical(ours$iterations, as.integer(min(theirs$iter, iterations)))
      expect_identical(ours$converged, theirs$iter <= iterations)
    }
  }
})

test_that("whole numbers tie as they do in stats::kmeans()", {
  y <- as.matrix(expand.grid(0:7, 0:7, 0:3))
  start <- y[c(1, 8, 57, 64, 200, 256), ]
  theirs <- suppressWarnings(stats::kmeans(y, start, iter.max = 100, algorithm = "Lloyd"))
  ours <- find_centers(as_source(y), start, 100)
  expect_equal(ours$centers, theirs$centers, ignore_attr = TRUE, tolerance = 1e-13)
})

test_that("a row of weight 2 is two rows, and one of weight 0 is none", {
  times <- rep(c(1, 2, 0, 3, 1), 30)
  twice <- x[rep(seq_len(150), times), ]
  start <- x[c(1, 2, 4, 5, 6, 7), ]
  for (iterations in c(1, 3, 200)) {
    weighted <- find_centers(as_source(x, times), start, iterations)
    repeated <- find_centers(as_source(twice), start, iterations)
    expect_equal(weighted, repeated, tolerance = 1e-12)
    naive <- naive_lloyd(x, start, iterations, times)
    expect_equal(weighted$centers, naive$centers, tolerance = 1e-12)
    expect_identical(weighted$iterations, as.integer(naive$iterations))
  }
  expect_gt(max(abs(find_centers(as_source(x), start, 200)$centers - weighted$centers)), 0.05)
  # By the front door.
  fit <- kmeans_fit(x, 6, max_iterations = 4, weights = times)
  rows <- start_rows(x, 6, "++", weights = times)
  naive <- naive_lloyd(x, x[rows, ], 4, times)
  expect_equal(sort_rows(unname(coef(fit))), sort_rows(naive$centers), tolerance = 1e-12)
})

test_that("sparse data give the centers of the same data stored densely, scaled or not", {
  a <- sparse_case(300, 20)
  weights <- rep(c(1, 0.5, 0, 2), 75)
  for (scale in c(FALSE, TRUE)) {
    for (w in list(NULL, weights)) {
      fits <- lapply(a, function(y) {
        kmeans_fit(y, 9, max_iterations = 5, scale = scale, weights = w, bandwidth = 6)
      })
      expect_equal(coef(fits$sparse), coef(fits$dense), tolerance = 1e-10)
      expect_identical(fits$sparse$iterations, fits$dense$iterations)
    }
  }
})

test_that("one thread and two leave the same bits where there is work for both", {
  many <- odd_matrix(40000, 12)
  whole <- round(20 * many)
  storage.mode(whole) <- "integer"
  weights <- rep(c(1, 0.3, 2.7), length.out = 40000)
  for (y in list(many, whole, methods::as(many * (many > 0.5), "CsparseMatrix"))) {
    for (w in list(NULL, weights)) {
      start <- as.matrix(y[seq(1, 40000, by = 2000), ]) + 0
      found <- lapply(1:2, function(threads) {
        withr::local_options(landmarker.threads = threads)
        find_centers(as_source(y, w), start, 4)
      })
      expect_identical(found[[2]], found[[1]])
    }
  }
})

test_that("landmarks that are held are centers that do not move", {
  base <- withr::with_seed(3, landmarks(x, 3, by_random(), bandwidth = eta))
  fixed <- unname(coef(base))
  more <- withr::with_seed(4, add_landmarks(base, x, 5, by_kmeans(max_iterations = 6)))
  expect_identical(unname(coef(more))[1:3, ], fixed)
  rows <- withr::with_seed(4, seed_plus_plus(as_source(x), 5, fixed = fixed))
  naive <- naive_lloyd(x, rbind(fixed, x[rows, ]), 6, fixed = 3)$centers
  expect_equal(sort_rows(unname(coef(more))[4:8, ]), sort_rows(naive[4:8, ]), tolerance = 1e-12)
  # Without them the centers are others.
  alone <- naive_lloyd(x, x[rows, ], 6)$centers
  expect_gt(max(abs(sort_rows(alone) - sort_rows(naive[4:8, ]))), 0.05)
})

test_that("there are never more iterations than asked for", {
  for (most in 1:3) expect_identical(kmeans_fit(x, 8, max_iterations = most)$iterations, rep(most, 8))
})

test_that("columns are scaled before, and centers are in the data's units", {
  wide <- x %*% diag(c(1, 40, 0.02))
  spread <- apply(wide, 2, stats::sd)
  scaled <- t(t(wide) / spread)
  fit <- kmeans_fit(wide, 8, max_iterations = 6, scale = TRUE, bandwidth = 2)
  rows <- start_rows(wide, 8, "++", scale = TRUE, bandwidth = 2)
  naive <- naive_lloyd(scaled, scaled[rows, ], 6)$centers
  expect_equal(sort_rows(t(t(unname(coef(fit))) / spread)), sort_rows(naive), tolerance = 1e-10)
  expect_gt(max(abs(naive_lloyd(wide, wide[rows, ], 6)$centers / rep(spread, each = 8) - naive)), 0.1)
})

test_that("integers and logicals are numbers", {
  whole <- round(4 * x)
  as_doubles <- kmeans_fit(whole, 5, bandwidth = 9)
  storage.mode(whole) <- "integer"
  expect_identical(coef(kmeans_fit(whole, 5, bandwidth = 9)), coef(as_doubles))
  expect_equal(coef(kmeans_fit(x > 0, 3)), coef(kmeans_fit((x > 0) + 0, 3)), tolerance = 1e-15)
})

test_that("one center is the mean, in one column too", {
  for (y in list(x, x[, 1, drop = FALSE], 7 + x[, 1, drop = FALSE])) {
    fit <- kmeans_fit(y, 1)
    expect_equal(as.vector(coef(fit)), colMeans(y), tolerance = 1e-14)
    expect_length(fit$iterations, 1)
  }
  line <- x[, 1, drop = FALSE]
  naive <- naive_lloyd(line, line[start_rows(line, 3, "++"), , drop = FALSE], 10)$centers
  expect_equal(sort(as.vector(coef(kmeans_fit(line, 3)))), sort(as.vector(naive)), tolerance = 1e-13)
})

test_that("a center that loses its last row stays where it is", {
  y <- cbind(c(5, 4, 4, -1, -7, -4), c(1, 5, 3, -2, -5, -1))
  # By hand: the third center has no row after two iterations.
  found <- find_centers(as_source(y), y[1:3, ], 20)
  expect_true(found$converged)
  sizes <- tabulate(max.col(-naive_distances(y, found$centers), "first"), 3)
  expect_identical(sizes == 0, c(FALSE, FALSE, TRUE))
  # Of three centers at one place the first gets all rows, and moves to 6; the second then gets two.
  line <- cbind(c(0, 9, 9, 9, 8, 1))
  expect_equal(find_centers(as_source(line), cbind(c(5, 5, 5)), 20)$centers, cbind(c(8.75, 0.5, 5)))
})

test_that("without iterations the starts are the landmarks, in the order they were drawn", {
  for (start in c("++", "uniform")) {
    long <- kmeans_fit(x, 12, start, 0)
    expect_identical(unname(coef(long)), x[long$rows, ])
    expect_identical(long$iterations, rep(0L, 12))
    for (m in c(1, 4, 11)) expect_identical(kmeans_fit(x, m, start, 0)$rows, long$rows[seq_len(m)])
  }
})

test_that("k-means++ never draws what is there already", {
  few <- x[rep(1:6, 5), ]
  for (y in list(few, methods::as(few, "CsparseMatrix"))) {
    expect_warning(fit <- kmeans_fit(y, 10, "++", 0), class = "landmarker_warning_rank")
    expect_setequal((fit$rows - 1) %% 6, 0:5)
    # The function itself stops there.
    expect_length(withr::with_seed(1, seed_plus_plus(as_source(y), 10)), 6)
  }
})

test_that("uniform starts repeat no row's values as long as there are others", {
  few <- x[c(rep(1, 40), 2:7), ]
  source <- as_source(few)
  for (seed in 1:30) {
    withr::local_seed(seed)
    rows <- draw_different(source, seq_len(source$dim[1]), 5)
    expect_identical(anyDuplicated(few[rows, ]), 0L)
    expect_length(rows, 5)
    # The first of each in the order that all rows were drawn in.
    withr::local_seed(seed)
    order <- sample.int(46)
    expect_identical(rows, order[!duplicated(few[order, ])][1:5])
  }
  expect_setequal(pmax(draw_different(source, seq_len(source$dim[1]), 7), 40), 40:46)
  expect_length(draw_different(source, seq_len(source$dim[1]), 20), 7)
  fit <- kmeans_fit(few, 6, "uniform")
  expect_identical(nrow(coef(fit)), 6L)
})

test_that("uniform starts are each row as likely as any other", {
  withr::local_seed(5)
  source <- as_source(odd_matrix(6, 2))
  first <- replicate(3000, draw_different(source, seq_len(source$dim[1]), 2)[1])
  expect_gt(stats::chisq.test(tabulate(first, 6))$p.value, 0.001)
})

test_that("centers are projected", {
  for (space in list("nonnegative", "sphere", function(t) pmin(t, 0.3))) {
    plain <- unname(coef(kmeans_fit(x, 6)))
    fit <- kmeans_fit(x, 6, space = space)
    expect_equal(sort_rows(unname(coef(fit))), sort_rows(naive_project(plain, space)), tolerance = 1e-12)
    starts <- kmeans_fit(x, 6, max_iterations = 0, space = space)
    expect_equal(unname(coef(starts)), naive_project(x[starts$rows, ], space), tolerance = 1e-15)
  }
})

test_that("starts alone are drawn from sparse data, by weights, and beside held landmarks", {
  a <- sparse_case(120, 20)
  for (start in c("++", "uniform")) {
    w <- rep(c(1, 0, 3), 40)
    fits <- lapply(a, function(y) kmeans_fit(y, 8, start, 0, weights = w, bandwidth = 6))
    expect_identical(fits$sparse$rows, fits$dense$rows)
    expect_equal(coef(fits$sparse), coef(fits$dense), tolerance = 1e-12)
    expect_true(all(w[fits$dense$rows] > 0))
    base <- kmeans_fit(x, 4, start, 0)
    more <- withr::with_seed(2, add_landmarks(base, x, 4))
    expect_identical(more$rows[1:4], base$rows)
    expect_identical(unname(coef(more)), x[more$rows, ])
  }
})

test_that("k-means++ never draws again what is held", {
  few <- x[rep(1:6, 5), ]
  for (seed in 1:10) {
    base <- kmeans_fit(few, 4, max_iterations = 0, seed = seed)
    more <- add_landmarks(base, few, 2)
    expect_setequal((more$rows - 1) %% 6, 0:5)
  }
})

test_that("where all different rows are held there is no center to add", {
  few <- x[rep(1:3, 5), ]
  base <- kmeans_fit(few, 3)
  expect_warning(more <- add_landmarks(base, few, 2), class = "landmarker_warning_rank")
  expect_identical(coef(more), coef(base))
})

test_that("k-means++ beside held landmarks draws by the distance from them", {
  five <- rbind(c(0, 0), c(1, 0), c(0, 2), c(3, 3), c(-1, 1))
  fixed <- rbind(c(0, 0), c(3, 2))
  near <- apply(naive_distances(five, fixed)^2, 1, min)
  withr::local_seed(6)
  source <- as_source(five)
  first <- replicate(4000, seed_plus_plus(source, 1, fixed = fixed))
  expect_false(1 %in% first)
  expect_gt(stats::chisq.test(tabulate(first, 5)[-1], p = near[-1] / sum(near))$p.value, 0.001)
})

test_that("its name will do, and it says what it does", {
  withr::local_seed(1)
  expect_identical(coef(landmarks(x, 4, "kmeans", bandwidth = eta)), coef(kmeans_fit(x, 4)))
  expect_identical(format(by_kmeans()), "k-means, k-means++ starts, at most 10 iterations")
  expect_identical(format(by_kmeans("uniform", 1)), "k-means, uniform starts, at most 1 iteration")
  expect_identical(format(by_kmeans(max_iterations = 0)), "k-means++ starts alone")
})
