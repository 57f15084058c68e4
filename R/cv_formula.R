# cv_landmarks() with a formula and data: it makes x, y and weights of these and calls cv_landmarks() with
# them.

#' @rdname cv_landmarks
#' @export
cv_landmarks.formula <- function(x, data, ..., weights = NULL, groups = NULL, na.action = stats::na.fail,
                                 subset = NULL) {
  call <- rlang::current_env()
  rows <- formula_subset(rlang::enquo(subset), data, call)
  total <- if (!is.null(rows)) nrow(data)
  if (!is.null(rows)) data <- data[rows, , drop = FALSE]
  if ("y" %in% names(rlang::exprs(...))) {
    abort_input("{.arg y} must not be given with a formula, which has the response on its left-hand side.",
      arg = "y", call = call
    )
  }
  if (length(x) != 3) {
    abort_input(c(
      "The formula must have the response on its left-hand side.",
      x = "It is {.code {deparse1(x)}}.",
      i = "Write {.code y {deparse1(x)}}, where {.code y} is the column to predict."
    ), arg = "x", kind = "response", call = call)
  }
  frame <- frame_blueprint(x, data, call, "data",
    response = TRUE, na.action = na.action,
    # Rows whose response is missing are left out too, where `na.action` leaves rows out.
    also = function(rows) missing_response(formula_response(x, data, call), rows)
  )
  weights <- of_subset(formula_weights(rlang::enquo(weights), data, call), rows, total)
  check_weights(weights, nrow(data), call)
  weights <- without_rows(weights, frame$omitted)
  groups <- of_subset(formula_groups(rlang::enquo(groups), data, call), rows, total)
  check_groups(groups, nrow(data), call)
  groups <- without_rows(groups, frame$omitted)
  y <- without_rows(formula_response(x, data, call), frame$omitted)
  if (length(frame$omitted)) check_no_row_numbers(..., call = call)
  # By the generic, not the method: errors then name the function that the user called.
  out <- cv_landmarks(x = frame$x, y = y, ..., weights = weights, groups = groups)
  out$call <- light_call(match.call(), "cv_landmarks")
  out$formula <- x
  environment(out$formula) <- globalenv()
  out$blueprint <- frame$blueprint
  if (length(frame$omitted)) out$na.action <- frame$omitted
  # With the blueprint the fit itself accepts data frames. Where it was learned from data of the method's own,
  # these have other columns.
  if (inherits(out$fit, "landmarks") && !out$own_data[[out$best$method]]) out$fit$blueprint <- frame$blueprint
  out
}

# The groups in a call with a formula: a column of the data, or any expression with its columns.
formula_groups <- function(groups, data, call) {
  formula_value(groups, data,
    "{.arg groups} must be computed from {.arg data}, such as one of its columns.", "groups", "group", call
  )
}

# Where rows were left out, row numbers that the user gave would mean other rows.
check_no_row_numbers <- function(..., call) {
  given <- list(...)
  given <- given[intersect(names(given), c("folds", "validation", "test"))]
  # A single number as `folds` is how many folds there are, and refers to no row.
  is_free <- vapply(given, is.null, NA) | (names(given) == "folds" & vapply(given, is_number, NA))
  of_rows <- names(given)[!is_free]
  if (length(of_rows) == 0) return(invisible())
  abort_input(c(
    "{.arg {of_rows[1]}} must not refer to rows where {.arg na.action} leaves some of them out.",
    i = "Leave out rows with missing values before, for example by {.code data <- na.omit(data)}."
  ), arg = of_rows[1], kind = "na_action", call = call)
}

# New data for the fit of a comparison: the columns that the formula makes of them.
formula_newdata <- function(object, newdata, call) {
  if (is.null(object$blueprint) || object$own_data[[object$best$method]]) return(newdata)
  if (!is.data.frame(newdata)) {
    abort_input(c(
      "{.arg newdata} must be a data frame, because the comparison was made with a formula.",
      x = "It is {describe(newdata)}."
    ), arg = "newdata", kind = "data", call = call)
  }
  frame_matrix(object$blueprint, newdata, call, "newdata")
}
