#' Method with data of its own
#'
#' In [cv_landmarks()] every method uses the same data. `with_data()` gives one method other data on the same
#' rows, for example raw counts beside their square roots, or another preparation of the same images. The
#' same rows are held out as for all other methods.
#'
#' @param method A method as in [cv_landmarks()]: a method object such as [by_gp()], its name, or a
#'   function(x, n).
#' @param x Data with the same rows as those of [cv_landmarks()]: a matrix, a sparse matrix or a data frame.
#' @param ... Arguments of [landmarks()] for this method alone, `space` or `scale`. They replace those given
#'   to [cv_landmarks()].
#' @return A list of class `method_with_data`, for use in `methods` of [cv_landmarks()]. Where this method is
#'   the best one, `predict()` of the comparison takes new data with the columns of this `x`.
#' @examples
#' counts <- digits$images[1:200, seq(1, 784, 8)]
#' cv_landmarks(hellinger(counts + 1), digits$labels[1:200],
#'   n = 10, methods = list(roots = by_random(), raw = with_data(raw_features, counts / 255)),
#'   folds = 2, seeds = 1
#' )
#' @export
with_data <- function(method, x, ...) {
  call <- rlang::current_env()
  check_given(method, "method")
  x <- cv_data(x, call)
  if (any(vapply(named_methods, identical, NA, method))) method <- method()
  own <- if (is.function(method)) method else find_method(method, call)
  structure(
    list(method = own, x = x, dots = check_landmark_dots(..., call = call)), class = "method_with_data"
  )
}

# A method in words.
method_words <- function(method) {
  bare <- bare_method(method)
  words <- if (!is.function(bare)) {
    format(bare)
  } else {
    switch(method_name(bare),
      raw = "the data themselves", nmf = "nonnegative matrix factorization", "a function of the user"
    )
  }
  paste0(words, if (inherits(method, "method_with_data")) ", with data of its own")
}

# The method without its own data.
bare_method <- function(method) if (inherits(method, "method_with_data")) method$method else method

#' @export
print.method_with_data <- function(x, ...) {
  check_with_data(x, "x", rlang::current_env())
  named <- if (is.function(x$method)) method_name(x$method) else format(x$method)
  rows <- format(nrow(x$x), big.mark = big_mark())
  cat(sprintf("<landmark method> %s, with data of its own, %s x %d\n", named, rows, ncol(x$x)))
  invisible(x)
}

check_with_data <- function(method, arg, call) check_object(method, with_data_rules, arg, call)

with_data_rules <- list(
  class = "method_with_data", kind = "method", what = "method with data", maker = "with_data",
  parts = list(
    method = function(v, m) is.function(v) || (inherits(v, "landmark_method") && is.null(method_flaw(v))),
    x = function(v, m) identical(cv_data(v, NULL), v),
    dots = function(v, m) {
      is.list(v) && !is.object(v) &&
        is.list(do.call(check_landmark_dots, c(v, list(call = NULL)), quote = TRUE))
    }
  )
)

# Whether a method's landmarks are the same whatever the bandwidth.
knows_no_bandwidth <- function(method) identical(attr(method, "can")$uses_bandwidth, FALSE)

cv_data <- function(x, call) {
  check_given(x, "x", call)
  # Rows of a fold, by their numbers, come to memory, as their features do.
  x <- in_parts(x, "x", call)
  if (!in_memory(x)) return(check_finite_rows(x, "x", call))
  if (is.data.frame(x)) {
    check_finite(check_data(frame_blueprint(~., x, call, "x")$x, "x", call), "x", call)
    # A value that only held-out rows have is a level all the same.
    strings <- vapply(x, is.character, NA)
    x[strings] <- lapply(x[strings], factor)
    return(x)
  }
  check_finite(check_data(x, "x", call), "x", call)
}

check_methods <- function(methods, call) {
  single <- inherits(methods, c("landmark_method", "method_with_data")) || is.function(methods)
  if (single) methods <- list(methods)
  if (is.character(methods)) methods <- as.list(stats::setNames(methods, names(methods) %||% methods))
  if (!is.list(methods) || length(methods) == 0) {
    abort_input(c(
      "{.arg methods} must be a named list of method objects such as {.code by_gp()}, or of functions(x, n).",
      x = "It is {describe(methods)}."
    ), arg = "methods", kind = "method", call = call)
  }
  methods <- unclass(methods)
  given <- names(methods) %||% rep("", length(methods))
  own <- vapply(methods, method_name, "")
  names(methods) <- ifelse(nzchar(given), given, own)
  if (anyDuplicated(names(methods))) {
    abort_input(c(
      "{.arg methods} must have different names.",
      x = "{.val {names(methods)[anyDuplicated(names(methods))]}} occurs more than once."
    ), arg = "methods", kind = "method", call = call)
  }
  # A selector given as by_gp, without its brackets, is what by_gp() makes.
  lapply(methods, function(m) {
    if (any(vapply(named_methods, identical, NA, m))) return(m())
    if (inherits(m, "method_with_data")) check_with_data(m, "methods", call)
    if (is.function(m) || inherits(m, "method_with_data")) m else find_method(m, call, "methods")
  })
}

# What a method is called that the user gave no name.
method_name <- function(method) {
  method <- bare_method(method)
  if (inherits(method, "landmark_method")) return(sub("^by_", "", class(method)[1]))
  selector <- which(vapply(named_methods, identical, NA, method))
  if (length(selector)) return(names(named_methods)[selector])
  if (is.character(method) && length(method) == 1 && !is.na(method)) return(method)
  if (identical(method, raw_features)) "raw" else if (identical(method, nmf_features)) "nmf" else "own"
}

# What landmarks() takes beside x, n, the method and the bandwidth.
check_landmark_dots <- function(..., call) {
  dots <- rlang::list2(...)
  known <- c("space", "scale")
  other <- setdiff(rlang::names2(dots), known)
  if (length(other)) {
    abort_input(c(
      "Further arguments must be {.or {.arg {known}}}, the arguments of {.fn landmarks} for all methods.",
      x = if (nzchar(other[1])) "{.arg {other[1]}} is another argument." else "One has no name."
    ), kind = "dots", call = call)
  }
  scale <- check_flag(dots$scale %||% FALSE, "scale", call)
  space <- check_space(dots$space %||% "euclidean", call)
  check_scaled_space(scale, space, call)
  dots
}

# Data of a method's own must have the rows of all others.
check_own_data <- function(methods, n, call) {
  for (name in names(methods)) {
    own <- methods[[name]]
    if (inherits(own, "method_with_data") && nrow(own$x) != n) {
      abort_input(c(
        "The data of {.fn with_data} must have the same {n} row{?s} as {.arg x}.",
        x = "Those of method {.val {name}} have {nrow(own$x)}."
      ), arg = "methods", kind = "data", call = call)
    }
  }
}

# Whether a fit for the largest n serves all numbers.
cv_prefixes <- function(method) {
  method <- bare_method(method)
  (inherits(method, "landmark_method") && method_can(method, "prefixes")) || identical(method, raw_features)
}
