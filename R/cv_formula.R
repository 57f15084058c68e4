# cv_landmarks() with a formula and data, and the weights of both interfaces.

#' @rdname cv_landmarks
#' @export
cv_landmarks.formula <- function(x, data, ..., weights = NULL, na.action = stats::na.fail) {
  call <- rlang::current_env()
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
    also = function(rows) missing_response(formula_response(x, data, call), rows)
  )
  weights <- formula_weights(rlang::enquo(weights), data, call)
  check_weights(weights, nrow(data), call)
  weights <- without_rows(weights, frame$omitted)
  y <- without_rows(formula_response(x, data, call), frame$omitted)
  if (length(frame$omitted)) check_no_row_numbers(..., call = call)
  # By the generic: errors then name the function that the user called.
  out <- cv_landmarks(x = frame$x, y = y, ..., weights = weights)
  out$call <- light_call(generic_call(match.call()))
  out$formula <- x
  environment(out$formula) <- globalenv()
  out$blueprint <- frame$blueprint
  if (length(frame$omitted)) out$na.action <- frame$omitted
  # The fit takes data frames too, unless it was learned from a method's own data.
  if (inherits(out$fit, "landmarks") && !out$own_data[[out$best$method]]) out$fit$blueprint <- frame$blueprint
  out
}

# Where rows were left out, numbers of rows would mean others.
check_no_row_numbers <- function(..., call) {
  given <- list(...)
  given <- given[intersect(names(given), c("folds", "validation", "test", "train"))]
  # A single number is one of folds, but a row for the others.
  is_free <- vapply(given, is.null, NA) | (names(given) == "folds" & vapply(given, is_number, NA))
  of_rows <- names(given)[!is_free]
  if (length(of_rows) == 0) return(invisible())
  abort_input(c(
    "{.arg {of_rows[1]}} must not refer to rows where {.arg na.action} leaves some of them out.",
    i = "Leave out rows with missing values before, for example by {.code data <- na.omit(data)}."
  ), arg = of_rows[1], kind = "na_action", call = call)
}

# New data as the formula makes them, for the fit of a comparison.
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
