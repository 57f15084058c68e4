# Methods that select landmarks: the objects that describe them, the generics that they have methods for, and
# checks of these objects. method_selection.R has the results.

#' Custom selectors of landmarks
#'
#' A selector is an algorithm that finds landmarks. With these functions you write one and use it in
#' [landmarks()]. `new_method()` makes a method object, which `landmarks(method = )` takes as [glm()] takes a
#' family. [landmarks()] calls the generic `select_landmarks()` with this object, and its method for your
#' class returns the result of `selection()`. All other parts of a fit are the same for every selector: order,
#' variances, nearest rows, `predict()`, [cv_landmarks()], [embed_landmarks()].
#'
#' A selector consists of a class, a `format()` method that describes it in a few words, and a
#' `select_landmarks()` method.
#'
#' Random numbers come from R's stream. `source` has the data of N rows and d columns: `source$dim` (N and d),
#' `source$names` (of the columns), `source$weights` (of the rows, of mean 1, or NULL), `source$mean` and
#' `source$variance` (of the columns). `rows_as_points()` returns rows of the data.
#'
#' @param class The name of the selector's class, a string.
#' @param options The options of the selector, a named list. `print()` shows them.
#' @param prefixes Whether the first m of n landmarks equal the m landmarks that the selector finds for m. If
#'   `TRUE`, [cv_landmarks()] learns only the largest number. Default `FALSE`.
#' @param knows_kernel Whether the selector stops where further landmarks add nothing to the kernel. If
#'   `TRUE`, landmarks that add nothing are dropped from the fit. Default `FALSE`: all are kept.
#' @param chooses_size Whether the selector chooses the number of landmarks where `n` is missing. Default
#'   `FALSE`.
#' @param uses_bandwidth Whether the landmarks depend on the bandwidth. If `FALSE`, [cv_landmarks()] learns
#'   them once for several bandwidths. Default `TRUE`.
#' @param uses_response Whether the selector has an option `y`, a response. If `TRUE`, [landmarks()] puts the
#'   left-hand side of its formula there, and [cv_landmarks()] the response of the training rows, as
#'   `as_response()` gives it. Default `FALSE`.
#' @param method A method object, the result of `new_method()`.
#' @param source The data (see Details).
#' @param n How many landmarks to find, or NULL where the user gave no number.
#' @param kernel A list: `bandwidth` (\eqn{\eta}{eta}, in squared units after `scale`), `rule` (the rule of
#'   the bandwidth in words), `space` (as in [landmarks()]).
#' @param held The landmarks that the fit already has, a matrix in the data's units. It has rows only for
#'   [add_landmarks()]: the selector finds `n` others.
#' @param call The user's call, for error messages.
#' @param landmarks The landmarks that the selector found, a numeric n x d matrix in the data's units.
#' @param iterations For each landmark the number of iterations that moved it. Default 0.
#' @param moved For each landmark the distance by which the last iteration would have moved it, in units of
#'   \eqn{\sqrt{\eta}}{sqrt(eta)}. NA, the default, where no iteration moves landmarks.
#' @param exact Whether the last iteration used all rows. Default `TRUE`.
#' @param ordered Whether the order of the landmarks is kept. By default, `FALSE`, they are put in greedy
#'   order.
#' @param rows For `selection()`: the row numbers of landmarks that are rows of the data, NA (the default) for
#'   other landmarks. For `rows_as_points()`: row numbers of the data.
#' @param trace For each landmark the share of the variance at the rows that remains after it and those before
#'   it were chosen. NA, the default, where it is not computed.
#' @param covariance Local covariances of the landmarks held and found, after `scale`: n x d variances, or a
#'   d x d x n array. NULL, the default, for none.
#' @param used Numbers that the selector chose by itself, a named list for `print()`, or NULL.
#' @param criterion The criterion of the greedy order, `"trace"` (the default) or `"volume"`: see
#'   [gp-criteria].
#' @param fill_up Whether rows of the data replace landmarks that were dropped because they add nothing. Used
#'   where `knows_kernel` is `TRUE`. Default `FALSE`.
#' @param gain The first-order gain of the last step, as a share of what remains of the criterion. A fit has
#'   converged if it is at most .001. NULL, the default, where no step moves landmarks.
#' @return `new_method()`: a list of class `landmark_method`. `select_landmarks()` and `selection()`: a list
#'   of the arguments of `selection()`. `rows_as_points()`: the rows as a dense numeric matrix in the data's
#'   units.
#' @examples
#' # A selector that takes rows at equal steps, and leaves out those that a fit has already
#' by_step <- function(first = 1) new_method("by_step", list(first = first))
#' format.by_step <- function(x, ...) paste("rows at equal steps from row", x$first)
#' select_landmarks.by_step <- function(method, source, n, kernel, held, call) {
#'   rows <- as.integer(seq(method$first, source$dim[1], length.out = n + nrow(held)))
#'   points <- rows_as_points(source, rows)
#'   new <- utils::head(which(!duplicated(rbind(held, points))[nrow(held) + seq_along(rows)]), n)
#'   selection(points[new, , drop = FALSE], rows = rows[new])
#' }
#' registerS3method("format", "by_step", format.by_step)
#' registerS3method("select_landmarks", "by_step", select_landmarks.by_step)
#' fit <- landmarks(as.matrix(iris[1:4]), 10, by_step())
#' add_landmarks(fit, as.matrix(iris[1:4]), 5)
#' @export
new_method <- function(class, options = list(), prefixes = FALSE, knows_kernel = FALSE, chooses_size = FALSE,
                       uses_bandwidth = TRUE, uses_response = FALSE) {
  check_given(class, "class")
  if (!is.character(class) || length(class) == 0 || anyNA(class) || !all(nzchar(class))) {
    abort_input(c("{.arg class} must be a string, the name of a class.", x = "It is {describe(class)}."),
      arg = "class"
    )
  }
  if (!is.list(options)) {
    abort_input(c("{.arg options} must be a named list.", x = "It is {describe(options)}."), arg = "options")
  }
  if (!all(nzchar(rlang::names2(unclass(options))))) {
    abort_input(c("{.arg options} must be a named list.", x = "An option has no name."), arg = "options")
  }
  can <- list(
    prefixes = check_flag(prefixes, "prefixes"), knows_kernel = check_flag(knows_kernel, "knows_kernel"),
    chooses_size = check_flag(chooses_size, "chooses_size"),
    uses_bandwidth = check_flag(uses_bandwidth, "uses_bandwidth"),
    uses_response = check_flag(uses_response, "uses_response")
  )
  structure(options, can = can, class = c(class, "landmark_method"))
}

#' @rdname new_method
#' @export
select_landmarks <- function(method, source, n, kernel, held, call) UseMethod("select_landmarks")

#' @export
select_landmarks.default <- function(method, source, n, kernel, held, call) {
  abort_input(c(
    "{.arg method} must be a method object that selects landmarks, such as {.code by_gp()}.",
    x = "It is {describe(method)}."
  ), arg = "method", kind = "method", call = call)
}

# The method by which add_landmarks() goes on from a fit. An option may belong to the first landmarks alone,
# such as points to start from.
continued_method <- function(method) UseMethod("continued_method")

#' @export
continued_method.default <- function(method) method

# ---- generics of this package alone --------------------------------------------------

# A landmark has converged where a step on all rows would move it by at most this distance, in units of
# sqrt(bandwidth). This is a generic because another method may have an option `tolerance` that means
# something else.
step_tolerance <- function(method) UseMethod("step_tolerance")

#' @export
step_tolerance.default <- function(method) 0.001

# Words by which print() says how the landmarks of a fit were moved, list(unmeasured, batches): one for steps
# whose size was not measured, and one for steps on random batches. NULL for a method that may move no
# landmark.
steps_in_words <- function(method, fit) UseMethod("steps_in_words")

#' @export
steps_in_words.default <- function(method, fit) NULL

# The method by which refine_landmarks(y = ) moves the landmarks of a fit toward a response, where `method` is
# that of the fit.
toward_response <- function(method) UseMethod("toward_response")

# Whether a method has an ability, by its name in new_method().
method_can <- function(method, what) isTRUE(attr(method, "can")[[what]])

# ---- methods by name -----------------------------------------------------------------

# The methods that can be given by name, a list of their functions. .onLoad() fills it, because these
# functions are in other files, which call functions of this one.
named_methods <- NULL

# The method object for the user's `method`.
find_method <- function(method, call = rlang::caller_env(), arg = "method") {
  if (inherits(method, "landmark_method")) {
    if (is.list(method) && is.list(attr(method, "can"))) return(method)
    abort_input(c(
      "{.arg {arg}} must be a method object as {.fn new_method} returns it.", i = "Make it again."
    ), arg = arg, kind = "method", call = call)
  }
  known <- named_methods
  if (!is.character(method) || length(method) != 1 || !method %in% names(known)) {
    shown <- paste0("\"", names(known), "\"")
    meant <- if (is_path(method)) alike(method, names(known))
    abort_input(c(
      "{.arg {arg}} must be one of {.or {shown}}, or a method object such as {.code by_gp()}.",
      x = "It is {describe(method)}.",
      i = if (length(meant)) "Did you mean {.val {meant}}?",
      i = if (is.factor(method) || (is.atomic(method) && length(method) > 1)) {
        "A response belongs to its method: {.code by_response(y)}."
      },
      i = if (is.function(method)) bracket_hint(method, known)
    ), arg = arg, kind = "method", call = call)
  }
  known[[method]]()
}

# A hint where the user gave a function of this package, such as by_gp, rather than its result.
bracket_hint <- function(method, known) {
  name <- names(known)[vapply(known, identical, NA, method)]
  if (length(name)) paste0("Write {.code by_", name, "()}, with brackets.")
}

# ---- methods in words ----------------------------------------------------------------

# A method in words, with the options that it chose by itself.
describe_method <- function(method, used = NULL) paste0(format(method), format_used(used))

#' @export
print.landmark_method <- function(x, ...) {
  cat("<landmark method> ", format(x), "\n", sep = "")
  # NULL, an option that is not set, is atomic in some versions of R.
  shown <- Filter(function(v) is.atomic(v) && !is.null(v) && length(v) <= 4, unclass(x))
  # Options that by_<name>() computes itself are left out.
  maker <- named_methods[[sub("^by_", "", class(x)[1])]]
  options <- if (!is.null(maker)) names(formals(maker))
  if (!is.null(options)) shown <- shown[names(shown) %in% options]
  for (name in names(shown)) cat("  ", name, ": ", paste(shown[[name]], collapse = ", "), "\n", sep = "")
  invisible(x)
}

# The options that a method chose by itself, in words.
format_used <- function(used) {
  if (length(used) == 0) return(NULL)
  numbers <- vapply(used, function(v) format(signif(v, 4), big.mark = big_mark()), "")
  paste0(", ", paste(names(used), numbers, collapse = ", "))
}
