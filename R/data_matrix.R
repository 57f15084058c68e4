# Types of user data, and conversion to matrices that the core can read.

#' Data for landmarks: types, factors, missing values, units
#'
#' The data that [landmarks()] and the other functions accept, and the treatment of factors, missing values
#' and columns in different units. Rows are observations.
#'
#' @section Types of data:
#' * A numeric, integer or logical matrix.
#' * A sparse matrix of package Matrix: `dgCMatrix`, or a class that converts to it. It is not made dense,
#'   except by [raw_features()] and [nmf_features()].
#' * A document-term matrix of package tm, quanteda or text2vec.
#' * A data frame; factors and strings become indicator columns.
#' * A formula and a data frame, `landmarks(~ a + b, data, n = 10)`.
#' * Data on disk: a DelayedMatrix, a `big.matrix`, or other [chunked()] data.
#' * A Bioconductor experiment, see [landmarks.SummarizedExperiment()].
#'
#' A fit does not store its data. Functions that need them, such as [nearest_observations()], take them as an
#' argument.
#'
#' @section Formulas:
#' A formula gives the columns of [model.matrix()] without an intercept and with an indicator for every level
#' of a factor: `~ log(a) * f`, `~ poly(a, 2)`, `~ . - id`. Only [by_response()] and [by_class()] accept a
#' left-hand side: `Species ~ .`. Columns do not depend on `options("contrasts")` or the locale.
#'
#' New data are evaluated with the parameters of `poly()`, `scale()` and similar functions that were estimated
#' from the training data. Variables must therefore be columns of `data`. Other vectors of at most ten
#' elements, such as `k` in `poly(a, k)`, are stored in the fit; functions must be in a package or the global
#' environment.
#'
#' @section Factors:
#' A factor becomes one 0/1 column per level. With `scale = TRUE` each of these columns has variance 1, so a
#' factor with three levels has the same influence on distances as three numeric columns. Exclude variables
#' that must not enter the distance, such as a class that is to be predicted.
#'
#' Coordinates of landmarks in these columns resemble proportions, but can be slightly below 0 or above 1. For
#' a single level of each factor, use the nearest rows, `x[fit$nearest, ]`, or a method that selects rows
#' ([by_dpp()], [by_active()], [by_random()]).
#'
#' The order of an ordered factor is ignored; convert it by `as.integer()` to use it. A factor with more than
#' 100 levels, or with as many levels as rows (20 or more), gives a warning (`landmarker_warning_levels`). New
#' levels in new data are an error (`landmarker_error_levels`). If `na.action` is not `na.fail`, they are
#' treated as missing, with a warning.
#'
#' @section Dates and times:
#' Columns of class `Date` or `POSIXct` are converted to days since 1970 (UTC). For seasonal effects add a
#' column such as `format(when, "%m")`. Convert `POSIXlt` by `as.POSIXct()`.
#'
#' @section Missing values:
#' Missing and infinite values are errors (`landmarker_error_missing`) that report the first position. With
#' `na.action = na.omit` or `na.exclude`, rows with missing values in a variable that is used, or in the
#' response, are dropped together with their weights. Unlike in [lm()], the default is `na.fail`. `na.pass` is
#' not allowed. Infinite values and missing weights are always errors, and rows of data that are not in memory
#' cannot be dropped.
#'
#' * `na.action(fit)` has the indices of dropped rows, as for `lm()`, and `print()` shows their number.
#' * The row indices `nearest` and `rows` refer to the original data, so `x[fit$nearest, ]` is correct.
#'   `n_rows` counts the rows used.
#' * [add_landmarks()], [refine_landmarks()] and [nearest_observations()] use the `na.action` of the fit.
#'   [predict()][predict.landmarks()] has an argument `na.action`.
#'
#' @section Units:
#' The squared distance is the sum of squared differences over all columns, so columns with a large variance
#' dominate. `scale = TRUE` divides each column by its standard deviation (weighted, if there are case
#' weights). Constant columns are kept and do not contribute to distances.
#'
#' If `scale` is not given and the standard deviations of two columns differ by a factor of 30 or more, a
#' message (`landmarker_message_units`) suggests it, once per session for the same columns. `scale = FALSE`
#' suppresses it. The check applies to dense data in the Euclidean space, and ignores columns with at most two
#' distinct values or with one value in more than nine of ten rows. It skips data like pixels: 16 or more
#' unnamed columns, at least half of which have at least a quarter of the range of all values.
#'
#' A message (`landmarker_message_identifier`), also once per session, reports a numeric column of a data
#' frame with 20 rows or more whose values are integers that increase from row to row: it may be an
#' identifier.
#'
#' @section Inverse normal transform:
#' `scale = "ranks"` replaces each column by its normal scores, \eqn{\Phi^{-1}((r - 1/2)/N)}{qnorm((r - 1/2) /
#' N)} for mid-rank r among N rows (cumulative weights, if there are case weights), and divides them by their
#' standard deviation. It suits skewed columns and outliers. The fit stores up to 200 knots per column. New
#' values are interpolated linearly between knots; values outside the range get the score of the nearest end,
#' so extreme new values cannot be recognized. Distances, variances and the trend of [by_response()] refer to
#' the scores; `coef()`, `tidy()` and plots show landmarks in the original units. The transform requires dense
#' data in memory and `space = "euclidean"`. `cv_landmarks(scale = c("sd", "ranks"))` compares both scalings.
#' @seealso [landmarks()], [landmarks-kernel] for case weights, [hellinger()] for counts.
#' @examples
#' # Factors become 0/1 columns
#' set.seed(1)
#' fit <- landmarks(iris, 4, scale = TRUE)
#' round(coef(fit), 2)
#' iris[fit$nearest, ]
#'
#' # Missing values
#' fit <- landmarks(airquality, 5, scale = TRUE, na.action = na.omit)
#' length(na.action(fit))
#' airquality[fit$nearest, ]
#' @name landmarks-data
NULL

# Whether data of a user are read in chunks.
is_chunked <- function(x) inherits(x, c("chunked", "DelayedMatrix", "big.matrix"))

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
  if (is.data.frame(x)) x <- plain_frame(x, arg, call)
  if (is_triplets(x) || methods::is(x, "Matrix")) x <- to_csparse(x, arg, call)
  # Classes that change only how numbers are printed or indexed are dropped.
  if (is.matrix(x) && is.object(x) && length(setdiff(class(x), plain_classes)) == 0) {
    attributes(x) <- list(dim = dim(x), dimnames = dimnames(x))
  }
  dense <- is.matrix(x) && (is.numeric(x) || is.logical(x)) && !is.object(x)
  to_read <- inherits(x, c("connection", "DBIConnection")) || rlang::is_string(x)
  is_vector <- rlang::is_bare_numeric(x) && is.null(dim(x))
  rule <- "a numeric, integer or logical matrix, a sparse matrix of package Matrix, or a data frame"
  hint <- "For one column, use {.code matrix({arg}, ncol = 1)}; for one row, {.code matrix({arg}, nrow = 1)}."
  check_that(dense || methods::is(x, "dgCMatrix"), x, arg, rule, "data", call, c(
    if (to_read) "Read it first, or in chunks: {.fn chunked}, {.code vignette(\"scale\", \"landmarker\")}.",
    if (is_vector) hint
  ))
  if (!empty || ncol(x) == 0) check_some_rows(x, arg, call)
  check_that(!anyNA(colnames(x)), x, arg, "not have missing column names", "columns", call, found = NULL)
  x
}

check_some_rows <- function(x, arg, call) {
  check_that(nrow(x) > 0 && ncol(x) > 0, x, arg, "have at least one row and one column", "data", call,
    found = "It is {nrow(x)} x {ncol(x)}."
  )
}

# Data as a matrix with the columns of `like`, a matrix, in its order: by name where both have names. A data
# frame may have others, of any type.
matched_matrix <- function(x, like, arg, call, empty = FALSE, why = "") {
  if (is.data.frame(x)) x <- plain_frame(match_columns(x, colnames(like), arg, call), arg, call, why)
  x <- match_columns(check_data(x, arg, call, empty), colnames(like), arg, call)
  rule <- "have the {ncol(like)} column{?s} of the training data"
  check_that(ncol(x) == ncol(like), x, arg, rule, "columns", call, found = "It has {ncol(x)}.")
}

# The sparse matrices of package slam, which are the document-term matrices of package tm. They are plain
# lists, so the package need not be installed.
is_triplets <- function(x) inherits(x, "simple_triplet_matrix")

# A matrix of package Matrix, or of slam, as a dgCMatrix. Dense ones become plain matrices.
to_csparse <- function(x, arg, call) {
  check_that(!inherits(x, "TermDocumentMatrix"), x, arg, "have one document per row", "data", call,
    "Transpose it by {.code t({arg})}, or make a DocumentTermMatrix.",
    "It is a TermDocumentMatrix, which has one term per row."
  )
  rule <- paste0("{.arg {arg}} must be a valid object of its class, {.cls ", class(x)[1], "}.")
  if (is_triplets(x)) x <- try_or_abort(triplets_of_matrix(unclass(x)), rule, arg, "data", call)
  # The core trusts the indices of what it is given.
  try_or_abort(methods::validObject(x), rule, arg, "data", call)
  if (identical(class(x)[1], "dgCMatrix")) return(x)
  if (methods::is(x, "denseMatrix")) return(as.matrix(x))
  # A class of another package that contains dgCMatrix, such as the dfm of quanteda, has methods of its own.
  if (methods::is(x, "dgCMatrix")) {
    parts <- list(i = x@i, p = x@p, x = x@x, Dim = x@Dim, Dimnames = unname(dimnames(x)))
    return(do.call(methods::new, c("dgCMatrix", parts)))
  }
  try_default(methods::as(methods::as(methods::as(x, "dMatrix"), "generalMatrix"), "CsparseMatrix"), x)
}

triplets_of_matrix <- function(x) {
  methods::new("dgTMatrix",
    i = as.integer(x$i) - 1L, j = as.integer(x$j) - 1L, x = x$v + 0, Dim = as.integer(c(x$nrow, x$ncol)),
    Dimnames = unname(x$dimnames) %||% list(NULL, NULL)
  )
}

# ---- values --------------------------------------------------------------------------------

# The columns of a dgCMatrix as the core reads them.
sparse_columns <- function(x) list(start = x@p, row = x@i, value = x@x, dim = dim(x))

stored_values <- function(x) if (is.matrix(x)) x else x@x

# list(value, row, column) of a stored value of a matrix, by its number. The column is in words.
entry_of <- function(x, k) {
  if (is.matrix(x)) {
    at <- arrayInd(k, dim(x))
  } else {
    at <- c(x@i[k] + 1, findInterval(k - 1, x@p))
  }
  list(value = stored_values(x)[k], row = at[1], column = name_column(at[2], colnames(x)))
}

# An error for a value that is not finite, as the core has found it. `bad`: the position of the first one
# among the stored values, from 0, or -1.
refuse_bad <- function(bad, x, arg, call) {
  if (bad < 0) return(invisible())
  first <- entry_of(x, bad + 1)
  abort_missing(first$value, first$row, first$column, arg, call)
}

# The data as they are, or an error for the first value that is not finite. Where moments are computed, that
# finds such values too.
check_finite <- function(x, arg, call) {
  bad <- if (is.matrix(x) && nrow(x) > 0) {
    .Call(C_sizes, x, compute_with(call))$bad
  } else {
    match(FALSE, is.finite(stored_values(x)), 0) - 1
  }
  refuse_bad(bad, x, arg, call)
  x
}

# Rows of a dense part as a numeric matrix. (R's own subsets of a matrix take several times as long.)
dense_rows <- function(source, rows) .Call(C_rows, source, as.integer(rows), compute_with())

# ---- experiments of Bioconductor ------------------------------------------------------
# Their columns are the observations. No package is loaded to ask for the class.

is_experiment <- function(x) {
  isS4(x) && (inherits(x, "SummarizedExperiment") || identical(class(x)[1], "SingleCellExperiment"))
}

# The observations as rows: dense, sparse or delayed. `choice`: list(assay, dimred), of which one may be
# given.
experiment_rows <- function(x, choice, arg, call) {
  choice <- check_experiment(x, choice, arg, call)
  if (!is.null(choice$dimred)) return(as.matrix(SingleCellExperiment::reducedDim(x, choice$dimred)))
  out <- SummarizedExperiment::assay(x, choice$assay)
  if (length(dim(out)) != 2) {
    abort_input(c("The assay of {.arg {arg}} must be a matrix.", x = "It has {length(dim(out))} dimensions."),
      arg = "assay", kind = "assay", call = call
    )
  }
  # Matrix::t() is the generic that has methods for sparse and for delayed matrices.
  if (is.data.frame(out)) t(as.matrix(out)) else Matrix::t(out)
}

# The choice, complete: list(assay, dimred), where the assay is a name, or a number where it has no name.
# `tell`: whether to report by a message that the first assay is used.
check_experiment <- function(x, choice, arg, call, tell = FALSE) {
  need_package("SummarizedExperiment", paste0("An object of class ", class(x)[1]), call)
  among <- function(name, has, what, rule) {
    has <- setdiff(has, "")
    known <- rlang::is_string(name) && name %in% has
    check_that(known, name, what, paste0(rule, " of `", arg, "`"), "assay", call,
      remedy = if (length(has)) paste0("It may be ", quoted_or(has), ".") else "None of them has a name."
    )
  }
  assay <- choice$assay
  if (!is.null(choice$dimred)) {
    check_that(is.null(assay), choice$dimred, "dimred", "NULL with {.arg assay}", "assay", call)
    has <- if (methods::is(x, "SingleCellExperiment")) SingleCellExperiment::reducedDimNames(x)
    return(list(
      assay = NULL, dimred = among(choice$dimred, has, "dimred", "the name of a reduced dimension")
    ))
  }
  has <- SummarizedExperiment::assayNames(x)
  count <- length(SummarizedExperiment::assays(x, withDimnames = FALSE))
  if (is.null(assay)) assay <- if ("logcounts" %in% has) "logcounts" else 1L
  if (tell && is.null(choice$assay) && is.numeric(assay) && count > 1) {
    inform_user(c(
      "{.arg x} has no assay {.val logcounts}: the first{if (length(has)) ', '}{.val {has[1]}}, is used.",
      i = "Choose another by {.arg assay}, or a reduced dimension by {.arg dimred}."
    ), kind = "assay", once = has[1], call = call)
  }
  if (is_number(assay) && assay %in% seq_len(count)) {
    assay <- as.integer(assay)
    if (isTRUE(has[assay] != "" & match(has[assay], has) == assay)) assay <- has[assay]
  } else {
    among(assay, has, "assay", "the name or the number of an assay")
  }
  list(assay = assay, dimred = NULL)
}
