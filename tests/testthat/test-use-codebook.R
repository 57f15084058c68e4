# Codebooks against naive loops, and what they refuse.

# Three clouds, far apart.
clouds <- function(n = 20) {
  withr::local_seed(7)
  center <- rbind(c(0, 0, 0), c(20, 0, 5), c(0, 30, -5))
  x <- center[rep(1:3, n), ] + matrix(stats::rnorm(9 * n), 3 * n)
  colnames(x) <- c("a", "b", "c")
  x
}

book_once <- function(frames = clouds(), size = 3, ...) withr::with_seed(1, codebook(frames, size, ...))

nearest_word <- function(x, book) apply(naive_distances(x, book$centers), 1, which.min)

test_that("codewords are means of their frames, and `within` what is left", {
  x <- clouds() / 10
  book <- book_once(x, 7)
  near <- nearest_word(x, book)
  expect_true(book$converged)
  expect_equal(coef(book), rowsum(x, near) / tabulate(near), tolerance = 1e-12, ignore_attr = TRUE)
  expect_identical(dimnames(coef(book)), list(paste0("W", 1:7), c("a", "b", "c")))
  expect_equal(book$within, sum((x - book$centers[near, ])^2), tolerance = 1e-12)
  expect_false(book_once(x, 7, max_iterations = 1)$converged)
  # As many words as rows are the rows.
  all <- book_once(x, 60)
  expect_equal(sort_rows(unname(all$centers)), sort_rows(unname(x)), tolerance = 1e-12)
  expect_equal(all$within, 0)
  expect_equal(sort(book_once(cbind(c(2, 4, 9, 9, 11)), 2)$centers), c(3, 29 / 3))
})

test_that("with `scale` columns are divided by their standard deviations", {
  x <- cbind(clouds() * rep(c(1, 1e4, 1e-3), each = 60) + rep(c(0, 1e5, 1), each = 60), constant = 3)
  spread <- c(apply(x[, 1:3], 2, stats::sd), 1)
  scaled <- book_once(x, 4, scale = TRUE)
  by_hand <- book_once(x / rep(spread, each = 60), 4)
  expect_equal(scaled$centers, by_hand$centers * rep(spread, each = 4), tolerance = 1e-10)
  expect_equal(scaled$within, by_hand$within, tolerance = 1e-10)
  group <- rep(1:6, 10)
  expect_equal(predict(scaled, x, group), predict(by_hand, x / rep(spread, each = 60), group))
})

test_that("dense, sparse, data frame, integer and chunks are the same", {
  x <- round(clouds())
  book <- book_once(x, 4)
  forms <- list(`storage.mode<-`(x, "integer"), as.data.frame(x), methods::as(x, "CsparseMatrix"))
  for (same in forms) expect_equal(book_once(same, 4), book)
  group <- rep(c("x", "y"), 30)
  h <- predict(book, x, group)
  for (same in c(forms, list(x[, 3:1], cbind(as.data.frame(x)[3:1], z = "no"), in_chunks(x)))) {
    expect_equal(predict(book, same, group), h)
  }
  # In chunks codewords are learned from a sample, and measured over all frames.
  of_sample <- book_once(in_chunks(x, sample = 30), 6)
  expect_equal(of_sample$within, sum(augment(of_sample, x)$.distance^2))
  expect_equal(of_sample$n_frames, 60)
})

test_that("histograms count the nearest codewords of each group's frames", {
  x <- clouds() / 10
  book <- book_once(x, 7)
  group <- rep(c(10, 9, 9, 100, 2), 12)
  near <- nearest_word(x, book)
  # Groups of numbers are in their order.
  count <- table(group, factor(near, 1:7, paste0("W", 1:7)))
  count <- matrix(as.double(count), 4, dimnames = unname(dimnames(count)))
  expect_identical(predict(book, x, group, type = "count"), count)
  expect_equal(predict(book, x, group), count / rowSums(count))
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

test_that("frames, options and groups are checked", {
  x <- clouds()
  book <- book_once()
  new <- x[1:6, ]
  expect_refused(
    codebook(size = 2), codebook(iris, 2), codebook(replace(x, 67, NA), 2), codebook(x), codebook(x, 61),
    codebook(x[rep(1:4, 5), ], 5), codebook(x, 2, scale = NA), codebook(x, 2, max_iterations = 0),
    predict(book), predict(book, replace(new, 3, Inf), 1:6), predict(book, new), predict(book, new, 1:5),
    predict(book, new, as.list(1:6)), predict(book, new, c(1, 2, NA, 1, 2, NA)),
    predict(book, new, addNA(factor(c(1, 2, 1, 1, NA, 2)))),
    predict(book, new, factor(rep("b", 6), levels = c("a", "b", "c"))),
    predict(book, new, 1:6, type = "histogram"), predict(book, new, 1:6, "count", 3)
  )
})
