# Methods for a comparison: coefficients, predictions, tables.

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
#'   probabilities, or numbers), `"prob"` (a column of probabilities for each class), or `"features"`. Where
#'   the best row is of [by_response()], also the other types of [predict.landmarks()], of its fit. For
#'   `as.data.frame()`: `"summary"` (default) or `"units"`.
#' @param na.action What becomes of rows of `newdata` with missing values, as in [predict.landmarks()]. The
#'   default is an error. Features other than those of landmarks need the default.
#' @param interval,level As in [predict.landmarks()], where the best row is of [by_response()].
#' @param ... Not used.
#' @return `coef()`: a matrix, features + 1 x responses. `predict()`: for `"class"` a factor of length M; for
#'   `"prob"` and `"response"` a matrix with a column for each class or tag, or for `"response"` for two
#'   classes and for numbers a vector; for `"features"` a matrix. `as.data.frame()`: a data frame, see
#'   [cv_landmarks()].
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
  if (has_own_regression(object)) response_coefficients(object$fit) else object$coefficients
}

#' @rdname predict.cv_landmarks
#' @export
predict.cv_landmarks <- function(object, newdata, type = NULL, na.action = stats::na.fail, ...,
                                 interval = "none", level = 0.95) {
  check_dots(...)
  call <- rlang::current_env()
  check_cv(object, "object", refitted = TRUE)
  fit <- object$fit
  check_predictable(fit)
  check_given(newdata, "newdata")
  has_classes <- object$type %in% c("classes", "binary")
  own <- has_own_regression(object)
  types_of_fit <- if (own) c("set", "nearest", "variance")
  types <- c(if (has_classes) c("class", "prob"), "response", "features", types_of_fit)
  type <- check_choice(type %||% types[1], types, "type", remedy = response_remedy)
  interval <- check_choice(interval, c("none", "prediction"), "interval")
  if (type %in% types_of_fit || (own && interval != "none")) {
    predict_fit <- function() {
      stats::predict(fit, newdata, type, na.action = na.action, interval = interval, level = level)
    }
    return(with_call(predict_fit(), call, replace = TRUE))
  }
  if (interval != "none") {
    abort_input(c(
      "{.code interval = \"prediction\"} needs a best row of {.fn by_response}.",
      x = "The best row is {.val {as.character(object$best$method)}}.",
      i = "Learn such a fit with {.code landmarks(x, n, by_response(y))}."
    ), arg = "interval", kind = "fit")
  }
  # A fit of landmarks makes the columns of the formula itself.
  given <- list()
  action <- check_na_action(na.action, call, pass = inherits(fit, "landmarks"))
  if (!inherits(fit, "landmarks")) {
    check_choice(action, "na.fail", "na.action", call)
    newdata <- formula_newdata(object, newdata, call)
  } else if (action != "na.fail") {
    # Its predict() warns of columns that vary.
    given <- suppressWarnings(
      forge(fit, newdata, "newdata", call, action), classes = "landmarker_warning_constant"
    )
    newdata <- without_rows(as_rows(newdata, "newdata", call, fit$experiment), given$omitted)
  }
  values <- function() {
    if (type == "features") return(features_of(fit, newdata))
    predict_response(cv_predictions(object, newdata), object, type)
  }
  padded(with_call(values(), call, replace = TRUE), given)
}

# What the regression of a comparison predicts for new rows, with names: rows x responses.
cv_predictions <- function(object, newdata) {
  if (has_own_regression(object)) {
    p <- own_predictions(object$fit, newdata)
    names <- rownames(p)
  } else {
    features <- features_of(object$fit, newdata)
    p <- ridge_response(features, object$coefficients, object$link)
    names <- rownames(features)
  }
  dimnames(p) <- list(names, colnames(object$coefficients))
  p
}

# An error where the fit is of a user's own class, whose method of predict() is not there.
check_predictable <- function(fit, call = rlang::caller_env()) {
  has <- function(class) !is.null(utils::getS3method("predict", class, optional = TRUE))
  if (any(vapply(.class2(fit), has, NA))) return(invisible())
  abort_input(c(
    "The {.code fit} of {.arg object} must be of a class with a method of {.fn predict}.",
    x = "It is {describe(fit)}.", i = "Load the package or the functions that it was learned with."
  ), arg = "object", kind = "fit", call = call)
}

# Whether the best of a comparison predicts by the regression of a fit's own.
has_own_regression <- function(cv) inherits(cv$fit, "landmarks") && !is.null(cv$fit$response)

# `refitted`: whether the parts that predict() uses are needed too.
check_cv <- function(cv, arg = "x", refitted = FALSE, call = rlang::caller_env()) {
  check_object(cv, "cv_landmarks", arg, call)
  if (!refitted || !is.null(cv$coefficients)) return(invisible(cv))
  abort_input(c(
    "{.arg {arg}} must come from {.fn cv_landmarks} with {.code refit = TRUE}.",
    x = "It has no fit to all rows."
  ), arg = arg, kind = "fit", call = call)
}

#' @rdname predict.cv_landmarks
#' @param row.names,optional Not used.
#' @export
as.data.frame.cv_landmarks <- function(x, row.names = NULL, optional = FALSE, type = "summary", ...) {
  check_dots(...)
  check_cv(x)
  # In as.data.frame(cv, "units") the string is the second argument of the generic, `row.names`.
  if (is.character(row.names) && length(row.names) == 1) type <- row.names
  x[[check_choice(type, c("summary", "units"), "type")]]
}

#' @export
nobs.cv_landmarks <- function(object, ...) {
  check_cv(object, "object")
  object$n_rows
}

# ---- tidy tables ---------------------------------------------------------------------

#' Comparisons as tidy tables
#'
#' Methods for the result of [cv_landmarks()] and the generics of package generics (broom). `tidy()` gives the
#' measures of all rows of the comparison, `glance()` one row for its best, and `augment()` predictions of the
#' best beside the data.
#'
#' @param x An object of class `cv_landmarks`.
#' @param data,newdata For `augment()`: data with the columns of the comparison, or of the right-hand side of
#'   its formula. Give one of the two. They mean the same, because a comparison does not keep its data.
#' @param ... Not used; an argument here is an error.
#' @return A tibble.
#'
#'   `tidy()`: a row for each method, number of landmarks, bandwidth, part and measure. Columns: `method`,
#'   `n`, `bandwidth`, `lambda`; `part`, `"held"` for held-out rows or `"test"` for test rows; `measure`;
#'   `estimate`, its mean over folds and seeds; `std.error`; `parts`, the number of held-out parts in the
#'   mean; and `best`, whether it is the best row of the comparison.
#'
#'   `glance()`: `method`, `n`, `bandwidth` and `lambda` of the best; `measure`, the one that chose it, with
#'   its `estimate` and `std.error`; `compared`, the number of rows in the table; `nobs`, the number of rows
#'   of the data without test rows and rows of weight 0, and `test`, the number of test rows; `folds` (1 for
#'   `validation` rows), `seeds`, and `seconds`.
#'
#'   `augment()`: the columns of the data (none of a sparse matrix); for classes `.pred_class`, a factor, and
#'   a column of probabilities for each class, `.pred_` with its name; for tags a column of probabilities
#'   for each; for numbers `.pred`.
#' @section Errors:
#' `augment()` needs a comparison with `refit = TRUE`. Its data are checked as `predict()` does.
#' @seealso [cv_landmarks()], [predict.cv_landmarks()], [summary.cv_landmarks()]
#' @examples
#' cv <- cv_landmarks(Species ~ ., data = iris, n = c(4, 8), folds = 3, seeds = 1, scale = TRUE,
#'   methods = list(gp = by_gp(), random = by_random())
#' )
#' as.data.frame(tidy(cv))
#' as.data.frame(glance(cv))
#' head(as.data.frame(augment(cv, iris)), 3)
#' @export
tidy.cv_landmarks <- function(x, ...) {
  check_dots(...)
  check_cv(x)
  parts <- c("held", if (x$n_test) "test")
  rows <- lapply(seq_len(nrow(x$summary)), function(r) tidy_row(x, r, parts))
  as_tibble_frame(do.call(rbind, rows))
}

# The r-th row of the summary as several rows, one for each part and measure.
tidy_row <- function(x, r, parts) {
  measures <- measure_names[[x$type]]
  row <- x$summary[r, ]
  picked <- picked_units(x$units[row_key(x$units) == row_key(row), ], x$lambda_measure)
  each <- lapply(parts, function(part) {
    names <- paste0(if (part == "test") "test_", measures)
    data.frame(
      row[c("method", "n", "bandwidth", "lambda")],
      part = part, measure = measures,
      estimate = unlist(row[names], use.names = FALSE),
      std.error = unlist(row[paste0(names, "_se")], use.names = FALSE),
      parts = vapply(measures, function(m) sum(!is.na(picked[[part]][[m]])), 0L),
      best = r == best_row(x), row.names = NULL
    )
  })
  do.call(rbind, each)
}

#' @rdname tidy.cv_landmarks
#' @export
glance.cv_landmarks <- function(x, ...) {
  check_dots(...)
  check_cv(x)
  best <- x$best
  as_tibble_frame(data.frame(
    best[c("method", "n", "bandwidth", "lambda")],
    measure = x$measure, estimate = best[[x$measure]], std.error = best[[paste0(x$measure, "_se")]],
    compared = nrow(x$summary), nobs = x$n_rows - x$n_test, test = x$n_test, folds = x$folds,
    seeds = length(x$seeds), seconds = x$seconds
  ))
}

#' @rdname tidy.cv_landmarks
#' @export
augment.cv_landmarks <- function(x, data = NULL, newdata = NULL, ...) {
  check_dots(...)
  check_cv(x, refitted = TRUE)
  call <- rlang::current_env()
  data <- augmented_data(data, newdata, call)$data
  p <- with_call(as.matrix(stats::predict(x, data, "response")), call, replace = TRUE)
  as_of <- function(as) predict_response(p, x, as)
  beside_data(data, prediction_columns(as_of, x$type))
}
