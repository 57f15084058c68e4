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
