test_that("digits has the shape that its page tells", {
  expect_identical(names(digits), c("images", "labels"))
  expect_true(is.integer(digits$images))
  expect_identical(dim(digits$images), c(3000L, 784L))
  expect_identical(range(digits$images), c(0L, 255L))
  expect_null(rownames(digits$images))
  some <- c("r01c01", "r01c02", "r01c28", "r02c01", "r28c28")
  expect_identical(colnames(digits$images)[c(1, 2, 28, 29, 784)], some)
  expect_identical(levels(digits$labels), as.character(0:9))
  expect_identical(as.vector(table(digits$labels)), rep(300L, 10))
})

test_that("digits are in random order", {
  # Sorted labels would have 9 changes, 3,000 labels at random about 2,700.
  changes <- sum(diff(as.integer(digits$labels)) != 0)
  expect_gt(changes, 2500)
  expect_lt(changes, 2900)
})

test_that("no digit comes twice", {
  expect_false(anyDuplicated(digits$images) > 0)
})

test_that("images are the right way up", {
  # A seven has more ink in its top half than in its bottom half.
  sevens <- matrix(colMeans(digits$images[digits$labels == "7", ]), 28, 28, byrow = TRUE)
  expect_gt(sum(sevens[1:14, ]), sum(sevens[15:28, ]))
  ones <- matrix(colMeans(digits$images[digits$labels == "1", ]), 28, 28, byrow = TRUE)
  # A one is tall: its ink spreads over more rows than columns.
  expect_gt(sum(rowSums(ones) > max(rowSums(ones)) / 2), sum(colSums(ones) > max(colSums(ones)) / 2))
  # It leans to the right: ink of the upper rows lies right of that of the lower.
  center <- function(rows) sum(col(ones)[rows, ] * ones[rows, ]) / sum(ones[rows, ])
  expect_gt(center(6:13), center(16:23))
})

test_that("digits are images of MNIST's training set, with their labels", {
  files <- shared_data("mnist", c("train-images-idx3-ubyte.gz", "train-labels-idx1-ubyte.gz"))
  skip_without_shared(files)
  images <- read_idx(files[1])
  labels <- read_idx(files[2])
  # Sums with whole weights are exact, and tell the images apart.
  weight <- (seq_len(784) * 48271 + seq_len(784)^2 * 69621) %% 1048573
  blocks <- split(seq_len(nrow(images)), (seq_len(nrow(images)) - 1) %/% 10000)
  key <- unlist(lapply(blocks, function(rows) images[rows, ] %*% weight))
  at <- match(digits$images %*% weight, key)
  expect_false(anyNA(at))
  expect_identical(anyDuplicated(at), 0L)
  expect_identical(unname(images[at, ]), unname(digits$images))
  expect_identical(labels[at], as.integer(as.character(digits$labels)))
})
