# A fit as a vector of its landmarks, `[` and length(), and methods for other generics of R.

#' Subsets and standard methods of a fit
#'
#' A fit behaves like a vector of its landmarks: `length()` is the number of landmarks, and `fit[1:5]` is the
#' fit of the first five. It is also a list: `fit$bandwidth` and `fit[["bandwidth"]]` extract a component.
#'
#' @section Subsets:
#' `fit[1:m]` and `head(fit, m)` keep the first m landmarks. Coordinates, `variance`, `explained` and `trace`
#' do not depend on later landmarks and are kept; `log_det` is that of the m landmarks. `between` is NA, and
#' the anchor graph ([graph-through-data]) is dropped.
#'
#' For other subsets, such as `fit[c(2, 5)]` or `fit[fit$on_data]`, `variance`, `explained`, `between`,
#' `log_det` and `trace` are NA, because they depend on the preceding landmarks and on the data, which a fit
#' does not contain. `refine_landmarks(fit, x, 0)` computes them, and sorts the landmarks. Coordinates,
#' nearest rows, covariances and features are kept. The landmarks are renamed `L1`, `L2`, ...
#'
#' A subset of a fit by [by_response()] loses its response, with a message, because the coefficients of all
#' landmarks were estimated jointly. Reordering all landmarks keeps it.
#'
#' @section Update:
#' `update(fit, n = 20)` repeats the call of the fit with other arguments. After [add_landmarks()],
#' [refine_landmarks()] or `[`, it repeats all steps. Arguments of [landmarks()] change the first step:
#' `update(add_landmarks(fit, x, 5), n = 20)` finds 20 landmarks and adds 5. Other arguments, such as
#' `max_iterations`, change the last step that has them. New data or weights are also used in later steps that
#' had the same expression for them. Variables are evaluated in the frame that calls `update()`.
#'
#' @param x,object An object of class `landmarks`. `nobs()` also takes a graph, an embedding, a codebook, or
#'   the result of [cv_landmarks()].
#' @param i Landmarks to keep, without repeats: positive or negative indices, names (`"L3"`), or a logical
#'   vector.
#' @param type For `coef()`: `"landmarks"`, the default, or `"response"`.
#' @param row.names Names of the rows. Default NULL: `L1`, `L2`, ...
#' @param optional Whether column names may be non-syntactic, as in [as.data.frame()]. Unnamed columns are
#'   called `V1`, `V2`, ...
#' @param formula. For `update()`: a changed formula, as in [update.formula()]: `~ . - Species` drops a
#'   variable.
#' @param evaluate If FALSE, `update()` returns the call. Default TRUE.
#' @param ... For `update()`: arguments to change, by name. Otherwise not used.
#' @return
#'   * `length()`: the number of landmarks.
#'   * `[`: an object of class `landmarks`. Its `history` records the selection.
#'   * `nobs()`: the number of rows that were used, including those of weight 0. For [cv_landmarks()],
#'     rows of weight 0 and `test` rows are not counted.
#'   * `coef()` and `as.matrix()`: the coordinates, an n x d matrix; `as.data.frame()`: a data frame.
#'     `coef(fit, "response")`: the coefficients of the regression of [by_response()]: intercept, landmarks,
#'     and the slopes of the linear term in the units of the data.
#'   * `formula()`: the formula of the fit, with the dot expanded. A fit to a data frame has the formula of
#'     all its columns.
#'   * `update()`: a fit, or a call.
#'   * `fitted()` and `residuals()`: for [by_response()] with held-out rows, their out-of-fold predictions
#'     and, in a regression, residuals; NA for other rows. Rows that `na.action` left out have NA with
#'     `na.exclude` and no value with `na.omit`. Without held-out rows they give an error: use
#'     `predict(fit, x)`.
#' @section Errors:
#' All are of class `landmarker_error_input`. `landmarker_error_index`: `i` is out of range, has missing or
#' repeated values, or selects no landmark. `landmarker_error_fit`: the fit has no formula, or no call.
#' `landmarker_error_data`: `fitted()` and `residuals()` without held-out rows. `landmarker_error_dots`: an
#' unnamed or unknown argument of `update()`.
#' @seealso [landmarks()], [add_landmarks()], [tidy.landmarks()]
#' @examples
#' set.seed(1)
#' fit <- landmarks(~ ., data = iris, n = 12, scale = TRUE)
#' length(fit)
#' nobs(fit)
#' fit[1:3]
#' as.data.frame(fit[1:3])
#' formula(fit)
#' # The kernel features of the first landmarks are the first columns.
#' all.equal(predict(fit[1:3], iris, "features"), predict(fit, iris, "features")[, 1:3])
#' # Other subsets: variances must be computed from the data.
#' some <- fit[c("L7", "L2")]
#' some$variance
#' refine_landmarks(some, iris, 0)$variance
#' # More landmarks, and without a variable
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
  as.data.frame(stats::coef(x), row.names = row.names, optional = optional)
}

#' @importFrom stats fitted
#' @rdname landmarks-methods
#' @export
fitted.landmarks <- function(object, ...) {
  check_object(object, "landmarks", "object")
  held_out_values(object, object$response$held_out$fitted, "fitted", "{.code predict(fit, x)}")
}

#' @importFrom stats residuals
#' @rdname landmarks-methods
#' @export
residuals.landmarks <- function(object, ...) {
  check_object(object, "landmarks", "object")
  type <- object$response$type
  if (!is.null(type) && !type %in% c("number", "numbers")) {
    abort_input(c("Residuals need a numeric response.", x = "This fit has {response_words[[type]]}."),
      arg = "object", kind = "data"
    )
  }
  report <- object$response$held_out
  residuals <- if (!is.null(report$index)) as.matrix(report$observed) - report$fitted
  held_out_values(object, residuals, "residuals", "{.code y - predict(fit, x, \"response\")}")
}

# Values of held-out rows at the places of these rows among all, where others are NA: a vector, or a matrix
# for several outputs.
held_out_values <- function(fit, values, what, other, call = rlang::caller_env()) {
  index <- fit$response$held_out$index
  if (is.null(index)) {
    abort_input(c(
      "{.fn {what}} needs a fit by {.fn by_response} with held-out rows.",
      x = "This fit has no {if (is.null(fit$response)) 'response' else 'held-out rows'}.",
      i = if (!is.null(fit$response)) paste("For the training rows {.arg x} use", other, "instead.")
    ), arg = "object", kind = "data", call = call)
  }
  rows <- fit$n_rows + length(fit$na.action)
  out <- matrix(NA_real_, rows, ncol(values), dimnames = list(NULL, colnames(values)))
  out[index, ] <- values
  # As lm() has it: na.exclude() keeps the places of rows that were left out, na.omit() does not.
  if (inherits(fit$na.action, "omit")) {
    rownames(out) <- seq_len(rows)
    out <- without_rows(out, fit$na.action)
  }
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
  check_that(!is.null(fit$blueprint), fit, arg, "have been fitted with a formula or to a data frame", "fit",
    call, found = "It was fitted to a matrix."
  )
  fit$blueprint
}

# ---- some of the landmarks -----------------------------------------------------------

#' @rdname landmarks-methods
#' @export
`[.landmarks` <- function(x, i, ...) {
  if (...length()) {
    abort_input(c(
      "A fit is indexed by its landmarks alone, {.code fit[i]}.",
      i = "For coordinates use {.code coef(fit)[i, j]}."
    ), arg = "i", kind = "index")
  }
  check_object(x, "landmarks", "x")
  if (missing(i)) return(x)
  some_landmarks(x, landmark_index(i, nrow(x$landmarks), rlang::current_env()))
}

# The numbers of the landmarks that an index names. It may be of any kind that a vector in R has: numbers,
# negative numbers, names, or TRUE and FALSE. Each landmark may be named once.
landmark_index <- function(i, n, call) {
  numbers <- seq_len(n)
  names <- paste0("L", numbers)
  i <- plain_vector(i)
  vector <- is.atomic(i) && !is.object(i) && is.null(dim(i)) && length(i) <= n
  known <- vector && switch(typeof(i),
    integer = , double = all(i %in% c(numbers, -numbers)), logical = length(i) == n,
    character = all(i %in% names), FALSE
  )
  # An error for positive numbers beside negative ones.
  at <- if (known) try_default(unname(stats::setNames(numbers, names)[i]), NULL)
  # More than n indices have a bad one among the first n + 1.
  some <- if (is.atomic(i) && !is.logical(i)) utils::head(as.vector(i), n + 1)
  bad <- which(duplicated(some) | !some %in% c(numbers, -numbers, names))[1]
  found <- "{.code i[{bad}]} is {describe(some[bad])}{if (again) ', which is repeated'}."
  if (is.na(bad)) found <- "It is {describe(x)}."
  if (known && is.logical(i)) found <- if (anyNA(i)) "It has NA." else "None is TRUE."
  again <- !is.na(bad) && duplicated(some)[bad]
  check_that(length(at) > 0 && !anyNA(at) && !anyDuplicated(at), i, "i",
    "distinct indices from 1 to {n}, names such as \"L1\", or a logical vector of length {n}", "index", call,
    found = found
  )
  at
}

# A fit of the landmarks with the numbers `at`. Some of its values, such as the variance, depend on the
# landmarks before a landmark and on the data. They are kept where `at` is 1, 2, ..., because then the
# landmarks before are the same; otherwise they are NA.
some_landmarks <- function(fit, at) {
  n <- nrow(fit$landmarks)
  if (identical(at, seq_len(n))) return(fit)
  first <- identical(at, seq_along(at))
  out <- unclass(fit)
  out$landmarks <- fit$landmarks[at, , drop = FALSE]
  each <- c("nearest", "nearest_distance", "on_data", "iterations", "moved", "rows")
  out[each] <- lapply(out[each], `[`, at)
  in_order <- c("variance", "explained", "trace")
  out[in_order] <- lapply(out[in_order], `[`, if (first) at else rep(NA_integer_, length(at)))
  out$log_det <- sum(log(fit$n_rows * out$variance))
  # Without some of them other landmarks would be the nearest ones of a row.
  if (length(at) < n) out$between <- NA_real_
  out["covariance"] <- list(switch(covariance_kind(fit$covariance),
    diagonal = fit$covariance[at, , drop = FALSE], full = fit$covariance[, , at, drop = FALSE]
  ))
  out$gaps <- some_pairs(fit$gaps, at)
  out["joined"] <- list(if (length(at) == n) joined_in_order(fit$joined, at))
  out$examined <- some_pairs(fit$examined %||% examined_pairs(fit), at)
  out$subset_of <- fit$subset_of %||% n
  out$response <- if (length(at) == n) response_in_order(fit$response, at)
  if (length(at) < n && !is.null(fit$response)) inform_dropped_response()
  out$history <- c(fit$history, if (length(at) == n) {
    sprintf("all %d landmarks, reordered", n)
  } else {
    count <- if (!first || length(at) > 1) length(at)
    paste(c(if (first) "the first", count, "of", n, "landmarks"), collapse = " ")
  })
  index <- if (first) call(":", 1, as.double(length(at))) else at
  if (is.call(fit$call)) out$call <- call("[", fit$call, index)
  structure(out, class = class(fit))
}

# The regression of the same landmarks in another order.
response_in_order <- function(response, at) {
  if (is.null(response)) return(NULL)
  response$coefficients[] <- response$coefficients[c(1L, at + 1L), , drop = FALSE]
  if (!is.null(response$interval)) response$interval <- reordered_interval(response$interval, at)
  response
}

# The pairs of which both landmarks are kept, by their new numbers.
some_pairs <- function(pairs, at) {
  low <- match(pairs[, "low"], at)
  high <- match(pairs[, "high"], at)
  kept <- !is.na(low) & !is.na(high)
  cbind(low = pmin(low, high)[kept], high = pmax(low, high)[kept])
}

# The pairs of landmarks for which a fit has searched gaps.
examined_pairs <- function(fit) {
  at <- unname(coordinates_of_kernel(fit$landmarks, fit))
  pairs <- neighbor_pairs(at, compute_with(rlang::caller_env()))
  cbind(low = as.integer(pairs$low), high = as.integer(pairs$high))
}

# ---- update(): the call again, with other arguments ----------------------------------

#' @importFrom stats update
#' @rdname landmarks-methods
#' @export
update.landmarks <- function(object, formula., ..., evaluate = TRUE) {
  check_object(object, "landmarks", "object")
  evaluate <- check_flag(evaluate, "evaluate")
  check_that(is.call(object$call), object, "object", "have a {.code call} to repeat", "fit",
    found = "Its {.code call} is {describe(x$call)}."
  )
  changes <- match.call(expand.dots = FALSE)$...
  if (!all(nzchar(rlang::names2(changes)))) {
    abort_input("Arguments to change must be given by name, for example {.code n = 20}.", kind = "dots")
  }
  frame <- parent.frame()
  steps <- steps_of_call(object$call)
  if (!missing(formula.)) {
    check_that(inherits(formula., "formula"), formula., "formula.", "a formula")
    first <- steps[[1]]
    if (!"data" %in% names(first)) first$data <- first$x
    first$x <- updated_formula(fit_blueprint(object, "object", rlang::current_env()), formula.)
    environment(first$x) <- frame
    steps[[1]] <- first
  }
  for (name in names(changes)) steps <- change_step(steps, name, changes[[name]], rlang::current_env())
  call <- call_of_steps(steps)
  if (!evaluate) return(call)
  # Names that stand for values, which nobody has any more.
  lost <- gsub("[<>]", "", grep("^<.*>$", all.names(call, unique = TRUE), value = TRUE))
  if (length(lost)) {
    example <- paste0("update(fit, ", paste(lost, "=", lost, collapse = ", "), ")")
    abort_input(c(
      "{.arg {lost}} must be given again: {.code {example}}.",
      i = "The call of the fit contains {cli::qty(lost)}{?its value/their values}, not {?a name/names}."
    ), arg = lost[1], kind = "fit")
  }
  # The package need not be attached, and the user may have functions of these names.
  eval(call_of_steps(lapply(steps, function(step) {
    if (!is_call_to(step, "[")) step[[1]] <- call("::", quote(landmarker), step[[1]])
    step
  })), frame)
}

# The place in a call at which the call of the step before it stands, or NULL for the first step. The call of
# a fit contains the calls of all steps, as add_landmarks(fit = landmarks(...)).
step_before <- function(call) {
  at <- if (is_call_to(call, "[")) 2L else match("fit", names(call))
  if (!is.na(at) && is.call(call[[at]])) at
}

# The calls of the steps of a fit, the first step first; and the call of all steps again.
steps_of_call <- function(call) {
  at <- step_before(call)
  if (is.null(at)) list(call) else c(steps_of_call(call[[at]]), call)
}

call_of_steps <- function(steps) {
  Reduce(function(before, step) {
    step[[step_before(step)]] <- before
    step
  }, steps)
}

# The steps with another value of an argument; NULL removes it. It is changed in the first step, or else in
# the last step that has it. Later steps that have the same data or weights as the first, or data given as a
# value, get the new ones too.
change_step <- function(steps, name, value, error_call) {
  own <- which(vapply(steps, function(step) name %in% arguments_of(step), NA))
  if (length(own) == 0) abort_input("Unknown argument {.arg {name}}.", kind = "dots", call = error_call)
  k <- if (own[1] == 1) 1 else max(own)
  old <- steps[[k]][[name]]
  if (!is.null(value) || name %in% names(steps[[k]])) steps[[k]][[name]] <- value
  if (k > 1 || is.null(old) || !name %in% c("x", "data", "weights")) return(steps)
  lost <- if (name != "weights" && is.name(old)) quote(`<x>`)
  lapply(steps, function(step) {
    for (i in setdiff(seq_along(step)[-1], step_before(step))) {
      if (identical(step[[i]], old) || identical(step[[i]], lost)) step[i] <- list(value)
    }
    step
  })
}

# The names of the arguments that a step can have.
arguments_of <- function(step) {
  functions <- switch(deparse1(step[[1]]),
    landmarks = list(landmarks.default, landmarks.formula, landmarks.SummarizedExperiment),
    as_landmarks = list(as_landmarks), add_landmarks = list(add_landmarks),
    refine_landmarks = list(refine_landmarks)
  )
  setdiff(unlist(lapply(functions, function(f) names(formals(f)))), c("...", "fit"))
}
