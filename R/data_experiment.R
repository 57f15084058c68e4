# Experiments of Bioconductor: their columns are the observations. No package is loaded to ask for the class.

is_experiment <- function(x) {
  isS4(x) && (inherits(x, "SummarizedExperiment") || identical(class(x)[1], "SingleCellExperiment"))
}

# The observations as rows: dense, sparse or delayed. `choice`: list(assay, dimred), of which one may be
# given.
experiment_rows <- function(x, choice, arg, call) {
  choice <- check_experiment(x, choice, arg, call)
  if (is.null(choice$dimred)) return(transposed(SummarizedExperiment::assay(x, choice$assay), arg, call))
  out <- as.matrix(SingleCellExperiment::reducedDim(x, choice$dimred))
  # Principal components have further attributes, such as their shares of variance.
  attributes(out) <- list(dim = dim(out), dimnames = dimnames(out))
  out
}

# An assay with the observations as rows. Matrix::t() is the generic that has methods for sparse and for
# delayed matrices.
transposed <- function(x, arg, call) {
  if (length(dim(x)) != 2) {
    abort_input(c(
      "The assay of {.arg {arg}} must be a matrix.", x = "It has {length(dim(x))} dimensions.",
      i = "Choose another by {.arg assay}."
    ), arg = "assay", kind = "assay", call = call)
  }
  if (is.data.frame(x)) t(as.matrix(x)) else Matrix::t(x)
}

# The choice, complete: list(assay, dimred), where the assay is a name, or a number where it has no name.
# `tell`: whether a message says that the first assay was taken.
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
    if (tell && is.numeric(assay) && count > 1) tell_assay(has[1], call)
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

tell_assay <- function(name, call) {
  tell_user(c(
    "{.arg x} has no assay {.val logcounts}: the first{if (length(name)) ', '}{.val {name}}, is used.",
    i = "Name another by {.arg assay}, or a reduced dimension by {.arg dimred}."
  ), kind = "assay", once = name, call = call)
}
