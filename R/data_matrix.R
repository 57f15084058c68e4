# Data as a user gives them: their kinds, and matrices that the core can read.

# Whether data of a user are read in chunks.
is_chunked <- function(x) {
  inherits(x, "chunked") || (isS4(x) && (methods::is(x, "DelayedMatrix") || is_big_matrix(x)))
}

is_big_matrix <- function(x) isS4(x) && inherits(x, "big.matrix")

# The lines to write where a user gives a path or a connection for the data, or NULL.
chunk_remedy <- function(x) {
  if (inherits(x, "DBIConnection")) {
    return(c(i = "Read a table by ranges of a key: {.code x <- chunked(ranges, read)}, and give {.code x}."))
  }
  path <- if (inherits(x, "connection")) summary(x)$description else if (rlang::is_string(x)) x
  if (is.null(path)) return(NULL)
  if (dir.exists(path)) {
    return(c(i = "A folder of files: {.code x <- chunked(list.files(path, full.names = TRUE), read)}."))
  }
  if (!grepl("[.](csv|tsv|txt)$", path, ignore.case = TRUE)) {
    return(c(i = "Read it first, or in chunks, see {.fn chunked} and {.code vignette(\"scale\")}."))
  }
  # Braces are code for cli.
  path <- gsub("([{}])", "\\1\\1", path)
  c(
    i = paste0(
      "Read a CSV file in chunks: {.code x <- as_chunks(\"", path, "\")}, and give {.code x}."
    ),
    i = "A file that fits into memory is read first, for example by {.fn read.csv}."
  )
}

# Document-term matrices of package slam and experiments of Bioconductor as matrices with the observations as
# rows: sparse, delayed, or dense. All else is returned as it is. `choice`: see experiment_rows().
as_rows <- function(x, arg, call, choice = NULL) {
  if (is_triplets(x)) return(to_csparse(x, arg, call))
  if (is_experiment(x)) experiment_rows(x, choice, arg, call) else x
}

# ---- matrices ------------------------------------------------------------------------------

# A matrix that the core can read: numeric, integer or logical, or dgCMatrix.
check_data <- function(x, arg, call, empty = FALSE) {
  check_given(x, arg, call)
  if (is_triplets(x) || methods::is(x, "Matrix") || methods::is(x, "sparseVector")) {
    x <- to_csparse(x, arg, call)
  }
  # Classes that change only how numbers are printed or indexed are dropped.
  if (is.matrix(x) && is.object(x) && length(setdiff(class(x), plain_classes)) == 0) {
    attributes(x) <- list(dim = dim(x), dimnames = dimnames(x))
  }
  dense <- is.matrix(x) && (is.numeric(x) || is.logical(x)) && !is.object(x)
  if (!dense && !methods::is(x, "dgCMatrix")) {
    abort_input(c(
      paste0(
        "{.arg {arg}} must be a numeric, integer or logical matrix, a sparse matrix of package Matrix, ",
        "or a data frame."
      ),
      x = "It is {describe(x)}.",
      if (is.numeric(x) && is.null(dim(x)) && !is.object(x)) {
        c(i = paste(
          "For one column, use {.code matrix({arg}, ncol = 1)}; for one row,",
          "{.code matrix({arg}, nrow = 1)}."
        ))
      } else {
        chunk_remedy(x)
      }
    ), arg = arg, kind = "data", call = call)
  }
  if (!empty || ncol(x) == 0) check_some_rows(x, arg, call)
  if (anyNA(colnames(x))) {
    abort_input(c(
      "Columns of {.arg {arg}} must have names that are not missing, or none.",
      x = "The name of column {which(is.na(colnames(x)))[1]} is NA."
    ), arg = arg, kind = "columns", call = call)
  }
  x
}

check_some_rows <- function(x, arg, call) {
  if (nrow(x) > 0 && ncol(x) > 0) return(invisible())
  abort_input(c(
    "{.arg {arg}} must have at least one row and one column.",
    x = "It is {nrow(x)} x {ncol(x)}."
  ), arg = arg, kind = "data", call = call)
}

# The sparse matrices of package slam, which are the document-term matrices of package tm.
is_triplets <- function(x) inherits(x, "simple_triplet_matrix")

# A matrix of package Matrix, or of slam, as a dgCMatrix. Dense ones become plain matrices.
to_csparse <- function(x, arg, call) {
  if (is_triplets(x)) return(triplets_to_csparse(x, arg, call))
  # The core trusts the indices of what it is given.
  flaw <- methods::validObject(x, test = TRUE)
  if (is.character(flaw)) {
    abort_input(c(
      "{.arg {arg}} must be a valid object of its class, {.cls {class(x)[1]}}.",
      x = "{.fn validObject} reports: {flaw[1]}."
    ), arg = arg, kind = "data", call = call)
  }
  # A class of another package that contains dgCMatrix, such as the dfm of quanteda, has methods of its own.
  # It is turned into a plain dgCMatrix.
  if (methods::is(x, "dgCMatrix")) {
    if (class(x)[1] == "dgCMatrix") return(x)
    names <- unname(dimnames(x))
    return(methods::new("dgCMatrix", i = x@i, p = x@p, x = x@x, Dim = x@Dim, Dimnames = names))
  }
  if (methods::is(x, "denseMatrix")) return(as.matrix(x))
  out <- or_else(methods::as(methods::as(methods::as(x, "dMatrix"), "generalMatrix"), "CsparseMatrix"), NULL)
  if (is.null(out)) {
    abort_input(c(
      "{.arg {arg}} must be a sparse matrix that package Matrix can convert to class dgCMatrix.",
      x = "It is {describe(x)}."
    ), arg = arg, kind = "data", call = call)
  }
  out
}

# A matrix of package slam as a dgCMatrix. It is a plain list, so the package need not be installed.
triplets_to_csparse <- function(x, arg, call) {
  if (inherits(x, "TermDocumentMatrix")) {
    abort_input(c(
      "{.arg {arg}} must have one document a row.",
      x = "It is a TermDocumentMatrix, which has one term a row.",
      i = "Turn it by {.code t({arg})}, or make a DocumentTermMatrix."
    ), arg = arg, kind = "data", call = call)
  }
  part <- unclass(x)
  if (!is.numeric(part$v) && !is.logical(part$v)) {
    abort_input(c("{.arg {arg}} must have numbers.", x = "Its values are {describe(part$v)}."),
      arg = arg, kind = "data", call = call
    )
  }
  names <- if (is.null(part$dimnames)) list(NULL, NULL) else unname(part$dimnames)
  sizes <- lengths(part[c("i", "j", "v")])
  if (any(sizes != sizes[1])) {
    abort_input(c(
      "{.arg {arg}} must be a valid object of its class, {.cls {class(x)[1]}}.",
      x = "Its parts {.field i}, {.field j} and {.field v} have the lengths {sizes}."
    ), arg = arg, kind = "data", call = call)
  }
  on_failure(
    Matrix::sparseMatrix(
      i = part$i, j = part$j, x = as.double(part$v), dims = c(part$nrow, part$ncol), dimnames = names
    ),
    function(e) {
      abort_input(c(
        "{.arg {arg}} must be a valid object of its class, {.cls {class(x)[1]}}.",
        x = "Package Matrix reports: {conditionMessage(e)}."
      ), arg = arg, kind = "data", call = call)
    }
  )
}

# An error for a value that is not finite, as the core has found it. `bad`: the position of the first one,
# from 0, or -1. `first`: how many rows of the data stand before x.
refuse_bad <- function(bad, x, arg, call, first = 0L) {
  if (bad < 0) return(invisible())
  row <- bad %% nrow(x) + 1
  column <- bad %/% nrow(x) + 1
  abort_not_finite(x[row, column], first + row, column, colnames(x), arg, call)
}

# The data as they are, or an error for the first value that is not finite. Where moments are computed, that
# finds such values too. `first`: how many rows of the data stand before x.
check_finite <- function(x, arg, call, first = 0L) {
  if (is.matrix(x)) {
    if (nrow(x) > 0) refuse_bad(.Call(C_sizes, x, compute_with(call))$bad, x, arg, call, first)
  } else {
    check_finite_entries(x, arg, call, first)
  }
  x
}

check_finite_entries <- function(x, arg, call, first = 0L) {
  bad <- which(!is.finite(x@x))
  if (length(bad)) {
    column <- findInterval(bad[1] - 1, x@p)
    abort_not_finite(x@x[bad[1]], first + x@i[bad[1]] + 1, column, colnames(x), arg, call)
  }
}

abort_not_finite <- function(value, row, column, names, arg, call) {
  abort_input(c(
    "{.arg {arg}} must not have missing or infinite values.",
    x = "The first is {value}, in row {row}, {name_column(column, names)}.",
    i = if (is.na(value)) missing_remedy(call, arg)
  ), arg = arg, kind = "missing", call = call)
}

# Whether the function of the user, whose frame is `call`, has an argument.
has_argument <- function(call, name) is.environment(call) && exists(name, call, inherits = FALSE)

# Whether it takes new data, and `na.action` may let missing values pass.
takes_missing <- function(call) has_argument(call, "newdata") && has_argument(call, "na.action")

# What to do about missing values in `arg`, in words. The function of the user, whose frame is `call`, may
# have the argument na.action. Where it has `newdata`, na.action is for these.
missing_remedy <- function(call, arg) {
  has <- function(name) has_argument(call, name)
  given <- if (has(arg)) get(arg, call)
  if (is_chunked(given)) return("Leave out such rows where the chunks are read, or impute the values.")
  if (has("na.action") && arg == "newdata") {
    return("{.code na.action = na.pass} gives such rows missing values, {.code na.omit} leaves them out.")
  }
  if (has("na.action") && !has("newdata") && arg %in% c("x", "data")) {
    return("Leave out rows with missing values by {.code na.action = na.omit}, or impute the values.")
  }
  "Leave out rows with missing values, for example by {.fn na.omit}, or impute the values."
}

# Rows of a dense part as a numeric matrix. (R's own subsets of a matrix take several times as long.)
dense_rows <- function(source, rows) .Call(C_rows, source, as.integer(rows), compute_with())

# Some rows of a matrix, dense or sparse.
some_rows <- function(x, rows) {
  if (!is.double(x)) return(x[rows, , drop = FALSE])
  out <- dense_rows(list(x = x, dim = dim(x), center = numeric(ncol(x)), factor = numeric(ncol(x))), rows)
  colnames(out) <- colnames(x)
  out
}
