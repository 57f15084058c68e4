# What is read in chunks without a reader: HDF5 by DelayedArray, big.matrix, and CSV files.

skip_slow_file()

roll <- function(n = 3000) withr::with_seed(1, unname(unclass(sim_swiss_roll(n))))
all_rows <- function(chunks) do.call(rbind, map_chunks(chunks, function(rows, k) rows))

test_that("blocks follow the chunks of the file and the limit of memory", {
  h <- in_hdf5(roll(), chunkdim = c(300L, 3L))
  rows <- function(limit) {
    small_blocks(limit)
    as_chunks(h)$rows
  }
  expect_identical(rows(1e8), 3000L)
  expect_identical(rows(24 * 700), rep(600L, 5))
  # A chunk of up to twice the limit is read as a whole, a larger one in equal shares.
  expect_identical(rows(24 * 200), rep(300L, 10))
  expect_identical(rows(24 * 100), rep(100L, 30))
  expect_identical(unique(rows(24 * 7)), c(7L, 4L))
})

test_that("HDF5 gives the results of the data in memory, in every function", {
  x <- roll()
  h <- in_hdf5(x, chunkdim = c(300L, 3L))
  small_blocks()
  fit <- withr::with_seed(2, landmarks(h, 20))
  # Random batches are in single precision, whose rounding turns with the last bits of the means.
  expect_equal(coef(fit), coef(withr::with_seed(2, landmarks(x, 20))), tolerance = 1e-5)
  map <- suppressWarnings(embed_landmarks(fit, h))
  uses <- list(
    function(x) predict(fit, x), function(x) predict(fit, x, "variance", x = x),
    function(x) reconstruction_error(fit, x), function(x) nearest_observations(fit, x),
    function(x) predict(map, x)
  )
  for (use in uses) expect_equal(use(h), use(x), tolerance = 1e-8)
  # Missing values are found while the file is read.
  expect_error(predict(fit, in_hdf5(replace(x, 5, NA))), "row 5", class = "landmarker_error_missing")
  empty <- DelayedArray::DelayedArray(matrix(0, 0, 2))
  expect_refused(landmarks(DelayedArray::DelayedArray(matrix("a", 3, 2)), 1), landmarks(empty, 1))
})

test_that("sparse HDF5 with observations in columns stays sparse", {
  counts <- withr::with_seed(1, matrix(stats::rpois(900 * 40, 0.3), 40))
  cells <- methods::as(counts, "CsparseMatrix")
  dimnames(cells) <- list(paste0("g", 1:40), paste0("c", 1:900))
  small_blocks()
  whole <- withr::with_seed(2, landmarks(Matrix::t(cells), 10))
  x <- t(in_hdf5(cells, as.sparse = TRUE, with.dimnames = TRUE, chunkdim = c(40L, 90L)))
  fit <- withr::with_seed(2, landmarks(x, 10))
  expect_true(fit$sparse)
  expect_equal(coef(fit), coef(whole), tolerance = 1e-7)
  expect_equal(predict(fit, x), predict(fit, Matrix::t(cells)), tolerance = 1e-12, ignore_attr = TRUE)
})

test_that("a big.matrix is read in chunks, also by another process, and not once its memory is gone", {
  skip_if_not_installed("bigmemory")
  x <- matrix(roll(60), 60, dimnames = list(NULL, c("a", "b", "c")))
  folder <- withr::local_tempdir()
  big <- bigmemory::as.big.matrix(x, backingpath = folder, backingfile = "x.bin", descriptorfile = "x.desc")
  chunks <- as_chunks(big, sample = 40)
  expect_identical(c(chunks$rows, chunks$sample), c(60L, 40L))
  # As a process gets it that is sent the reader.
  for (given in list(chunks, unserialize(serialize(chunks, NULL)))) expect_identical(all_rows(given), x)
  fit <- landmarks(x, 3)
  expect_equal(predict(landmarks(big, 3), big), predict(fit, x), tolerance = 1e-7)
  gone <- unserialize(serialize(big, NULL))
  for (use in list(as_chunks, function(x) landmarks(x, 3), function(x) predict(fit, x))) {
    expect_error(use(gone), "invalidates its pointer", class = "landmarker_error_data")
  }
})

test_that("ranges of bytes of CSV files have the rows of the files, each once", {
  data <- withr::with_seed(1, data.frame(
    a = stats::rnorm(500), text = sample(c("u, v", "w"), 500, TRUE), yes = rep(c(TRUE, FALSE), 250),
    late = rep(c(NA, 1.5), c(400, 100)), check.names = FALSE
  ))
  withr::local_dir(withr::local_tempdir())
  files <- c("1.csv", "2.csv")
  for (file in files) utils::write.csv(data, file, row.names = FALSE)
  for (bytes in c(1003.5, 1777, 1e6)) {
    found <- all_rows(as_chunks(files, bytes = bytes, levels = list(text = c("w", "u, v"))))
    expect_identical(levels(found$text), c("w", "u, v"))
    expect_equal(transform(found, text = as.character(text)), rbind(data, data), tolerance = 1e-12)
  }
  fit <- withr::with_seed(2, landmarks(~ a + yes, as_chunks("1.csv", bytes = 3000), 5))
  expect_equal(coef(fit), coef(withr::with_seed(2, landmarks(~ a + yes, data, 5))), tolerance = 1e-7)
  # Without a line break at the end, and with those of Windows.
  text <- readChar("1.csv", file.size("1.csv"), useBytes = TRUE)
  for (other in list(sub("\n$", "", text), gsub("\n", "\r\n", text))) {
    writeBin(charToRaw(other), "2.csv")
    expect_equal(all_rows(as_chunks("2.csv", bytes = 2000)), data, tolerance = 1e-12)
  }
})

test_that("CSV files may differ in the order of columns, in quotes and in separators", {
  withr::local_dir(withr::local_tempdir())
  species <- list(Species = levels(iris$Species))
  utils::write.csv(iris, "a.csv", row.names = FALSE)
  utils::write.csv(iris[5:1], "b.csv", row.names = FALSE)
  expect_equal(all_rows(as_chunks(c("a.csv", "b.csv"), bytes = 1000, levels = species)), rbind(iris, iris))
  utils::write.csv2(iris, "c.csv", row.names = FALSE)
  expect_equal(all_rows(as_chunks("c.csv", bytes = 1000, levels = species, sep = ";", dec = ",")), iris)
  writeLines(c('"a","l"', '"1.5","TRUE"', '"2.5","FALSE"'), "q.csv")
  expect_equal(all_rows(as_chunks("q.csv")), data.frame(a = c(1.5, 2.5), l = c(TRUE, FALSE)))
  utils::write.csv(iris[1:4], "named.csv")
  expect_equal(all_rows(as_chunks("named.csv", bytes = 1000)), utils::read.csv("named.csv"))
  # Declared levels are strings as they stand.
  writeLines(c("t,b", "T,1", "01,2"), "t.csv")
  declared <- all_rows(as_chunks("t.csv", levels = list(t = c("T", "01"))))
  expect_identical(as.character(declared$t), c("T", "01"))
})

test_that("files that are no CSV files, differ, or are gone, are refused", {
  withr::local_dir(withr::local_tempdir())
  refused <- function(code, said = NULL) expect_error(code, said, class = "landmarker_error_chunks")
  utils::write.csv(iris, "a.csv", row.names = FALSE)
  utils::write.csv(iris[1:4], "less.csv", row.names = FALSE)
  refused(as_chunks(c("a.csv", "less.csv")), "has no column `Species`")
  refused(as_chunks(c("less.csv", "a.csv")), "has a column `Species` that the first file lacks")
  file.create("empty.csv")
  saveRDS(iris, "x.rds")
  writeBin(charToRaw("a,b\r1,2\r3,4\r"), "cr.csv")
  writeLines(c("a", "1,2,3", "4"), "uneven.csv")
  writeLines(c("", "a,b", "1,2"), "blank.csv")
  writeLines(c("\"a", "b\",c", "1,2"), "break.csv")
  # Without snapshots, as the errors have the paths.
  for (file in setdiff(list.files(), c("a.csv", "less.csv"))) refused(as_chunks(file), file)
  for (other in list(list(separator = ";"), list(header = FALSE), list(colClasses = "numeric"))) {
    expect_error(do.call(as_chunks, c("a.csv", other)), names(other), class = "landmarker_error_dots")
  }
  refused(as_chunks("a.csv", sep = NULL))
  chunks <- as_chunks("a.csv", levels = list(Species = levels(iris$Species)))
  unlink("a.csv")
  refused(suppressWarnings(landmarks(chunks, 3)))
  # A row with more or fewer fields than the header, beyond the first 1,000 rows, which give the types.
  lines <- rep(paste(1:400, 1:400, sep = ","), 4)
  for (line in c("7,8,9", "7")) for (bytes in c(1000, 5e7)) {
    writeLines(c("a,b", lines, line, lines), "row.csv")
    refused(landmarks(as_chunks("row.csv", bytes = bytes), 3))
  }
})

test_that("what is no data in chunks is refused, with the way to chunks", {
  withr::local_dir(withr::local_tempdir())
  dir.create("folder")
  writeLines(c("a,b", "1,2"), "x.csv")
  expect_refused(
    as_chunks(), as_chunks(iris), as_chunks("none.csv"), as_chunks("folder"), as_chunks(character()),
    as_chunks("x.csv", bytes = 10), as_chunks("x.csv", levels = "a"), landmarks("x.csv", 3)
  )
})

test_that("columns of numbers are doubles in all chunks, and names of columns must differ", {
  file <- withr::local_tempfile(fileext = ".csv")
  writeLines(c("v,w", rep("NA,2000000", 300), rep("3,2000000", 300)), file)
  types <- map_chunks(as_chunks(file, bytes = 1000), function(rows, k) list(vapply(rows, typeof, "")), c)
  expect_gt(length(types), 2)
  expect_identical(unique(types), list(c(v = "double", w = "double")))
  writeLines(c("a,a", "1,2"), file)
  expect_error(as_chunks(file), "two columns named `a`", class = "landmarker_error_chunks")
})
