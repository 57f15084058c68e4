#' Landmarks by active learning
#'
#' The selector that Liang and Paisley (2015) compare with: a Gaussian process on
#' the rows themselves, with kernel
#' \eqn{K(x, x') = \exp(-\|x - x'\|^2/\eta)}{K(x, x') = exp(-||x - x'||^2 / eta)}, and always
#' the row next whose variance given the rows \eqn{S} chosen so far is largest (their eq. 3),
#' \eqn{K(x,x) - K(x,S) K(S,S)^{-1} K(S,x)}{K(x,x) - K(x,S) K(S,S)^-1 K(S,x)}.
#' That is partial Cholesky factorisation with the largest remaining diagonal as
#' pivot, so that no N x N matrix is needed and all rows can stand as candidates:
#' O(N n (d + n)) time and O(N n) memory.
#'
#' Landmarks are rows, in the order in which they were chosen; `rows` of the fit
#' has their numbers, and `trace` what each leaves, with those before it, of the
#' mean variance at all rows (1 with no landmark; of the subset where there is
#' one). In a `space` that the data do not lie in the rows chosen are projected.
#'
#' A row of weight 2 counts as two rows. The variance left at a row does not depend on how often the row
#' stands in the data, so weights do not change which row has most of it. They count where rows are drawn at
#' random, and in `trace`. Rows of weight 0 are not candidates. Rows tie whose variances left agree to nine
#' digits, as all do at first: one of them is drawn, with probability in proportion to its weight.
#'
#' @param subset Candidates: `NULL`, the default, for all rows, or how many are
#'   drawn at random first, each row (of weight above 0) as likely as any other: they keep
#'   their weights, which count afterwards. 5000 is what the paper calls Act5K.
#' @param pivot `"largest"`, the paper's, or `"random"`: the next row is drawn with
#'   probability proportional to weight times the variance left at it (randomly pivoted
#'   Cholesky, Chen, Epperly, Tropp and Webber, 2025), which follows the density of the data and
#'   is not drawn to outliers.
#' @param scale The bandwidth of this kernel as a multiple of the fit's, a
#'   number above 0. Default 1, the same kernel as the features.
#' @param tolerance It ends early, with a warning, when the share of the variance that is left is not
#'   above this (default 1e-8): what follows would be rounding error.
#' @return A method object for `landmarks(method = )`, a list of class `by_active`.
#' @references D. Liang and J. Paisley (2015). Landmarking manifolds with
#'   Gaussian processes. *Proceedings of the 32nd International Conference on
#'   Machine Learning*, PMLR 37, 466-474.
#'
#'   Y. Chen, E. N. Epperly, J. A. Tropp and R. J. Webber (2025). Randomly pivoted
#'   Cholesky: practical approximation of a kernel matrix with few entry
#'   evaluations. *Communications on Pure and Applied Mathematics* 78(5), 995-1041.
#' @examples
#' set.seed(1)
#' x <- sim_spiral(500)
#' fit <- landmarks(x, 12, by_active(), bandwidth = 0.2)
#' fit$rows
#' fit$trace
#' @export
by_active <- function(subset = NULL, pivot = "largest", scale = 1, tolerance = 1e-8) {
  new_method("by_active", list(
    subset = if (!is.null(subset)) check_count(subset, "subset"),
    pivot = check_choice(pivot, c("largest", "random"), "pivot"),
    scale = check_number(scale, "scale", 0),
    # At 1 it would end before the first row.
    tolerance = check_number(tolerance, "tolerance", 0, 0.99, closed = TRUE)
  ))
}

#' @export
format.by_active <- function(x, ...) {
  rows <- if (is.null(x$subset)) "all rows" else paste(format(x$subset, big.mark = ","), "random rows")
  paste0("active learning on ", rows, if (x$pivot == "random") ", drawn in proportion to the variance left")
}

select_landmarks.by_active <- function(method, source, n, kernel, held, call) {
  candidates <- seq_len(source$dim[1])
  if (!is.null(method$subset) && method$subset < source$dim[1]) {
    if (n > method$subset) {
      abort_input(c(
        "{.arg subset} must not be smaller than the number of landmarks.",
        x = "{.arg subset} is {method$subset}, and {n} landmark{?s} are wanted."
      ), arg = "subset", kind = "rank", call = call)
    }
    candidates <- draw_rows(source, method$subset)
    source <- rows_of(source, candidates)
  }
  chosen <- .Call(
    C_active, source, held, n, kernel$bandwidth * method$scale, method$pivot == "random",
    c(method$tolerance, rank_floor), compute_with(call)
  )
  selection(project_points(rows_as_points(source, chosen$rows), kernel$space, call),
    ordered = TRUE, rows = candidates[chosen$rows], trace = chosen$trace
  )
}
