# Codebooks against naive loops, and what they refuse.

# Three clouds, far apart.
clouds <- function(n = 20) {
  withr::local_seed(7)
  center <- rbind(c(0, 0, 0), c(20, 0, 5), c(0, 30, -5))
  x <- center[rep(1:3, n), ] + matrix(stats::rnorm(9 * n), 3 * n)
  colnames(x) <- c("a", "b", "c")
  x
}

book_once <- function(frames = clouds(), size = 3, ...) {
  withr::local_seed(1)
  codebook(frames, size, ...)
}

# Nearest codeword of each frame, by loops.
naive_nearest <- function(x, centers) {
  distance <- naive_distances(x, centers)
  list(word = apply(distance, 1, which.min), distance = apply(distance, 1, min))
}

# ---- learning ------------------------------------------------------------------

test_that("codewords are means of their frames, and `within` what is left", {
  x <- clouds() / 10
  book <- book_once(x, 7)
  near <- naive_nearest(x, book$centers)
  expect_true(book$converged)
  expect_identical(book$n_frames, 60L)
  expect_equal(coef(book), rowsum(x, near$word) / tabulate(near$word), tolerance = 1e-12, ignore_attr = TRUE)
  expect_identical(dimnames(coef(book)), list(paste0("W", 1:7), c("a", "b", "c")))
  expect_equal(book$within, sum(near$distance^2), tolerance = 1e-12)
})

test_that("from the same seeds it is Lloyd's algorithm, step by step", {
  x <- clouds() / 10
  for (iterations in c(1, 3, 100)) {
    withr::local_seed(3)
    centers <- x[seed_plus_plus(as_source(x), 6), ]
    book <- (function() {
      withr::local_seed(3)
      expect_warning(codebook(x, 6, max_iterations = iterations), NA)
    })()
    changed <- TRUE
    last <- rep(0, nrow(x))
    done <- 0
    while (done < iterations) {
      near <- naive_nearest(x, centers)$word
      changed <- any(near != last)
      done <- done + 1
      if (!changed) break
      for (j in 1:6) centers[j, ] <- colMeans(x[near == j, , drop = FALSE])
      last <- near
    }
    expect_equal(book$centers, centers, tolerance = 1e-10, ignore_attr = TRUE)
    expect_identical(book$converged, !changed)
    expect_identical(book$iterations, as.integer(done))
  }
  expect_lt(done, 100)
})

test_that("with `scale` columns are divided by their standard deviations", {
  x <- clouds() * rep(c(1, 1e4, 1e-3), each = 60) + rep(c(0, 1e5, 1), each = 60)
  x <- cbind(x, constant = 3)
  spread <- c(apply(x[, 1:3], 2, stats::sd), 1)
  scaled <- book_once(x, 4, scale = TRUE)
  by_hand <- book_once(x / rep(spread, each = 60), 4)
  expect_equal(scaled$centers, by_hand$centers * rep(spread, each = 4), tolerance = 1e-10)
  expect_equal(scaled$within, by_hand$within, tolerance = 1e-10)
  expect_true(scaled$scaled)
  group <- rep(1:6, 10)
  h <- predict(scaled, x, group)
  expect_equal(h, predict(by_hand, x / rep(spread, each = 60), group))
  expect_false(isTRUE(all.equal(h, predict(book_once(x, 4), x, group))))
})

test_that("one word is the mean, as many as rows are the rows", {
  x <- clouds()
  expect_equal(book_once(x, 1)$centers[1, ], colMeans(x), tolerance = 1e-12)
  all <- book_once(x, 60)
  found <- all$centers[order(all$centers[, 1]), ]
  expect_equal(found, x[order(x[, 1]), ], tolerance = 1e-12, ignore_attr = TRUE)
  expect_equal(all$within, 0)
  # One column.
  expect_equal(sort(book_once(cbind(c(2, 4, 9, 9, 11)), 2)$centers), c(3, 29 / 3))
})

test_that("a word that loses all its frames stays where it is", {
  # Found by search: from these starts R's Lloyd leaves the fourth word without frames.
  x <- cbind(
    c(0.6, 0.6, 1, -0.6, -0.5, -0.3, -0.6, -2.4, 0.2, -0.3, 0.4, -1.3),
    c(0.6, 0.6, -1.1, -0.1, 1.5, -0.4, 0.2, 2.4, 0.7, 0, 0.4, -0.3)
  )
  start <- x[c(1, 5, 12, 9, 3, 8), ]
  plain <- suppressWarnings(stats::kmeans(x, start, iter.max = 50, algorithm = "Lloyd"))
  expect_identical(which(plain$size == 0), 4L)
  expect_true(anyNA(plain$centers))
  expect_warning(found <- find_centers(as_source(x), start, 50), NA)
  near <- naive_nearest(x, found$centers)
  expect_true(found$converged && all(is.finite(found$centers)))
  # The fourth word may have frames again.
  expect_gte(length(unique(near$word)), 5)
})

test_that("dense, sparse, data frame and integer are the same", {
  x <- round(clouds())
  book <- book_once(x, 4)
  whole <- x
  storage.mode(whole) <- "integer"
  expect_equal(book_once(whole, 4), book)
  expect_equal(book_once(as.data.frame(x), 4), book)
  sparse <- methods::as(x, "CsparseMatrix")
  expect_equal(book_once(sparse, 4), book)
  group <- rep(c("x", "y"), 30)
  h <- predict(book, x, group)
  for (same in list(whole, as.data.frame(x), sparse, x[, 3:1], cbind(as.data.frame(x)[3:1], z = "no"))) {
    expect_equal(predict(book, same, group), h)
  }
})

# ---- histograms ------------------------------------------------------------------

test_that("histograms count the nearest codewords of each group's frames", {
  x <- clouds() / 10
  book <- book_once(x, 7)
  group <- rep(c(10, 9, 9, 100, 2), 12)
  near <- naive_nearest(x, book$centers)$word
  count <- matrix(0, 4, 7, dimnames = list(c("2", "9", "10", "100"), paste0("W", 1:7)))
  for (i in 1:60) count[as.character(group[i]), near[i]] <- count[as.character(group[i]), near[i]] + 1
  expect_identical(predict(book, x, group, type = "count"), count)
  h <- predict(book, x, group)
  expect_equal(h, count / rowSums(count))
  expect_equal(unname(rowSums(h)), rep(1, 4))
  expect_equal(unname(rowSums(hellinger(h)^2)), rep(1, 4))
})

test_that("rows are in the order of levels, or sorted", {
  x <- clouds()
  book <- book_once(x)
  names <- rep(c("b", "B", "a"), 20)
  expect_identical(rownames(predict(book, x, names)), c("B", "a", "b"))
  levels <- factor(names, levels = c("b", "a", "B"))
  expect_identical(rownames(predict(book, x, levels)), c("b", "a", "B"))
  expect_equal(predict(book, x, levels)[c(3, 2, 1), ], predict(book, x, names))
  expect_identical(rownames(predict(book, x, names == "a")), c("FALSE", "TRUE"))
  expect_identical(dim(predict(book, x[0, ], character())), c(0L, 3L))
  # New frames in codewords that nobody uses: columns stay.
  expect_identical(ncol(predict(book, x[c(1, 4), ], c(1, 1))), 3L)
})

test_that("a codebook says what it is", {
  expect_snapshot(print(book_once()))
  expect_snapshot(print(book_once(clouds(700) / 10, 12, scale = TRUE, max_iterations = 1)))
  expect_snapshot(print(book_once(cbind(c(1, 2, 4)), 1)))
})

# ---- bad input -------------------------------------------------------------------

test_that("frames, size, scale and max_iterations must be what they say", {
  x <- clouds()
  expect_refused(
    codebook(size = 2),
    codebook(1:3, 2),
    codebook(x[0, ], 2),
    codebook(iris, 2),
    codebook(replace(x, 67, NA), 2),
    codebook(x * 1e160, 2),
    codebook(x),
    codebook(x, 2.5),
    codebook(x, 61),
    codebook(x[rep(1:4, 5), ], 5),
    codebook(x, 2, scale = NA),
    codebook(x, 2, max_iterations = 0)
  )
})

test_that("new frames must have the codebook's columns, and a group each, none empty", {
  book <- book_once()
  x <- clouds()[1:6, ]
  expect_refused(
    predict(book),
    predict(book, x[, 1:2], 1:6),
    predict(book, unname(x[, 1:2]), 1:6),
    predict(book, replace(x, 3, Inf), 1:6),
    predict(book, "frames", 1),
    predict(book, x),
    predict(book, x, 1:5),
    predict(book, x, as.list(1:6)),
    predict(book, x, c(1, 2, NA, 1, 2, NA)),
    predict(book, x, addNA(factor(c(1, 2, 1, 1, NA, 2)))),
    predict(book, x, factor(rep("b", 6), levels = c("a", "b", "c"))),
    predict(book, x, 1:6, type = "histogram"),
    predict(book, x, 1:6, "count", 3)
  )
})
