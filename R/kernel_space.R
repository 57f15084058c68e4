# Where landmarks may lie: their space, such as a sphere, the scale of the columns, and points of a user.

# ---- the space -----------------------------------------------------------------------

# The names of the spaces. The core knows them, and .onLoad() asks it, because its library is loaded then.
space_names <- NULL

# The user's `space` after a check: one of these names, or a function(t) that returns point t projected on the
# space.
check_space <- function(space, call = rlang::caller_env()) {
  if (is.function(space) || (rlang::is_string(space) && space %in% space_names)) return(space)
  shown <- paste0("\"", space_names, "\"")
  abort_input(c(
    "{.arg space} must be one of {.or {shown}}, or a function that returns the projected point.",
    x = "It is {describe(space)}."
  ), arg = "space", kind = "space", call = call)
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
    fits <- is.double(out) && length(out) == dimension
    if (fits && all(is.finite(out))) return(out)
    abort_input(c(
      "The function {.arg space} must return {dimension} finite number{?s} for a point of {dimension}.",
      x = "It returned {if (fits) 'a vector with missing or infinite values' else describe(out)}."
    ), arg = "space", kind = "space", call = call)
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

# Errors and warnings where up to 500 rows lie far from the space. Landmarks would then be far from all rows,
# and later messages would name other causes. If the space is a function, nothing is checked.
check_in_space <- function(source, space, call = rlang::caller_env()) {
  if (is.function(space) || space == "euclidean") return(invisible())
  part <- rows_of(source, even_rows(source, 500L))
  rows <- matrix_of(part)
  name <- paste0("space = \"", space, "\"")
  if (grepl("nonnegative", space)) {
    positive <- Matrix::rowSums(rows > 0) > 0
    all <- if (any(positive)) part else sample_evenly(source, Inf)
    if (!any((all$x %||% all$value) > 0)) {
      abort_input(c(
        "{.arg x} must have values above 0 with {.code {name}}, whose landmarks are nonnegative.",
        x = "All its values are 0 or below.",
        i = "Use {.code space = \"euclidean\"}, or {.code -x} if only the sign is a convention."
      ), arg = "x", kind = "space", call = call)
    }
    if (mean(positive) < 0.5) {
      warn_user(c(
        "Most rows of {.arg x} have no value above 0, but with {.code {name}} landmarks are nonnegative.",
        x = paste0(
          "This holds for {round(100 * mean(!positive))}% of the rows examined. ",
          "Landmarks are far from these rows."
        ),
        i = "Use {.code space = \"euclidean\"} for data of both signs."
      ), kind = "space", call = call)
    }
  }
  if (!grepl("sphere", space)) return(invisible())
  # Rows are far from the unit sphere if they are shorter than 1/2 or longer than 2. Counts of few words can
  # have such lengths by chance, so rows of counts must have length 1.
  value <- part$x %||% part$value
  length <- sqrt(Matrix::rowSums(rows^2))
  counts <- all(value >= 0 & value == trunc(value))
  far <- if (counts) abs(length - 1) > 0.01 else length < 0.5 | length > 2
  if (mean(far) <= 0.5) return(invisible())
  whole <- if (counts) "; all values are integers, like raw counts"
  warn_user(c(
    "Rows of {.arg x} should have unit length with {.code {name}}, like its landmarks.",
    x = paste(
      "Their lengths range from {signif(min(length), 3)} to {signif(max(length), 3)}, with median",
      "{signif(stats::median(length), 3)}{whole}."
    ),
    i = if (counts) "{.code hellinger(x)} maps counts to this sphere.",
    i = if (!counts) "{.code x / sqrt(rowSums(x^2))} scales all rows to unit length."
  ), kind = "space", call = call)
}

# ---- the scale -----------------------------------------------------------------------

# The user's `scale` after a check: FALSE, TRUE (also given as "sd") or "ranks". `space` has been checked.
check_scale <- function(scale, space, call = rlang::caller_env()) {
  if (identical(scale, "sd")) scale <- TRUE
  if (!is_flag(scale) && !identical(scale, "ranks")) {
    abort_input(c(
      "{.arg scale} must be TRUE, FALSE, \"sd\" (the same as TRUE) or \"ranks\".",
      x = "It is {describe(scale)}."
    ), arg = "scale", call = call)
  }
  if (identical(scale, "ranks") && !identical(space, "euclidean")) {
    abort_input(c(
      "{.code scale = \"ranks\"} needs {.code space = \"euclidean\"}.",
      x = "{.arg space} is {if (is.function(space)) 'a function' else cli::format_inline('{.val {space}}')}."
    ), arg = "scale", kind = "space", call = call)
  }
  if (isTRUE(scale) && !is.function(space) && grepl("sphere", space)) {
    abort_input(c(
      "{.arg scale} must be FALSE if {.arg space} is a sphere: scaled points are not on it.",
      x = "{.arg scale} is TRUE, and {.arg space} is {.val {space}}."
    ), arg = "scale", kind = "space", call = call)
  }
  scale
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
  if (!far_apart(sd[measured])) return(invisible())
  # Many columns without names, half of which have at least a quarter of the range of all values, are like
  # pixels, which share a unit though some vary little.
  if (is.null(source$names) && ncol(some) >= 16) {
    ranges <- apply(some, 2, function(v) diff(range(v)))
    if (stats::median(ranges) >= diff(range(some)) / 4) return(invisible())
  }
  ends <- measured[c(which.min(sd[measured]), which.max(sd[measured]))]
  name <- if (is.null(source$names)) paste("column", ends) else source$names[ends]
  inform_user(c(
    paste(
      "Columns of {.arg x} have very different scales: their standard deviations range from",
      "{signif(sd[ends[1]], 2)} ({.field {name[1]}}) to {signif(sd[ends[2]], 2)} ({.field {name[2]}})."
    ),
    i = paste(
      "Distances depend almost only on columns of large standard deviation.",
      "{.code scale = TRUE} divides each column by its standard deviation."
    ),
    i = "{.code scale = FALSE} silences this message if all columns have the same units."
  ), kind = "units", once = list(source$dim[2], source$names), call = call)
}

# ---- points of a user ----------------------------------------------------------------
# Those of as_landmarks(), and those that by_gp() starts from.

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
  warn_varied(points, value, source$factor, arg, call, source$names)
  if (!is.null(source$ranks)) points <- scores_of_ranks(points, source$ranks)
  points[, constant] <- rep(source$center[constant], each = nrow(points))
  check_reach(points, source$center, source$factor, arg, call)
  off <- off_space(points, space, call)
  if (any(off > 1e-8)) {
    abort_input(c(
      "{.arg {arg}} must lie in the {.arg space}.", x = "Row {which(off > 1e-8)[1]} lies outside.",
      i = "Project it first, or choose another {.arg space}."
    ), arg = arg, kind = "space", call = call)
  }
  dimnames(points) <- if (!is.null(source$names)) list(NULL, source$names)
  points
}
