# Data frames and formulas: a numeric matrix by model.matrix(), and a blueprint to make the same columns from
# new data.

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
#' * A formula and a data frame: `landmarks(~ a + b, data, n = 10)`. The formula is one-sided. Only
#'   [by_response()] and [by_class()] use a left-hand side, the response: `Species ~ .`.
#' * Data that are not in memory: a DelayedMatrix, a `big.matrix`, [data_parts()], [on_workers()].
#' * An experiment of Bioconductor, see [landmarks.SummarizedExperiment()].
#'
#' A fit does not keep its data. Functions that need them again, such as [nearest_observations()], take data
#' with the same columns.
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
#' in UTC. A message (`landmarker_message_days`) says so once in a session. A season or a time of day needs a
#' column of its own, such as `months(when)`, which gives a factor.
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
# Every level of a factor gets a column of its own: with a base level left out, distances would depend on
# which level that is. `response`: whether the formula may have a left-hand side, which gives no column.
# `also`: a function of the number of rows that returns the numbers of further rows to leave out.
frame_blueprint <- function(formula, data, call = rlang::caller_env(), arg = rlang::caller_arg(data),
                            response = FALSE, na.action = "na.fail",
                            also = function(rows) integer()) {
  check_given(data, arg, call)
  if (!is.data.frame(data)) {
    abort_input(
      c(
        "{.arg {arg}} must be a data frame.", x = "It is {describe(data)}.",
        i = if (!in_memory(data)) "Give data that are not in memory without a formula, as {.arg x}."
      ),
      arg = arg, kind = "data", call = call
    )
  }
  check_frame(data, arg, call)
  if (length(formula) == 3 && !response) {
    abort_input(c(
      "The formula must have no left-hand side: this method has no response.",
      x = "It is {.code {deparse1(formula)}}.",
      i = "Write {.code {deparse1(formula[-2])}}, or {.code method = by_response()} to predict a response."
    ), arg = "x", kind = "data", call = call)
  }
  terms <- frame_terms(formula, data, call)
  named <- names_in(data, all.vars(terms))
  absent <- setdiff(named, c(names(data), "pi", "T", "F"))
  if (length(absent)) {
    abort_input(c(
      "{.arg {arg}} must have every variable of the formula as a column.",
      x = "Missing: {.field {absent}}."
    ), arg = arg, kind = "columns", call = call)
  }
  used <- variables_of(terms, data)
  for (name in intersect(used, names(data))) {
    frame_type(data[[name]], name, arg, call)
  }
  frame <- evaluate_terms(terms, data, arg, call)
  action <- check_na_action(na.action, call)
  omitted <- if (action != "na.fail") {
    omitted_of(frame, action, arg, call, row.names(data), also(nrow(data)))
  }
  if (length(omitted)) {
    data <- without_rows(data, omitted)
    frame <- evaluate_terms(terms, data, arg, call)
  }
  types <- vapply(names(frame), function(name) frame_type(frame[[name]], name, arg, call), "")
  levels <- lapply(frame[types == "factor"], function(v) {
    # The same order in every locale.
    if (is.factor(v)) levels(v) else sort(unique(v), method = "radix")
  })
  blueprint <- list(
    # These terms also have what poly() or scale() have learned from the data.
    terms = attr(frame, "terms"), types = types, levels = levels,
    # Also those that functions take: of log(a) the column a.
    variables = intersect(union(used, named), names(data))
  )
  x <- frame_matrix(blueprint, data, call, arg)
  for (name in names(levels)) warn_levels(name, length(levels[[name]]), nrow(data), call)
  moments <- attr(frame, "moments")
  tell_days(moments, call)
  for (name in setdiff(names(frame)[types == "numeric"], moments)) tell_identifier(name, frame[[name]], call)
  blueprint$columns <- colnames(x)
  list(x = x, blueprint = blueprint, omitted = omitted)
}

# The left-hand side of a formula, a response.
formula_response <- function(formula, data, call) {
  plain_columns <- function(name) if (name %in% names(data)) plain_names(name) else name
  response <- in_code(formula[[2]], plain_columns)
  columns <- stats::setNames(data, plain_names(names(data)))
  on_failure(eval(response, columns, environment(formula)), function(e) {
    abort_input(c(
      "The formula must have a response that can be computed from {.arg data}.",
      x = "R reports: {conditionMessage(e)}."
    ), arg = "x", kind = "response", call = call)
  })
}

# A message, once in a session for the same column, where a column may number the rows.
tell_identifier <- function(name, v, call) {
  if (!is.null(dim(v)) || length(v) < 20) return(invisible())
  v <- as.double(unclass(v))
  # NA where a value is missing, which is refused later.
  numbers_rows <- all(v == trunc(v)) && all(diff(v) > 0)
  if (!isTRUE(numbers_rows)) return(invisible())
  tell_user(c(
    "Column {.field {name}} has whole numbers that increase from row to row, as an identifier has.",
    i = paste(
      "Its values take part in all distances.",
      "If it only numbers the rows, leave it out, for example with the formula {.code ~ . - {name}}."
    )
  ), kind = "identifier", once = name, call = call)
}

# The terms of a formula, without the variables that a minus removes, and without
# its environment, whose objects would be saved with the fit.
frame_terms <- function(formula, data, call) {
  # Only the names of the columns are used, for a dot.
  names(data) <- plain_names(names(data))
  formula <- in_code(formula, plain_names)
  given <- on_failure(stats::terms(formula, data = data), function(e) {
    abort_input(c("The formula must be one that R can read.", x = "R reports: {conditionMessage(e)}."),
      arg = "x", kind = "data", call = call
    )
  })
  if (!is.null(attr(given, "offset"))) {
    abort_input(c(
      "The formula must have no {.fn offset}: landmarks have no use for one.",
      x = "It is {.code {deparse1(formula)}}.",
      i = "Leave the offset out, or write its variable as a term."
    ), arg = "x", kind = "data", call = call)
  }
  is_bar <- function(v) is.call(v) && identical(v[[1]], quote(`|`))
  bars <- Filter(is_bar, as.list(attr(given, "variables"))[-1])
  if (length(bars)) {
    abort_input(c(
      "The formula must have no {.code |}: landmarks have no groups or conditions.",
      x = "It is {.code {deparse1(formula)}}.",
      i = "Join variables by {.code +}."
    ), arg = "x", kind = "data", call = call)
  }
  labels <- attr(given, "term.labels")
  # As stats::model.frame() does.
  own <- if (length(formula) == 3) intersect(labels, deparse1(formula[[2]]))
  if (length(own)) {
    warn_user(c(
      "The response {.field {own}} is on the right-hand side of the formula too.",
      i = "It is left out there: what predicts the response from itself is of no use for new rows."
    ), kind = "response", call = call)
    labels <- setdiff(labels, own)
  }
  if (length(labels) == 0) {
    abort_input(c(
      "The formula must have at least one variable.",
      x = "It is {.code {deparse1(formula)}}."
    ), arg = "x", kind = "data", call = call)
  }
  terms <- stats::terms(stats::reformulate(labels))
  attr(terms, ".Environment") <- globalenv()
  terms
}

check_frame <- function(data, arg, call) {
  if (nrow(data) == 0 || ncol(data) == 0) {
    abort_input(c(
      "{.arg {arg}} must have at least one row and one column.",
      x = "It is {nrow(data)} x {ncol(data)}."
    ), arg = arg, kind = "data", call = call)
  }
  # Names that mean something else in code, as `..1`, and names that are longer than R's parser takes.
  reserved <- grep("^(\\.|\\.\\.\\.|\\.\\.[0-9]+)$", names(data))
  long <- which(nchar(names(data), "bytes") > 1000)
  if (length(reserved) || length(long)) {
    abort_input(c(
      "Columns of {.arg {arg}} must have names that a formula can contain.",
      x = if (length(reserved)) {
        "Column {reserved[1]} has the name {.val {names(data)[reserved[1]]}}, which R reserves."
      } else {
        "The name of column {long[1]} has more than 1000 bytes."
      },
      i = "Give the column another name."
    ), arg = arg, kind = "columns", call = call)
  }
  check_names_differ(names(data), arg, call)
  # A column called <U+00E4> beside one of that letter: see data_names.R.
  check_names_differ(plain_names(names(data)), arg, call)
}

# Whether an error is R's for a call of a function that does not exist. The text of the error may be in any
# language, so the call is examined.
is_absent_function <- function(e) {
  name <- if (is.call(e$call) && is.name(e$call[[1]])) as.character(e$call[[1]])
  !is.null(name) && !exists(name, globalenv(), mode = "function")
}

# The model frame, whose columns have their names in UTF-8, and whose terms have plain ones (data_names.R).
evaluate_terms <- function(terms, data, arg, call) {
  given <- data
  names(data) <- plain_names(names(data))
  terms <- plain_terms(terms)
  frame <- on_failure(stats::model.frame(terms, data, na.action = stats::na.pass), function(e) {
    abort_input(c(
      "{.arg {arg}} must have values for which the formula can be evaluated.",
      x = "R reports: {shown_names(conditionMessage(e))}.",
      i = if (is_absent_function(e)) {
        "{.fn predict} evaluates the formula too: define what it calls in the workspace, not in a function."
      }
    ), arg = arg, kind = "data", call = call)
  })
  if (nrow(frame) != nrow(data)) {
    abort_input(c(
      "The formula must give one value for each row of {.arg {arg}}, {nrow(data)}.",
      x = "It gives {nrow(frame)}."
    ), arg = "x", kind = "data", call = call)
  }
  frame <- with_days(frame)
  attr(frame, "plain") <- names(frame)
  names(frame) <- names_in(given, names(frame))
  frame
}

# The matrix of a blueprint's columns, of the data that it was made of or of new data.
frame_matrix <- function(blueprint, data, call, arg = "x") {
  absent <- setdiff(blueprint$variables, names(data))
  if (length(absent)) abort_columns(absent, arg, call)
  check_names_differ(names(data)[names(data) %in% blueprint$variables], arg, call)
  frame <- evaluate_terms(blueprint$terms, data, arg, call)
  new <- !is.null(blueprint$columns)
  check_columns_memory(frame, blueprint$terms, blueprint$levels, nrow(frame), arg, call, new)
  for (name in names(frame)) {
    column <- frame[[name]]
    check_type(column, blueprint$types[[name]], name, arg, call)
    check_complete(column, name, arg, call)
    if (blueprint$types[[name]] == "factor") {
      frame[[name]] <- whole_factor(column, blueprint$levels[[name]], name, arg, call)
    }
  }
  names(frame) <- attr(frame, "plain")
  x <- stats::model.matrix(attr(frame, "terms"), frame)
  # model.matrix() names the levels' columns <variable><level>: "ab" may be one of `a`, and a variable.
  of <- c("(Intercept)", attr(attr(frame, "terms"), "term.labels"))[attr(x, "assign") + 1]
  own <- (colnames(x) == of)[colnames(x) != "(Intercept)"]
  x <- x[, colnames(x) != "(Intercept)", drop = FALSE]
  # Variables keep their names.
  first <- order(!own)
  names <- shown_names(without_backticks(colnames(x)))
  names[first] <- make.unique(names[first])
  dimnames(x) <- list(NULL, names)
  absent <- setdiff(blueprint$columns, colnames(x))
  if (length(absent)) abort_columns(absent, arg, call)
  x
}

# The columns of a data frame, of which model.matrix() makes several copies, and the contrasts of each factor.
# `new`: whether the data are new ones for a fit, whose columns can no longer be chosen.
check_columns_memory <- function(frame, terms, levels, rows, arg, call, new = FALSE) {
  width <- vapply(names(frame), function(name) {
    as.double(if (name %in% names(levels)) length(levels[[name]]) else NCOL(frame[[name]]))
  }, 0)
  among <- attr(terms, "factors") > 0
  of_term <- apply(among, 2, function(with) prod(width[variables_of(terms)[with]]))
  columns <- sum(of_term)
  widest <- names(which.max(width))
  term <- colnames(among)[which.max(of_term)]
  check_work(3 * as.double(rows) * columns + 3 * sum(width[names(levels)]^2),
    "The {columns} columns of {.arg {arg}} need",
    if (new) {
      "Give some of the rows at a time."
    } else if (length(levels) && max(width) > 1) {
      c(
        "Column {.field {widest}} has {width[[widest]]} levels, and each becomes a column of 0 and 1.",
        "Leave it out, for example with the formula {.code ~ . - {widest}}, or merge its rare levels."
      )
    } else {
      "Use fewer variables: {.field {term}} has the most columns."
    }, arg, call
  )
}

check_type <- function(column, expected, name, arg, call) {
  # A column of NA alone is logical: the error says that values are missing.
  if (column_type(column) %in% expected || all(is.na(column))) return(invisible())
  rule <- if (expected == "factor") "a factor or strings" else expected
  abort_input(c(
    "{.arg {arg}} must have columns of the types that the landmarks were learned from.",
    x = "Column {.field {name}} must be {rule}. It is {describe(column)}."
  ), arg = arg, kind = "columns", call = call)
}

is_blueprint <- function(blueprint, d) {
  is.list(blueprint) && is_sound_terms(blueprint$terms) && is_text(blueprint$variables) &&
    is_text(blueprint$columns, d) && is_text(names(blueprint$types)) &&
    all(blueprint$types %in% c("numeric", "logical", "factor")) &&
    setequal(plain_names(names(blueprint$types)), plain_names(variables_of(blueprint$terms))) &&
    all(plain_names(blueprint$variables) %in% all.names(blueprint$terms)) && is.list(blueprint$levels) &&
    setequal(names(blueprint$levels), names(blueprint$types)[blueprint$types == "factor"]) &&
    all(vapply(blueprint$levels, function(v) is_text(v) && length(v) > 0 && !anyDuplicated(v), NA)) &&
    (is.null(blueprint$response) || is.language(blueprint$response))
}

# Whether these are terms as stats::terms() makes them of their own formula, with the attributes that
# predictions use.
is_sound_terms <- function(terms) {
  if (!inherits(terms, "terms") || !is.call(terms)) return(FALSE)
  own <- c("variables", "factors", "term.labels", "order", "intercept", "response")
  again <- stats::terms(stats::formula(terms))
  identical(attributes(again)[own], attributes(terms)[own]) && is.environment(attr(terms, ".Environment")) &&
    is.call(attr(terms, "predvars"))
}
