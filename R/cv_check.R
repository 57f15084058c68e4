# What is asked of a comparison before it is used.

# `refitted`: whether the parts that predict() uses are needed too.
check_cv <- function(cv, arg = "x", refitted = FALSE, call = rlang::caller_env()) {
  check_object(cv, "cv_landmarks", arg, call)
  if (refitted) check_refitted(cv, arg, call)
  invisible(cv)
}

check_refitted <- function(object, arg, call = rlang::caller_env()) {
  if (is.null(object$coefficients)) {
    abort_input(c(
      "{.arg {arg}} must come from {.fn cv_landmarks} with {.code refit = TRUE}.",
      x = "It has no fit to all rows."
    ), arg = arg, kind = "fit", call = call)
  }
}

# Whether the best of a comparison predicts by the regression of a fit's own.
has_own_regression <- function(cv) inherits(cv$fit, "landmarks") && !is.null(cv$fit$response)

# The measure that chose lambda. Comparisons before version 0.2 have one measure for all.
chooses_lambda <- function(cv) cv$lambda_measure %||% cv$measure
