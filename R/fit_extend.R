# add_landmarks() and refine_landmarks(): fits that continue from a fit.

#' Add landmarks, or continue the optimization
#'
#' `add_landmarks()` adds landmarks to a fit and keeps the existing ones fixed. `refine_landmarks()` moves
#' all landmarks further, by steps of [by_gp()] on all rows. A step never decreases the criterion.
#'
#' `add_landmarks()` keeps local covariances ([by_dpp()]) if its method computes them. Otherwise they are
#' dropped; [landmark_graph()] computes new ones from `x`.
#'
#' With data in chunks, both functions use a sample of the rows, and evaluate the result on all rows (see
#' [chunked()]). `weights` may then be a one-sided formula that names a column, such as `~ w`.
#'
#' @param fit An object of class `landmarks`.
#' @param x Data with the columns of the fit: the same rows, or new ones.
#' @param n Number of landmarks to add, at least 1.
#' @param method How the new landmarks are found, as in [landmarks()]. Default: the method of the fit.
#' @param weights Case weights as in [landmarks()]; NULL for equal weights.
#' @param max_iterations Maximum number of steps (default 10). Each takes two passes over all rows. A hundred
#'   steps may be needed until all landmarks have converged.
#' @param tolerance A landmark has converged if a step would move it by at most this many
#'   \eqn{\sqrt\eta}{sqrt(eta)}, where \eqn{\eta}{eta} is the bandwidth (default 0.001).
#' @param criterion The criterion of `refine_landmarks()`, `"trace"` or `"volume"` (see [gp-criteria]).
#'   Default NULL: that of the fit, or `"trace"` if its method has none.
#' @param y A response, as in [by_response()]. If given, `refine_landmarks()` moves the landmarks to predict
#'   it, with the bandwidth of the fit. `max_iterations` is then the argument `iterations` of
#'   [by_response()], with its default, and `tolerance` and `criterion` are ignored. The fit may be of any
#'   method.
#' @inheritParams landmarks
#' @section Update:
#' [update()][landmarks-methods] repeats all steps: `update(add_landmarks(fit, x, 5))` computes the landmarks
#' of `fit` again and adds five.
#' @return An object of class `landmarks`. After `add_landmarks()` the old landmarks come first, in their
#'   order; the new ones follow in greedy order. After `refine_landmarks()` all are in greedy order.
#' @examples
#' set.seed(1)
#' x <- sim_spiral(600)
#' fit <- landmarks(x, 10, bandwidth = 0.3)
#' more <- add_landmarks(fit, x, 5)
#' all.equal(coef(more)[1:10, ], coef(fit))
#' refine_landmarks(more, x, 20)$log_det - more$log_det
#' @export
add_landmarks <- function(fit, x, n, method = NULL, weights = NULL, threads = NULL, verbose = NULL) {
  started <- proc.time()[["elapsed"]]
  local_compute(threads, verbose)
  check_object(fit, "landmarks", "fit")
  n <- check_count(n, "n")
  held <- nrow(fit$landmarks)
  if (is.null(method)) method <- if (inherits(fit$method, "as_landmarks")) "gp" else fit$method
  method <- match_method(method)
  source <- fit_source(fit, x, weights)
  call <- rlang::current_env()
  method <- method_for_source(method, source, call)
  check_rank(n, source, call, fixed = held)
  check_fit_memory(n + held, source, call)
  kernel <- fit_kernel(fit)
  fit$variance <- known_variance(fit, source, kernel, compute_with())
  fixed <- unclass(fit)[c("landmarks", "variance", of_each)]
  fixed$rows <- numbers_left(fixed$rows, source$omitted, source$dim[1])
  described <- fit_selector(method, source, n, kernel, fixed, call = call)
  described$response <- without_held_out(described$response, fit)
  added <- nrow(described$landmarks) - held
  history <- c(fit$history, sprintf("%d added: %s", added, describe_method(method, described$used)))
  task <- task_on_fit(fit, method, "add_landmarks", match.call(), started)
  fit <- new_landmarks(described, described$source, described$kernel, task, history)
  if (is.null(fit$response)) warn_off_data(fit, call)
  fit
}

#' @rdname add_landmarks
#' @export
refine_landmarks <- function(fit, x, max_iterations = 10, weights = NULL, tolerance = 0.001,
                             criterion = NULL, y = NULL, threads = NULL, verbose = NULL) {
  started <- proc.time()[["elapsed"]]
  local_compute(threads, verbose)
  check_object(fit, "landmarks", "fit")
  # Steps toward a response are many and small, and have a default of their own.
  steps <- if (!missing(max_iterations)) max_iterations
  max_iterations <- check_count(max_iterations, "max_iterations", min = 0)
  tolerance <- check_number(tolerance, "tolerance", 0, closed = TRUE)
  criterion <- criterion %||% fit$method$criterion %||% "trace"
  criterion <- check_choice(criterion, c("trace", "volume"), "criterion")
  task <- task_on_fit(fit, fit$method, "refine_landmarks", match.call(), started)
  if (!is.null(y)) return(refine_toward(fit, x, y, steps, weights, task))
  if (!is.null(fit$response)) inform_dropped_response()
  call <- rlang::current_env()
  source <- fit_source(fit, x, weights)
  kernel <- fit_kernel(fit)
  found <- refine(fit, source, kernel, criterion, max_iterations, tolerance, call)
  n <- nrow(fit$landmarks)
  if (nrow(found$landmarks) < n) warn_rank(nrow(found$landmarks), n, fit$method, call)
  history <- if (found$steps > 0) {
    paste0("refined by the ", criterion, " criterion, ", how_many(found$steps, "iteration"),
      if (!is_sample(source)) " on all rows"
    )
  }
  found$steps <- NULL
  fit <- new_landmarks(found, source, kernel, task, c(fit$history, history))
  if (max_iterations > 0) fit$tolerance <- tolerance
  warn_off_data(fit, call, criterion)
  fit
}

# The landmarks of a fit after steps on all rows, as order_and_measure() returns them, with the number of
# `steps`: 0 if these were in vain.
refine <- function(fit, source, kernel, criterion, max_iterations, tolerance, call) {
  control <- compute_with(call)
  # The volume is 0 with landmarks that depend on others. They stay where they are.
  some <- rep(TRUE, nrow(fit$landmarks))
  if (criterion == "volume") some <- known_variance(fit, source, kernel, control) > rank_floor
  bar <- progress_start("Refining landmarks", max_iterations)
  climb <- climb_rows(source, NULL, fit$landmarks[some, , drop = FALSE], 0L,
    kernel_of_moves(kernel, source, call), criterion, max_iterations, tolerance, control, progress_of(bar)
  )
  if (max_iterations > 0) {
    fit$moved[some] <- climb$moved
    fit["gain"] <- list(climb$gain)
  }
  rows <- numbers_left(fit$rows, source$omitted, source$dim[1])
  measure <- function(landmarks, steps) {
    fit$landmarks[some, ] <- landmarks
    found <- landmark_selection(fit$landmarks, fit$iterations + some * steps, fit$moved,
      exact = max_iterations > 0 || fit$exact, rows = if (steps > 0) replace(rows, some, NA) else rows
    )
    found[c("criterion", "gain")] <- list(criterion, fit$gain)
    c(order_and_measure(found, source, kernel, 0L, 0L, call), steps = steps)
  }
  found <- measure(climb$landmarks, climb$iterations)
  # Landmarks that nearly depend on each other may lose in the measure what a step has won, and those that fit
  # a sample better may leave more of all rows.
  in_doubt <- is_sample(source) || nrow(found$landmarks) < nrow(fit$landmarks) ||
    any(kernel_pivots(found$landmarks, source, kernel, control) < rank_floor)
  if (criterion == "trace" && climb$iterations > 0 && in_doubt) {
    start <- measure(fit$landmarks, 0L)
    explained <- function(found) utils::tail(measured_in_all(found, source, kernel, call)$explained, 1)
    if (explained(start) > explained(found)) return(start)
  }
  found
}

# The landmarks of a fit moved to predict a response, with the fit's bandwidth.
refine_toward <- function(fit, x, y, iterations, weights, task, call = rlang::caller_env()) {
  method <- if (inherits(fit$method, "by_response")) fit$method else by_response()
  if (!is.null(iterations)) iterations <- check_count(iterations, "max_iterations", call = call)
  method["iterations"] <- list(iterations)
  method["family"] <- list(NULL)
  method$y <- y
  source <- fit_source(fit, x, weights, call = call)
  kernel <- fit_kernel(fit)
  method <- method_for_source(method, source, call)
  n <- nrow(fit$landmarks)
  response <- response_for(method, source$dim[1], call)
  found <- learn_response(
    method, response, source, fit$landmarks, n, kernel_of_moves(kernel, source, call),
    source_no_points(source), call
  )
  source <- with_relevance(source, found$relevance)
  described <- order_and_measure(found, source, kernel, n, n, call)
  described$relevance <- found$relevance
  described$response <- without_held_out(found$response, fit)
  history <- sprintf("supervised, %s", how_many(found$response$iterations, "step"))
  new_landmarks(described, source, kernel, task, c(fit$history, history), call)
}

# The response without its measure on held-out rows, where the landmarks of the fit before were already moved
# to predict a response: they may have been moved by the rows that are held out now.
without_held_out <- function(response, fit) {
  if (!is.null(response) && !is.null(fit$response)) response["held_out"] <- list(NULL)
  response
}
