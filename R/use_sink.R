# Values of new data that are written block by block, to a file or by a function of the user: the sink.

# Writes the values of new data to a `sink` (see ?predict.landmarks). `values`: a function that returns the
# values of a source in memory.
write_values <- function(sink, new, values, call) {
  if (new$dim[1] == 0) {
    abort_input(
      c("{.arg newdata} must have at least one row where a {.arg sink} is given.", x = "It has none."),
      arg = "newdata", kind = "data", call = call
    )
  }
  writer <- NULL
  # A new file is deleted where an error or an interrupt comes: a file with a part of the values is of no use.
  made <- is_path(sink) && !file.exists(sink)
  on.exit(if (made) unlink(sink))
  each_part(new, values, function(found, first) {
    rows <- first + seq_len(NROW(found))
    if (is.null(writer)) writer <<- sink_writer(sink, new$dim[1], found, call)
    writer$write(found, rows)
  })
  out <- writer$finish()
  made <- FALSE
  if (is.function(sink)) invisible(out) else out
}

# list(write, finish): write(values, rows) takes one block, and finish() returns what was written. `example`:
# the first block.
sink_writer <- function(sink, rows, example, call) {
  if (is.function(sink)) {
    returned <- list()
    return(list(
      write = function(values, rows) returned[[length(returned) + 1]] <<- sink(values, rows),
      finish = function() returned
    ))
  }
  example <- value_matrix(example, call)
  if (is_path(sink)) sink <- new_hdf5(sink, c(rows, ncol(example)), colnames(example), call)
  if (!methods::is(sink, "RealizationSink")) {
    abort_input(c(
      "{.arg sink} must be the path of a new file, a realization sink, or a function(values, rows).",
      x = "It is {describe(sink)}."
    ), arg = "sink", call = call)
  }
  if (DelayedArray::type(sink) != "double") {
    abort_input(c("{.arg sink} must be of type double.", x = "It is of type {DelayedArray::type(sink)}."),
      arg = "sink", call = call
    )
  }
  if (!identical(dim(sink), c(rows, ncol(example)))) {
    abort_input(c(
      "{.arg sink} must have {rows} rows and {ncol(example)} columns.",
      x = "It is {paste(dim(sink), collapse = ' x ')}."
    ), arg = "sink", call = call)
  }
  list(
    write = function(values, rows) {
      values <- unname(value_matrix(values, call))
      before <- rows[1] - 1L
      ends <- unique(c(if (before > 0) before, before + length(rows), dim(sink)[1]))
      grid <- DelayedArray::ArbitraryArrayGrid(list(ends, ncol(values)))
      sink <<- DelayedArray::write_block(sink, grid[[if (before > 0) 2L else 1L]], values)
    },
    finish = function() {
      DelayedArray::close(sink)
      methods::as(sink, "DelayedArray")
    }
  )
}

# Blocks of rows as chunks, so that they are written and read as a whole. Features hardly compress.
new_hdf5 <- function(path, dim, names, call) {
  if (!grepl("[.](h5|hdf5)$", path)) {
    abort_input(c("{.arg sink} must be a path that ends in .h5 or .hdf5.",
      x = "It is {.path {path}}.",
      i = "A function(values, rows) writes files of other kinds."
    ), arg = "sink", call = call)
  }
  if (file.exists(path)) {
    abort_input(c("{.arg sink} must be the path of a new file.", x = "{.path {path}} exists.",
      i = "Delete the file, or choose another path."
    ), arg = "sink", call = call)
  }
  if (!dir.exists(dirname(path))) {
    abort_input(c("{.arg sink} must be the path of a new file in a folder that exists.",
      x = "The folder {.path {dirname(path)}} does not exist."
    ), arg = "sink", call = call)
  }
  # After the checks of the path: installing a package does not mend a wrong one.
  need_package("HDF5Array", "A `sink` that is a path", call)
  HDF5Array::HDF5RealizationSink(dim,
    dimnames = if (!is.null(names)) list(NULL, names), type = "double", filepath = path, name = "values",
    chunkdim = c(min(dim[1], max(1L, 125000L %/% dim[2])), dim[2]), level = 0
  )
}

# Values as a numeric matrix, as files keep them.
value_matrix <- function(values, call) {
  if (is.factor(values)) {
    abort_input(c(
      "{.arg sink} must be a function(values, rows) for {.code type = \"class\"}.",
      i = "A matrix in a file has numbers only."
    ), arg = "sink", call = call)
  }
  values <- as.matrix(values)
  storage.mode(values) <- "double"
  values
}

# The values of all new rows. Where they are joined from parts they are in memory twice.
check_values_memory <- function(new, columns, call) {
  rows <- new$dim[1]
  check <- if (in_memory(new)) {
    check_work(as.double(rows) * columns, "The values of {rows} rows need",
      "Predict some of the rows at a time, or give a {.arg sink}, a function(values, rows).", "newdata", call
    )
  } else {
    check_memory(16 * as.double(rows) * columns, "The values of {rows} rows need",
      "Write them block by block, for example with {.code sink = \"values.h5\"}.", "newdata", call
    )
  }
  invisible(check)
}
