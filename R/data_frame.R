# Data frames and formulas: a numeric matrix, and a blueprint to make the same columns from new data.

#' Data for landmarks: kinds of data, factors, missing values, units
#'
#' What [landmarks()] and the other functions of this package take as data, and what becomes of factors,
#' missing values, and columns of different units. Data are N x d: N observations, one a row, of d columns.
#'
#' @section Kinds of data:
#' * A numeric, integer or logical matrix.
#' * A sparse matrix of package Matrix: `dgCMatrix`, or a class that converts to it and stays sparse. It is
#'   never made dense.
#' * A document-term matrix of package tm, quanteda or text2vec.
#' * A data frame. Each factor, and each column of strings, becomes 0/1 columns (see Factors).
#' * A formula and a data frame: `landmarks(~ a + b, data, n = 10)`. See Formulas.
#' * Data that are not in memory: a DelayedMatrix, a `big.matrix`, or chunks of any kind, [chunked()].
#' * An experiment of Bioconductor, see [landmarks.SummarizedExperiment()].
#'
#' A fit does not keep its data. Functions that need them again, such as [nearest_observations()], take data
#' with the same columns.
#'
#' @section Formulas:
#' A formula has the columns of [model.matrix()], except that every level of a factor has one and that there
#' is no intercept: `~ log(a) * f`, `~ poly(a, 2)`, `~ . - id`. It is one-sided. Only [by_response()] and
#' [by_class()] use a left-hand side, the response: `Species ~ .`. The columns do not depend on options such
#' as `contrasts`, nor on the locale.
#'
#' The formula is evaluated again for new data, with what functions such as `poly()` and `scale()` have
#' learned from the training data. So its variables must be columns of `data`. Short constants, such as `k`
#' of `poly(a, k)`, are kept with the fit. Functions must be those of packages or of the workspace, not of
#' another function's frame.
#'
#' @section Factors:
#' A factor becomes one 0/1 column for each level, and `print()` names the factors. With `scale = TRUE` each
#' of these columns has variance 1. So a factor of three levels weighs as much as three columns of numbers,
#' and a logical column as much as one. Leave out a factor that the landmarks should not know, for example a
#' class that you want to predict.
#'
#' The coordinates of a landmark in these columns are often shares, such as 0.7 and 0.3. The largest marks
#' the level. A landmark need not be a row, so they may also lie a little below 0 or above 1. For landmarks
#' with one level each, take the nearest rows of the data, `x[fit$nearest, ]`, or a method whose landmarks
#' are rows: [by_dpp()], [by_active()] or [by_random()].
#'
#' The order of an ordered factor is not used. To use it, make the factor one column of numbers with
#' `as.integer()`.
#'
#' A warning (`landmarker_warning_levels`) is given for a factor of more than 100 levels, and for a factor of
#' 20 or more rows in which every row has its own level.
#'
#' New data must have the levels that the fit has seen; others are an error (`landmarker_error_levels`). With
#' an `na.action` other than `na.fail` an unseen level counts as a missing value, with a warning
#' (`landmarker_warning_levels`): [predict()][predict.landmarks()] gives such rows NA or leaves them out.
#'
#' @section Dates and times:
#' A column of class `Date` or `POSIXct` of a data frame counts in days, as the number of days from 1970 on,
#' in UTC. A season or a time of day needs a column of its own, such as `format(when, "%m")`, which gives a
#' factor. (`months()` gives names that depend on the locale.) Convert a `POSIXlt` by `as.POSIXct()`.
#'
#' @section Missing values:
#' Missing and infinite values are errors (`landmarker_error_missing`) that name the place of the first one.
#' `na.action = na.omit` or `na.exclude` leaves out each row that has a missing value in a variable that is
#' used, or in the response of a formula, of [by_response()] or of [by_class()]. The weights of these rows
#' are left out too. The fit is that of the rows that are left.
#'
#' * The default, `na.fail`, is an error. It is not that of [lm()], which drops rows silently. `na.pass` is
#'   an error, because such rows have no distances.
#' * `print()` says how many rows were left out, and `na.action(fit)` has their numbers, as for `lm()`.
#' * `nearest` and `rows` are numbers of rows as `x` or `data` has them, so `x[fit$nearest, ]` needs no
#'   correction. `n_rows` counts the rows that were used.
#' * Later steps on data, such as [add_landmarks()], [refine_landmarks()] and [nearest_observations()], leave
#'   out rows with missing values as the fit did. [predict()][predict.landmarks()] has an argument
#'   `na.action` of its own.
#' * Infinite values are errors in any case. Weights must be complete. Rows of data that are not in memory
#'   cannot be left out.
#'
#' @section Units:
#' Distances add up the squared differences of all columns. A column of large numbers counts more than the
#' others. `scale = TRUE` divides each column by its standard deviation (with weights, the weighted one).
#' A constant column is allowed, stays as it is, and adds nothing to any distance.
#'
#' A message (`landmarker_message_units`) is given where `scale` is missing and the standard deviations of
#' two columns differ by a factor of 30 or more. It is shown once in a session for the same columns.
#' `scale = FALSE` states that all columns share a unit and turns the message off. The comparison leaves out
#' columns with at most two values, and columns with one value in more than nine of ten rows: these are
#' indicators, words, and pixels at the border of an image. It also leaves out columns like those of images:
#' 16 or more without names, half of which have at least a quarter of the range of all values. It is made for
#' dense data in the Euclidean space only.
#'
#' @section Ranks:
#' `scale = "ranks"` replaces each column by its normal scores, \eqn{\Phi^{-1}((r - 1/2)/N)}{qnorm((r - 1/2) /
#' N)} for a value of mid-rank r among the N rows (sums of weights, with weights), and then divides it by its
#' standard deviation. So skewed columns and columns with outliers become normal. Equal values have one score:
#' a column of two values stays one. A fit keeps up to 200 knots for each column. Values between knots have
#' scores on the line between, values outside the range have the score of the nearest end, so that new data
#' far outside look like those at the border. `coef()`, `tidy()` and pictures show landmarks in the data's
#' units; distances, variances and the trend of [by_response()] are those of scores. It needs dense data in
#' memory and `space = "euclidean"`. `cv_landmarks(scale = c("sd", "ranks"))` compares both.
#'
#' @section Identifiers:
#' A message (`landmarker_message_identifier`) is given where a numeric column of a data frame of 20 rows or
#' more has whole numbers that increase from row to row. It may be an identifier, and it takes part in all
#' distances. The message is shown once in a session for the same column.
#' @seealso [landmarks()], [landmarks-kernel] for weights, [hellinger()] for counts.
#' @examples
#' # Factors become 0/1 columns.
#' set.seed(1)
#' fit <- landmarks(iris, 4, scale = TRUE)
#' round(coef(fit), 2)
#' iris[fit$nearest, ]
#'
#' # Rows with missing values
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
    abort_input(c(
      "The formula must have no left-hand side: this method has no response.",
      x = "It is {.code {deparse1(formula)}}.",
      i = "Write {.code {deparse1(formula[-2])}}, or {.code method = by_response()} to predict a response."
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
    "Column {.field {blueprint$labels[widest]}} becomes {blueprint$widths[widest]} of them.",
    "Leave out columns or merge rare levels, or give some of the rows at a time."
  ), arg, call)
}
