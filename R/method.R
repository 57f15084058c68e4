# Selectors of landmarks: method objects, their abilities, and their results.

#' Selectors of your own
#'
#' `landmarks(method = )` takes a method object, as [glm()] takes a family. `new_method()` makes one,
#' `select_landmarks()` is the generic that [landmarks()] calls with it, and `selection()` is what its method
#' returns. All else of a fit is the same for every selector: order, variances, nearest rows, `predict()`,
#' [cv_landmarks()], [embed_landmarks()].
#'
#' A selector is a class, a `format()` method that says what it is in a few words, and a `select_landmarks()`
#' method. Random numbers come from R's stream. `source` is the data: read `source$dim` (rows and columns),
#' `source$names`, `source$weights` (of mean 1, or NULL), `source$mean` and `source$variance` (of the
#' columns), and take rows by `rows_as_points()`.
#'
#' @param class The name of the selector's class, a string.
#' @param options Its options, a named list. `print()` shows them.
#' @param prefixes Whether the first m of n landmarks are what the selector gives for m. Then [cv_landmarks()]
#'   learns the largest number alone. Default FALSE.
#' @param knows_kernel Whether it ends where the kernel's rank is used up. Landmarks that add nothing are
#'   dropped then; by default, FALSE, all are kept.
#' @param chooses_size Whether it says how many landmarks there are where `n` is not given. Default FALSE.
#' @param uses_bandwidth Whether its landmarks depend on the bandwidth, TRUE by default. If not,
#'   [cv_landmarks()] learns them once for several bandwidths.
#' @param method What `new_method()` returned.
#' @param source The data, see Details. `rows_as_points()` gives some of its rows, by number, as a dense
#'   matrix in the data's units.
#' @param n How many landmarks to find; NULL where it was not given.
#' @param kernel A list: `bandwidth` (in squared units after `scale`), `rule` (its rule in words), `space`.
#' @param held A matrix of landmarks that the fit has already, which may have no rows: see [add_landmarks()].
#' @param call For errors: the call that the user made.
#' @param landmarks What was found, in the data's units: a numeric matrix, n x d.
#' @param iterations,moved For each landmark how many iterations moved it, and how far the last one would have
#'   moved it, in \eqn{\sqrt{\eta}}{sqrt(eta)}; NA where nothing moves.
#' @param exact Whether the last iteration used all rows.
#' @param ordered Whether their order is the selector's own. By default, FALSE, they are put in greedy order.
#' @param rows For landmarks that are rows of the data, their numbers; NA for others.
#' @param trace For each landmark the share of the variance at the rows that it and those before it leave, or
#'   NA.
#' @param covariance Local covariances of the landmarks held and found, in kernel coordinates (n x d, or d x d
#'   x n), or NULL.
#' @param used Options that the selector chose by itself, a named list, for `print()`.
#' @param criterion Of the greedy order: `"trace"` or `"volume"`.
#' @return `new_method()`: a list of class `landmark_method`. `select_landmarks()`: what `selection()` makes,
#'   a list. `rows_as_points()`: a numeric matrix.
#' @examples
#' # Every k-th row of the data.
#' by_step <- function(first = 1) new_method("by_step", list(first = first))
#' format.by_step <- function(x, ...) paste("rows at equal steps from row", x$first)
#' select_landmarks.by_step <- function(method, source, n, kernel, held, call) {
#'   rows <- as.integer(seq(method$first, source$dim[1], length.out = n))
#'   selection(rows_as_points(source, rows), rows = rows)
#' }
#' registerS3method("format", "by_step", format.by_step)
#' registerS3method("select_landmarks", "by_step", select_landmarks.by_step)
#' landmarks(as.matrix(iris[1:4]), 10, by_step())
#' @export
new_method <- function(class, options = list(), prefixes = FALSE, knows_kernel = FALSE, chooses_size = FALSE,
                       uses_bandwidth = TRUE) {
  can <- list(
    prefixes = check_flag(prefixes, "prefixes"), knows_kernel = check_flag(knows_kernel, "knows_kernel"),
    chooses_size = check_flag(chooses_size, "chooses_size"),
    uses_bandwidth = check_flag(uses_bandwidth, "uses_bandwidth")
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

#' @rdname new_method
#' @export
selection <- function(landmarks, iterations = rep(0L, nrow(landmarks)),
                      moved = rep(NA_real_, nrow(landmarks)),
                      exact = TRUE, ordered = FALSE, rows = rep(NA_integer_, nrow(landmarks)),
                      trace = rep(NA_real_, nrow(landmarks)), covariance = NULL, used = NULL,
                      criterion = "trace") {
  list(
    landmarks = landmarks, iterations = iterations, moved = moved, exact = exact, ordered = ordered,
    rows = rows, trace = trace, covariance = covariance, used = used, criterion = criterion
  )
}

# Whether a method has an ability, by its name in new_method().
method_can <- function(method, what) isTRUE(attr(method, "can")[[what]])

# The methods that have a bare name.
selectors <- function() {
  list(
    gp = by_gp, active = by_active, dpp = by_dpp, dpp_exact = by_dpp_exact, kmeans = by_kmeans,
    random = by_random
  )
}

# The method object for the user's `method`.
find_method <- function(method, call = rlang::caller_env(), arg = "method") {
  if (inherits(method, "landmark_method")) return(method)
  known <- selectors()
  if (!is.character(method) || length(method) != 1 || !method %in% names(known)) {
    shown <- paste0("\"", names(known), "\"")
    abort_input(c(
      "{.arg {arg}} must be one of {.or {shown}}, or a method object such as {.code by_gp()}.",
      x = "It is {describe(method)}.",
      i = if (is.function(method)) bracket_hint(method, known)
    ), arg = arg, kind = "method", call = call)
  }
  known[[method]]()
}

bracket_hint <- function(method, known) {
  name <- names(known)[vapply(known, identical, NA, method)]
  if (length(name)) paste0("Write {.code by_", name, "()}, with brackets.")
}

# A method in words, with the options that it chose by itself.
describe_method <- function(method, used = NULL) paste0(format(method), format_used(used))

#' @export
print.landmark_method <- function(x, ...) {
  cat("<landmark method> ", format(x), "\n", sep = "")
  # NULL, an option that is not set, is atomic in some versions of R.
  shown <- Filter(function(v) is.atomic(v) && !is.null(v) && length(v) <= 4, unclass(x))
  # Options that by_<name>() computes itself are left out.
  options <- names(formals(selectors()[[sub("^by_", "", class(x)[1])]]))
  if (!is.null(options)) shown <- shown[names(shown) %in% options]
  for (name in names(shown)) cat("  ", name, ": ", paste(shown[[name]], collapse = ", "), "\n", sep = "")
  invisible(x)
}
