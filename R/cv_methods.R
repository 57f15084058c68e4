#' Measures, methods, weights and formulas of cv_landmarks()
#'
#' How [cv_landmarks()] measures predictions of held-out rows, which methods it accepts, and how it uses
#' weights and formulas. [cv-regressions] describes the regressions.
#'
#' @section Measures:
#' * Classes: `"accuracy"` (default) and `"deviance"`, -2 times the mean log-likelihood. For two classes also
#'   `"auc"`, the area under the ROC curve.
#' * Numbers: `"mse"` (default), the mean squared error, and `"r_squared"`, 1 minus this error divided by the
#'   variance of `y` over all rows.
#' * Labels: `"auc"` (default), `"map"`, `"precision"`, `"recall"`, `"f"` (means over labels, see
#'   [tagging_scores()]) and `"deviance"`.
#'
#' A standard error is the standard deviation over folds and seeds divided by the square root of their number.
#' It is approximate, because folds share training rows. With `validation` it only describes the randomness of
#' the landmarks.
#'
#' @section Methods:
#' A method may be a function(x, n) of the training rows, a matrix (a data frame has been converted, with a
#' column for each level of a factor). The result needs a `predict()` method that returns a matrix of at least
#' n features ([nmf_features()] is an example; [raw_features()] may return any number). [method_with_data()]
#' gives a method other data. `raw_features` and `nmf_features` use the argument `scale`; functions of your
#' own get neither `space` nor `scale` nor `kernel`.
#'
#' If a method fails for one number of landmarks or fold, its row of the table has no measures, `problem` has
#' the error message, and there is a warning.
#'
#' Each fit has its own random seed, derived from `seeds`, so that results do not depend on the number of
#' processes or on the other methods and bandwidths. With `seeds = NULL` one seed is drawn from R's random
#' number stream; otherwise the stream is left unchanged.
#'
#' @section Weights:
#' Case weights are used in the fits of landmarks and the standard deviations of `scale` (see [landmarks()]),
#' in the loss of the regressions, in the measures (in the area under the ROC curve, a pair of rows has the
#' product of their weights), and in the refit. In regressions and measures a row of weight 2 counts as two
#' rows. Rows of weight 0 are dropped. Folds, and means over folds, are not weighted. A function(x, n) gets
#' the weights of the training rows if it has an argument `weights`; [nmf_features()] has none.
#'
#' @section Formulas:
#' `cv_landmarks(y ~ a + b, data)` predicts the left-hand side from the columns of the right-hand side, and
#' `y ~ .` from all other columns. Each level of a factor becomes a column. For labels write
#' `cbind(tag1, tag2) ~ .`. The formula is evaluated once for all rows, so terms such as `poly()` or `scale()`
#' would use the held-out rows. Use the argument `scale` instead, which uses the training rows only.
#' `predict()` and `augment()` need the columns of the right-hand side.
#' @seealso [cv_landmarks()], [tagging_scores()], [nmf_features()], [method_with_data()]
#' @examples
#' # A method of your own: k-means of package stats
#' kmeans_features <- function(x, n) as_landmarks(stats::kmeans(x, n)$centers, x)
#' cv <- cv_landmarks(iris[1:4], iris$Species, n = 6, folds = 3, seeds = 1,
#'   methods = list(gp = by_gp(), stats = kmeans_features)
#' )
#' cv$summary[c("method", "n", "accuracy", "deviance")]
#' @name cv-measures
NULL

#' Method with other data in a comparison
#'
#' In [cv_landmarks()] all methods use the same data. `method_with_data()` gives one method other data of the
#' same rows, for example raw counts in place of their square roots. The folds are the same for all methods.
#'
#' @param method A method as in [cv_landmarks()]: a method object such as [by_gp()], its name, or a
#'   function(x, n).
#' @param x Data with the same rows as those of [cv_landmarks()]: a matrix, a sparse matrix or a data frame.
#' @param ... Not used.
#' @param space,scale As in [landmarks()], for this method, in place of those given to [cv_landmarks()].
#' @return A list of class `method_with_data`, for `methods` of [cv_landmarks()]. If this method is the best,
#'   `predict()` of the comparison needs new data with the columns of this `x`.
#' @examples
#' counts <- digits$images[1:200, seq(1, 784, 8)]
#' cv_landmarks(hellinger(counts + 1), digits$labels[1:200],
#'   n = 10, methods = list(roots = by_random(), raw = method_with_data(raw_features, counts / 255)),
#'   folds = 2, seeds = 1
#' )
#' @export
method_with_data <- function(method, x, ..., space = NULL, scale = NULL) {
  check_dots(...)
  call <- rlang::current_env()
  check_given(method, "method")
  input <- cv_data(x, call)
  method <- as_cv_method(method, call, "method")
  if (!is.null(space)) check_space(space, call)
  if (!is.null(scale)) scale <- check_scale(scale, space %||% "euclidean", call)
  structure(
    list(method = method, x = input$x, blueprint = input$blueprint, space = space, scale = scale),
    class = "method_with_data"
  )
}

#' @export
print.method_with_data <- function(x, ...) {
  check_object(x, "method_with_data", "x")
  named <- if (is.function(x$method)) method_name(x$method) else format(x$method)
  rows <- format(nrow(x$x), big.mark = big_mark())
  cat(sprintf("<landmark method> %s, on separate data, %s x %d\n", named, rows, ncol(x$x)))
  invisible(x)
}

# The methods of a comparison, a named list: each is list(method, x, blueprint, space, scale, kernel, words,
# name), where `method` is a method object or a function; `x` and `blueprint` are there if the data are its
# own. With several scales or kernels each method is there for each of them.
cv_methods <- function(methods, options, rows, call) {
  methods <- check_methods(methods, call)
  specs <- lapply(names(methods), function(name) {
    spec <- methods[[name]]
    own <- inherits(spec, "method_with_data")
    if (!own) spec <- list(method = spec)
    check_method_of_rows(spec, name, rows, call)
    spec$space <- spec$space %||% options$space
    scales <- if (is.null(spec$scale)) options$scales else list(spec$scale)
    kernels <- options$kernels
    # Functions have no kernel. Raw and NMF features are scaled or not, other functions get no scale.
    if (is.function(spec$method)) {
      kernels <- kernels[1]
      known <- method_name(spec$method) %in% c("raw", "nmf")
      scales <- if (known) scales[!duplicated(lapply(scales, isFALSE))] else scales[1]
    }
    several <- lengths(list(scales, kernels)) > 1
    grid <- expand.grid(kernel = kernels, scale = seq_along(scales), stringsAsFactors = FALSE)
    each <- Map(function(kernel, s) {
      scale <- scales[[s]]
      spec$scale <- check_scale(scale, spec$space, call)
      spec$kernel <- kernel
      scaled <- if (identical(scale, "ranks")) "scaled by ranks" else if (scale) "scaled" else "not scaled"
      spec$words <- toString(c(
        method_words(spec$method), if (own) "on separate data" else if (several[1]) scaled,
        if (several[2]) paste(kernel, "kernel")
      ))
      label <- if (is.character(scale)) scale else if (scale) "sd" else "none"
      spec$name <- toString(c(name, if (several[1]) label, if (several[2]) kernel))
      unclass(spec)
    }, grid$kernel, grid$scale)
    stats::setNames(each, vapply(each, `[[`, "", "name"))
  })
  do.call(c, specs)
}

# Data of a method's own must have as many rows as `x`, and its groups would be those of all rows, though it
# learns from some.
check_method_of_rows <- function(spec, name, rows, call) {
  if (!is.null(spec$x) && nrow(spec$x) != rows) {
    abort_input(c(
      "The data of {.fn method_with_data} must have the {rows} row{?s} of {.arg x}.",
      x = "Those of method {.val {name}} have {nrow(spec$x)}."
    ), arg = "methods", kind = "data", call = call)
  }
  if (is.list(spec$method) && !is.null(spec$method$groups)) {
    abort_input(c(
      "{.arg groups} must be an argument of {.fn cv_landmarks}, not of a method.",
      x = "It is an argument of method {.val {name}}."
    ), arg = "groups", kind = "group", call = call)
  }
  if (identical(spec$method, nmf_features)) need_package("NMF", "nmf_features()", call)
}

# A named list of methods, of which each is one of landmarks(), a function, or one with data of its own.
check_methods <- function(methods, call) {
  single <- inherits(methods, c("landmark_method", "method_with_data")) || is.function(methods)
  methods <- if (single) list(methods) else as.list(methods)
  if (length(methods) == 0) {
    abort_input(c(
      "{.arg methods} must be a named list of method objects such as {.code by_gp()}, or of functions(x, n).",
      x = "It is {describe(methods)}."
    ), arg = "methods", kind = "method", call = call)
  }
  names <- rlang::names2(methods)
  names(methods) <- ifelse(nzchar(names), names, vapply(methods, method_name, ""))
  if (anyDuplicated(names(methods))) {
    abort_input(c(
      "{.arg methods} must have distinct names.",
      x = "{.val {names(methods)[anyDuplicated(names(methods))]}} occurs more than once."
    ), arg = "methods", kind = "method", call = call)
  }
  lapply(methods, function(method) {
    if (!inherits(method, "method_with_data")) return(as_cv_method(method, call, "methods"))
    check_object(method, "method_with_data", "methods", call)
  })
}

# A method object, or a function of the user. A selector given as by_gp, without its brackets, is what by_gp()
# makes.
as_cv_method <- function(method, call, arg) {
  if (any(vapply(named_methods, identical, NA, method))) return(method())
  if (is.function(method)) method else match_method(method, call, arg)
}

# The name of a method in the table, where the user gave none.
method_name <- function(method) {
  if (inherits(method, "method_with_data")) method <- method$method
  if (inherits(method, "landmark_method")) return(sub("^by_", "", class(method)[1]))
  known <- c(named_methods, raw = raw_features, nmf = nmf_features)
  named <- names(known)[vapply(known, identical, NA, method)]
  if (length(named)) return(named)
  if (rlang::is_string(method)) method else "own"
}

method_words <- function(method) {
  if (!is.function(method)) return(format(method))
  switch(method_name(method),
    raw = "raw data", nmf = "nonnegative matrix factorization", "user-defined function"
  )
}

# What a comparison learns from, as mold() gives it: a matrix, and the blueprint of a data frame, whose levels
# are those of all rows.
cv_data <- function(x, call) {
  check_given(x, "x", call)
  x <- as_rows(x, "x", call)
  refuse_chunks(x, "x", call)
  input <- mold(x, by_response(), NULL, "na.fail", call)
  input$x <- check_finite(input$x, "x", call)
  input
}
