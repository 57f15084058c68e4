# Methods that select landmarks: the objects that describe them, the generics that they have methods for, and
# their results.

#' Write a new method
#'
#' These functions add an algorithm to [landmarks()]. `new_landmark_method()` creates a method object, which
#' `landmarks(method = )` takes as [glm()] takes a family. `landmarks()` calls the generic
#' `select_landmarks()` with this object, and its S3 method for your class returns the result of
#' `landmark_selection()`. Order, variances, nearest rows, `predict()`, [cv_landmarks()] and
#' [embed_landmarks()] then work as for every other method. A `format()` method describes the method in
#' print; by default this is the name of the class.
#'
#' Use R's random number generator. `source` represents the data, N rows and d columns: `source$dim` (N and
#' d), `source$names` (of the columns), `source$weights` (case weights with mean 1, or NULL), `source$mean`
#' and `source$variance` (of the columns). `rows_as_points()` extracts rows.
#'
#' @param class The class of the method, a string.
#' @param options A named list of options, which `print()` shows.
#' @param prefixes Whether the first m landmarks are those that the method would find for `n = m`. If `TRUE`,
#'   [cv_landmarks()] fits only the largest number. Default `FALSE`.
#' @param knows_kernel Whether the method checks the numerical rank of the kernel and may return fewer than
#'   `n` landmarks. If `TRUE`, redundant landmarks are dropped from the fit. Default `FALSE`: all are kept.
#' @param chooses_size Whether `n` may be missing. Default `FALSE`.
#' @param uses_bandwidth Whether the landmarks depend on the bandwidth. If `FALSE`, [cv_landmarks()] fits
#'   once for several bandwidths. Default `TRUE`.
#' @param uses_response Whether the method has an option `y`, a response. If `TRUE`, [landmarks()] sets it to
#'   the left-hand side of the formula, and [cv_landmarks()] to the response of the training rows, as
#'   `as_response()` returns it. Default `FALSE`.
#' @param method A method object, the result of `new_landmark_method()`.
#' @param source The data (see Details).
#' @param n The number of landmarks to find, or NULL if it was not given.
#' @param kernel A list of `bandwidth` (\eqn{\eta}{eta}, a squared distance after `scale`), `rule` (its
#'   description) and `space` (as in [landmarks()]).
#' @param fixed Existing landmarks, a matrix in the units of the data. It has rows only for
#'   [add_landmarks()]; the method finds `n` others.
#' @param call The user's call, for error messages.
#' @param landmarks The landmarks that were found, a numeric n x d matrix in the units of the data.
#' @param iterations The number of iterations that moved each landmark. Default 0.
#' @param moved The length of each landmark's last step, in units of \eqn{\sqrt{\eta}}{sqrt(eta)}. Default
#'   NA: the landmarks are not moved.
#' @param exact Whether all iterations used all rows. Default `TRUE`.
#' @param ordered Whether to keep the order of the landmarks. Default `FALSE`: they are sorted greedily.
#' @param rows For `landmark_selection()`: the row indices of landmarks that are rows of the data; NA, the
#'   default, for others. For `rows_as_points()`: row indices.
#' @param trace For each landmark, the relative approximation error of the landmarks up to this one. Default
#'   NA.
#' @param covariance Local covariances of the fixed and the new landmarks, after `scale`: n x d variances, or
#'   a d x d x n array. Default NULL: none.
#' @param used A named list of numbers that the method determined, such as defaults of options, for `print()`;
#'   or NULL.
#' @return `new_landmark_method()`: a list of class `landmark_method`. `select_landmarks()` and
#'   `landmark_selection()`: a list of class `landmark_selection`. `rows_as_points()`: a dense numeric matrix
#'   in the units of the data.
#' @examples
#' # A method that takes evenly spaced rows, except for existing landmarks
#' by_step <- function(first = 1) new_landmark_method("by_step", list(first = first))
#' format.by_step <- function(x, ...) paste("evenly spaced rows from row", x$first)
#' select_landmarks.by_step <- function(method, source, n, kernel, fixed, call) {
#'   rows <- as.integer(seq(method$first, source$dim[1], length.out = n + nrow(fixed)))
#'   points <- rows_as_points(source, rows)
#'   new <- utils::head(which(!duplicated(rbind(fixed, points))[nrow(fixed) + seq_along(rows)]), n)
#'   landmark_selection(points[new, , drop = FALSE], rows = rows[new])
#' }
#' registerS3method("format", "by_step", format.by_step)
#' registerS3method("select_landmarks", "by_step", select_landmarks.by_step)
#' fit <- landmarks(as.matrix(iris[1:4]), 10, by_step())
#' add_landmarks(fit, as.matrix(iris[1:4]), 5)
#' @export
new_landmark_method <- function(class, options = list(), prefixes = FALSE, knows_kernel = FALSE,
                                chooses_size = FALSE, uses_bandwidth = TRUE, uses_response = FALSE) {
  check_given(class, "class")
  check_that(is_text(class) && length(class) > 0, class, "class", "a string, the name of a class")
  named <- is.list(options) && all(nzchar(rlang::names2(unclass(options))))
  check_that(named, options, "options", "a named list")
  can <- list(
    prefixes = prefixes, knows_kernel = knows_kernel, chooses_size = chooses_size,
    uses_bandwidth = uses_bandwidth, uses_response = uses_response
  )
  for (name in names(can)) check_flag(can[[name]], name)
  structure(options, can = can, class = c(class, "landmark_method"))
}

#' @rdname new_landmark_method
#' @export
select_landmarks <- function(method, source, n, kernel, fixed, call) UseMethod("select_landmarks")

#' @export
select_landmarks.default <- function(method, source, n, kernel, fixed, call) {
  check_that(FALSE, method, "method", "a method object that selects landmarks, such as {.code by_gp()}",
    "method", call
  )
}

# Whether a method has an ability, by its name in new_landmark_method().
method_can <- function(method, what) isTRUE(attr(method, "can")[[what]])

# ---- methods by name -----------------------------------------------------------------

# The methods that can be given by name, a list of their functions. .onLoad() fills it, because these
# functions are in other files, which call functions of this one.
named_methods <- NULL

# The method object for the user's `method`.
match_method <- function(method, call = rlang::caller_env(), arg = "method") {
  if (inherits(method, "landmark_method")) return(method)
  names <- names(named_methods)
  check_that(rlang::is_string(method, names), method, arg,
    paste0("one of ", quoted_or(names), ", or a method object such as {.code by_gp()}"), "method", call,
    if (rlang::is_formula(method)) {
      "A formula comes first: {.code landmarks(y ~ ., data, n, by_response())}."
    } else if (is.character(method) && length(method) > 1 && all(method %in% names)) {
      "{.fn cv_landmarks} compares several."
    } else if (is.function(method)) {
      "Call the function: {.code by_gp()}, not {.code by_gp}."
    } else if (is_number(method)) {
      "The number of landmarks comes first: {.code landmarks(x, n, method)}."
    } else if (NROW(method) > 1) {
      "Give a response to the method: {.code by_response(y)} or {.code by_class(y = y)}."
    }
  )
  named_methods[[method]]()
}

# ---- methods in words ----------------------------------------------------------------

# A method in words, with the options that it chose by itself.
describe_method <- function(method, used = NULL) {
  numbers <- vapply(used, function(v) format(signif(v, 4), big.mark = big_mark()), "")
  paste(c(format(method), paste(names(used), numbers)), collapse = ", ")
}

#' @export
format.landmark_method <- function(x, ...) class(x)[1]

#' @export
print.landmark_method <- function(x, ...) {
  cat("<landmark method> ", format(x), "\n", sep = "")
  shown <- Filter(function(v) is.atomic(v) && is.null(dim(v)) && length(v) %in% 1:4, unclass(x))
  # Options that by_<name>() computes itself are left out.
  maker <- named_methods[[sub("^by_", "", class(x)[1])]]
  if (!is.null(maker)) shown <- shown[names(shown) %in% names(formals(maker))]
  cat(sprintf("  %s: %s\n", names(shown), vapply(shown, paste, "", collapse = ", ")), sep = "")
  invisible(x)
}

# ---- results of selectors --------------------------------------------------------------

#' @rdname new_landmark_method
#' @export
landmark_selection <- function(landmarks, iterations = rep(0L, nrow(landmarks)),
                               moved = rep(NA_real_, nrow(landmarks)), exact = TRUE, ordered = FALSE,
                               rows = rep(NA_integer_, nrow(landmarks)),
                               trace = rep(NA_real_, nrow(landmarks)), covariance = NULL, used = NULL) {
  check_given(landmarks, "landmarks")
  check_that(rlang::is_bare_numeric(landmarks) && is.matrix(landmarks), landmarks, "landmarks",
    "a numeric matrix with one landmark per row", "selection"
  )
  found <- list(iterations = iterations, moved = moved, rows = rows, trace = trace)
  for (part in of_each) {
    v <- found[[part]]
    # A vector of NA alone is logical.
    ok <- (rlang::is_bare_numeric(v) || is.logical(v) && all(is.na(v))) && length(v) == nrow(landmarks) &&
      all(is.na(v) | v >= 0 & v <= .Machine$integer.max)
    check_that(ok, v, part, "a number of at least 0, or NA, for each landmark", "selection")
  }
  check_that(all(vapply(used, is_number, NA)), used, "used", "a list of numbers", "selection")
  found$iterations <- as.integer(iterations)
  # Landmarks that are rows of the data may have the names of these rows.
  rownames(landmarks) <- NULL
  structure(c(list(landmarks = landmarks), found, list(
    exact = check_flag(exact, "exact"), ordered = check_flag(ordered, "ordered"), covariance = covariance,
    used = used, criterion = "trace"
  )), class = "landmark_selection")
}

# The elements of a selection that have a value for each landmark.
of_each <- c("iterations", "moved", "rows", "trace")

# Checks what select_landmarks() returned for these data, and converts it to the types of a fit. `fixed`: the
# number of landmarks that stay.
check_found <- function(found, source, fixed, call) {
  check <- function(ok, x, rule, found) {
    rule <- paste("a method whose {.fn select_landmarks} returns", rule)
    check_that(ok, x, "method", rule, "selection", call, found = found)
  }
  check(inherits(found, "landmark_selection"), found, "the result of {.fn landmark_selection}",
    "It returned {describe(x)}."
  )
  points <- found$landmarks
  d <- source$dim[2]
  check(ncol(points) == d, points, "landmarks with {d} column{?s}, like the data", "They have {ncol(x)}.")
  check(all(is.finite(points)), points, "landmarks of finite numbers", "Some are missing or infinite.")
  check(!any(found$rows < 1 | found$rows > source$dim[1], na.rm = TRUE), found$rows,
    "{.arg rows} from 1 to {source$dim[1]}, the number of rows of {.arg source}",
    "They are from {min(x, na.rm = TRUE)} to {max(x, na.rm = TRUE)}."
  )
  n <- fixed + nrow(points)
  check(is.null(found$covariance) || are_fit_covariances(found$covariance, n, d), found$covariance,
    "as {.arg covariance} a {n} x {d} matrix of variances, or a {d} x {d} x {n} array of covariance matrices",
    "It is {describe(x)}."
  )
  found$rows <- as.integer(found$rows)
  storage.mode(found$landmarks) <- "double"
  dimnames(found$landmarks) <- if (!is.null(source$names)) list(NULL, source$names)
  found
}
