#' More landmarks, and further steps
#'
#' `add_landmarks()` adds landmarks to a fit and keeps the old ones where they are. The fit may come from
#' `saveRDS()` in another session. `refine_landmarks()` moves all landmarks further, with the steps of
#' [by_gp()] on all rows. The criterion never falls, because a step that would lower it is halved.
#'
#' Local covariances of a fit ([by_dpp()]) are kept by `add_landmarks()` with a method that computes them. In
#' other cases they are dropped, because landmarks that move have other neighbors. [landmark_graph()]
#' computes new ones from `x`.
#'
#' @param fit An object of class `landmarks`.
#' @param x The data to learn from, with the same columns as the data that the fit was learned from: the same
#'   rows, or new ones.
#' @param n How many landmarks to add, a whole number of at least 1.
#' @param method How the new landmarks are found, as in [landmarks()]. The default is the method of the fit.
#' @param weights Observation weights as in [landmarks()]; NULL for equal weights.
#' @param sweeps Steps at the most, each two passes over all rows (default 10).
#'   It ends earlier where no landmark would move by `tolerance`. Afterwards
#'   `converged` is judged by that rule, which is stricter than the one for random
#'   batches: it may take a hundred sweeps until all have converged.
#' @param tolerance In units of \eqn{\sqrt\eta}{sqrt(eta)}, where \eqn{\eta}{eta} is the bandwidth (default
#'   0.001).
#' @param criterion The criterion that `refine_landmarks()` raises, `"trace"` or `"volume"` (see [by_gp()]).
#'   `NULL`, the default, is the criterion that the landmarks were learned by, or `"trace"` where their
#'   method has none.
#' @param halvings The largest number of times that a step is halved (default 8).
#' @section Update:
#' The `call` of the result contains the call of `fit`, so that [update()] repeats both:
#' `update(add_landmarks(fit, x, 5))` learns the landmarks of `fit` again and adds five. Arguments given to
#' `update()` apply to the last call, `add_landmarks()` or `refine_landmarks()`.
#' @return An object of class `landmarks`. After `add_landmarks()` the old landmarks come first, in their
#'   order, then the new ones in greedy order; after `refine_landmarks()` all are in greedy order.
#' @examples
#' set.seed(1)
#' x <- sim_spiral(600)
#' fit <- landmarks(x, 10, bandwidth = 0.3)
#' more <- add_landmarks(fit, x, 5)
#' all.equal(coef(more)[1:10, ], coef(fit))
#' refine_landmarks(more, x, 20)$log_det - more$log_det
#' @export
add_landmarks <- function(fit, x, n, method = NULL, weights = NULL) {
  started <- proc.time()[["elapsed"]]
  check_fit(fit)
  n <- check_count(n, "n")
  method <- find_method(method %||% addable(fit$method))
  source <- fit_source(fit, x, weights)
  held <- fit[c("landmarks", "variance", "steps", "moved", "rows", "trace")]
  check_rank(n, source, rlang::current_env(), held = nrow(fit$landmarks))
  kernel <- fit_kernel(fit)
  described <- learn(method, source, n, kernel, held, call = rlang::current_env())
  added <- nrow(described$landmarks) - nrow(fit$landmarks)
  history <- c(fit$history, sprintf("%d added: %s", added, describe_method(method, described$used)))
  fit <- new_landmarks(
    described, source, kernel, method, fit$scaled, fit$space, fit$blueprint,
    call_on_fit("add_landmarks", match.call(), fit), started, history
  )
  warn_off_data(fit, rlang::current_env())
  fit
}

#' @rdname add_landmarks
#' @export
refine_landmarks <- function(fit, x, sweeps = 10, weights = NULL, tolerance = 0.001, halvings = 8,
                             criterion = NULL) {
  started <- proc.time()[["elapsed"]]
  check_fit(fit)
  sweeps <- check_count(sweeps, "sweeps", min = 0)
  tolerance <- check_number(tolerance, "tolerance", 0, closed = TRUE)
  halvings <- check_count(halvings, "halvings", min = 0, max = 60)
  criterion <- check_choice(criterion %||% fit$method$criterion %||% "trace", c("trace", "volume"), "criterion")
  source <- fit_source(fit, x, weights)
  kernel <- fit_kernel(fit)
  how <- compute_with()
  space <- space_for_core(kernel$space, source$dim[2], source$names)
  bar <- progress_start("Refining landmarks", sweeps)
  # Landmarks that add nothing would make the volume 0.
  some <- fit$variance > 0
  climb <- .Call(
    C_climb, source, all_rows(source, kernel$bandwidth, how), fit$landmarks[some, , drop = FALSE], 0L,
    kernel$bandwidth, criterion, space, c(sweeps, halvings, tolerance), how
  )
  progress_step(bar, sweeps)
  rows <- fit$rows[some]
  if (climb$steps > 0) rows[] <- NA
  all <- selection(climb$landmarks, fit$steps[some] + climb$steps,
    moved = if (sweeps > 0) climb$moved else fit$moved[some], exact = sweeps > 0 || fit$exact, rows = rows,
    criterion = criterion
  )
  described <- order_and_measure(all, source, kernel, 0L, 0L, rlang::current_env())
  if (length(described$variance) < nrow(fit$landmarks)) {
    warn_rank(length(described$variance), nrow(fit$landmarks), rlang::current_env())
  }
  history <- if (climb$steps > 0) describe_refining(climb$steps, criterion)
  fit <- new_landmarks(
    described, source, kernel, fit$method, fit$scaled, fit$space, fit$blueprint,
    call_on_fit("refine_landmarks", match.call(), fit), started, c(fit$history, history)
  )
  warn_off_data(fit, rlang::current_env(), criterion)
  fit
}

# All rows of a source for the core's steps: NULL where they are in one part, which the core reads itself, else
# a function that gives it the sums over all parts, G of landmarks, or H'X of their inverse (see src/core/data/sweep.h).
all_rows <- function(source, bandwidth, how) {
  if (is_resident(source)) return(NULL)
  step <- function(part, landmarks, inverse, bandwidth, how) {
    .Call(C_sums, part, landmarks, inverse, bandwidth, how)
  }
  function(landmarks, inverse) {
    if (is.null(inverse)) return(gram_over(source, landmarks, bandwidth, how)$gram)
    over_parts(source, step, landmarks, inverse, bandwidth, how, combine = `+`)
  }
}

describe_refining <- function(steps, criterion) {
  sprintf("refined by the %s criterion, %d step%s on all rows", criterion, steps, if (steps == 1) "" else "s")
}

# The call that repeats all steps: the call of the fit replaces the argument `fit`, so that
# update() learns the landmarks of the first call again and continues from them. A call by do.call() has the
# function itself in the place of its name.
call_on_fit <- function(name, matched, fit) {
  matched[[1]] <- as.name(name)
  matched$fit <- fit$call
  matched
}

# The method without a start or size that the user gave for the first landmarks.
addable <- function(method) {
  if (inherits(method, "by_gp") && is.matrix(method$start)) method$start <- "pivot"
  if (inherits(method, "by_dpp_exact")) method["size"] <- list(NULL)
  if (inherits(method, "as_landmarks")) method <- by_gp()
  method
}

fit_kernel <- function(fit) {
  list(bandwidth = fit$bandwidth, rule = fit$bandwidth_rule, space = fit$space)
}
