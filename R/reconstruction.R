#' The error of Nystrom's reconstruction of the kernel
#'
#' What landmarks leave of the Gaussian kernel matrix of all rows, the measure by which
#' Wachinger and Golland (2015, eq. 1) compare selections of landmarks:
#' \deqn{\|K - C W^{-1} C'\|_{tr}}{||K - C W^-1 C'||_tr}
#' with \eqn{K_{ij} = \exp(-\|x_i - x_j\|^2/(2\sigma^2))}{K_ij = exp(-||x_i - x_j||^2 / (2 sigma^2))} of
#' the N rows, \eqn{C} the same of rows and landmarks and \eqn{W} of the landmarks among
#' themselves. The difference is positive semidefinite, landmarks off the data or not, so that its
#' trace norm is its trace, \eqn{\sum_i 1 - c_i' W^{-1} c_i}{sum_i (1 - c_i' W^-1 c_i)}: no N x N
#' matrix is needed, nor N x n. O(N n (n + d)) time and O(n (n + d)) memory.
#'
#' @details
#' Distances are those of the fit's kernel, after `scale`. As \eqn{K_{ii} = 1}{K_ii = 1}, the error
#' over N is the share of the kernel that is left, from 0 to 1. It is never negative.
#' Adding landmarks never increases it. It is exact to rounding as far as \eqn{W} allows: a landmark that adds
#' less than 1e-12 of its own variance to those before it (one that repeats another, say) adds nothing.
#'
#' With weights it is \eqn{\sum_i v_i (1 - c_i' W^{-1} c_i)}{sum_i v_i (1 - c_i' W^-1 c_i)}, the weights
#' scaled to mean 1 as everywhere: for weights that are counts, the error of the rows so repeated, times
#' N over their number.
#'
#' @param fit An object of class `landmarks`, however they were found.
#' @param x Data with the columns that the fit was learned from, N rows: those, or others.
#' @param sigma The kernel's width, one number above 0. Default `NULL`:
#'   \eqn{\sqrt{\eta/2}}{sqrt(eta / 2)}, which is the kernel of the fit,
#'   \eqn{\exp(-\|x - x'\|^2/\eta)}{exp(-||x - x'||^2 / eta)}.
#' @param n Numbers of landmarks, a vector of whole numbers from 1 to the number of landmarks: the errors of the first
#'   `n` landmarks, all in one pass. Default `NULL`: all landmarks.
#' @param weights Observation weights as in [landmarks()]; NULL for all equal.
#' @return One number; where `n` is given a numeric vector of its length, named by it.
#' @references C. Wachinger and P. Golland (2015). Diverse landmark sampling from determinantal
#'   point processes for scalable manifold learning. \url{https://arxiv.org/abs/1503.03506}.
#' @seealso [by_gp()], whose `criterion = "trace"` makes this error small.
#' @details
#' [by_gp()] makes this error small by default. `by_gp(criterion = "volume")` does not, and may leave much
#' more than
#' random rows where the bandwidth is wide. The `explained` of a fit is about another kernel, that of Liang
#' and Paisley's
#' process. It is not one minus this error over N.
#'
#' @examples
#' set.seed(1)
#' x <- sim_swiss_roll(500)
#' fit <- landmarks(x, 40, bandwidth = 20)
#' reconstruction_error(fit, x)
#' reconstruction_error(fit, x, n = c(10, 20, 40)) / nrow(x)
#' reconstruction_error(landmarks(x, 40, "random", bandwidth = 20), x)
#' @export
reconstruction_error <- function(fit, x, sigma = NULL, n = NULL, weights = NULL) {
  check_fit(fit)
  bandwidth <- check_sigma(sigma, fit)
  counts <- check_prefixes(n, nrow(fit$landmarks))
  # Where the landmarks lie, far outliers among the rows cost them no digits.
  source <- fit_source(fit, x, weights, center = fit$center)
  first <- fit$landmarks[seq_len(max(counts)), , drop = FALSE]
  step <- function(part, landmarks, bandwidth, how) .Call(C_reconstruction, part, landmarks, bandwidth, how)
  error <- over_parts(source, step, first, bandwidth, compute_with(), combine = `+`)[counts]
  if (is.null(n)) error else stats::setNames(error, counts)
}

# The bandwidth, 2 sigma^2, in which the core counts.
check_sigma <- function(sigma, fit, call = rlang::caller_env()) {
  if (is.null(sigma)) return(fit$bandwidth)
  bandwidth <- 2 * check_number(sigma, "sigma", 0, call = call)^2
  if (!is.finite(bandwidth) || bandwidth < .Machine$double.xmin) {
    abort_input(c(
      "{.arg sigma} must be a number whose square is within a computer's range.",
      x = "It is {describe(sigma)}."
    ), arg = "sigma", call = call)
  }
  bandwidth
}

check_prefixes <- function(n, most, call = rlang::caller_env()) {
  if (is.null(n)) return(most)
  rule <- "{.arg n} must be whole numbers from 1 to {most}, the number of the fit's landmarks."
  if (!is.numeric(n) || length(n) == 0) {
    abort_input(c(rule, x = "It is {describe(n)}."), arg = "n", call = call)
  }
  bad <- which(is.na(n) | n != trunc(n) | n < 1 | n > most)
  if (length(bad)) {
    abort_input(c(rule, x = "Number {bad[1]} is {n[bad[1]]}."), arg = "n", call = call)
  }
  as.integer(n)
}
