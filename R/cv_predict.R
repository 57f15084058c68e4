# Methods for a comparison: coefficients, predictions, tables.

#' Predictions and coefficients of a comparison
#'
#' Methods for the best model of [cv_landmarks()], refitted to all rows except the test rows. `coef()` returns
#' its coefficients and `predict()` its predictions. For three or more classes there is a column of
#' coefficients for each class; those of the softmax regression sum to zero over the classes.
#' `as.data.frame()` returns the data frame `summary` or `units` of [cv_landmarks()].
#'
#' @param object,x An object of class `cv_landmarks`.
#' @param newdata Data with the same columns as the data of the comparison, M rows. For a formula, a data
#'   frame with the columns of its right-hand side.
#' @param type For `predict()`: `"class"` (default for classes), `"response"` (default otherwise:
#'   probabilities, or a predicted number), `"prob"` (a column of probabilities for each class), or
#'   `"features"`. If [by_response()] is the best method, also the other types of [predict.landmarks()]. For
#'   `as.data.frame()`: `"summary"` (default) or `"units"`.
#' @param na.action How rows of `newdata` with missing values are handled, as in [predict.landmarks()]. The
#'   default, `na.fail`, gives an error. Methods without landmarks, such as [raw_features()], allow no other
#'   choice.
#' @param interval,level As in [predict.landmarks()], if [by_response()] is the best method.
#' @param ... Not used.
#' @return `coef()`: a matrix, features + 1 x responses. `predict()`: for `"class"` a factor of length M; for
#'   `"prob"` and `"response"` a matrix with a column for each class or label, but for `"response"` a vector
#'   if there are two classes or the response is numeric; for `"features"` a matrix. `as.data.frame()`: a data
#'   frame, see [cv_landmarks()].
#' @seealso [cv_landmarks()], [tidy.cv_landmarks()], whose `augment()` adds predictions to the data
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
  if (has_own_regression(object$fit)) response_coefficients(object$fit) else object$coefficients
}

#' @rdname predict.cv_landmarks
#' @export
predict.cv_landmarks <- function(object, newdata, type = NULL, na.action = stats::na.fail, ...,
                                 interval = "none", level = 0.95) {
  check_dots(...)
  call <- rlang::current_env()
  check_cv(object, "object", refitted = TRUE)
  check_given(newdata, "newdata")
  if (has_own_regression(object$fit)) {
    return(with_call(call = call, replace = TRUE, {
      stats::predict(object$fit, newdata, type, na.action = na.action, interval = interval, level = level)
    }))
  }
  types <- c(if (object$type %in% c("classes", "binary")) c("class", "prob"), "response", "features")
  type <- check_choice(type %||% types[1], types, "type", remedy = response_remedy)
  check_that(identical(interval, "none"), interval, "interval",
    "\"none\" unless {.fn by_response} is the best method", "fit", call
  )
  features <- with_call(best_features(object, newdata, na.action, call), call, replace = TRUE)
  if (type == "features") return(features)
  p <- ridge_response(features, object$coefficients, object$link)
  dimnames(p) <- list(rownames(features), colnames(object$coefficients))
  out <- predict_response(p, object, type)
  # Which rows na.omit() has left is told by the names.
  if (is.factor(out) && nrow(p) < NROW(newdata)) names(out) <- rownames(p)
  out
}

# The features of new rows by the fit of a comparison. Rows with missing values have missing features.
best_features <- function(object, newdata, na.action, call) {
  fit <- object$fit
  # A user's own fit may have other columns than the data.
  if (inherits(fit, "landmarks") && (is.null(object$blueprint) || !is.null(fit$blueprint))) {
    return(stats::predict(fit, newdata, "features", na.action = na.action))
  }
  action <- check_na_action(na.action, call, pass = TRUE)
  rule <- "{.code na.fail} unless the best method selects landmarks"
  check_that(action == "na.fail", action, "na.action", rule, call = call, found = "It is {.code {x}}.")
  if (!is.null(object$blueprint)) {
    if (methods::is(newdata, "Matrix")) newdata <- as.matrix(newdata)
    newdata <- frame_for_fit(newdata, "newdata", call, new = TRUE)
    newdata <- frame_matrix(object$blueprint, newdata, call, "newdata")
  }
  features_of(fit, newdata)
}

# `refitted`: whether the parts that predict() uses are needed too.
check_cv <- function(cv, arg = "x", refitted = FALSE, call = rlang::caller_env()) {
  check_object(cv, "cv_landmarks", arg, call)
  if (!refitted || !is.null(cv$coefficients)) return(invisible(cv))
  abort_input("{.arg {arg}} must come from {.fn cv_landmarks} with {.code refit = TRUE}.",
    arg = arg, kind = "fit", call = call
  )
}

#' @rdname predict.cv_landmarks
#' @param row.names,optional Not used.
#' @export
as.data.frame.cv_landmarks <- function(x, row.names = NULL, optional = FALSE, type = "summary", ...) {
  check_dots(...)
  check_cv(x)
  # In as.data.frame(cv, "units") the string is the second argument of the generic, `row.names`.
  if (is.character(row.names)) type <- row.names
  x[[check_choice(type, c("summary", "units"), "type")]]
}

#' @export
nobs.cv_landmarks <- function(object, ...) {
  check_cv(object, "object")
  object$n_rows - object$n_test
}

# ---- tidy tables ---------------------------------------------------------------------

#' Comparisons as tidy tables
#'
#' Methods for the result of [cv_landmarks()]: `tidy()` returns the measures of all combinations that were
#' compared, `glance()` one row for the best combination, and `augment()` the data with predictions of the
#' best model.
#'
#' @param x An object of class `cv_landmarks`.
#' @param data,newdata For `augment()`: data with the columns of the comparison, or of the right-hand side of
#'   its formula. Supply one of the two. They are equivalent, because a comparison does not store its data.
#' @param ... Not used; an argument here is an error.
#' @return A tibble.
#'
#'   `tidy()`: a row for each method, number of landmarks, bandwidth, part and measure. Columns: `method`,
#'   `scale` and `kernel` (if several were compared), `n`, `bandwidth`, `lambda`; `part`, `"held_out"` for
#'   held-out rows or `"test"` for test rows; `measure`; `estimate`, its mean over folds and seeds;
#'   `std.error`; `parts`, the number of folds (over all seeds) in the mean; and `best`, whether it is the
#'   best combination.
#'
#'   `glance()`: the columns `method` to `lambda` for the best combination; `measure`, the measure by which it
#'   was selected, with its `estimate` and `std.error`; `compared`, the number of combinations; `nobs`, the
#'   number of rows without test rows and rows of weight 0, and `test`, the number of test rows; `folds` (1
#'   for `validation` rows), `seeds`, and `seconds`.
#'
#'   `augment()`: the columns of the data (none of a sparse matrix); for classes `.pred_class`, a factor, and
#'   a column of probabilities for each class, `.pred_` with its name; for labels a column of probabilities
#'   for each; for a numeric response `.pred`.
#' @section Errors:
#' `augment()` needs a comparison with `refit = TRUE`. Its data are checked as those of `predict()`.
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
  measures <- measure_names[[x$type]]
  of_row <- function(r) {
    row <- x$summary[r, ]
    picked <- picked_units(x$units[row_key(x$units) == row_key(row), ], x$lambda_measure)
    lapply(c("held_out", if (x$n_test) "test"), function(part) {
      names <- paste0(if (part == "test") "test_", measures)
      data.frame(
        row[c(row_columns(row), "lambda")], part = part, measure = measures,
        estimate = unlist(row[names]), std.error = unlist(row[paste0(names, "_se")]),
        parts = as.integer(colSums(!is.na(picked[[part]][measures]))), best = r == best_row(x),
        row.names = NULL
      )
    })
  }
  as_tibble_frame(do.call(rbind, unlist(lapply(seq_len(nrow(x$summary)), of_row), recursive = FALSE)))
}

#' @rdname tidy.cv_landmarks
#' @export
glance.cv_landmarks <- function(x, ...) {
  check_dots(...)
  check_cv(x)
  best <- x$best
  as_tibble_frame(data.frame(
    best[c(row_columns(best), "lambda")],
    measure = x$measure, estimate = best[[x$measure]], std.error = best[[paste0(x$measure, "_se")]],
    compared = nrow(x$summary), nobs = nobs(x), test = x$n_test, folds = x$folds,
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
  beside_data(data, prediction_columns(p, x))
}
