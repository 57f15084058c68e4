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

# The rows with missing values among data that are brought to a fit, in the columns that it uses. What cannot
# be used at all has none: the error is fit_data()'s.
fit_omitted <- function(fit, x, action, arg, call, new = FALSE) {
  if (action == "na.fail") return(NULL)
  check_given(x, arg, call)
  x <- in_parts(as_rows(x, arg, call, fit$experiment), arg, call)
  if (!in_memory(x) && !new) return(NULL)
  if (!in_memory(x)) abort_parted_na(arg, call)
  names <- row_names(x)
  columns <- colnames(fit$landmarks)
  if (!is.null(fit$blueprint)) {
    if (is.matrix(x)) x <- as.data.frame(unclass(x))
    if (!is.data.frame(x) || !all(fit$blueprint$variables %in% names(x))) return(NULL)
    x <- evaluate_terms(fit$blueprint$terms, x, arg, call)
  } else if (is.data.frame(x)) {
    x <- as.data.frame(match_columns(x, columns, arg, call))
  } else {
    x <- match_columns(check_data(x, arg, call, empty = TRUE), columns, arg, call)
  }
  omitted_of(x, if (action == "na.pass") "na.exclude" else action, arg, call, names, new = new)
}

# A fit that left out rows leaves them out of the data of later steps.
fit_action <- function(fit) if (length(fit$na.action)) paste0("na.", class(fit$na.action)) else "na.fail"

# Data brought to a fit, without rows that it leaves out: list(x, omitted).
fit_rows <- function(fit, x, arg, call) {
  check_given(x, arg, call)
  x <- in_parts(as_rows(x, arg, call, fit$experiment), arg, call)
  omitted <- fit_omitted(fit, x, fit_action(fit), arg, call)
  list(x = fit_data(fit, without_rows(x, omitted), arg, call), omitted = omitted)
}

# New data for predict(), without the rows that na.action leaves out: list(newdata, omitted, action, names),
# with the names of all rows.
new_rows <- function(fit, newdata, na.action, sink, call, arg = "newdata") {
  action <- check_na_action(na.action, call, pass = TRUE)
  newdata <- as_rows(newdata, arg, call, fit$experiment)
  if (action != "na.fail" && !is.null(sink)) {
    abort_input(c(
      "{.arg na.action} must be {.code na.fail} where a {.arg sink} is given.",
      x = "It is {action}.",
      i = "Leave out rows with missing values before, or impute the values."
    ), arg = "na.action", kind = "na_action", call = call)
  }
  omitted <- fit_omitted(fit, newdata, action, arg, call, new = TRUE)
  list(
    newdata = without_rows(newdata, omitted), omitted = omitted, action = action, names = row_names(newdata)
  )
}
