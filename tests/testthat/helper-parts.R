# A matrix cut into parts of about equal size, as data that stand in files would be.
cut_data <- function(x, parts) {
  part <- sort(rep_len(seq_len(parts), nrow(x)))
  rows <- split(seq_len(nrow(x)), part)
  parted_data(function(i) x[rows[[i]], , drop = FALSE], lengths(rows), ncol(x), colnames(x))
}

# A source of such data that counts how often a part is read: `count()`, from now on.
counting_source <- function(x, parts) {
  source <- as_source(cut_data(x, parts))
  inner <- source$data$read
  read <- 0
  source$data$read <- function(i) {
    read <<- read + 1
    inner(i)
  }
  source$count <- function() read
  source
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
