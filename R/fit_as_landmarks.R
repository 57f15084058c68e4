# as_landmarks(): a fit whose landmarks are points that the user gives.

#' Landmarks from your own coordinates
#'
#' `as_landmarks()` makes a fit, as [landmarks()] does, from points that you give: centers of another method,
#' prototypes, a grid. Use it to compare them with learned landmarks, or to use `predict()`, plots and
#' embeddings with them. Their order is kept. A point that adds nothing to the features of the points before
#' it (a repeated point, for example) is kept with variance 0.
#'
#' @param points Numeric matrix or data frame, n x d: one landmark a row, with the columns and in the units
#'   of the data.
#' @inheritParams landmarks
#' @param x The data, as in [landmarks()]. The variances, nearest rows and the rules for `bandwidth` are
#'   computed from them.
#' @return An object of class `landmarks`.
#' @examples
#' x <- sim_circles(400)
#' grid <- as.matrix(expand.grid(x = c(-1, 0, 1), y = c(-1, 0, 1)))
#' as_landmarks(grid, x, bandwidth = 0.5)
#' @export
as_landmarks <- function(points, x, bandwidth = "variance", space = "euclidean", weights = NULL,
                         scale = FALSE, na.action = stats::na.fail, threads = NULL, verbose = NULL) {
  started <- proc.time()[["elapsed"]]
  local_compute(threads, verbose)
  space <- check_space(space)
  scale <- check_scale(scale, space)
  check_given(points, "points")
  check_given(x, "x")
  method <- new_method("as_landmarks", list())
  given <- mold(x, method, weights, na.action, rlang::current_env())
  if (is.data.frame(points)) {
    points <- if (is.null(given$blueprint)) {
      plain_frame(points, "points", rlang::current_env())
    } else {
      frame_matrix(given$blueprint, points, rlang::current_env(), "points")
    }
  }
  points <- check_data(points, "points", rlang::current_env())
  source <- as_source(given$x, given$weights, scale)
  source$omitted <- given$omitted
  points <- points_of_user(as.matrix(points), source, space, "points", rlang::current_env())
  n <- nrow(points)
  check_fit_memory(n, source, rlang::current_env(), "points")
  kernel <- find_kernel(bandwidth, source, space = space)
  described <- order_and_measure(selection(points), source, kernel, n, n, rlang::current_env())
  fit <- new_landmarks(described, source, kernel, list(
    method = method, scale = scale, blueprint = given$blueprint,
    call = light_call(match.call(), "as_landmarks"), started = started
  ))
  if (!any(fit$on_data)) warn_other_units(fit, rlang::current_env())
  fit
}

# A warning where no given point is near a row: then the points probably have other units than the data.
warn_other_units <- function(fit, call) {
  warn_user(c(
    "None of the {nrow(fit$landmarks)} point{?s} is on the data.",
    x = "Each is farther from every row of {.arg x} than rows are from each other.",
    i = "Give {.arg points} in the units of {.arg x}, with the same columns in the same order."
  ), kind = "off_data", call = call)
}

#' @export
continued_method.as_landmarks <- function(method) by_gp()

#' @export
format.as_landmarks <- function(x, ...) "points of your own"
