# Short methods for generics of R: length(), nobs(), as.data.frame(), fitted(), residuals() and formula() of a
# fit.

#' Landmarks of a fit, and what R's generics say of it
#'
#' A fit behaves like a vector of its landmarks: `length()` is their number, and `fit[1:5]` is the fit of the
#' first five. It is a plain list underneath: `fit$bandwidth` and `fit[["bandwidth"]]` give its parts, and
#' `unclass(fit)` the list.
#'
#' @section Some of the landmarks:
#' Landmarks come in order, and the variances of the first m landmarks do not depend on the later ones. So
#' coordinates, `variance`, `explained`, `log_det` and `trace` of `fit[1:m]` are exact. `between` is NA, and
#' the graph through the data is dropped, because it is that of all landmarks: without `x` the first m are
#' joined to their nearest ones. `head(fit, m)` gives the same.
#'
#' The variance of a landmark depends on the landmarks before it and on the data, which a fit does not keep.
#' For any other choice, such as `fit[c(2, 5)]` or `fit[fit$on_data]`, `variance`, `explained`, `between`,
#' `log_det` and `trace` are therefore NA, and `plot(fit, type = "variance")` is an error.
#' `refine_landmarks(fit, x, 0)` computes them and puts the landmarks in greedy order. Coordinates, nearest
#' rows, covariances and features are those of the landmarks that are kept.
#' [add_landmarks()] and [refine_landmarks()] continue from them. The landmarks that are kept are numbered
#' anew, `L1`, `L2`, ...
#'
#' A fit by [by_response()] loses its response with a message, because the coefficients belong to all
#' landmarks together. It is kept where all landmarks are kept in another order.
#'
#' @section Update:
#' `update(fit, n = 20)` repeats the call of the fit with other arguments. After [add_landmarks()],
#' [refine_landmarks()] or `[` it repeats all steps. Arguments of [landmarks()] then change its call, the
#' first step: `update(add_landmarks(fit, x, 5), n = 20)` learns 20 landmarks and adds 5. Other arguments,
#' such as `max_iterations`, change the last step that has them. Where a later step has the same data or
#' weights as the first (the same expression in its call), both change. Variables of the call are looked up
#' where `update()` is called.
#'
#' @param x,object,formula An object of class `landmarks`. `nobs()` also takes a graph, an embedding, a
#'   codebook or a comparison of [cv_landmarks()].
#' @param i Which landmarks to keep, each once: numbers from 1 to the number of landmarks, negative numbers
#'   for those to leave out, names (`"L3"`), or TRUE and FALSE for each landmark.
#' @param type For `coef()`: `"landmarks"`, the default, or `"response"`.
#' @param row.names NULL, the default, for the names `L1`, `L2`, ...; or a name for each landmark.
#' @param optional Whether column names may be other than R's names, as in [as.data.frame()]. Columns without
#'   names get `V1`, `V2`, ...
#' @param formula. For `update()`: a changed formula, as in [update.formula()]: `~ . - Species` leaves a
#'   variable out.
#' @param evaluate TRUE, the default, learns anew; FALSE returns the call.
#' @param ... For `update()`: arguments to change, by name. An index after `i` is an error. Else not used.
#' @return
#'   * `length()`: the number of landmarks.
#'   * `[`: a fit, an object of class `landmarks`. Its `history` says which landmarks these are.
#'   * `nobs()`: the number of rows that the landmarks were last learned from, rows of weight 0 included.
#'   * `as.data.frame()`: a data frame of the landmarks' coordinates, a row for each landmark and a column for
#'     each column of the data. `as.matrix()` and `coef()` give the matrix. `coef(fit, "response")` gives the
#'     coefficients of the regression of [by_response()]: intercept, landmarks, and the slopes of the trend by
#'     the columns in the data's units.
#'   * `formula()`: the formula of the fit, with the variables that its dot stood for. A fit to a data frame
#'     has the formula of all its columns.
#'   * `update()`: a fit, or a call.
#'   * `fitted()` and `residuals()`: of a fit by [by_response()] with held-out rows, the predictions of these
#'     rows by models that were learned without them, and, of numbers, their errors; NA for other rows.
#'     Otherwise an error, because a fit does not keep its data. `predict(fit, x)` gives
#'     the features of the rows that it was learned from, `predict(fit, x, "nearest")` their distances.
#' @section Errors:
#' All are of class `landmarker_error_input`. `landmarker_error_index`: an `i` that is out of range, has NA or
#' repeats, or keeps no landmark. `landmarker_error_fit`: a fit that has no formula, or no call.
#' `landmarker_error_data`: `fitted()` and `residuals()`. `landmarker_error_dots`: an argument of `update()`
#' without a name, or that no step has.
#' @seealso [landmarks()], [add_landmarks()], [tidy.landmarks()]
#' @examples
#' set.seed(1)
#' fit <- landmarks(~ ., data = iris, n = 12, scale = TRUE)
#' length(fit)
#' nobs(fit)
#' fit[1:3]
#' as.data.frame(fit[1:3])
#' formula(fit)
#' # The features of the first landmarks are the first features.
#' identical(predict(fit[1:3], iris), predict(fit, iris)[, 1:3])
#' # Any landmarks: their variances are unknown until they are given the data.
#' some <- fit[c("L7", "L2")]
#' some$variance
#' refine_landmarks(some, iris, 0)$variance
#' # The same with another number, and without a variable
#' length(update(fit, n = 20))
#' formula(update(fit, ~ . - Species))
#' @name landmarks-methods
NULL

#' @rdname landmarks-methods
#' @export
length.landmarks <- function(x) if (is.list(x)) NROW(x$landmarks) else length(unclass(x))

#' @importFrom stats nobs
#' @rdname landmarks-methods
#' @export
nobs.landmarks <- function(object, ...) {
  check_object(object, "landmarks", "object")
  object$n_rows
}

#' @rdname landmarks-methods
#' @export
as.data.frame.landmarks <- function(x, row.names = NULL, optional = FALSE, ...) {
  check_object(x, "landmarks", "x")
  as.data.frame(stats::coef(x), row.names = row.names, optional = optional)
}

#' @importFrom stats fitted
#' @rdname landmarks-methods
#' @export
fitted.landmarks <- function(object, ...) {
  check_object(object, "landmarks", "object")
  report <- object$response$held_out
  if (!is.null(report$index)) return(held_out_values(object, report$fitted))
  abort_input(c(
    "A fit does not keep its data, so it has no fitted values.",
    i = if (is.null(object$response)) {
      "{.code predict(fit, x)} gives the features of the rows {.arg x} that it was learned from."
    } else {
      "{.code predict(fit, x, \"response\")} gives the predicted response. No rows were held out."
    }
  ), arg = "object", kind = "data")
}

#' @importFrom stats residuals
#' @rdname landmarks-methods
#' @export
residuals.landmarks <- function(object, ...) {
  check_object(object, "landmarks", "object")
  learned <- !is.null(object$response)
  report <- object$response$held_out
  numbers <- object$response$type %in% c("number", "numbers")
  if (learned && !numbers) {
    abort_input(c(
      "Residuals are those of a response of numbers.",
      x = "The response of this fit is of {response_words[[object$response$type]]}.",
      i = if (!is.null(report$index)) "{.code fitted(fit)} gives the probabilities of held-out rows."
    ), arg = "object", kind = "data")
  }
  if (!is.null(report$index)) {
    return(held_out_values(object, as.matrix(report$observed) - report$fitted))
  }
  abort_input(c(
    "A fit does not keep its data, so it has no residuals.",
    i = "{.code predict(fit, x, \"nearest\")$distance} says how far each row is from its nearest landmark.",
    i = if (learned) "{.code y - predict(fit, x, \"response\")} gives the residuals of a response of numbers."
  ), arg = "object", kind = "data")
}

# Values of held-out rows at the places of these rows among all, where others are NA: a vector, or a matrix
# for several outputs.
held_out_values <- function(fit, values) {
  rows <- fit$n_rows + length(fit$na.action)
  out <- matrix(NA_real_, rows, ncol(values), dimnames = list(NULL, colnames(values)))
  out[fit$response$held_out$index, ] <- values
  if (ncol(out) == 1) out[, 1] else out
}

#' @importFrom stats formula
#' @rdname landmarks-methods
#' @export
formula.landmarks <- function(x, ...) {
  check_object(x, "landmarks", "x")
  blueprint_formula(fit_blueprint(x, "x", rlang::current_env()))
}

# The blueprint of a fit, or an error if the fit has none, and so no formula.
fit_blueprint <- function(fit, arg, call) {
  if (is.null(fit$blueprint)) {
    abort_input(c(
      "{.arg {arg}} must be a fit by a formula, or to a data frame.",
      x = "The landmarks were learned from a matrix, which has no formula."
    ), arg = arg, kind = "fit", call = call)
  }
  fit$blueprint
}
