# The data of the package, and read_idx(), whose expected values are written down byte by byte from the
# format's definition.

skip_slow_file()

test_that("digits and newsgroups are the data that have been compared with their sources", {
  expect_identical(rlang::hash(digits), "d4fe304502ca7a64d401d2350c63ef2e")
  expect_identical(rlang::hash(newsgroups), "d3992641adbd3074ff22c7d24117bf61")
})

test_that("digits are images of MNIST's training set, with their labels", {
  skip_unless_full()
  files <- shared_data("mnist", c("train-images-idx3-ubyte.gz", "train-labels-idx1-ubyte.gz"))
  skip_without_shared(files)
  images <- read_idx(files[1])
  labels <- read_idx(files[2])
  # The counts of the database's description.
  counts <- c(5923L, 6742L, 5958L, 6131L, 5842L, 5421L, 5918L, 6265L, 5851L, 5949L)
  expect_identical(tabulate(labels + 1L, 10), counts)
  # Sums with whole weights are exact, and tell the images apart.
  weight <- (seq_len(784) * 48271 + seq_len(784)^2 * 69621) %% 1048573
  blocks <- split(seq_len(nrow(images)), (seq_len(nrow(images)) - 1) %/% 10000)
  key <- unlist(lapply(blocks, function(rows) images[rows, ] %*% weight))
  at <- match(digits$images %*% weight, key)
  expect_false(anyNA(at) || anyDuplicated(at))
  expect_identical(unname(images[at, ]), unname(digits$images))
  expect_identical(labels[at], as.integer(as.character(digits$labels)))
})

test_that("newsgroups are the counts of 20 Newsgroups", {
  skip_unless_full()
  files <- shared_data("20news", c("20news.mtx.gz", "docs.tsv", "vocab.txt"))
  skip_without_shared(files)
  posts <- utils::read.delim(files[2], quote = "")
  row <- match(rownames(newsgroups), paste0(posts$group, "/", posts$id))
  column <- match(colnames(newsgroups), readLines(files[3]))
  expect_false(anyNA(row) || anyNA(column) || is.unsorted(row, strictly = TRUE))
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
  sorted <- function(m) m[order(m[, 2], m[, 1]), ]
  expect_equal(sorted(from_file), sorted(cbind(ours@i + 1, ours@j + 1, ours@x)), ignore_attr = TRUE)
})

# ---- read_idx() ------------------------------------------------------------------------------

read_bytes <- function(...) read_idx(idx_file(idx_raw(...)))

test_that("one dimension is a vector, two are a matrix, more are flattened in the order of the file", {
  expect_identical(read_bytes(0x08, 4, c(0, 7, 128, 255)), c(0L, 7L, 128L, 255L))
  expect_identical(read_bytes(0x08, c(2, 3), 1:6), rbind(1:3, 4:6))
  expect_identical(read_bytes(0x08, c(1, 3), 1:3), rbind(1:3))
  four <- structure(rbind(1:6, 7:12), dim_item = c(2L, 1L, 3L))
  expect_identical(read_bytes(0x08, c(2, 2, 1, 3), 1:12), four)
})

test_that("every type is read, most significant byte first", {
  expect_identical(read_bytes(0x09, 3, c(0x7F, 0x80, 0xFF)), c(127L, -128L, -1L))
  expect_identical(read_bytes(0x0B, 3, c(1, 2, 0x80, 0, 0xFF, 0xFE)), c(258L, -32768L, -2L))
  ff <- rep(0xFF, 3)
  whole <- c(66051L, -1L, .Machine$integer.max)
  expect_identical(read_bytes(0x0C, 3, c(0, 1, 2, 3, 0xFF, ff, 0x7F, ff)), whole)
  # IEEE 754: 1.5 is 0x3FC00000, -2 is 0xC0000000; as doubles 0x3FF8..., 0xC000...
  expect_identical(read_bytes(0x0D, c(1, 2), c(0x3F, 0xC0, 0, 0, 0xC0, 0, 0, 0)), rbind(c(1.5, -2)))
  zeros <- rep(0, 6)
  expect_identical(read_bytes(0x0E, c(2, 1), c(0x3F, 0xF8, zeros, 0xC0, 0x00, zeros)), cbind(c(1.5, -2)))
})

test_that("files are told by their content, not their name, and read whole", {
  bytes <- idx_raw(0x08, c(2, 2, 3), 1:12)
  expect_identical(read_idx(idx_file(bytes, "a.idx", open = gzfile)), read_idx(idx_file(bytes, "b.gz")))
  body <- as.raw(seq_len(2^20 + 5) %% 251)
  expect_identical(read_idx(idx_file(idx_raw(0x08, length(body), body), open = gzfile)), as.integer(body))
})

test_that("`file` must be the path of a file that is there", {
  expect_refused(
    read_idx(1), read_idx(c("a", "b")), read_idx(NA_character_), read_idx(""), read_idx("no-such-file.idx"),
    read_idx("https://example.org/train-images-idx3-ubyte.gz")
  )
  expect_error(read_idx(withr::local_tempdir()), class = "landmarker_error_idx")
})

# Each file breaks one rule of the format.
broken <- list(
  "an empty file" = raw(0),
  "fewer bytes than the magic number" = as.raw(c(0, 0, 8)),
  "first bytes not zero" = c(as.raw(c(0, 1)), idx_raw(0x08, 1, 1)[-(1:2)]),
  "text" = charToRaw("5,0,0,0\n"),
  "an unknown type" = idx_raw(0x0A, 1, 1),
  "no dimensions" = as.raw(c(0, 0, 8, 0)),
  "a cut header" = idx_raw(0x08, c(2, 2, 3))[1:9],
  "no observations" = idx_raw(0x08, c(0, 28, 28)),
  "empty observations" = idx_raw(0x08, c(2, 0)),
  "too many values" = idx_raw(0x08, c(65536, 32768), 1:9),
  "a size above 2^31" = idx_raw(0x08, 4294967295, 1:9),
  "a cut body" = idx_raw(0x08, c(2, 2, 3), 1:11),
  "no body" = idx_raw(0x08, 3),
  "a value cut in the middle" = idx_raw(0x0C, 2, 1:7),
  "one byte too many" = idx_raw(0x08, c(2, 2, 3), 1:13),
  "an integer that R does not have" = idx_raw(0x0C, 2, c(0, 0, 0, 1, 0x80, 0, 0, 0))
)

test_that("an error says what is wrong, and leaves no connection open", {
  before <- nrow(showConnections())
  said <- vapply(names(broken), function(case) refusal(read_idx(idx_file(broken[[case]]))), "")
  expect_snapshot(writeLines(paste0(names(broken), ": ", gsub("\n", " ", said))))
  expect_identical(nrow(showConnections()), before)
})

test_that("damaged compressed data are an error, not other values", {
  good <- idx_raw(0x08, c(100, 10), (seq_len(1000) * 7) %% 256)
  packed <- readBin(idx_file(good, open = gzfile), "raw", 1e5)
  # The checksum is in the last eight bytes but the last four: all values arrive.
  checksum <- packed
  at <- length(packed) - 5
  checksum[at] <- xor(checksum[at], as.raw(0xFF))
  for (bytes in list(checksum, packed[1:5], packed[seq_len(length(packed) / 2)])) {
    expect_error(read_idx(idx_file(bytes, "packed.gz")), class = "landmarker_error_idx")
  }
})

test_that("a pipe is no idx file", {
  skip_on_os("windows")
  path <- withr::local_tempfile()
  skip_if(system2("mkfifo", path) != 0)
  expect_error(read_idx(path), class = "landmarker_error_idx")
})
