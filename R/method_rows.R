# Landmarks that are rows of the data: by_random() draws them, and by_active() chooses them. Other methods use
# the functions of this file for rows to start from.

# ---- random rows -----------------------------------------------------------------------

#' Random rows as landmarks
#'
#' The landmarks are rows drawn without replacement, with probability proportional to their case weights.
#' This is the baseline for other methods. For other probabilities, draw rows and use [as_landmarks()].
#'
#' Landmarks are in the order in which they were drawn, so that `fit[1:m]` is a random sample of m rows.
#' Duplicated rows are drawn at most once. If fewer than `n` rows are distinct, fewer landmarks are returned,
#' with a warning.
#'
#' @return A method object for `landmarks(method = )`, a list of class `by_random`.
#' @examples
#' set.seed(1)
#' x <- sim_circles(300)
#' landmarks(x, 10, by_random())
#' @export
by_random <- function() new_landmark_method("by_random", prefixes = TRUE, uses_bandwidth = FALSE)

#' @export
format.by_random <- function(x, ...) "random rows"

#' @export
select_landmarks.by_random <- function(method, source, n, kernel, fixed, call) {
  rows <- draw_different(source, rows_apart(source, draw_rows(source, source$dim[1]), fixed), n)
  landmark_selection(rows_in_space(source, rows, kernel, call), ordered = TRUE, rows = rows)
}

# Up to `n` of the given rows, drawn one after another without replacement, each with probability proportional
# to its weight; a row that equals an earlier one is left out. There are fewer if no other row differs from
# those drawn.
draw_different <- function(source, rows, n) {
  different <- function(rows) rows[different_rows(rows_of(source, rows), compute_with())]
  draw <- function(n) {
    if (is.null(source$weights)) return(rows[sample.int(length(rows), n)])
    # Each row has an exponential arrival time with the rate of its weight, and the n earliest rows are taken:
    # that is a draw one after another. Logarithms prevent overflow.
    rows[order(log(stats::rexp(length(rows))) - log(source$weights[rows]))[seq_len(n)]]
  }
  restore <- keep_stream()
  drawn <- draw(min(n, length(rows)))
  taken <- different(drawn)
  if (length(taken) == length(drawn)) return(taken)
  # All rows in the order of the same draw: so the first m of n landmarks are those of a draw of m.
  restore()
  left <- draw(length(rows))
  repeat {
    left <- rows_apart(source, left, rows_as_points(source, taken))
    wanted <- min(n - length(taken), length(left))
    if (wanted == 0) return(taken)
    taken <- c(taken, different(left[seq_len(wanted)]))
  }
}

# ---- active learning -------------------------------------------------------------------

#' Rows of largest posterior variance
#'
#' The landmarks are rows that are chosen greedily: the next one is the row with the largest posterior
#' variance, for a Gaussian process that is observed at the rows chosen before. Use it for landmarks that are
#' observations and cover the data. The method is known as active learning (Liang and Paisley, 2015), the
#' pivoted partial Cholesky factorization, and the P-greedy algorithm.
#'
#' Given the set S of rows chosen so far, the variance at a row x is
#' \deqn{K(x,x) - K(x,S) K(S,S)^{-1} K(S,x),}{K(x,x) - K(x,S) K(S,S)^-1 K(S,x),}
#' with the kernel K of the fit (see [landmarks-kernel]). The factorization needs only the kernel columns of
#' the chosen rows, O(N n (d + n)) time and O(N n) memory.
#'
#' Landmarks are in the order in which they were chosen. The fit has components `rows`, the row indices, and
#' `trace`, the relative approximation error after each landmark (over the candidates, if `subset` is given).
#' Rows outside `space` are projected on it.
#'
#' Variances do not depend on case weights. Weights are used in `trace` and in random draws: if several rows
#' have the same largest variance, as all rows have at first, one of them is drawn with probability
#' proportional to its weight. Variances that agree to nine digits are ties. Rows of weight 0 are never
#' chosen.
#'
#' @param subset The number of candidate rows, drawn uniformly at random from the rows with positive weight.
#'   Default `NULL`: all rows are candidates. Act5K of Liang and Paisley is `subset = 5000`.
#' @param pivot `"largest"`, the default, or `"random"`: the next row is drawn with probability proportional
#'   to its weight times its variance (randomly pivoted Cholesky; Chen, Epperly, Tropp and Webber, 2025).
#'   Random pivots follow the density of the data and include fewer outliers.
#' @return A method object for `landmarks(method = )`, a list of class `by_active`.
#' @references D. Liang and J. Paisley (2015). Landmarking manifolds with Gaussian processes. *Proceedings of
#'   the 32nd International Conference on Machine Learning*, PMLR 37, 466-474.
#'
#'   Y. Chen, E. N. Epperly, J. A. Tropp and R. J. Webber (2025). Randomly pivoted Cholesky: practical
#'   approximation of a kernel matrix with few entry evaluations. *Communications on Pure and Applied
#'   Mathematics* 78(5), 995-1041.
#' @examples
#' set.seed(1)
#' x <- sim_spiral(500)
#' fit <- landmarks(x, 12, by_active(), bandwidth = 0.2)
#' fit$rows
#' # Relative approximation error after each landmark
#' round(fit$trace, 3)
#' @export
by_active <- function(subset = NULL, pivot = "largest") {
  new_landmark_method("by_active", list(
    subset = if (!is.null(subset)) check_count(subset, "subset"),
    pivot = check_choice(pivot, c("largest", "random"), "pivot")
  ), prefixes = TRUE, knows_kernel = TRUE)
}

#' @export
format.by_active <- function(x, ...) {
  rows <- if (is.null(x$subset)) "all rows" else paste(format(x$subset, big.mark = big_mark()), "random rows")
  paste0("greedy variance maximization on ", rows, if (x$pivot == "random") ", random pivots")
}

#' @export
select_landmarks.by_active <- function(method, source, n, kernel, fixed, call) {
  candidates <- seq_len(source$dim[1])
  if (!is.null(method$subset) && method$subset < source$dim[1]) {
    check_that(n <= method$subset, method$subset, "subset",
      "at least {n}, the number of landmarks", "rank", call
    )
    candidates <- draw_rows(source, method$subset)
    source <- rows_of(source, candidates)
  }
  # The columns of the Cholesky factorization, one for each chosen row.
  rows <- source$dim[1]
  check_memory(as.double(rows) * (n + nrow(fixed)), "The Cholesky factor, {rows} x {n + nrow(fixed)}, needs",
    "Use fewer rows, for example {.code by_active(subset = 5000)}.", "n", call
  )
  chosen <- active_rows(source, fixed, n, kernel, compute_with(call), method$pivot == "random")
  landmark_selection(rows_in_space(source, chosen$rows, kernel, call),
    ordered = TRUE, rows = candidates[chosen$rows], trace = chosen$trace
  )
}

# ---- the selection ---------------------------------------------------------------------

# Rows chosen one after another: the row with the largest variance given those before it, or (`random`) one
# drawn with probability proportional to weight times variance. Returns list(rows, trace), where `trace` is
# the share of the variance that is left after each row. R's generator is asked for one number for a row that
# is drawn, or that has the same variance as others. The selection ends before `wanted` rows if no row has
# a variance above `floor`.
#
# This is a Cholesky factorization of the kernel matrix of all rows, with pivots, of which only the columns of
# the chosen rows are computed.
active_rows <- function(source, fixed, wanted, kernel, control, random = FALSE, floor = row_floor) {
  bar <- progress_start("Choosing rows", wanted)
  .Call(C_active, source, fixed, kernel, c(list(
    wanted = as.integer(wanted), random = random, floor = floor, progress = progress_of(bar)
  ), control))
}
