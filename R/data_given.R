# Data as a user gives them, of any kind: in memory, in parts, on workers, or in a class of another package.

# Data in parts, where the rows are not in memory as they are; all else is returned as it is. There are
# methods here for matrices of other packages whose values are in files.
in_parts <- function(x, arg, call) UseMethod("in_parts")

# Whether all rows, of data or of a source, are in the memory of this process. Other kinds have a method.
in_memory <- function(x) UseMethod("in_memory")

#' @export
in_memory.default <- function(x) TRUE

# Data of a user as rows that can be read: checked where they are in memory.
given_rows <- function(x, arg, call, empty = FALSE) {
  x <- in_parts(x, arg, call)
  if (in_memory(x)) check_data(x, arg, call, empty) else x
}

# An error for the first value that is not finite, of data that are not in memory.
check_finite_rows <- function(x, arg, call) UseMethod("check_finite_rows")

#' @export
in_parts.default <- function(x, arg, call) {
  if (is_experiment(x) || is_triplets(x)) in_parts(as_rows(x, arg, call), arg, call) else x
}

# Document-term matrices of package slam and experiments of Bioconductor as matrices with the observations as
# rows: sparse, delayed, or dense. All else is returned as it is. `choice`: see experiment_rows().
as_rows <- function(x, arg, call, choice = NULL) {
  if (is_triplets(x)) return(to_csparse(x, arg, call))
  if (is_experiment(x)) experiment_rows(x, choice, arg, call) else x
}

# A DelayedMatrix is read in blocks of rows that follow the chunks of its file.
#' @export
in_parts.DelayedMatrix <- function(x, arg, call) {
  need_package("DelayedArray", paste0("A matrix of class ", class(x)[1]), call)
  if (!DelayedArray::type(x) %in% c("double", "integer", "logical")) {
    abort_input(c(
      "{.arg {arg}} must have numbers.",
      x = "It is {describe(x)}, of type {DelayedArray::type(x)}."
    ), arg = arg, kind = "data", call = call)
  }
  if (any(dim(x) == 0)) return(as.matrix(x))
  sparse <- DelayedArray::is_sparse(x)
  names <- colnames(x)
  last <- block_ends(nrow(x), delayed_rows(x, sparse))
  grid <- DelayedArray::ArbitraryArrayGrid(list(last, ncol(x)))
  read <- function(i) {
    found <- DelayedArray::read_block(x, grid[[as.integer(i)]], as.sparse = sparse)
    with_names(if (sparse) methods::as(found, "dgCMatrix") else found, names)
  }
  take <- function(rows) {
    found <- if (sparse) {
      sparse_rows(x, rows)
    } else {
      DelayedArray::extract_array(x, list(rows, NULL))
    }
    with_names(found, names)
  }
  resident_parts(read, diff(c(0L, last)), x, sparse, take)
}

#' @export
in_parts.big.matrix <- function(x, arg, call) {
  need_package("bigmemory", "A big.matrix", call)
  # An object that was saved and read again has lost its memory. Functions of bigmemory would crash on it.
  if (bigmemory::is.nil(x@address)) {
    abort_input(c(
      "{.arg {arg}} must be a big.matrix of this session.",
      x = "Its memory is gone: it was saved, and read again.",
      i = "Attach its file by {.fn bigmemory::attach.big.matrix}."
    ), arg = arg, kind = "data", call = call)
  }
  if (any(dim(x) == 0)) return(x[, , drop = FALSE])
  last <- block_ends(nrow(x), part_bytes %/% (8 * ncol(x)))
  first <- c(0L, last[-length(last)])
  take <- function(rows) with_names(x[rows, , drop = FALSE], colnames(x))
  read <- function(i) take(seq(first[i] + 1L, last[i]))
  resident_parts(read, diff(c(0L, last)), x, FALSE, take)
}

# Smaller parts are read more quickly than large ones, because their memory is used again.
part_bytes <- 1.6e7

# Data in parts of a matrix of another package. `take`: a function that reads some rows by number.
resident_parts <- function(read, rows, x, sparse, take) {
  out <- parted_data(read, rows, ncol(x), colnames(x), take = take)
  out$seen$sparse <- sparse
  out
}

with_names <- function(x, names) {
  # Setting names copies the matrix: it is done only where they differ.
  if (is.null(rownames(x)) && identical(colnames(x), names)) return(x)
  dimnames(x) <- list(NULL, names)
  x
}

# The last rows of blocks of `size` rows.
block_ends <- function(rows, size) {
  size <- min(max(1, size), rows)
  as.integer(unique(c(seq(size, rows, by = size), rows)))
}

# Some rows of a delayed sparse matrix. Versions of DelayedArray return them in different classes.
sparse_rows <- function(x, rows) {
  methods::as(DelayedArray::extract_sparse_array(x, list(rows, NULL)), "dgCMatrix")
}

# How many rows to read at a time: whole chunks of the file, or an equal share of one that is too large.
delayed_rows <- function(x, sparse) {
  most <- DelayedArray::getAutoBlockSize()
  bytes <- 8 * ncol(x)
  if (sparse) {
    # The stored values of some rows, with their indices, which are copied once or twice.
    some <- unique(round(seq(1, nrow(x), length.out = 20)))
    stored <- length(sparse_rows(x, some)@x)
    bytes <- min(bytes, 8 + 36 * stored / length(some))
  }
  wanted <- min(part_bytes, most) / bytes
  chunk <- DelayedArray::chunkdim(x)[1]
  if (is.null(chunk) || chunk <= 1) return(floor(wanted))
  if (wanted >= chunk) return(chunk * (wanted %/% chunk))
  # A chunk is read as a whole. To read a part of it takes the time of all.
  if (chunk * bytes <= 2 * most) chunk else ceiling(chunk / ceiling(chunk * bytes / most))
}

# An error of the function named `what`, which needs all rows in memory, where they are not.
refuse_parts <- function(x, arg, what, call) {
  if (in_memory(in_parts(x, arg, call))) return(invisible())
  abort_input(c(
    "{.fn {what}} needs all rows in memory.",
    x = "{.arg {arg}} has its rows in several parts.",
    i = "Give some of them, as {.code {arg}[rows, ]} takes them."
  ), arg = arg, kind = "parts", call = call)
}

# The rows of data for a function that may leave some of them out, which it can only do in memory.
resident_rows <- function(x, arg, call) {
  check_given(x, arg, call)
  x <- given_rows(x, arg, call, empty = arg == "newdata")
  if (in_memory(x)) x else abort_parted_na(arg, call)
}

abort_parted_na <- function(arg, call) {
  abort_input(c(
    "{.arg na.action} must be {.code na.fail} for data that are not in memory.",
    x = "Rows of {.arg {arg}} are in files or on workers, and cannot be left out.",
    i = parted_remedy
  ), arg = "na.action", kind = "na_action", call = call)
}
