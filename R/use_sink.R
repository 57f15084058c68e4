# Values of new data that are written block by block, to a file or by a function of the user: the sink.

# Checks the argument before any work. What depends on the values is checked with the first block.
check_sink <- function(sink, call) {
  if (is.null(sink)) return(invisible())
  if (is.function(sink)) return(check_takes(sink, 2, "sink", "function(values, rows)", call))
  if (!is_path(sink)) {
    # DelayedArray has made a realization sink, so it is there.
    if (methods::is(sink, "RealizationSink")) return(invisible())
    abort_input(c(
      "{.arg sink} must be the path of a new file, a realization sink, or a function(values, rows).",
      x = "It is {describe(sink)}."
    ), arg = "sink", call = call)
  }
  check_path(sink, "sink", call)
  if (!grepl("[.](h5|hdf5)$", sink, ignore.case = TRUE)) {
    abort_input(c("{.arg sink} must be a path that ends in .h5 or .hdf5.",
      x = "It is {.path {sink}}.",
      i = "A function(values, rows) writes files of other kinds."
    ), arg = "sink", call = call)
  }
  if (file.exists(sink)) {
    abort_input(c("{.arg sink} must be the path of a new file.", x = "{.path {sink}} exists.",
      i = "Delete the file, or choose another path."
    ), arg = "sink", call = call)
  }
  # After the checks of the path: installing a package does not mend a wrong one.
  check_writable(sink, "sink", call)
  need_package("HDF5Array", "A `sink` that is a path", call)
}

# Writes the values of new data to a `sink` (see ?predict.landmarks) that check_sink() has seen. `values`: a
# function that returns the values of a source in memory.
write_values <- function(sink, new, values, call) {
  if (new$dim[1] == 0) {
    abort_input(
      c("{.arg newdata} must have at least one row where a {.arg sink} is given.", x = "It has none."),
      arg = "newdata", kind = "data", call = call
    )
  }
  writer <- NULL
  part <- NULL
  if (is_path(sink)) {
    # A reader of the user may change the folder.
    sink <- file.path(normalizePath(dirname(sink)), basename(sink))
    part <- new_name(sink)
  }
  # A file has its name when it is whole. Until then it has another, and is deleted where an error or an
  # interrupt comes: a file with a part of the values is of no use.
  on.exit(if (!is.null(part)) unlink(part, expand = FALSE))
  each_part(new, values, function(found, first) {
    rows <- first + seq_len(NROW(found))
    if (is.null(writer)) writer <<- sink_writer(sink, part, new$dim[1], found, call)
    writer$write(found, rows)
  })
  out <- writer$finish()
  if (is.function(sink)) invisible(out) else out
}

# list(write, finish): write(values, rows) takes one block, and finish() returns what was written. `example`:
# the first block. `part`: the name of the file until it is whole, for a path.
sink_writer <- function(sink, part, rows, example, call) {
  if (is.function(sink)) {
    returned <- list()
    return(list(
      write = function(values, rows) returned[length(returned) + 1] <<- list(sink(values, rows)),
      finish = function() returned
    ))
  }
  example <- value_matrix(example, call)
  path <- if (is_path(sink)) sink
  if (!is.null(path)) sink <- new_hdf5(path, part, c(rows, ncol(example)), colnames(example), call)
  # Those that keep their values in memory cannot say their type.
  type <- or_else(DelayedArray::type(sink), "double")
  if (type != "double") {
    abort_input(c("{.arg sink} must be of type double.", x = "It is of type {type}."),
      arg = "sink", call = call
    )
  }
  if (!identical(dim(sink), c(rows, ncol(example)))) {
    abort_input(c(
      "{.arg sink} must have {rows} rows and {ncol(example)} columns.",
      x = "It is {paste(dim(sink), collapse = ' x ')}."
    ), arg = "sink", call = call)
  }
  array_writer(sink, path, colnames(example), call)
}

# How many numbers are written and read at a time: 1 MB.
block_size <- 125000L

# The writer of a realization sink. `path`: the name that its file gets in the end, or NULL for a sink of the
# user. `names`: of the columns.
# HDF5 may lose values without an error where a disk is full, and may crash later. So the room for each
# block is tried first, and in the end the last rows of the last block and of up to 30 others are read again.
array_writer <- function(sink, path, names, call) {
  file <- if (methods::.hasSlot(sink, "filepath")) sink@filepath
  blocks <- list()
  # By which values are known again. A sink of the user may round them.
  mark_of <- function(values) {
    if (is.null(path)) values[evenly_spaced(seq_along(values), 1000)] else rlang::hash(values)
  }
  # `whole`: the blocks that were written.
  fail <- function(whole, parent = NULL) {
    rows <- sum(vapply(whole, `[[`, 0L, "count"))
    abort_sink(path, file, rows, dim(sink), call, parent)
  }
  # Values that wait: small blocks are written together.
  waiting <- NULL
  last <- 0L
  put <- function() {
    values <- do.call(rbind, waiting)
    waiting <<- NULL
    before <- last - nrow(values)
    rows <- before + seq_len(nrow(values))
    # A megabyte for the file's own tables.
    if (!is.null(file) && !has_room(file, 8 * length(values) + 2^20)) fail(blocks)
    ends <- unique(c(if (before > 0) before, before + length(rows), dim(sink)[1]))
    grid <- DelayedArray::ArbitraryArrayGrid(list(ends, ncol(values)))
    changed <- on_failure(
      DelayedArray::write_block(sink, grid[[if (before > 0) 2L else 1L]], values),
      function(e) fail(blocks, e)
    )
    # A sink in memory keeps its values itself, and returns them in its place.
    if (methods::is(changed, "RealizationSink")) sink <<- changed
    end <- utils::tail(seq_along(rows), max(1L, block_size %/% ncol(values)))
    blocks[[length(blocks) + 1]] <<- list(
      count = length(rows), rows = rows[end], mark = mark_of(values[end, , drop = FALSE])
    )
  }
  list(
    write = function(values, rows) {
      if (length(waiting) && rows[1] != last + 1L) put()
      waiting[[length(waiting) + 1]] <<- unname(value_matrix(values, call))
      last <<- rows[length(rows)]
      if (sum(lengths(waiting)) >= block_size) put()
    },
    finish = function() {
      if (length(waiting)) put()
      written <- on_failure({
        DelayedArray::close(sink)
        if (!is.null(path)) mark_complete(file)
        methods::as(sink, "DelayedArray")
      }, function(e) fail(list(), e))
      are_there <- function(block) {
        found <- or_else(mark_of(unname(as.matrix(written[block$rows, , drop = FALSE]))), NULL)
        isTRUE(all.equal(found, block$mark, tolerance = 1e-6))
      }
      some <- c(evenly_spaced(seq_along(blocks), 30), length(blocks))
      if (!all(vapply(blocks[some], are_there, NA))) {
        fail(blocks[seq_len(Position(Negate(are_there), blocks) - 1)])
      }
      if (is.null(path)) return(written)
      name_hdf5(file, path, names, call)
    }
  )
}

# An error where not all values could be written. `written`: how many rows were.
abort_sink <- function(path, file, written, dim, call, parent = NULL) {
  bytes <- format(8 * prod(dim) / 1e6, digits = 3, big.mark = ",")
  if (!is.null(file) && !dir.exists(dirname(file))) {
    abort_input(c(
      "{.arg sink} must be in a folder that stays.",
      x = "The folder {.path {dirname(file)}} is there no more."
    ), arg = "sink", kind = "sink", call = call)
  }
  abort_input(c(
    "{.arg sink} must have room for all values.",
    x = "{if (is.null(file)) 'It' else 'Its disk'} took the values of {written} of {dim[1]} rows.",
    i = if (is.null(path)) "Delete what it has: the other rows are missing." else "The file is deleted.",
    i = "All values need {bytes} MB and some more. Free room, or give a sink on another disk.",
    i = if (is.null(path)) "A sink that takes whole columns only, such as TENxRealizationSink, does not work."
  ), arg = "sink", kind = "sink", call = call, parent = parent)
}

# An HDF5 file of another name, in blocks of rows as chunks, so that they are written and read as a whole.
# Features hardly compress.
new_hdf5 <- function(path, file, dim, names, call) {
  check_writable(path, "sink", call, bytes = 8 * prod(dim))
  HDF5Array::HDF5RealizationSink(dim,
    dimnames = if (!is.null(names)) list(NULL, names), type = "double", filepath = file, name = "values",
    chunkdim = c(min(dim[1], max(1L, block_size %/% dim[2])), dim[2]), level = 0
  )
}

mark_complete <- function(file) {
  opened <- rhdf5::H5Fopen(file)
  values <- rhdf5::H5Dopen(opened, "values")
  rhdf5::h5writeAttribute(1L, values, "complete")
  rhdf5::H5Dclose(values)
  rhdf5::H5Fclose(opened)
}

# Gives a file that is whole its name.
name_hdf5 <- function(file, path, names, call) {
  if (file.exists(path) || !file.rename(file, path)) {
    abort_input(c("{.arg sink} must be the path of a new file.",
      x = "{.path {path}} cannot be made any more.",
      i = "Another program may have made a file of this name."
    ), arg = "sink", kind = "sink", call = call)
  }
  written <- HDF5Array::HDF5Array(path, "values")
  # Names in a file do not say their encoding.
  if (!identical(colnames(written), names)) colnames(written) <- names
  written
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
