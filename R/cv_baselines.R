#' Baseline features for cross-validation
#'
#' Baseline methods for [cv_landmarks()]: `raw_features()` uses the data themselves, `nmf_features()` a
#' nonnegative matrix factorization (NMF).
#'
#' NMF approximates the data X (N x d) by \eqn{W H} with nonnegative W (N x n) and H (n x d) that minimize the
#' generalized Kullback-Leibler divergence \eqn{\sum_{ij} x_{ij} \log(x_{ij} / (WH)_{ij}) - x_{ij} +
#' (WH)_{ij}}{sum x log(x / WH) - x + WH}, by the multiplicative updates of Lee and Seung (2001) in package
#' \pkg{NMF}. The features are the rows of W, scaled to sum 1. `predict()` computes those of new rows for
#' fixed H. If the landmarks use a transform such as [hellinger()], [method_with_data()] passes the counts
#' themselves to NMF.
#'
#' @param x The data, N x d, nonnegative for `nmf_features()`. Sparse data are converted to a dense matrix. If
#'   `x` is missing, the function itself is returned, so that `raw_features()` may be an element of the
#'   `methods` of [cv_landmarks()].
#' @param n Number of components, at most the smaller of N and d. Ignored by `raw_features()`.
#' @param iterations Number of multiplicative updates, also for new rows. Default 200.
#' @param scale If `TRUE`, columns are divided by their standard deviations. Default `FALSE`; [cv_landmarks()]
#'   passes its `scale`.
#' @param weights Case weights for the standard deviations, or `NULL` (default); [cv_landmarks()] passes its
#'   `weights`.
#' @param object The value of `nmf_features()` or `raw_features()`.
#' @param newdata Data with the columns of `x`, M rows.
#' @param ... Not used.
#' @return A list of class `nmf_features`, with `basis` (H with rows scaled to sum 1), or of class
#'   `raw_features`. `predict()`: a matrix, M x n or M x d.
#' @references D. D. Lee and H. S. Seung (2001). Algorithms for non-negative matrix factorization. *Advances
#'   in Neural Information Processing Systems* 13, 556-562.
#' @examples
#' x <- digits$images[1:100, ] / 255
#' raw <- raw_features(x)
#' dim(predict(raw, x))
#' if (requireNamespace("NMF", quietly = TRUE)) {
#'   set.seed(1)
#'   parts <- nmf_features(x, 5, iterations = 20)
#'   dim(predict(parts, x))
#' }
#' @export
nmf_features <- function(x, n, iterations = 200, scale = FALSE) {
  if (missing(x)) return(nmf_features)
  need_package("NMF", "{.fn nmf_features}")
  x <- nonnegative_data(x, "x")
  divisor <- column_divisor(x, check_flag(scale, "scale"))
  x <- add_tiny(divide_columns(x, divisor))
  n <- check_count(n, "n", max = min(dim(x)))
  iterations <- check_count(iterations, "iterations")
  # The usual start: uniform random numbers of the size of the data.
  level <- sqrt(mean(x) / n)
  w <- matrix(stats::runif(nrow(x) * n), nrow(x)) * level + 1e-6 * level
  h <- matrix(stats::runif(n * ncol(x)), n) * level + 1e-6 * level
  for (i in seq_len(iterations)) {
    h <- NMF::nmf_update.KL.h(x, w, h)
    w <- NMF::nmf_update.KL.w(x, w, h)
  }
  basis <- h / pmax(rowSums(h), 1e-300)
  colnames(basis) <- colnames(x)
  out <- list(basis = basis, iterations = iterations, divisor = divisor, version = made_by())
  structure(out, class = "nmf_features")
}

nonnegative_data <- function(x, arg, like = NULL, call = rlang::caller_env()) {
  x <- dense_data(x, arg, like, call)
  check_that(all(x >= 0), x, arg, "not have negative values", "data", call,
    found = "The smallest is {min(x)}."
  )
  x
}

# Rows and columns of 0 would lead to a division by 0, so a tiny number is added to each row. It depends
# on this row alone, so that the features of a row do not depend on the other rows.
add_tiny <- function(x) x + 1e-9 * pmax(do.call(pmax, lapply(seq_len(ncol(x)), function(j) x[, j])), 1e-300)

#' @rdname nmf_features
#' @export
predict.nmf_features <- function(object, newdata, ...) {
  check_dots(...)
  check_object(object, "nmf_features", "object")
  need_package("NMF", "{.fn nmf_features}")
  x <- nonnegative_data(newdata, "newdata", object$basis)
  x <- add_tiny(divide_columns(x, object$divisor))
  n <- nrow(object$basis)
  w <- matrix(1 / n, nrow(x), n) * pmax(rowSums(x), 1e-300)
  for (i in seq_len(object$iterations)) w <- NMF::nmf_update.KL.w(x, w, object$basis)
  w / pmax(rowSums(w), 1e-300)
}

#' @rdname nmf_features
#' @export
raw_features <- function(x, n = NULL, scale = FALSE, weights = NULL) {
  if (missing(x)) return(raw_features)
  x <- dense_data(x, "x")
  weights <- check_weights(weights, nrow(x), rlang::current_env())
  divisor <- column_divisor(x, check_flag(scale, "scale"), weights)
  structure(list(like = x[0, , drop = FALSE], divisor = divisor, version = made_by()), class = "raw_features")
}

# What `scale` divides each column by, as landmarks() does: its standard deviation. A constant one becomes 0.
column_divisor <- function(x, scale, weights = NULL) if (scale) 1 / as_source(x, weights, TRUE)$factor else 1

divide_columns <- function(x, divisor) x / rep(divisor, each = nrow(x))

#' @rdname nmf_features
#' @export
predict.raw_features <- function(object, newdata, ...) {
  check_dots(...)
  check_object(object, "raw_features", "object")
  divide_columns(dense_data(newdata, "newdata", object$like), object$divisor)
}

# Data of a user as a dense matrix of numbers, a copy if they are sparse: new data with the columns of `like`.
dense_data <- function(x, arg, like = NULL, call = rlang::caller_env()) {
  check_given(x, arg, call)
  refuse_chunks(x, arg, call)
  x <- if (is.null(like)) check_data(x, arg, call, TRUE) else matched_matrix(x, like, arg, call, TRUE)
  x <- check_finite(x, arg, call)
  if (methods::is(x, "sparseMatrix")) {
    check_memory(2 * as.double(nrow(x)) * ncol(x), "A dense matrix, {nrow(x)} x {ncol(x)}, needs",
      "Use fewer rows or columns at a time.", arg, call
    )
  }
  x <- as.matrix(x)
  storage.mode(x) <- "double"
  x
}
