# Data brought to a fit: its columns, in its kernel coordinates.

# Data as a source in the kernel coordinates of a fit, with its moments: what
# the kernel is made of. `center`: the origin of the coordinates, by default the mean of these data.
fit_source <- function(fit, x, weights = NULL, arg = "x", call = rlang::caller_env(), center = NULL) {
  given <- fit_rows(fit, x, arg, call)
  x <- given$x
  omitted <- given$omitted
  if (length(omitted)) {
    check_weights(weights, nrow(x) + length(omitted), call)
    weights <- without_rows(weights, omitted)
  }
  if (fit$weighted && is.null(weights)) {
    warn_user(c(
      paste0(
        "The landmarks were learned with observation weights, and {.arg weights} is missing: ",
        "equal weights are used."
      ),
      i = "Give the weights, or {.code weights = rep(1, nrow(x))} for equal ones."
    ), kind = "weights", call = call)
  }
  source <- as_source(x, weights, scale = FALSE, arg = arg, call = call)
  factor <- if (isTRUE(all.equal(source$factor, fit$factor))) source$factor else fit$factor
  source <- in_coordinates(source, x, center %||% source$center, factor, arg, call)
  check_source_reach(source, fit$landmarks, arg, call)
  source$omitted <- omitted
  source$experiment <- fit$experiment
  source
}

# The source of the same data in other coordinates.
in_coordinates <- function(source, x, center, factor, arg, call) {
  if (identical(factor, source$factor) && (source$sparse || identical(center, source$center))) return(source)
  source_of(x, source$weights, center, factor, arg, call, source[c("mean", "variance")])
}

# The columns of a fit, in its order, from the data that the user gives, of which fit_rows() has left out rows
# where the fit did. New data (`new`) may have no rows.
fit_data <- function(fit, x, arg, call, new = arg == "newdata") {
  check_given(x, arg, call)
  x <- in_parts(as_rows(x, arg, call, fit$experiment), arg, call)
  if (!is.null(fit$blueprint)) {
    if (is.matrix(x)) x <- as.data.frame(unclass(x))
    if (!is.data.frame(x)) {
      abort_input(c(
        "{.arg {arg}} must be a data frame, because the landmarks were learned from one.",
        x = "It is {describe(x)}.",
        i = "Give its columns by their names; one row of a data frame {.code d} is {.code d[1, ]}."
      ), arg = arg, kind = "data", call = call)
    }
    if (!new) check_some_rows(x, arg, call)
    return(frame_matrix(fit$blueprint, x, call, arg))
  }
  names <- colnames(fit$landmarks)
  if (!in_memory(x)) return(check_columns(fit, match_columns(x, names, arg, call), arg, call))
  # Of a data frame, columns that are not wanted may be of any type.
  if (is.data.frame(x)) {
    x <- match_columns(x, names, arg, call)
    x <- plain_frame(x, arg, call, ", as the landmarks were learned from a matrix")
  }
  x <- match_columns(check_data(x, arg, call, empty = new), names, arg, call)
  check_columns(fit, x, arg, call)
}

check_columns <- function(fit, x, arg, call) {
  if (ncol(x) != ncol(fit$landmarks)) {
    abort_input(c(
      "{.arg {arg}} must have the {ncol(fit$landmarks)} column{?s} that the landmarks were learned from.",
      x = "It has {ncol(x)}."
    ), arg = arg, kind = "columns", call = call)
  }
  x
}

# Columns by name, where both have names; else as they are.
match_columns <- function(x, names, arg, call, learner = "the landmarks were") {
  given <- colnames(x)
  if (is.null(names) || is.null(given) || identical(names, given)) return(x)
  absent <- setdiff(names, given)
  if (length(absent) > 5) absent <- c(absent[1:5], "...")
  if (length(absent)) abort_columns(absent, arg, call, learner)
  twice <- c(names[duplicated(names)], intersect(given[duplicated(given)], names))
  if (length(twice)) {
    abort_input(c(
      "{.arg {arg}} must have different column names.",
      x = "{.field {twice[1]}} occurs more than once."
    ), arg = arg, kind = "columns", call = call)
  }
  x[, names, drop = FALSE]
}

# A data frame of numbers as a matrix; `why` it must be one, for the error.
plain_frame <- function(x, arg, call, why = "") {
  check_sound(x, arg, call)
  other <- which(!vapply(x, function(v) column_type(v) %in% c("numeric", "logical"), NA))
  if (length(other)) {
    abort_input(c(
      "{.arg {arg}} must have numeric or logical columns{why}.",
      x = "Column {.field {names(x)[other[1]]}} is {describe(x[[other[1]]])}.",
      i = if (startsWith(arg, "read(")) "{.fn model.matrix} turns factors and strings into numbers."
    ), arg = arg, kind = "columns", call = call)
  }
  as.matrix(x)
}
