# Method objects, as glm() takes binomial(): a list of options with a class. A
# method is a function by_<name>(), a format() method, and a select_landmarks()
# method in a file of its own.

new_method <- function(class, options) structure(options, class = c(class, "landmark_method"))

# n new landmarks beside those held, or where the method has_size() and n is NULL
# as many as it says. Returns what selection() makes.
select_landmarks <- function(method, source, n, kernel, held, call) UseMethod("select_landmarks")

select_landmarks.default <- function(method, source, n, kernel, held, call) {
  abort_input(c(
    "{.arg method} must be a method object that selects landmarks, such as {.code by_gp()}.",
    x = "It is {describe(method)}."
  ), arg = "method", kind = "method", call = call)
}

# What a method has found: landmarks in the data's units, for each the steps it
# took and how far its last step would have moved it (in sqrt(bandwidth), or NA
# where nothing moves); whether that step saw all rows (`exact`); whether
# their order is the method's own (else they are put in greedy order); for
# landmarks that are rows of the data, which (`rows`); the share of the
# variance at the rows that the first so many leave (`trace`), or NA; the local
# covariances of those held and found, or NULL; the options that the method
# chose by itself, a named list (`used`); and the criterion of the greedy order.
selection <- function(landmarks, steps = rep(0L, nrow(landmarks)), moved = rep(NA_real_, nrow(landmarks)),
                      exact = TRUE, ordered = FALSE, rows = rep(NA_integer_, nrow(landmarks)),
                      trace = rep(NA_real_, nrow(landmarks)), covariance = NULL, used = NULL,
                      criterion = "trace") {
  list(
    landmarks = landmarks, steps = steps, moved = moved, exact = exact, ordered = ordered,
    rows = rows, trace = trace, covariance = covariance, used = used, criterion = criterion
  )
}

# Whether the first m of n landmarks are what the method gives for m.
has_prefixes <- function(method) {
  switch(class(method)[1],
    by_gp = method$solver != "joint",
    by_kmeans = method$iterations == 0,
    by_dpp = !is.null(method$neighbors) && !is.null(method$sigma),
    by_active = , by_random = TRUE,
    FALSE
  )
}

# Whether a method ends where the kernel's rank is used up. To the others the kernel is
# nothing: all their landmarks stay.
knows_kernel <- function(method) inherits(method, c("by_gp", "by_active"))

# Whether the method says how many landmarks there are where `n` is not given.
has_size <- function(method) inherits(method, "by_dpp_exact")

# What goes by a bare name.
selectors <- function() {
  list(
    gp = by_gp, active = by_active, dpp = by_dpp, dpp_exact = by_dpp_exact, kmeans = by_kmeans, random = by_random
  )
}

# The method object behind what the user gave.
find_method <- function(method, call = rlang::caller_env(), arg = "method") {
  if (inherits(method, "landmark_method")) return(method)
  known <- selectors()
  if (!is.character(method) || length(method) != 1 || !method %in% names(known)) {
    shown <- paste0("\"", names(known), "\"")
    abort_input(c(
      "{.arg {arg}} must be one of {.or {shown}}, or a method object such as {.code by_gp()}.",
      x = "It is {describe(method)}."
    ), arg = arg, kind = "method", call = call)
  }
  known[[method]]()
}

# A method in words, with the options that it chose by itself.
describe_method <- function(method, used = NULL) paste0(format(method), format_used(used))

#' @export
print.landmark_method <- function(x, ...) {
  cat("<landmark method> ", format(x), "\n", sep = "")
  # NULL, an option that is not set, is atomic in some versions of R.
  shown <- Filter(function(v) is.atomic(v) && !is.null(v) && length(v) <= 4, unclass(x))
  # What by_<name>() works out is no option that could be given.
  options <- names(formals(selectors()[[sub("^by_", "", class(x)[1])]]))
  if (!is.null(options)) shown <- shown[names(shown) %in% options]
  for (name in names(shown)) cat("  ", name, ": ", paste(shown[[name]], collapse = ", "), "\n", sep = "")
  invisible(x)
}
