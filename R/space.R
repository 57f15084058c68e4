# Where landmarks may lie.

space_names <- c("euclidean", "nonnegative", "sphere", "nonnegative_sphere")

# A name, or a function(t) that returns the projected point, as it is stored.
check_space <- function(space, scale, call = rlang::caller_env()) {
  if (is.function(space)) return(space)
  if (!is.character(space) || length(space) != 1 || !space %in% space_names) {
    shown <- paste0("\"", space_names, "\"")
    abort_input(c(
      "{.arg space} must be one of {.or {shown}}, or a function that returns the projected point.",
      x = "It is {describe(space)}."
    ), arg = "space", kind = "space", call = call)
  }
  space
}

check_scaled_space <- function(scale, space, call = rlang::caller_env()) {
  if (scale && !is.function(space) && grepl("sphere", space)) {
    abort_input(c(
      "{.arg scale} must be FALSE in a space that is a sphere: scaling would bend it.",
      x = "{.arg space} is {.val {space}}."
    ), arg = "scale", kind = "space", call = call)
  }
}

# What the core is given: the name, or the function behind a check of its result.
space_for_core <- function(space, dimension, names = NULL, call = rlang::caller_env()) {
  if (!is.function(space)) return(space)
  force(call)
  function(t) {
    names(t) <- names
    out <- space(t)
    if (!is.numeric(out) || length(out) != dimension || !all(is.finite(out))) {
      given <- if (is.numeric(out) && length(out) == dimension) "a vector with missing or infinite values" else describe(out)
      abort_input(c(
        "The function {.arg space} must return {dimension} finite number{?s} for a point of {dimension}.",
        x = "It returned {given}."
      ), arg = "space", kind = "space", call = call)
    }
    as.double(out)
  }
}

# Each row of a matrix projected.
project_points <- function(points, space, call = rlang::caller_env()) {
  if (identical(space, "euclidean")) return(points)
  d <- ncol(points)
  f <- if (is.function(space)) space_for_core(space, d, colnames(points), call) else NULL
  for (i in seq_len(nrow(points))) {
    t <- points[i, ]
    points[i, ] <- if (is.null(f)) project_point(t, space) else f(t)
  }
  points
}

project_point <- function(t, space) {
  if (space %in% c("nonnegative", "nonnegative_sphere")) {
    largest <- which.max(t)
    t <- pmax(t, 0)
    if (space == "nonnegative_sphere" && all(t == 0)) t[largest] <- 1
  }
  if (space %in% c("sphere", "nonnegative_sphere")) {
    norm <- sqrt(sum(t^2))
    if (norm == 0) t[1] <- norm <- 1
    t <- t / norm
  }
  t
}

# The largest distance of a row from the space, relative to its size.
off_space <- function(points, space, call = rlang::caller_env()) {
  there <- project_points(points, space, call)
  off <- sqrt(rowSums((points - there)^2)) / pmax(sqrt(rowSums(points^2)), 1e-300)
  off[rowSums(points^2) == 0 & rowSums(there^2) == 0] <- 0
  off
}
