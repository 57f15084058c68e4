# Values that are written block by block, to a file or by a function.

skip_slow_file()

roll <- function(n = 3000) withr::with_seed(1, unname(unclass(sim_swiss_roll(n))))

test_that("values are written to a sink, block by block", {
  x <- roll()
  h <- in_hdf5(x, chunkdim = c(300L, 3L))
  small_blocks()
  fit <- landmarks(x, 20)
  map <- suppressWarnings(embed_landmarks(fit))
  file <- withr::local_tempfile(fileext = ".h5")
  written <- predict(fit, h, sink = file)
  expect_s4_class(written, "HDF5Matrix")
  expect_equal(as.matrix(written), predict(fit, x), tolerance = 1e-12)
  seen <- predict(map, h, sink = function(values, rows) list(values, rows))
  expect_equal(do.call(rbind, lapply(seen, `[[`, 1)), predict(map, x), tolerance = 1e-12)
  expect_identical(unlist(lapply(seen, `[[`, 2)), 1:3000)
  sink <- HDF5Array::HDF5RealizationSink(
    c(3000L, 2L), filepath = withr::local_tempfile(fileext = ".h5"), name = "e"
  )
  expect_equal(unname(as.matrix(predict(map, h, sink = sink))), unname(predict(map, x)), tolerance = 1e-12)
  near <- predict(fit, x, "nearest", sink = withr::local_tempfile(fileext = ".h5"))
  expect_equal(as.matrix(near), as.matrix(predict(fit, x, "nearest")), ignore_attr = TRUE)
  expect_snapshot(error = TRUE, transform = function(lines) gsub("/.*[.]h5", "FILE", lines), {
    predict(fit, h, sink = 3)
    predict(fit, h, sink = HDF5Array::HDF5RealizationSink(c(3000L, 2L)))
  })
  expect_error(predict(fit, h, sink = file), "exists", class = "landmarker_error_input")
})

test_that("values that do not fit into memory need a sink", {
  x <- roll()
  h <- in_hdf5(x)
  fit <- landmarks(x, 20)
  withr::local_options(landmarker.memory = 9.5e5)
  expect_snapshot(predict(fit, h), error = TRUE)
  expect_identical(dim(predict(fit, h, "nearest")), c(3000L, 2L))
  expect_identical(dim(predict(fit, x)), c(3000L, 20L))
})

test_that("without HDF5Array a path as a sink is an error that names the package, in plain words", {
  skip_if(requireNamespace("HDF5Array", quietly = TRUE), "HDF5Array is installed")
  path <- withr::local_tempfile(fileext = ".h5")
  x <- roll(60)
  error <- expect_error(predict(landmarks(x, 3), x, sink = path), class = "landmarker_error_package")
  expect_match(conditionMessage(error), "^A `sink` that is a path needs the package HDF5Array")
  expect_false(file.exists(path))
})

test_that("a sink of another type, or a failure in the middle, leaves nothing behind", {
  x <- roll()
  h <- in_hdf5(replace(x, 2500, NA), chunkdim = c(300L, 3L))
  small_blocks()
  fit <- quiet(landmarks(x, 4))
  file <- file.path(withr::local_tempdir(), "a.h5")
  expect_error(predict(fit, h, sink = file), "row 2500", class = "landmarker_error_missing")
  expect_false(file.exists(file))
  for (type in c("integer", "character")) {
    sink <- HDF5Array::HDF5RealizationSink(c(3000L, 4L), type = type)
    expect_error(predict(fit, x, sink = sink), "type double", class = "landmarker_error_input")
  }
})

# Data in ten parts, whose reader counts.
in_ten_parts <- function(x) {
  reads <- 0
  list(
    data = data_parts(dim(x), function(i) {
      reads <<- reads + 1
      x[(i - 1) * (nrow(x) / 10) + seq_len(nrow(x) / 10), ]
    }, 10),
    reads = function() reads
  )
}

# A realization sink of a user that keeps the rows up to `kept` only, as HDF5 does on a full disk, and rounds
# to single precision.
losing_sink <- function(dim, kept) {
  where <- environment()
  methods::setClass("LosingSink", methods::representation(dim = "integer", at = "environment"),
    contains = methods::getClass("RealizationSink", where = asNamespace("DelayedArray")), where = where
  )
  generic <- function(name) methods::getGeneric(name, where = asNamespace("DelayedArray"))
  methods::setMethod("dim", "LosingSink", function(x) x@dim, where = where)
  methods::setMethod(generic("type"), "LosingSink", function(x) "double", where = where)
  methods::setMethod(generic("write_block"), "LosingSink", function(sink, viewport, block) {
    rows <- DelayedArray::start(viewport)[1]:DelayedArray::end(viewport)[1]
    if (max(rows) <= kept) sink@at$values[rows, ] <- signif(block, 8)
    sink
  }, where = where)
  methods::setAs("LosingSink", "DelayedArray", function(from) DelayedArray::DelayedArray(from@at$values),
    where = where
  )
  at <- list2env(list(values = matrix(0, dim[1], dim[2])), parent = emptyenv())
  methods::new(methods::getClass("LosingSink", where = where), dim = as.integer(dim), at = at)
}

test_that("a sink that loses values in silence is an error that says how many rows it has", {
  skip_if_not_installed("HDF5Array")
  x <- roll(30000)
  fit <- landmarks(x[1:3000, ], 20)
  parts <- in_ten_parts(x)$data
  # Small blocks are written together, from 125,000 values on: three parts at a time.
  for (kept in c(0, 12000, 29999)) {
    error <- expect_error(predict(fit, parts, sink = losing_sink(c(30000, 20), kept)),
      class = "landmarker_error_sink"
    )
    expect_match(conditionMessage(error), sprintf("%d of 30000 rows", kept %/% 9000 * 9000))
    expect_identical(error$call[[1]], quote(predict))
  }
  map <- embed_landmarks(fit)
  expect_error(predict(map, parts, sink = losing_sink(c(30000, 2), 600)), class = "landmarker_error_sink")
  written <- predict(fit, parts, sink = losing_sink(c(30000, 20), 30000))
  expect_equal(as.matrix(written), predict(fit, x), ignore_attr = TRUE, tolerance = 1e-7)
})

test_that("a file has its name only when it is whole, with a mark, and no other file is touched", {
  skip_if_not_installed("HDF5Array")
  x <- roll()
  fit <- quiet(landmarks(x, 4))
  folder <- withr::local_tempdir()
  file <- file.path(folder, "a.h5")
  writeLines("mine", paste0(file, ".part"))
  read <- in_ten_parts(x)
  seen <- list()
  parts <- data_parts(dim(x), function(i) {
    seen[[length(seen) + 1]] <<- list.files(folder)
    x[(i - 1) * 300 + 1:300, ]
  }, 10)
  written <- predict(fit, parts, sink = file)
  expect_identical(unique(lengths(seen)), c(1L, 2L))
  expect_match(setdiff(unlist(seen), "a.h5.part"), "^a[.]h5[.][0-9a-f]+[.]part$")
  expect_identical(list.files(folder), c("a.h5", "a.h5.part"))
  expect_identical(readLines(paste0(file, ".part")), "mine")
  expect_identical(as.integer(suppressWarnings(rhdf5::h5readAttributes(file, "values"))$complete), 1L)
  expect_equal(as.matrix(HDF5Array::HDF5Array(file, "values")), predict(fit, x), ignore_attr = TRUE)
  expect_identical(dimnames(written), list(NULL, paste0("L", 1:4)))
  # An error in the middle
  other <- file.path(folder, "b.h5")
  expect_error(predict(fit, data_parts(dim(x), function(i) if (i < 5) x[1:300, ], 10), sink = other))
  # A name with wildcards, a relative one, and a reader that goes elsewhere.
  withr::local_dir(folder)
  written <- predict(fit, x, sink = "a*.h5")
  expect_s4_class(written, "HDF5Matrix")
  leaves <- data_parts(dim(x), function(i) {
    if (i == 3) setwd(tempdir())
    if (i == 6) stop("no more")
    x[(i - 1) * 300 + 1:300, ]
  }, 10)
  expect_error(predict(fit, leaves, sink = "c.h5"), class = "landmarker_error_parts")
  expect_identical(sort(list.files(folder)), sort(c("a.h5", "a.h5.part", "a*.h5")))
})

test_that("a path that cannot be written is an error before the data are read", {
  skip_if_not_installed("HDF5Array")
  x <- roll(600)
  fit <- quiet(landmarks(x, 4))
  for (folder in c(file.path(tempdir(), "no", "such"), if (dir.exists("/proc/self")) "/proc")) {
    read <- in_ten_parts(x)
    expect_error(predict(fit, read$data, sink = file.path(folder, "a.h5")), class = "landmarker_error_input")
    # data_parts() itself has read one.
    expect_identical(read$reads(), 1)
  }
})

test_that("a limit to the size of files is an error before anything is written, and R ends well", {
  skip_on_os("windows")
  skip_if_not_installed("HDF5Array")
  error <- in_fresh_r(function(folder) {
    x <- unclass(sim_swiss_roll(60000))
    fit <- landmarks(x[1:500, ], 20, by_kmeans())
    parts <- data_parts(dim(x), function(i) x[(i - 1) * 6000 + 1:6000, ], 10)
    error <- tryCatch(predict(fit, parts, sink = file.path(folder, "a.h5")), error = identity)
    list(class = class(error), message = conditionMessage(error), files = list.files(folder))
  }, withr::local_tempdir(), before = c("trap '' XFSZ", "ulimit -f 4000"))
  expect_true("landmarker_error_input" %in% error$class)
  expect_match(error$message, "file that can have 9.6 MB")
  expect_identical(error$files, character())
})

test_that("on a full disk the error says how much is written, and nothing is left", {
  skip_if_not_installed("HDF5Array")
  disk <- small_disk(4)
  x <- unclass(sim_swiss_roll(60000))
  fit <- landmarks(x[1:500, ], 20, by_kmeans())
  parts <- in_ten_parts(x)$data
  file <- file.path(disk, "a.h5")
  error <- expect_error(predict(fit, parts, sink = file), class = "landmarker_error_sink")
  expect_match(conditionMessage(error), "took the values of [1-9][0-9]* of 60000 rows.*The file is deleted")
  expect_identical(list.files(disk), character())
  map <- embed_landmarks(fit)
  expect_identical(dim(predict(map, parts, sink = file)), c(60000L, 2L))
})

test_that("sinks of DelayedArray take the values, or an error says that they cannot", {
  skip_if_not_installed("HDF5Array")
  x <- roll(600)
  fit <- landmarks(x, 10)
  expected <- unname(predict(fit, x))
  in_memory <- DelayedArray::AutoRealizationSink(c(600L, 10L))
  expect_identical(as.matrix(predict(fit, x, sink = in_memory)), expected)
  columns <- HDF5Array::TENxRealizationSink(c(600L, 10L),
    filepath = withr::local_tempfile(fileext = ".h5"), group = "g"
  )
  expect_error(suppressWarnings(predict(fit, x, sink = columns)), "whole columns",
    class = "landmarker_error_sink"
  )
})

test_that("what a function returns for a block is kept in its place, NULL too", {
  x <- roll(1000)
  fit <- landmarks(x, 5)
  found <- predict(fit, in_ten_parts(x)$data, sink = function(values, rows) if (rows[1] > 101) rows[1])
  expect_identical(found, c(list(NULL, NULL), as.list(seq(201L, 901L, 100L))))
})

test_that("functions that cannot be called so, and folders that are none or are gone, are errors", {
  x <- roll(200)
  fit <- landmarks(x, 5)
  refused <- function(sink, words, class = "landmarker_error_input") {
    expect_error(predict(fit, x, sink = sink), words, class = class)
  }
  refused(function(values) 1, "It takes 1 argument")
  refused(is.na, "It takes 1 argument")
  expect_length(predict(fit, x, sink = function(...) 1), 1)
  file <- withr::local_tempfile(fileext = ".h5")
  file.create(file)
  refused(file.path(file, "a.h5"), "is not a folder")
  x[3, 2] <- NA
  error <- expect_error(predict(fit, x, sink = function(values, rows) 1), class = "landmarker_error_missing")
  expect_no_match(conditionMessage(error), "na.action")
  skip_if_not_installed("HDF5Array")
  folder <- withr::local_tempdir()
  gone <- data_parts(c(200L, 3L), function(i) {
    if (i == 2) unlink(folder, recursive = TRUE)
    roll(200)[(i - 1) * 100 + 1:100, ]
  }, 2)
  x <- gone
  refused(file.path(folder, "a.h5"), "no more", "landmarker_error_sink")
})
