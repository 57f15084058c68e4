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
