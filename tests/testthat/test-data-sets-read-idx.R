# Expected values are written down byte by byte from the format's definition.

skip_slow_file()

size4 <- function(n) as.raw((n %/% 256^(3:0)) %% 256)

idx_raw <- function(type, dim, body = raw(0)) {
  c(as.raw(c(0, 0, type, length(dim))), unlist(lapply(dim, size4)), body)
}

# A file of a fixed name, because messages show it, in a folder of its own.
idx_file <- function(bytes, name = "toy.idx", open = base::file, env = parent.frame()) {
  folder <- tempfile("idx")
  dir.create(folder)
  do.call(on.exit, list(bquote(unlink(.(folder), recursive = TRUE)), add = TRUE), envir = env)
  path <- file.path(folder, name)
  con <- open(path, "wb")
  on.exit(close(con))
  writeBin(bytes, con)
  path
}

test_that("one dimension is a vector, two are a matrix, more are flattened in the order of the file", {
  read <- function(dim, bytes) read_idx(idx_file(idx_raw(0x08, dim, as.raw(bytes))))
  expect_identical(read(4, c(0, 7, 128, 255)), c(0L, 7L, 128L, 255L))
  expect_identical(read(c(2, 3), 1:6), rbind(1:3, 4:6))
  expect_identical(read(c(1, 3), 1:3), rbind(1:3))
  expect_identical(read(c(3, 1), 1:3), cbind(1:3))
  expect_identical(read(c(2, 2, 3), 1:12), structure(rbind(1:6, 7:12), dim_item = 2:3))
  expect_identical(read(c(2, 2, 1, 3), 1:12), structure(rbind(1:6, 7:12), dim_item = c(2L, 1L, 3L)))
})

test_that("every type is read, most significant byte first", {
  bytes <- function(...) as.raw(c(...))
  expect_identical(read_idx(idx_file(idx_raw(0x09, 3, bytes(0x7F, 0x80, 0xFF)))), c(127L, -128L, -1L))
  short <- read_idx(idx_file(idx_raw(0x0B, 3, bytes(1, 2, 0x80, 0, 0xFF, 0xFE))))
  expect_identical(short, c(258L, -32768L, -2L))
  ff <- rep(0xFF, 3)
  int <- read_idx(idx_file(idx_raw(0x0C, 3, bytes(0, 1, 2, 3, 0xFF, ff, 0x7F, ff))))
  expect_identical(int, c(66051L, -1L, .Machine$integer.max))
  # IEEE 754: 1.5 is 0x3FC00000, -2 is 0xC0000000; as doubles 0x3FF8..., 0xC000...
  float <- read_idx(idx_file(idx_raw(0x0D, c(1, 2), bytes(0x3F, 0xC0, 0, 0, 0xC0, 0, 0, 0))))
  expect_identical(float, rbind(c(1.5, -2)))
  zeros <- rep(0, 6)
  double <- read_idx(idx_file(idx_raw(0x0E, c(2, 1), bytes(0x3F, 0xF8, zeros, 0xC0, 0x00, zeros))))
  expect_identical(double, cbind(c(1.5, -2)))
})

test_that("compressed files are told by their content, not their name", {
  bytes <- idx_raw(0x08, c(2, 2, 3), as.raw(1:12))
  plain <- read_idx(idx_file(bytes, "plain.gz"))
  expect_identical(read_idx(idx_file(bytes, "packed.idx", open = gzfile)), plain)
})

test_that("files of several chunks are read whole", {
  n <- 2^23 + 5
  body <- as.raw(seq_len(n) %% 251)
  x <- read_idx(idx_file(idx_raw(0x08, n, body), open = gzfile))
  expect_identical(x, as.integer(body))
})

test_that("no connection is left open, whether it works or not", {
  before <- nrow(showConnections())
  read_idx(idx_file(idx_raw(0x08, 1, as.raw(1))))
  expect_error(read_idx(idx_file(idx_raw(0x08, 2, as.raw(1)))), class = "landmarker_error_idx")
  expect_identical(nrow(showConnections()), before)
})

test_that("`file` must be the path of a file that is there", {
  expect_refused(
    read_idx(1),
    read_idx(c("a", "b")),
    read_idx(NA_character_),
    read_idx(""),
    read_idx("no-such-file.idx"),
    read_idx("https://example.org/train-images-idx3-ubyte.gz")
  )
  expect_error(read_idx(withr::local_tempdir()), class = "landmarker_error_idx")
})

# Each file breaks one rule of the format.
broken <- list(
  "an empty file" = raw(0),
  "fewer bytes than the magic number" = as.raw(c(0, 0, 8)),
  "first bytes not zero" = c(as.raw(c(0, 1)), idx_raw(0x08, 1, as.raw(1))[-(1:2)]),
  "text" = charToRaw("5,0,0,0\n"),
  "an unknown type" = idx_raw(0x0A, 1, as.raw(1)),
  "no dimensions" = as.raw(c(0, 0, 8, 0)),
  "a cut header" = idx_raw(0x08, c(2, 2, 3))[1:9],
  "no observations" = idx_raw(0x08, c(0, 28, 28)),
  "empty observations" = idx_raw(0x08, c(2, 0)),
  "too many values" = idx_raw(0x08, c(65536, 32768), as.raw(1:9)),
  "a size above 2^31" = idx_raw(0x08, 4294967295, as.raw(1:9)),
  "a cut body" = idx_raw(0x08, c(2, 2, 3), as.raw(1:11)),
  "no body" = idx_raw(0x08, 3),
  "a value cut in the middle" = idx_raw(0x0C, 2, as.raw(1:7)),
  "one byte too many" = idx_raw(0x08, c(2, 2, 3), as.raw(1:13)),
  "an integer that R does not have" = idx_raw(0x0C, 2, as.raw(c(0, 0, 0, 1, 0x80, 0, 0, 0)))
)

test_that("an error says what is wrong", {
  said <- vapply(names(broken), function(case) refusal(read_idx(idx_file(broken[[case]]))), "")
  expect_snapshot(writeLines(paste0(names(broken), ": ", gsub("\n", " ", said))))
})

test_that("damaged compressed data are an error, not other values", {
  good <- idx_raw(0x08, c(100, 10), as.raw((seq_len(1000) * 7) %% 256))
  packed <- readBin(idx_file(good, open = gzfile), "raw", 1e5)
  # The checksum is in the last eight bytes but the last four: all values arrive.
  checksum <- packed
  at <- length(packed) - 5
  checksum[at] <- xor(checksum[at], as.raw(0xFF))
  for (bytes in list(checksum, packed[1:5], packed[seq_len(length(packed) / 2)])) {
    expect_error(read_idx(idx_file(bytes, "packed.gz")), class = "landmarker_error_idx")
  }
})

test_that("a header that lies costs no memory", {
  # Says 16 GB of doubles, holds 9 bytes.
  path <- idx_file(idx_raw(0x0E, 2147483647, as.raw(1:9)))
  gc(reset = TRUE)
  before <- sum(gc()[, 2])
  expect_error(read_idx(path), class = "landmarker_error_idx")
  peak <- sum(gc()[, 6])
  expect_lt(peak - before, 50)
})

test_that("MNIST is what it is known to be", {
  files <- shared_data("mnist", c("train-images-idx3-ubyte.gz", "train-labels-idx1-ubyte.gz"))
  skip_without_shared(files)
  labels <- read_idx(files[2])
  expect_identical(labels[1:10], c(5L, 0L, 4L, 1L, 9L, 2L, 1L, 3L, 1L, 4L))
  # The counts of the database's description.
  counts <- c(5923L, 6742L, 5958L, 6131L, 5842L, 5421L, 5918L, 6265L, 5851L, 5949L)
  expect_identical(tabulate(labels + 1L, 10), counts)

  x <- read_idx(files[1])
  expect_identical(dim(x), c(60000L, 784L))
  expect_identical(attr(x, "dim_item"), c(28L, 28L))
  expect_identical(range(x), c(0L, 255L))
  # The first 100 images straight from the file.
  con <- gzfile(files[1], "rb")
  on.exit(close(con))
  bytes <- as.integer(readBin(con, "raw", 16 + 100 * 784))[-(1:16)]
  expect_identical(as.vector(t(x[1:100, ])), bytes)
})

test_that("a pipe is no idx file", {
  skip_on_os("windows")
  path <- withr::local_tempfile()
  skip_if(system2("mkfifo", path) != 0)
  expect_error(read_idx(path), class = "landmarker_error_idx")
})
