#' Approximation error of the kernel matrix
#'
#' `reconstruction_error()` computes the trace-norm error of the Nystrom approximation of the kernel matrix,
#' \deqn{\|K - C W^{-1} C'\|_{tr} = \sum_i (1 - c_i' W^{-1} c_i),}{||K - C W^-1 C'||_tr =
#'   sum_i (1 - c_i' W^-1 c_i),}
#' where K is the N x N kernel matrix of the rows, C (N x n) has the kernel between rows and landmarks, with
#' rows \eqn{c_i'}, and W (n x n) the kernel between landmarks. Use it to compare methods and numbers of
#' landmarks at the same length scale, as Wachinger and Golland (2015, eq. 1) do.
#'
#' @details Divided by N, the error is relative, from 0 to 1, because \eqn{K_{ii} = 1}{K_ii = 1}. It is the
#' sum of the posterior variances `predict(fit, x, type = "variance")`. [by_gp()] minimizes it by default,
#' and it never increases if landmarks are added. It is computed without any N x N or N x n matrix, in O(N n
#' (n + d)) time and O(n (n + d)) memory. Landmarks that are redundant up to rounding (2e-14 of their
#' variance) are ignored. Distances are computed after `scale`.
#'
#' With case weights \eqn{v_i}, scaled to mean 1, the error is \eqn{\sum_i v_i (1 - c_i' W^{-1} c_i)}{sum_i
#' v_i (1 - c_i' W^-1 c_i)}.
#'
#' @param fit An object of class `landmarks`, by any method.
#' @param x Data with the columns of the fit and N rows, either the training data or new data.
#' @param sigma Another length scale, a positive number \eqn{\sigma}{sigma}, for the bandwidth
#'   \eqn{\eta = 2\sigma^2}{eta = 2 sigma^2}. Default `NULL`: the bandwidth of the fit.
#' @param n Integers up to the number of landmarks: for each, the error of the first `n` landmarks, in one
#'   pass. Default `NULL`: all landmarks.
#' @param bounds Whether to add bounds, see Bounds. Default FALSE.
#' @param weights Case weights as in [landmarks()]; NULL for equal weights.
#' @inheritParams landmarks
#' @section Bounds:
#' With eigenvalues \eqn{\lambda_1 \ge \lambda_2 \ge \ldots}{lambda_1 >= lambda_2 >= ...} of K (with weights,
#' of \eqn{\sqrt{v_i v_j} K_{ij}}{sqrt(v_i v_j) K_ij}), the bounds are
#' * `least`: \eqn{\sum_{i>n} \lambda_i}{sum_(i > n) lambda_i}, the error of the best approximation of rank
#'   n, a lower bound for any n landmarks.
#' * `dpp`: \eqn{(n + 1)\, e_{n+1}(\lambda) / e_n(\lambda)}{(n + 1) e_(n+1)(lambda) / e_n(lambda)} with the
#'   elementary symmetric polynomials \eqn{e_n}, the expected error of n rows drawn by [by_dpp_exact()].
#' * `dpp_bound`: \eqn{(n + 1) \sum_{i>n} \lambda_i}{(n + 1) sum_(i > n) lambda_i}, an upper bound for `dpp`.
#' * `largest_bound`: \eqn{(n + 1)(N - n) \lambda_{n+1}}{(n + 1) (N - n) lambda_(n+1)}, an upper bound for the
#'   error of the n rows whose kernel matrix has the largest determinant. It often exceeds N, and is then
#'   vacuous.
#'
#' They are 0 for n of at least N. Wachinger and Golland (2015, eqs. 3 and 4) motivate determinantal sampling
#' by such bounds, which are due to Belabbas and Wolfe (2009). They take O(N^3) time and O(N^2) memory.
#' @return A number. If `n` is given, a vector of errors named by `n`. With `bounds`, a data frame with a row
#'   for each `n` and columns `n`, `error`, `least`, `dpp`, `dpp_bound` and `largest_bound`.
#' @references M.-A. Belabbas and P. J. Wolfe (2009). Spectral methods in machine learning and new strategies
#'   for very large datasets. *Proceedings of the National Academy of Sciences* 106(2), 369-374.
#'
#'   C. Wachinger and P. Golland (2015). Diverse landmark sampling from determinantal point processes for
#'   scalable manifold learning. \url{https://arxiv.org/abs/1503.03506}.
#' @seealso [by_gp()], [gp-criteria]
#' @examples
#' set.seed(1)
#' x <- sim_swiss_roll(500)
#' fit <- landmarks(x, 40, bandwidth = 20)
#' reconstruction_error(fit, x)
#' reconstruction_error(fit, x, n = c(10, 20, 40)) / nrow(x)
#' reconstruction_error(fit, x, n = c(10, 20, 40), bounds = TRUE)
#' reconstruction_error(landmarks(x, 40, "random", bandwidth = 20), x)
#' @export
reconstruction_error <- function(fit, x, sigma = NULL, n = NULL, weights = NULL, threads = NULL,
                                 verbose = NULL, bounds = FALSE) {
  local_compute(threads, verbose)
  check_object(fit, "landmarks", "fit")
  call <- rlang::current_env()
  kernel <- fit_kernel(fit)
  if (!is.null(sigma)) {
    kernel$bandwidth <- 2 * check_number(sigma, "sigma", 0)^2
    usable <- is.finite(kernel$bandwidth) && kernel$bandwidth >= .Machine$double.xmin
    if (!usable) abort_square(sigma, "sigma", call)
  }
  all <- nrow(fit$landmarks)
  counts <- n %||% all
  check_that(is.numeric(counts) && length(counts) > 0 && all(counts %in% seq_len(all)), n, "n",
    "integers from 1 to {all}, the number of landmarks"
  )
  check_flag(bounds, "bounds")
  check_given(x, "x")
  x <- as_rows(x, "x", call, fit$experiment)
  # Where landmarks nearly depend on each other, a pass over all of them loses fewer digits.
  near <- max(counts) < all && min(kernel_pivots(fit$landmarks, fit, kernel, compute_with())) < 1e-8
  first <- fit$landmarks[seq_len(if (near) all else max(counts)), , drop = FALSE]
  sums <- nystrom_over
  if (is_chunked(x)) {
    if (bounds) refuse_chunks(x, "x", call)
    source <- lay_out(first, NULL, fit$center, fit$factor)
    plan <- plan_of_fit(fit, x, call, weights)
    warn_equal_weights(fit, weights, plan, call)
    sums <- function(source, landmarks, kernel, settings) {
      nystrom_of_chunks(plan, landmarks, source, kernel, settings, call)
    }
  } else {
    # The origin is that of the landmarks, so that outliers among the rows cost no digits.
    source <- fit_source(fit, x, weights, center = fit$center)
  }
  left <- left_by_first(first, source, kernel, compute_with(), sums)
  error <- left[counts]
  if (!bounds) return(if (is.null(n)) error else stats::setNames(error, counts))
  values <- kernel_eigenvalues(source, kernel, call)
  cbind(data.frame(n = as.integer(counts), error = error), error_bounds(values, counts))
}

# ---- bounds --------------------------------------------------------------------------

# The eigenvalues of the kernel matrix of all rows, those of rounding as 0, the largest first.
kernel_eigenvalues <- function(source, kernel, call) {
  rows <- source$dim[1]
  check_memory(4 * as.double(rows)^2, "The kernel matrix of all {rows} row{?s} needs",
    "Use fewer rows, or {.code bounds = FALSE}.", "x", call
  )
  k <- features_over(source, rows_as_points(source, seq_len(rows)), kernel, compute_with(call))
  v <- source$weights %||% rep(1, rows)
  values <- eigen(k * sqrt(outer(v, v)), symmetric = TRUE, only.values = TRUE)$values
  values * (values > rows * .Machine$double.eps * values[1])
}

# A row for each number n of landmarks.
error_bounds <- function(values, n) {
  rows <- length(values)
  # Of more landmarks than rows nothing is left.
  values <- c(values, numeric(max(0, max(n) - rows)))
  after <- c(rev(cumsum(rev(values))), 0)
  next_value <- c(values, 0)[n + 1]
  # e_(n+1) / e_n from the logs of elementary symmetric polynomials: of rank n or less it is 0.
  logs <- log_symmetric(values[values > 0], max(n) + 1)
  ratio <- ifelse(is.finite(logs[n + 2]), exp(logs[n + 2] - logs[n + 1]), 0)
  data.frame(
    least = after[n + 1], dpp = (n + 1) * ratio, dpp_bound = (n + 1) * after[n + 1],
    largest_bound = (n + 1) * pmax(rows - n, 0) * next_value
  )
}

# log e_0, ..., log e_most of some values above 0.
log_symmetric <- function(values, most) {
  logs <- c(0, rep(-Inf, most))
  for (value in log(values)) {
    with <- value + logs[-(most + 1)]
    high <- pmax(logs[-1], with)
    logs[-1] <- ifelse(is.finite(high), high + log1p(exp(-abs(logs[-1] - with))), high)
  }
  logs
}
