# Where landmarks may lie: their space, such as a sphere, the scale of the columns, and points of a user.

# ---- the space -----------------------------------------------------------------------

# The names of the spaces. The core knows them, and .onLoad() asks it, because its library is loaded then.
space_names <- NULL

# The user's `space` after a check: one of these names, or a function(t) that returns point t projected on the
# space.
check_space <- function(space, call = rlang::caller_env()) {
  check_that(is.function(space) || rlang::is_string(space, space_names), space, "space",
    paste0("one of ", quoted_or(space_names), ", or a function that returns the projected point"),
    "space", call
  )
}

# A space for the core: its name, or a function that calls the user's and checks the result.
space_for_core <- function(space, dimension, names = NULL, call = rlang::caller_env()) {
  if (!is.function(space)) return(space)
  force(call)
  function(t) {
    names(t) <- names
    out <- space(t)
    # as.double(): a method of a class may return other numbers than the object is stored with.
    if (is.numeric(out)) out <- as.double(out)
    long <- is.double(out) && length(out) == dimension
    bad <- if (long) which(!is.finite(out))
    of_which <- if (length(bad)) paste0(", of which value ", bad[1], " is ", out[bad[1]])
    check_that(long && length(bad) == 0, out, "space",
      paste("a function of a point that returns", how_many(dimension, "finite number")), "space", call,
      found = "It returned {describe(x)}{of_which}."
    )
  }
}

# The kernel as methods get it, which move points: with the space for the core.
kernel_of_moves <- function(kernel, source, call = rlang::caller_env()) {
  kernel$space <- space_for_core(kernel$space, source$dim[2], source$names, call)
  kernel
}

# A matrix of points, with each row projected on the space.
project_points <- function(points, space, call = rlang::caller_env()) {
  if (identical(space, "euclidean")) return(points)
  storage.mode(points) <- "double"
  .Call(C_project, points, list(space = space_for_core(space, ncol(points), colnames(points), call)))
}

# Rows of the data, by number, as points in the space.
rows_in_space <- function(source, rows, kernel, call) {
  project_points(rows_as_points(source, rows), kernel$space, call)
}

# The distance of each row from its projection on the space, relative to its length.
off_space <- function(points, space, call = rlang::caller_env()) {
  storage.mode(points) <- "double"
  .Call(C_off, points, project_points(points, space, call))
}

# An error or a warning where up to 500 rows lie far from the space. Landmarks would then be far from all
# rows, and later messages would name other causes. If the space is a function, nothing is checked.
check_in_space <- function(source, space, call = rlang::caller_env()) {
  if (is.function(space) || space == "euclidean") return(invisible())
  part <- rows_of(source, even_rows(source, 500L))
  rows <- matrix_of(part)
  negative <- grepl("nonnegative", space) & Matrix::rowSums(rows > 0) == 0
  if (all(negative) && !any(matrix_of(sample_evenly(source, Inf)) > 0)) {
    abort_input(c(
      "The data must have values above 0 with {.code space = \"{space}\"}.", x = "They have none.",
      i = "Use {.code space = \"euclidean\"} for data with negative values."
    ), arg = "x", kind = "space", call = call)
  }
  # Counts of few words can have lengths near 1 by chance, so rows of counts must have length 1.
  value <- part$x %||% part$value
  length <- sqrt(Matrix::rowSums(rows^2))
  counts <- all(value >= 0 & value == trunc(value))
  unlike <- grepl("sphere", space) & (if (counts) abs(length - 1) > 0.01 else length < 0.5 | length > 2)
  if (max(mean(negative), mean(unlike)) <= 0.5) return(invisible())
  warn_user(c(
    "Most rows of the data are far from all landmarks with {.code space = \"{space}\"}.",
    x = if (mean(negative) > 0.5) "They have no value above 0.",
    x = if (mean(unlike) > 0.5) {
      "Their lengths are {signif(min(length), 3)} to {signif(max(length), 3)}, not 1."
    },
    i = if (counts) "Use {.code hellinger(x)} for counts." else "Rescale the rows, or use another space."
  ), kind = "space", call = call)
}

# ---- the scale -----------------------------------------------------------------------

# The user's `scale` after a check: FALSE, TRUE (also given as "sd") or "ranks". `space` has been checked.
check_scale <- function(scale, space, call = rlang::caller_env()) {
  if (identical(scale, "sd")) scale <- TRUE
  check_that(rlang::is_bool(scale) || identical(scale, "ranks"), scale, "scale",
    "TRUE, FALSE, \"sd\" (the same as TRUE) or \"ranks\"", call = call,
    remedy = if (length(scale) > 1) "{.fn cv_landmarks} compares several."
  )
  check_that(!identical(scale, "ranks") || identical(space, "euclidean"), scale, "scale",
    "not be \"ranks\" unless {.arg space} is \"euclidean\"", "space", call,
    found = "{.arg space} is {describe(space)}."
  )
  sphere <- !is.function(space) && grepl("sphere", space)
  check_that(!isTRUE(scale) || !sphere, scale, "scale",
    "FALSE if {.arg space} is a sphere, as scaled points are not on it", "space", call
  )
}

# A message that columns have very different standard deviations, of which the largest dominate the distances,
# once in a session for the same columns. The caller asks for it if the user has not given `scale`. It is
# for dense data only: sparse data are mostly counts of words, which share a unit even where some are rare.
inform_units <- function(source, space, call = rlang::caller_env()) {
  if (!identical(space, "euclidean") || source$sparse) return(invisible())
  sd <- sqrt(source$variance)
  far_apart <- function(sd) length(sd) > 1 && max(sd) / 30 >= min(sd)
  if (!far_apart(sd[sd > 0])) return(invisible())
  some <- rows_of(source, even_rows(source, 200L))$x
  # The deviation of an indicator, and of a column with the same value in most rows, such as a pixel at the
  # border or a rare word, does not reflect a unit.
  measured <- Filter(function(j) {
    count <- tabulate(match(some[, j], unique(some[, j])))
    length(count) > 2 && max(count) <= 0.9 * nrow(some)
  }, which(sd > 0))
  # Many columns without names, half of which have at least a quarter of the range of all values, are like
  # pixels, which share a unit though some vary little.
  pixels <- is.null(source$names) && ncol(some) >= 16 &&
    stats::median(apply(some, 2, function(v) diff(range(v)))) >= diff(range(some)) / 4
  if (pixels || !far_apart(sd[measured])) return(invisible())
  ends <- measured[c(which.min(sd[measured]), which.max(sd[measured]))]
  name <- if (is.null(source$names)) paste("column", ends) else paste0("`", source$names[ends], "`")
  inform_user(c(
    "The columns of the data have very different scales.",
    x = "The standard deviations of {name} are {signif(sd[ends], 2)}.",
    i = "{.code scale = TRUE} divides by standard deviations; {.code scale = FALSE} hides this message."
  ), kind = "units", once = list(source$dim[2], source$names), call = call)
}

# ---- points of a user ----------------------------------------------------------------
# Those of as_landmarks(), and those that by_gp() starts from.

# A matrix of points in the data's units, as a matrix with the columns of a source in its order: with
# scale = "ranks" of normal scores. In a column that is constant in the data all points have its value.
points_of_user <- function(points, source, space, arg, call) {
  check_that(ncol(points) == source$dim[2], points, arg,
    "points with the {source$dim[2]} column{?s} of the data", "columns", call
  )
  points <- match_columns(points, source$names, arg, call)
  storage.mode(points) <- "double"
  check_finite(points, arg, call)
  value <- if (is.null(source$ranks)) source$center else first_knots(source$ranks)
  warn_varied(points, value, source$factor, arg, call, source$names)
  if (!is.null(source$ranks)) points <- scores_of_ranks(points, source$ranks)
  constant <- which(source$factor == 0)
  points[, constant] <- rep(source$center[constant], each = nrow(points))
  check_reach(points, source$center, source$factor, arg, call)
  off <- which(off_space(points, space, call) > 1e-8)
  if (length(off)) {
    abort_input(c("{.arg {arg}} must lie in the {.arg space}.", x = "Row {off[1]} lies outside."),
      arg = arg, kind = "space", call = call
    )
  }
  dimnames(points) <- if (!is.null(source$names)) list(NULL, source$names)
  points
}
