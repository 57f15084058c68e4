# The space of landmarks: the set of points where they may lie, such as a sphere.

# The names of the spaces. The core knows them, and .onLoad() asks it, because its library is loaded then.
space_names <- NULL

# The user's `space` after a check: one of these names, or a function(t) that returns point t projected on the
# space.
check_space <- function(space, call = rlang::caller_env()) {
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

# The user's `scale` after a check: FALSE, TRUE (also given as "sd") or "ranks".
check_scale <- function(scale, call = rlang::caller_env()) {
  if (is_flag(scale) || identical(scale, "ranks")) return(scale)
  if (identical(scale, "sd")) return(TRUE)
  abort_input(c(
    "{.arg scale} must be TRUE, FALSE, \"sd\" (the same as TRUE) or \"ranks\".",
    x = "It is {describe(scale)}."
  ), arg = "scale", call = call)
}

# The scales to choose from, a list: `scale`, or where it is several, for a method that holds rows out to
# choose by, each of them.
check_scales <- function(scale, method, call = rlang::caller_env()) {
  if (!is.character(scale) || length(scale) < 2) return(list(check_scale(scale, call)))
  scales <- unique(lapply(as.list(scale), check_scale, call = call))
  if (length(scales) > 1 && !isTRUE(method$held_out > 0)) {
    abort_input(c(
      "Several values of {.arg scale} need rows that are held out to choose by, as {.fn by_response} has.",
      x = "{.arg scale} is {describe(scale)}.",
      i = "Give one value, or compare them with {.code cv_landmarks(scale = )}."
    ), arg = "scale", call = call)
  }
  scales
}

check_scaled_space <- function(scale, space, call = rlang::caller_env()) {
  if (identical(scale, "ranks") && !identical(space, "euclidean")) {
    abort_input(c(
      "{.code scale = \"ranks\"} needs {.code space = \"euclidean\"}: normal scores lie in no other space.",
      x = "{.arg space} is {if (is.function(space)) 'a function' else cli::format_inline('{.val {space}}')}."
    ), arg = "scale", kind = "space", call = call)
  }
  if (!isFALSE(scale) && !is.function(space) && grepl("sphere", space)) {
    abort_input(c(
      "{.arg scale} must be FALSE where {.arg space} is a sphere, because scaled points leave the sphere.",
      x = "{.arg scale} is {describe(scale)}, and {.arg space} is {.val {space}}."
    ), arg = "scale", kind = "space", call = call)
  }
}

# A space for the core: its name, or a function that calls the user's and checks the result.
space_for_core <- function(space, dimension, names = NULL, call = rlang::caller_env()) {
  if (!is.function(space)) return(space)
  force(call)
  function(t) {
    names(t) <- names
    out <- plain_numbers(space(t))
    if (!is.numeric(out) || length(out) != dimension || !all(is.finite(out))) {
      given <- if (is.numeric(out) && length(out) == dimension) {
        "a vector with missing or infinite values"
      } else {
        describe(out)
      }
      abort_input(c(
        "The function {.arg space} must return {dimension} finite number{?s} for a point of {dimension}.",
        x = "It returned {given}."
      ), arg = "space", kind = "space", call = call)
    }
    as.double(out)
  }
}

# An object of a class as plain numbers, by as.double(): a method of its class may return other numbers than
# the object is stored with, or fewer.
plain_numbers <- function(x) if (is.object(x) && is.numeric(x)) as.double(x) else x

# A matrix of points, with each row projected on the space.
project_points <- function(points, space, call = rlang::caller_env()) {
  if (identical(space, "euclidean")) return(points)
  storage.mode(points) <- "double"
  .Call(C_project, points, list(space = space_for_core(space, ncol(points), colnames(points), call)))
}

# Errors and warnings where the data lie far from the space. Landmarks would then be far from all rows, and
# later messages would name other causes. If the space is a function, nothing is checked.
check_in_space <- function(source, space, call = rlang::caller_env()) {
  if (is.function(space) || space == "euclidean") return(invisible())
  facts <- row_facts(source, even_rows(source, 500L))
  if (grepl("nonnegative", space)) check_any_positive(source, space, facts$positive, call)
  if (grepl("sphere", space)) warn_off_sphere(space, facts, call)
}

# list(positive, length, counts) of some rows: whether each has a value above 0, its length as a vector, and
# whether all values are whole numbers of at least 0.
row_facts <- function(source, rows) {
  part <- rows_of(source, rows)
  if (source$sparse) {
    # The entries of constant columns, whose factor is 0 where columns are scaled, are 0.
    value <- part$value / ifelse(source$factor > 0, source$factor, 1)[part$column + 1L]
    row <- rep.int(seq_along(rows), diff(part$start))
    positive <- tabulate(row[value > 0], length(rows)) > 0
    squares <- vapply(split(value^2, factor(row, seq_along(rows))), sum, 0)
  } else {
    value <- part$x
    positive <- rowSums(value > 0) > 0
    squares <- rowSums(value^2)
  }
  list(positive = positive, length = sqrt(squares), counts = all(value >= 0 & value == trunc(value)))
}

check_any_positive <- function(source, space, positive, call) {
  name <- paste0("space = \"", space, "\"")
  if (!any(positive) && !has_positive(source)) {
    abort_input(c(
      "{.arg x} must have values above 0 with {.code {name}}, because landmarks are nonnegative there.",
      x = "All its values are 0 or below, so that no landmark would be near a row.",
      i = "Use {.code space = \"euclidean\"}, or {.code -x} if only the sign is a convention."
    ), arg = "x", kind = "space", call = call)
  }
  if (mean(positive) >= 0.5) return(invisible())
  warn_user(c(
    "Most rows of {.arg x} have no value above 0, and with {.code {name}} landmarks are nonnegative.",
    x = paste0(
      "This holds for {round(100 * mean(!positive))}% of the rows examined. ",
      "Landmarks are far from these rows."
    ),
    i = "Use {.code space = \"euclidean\"} for data of both signs."
  ), kind = "space", call = call)
}

# Whether there is a value above 0, in rows of weight above 0.
has_positive <- function(source) {
  if (!is.null(source$weights)) source <- rows_of(source, which(source$weights > 0))
  any((source$x %||% source$value) > 0)
}

# A warning where most rows are far from the unit sphere: shorter than 1/2 or longer than 2. Counts of few
# words can have such lengths by chance, so rows of counts must have length 1.
warn_off_sphere <- function(space, facts, call) {
  length <- facts$length
  far <- if (facts$counts) abs(length - 1) > 0.01 else length < 0.5 | length > 2
  if (mean(far) <= 0.5) return(invisible())
  name <- paste0("space = \"", space, "\"")
  counts <- if (facts$counts) "; all values are whole numbers, as in raw counts"
  warn_user(c(
    "Rows of {.arg x} should have length 1 with {.code {name}}, as all landmarks have.",
    x = paste(
      "Their lengths go from {signif(min(length), 3)} to {signif(max(length), 3)}, with median",
      "{signif(stats::median(length), 3)}{counts}."
    ),
    i = if (facts$counts) "{.code hellinger(x)} turns counts into points of this sphere.",
    i = if (!facts$counts) "{.code x / sqrt(rowSums(x^2))} gives every row length 1."
  ), kind = "space", call = call)
}

# The distance of each row from its projection on the space, relative to its length.
off_space <- function(points, space, call = rlang::caller_env()) {
  storage.mode(points) <- "double"
  .Call(C_off, points, project_points(points, space, call))
}
