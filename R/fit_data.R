# Data for a later step on a fit: they are checked, have the fit's columns in its order, and become a source
# in its kernel coordinates.

# Data as a source in the kernel coordinates of a fit, with moments: data over whose rows the kernel is a sum.
# `center`: the origin of the coordinates, by default the mean of these data.
fit_source <- function(fit, x, weights = NULL, arg = "x", call = rlang::caller_env(), center = NULL) {
  check_given(x, arg, call)
  x <- as_rows(x, arg, call, fit$experiment)
  given <- if (is_chunked(x)) list(x = plan_of_fit(fit, x, call, weights)) else fit_rows(fit, x, arg, call)
  x <- given$x
  omitted <- given$omitted
  if (length(omitted)) {
    check_weights(weights, nrow(x) + length(omitted), call)
    weights <- without_rows(weights, omitted)
  }
  warn_equal_weights(fit, weights, x, call)
  source <- as_source(x, weights, scale = FALSE, arg = arg, call = call)
  whole <- source$whole
  if (!is.null(whole)) x <- whole$x
  factor <- if (isTRUE(all.equal(source$factor, fit$factor))) source$factor else fit$factor
  constant <- factor == 0
  center <- ifelse(constant, fit$center, center %||% source$center)
  source <- in_coordinates(source, x, center, factor, arg, call)
  check_source_reach(source, fit$landmarks, arg, call)
  source$whole <- whole
  source$omitted <- omitted
  source$experiment <- fit$experiment
  source$ranks <- fit$ranks
  source
}

warn_equal_weights <- function(fit, weights, x, call) {
  if (!fit$weighted || !is.null(weights)) return(invisible())
  equal <- if (inherits(x, "chunk_plan")) "~ 1" else "rep(1, nrow(x))"
  warn_user(c(
    paste0(
      "The landmarks were learned with observation weights, and {.arg weights} is missing: ",
      "equal weights are used."
    ),
    i = "Give the weights, or {.code weights = {equal}} for equal ones."
  ), kind = "weights", call = call)
}

# Data of the user for a step on a fit, list(x, omitted): the fit's columns, without rows that it leaves out.
fit_rows <- function(fit, x, arg, call) {
  check_given(x, arg, call)
  x <- as_rows(x, arg, call, fit$experiment)
  refuse_chunks(x, arg, call)
  omitted <- fit_omitted(fit, x, fit_action(fit), arg, call)
  list(x = fit_data(fit, without_rows(x, omitted), arg, call), omitted = omitted)
}

# The rows of data as a source in the coordinates of a fit, with their numbers among all rows, `numbers`. Of
# data in chunks a sample.
rows_source <- function(fit, x, call) {
  check_given(x, "x", call)
  x <- as_rows(x, "x", call, fit$experiment)
  if (is_chunked(x)) {
    source <- as_source(plan_of_fit(fit, x, call), arg = "x", call = call)
    whole <- source$whole
    source <- new_source(whole$x, fit$center, fit$factor, "x", call)
    source$numbers <- as_row_numbers(whole$numbers)
    return(source)
  }
  given <- fit_rows(fit, x, "x", call)
  source <- new_source(given$x, fit$center, fit$factor, "x", call)
  source$numbers <- kept_rows(given$omitted, source$dim[1])
  source
}

# New data for predict(), without the rows that na.action leaves out: list(newdata, omitted, action, names),
# with the names of all rows.
new_rows <- function(fit, newdata, na.action, call, arg = "newdata") {
  action <- check_na_action(na.action, call, pass = TRUE)
  newdata <- as_rows(newdata, arg, call, fit$experiment)
  omitted <- fit_omitted(fit, newdata, action, arg, call, new = TRUE)
  list(
    newdata = without_rows(newdata, omitted), omitted = omitted, action = action, names = row_names(newdata)
  )
}

# The columns of a fit, in its order, from data of the user; their normal scores where the fit has these.
# fit_rows() has left out rows with missing values before, where the fit did so. New data (`new`) may have no
# rows.
fit_data <- function(fit, x, arg, call, new = arg == "newdata") {
  x <- fit_columns(fit, x, arg, call, new)
  value <- if (is.null(fit$ranks)) fit$center else first_knots(fit$ranks)
  warn_varied(varied_columns(x, value, fit$factor), colnames(x), arg, call)
  if (is.null(fit$ranks)) return(x)
  check_rankable(x, arg, call)
  check_finite(x, arg, call)
  scores_of_ranks(x, fit$ranks)
}

fit_columns <- function(fit, x, arg, call, new) {
  check_given(x, arg, call)
  x <- as_rows(x, arg, call, fit$experiment)
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
  # The columns of a data frame that the fit does not use may be of any type.
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

# The numbers of the rows with missing values in the columns that a fit uses. For data that cannot be used at
# all it is NULL: fit_data(), which comes next, has the error.
fit_omitted <- function(fit, x, action, arg, call, new = FALSE) {
  if (action == "na.fail") return(NULL)
  check_given(x, arg, call)
  x <- as_rows(x, arg, call, fit$experiment)
  names <- row_names(x)
  columns <- colnames(fit$landmarks)
  if (!is.null(fit$blueprint)) {
    if (is.matrix(x)) x <- as.data.frame(unclass(x))
    if (!is.data.frame(x) || !all(fit$blueprint$variables %in% names(x))) return(NULL)
    if (action == "na.pass") action <- "na.exclude"
    return(frame_omitted(fit$blueprint, x, action, names, arg, call, new = new))
  }
  if (is.data.frame(x)) {
    x <- as.data.frame(match_columns(x, columns, arg, call))
  } else {
    x <- match_columns(check_data(x, arg, call, empty = TRUE), columns, arg, call)
  }
  omitted_of(x, if (action == "na.pass") "na.exclude" else action, arg, call, names, new = new)
}

# The `na.action` for data of later steps: a fit that left out rows with missing values does so again.
fit_action <- function(fit) if (length(fit$na.action)) paste0("na.", class(fit$na.action)) else "na.fail"

# ---- data in chunks ----------------------------------------------------------------

# The plan of chunks for a later step on a fit.
plan_of_fit <- function(fit, x, call, weights = NULL) {
  chunks <- user_chunks(x, call)
  chunk_plan(chunks, first_chunk(chunks, call), fit_preparer(unclass(fit)), weights = weights, call = call)
}

# Daemons get the parts of the fit that are needed, and no more.
fit_preparer <- function(fit) {
  fit <- fit[intersect(c("landmarks", "blueprint", "ranks", "center", "factor", "experiment"), names(fit))]
  function(rows) fit_data(fit, rows, "x", NULL, new = TRUE)
}
