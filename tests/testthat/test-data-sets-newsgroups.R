groups <- function() sub("/.*", "", rownames(newsgroups))

test_that("newsgroups has the shape that its page tells", {
  expect_s4_class(newsgroups, "dgCMatrix")
  expect_true(methods::validObject(newsgroups))
  expect_identical(dim(newsgroups), c(5652L, 1545L))
  expect_identical(length(newsgroups@x), 262556L)
  expect_identical(range(newsgroups@x), c(1, 777))
  expect_true(all(newsgroups@x == trunc(newsgroups@x)))
  expect_true(all(Matrix::rowSums(newsgroups) > 0))
})

test_that("names of rows and columns tell what they are", {
  expect_identical(anyDuplicated(rownames(newsgroups)), 0L)
  expect_identical(anyDuplicated(colnames(newsgroups)), 0L)
  expect_match(rownames(newsgroups), "^[a-z0-9.-]+/[0-9]+$")
  expect_match(colnames(newsgroups), "^[a-z]{3,20}$")
  expect_length(unique(groups()), 20)
  # The groups by alphabet.
  expect_identical(rle(groups())$values, sort(unique(groups()), method = "radix"))
})

test_that("words are chosen by the rule, most frequent first", {
  # The rule is about all posts, of which these are three tenths.
  expect_lt(stats::cor(Matrix::colSums(newsgroups), 1:1545, method = "spearman"), -0.95)
  in_posts <- Matrix::colSums(newsgroups > 0)
  expect_gte(min(in_posts), 14)
  expect_lte(max(in_posts), 18846 / 3)
  expect_false(any(c("the", "about", "writes", "article", "giz") %in% colnames(newsgroups)))
})

test_that("groups speak of what they are named after", {
  # The share of a word's counts that is in groups whose name has `part`.
  share <- function(word, part) {
    counts <- newsgroups[, word]
    sum(counts[grepl(part, groups())]) / sum(counts)
  }
  expect_gt(share("hockey", "hockey"), 0.9)
  expect_gt(share("bike", "motorcycles"), 0.9)
  expect_gt(share("encryption", "crypt"), 0.8)
  expect_gt(share("israel", "mideast"), 0.8)
  expect_gt(share("jesus", "religion|atheism"), 0.9)
})

test_that("a session with nothing but landmarker attached can use it", {
  skip_on_cran()
  code <- "library(landmarker); x <- newsgroups[1:3, 1:5]; cat(class(x), dim(x), sum(x))"
  out <- system2(file.path(R.home("bin"), "Rscript"), c("-e", shQuote(code)), stdout = TRUE)
  first <- as.matrix(newsgroups[1:3, ])[, 1:5]
  expect_identical(out, paste("dgCMatrix 3 5", sum(first)))
})

test_that("newsgroups are the counts of 20 Newsgroups", {
  files <- shared_data("20news", c("20news.mtx.gz", "docs.tsv", "vocab.txt"))
  skip_without_shared(files)
  posts <- utils::read.delim(files[2], quote = "")
  words <- readLines(files[3])
  row <- match(rownames(newsgroups), paste0(posts$group, "/", posts$id))
  column <- match(colnames(newsgroups), words)
  expect_false(anyNA(row) || anyNA(column))
  expect_false(is.unsorted(row, strictly = TRUE))
  expect_identical(unique(posts$split[row]), "train")
  # Every second one, but for those without words.
  expect_gt(mean(diff(row) == 2), 0.99)
  # The file by hand: two lines of header, the sizes, then row, column and count.
  file <- gzfile(files[1], "r")
  withr::defer(close(file))
  entry <- scan(file, list(0L, 0L, 0L), skip = 3, quiet = TRUE)
  kept <- entry[[2]] %in% column & entry[[1]] %in% row
  from_file <- cbind(match(entry[[1]][kept], row), match(entry[[2]][kept], column), entry[[3]][kept])
  ours <- methods::as(newsgroups, "TsparseMatrix")
  from_here <- cbind(ours@i + 1, ours@j + 1, ours@x)
  sorted <- function(m) m[order(m[, 2], m[, 1]), ]
  expect_equal(sorted(from_file), sorted(from_here), ignore_attr = TRUE)
})
