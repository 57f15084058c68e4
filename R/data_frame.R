# Data frames and formulas: a numeric matrix, and a blueprint that reproduces its columns from new data.

#' Data for landmarks: types, factors, missing values, units
#'
#' The data that [landmarks()] and the other functions accept, and the treatment of factors, missing values
#' and columns in different units. Rows are observations.
#'
#' @section Types of data:
#' * A numeric, integer or logical matrix.
#' * A sparse matrix of package Matrix: `dgCMatrix`, or a class that converts to it. It is never made dense.
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
#' A formula has the columns of [model.matrix()] without an intercept and with an indicator for every level of
#' a factor: `~ log(a) * f`, `~ poly(a, 2)`, `~ . - id`. Only [by_response()] and [by_class()] accept a
#' left-hand side: `Species ~ .`. Columns do not depend on `options("contrasts")` or the locale.
#'
#' New data are evaluated with the parameters of `poly()`, `scale()` and similar functions that were estimated
#' from the training data. Variables must therefore be columns of `data`. Short constants, such as `k` in
#' `poly(a, k)`, are stored in the fit; functions must come from packages or the global environment.
#'
#' @section Factors:
#' A factor becomes one 0/1 column per level. With `scale = TRUE` each of these columns has variance 1, so a
#' factor with three levels has the same influence on distances as three numeric columns. Exclude variables
#' that must not enter the distance, such as a class that is to be predicted.
#'
#' Coordinates of landmarks in these columns resemble proportions, but can be slightly below 0 or above 1. For
#' landmarks that have one level each, take the nearest rows, `x[fit$nearest, ]`, or a method that selects
#' rows ([by_dpp()], [by_active()], [by_random()]).
#'
#' The order of an ordered factor is ignored; convert it by `as.integer()` to use it. A factor with more than
#' 100 levels, or with a different level in each of 20 or more rows, gives a warning
#' (`landmarker_warning_levels`). New levels in new data are an error (`landmarker_error_levels`). If
#' `na.action` is not `na.fail`, they are treated as missing, with a warning.
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
#' distinct values, columns with one value in more than nine of ten rows, and pixel-like columns: 16 or more
#' unnamed columns, at least half of which have at least a quarter of the overall range.
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

# list(x, blueprint, omitted): the matrix, the blueprint, and the rows that `na.action` has left out, or NULL.
# `response`: whether the formula may have a left-hand side, which gives no column. `also`: a function of the
# number of rows that returns the numbers of further rows to leave out. `rows`: how many rows all data have.
frame_blueprint <- function(formula, data, call = rlang::caller_env(), arg = rlang::caller_arg(data),
                            response = FALSE, na.action = "na.fail", rows = nrow(data),
                            also = function(rows) integer()) {
  check_frame(data, arg, call)
  if (length(formula) == 3 && !response) {
    # The dot alone would take in the response.
    without <- if ("." %in% all.vars(formula[[3]])) paste(" -", all.vars(formula[[2]]), collapse = "")
    one_sided <- paste0("~ ", deparse1(formula[[3]]), without)
    abort_input(c(
      "The formula must have no left-hand side: this method uses no response.",
      x = "It is {.code {deparse1(formula)}}.",
      i = "Write {.code {one_sided}}, or {.code method = by_response()} to predict a response."
    ), arg = "x", kind = "data", call = call)
  }
  design <- formula_design(formula, data, arg, call, rows)
  action <- check_na_action(na.action, call)
  values <- design_values(design, data, arg, call)
  # poly(), scale() and the like evaluate the same function for new data.
  if (!is.null(design$code)) design$code <- unname(Map(stats::makepredictcall, values, design$code))
  omitted <- omitted_of(values, action, arg, call, row.names(data), also(nrow(data)))
  values <- lapply(values, without_rows, omitted)
  blueprint <- learned_blueprint(design, values, arg, call)
  left <- nrow(data) - length(omitted)
  check_columns_memory(blueprint, left, arg, call)
  x <- values_matrix(values, blueprint, arg, call)
  tell_columns(values, blueprint, left, call)
  list(x = x, blueprint = blueprint, omitted = omitted)
}

check_frame <- function(data, arg, call) {
  check_given(data, arg, call)
  check_that(is.data.frame(data), data, arg, "a data frame", "data", call, remedy = c(
    i = if (is_chunked(data)) "Give data in chunks to {.fn landmarks}, or some of the rows in memory.",
    chunk_remedy(data)
  ))
  check_some_rows(data, arg, call)
  check_columns(data, arg, call)
  check_names_differ(names(data), arg, call)
}

# The blueprint: the design of the formula (data_formula.R), and what it has learned from the variables: their
# `types` and `widths`, that is, numbers of columns; the `levels` of factors, by name; and the names of all
# `columns`. Every level of a factor has a column: with a base level left out, distances would
# depend on which level that is.
learned_blueprint <- function(design, values, arg, call) {
  labels <- design$labels
  types <- unlist(Map(learned_type, values, labels, MoreArgs = list(arg, call)), use.names = FALSE)
  levels <- lapply(values[types == "factor"], function(v) {
    if (is.factor(v)) return(enc2utf8(levels(v)[!is.na(levels(v))]))
    # In the same order in every locale.
    sort(unique(plain_values(v, "factor")), method = "radix")
  })
  suffixes <- lapply(values, function(v) if (NCOL(v) > 1) colnames(v) %||% seq_len(ncol(v)) else "")
  suffixes[types == "factor"] <- levels
  suffixes[types == "logical"] <- "TRUE"
  blueprint <- c(design, list(types = types, widths = unname(lengths(suffixes)), levels = levels))
  names <- each_term(blueprint, function(of, full) {
    Reduce(function(a, b) outer(a, b, paste, sep = ":"), Map(function(i, full) {
      paste0(labels[i], if (full && types[i] == "logical") c("FALSE", "TRUE") else suffixes[[i]])
    }, of, full))
  })
  # Variables keep their names: "ab" may be a level of `a`, and a variable.
  plain <- types %in% c("numeric", "days") & blueprint$widths == 1
  is_plain <- unlist(each_term(blueprint, function(of, full) all(plain[of])))
  first <- order(!rep(is_plain, lengths(names)))
  names <- unlist(names)
  names[first] <- make.unique(names[first])
  blueprint$columns <- names
  blueprint
}

# f(of, full) for each term of a blueprint: the numbers of its variables, and whether logical ones have
# columns for both values. stats::terms() gives such a variable 2 in place of 1.
each_term <- function(blueprint, f) {
  factors <- blueprint$factors
  if (is.null(factors)) return(lapply(seq_along(blueprint$types), f, FALSE))
  lapply(seq_len(ncol(factors)), function(j) {
    of <- which(factors[, j] > 0)
    f(of, factors[of, j] == 2)
  })
}

# The columns that the terms make of the variables: those of model.matrix() with a column for each level.
values_matrix <- function(values, blueprint, arg, call) {
  levels <- vector("list", length(values))
  levels[blueprint$types == "factor"] <- blueprint$levels
  values <- Map(known_values, values, blueprint$types, blueprint$widths, levels, blueprint$labels,
    MoreArgs = list(arg = arg, call = call)
  )
  block <- function(i, full) {
    v <- values[[i]]
    if (blueprint$types[i] == "factor") {
      out <- matrix(0, length(v), length(levels[[i]]))
      out[cbind(seq_along(v), match(v, levels[[i]]))] <- 1
      out
    } else if (full && blueprint$types[i] == "logical") {
      cbind(1 - v, v)
    } else {
      v + 0
    }
  }
  columns <- each_term(blueprint, function(of, full) Reduce(column_products, Map(block, of, full)))
  matrix(unlist(columns, use.names = FALSE),
    ncol = length(blueprint$columns), dimnames = list(NULL, blueprint$columns)
  )
}

# The products of each column of `a` with each of `b`, those of the first column of `b` first.
column_products <- function(a, b) {
  a <- as.matrix(a)
  b <- as.matrix(b)
  a[, rep(seq_len(ncol(a)), ncol(b)), drop = FALSE] * b[, rep(seq_len(ncol(b)), each = ncol(a)), drop = FALSE]
}

# The variables of a blueprint in new data.
frame_values <- function(blueprint, data, arg, call) {
  check_columns(data, arg, call)
  names <- names(data)
  check_has_columns(blueprint$variables, names, arg, call)
  check_names_differ(names[names %in% blueprint$variables], arg, call)
  check_columns_memory(blueprint, nrow(data), arg, call)
  design_values(blueprint, data, arg, call)
}

# The matrix of a blueprint's columns of new data.
frame_matrix <- function(blueprint, data, call, arg = "x") {
  values_matrix(frame_values(blueprint, data, arg, call), blueprint, arg, call)
}

# The columns of a data frame, of which there are copies.
check_columns_memory <- function(blueprint, rows, arg, call) {
  columns <- length(blueprint$columns)
  widest <- which.max(blueprint$widths)
  check_work(3 * as.double(rows) * columns, "The {columns} columns of {.arg {arg}} need", c(
    "Column {.field {blueprint$labels[widest]}} becomes {blueprint$widths[widest]} columns.",
    "Leave out columns, merge rare levels, or use some of the rows at a time."
  ), arg, call)
}
