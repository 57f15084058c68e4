# Points that a user gives: those of as_landmarks(), and those that by_gp() starts from.

# A matrix of points in the data's units, as a matrix with the columns of a source in its order: with
# scale = "ranks" of normal scores. In a column that is constant in the data all points have its value.
points_of_user <- function(points, source, space, arg, call) {
  if (ncol(points) != source$dim[2]) {
    abort_input(c(
      "{.arg {arg}} must have as many columns as the data, {source$dim[2]}.",
      x = "It has {ncol(points)}."
    ), arg = arg, kind = "columns", call = call)
  }
  points <- match_columns(points, source$names, arg, call)
  storage.mode(points) <- "double"
  check_finite(points, arg, call)
  constant <- which(source$factor == 0)
  value <- if (is.null(source$ranks)) source$center else first_knots(source$ranks)
  warn_varied(varied_columns(points, value, source$factor), source$names, arg, call)
  if (!is.null(source$ranks)) points <- scores_of_ranks(points, source$ranks)
  points[, constant] <- rep(source$center[constant], each = nrow(points))
  check_reach(points, source$center, source$factor, arg, call)
  off <- off_space(points, space, call)
  if (any(off > 1e-8)) {
    abort_input(c(
      "{.arg {arg}} must lie in the {.arg space}.",
      x = "Row {which(off > 1e-8)[1]} lies outside.",
      i = "Project it first, or choose another {.arg space}."
    ), arg = arg, kind = "space", call = call)
  }
  dimnames(points) <- if (!is.null(source$names)) list(NULL, source$names)
  points
}
