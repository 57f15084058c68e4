# The result of a selector, which may be the user's own, and checks of it.

#' @rdname new_method
#' @export
selection <- function(landmarks, iterations = rep(0L, nrow(landmarks)),
                      moved = rep(NA_real_, nrow(landmarks)),
                      exact = TRUE, ordered = FALSE, rows = rep(NA_integer_, nrow(landmarks)),
                      trace = rep(NA_real_, nrow(landmarks)), covariance = NULL, used = NULL,
                      criterion = "trace", fill_up = FALSE, gain = NULL) {
  check_given(landmarks, "landmarks")
  if (!is.matrix(landmarks)) check_selection(list(landmarks = landmarks), rlang::current_env())
  # Landmarks that are rows of the data may have the names of these rows.
  rownames(landmarks) <- NULL
  found <- list(
    landmarks = landmarks, iterations = iterations, moved = moved, exact = exact, ordered = ordered,
    rows = rows, trace = trace, covariance = covariance, used = used, criterion = criterion,
    fill_up = fill_up, gain = gain
  )
  check_selection(found, rlang::current_env())
}

# The arguments of selection() after a check by themselves. check_found() compares them with the data.
check_selection <- function(found, call) {
  points <- found$landmarks
  if (!is_numbers(points) || !is.matrix(points)) {
    abort_input(
      c("{.arg landmarks} must be a numeric matrix with a landmark a row.", x = "It is {describe(points)}."),
      arg = "landmarks", kind = "selection", call = call
    )
  }
  n <- nrow(points)
  wrong <- names(which(!vapply(names(selection_rules), function(part) {
    isTRUE(selection_rules[[part]](found[[part]], n))
  }, NA)))
  if (length(wrong)) {
    part <- wrong[1]
    abort_input(
      c("{.arg {part}} must be {selection_words[[part]]}.", x = "It is {describe(found[[part]])}."),
      arg = part, kind = "selection", call = call
    )
  }
  found
}

# Whether `v` has a number or NA for each of n landmarks. A vector of NA alone is logical.
may_be_na <- function(v, n) (is_numbers(v) || is.logical(v) && all(is.na(v))) && length(v) == n

# What each element of a selection must be, for n landmarks; and the same in words.
selection_rules <- list(
  iterations = function(v, n) {
    is_numbers(v) && length(v) == n && all(is.finite(v)) &&
      all(v >= 0 & v == trunc(v) & v <= .Machine$integer.max)
  },
  moved = function(v, n) may_be_na(v, n) && all(is.na(v) | v >= 0 & is.finite(v)) && !any(is.nan(v)),
  exact = function(v, n) is_flag(v),
  ordered = function(v, n) is_flag(v),
  rows = function(v, n) may_be_na(v, n) && all(is.na(v) | v == trunc(v) & v >= 1),
  trace = function(v, n) may_be_na(v, n) && all(is.na(v) | is.finite(v)) && !any(is.nan(v)),
  covariance = function(v, n) is.null(v) || (is_numbers(v) && is.array(v) && all(is.finite(v))),
  used = function(v, n) {
    is.null(v) || (is.list(v) && !is.object(v) && all(nzchar(rlang::names2(v))) &&
      all(vapply(v, function(one) is_number(one) && is.finite(one), NA)))
  },
  criterion = function(v, n) is_word(v, c("trace", "volume")),
  fill_up = function(v, n) is_flag(v),
  gain = function(v, n) is.null(v) || (is_number(v) && is.finite(v) && v >= 0)
)

selection_words <- list(
  iterations = "a whole number of at least 0 for each landmark",
  moved = "a number of at least 0, or NA, for each landmark",
  exact = "TRUE or FALSE", ordered = "TRUE or FALSE",
  rows = "the number of a row of the data, or NA, for each landmark",
  trace = "a finite number or NA for each landmark",
  covariance = "an array of finite numbers, or NULL", used = "a named list of numbers, or NULL",
  criterion = "\"trace\" or \"volume\"", fill_up = "TRUE or FALSE", gain = "a number of at least 0, or NULL"
)

# What select_landmarks() returned for these data, after a check, in the types of a fit. `held`: the number of
# held landmarks.
check_found <- function(found, source, held, call) {
  if (!is.list(found) || !all(names(formals(selection)) %in% names(found))) {
    abort_input(c(
      "The {.fn select_landmarks} method of a selector must return what {.fn selection} gives.",
      x = "It returned {describe(found)}."
    ), arg = "method", kind = "selection", call = call)
  }
  check_selection(found, call)
  points <- found$landmarks
  if (ncol(points) != source$dim[2] || !all(is.finite(points))) {
    abort_input(c(
      "The landmarks of a selector must be finite and have the {source$dim[2]} column{?s} of the data.",
      x = if (ncol(points) != source$dim[2]) "They have {ncol(points)}." else "Some are not finite."
    ), arg = "method", kind = "selection", call = call)
  }
  if (any(found$rows > source$dim[1], na.rm = TRUE)) {
    abort_input(c(
      "The rows of a selector must be rows of the data, from 1 to {source$dim[1]}.",
      x = "The largest is {max(found$rows, na.rm = TRUE)}."
    ), arg = "method", kind = "selection", call = call)
  }
  names <- colnames(points)
  if (!is.null(names) && !is.null(source$names) && !identical(names, source$names)) {
    other <- which(names != source$names | is.na(names))[1]
    abort_input(c(
      "The landmarks of a selector must have the columns of the data, in their order.",
      x = "Column {other} is {.field {names[other]}}, and in the data {.field {source$names[other]}}."
    ), arg = "method", kind = "selection", call = call)
  }
  n <- held + nrow(points)
  if (!is.null(found$covariance) && !are_fit_covariances(found$covariance, n, ncol(points))) {
    abort_input(c(
      paste(
        "The {.arg covariance} of a selector must be {n} x {ncol(points)} variances of at least 0,",
        "or a {ncol(points)} x {ncol(points)} x {n} array."
      ),
      x = "It is {describe(found$covariance)}."
    ), arg = "method", kind = "selection", call = call)
  }
  found[c("rows", "iterations")] <- lapply(found[c("rows", "iterations")], as.integer)
  found$landmarks <- matrix(as.double(points), nrow(points), ncol(points))
  if (!is.null(source$names)) colnames(found$landmarks) <- source$names
  found
}
