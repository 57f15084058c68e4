#' What landmarks are like
#'
#' `nearest_observations()` finds the observations nearest to each landmark;
#' `top_features()` the columns with the largest coordinates of each (the words
#' of a topic, say).
#'
#' @param fit An object of class `landmarks`.
#' @param x Data with the columns that the fit was learned from, N rows.
#' @param k How many for each landmark: at most N, or d.
#' @return A data frame, k rows for each landmark in order: `landmark`, `rank`,
#'   and `observation` (the row of `x`) with its `distance`, in the data's units
#'   after `scale`; or `feature` (the column's name, or its number where it has none) with
#'   its `value`.
#' @examples
#' x <- scale(as.matrix(iris[1:4]))
#' fit <- landmarks(x, 3)
#' nearest_observations(fit, x, k = 2)
#' top_features(fit, k = 2)
#' @export
nearest_observations <- function(fit, x, k = 5) {
  check_fit(fit)
  source <- new_source(fit_data(fit, x, "x", rlang::current_env()), fit$center, fit$factor, "x")
  if (missing(k)) k <- min(k, source$dim[1])
  k <- check_count(k, "k", max = source$dim[1])
  near <- .Call(C_nearest_rows, source, fit$landmarks, k, compute_with())
  n <- nrow(fit$landmarks)
  data.frame(
    landmark = rep(seq_len(n), each = k), rank = rep(seq_len(k), n),
    observation = as.vector(near$observation), distance = as.vector(near$distance)
  )
}

#' @rdname nearest_observations
#' @export
top_features <- function(fit, k = 10) {
  check_fit(fit)
  if (missing(k)) k <- min(k, ncol(fit$landmarks))
  k <- check_count(k, "k", max = ncol(fit$landmarks))
  n <- nrow(fit$landmarks)
  top <- vapply(seq_len(n), function(l) {
    order(fit$landmarks[l, ], decreasing = TRUE)[seq_len(k)]
  }, integer(k))
  top <- as.vector(top)
  landmark <- rep(seq_len(n), each = k)
  names <- colnames(fit$landmarks)
  data.frame(
    landmark = landmark, rank = rep(seq_len(k), n),
    feature = if (is.null(names)) top else names[top], value = fit$landmarks[cbind(landmark, top)]
  )
}
