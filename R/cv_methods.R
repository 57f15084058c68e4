#' Measures, methods, weights and formulas of cv_landmarks()
#'
#' Measures of predictions, methods, weights and formulas in [cv_landmarks()]. [cv-regressions] describes the
#' regressions.
#'
#' @section Measures:
#' * A factor: `"accuracy"` (default) and `"deviance"`, -2 times the mean log-likelihood. For two classes also
#'   `"auc"`, the area under the ROC curve.
#' * A numeric response: `"mse"` (default), the mean squared error, and `"r_squared"`, 1 minus this error
#'   divided by the variance of `y` over all rows.
#' * Several binary labels (tags): `"auc"` (default), `"map"`, `"precision"`, `"recall"`, `"f"` (means over
#'   labels, see [tagging_scores()]) and `"deviance"`.
#'
#' A standard error is the standard deviation over folds and seeds divided by the square root of their number.
#' It is approximate, because folds share training rows. With `validation` it only describes the randomness of
#' the landmarks.
#'
#' @section Methods:
#' A method may be a function(x, n), where x is the matrix of the training rows, with a column for each level
#' of a factor. The result needs a `predict()` method that returns a matrix of at least n features
#' ([nmf_features()] is an example; [raw_features()] may return any number). [method_with_data()] is for a
#' method with data of its own. `raw_features` and `nmf_features` use the argument `scale`; functions of your
#' own get neither `space` nor `scale` nor `kernel`.
#'
#' If a method fails for one number of landmarks or fold, its measures are NA, column `problem` has the error
#' message, and a warning is given.
#'
#' Each fit has its own random seed, derived from `seeds`, so that results do not depend on the number of
#' processes or on the other methods and bandwidths. With `seeds = NULL` one seed is drawn from R's random
#' number stream; otherwise the stream is left unchanged.
#'
#' @section Weights:
#' Case weights are used in the fits of landmarks and the standard deviations of `scale` (see [landmarks()]),
#' in the loss of the regressions, in the measures, and in the final fit. In regressions and measures a row of
#' weight 2 counts as two rows. In the area under the ROC curve, a pair of rows has the product of their
#' weights. Rows of weight 0 are dropped. Folds, and means over folds, are not weighted. A function(x, n) gets
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
#' In [cv_landmarks()] all methods use the same data. With `method_with_data()` a method uses other data for
#' the same observations, such as raw counts instead of their square roots. The folds are the same for all
#' methods.
#'
#' @param method A method as in [cv_landmarks()]: a method object such as [by_gp()], its name, or a
#'   function(x, n).
#' @param x Data with the same rows as those of [cv_landmarks()], without the response: a matrix, a sparse
#'   matrix or a data frame.
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
  size <- paste(dim(x$x), collapse = " x ")
  cat("<landmark method> ", method_words(x$method), ", on separate data, ", size, "\n", sep = "")
  invisible(x)
}

# The methods of a comparison, a named list: each is list(method, x, blueprint, space, scale, kernel, words,
# row), where `method` is a method object or a function; `x` and `blueprint` are there if the data are its
# own; `row` has its columns of the table, `method`, and `scale` and `kernel` where several are compared.
cv_methods <- function(methods, options, call) {
  methods <- check_methods(methods, call)
  specs <- do.call(c, lapply(names(methods), function(name) {
    spec <- methods[[name]]
    spec <- if (inherits(spec, "method_with_data")) unclass(spec) else list(method = spec)
    spec$space <- spec$space %||% options$space
    spec$words <- toString(c(method_words(spec$method), if (!is.null(spec$x)) "on separate data"))
    scales <- if (is.null(spec$scale)) options$scales else list(spec$scale)
    kernels <- options$kernels
    # Functions have no kernel, and only baselines are scaled, or not.
    if (is.function(spec$method)) {
      kernels <- NA_character_
      scales <- if (method_name(spec$method) != "own") unique(lapply(scales, Negate(isFALSE))) else NA
    }
    grid <- expand.grid(kernel = kernels, scale = seq_along(scales), stringsAsFactors = FALSE)
    Map(function(kernel, s) {
      spec$scale <- if (is.function(spec$method)) scales[[s]] else check_scale(scales[[s]], spec$space, call)
      spec$kernel <- kernel
      label <- unname(c("TRUE" = "sd", "FALSE" = "none", ranks = "ranks")[as.character(spec$scale)])
      several <- lengths(options[c("scales", "kernels")]) > 1
      spec$row <- c(list(method = name), list(scale = label, kernel = kernel)[several])
      spec
    }, grid$kernel, grid$scale)
  }))
  stats::setNames(specs, vapply(specs, function(spec) method_labels(spec$row), ""))
}

# The names of methods in sentences: rows of the table, with the scale and the kernel.
method_labels <- function(of) {
  parts <- of[intersect(c("method", "scale", "kernel"), names(of))]
  Reduce(function(label, part) ifelse(is.na(part), label, paste(label, part, sep = ", ")), parts)
}

# An error for data of a method's own that have other rows, or the response among their columns: numbers or
# 0/1, a label, or the indicators of all classes. `unused`: rows of weight 0.
check_own_data <- function(spec, response, unused, call) {
  if (is.null(spec$x)) return(invisible())
  refuse <- function(rule, found) {
    abort_input(c(paste("The data of method {.val {spec$row$method}} must", rule), x = found),
      arg = "methods", kind = "data", call = call
    )
  }
  rows <- nrow(response$y)
  if (nrow(spec$x) != rows) refuse("have the {rows} row{?s} of {.arg x}.", "They have {nrow(spec$x)}.")
  x <- without_rows(spec$x, unused)
  same <- unlist(lapply(asplit(without_rows(response$y, unused), 2), function(v) {
    largest <- which.max(abs(v))
    Find(function(j) all(x[, j] == v), which(x[largest, ] == v[largest]))
  }))
  if (length(same) >= if (response$type == "tags") 1 else ncol(response$y)) {
    refuse("not have the response among their columns.", "It is {name_column(same[1], colnames(x))}.")
  }
}

# A named list of methods, of which each is one of landmarks(), a function, or one with data of its own.
check_methods <- function(methods, call) {
  one_object <- inherits(methods, c("landmark_method", "method_with_data", "formula"))
  single <- one_object || is.function(methods)
  methods <- lapply(if (single) list(methods) else methods, function(method) {
    if (!inherits(method, "method_with_data")) return(as_cv_method(method, call, "methods"))
    check_object(method, "method_with_data", "methods", call)
  })
  names <- rlang::names2(methods)
  names(methods) <- ifelse(nzchar(names), names, vapply(methods, method_name, ""))
  twice <- names(methods)[duplicated(names(methods))]
  if (length(methods) == 0 || length(twice)) {
    abort_input(c(
      paste(
        "{.arg methods} must be a list of method objects such as {.code by_gp()}, or of functions(x, n),",
        "with distinct names."
      ),
      x = if (length(twice)) "{.val {twice[1]}} occurs more than once." else "It is empty."
    ), arg = "methods", kind = "method", call = call)
  }
  methods
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
  if (!is.function(method)) return(sub("^by_", "", class(method)[1]))
  if (identical(method, raw_features)) "raw" else if (identical(method, nmf_features)) "nmf" else "own"
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
