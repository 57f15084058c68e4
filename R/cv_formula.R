# cv_landmarks() with a formula and data: it makes x, y, weights and groups of these and calls cv_landmarks()
# with them.

#' @rdname cv_landmarks
#' @export
cv_landmarks.formula <- function(x, data, ..., weights = NULL, groups = NULL, na.action = stats::na.fail,
                                 subset = NULL) {
  call <- rlang::current_env()
  check_frame(data, "data", call)
  if ("y" %in% names(rlang::exprs(...))) {
    abort_input("{.arg y} must not be given with a formula, which has the response on its left-hand side.",
      arg = "y", call = call
    )
  }
  if (length(x) != 3) {
    abort_input(c(
      "The formula must have the response on its left-hand side.", x = "It is {.code {deparse1(x)}}."
    ), arg = "x", kind = "response", call = call)
  }
  # The response and the groups lose the rows that `na.action` leaves out, as those of a method do.
  method <- by_response()
  method$groups <- formula_value(rlang::enquo(groups), data,
    "{.arg groups} must be computed from {.arg data}, such as one of its columns.", "groups", "group", call
  )
  input <- mold_formula(x, data, method, rlang::enquo(weights), rlang::enquo(subset), na.action, call)
  # Where rows were left out, row numbers that the user gave would mean other rows. A single number as `folds`
  # is how many folds there are.
  given <- if (length(input$omitted)) lengths(list(...)[c("folds", "validation", "test")])
  numbered <- names(given)[given > c(1, 0, 0)]
  if (length(numbered)) {
    abort_input(c(
      "{.arg {numbered[1]}} must not index rows if {.arg na.action} leaves some of them out.",
      i = "Leave out rows with missing values first: {.code data <- na.omit(data)}."
    ), arg = numbered[1], kind = "na_action", call = call)
  }
  input$formula <- structure(x, .Environment = globalenv())
  input$call <- strip_call(match.call(), "cv_landmarks")
  cv_landmarks(
    structure(input, class = "cv_data"), input$method$y, ...,
    weights = input$weights, groups = input$method$groups
  )
}
