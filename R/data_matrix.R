# Types of user data, and conversion to matrices that the core can read.

# Whether data of a user are read in chunks.
is_chunked <- function(x) {
  inherits(x, "chunked") || (isS4(x) && (methods::is(x, "DelayedMatrix") || is_big_matrix(x)))
}

is_big_matrix <- function(x) isS4(x) && inherits(x, "big.matrix")

# What to do where a user gives a path or a connection for the data, or NULL.
chunk_remedy <- function(x) {
  if (inherits(x, c("connection", "DBIConnection")) || rlang::is_string(x)) {
    c(i = "Read it first, or in chunks, see {.fn chunked} and {.code vignette(\"scale\")}.")
  }
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
      "{.arg {arg}} must not have missing column names.",
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
    abort_invalid(x, "{.fn validObject} reports: {flaw[1]}.", arg, call)
  }
  # A class of another package that contains dgCMatrix, such as the dfm of quanteda, has methods of its own.
  # It is turned into a plain dgCMatrix.
  if (methods::is(x, "dgCMatrix")) {
    if (class(x)[1] == "dgCMatrix") return(x)
    names <- unname(dimnames(x))
    return(methods::new("dgCMatrix", i = x@i, p = x@p, x = x@x, Dim = x@Dim, Dimnames = names))
  }
  if (methods::is(x, "denseMatrix")) return(as.matrix(x))
  general <- function(x) methods::as(methods::as(x, "dMatrix"), "generalMatrix")
  out <- try_default(methods::as(general(x), "CsparseMatrix"), NULL)
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
      "{.arg {arg}} must have one document per row.",
      x = "It is a TermDocumentMatrix, which has one term per row.",
      i = "Transpose it by {.code t({arg})}, or make a DocumentTermMatrix."
    ), arg = arg, kind = "data", call = call)
  }
  part <- unclass(x)
  on_failure({
    stopifnot(
      "its values are not numbers" = is.numeric(part$v),
      "its components have different lengths" = length(part$v) == length(part$i)
    )
    Matrix::sparseMatrix(
      i = part$i, j = part$j, x = as.double(part$v), dims = c(part$nrow, part$ncol),
      dimnames = unname(part$dimnames)
    )
  }, function(e) abort_invalid(x, "R reports: {conditionMessage(e)}.", arg, call))
}

# `found`: a template, which cli evaluates where this is called.
abort_invalid <- function(x, found, arg, call, .envir = parent.frame()) {
  abort_input(c("{.arg {arg}} must be a valid object of its class, {.cls {class(x)[1]}}.", x = found),
    arg = arg, kind = "data", call = call, .envir = .envir
  )
}

# The columns of a dgCMatrix as the core reads them.
sparse_columns <- function(x) list(start = x@p, row = x@i, value = x@x, dim = dim(x))

# An error for a value that is not finite, as the core has found it. `bad`: the position of the first one
# among the stored values, from 0, or -1.
refuse_bad <- function(bad, x, arg, call) {
  if (bad < 0) return(invisible())
  first <- entry_of(x, bad + 1)
  abort_input(c(
    "{.arg {arg}} must not have missing or infinite values.",
    x = "The first is {first$value}, in row {first$row}, {name_column(first$column, colnames(x))}.",
    i = if (is.na(first$value)) missing_remedy(call, arg)
  ), arg = arg, kind = "missing", call = call)
}

# list(value, row, column) of an entry of a matrix, or of a stored entry of a dgCMatrix, by its number.
entry_of <- function(x, k) {
  if (is.matrix(x)) return(list(value = x[k], row = (k - 1) %% nrow(x) + 1, column = (k - 1) %/% nrow(x) + 1))
  list(value = x@x[k], row = x@i[k] + 1, column = findInterval(k - 1, x@p))
}

# The data as they are, or an error for the first value that is not finite. Where moments are computed, that
# finds such values too.
check_finite <- function(x, arg, call) {
  bad <- if (!is.matrix(x)) {
    match(FALSE, is.finite(x@x), 0) - 1
  } else if (nrow(x) > 0) {
    .Call(C_sizes, x, compute_with(call))$bad
  } else {
    -1
  }
  refuse_bad(bad, x, arg, call)
  x
}

# Whether the function of the user, whose frame is `call`, has an argument.
has_argument <- function(call, name) is.environment(call) && exists(name, call, inherits = FALSE)

# What to do about missing values in `arg`, in words. The function of the user, whose frame is `call`, may
# have the argument na.action. Where it has `newdata`, na.action is for these.
missing_remedy <- function(call, arg) {
  has <- function(name) has_argument(call, name)
  if (has(arg) && is_chunked(get(arg, call))) {
    return("Leave out such rows when reading the chunks, or impute the values.")
  }
  if (has("na.action") && arg == "newdata") {
    return("{.code na.action = na.pass} returns NA for such rows, {.code na.omit} leaves them out.")
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

# ---- experiments of Bioconductor ------------------------------------------------------
# Their columns are the observations. No package is loaded to ask for the class.

is_experiment <- function(x) {
  isS4(x) && (inherits(x, "SummarizedExperiment") || identical(class(x)[1], "SingleCellExperiment"))
}

# The observations as rows: dense, sparse or delayed. `choice`: list(assay, dimred), of which one may be
# given.
experiment_rows <- function(x, choice, arg, call) {
  choice <- check_experiment(x, choice, arg, call)
  if (!is.null(choice$dimred)) {
    out <- as.matrix(SingleCellExperiment::reducedDim(x, choice$dimred))
    # Principal components have further attributes, such as their shares of variance.
    attributes(out) <- list(dim = dim(out), dimnames = dimnames(out))
    return(out)
  }
  out <- SummarizedExperiment::assay(x, choice$assay)
  if (length(dim(out)) != 2) {
    abort_input(c(
      "The assay of {.arg {arg}} must be a matrix.", x = "It has {length(dim(out))} dimensions.",
      i = "Choose another by {.arg assay}."
    ), arg = "assay", kind = "assay", call = call)
  }
  # Matrix::t() is the generic that has methods for sparse and for delayed matrices.
  if (is.data.frame(out)) t(as.matrix(out)) else Matrix::t(out)
}

# The choice, complete: list(assay, dimred), where the assay is a name, or a number where it has no name.
# `tell`: whether to report by a message that the first assay is used.
check_experiment <- function(x, choice, arg, call, tell = FALSE) {
  need_package("SummarizedExperiment", paste0("An object of class ", class(x)[1]), call)
  if (!is.null(choice$dimred)) {
    if (!is.null(choice$assay)) {
      abort_input(c("One of {.arg assay} and {.arg dimred} must be NULL.", x = "Both are given."),
        arg = "dimred", kind = "assay", call = call
      )
    }
    has <- if (methods::is(x, "SingleCellExperiment")) SingleCellExperiment::reducedDimNames(x)
    return(list(assay = NULL, dimred = check_among(choice$dimred, has, "dimred", arg, call)))
  }
  has <- SummarizedExperiment::assayNames(x)
  count <- length(SummarizedExperiment::assays(x, withDimnames = FALSE))
  if (count == 0) {
    abort_input(c("{.arg {arg}} must have an assay.", x = "It has none."),
      arg = arg, kind = "assay", call = call
    )
  }
  assay <- choice$assay
  if (is.null(assay)) {
    assay <- if ("logcounts" %in% has) "logcounts" else 1L
    if (tell && is.numeric(assay) && count > 1) {
      inform_user(c(
        "{.arg x} has no assay {.val logcounts}: the first{if (length(has)) ', '}{.val {has[1]}}, is used.",
        i = "Choose another by {.arg assay}, or a reduced dimension by {.arg dimred}."
      ), kind = "assay", once = has[1], call = call)
    }
  }
  if (is_number(assay) && assay %in% seq_len(count)) {
    named <- length(has) && nzchar(has[assay]) && !is.na(has[assay]) && sum(has == has[assay]) == 1
    assay <- if (named) has[assay] else as.integer(assay)
  } else {
    assay <- check_among(assay, has, "assay", arg, call, count)
  }
  list(assay = assay, dimred = NULL)
}

# The name of an assay or of a reduced dimension (`what`), which must be among the names that the experiment
# `has`.
check_among <- function(name, has, what, arg, call, count = NULL) {
  if (is.character(name) && length(name) == 1 && name %in% setdiff(has, c("", NA))) return(name)
  kind <- c(assay = "an assay", dimred = "a reduced dimension")[[what]]
  or_number <- if (length(count)) paste0(", or ", if (count > 1) "a number from 1 to ", count)
  abort_input(c(
    "{.arg {what}} must be the name of {kind} of {.arg {arg}}{or_number}.",
    x = "It is {describe(name)}.",
    i = if (length(has)) "{.arg {arg}} has {.val {has}}." else "{.arg {arg}} has none with a name."
  ), arg = what, kind = "assay", call = call)
}
