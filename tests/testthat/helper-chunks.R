# A matrix or a data frame in `count` chunks of about equal size, with one without rows in their middle.
in_chunks <- function(x, count = 3, ...) {
  rows <- unname(split(seq_len(nrow(x)), sort(rep_len(seq_len(count), nrow(x)))))
  rows <- append(rows, list(integer()), count %/% 2)
  chunked(rows, function(rows) x[rows, , drop = FALSE], ...)
}

# A matrix in a file of HDF5, and DelayedArray's limit of a block in bytes, both for one test.
in_hdf5 <- function(x, ..., envir = parent.frame()) {
  skip_if_not_installed("HDF5Array")
  file <- withr::local_tempfile(fileext = ".h5", .local_envir = envir)
  HDF5Array::writeHDF5Array(x, file, "x", ...)
}

small_blocks <- function(bytes = 2e4, envir = parent.frame()) {
  old <- DelayedArray::getAutoBlockSize()
  suppressMessages(DelayedArray::setAutoBlockSize(bytes))
  withr::defer(suppressMessages(DelayedArray::setAutoBlockSize(old)), envir)
}
