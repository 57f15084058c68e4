#' Error of Nystrom's reconstruction of the kernel
#'
#' `reconstruction_error()` measures how much of the Gaussian kernel matrix of all rows the landmarks leave
#' unexplained. Use it to compare methods and numbers of landmarks at one width of the kernel, as Wachinger
#' and Golland (2015, eq. 1) do. The error is
#' \deqn{\|K - C W^{-1} C'\|_{tr}}{||K - C W^-1 C'||_tr}
#' where \eqn{K_{ij} = \exp(-\|x_i - x_j\|^2/(2\sigma^2))}{K_ij = exp(-||x_i - x_j||^2 / (2 sigma^2))} for
#' the N rows \eqn{x_i}, \eqn{C} (N x n) has the same kernel between rows and n landmarks, and \eqn{W} (n x
#' n) between the landmarks. The difference is positive semidefinite for landmarks anywhere, so its trace
#' norm is its trace, \eqn{\sum_i 1 - c_i W^{-1} c_i'}{sum_i (1 - c_i W^-1 c_i')}, where \eqn{c_i} is row i
#' of C. It is computed without any N x N or N x n matrix, in O(N n (n + d)) time and O(n (n + d)) memory.
#'
#' @details Distances are those of the fit's kernel, after `scale`. Because \eqn{K_{ii} = 1}{K_ii = 1}, the
#' error divided by N is the share of the kernel's trace that remains, from 0 to 1. Adding landmarks never
#' increases it. It is exact up to rounding, with one exception: a landmark that adds less than 2e-14 of its
#' own variance to the others (a repeated landmark, for example) counts as adding nothing. The error of all
#' landmarks is then the sum of the posterior variances of `predict(fit, x, type = "variance")`.
#'
#' With weights \eqn{v_i}, scaled to mean 1 as in [landmarks()], the error is
#' \eqn{\sum_i v_i (1 - c_i W^{-1} c_i')}{sum_i v_i (1 - c_i W^-1 c_i')}. If the weights are counts, it is
#' the error of data with the rows repeated so often, times N over the number of these rows.
#'
#' [by_gp()] makes this error small by default. `by_gp(criterion = "volume")` has another aim, and may leave
#' a much larger error than random rows where the bandwidth is wide. The part `explained` of a fit is
#' one minus this error over N, for the data and the kernel that it was learned from.
#'
#' @param fit An object of class `landmarks`, by any method.
#' @param x Data with the columns that the fit was learned from, N rows: the same rows, or others.
#' @param sigma \eqn{\sigma}{sigma}, the kernel's width, one number above 0. Default `NULL`:
#'   \eqn{\sqrt{\eta/2}}{sqrt(eta / 2)} for the fit's bandwidth \eqn{\eta}{eta}, which gives the kernel of
#'   the fit, \eqn{\exp(-\|x - x'\|^2/\eta)}{exp(-||x - x'||^2 / eta)}.
#' @param n Numbers of landmarks, a vector of whole numbers from 1 to the number of landmarks: the errors of
#'   the first `n` landmarks, all in one pass. Default `NULL`: all landmarks.
#' @param bounds Whether the error stands beside what other landmarks have at best, on average and at worst,
#'   see Bounds. Default FALSE. The bounds need the eigenvalues of the N x N kernel matrix.
#' @param weights Observation weights as in [landmarks()]; NULL for equal weights.
#' @inheritParams landmarks
#' @section Bounds:
#' The bounds are of n rows of `x` (`least`: of n landmarks anywhere), whatever data the fit is of. From n = N
#' on they are 0, because all rows leave nothing.
#'
#' Let \eqn{\lambda_1 \ge \lambda_2 \ge \ldots}{lambda_1 >= lambda_2 >= ...} be the eigenvalues of K, with
#' weights those of \eqn{\sqrt{v_i v_j} K_{ij}}{sqrt(v_i v_j) K_ij}.
#' * `least`: \eqn{\sum_{i>n} \lambda_i}{sum_(i > n) lambda_i}. No n landmarks anywhere have a smaller error,
#'   because C W^-1 C' has rank n.
#' * `dpp`: the mean error of n rows drawn by the determinantal process, [by_dpp_exact()] of this kernel,
#'   \eqn{(n + 1)\, e_{n+1}(\lambda) / e_n(\lambda)}{(n + 1) e_(n+1)(lambda) / e_n(lambda)}, where
#'   \eqn{e_n} is the elementary symmetric polynomial. It is exact.
#' * `dpp_bound`: \eqn{(n + 1) \sum_{i>n} \lambda_i}{(n + 1) sum_(i > n) lambda_i}, which `dpp` never exceeds.
#' * `largest_bound`: \eqn{(n + 1)(N - n) \lambda_{n+1}}{(n + 1) (N - n) lambda_(n+1)}. The n rows with the
#'   largest determinant have at most this error (`by_dpp_exact(power = )` with a large power comes near
#'   them). It is often above N, and then says nothing.
#'
#' Wachinger and Golland (2015, eqs. 3 and 4) use such bounds, of Belabbas and Wolfe (2009), as the reason for
#' determinantal sampling. Time is O(N^3) and memory O(N^2): 3,000 rows take about 8 s with the reference
#' LAPACK.
#' @return One number. Where `n` is given, a numeric vector with an error for each of its values, named by
#'   them. With `bounds`, a data frame with a row for each of these numbers, and columns `n`, `error`,
#'   `least`, `dpp`, `dpp_bound` and `largest_bound`.
#' @references M.-A. Belabbas and P. J. Wolfe (2009). Spectral methods in machine learning and new strategies
#'   for very large datasets. *Proceedings of the National Academy of Sciences* 106(2), 369-374.
#'
#'   C. Wachinger and P. Golland (2015). Diverse landmark sampling from determinantal point
#'   processes for scalable manifold learning. \url{https://arxiv.org/abs/1503.03506}.
#' @seealso [by_gp()], whose `criterion = "trace"` makes this error small.
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
  kernel <- check_sigma(sigma, fit)
  counts <- check_prefixes(n, nrow(fit$landmarks))
  check_flag(bounds, "bounds")
  call <- rlang::current_env()
  check_given(x, "x")
  x <- as_rows(x, "x", call, fit$experiment)
  first <- fit$landmarks[seq_len(max(counts)), , drop = FALSE]
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
    sums <- nystrom_over
  }
  error <- with_memory_errors(left_by_first(first, source, kernel, compute_with(), sums)[counts], call)
  if (!bounds) return(if (is.null(n)) error else stats::setNames(error, counts))
  values <- kernel_eigenvalues(source, kernel, call)
  cbind(data.frame(n = as.integer(counts), error = error), error_bounds(values, counts))
}

# The kernel of the fit, or that of `sigma`, whose bandwidth is 2 sigma^2.
check_sigma <- function(sigma, fit, call = rlang::caller_env()) {
  kernel <- fit_kernel(fit)
  if (is.null(sigma)) return(kernel)
  bandwidth <- 2 * check_number(sigma, "sigma", 0, call = call)^2
  if (!is.finite(bandwidth) || bandwidth < .Machine$double.xmin) abort_square(sigma, "sigma", call)
  replace(kernel, "bandwidth", bandwidth)
}

check_prefixes <- function(n, most, call = rlang::caller_env()) {
  if (is.null(n)) return(most)
  rule <- "{.arg n} must be whole numbers from 1 to {most}, the number of the fit's landmarks."
  if (!is.numeric(n) || length(n) == 0 || length(n) > 1e6) {
    abort_input(c(rule, x = "It is {describe(n)}."), arg = "n", call = call)
  }
  bad <- which(is.na(n) | n != trunc(n) | n < 1 | n > most)
  if (length(bad)) {
    abort_input(c(rule, x = "Number {bad[1]} is {n[bad[1]]}."), arg = "n", call = call)
  }
  as.integer(n)
}

# ---- bounds --------------------------------------------------------------------------

# The eigenvalues of the kernel matrix of all rows, those of rounding as 0, the largest first.
kernel_eigenvalues <- function(source, kernel, call) {
  rows <- source$dim[1]
  check_memory(8 * 4 * as.double(rows)^2, "The kernel of all {rows} row{?s} needs",
    "Give fewer rows as {.arg x}, or leave {.arg bounds} out.", "x", call
  )
  k <- features_over(source, rows_as_points(source, seq_len(rows)), kernel, compute_with(call))
  v <- source$weights
  if (!is.null(v)) k <- k * sqrt(outer(v, v))
  values <- eigen(k, symmetric = TRUE, only.values = TRUE)$values
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
    low <- pmin(logs[-1], with)
    logs[-1] <- ifelse(is.finite(high), high + log1p(exp(low - high)), high)
  }
  logs
}
