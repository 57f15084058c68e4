# Methods for a comparison: coefficients and predictions. The plot is in cv_plot.R, the tables are in
# cv_result.R and cv_tidy.R.

#' Predictions and coefficients of a comparison
#'
#' Methods for the best row of [cv_landmarks()]. `coef()` gives its coefficients, learned again from all rows
#' except the test rows, and `predict()` its predictions. For three or more classes the coefficients have a
#' column for each class: of the softmax regression, where they sum to zero over the classes, or of each class
#' against the rest. `as.data.frame()` gives the table, or the long table with a row for each seed, fold and
#' lambda.
#'
#' @param object,x An object of class `cv_landmarks`.
#' @param newdata Data with the same columns as the data of the comparison, M rows. For a formula, a data
#'   frame with the columns of its right-hand side.
#' @param type For `predict()`: `"class"` (default for classes), `"response"` (default otherwise:
#'   probabilities, or numbers), or `"features"`. For `as.data.frame()`: `"summary"` (default) or `"units"`.
#' @param na.action What becomes of rows of `newdata` with missing values, as in [predict.landmarks()]. The
#'   default is an error. Features other than those of landmarks need the default.
#' @param ... Not used.
#' @return `coef()`: a matrix, features + 1 x responses. `predict()`: for `"class"` a factor of length M; for
#'   `"response"` a matrix with a column for each class or tag, or for two classes and for numbers a vector;
#'   for `"features"` a matrix. `as.data.frame()`: a data frame, see [cv_landmarks()].
#' @seealso [cv_landmarks()], [tidy.cv_landmarks()] for tibbles with predictions beside the data
#' @examples
#' cv <- cv_landmarks(Species ~ ., data = iris,
#'   n = c(3, 6), methods = list(gp = by_gp(), random = by_random()),
#'   folds = 3, seeds = 1, scale = TRUE
#' )
#' table(predict(cv, iris), iris$Species)
#' head(predict(cv, iris, type = "response"), 3)
#' coef(cv)
#' as.data.frame(cv, type = "units")[1:3, ]
#' @name predict.cv_landmarks
NULL

#' @rdname predict.cv_landmarks
#' @export
coef.cv_landmarks <- function(object, ...) {
  check_cv(object, "object", refitted = TRUE)
  object$coefficients
}

#' @rdname predict.cv_landmarks
#' @export
predict.cv_landmarks <- function(object, newdata, type = NULL, na.action = stats::na.fail, ...) {
  check_dots(...)
  call <- rlang::current_env()
  check_cv(object, "object", refitted = TRUE)
  check_predictable(object)
  check_given(newdata, "newdata")
  has_classes <- object$type %in% c("classes", "binary")
  type <- check_choice(type %||% if (has_classes) "class" else "response",
    c(if (has_classes) "class", "response", "features"), "type",
    remedy = response_remedy
  )
  # A fit of landmarks knows the formula itself.
  if (inherits(object$fit, "landmarks")) {
    given <- new_rows(object$fit, newdata, na.action, NULL, call)
  } else {
    check_choice(check_na_action(na.action, call), "na.fail", "na.action", call)
    given <- list(newdata = formula_newdata(object, newdata, call))
  }
  features <- with_call(stats::predict(object$fit, given$newdata), call, replace = TRUE)
  if (type == "features") return(padded(features, given))
  out <- predict_response(features, object$coefficients, object$link, object$type, object$levels, type)
  padded(out, given)
}

# The fit may be of a class of the user's own.
check_predictable <- function(object, call = rlang::caller_env()) {
  has <- function(class) !is.null(utils::getS3method("predict", class, optional = TRUE))
  if (any(vapply(.class2(object$fit), has, NA))) return(invisible())
  abort_input(c(
    "The {.code fit} of {.arg object} must be of a class with a method of {.fn predict}.",
    x = "It is {describe(object$fit)}.", i = "Load the package or the functions that it was learned with."
  ), arg = "object", kind = "fit", call = call)
}

#' @export
nobs.cv_landmarks <- function(object, ...) {
  check_cv(object, "object")
  object$n_rows
}
