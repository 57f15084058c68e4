# Experiments of Bioconductor: their columns are the observations. No package is loaded to ask for the class.

is_experiment <- function(x) {
  isS4(x) && (inherits(x, "SummarizedExperiment") || identical(class(x)[1], "SingleCellExperiment"))
}

#' Landmarks of cells
#'
#' A method of [landmarks()] for a SummarizedExperiment or a SingleCellExperiment of Bioconductor. Its
#' columns, the cells or samples, are the observations, and its features, the genes, are the columns of the
#' fit. So the data are `t(assay(x))`. Sparse assays stay sparse. Assays in files (DelayedMatrix) are read
#' part by part.
#'
#' Distances over thousands of genes are mostly noise. For cells, use `dimred = "PCA"` where the object has
#' principal components.
#'
#' The fit keeps which assay or reduced dimension it was learned from. `predict()`, [nearest_observations()],
#' [sketch_rows()], [add_landmarks()] and the other functions that take data for a fit take an experiment as
#' well, and use the same. New cells need the same genes, by name; or, for a reduced dimension, coordinates in
#' the same space. A function that has no fit, [cv_landmarks()] for example, takes the assay `"logcounts"`,
#' else the first.
#'
#' @param x A SummarizedExperiment or a SingleCellExperiment of N columns, the observations.
#' @param n Number of landmarks.
#' @param ... Further arguments of [landmarks()], by name.
#' @param assay Name or number of the assay to use. NULL, the default, is `"logcounts"` where there is one,
#'   because counts of cells differ in depth. Otherwise it is the first assay, and a message
#'   (`landmarker_message_assay`) says so, once in a session.
#' @param dimred Name of a reduced dimension to use in place of an assay, such as `"PCA"`, for a
#'   SingleCellExperiment. NULL, the default, uses an assay.
#' @return An object of class `landmarks`, see [landmarks()], with another part `experiment`, a list of
#'   `assay` and `dimred`.
#' @section Errors:
#' An assay or a reduced dimension that the experiment does not have is an error of class
#' `landmarker_error_assay`.
#' @examplesIf requireNamespace("SingleCellExperiment", quietly = TRUE)
#' set.seed(1)
#' counts <- matrix(rpois(50 * 200, rep(1:4, each = 50 * 50)), 50, 200)
#' rownames(counts) <- paste0("gene", 1:50)
#' assays <- list(counts = counts, logcounts = log1p(counts))
#' cells <- SingleCellExperiment::SingleCellExperiment(assays)
#' fit <- landmarks(cells, n = 4)
#' fit
#' dim(predict(fit, cells))
#' # Four cells to keep
#' cells[, sketch_rows(fit, cells)]
#' @export
landmarks.SummarizedExperiment <- function(x, n, ..., assay = NULL, dimred = NULL) {
  call <- rlang::current_env()
  choice <- check_experiment(x, list(assay = assay, dimred = dimred), "x", call, tell = TRUE)
  fit <- landmarks(experiment_rows(x, choice, "x", call), n, ...)
  fit$experiment <- choice
  matched <- match.call()
  matched[[1]] <- quote(landmarks)
  fit$call <- light_call(matched)
  fit
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

# Methods for Matrix and DelayedMatrix belong to the same generic.
transposed <- function(x, arg, call) {
  if (length(dim(x)) != 2) {
    abort_input(c(
      "The assay of {.arg {arg}} must be a matrix.", x = "It has {length(dim(x))} dimensions.",
      i = "Choose another by {.arg assay}."
    ), arg = "assay", kind = "assay", call = call)
  }
  if (is.data.frame(x)) t(as.matrix(x)) else Matrix::t(x)
}

# The choice, complete: the name of the assay, or its number where it has no name. `tell`: whether to say
# that the first was taken.
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

check_among <- function(name, has, what, arg, call, count = NULL) {
  if (is.character(name) && length(name) == 1 && name %in% setdiff(has, c("", NA))) return(name)
  kind <- c(assay = "an assay", dimred = "a reduced dimension")[[what]]
  numbered <- if (length(count)) paste0(", or ", if (count > 1) "a number from 1 to ", count)
  abort_input(c(
    "{.arg {what}} must be the name of {kind} of {.arg {arg}}{numbered}.",
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
