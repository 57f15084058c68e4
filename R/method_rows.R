# Landmarks that are rows of the data: by_random() draws them, and by_active() chooses them. Other methods use
# the functions of this file for rows to start from.

# ---- random rows -----------------------------------------------------------------------

#' Random rows as landmarks
#'
#' Landmarks are rows of the data, drawn one after another without replacement. Use them as the baseline that
#' every other method should beat. The probability of a row is proportional to its weight, or to its weight
#' times a number that you give (`prob`). The first m of n landmarks equal a draw of m.
#'
#' A row of weight 2 counts as two rows: the result is that of drawing from data in which the row occurs
#' twice, where the second copy is left out if both are drawn. Rows of weight 0 are never drawn, and equal
#' rows are drawn once: if fewer than `n` rows differ, there are fewer landmarks, and a warning.
#'
#' @param prob Probability weights as in [sample()]: one number of at least 0 for each row of the data, with
#'   at least one above 0. `NULL`, the default, gives all rows the same. The numbers belong to the rows of
#'   these data. [cv_landmarks()] learns from a part of the rows; there, use a method function(x, n) that
#'   computes the numbers from `x` and calls [landmarks()]. A fit does not keep them: give them again in
#'   `add_landmarks(method = by_random(prob))`.
#' @return A method object for `landmarks(method = )`, a list of class `by_random`.
#' @examples
#' set.seed(1)
#' x <- sim_circles(300)
#' landmarks(x, 10, by_random())
#' landmarks(x, 10, by_random(prob = x[, 1]^2))
#' @export
by_random <- function(prob = NULL) {
  if (!is.null(prob)) {
    # No data have more rows than the largest integer.
    usable <- is.numeric(prob) && length(prob) > 0 && length(prob) <= .Machine$integer.max
    # min() and max() need no memory, unlike a comparison of each number. It matters for a long vector.
    fine <- usable && !anyNA(prob) && min(prob) >= 0 && max(prob) > 0 && max(prob) < Inf
    if (!fine) {
      bad <- if (usable) which(!is.finite(prob) | prob < 0)
      abort_input(c(
        "{.arg prob} must be finite numbers of at least 0, one for each row, with at least one above 0.",
        x = if (length(bad)) "Number {bad[1]} is {prob[bad[1]]}." else "It is {describe(prob)}."
      ), arg = "prob")
    }
  }
  new_method("by_random", list(prob = prob), prefixes = TRUE, uses_bandwidth = FALSE)
}

#' @export
format.by_random <- function(x, ...) {
  if (is.null(x$prob)) "random rows" else "random rows, by probabilities given"
}

#' @export
select_landmarks.by_random <- function(method, source, n, kernel, held, call) {
  rows <- draw_rows(source, source$dim[1])
  prob <- method$prob
  if (!is.null(prob)) {
    if (length(prob) != source$dim[1]) {
      abort_input(c(
        "{.arg prob} must have a number for each row of {.arg x}, {source$dim[1]}.",
        x = "It has {length(prob)}."
      ), arg = "prob", call = call)
    }
    rows <- rows[prob[rows] > 0]
    if (length(rows) < n) {
      abort_input(c(
        "{.arg prob} must be above 0 for at least as many rows as there are landmarks, {n}.",
        x = "It is above 0 for {length(rows)}."
      ), arg = "prob", kind = "rank", call = call)
    }
  }
  rows <- draw_different(source, rows_apart(source, rows, held), n, prob)
  selection(rows_in_space(source, rows, kernel, call), ordered = TRUE, rows = rows)
}

# Up to `n` of the given rows, drawn one after another as by draw_some(); a row that equals an earlier one is
# left out. There are fewer if no other row differs from those drawn.
draw_different <- function(source, rows, n, prob = NULL) {
  how <- compute_with()
  different <- function(rows) rows[different_rows(rows_of(source, rows), how)]
  restore <- keep_stream()
  drawn <- draw_some(rows, min(n, length(rows)), source$weights, prob)
  taken <- different(drawn)
  if (length(taken) == length(drawn)) return(taken)
  # All rows in the order of the same draw: so the first m of n landmarks are those of a draw of m.
  restore()
  left <- draw_some(rows, length(rows), source$weights, prob)
  repeat {
    left <- rows_apart(source, left, rows_as_points(source, taken))
    wanted <- min(n - length(taken), length(left))
    if (wanted == 0) return(taken)
    taken <- c(taken, different(left[seq_len(wanted)]))
  }
}

# `n` of the given rows, drawn one after another without replacement, each with probability proportional to
# weight times `prob`. Both are vectors for all rows of the data, or NULL.
draw_some <- function(rows, n, weights = NULL, prob = NULL) {
  if (is.null(weights) && is.null(prob)) return(rows[sample.int(length(rows), n)])
  # Each row has an exponential arrival time with this rate, and the n earliest rows are taken: that is a draw
  # one after another. Logarithms prevent overflow.
  rate <- (if (is.null(weights)) 0 else log(weights[rows])) + (if (is.null(prob)) 0 else log(prob[rows]))
  rows[order(log(stats::rexp(length(rows))) - rate)[seq_len(n)]]
}

# ---- active learning -------------------------------------------------------------------

#' Landmarks by active learning
#'
#' Landmarks are rows of the data, chosen one after another: the next one is the row that a Gaussian process
#' knows least about, given the rows chosen before. Use this method for landmarks that are observations and
#' cover the data well. Liang and Paisley (2015) compare their method with it.
#'
#' The process has the kernel \eqn{K(x, x') = \exp(-\|x - x'\|^2/\eta)}{K(x, x') = exp(-||x - x'||^2 / eta)}
#' with bandwidth \eqn{\eta}{eta}. The variance at a row x, given the set \eqn{S} of rows chosen so far, is
#' (their eq. 3)
#' \deqn{K(x,x) - K(x,S) K(S,S)^{-1} K(S,x).}{K(x,x) - K(x,S) K(S,S)^-1 K(S,x).}
#' The next row is the one with the largest variance. This is a partial Cholesky factorization of the N x N
#' kernel matrix with the largest remaining diagonal entry as pivot. It needs only the columns of the chosen
#' rows: O(N n (d + n)) time and O(N n) memory.
#'
#' Landmarks are in the order in which they were chosen. `rows` of the fit has their row numbers. `trace` has
#' for each landmark the share of the mean variance at all rows that remains after it and those before it
#' were chosen (1 with no landmark; over the subset where `subset` is given). Where the data lie outside
#' `space`, the chosen rows are projected on it.
#'
#' A row of weight 2 counts as two rows. The variance at a row does not depend on how often the row occurs,
#' so weights leave the largest variance where it is. They count where rows are drawn at random, and in
#' `trace`. Rows of weight 0 are never chosen. Rows tie if their variances agree to nine digits, as all rows
#' do at first. One of the tied rows is drawn, with probability in proportion to its weight.
#'
#' @param subset Candidates: `NULL`, the default, for all rows, or a whole number of rows that are drawn at
#'   random first. Each row of weight above 0 is equally likely to be a candidate, and candidates keep their
#'   weights. The paper calls 5000 candidates Act5K.
#' @param pivot `"largest"`, as in the paper, or `"random"`: the next row is drawn with probability
#'   proportional to its weight times its variance (randomly pivoted Cholesky, Chen, Epperly, Tropp and
#'   Webber, 2025). Random pivots follow the density of the data and choose fewer outliers.
#' @param bandwidth_ratio The bandwidth of this kernel as a multiple of the fit's, a number above 0. Default
#'   1, the kernel of the features.
#' @param tolerance The choice of rows ends early, with a warning, when the share of the variance that
#'   remains is at or below this number. With 0, the default, it ends at rounding: no row has more than 5e-14
#'   of its variance left.
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
#' # The share of the kernel's variance that is left after each landmark
#' round(fit$trace, 3)
#' @export
by_active <- function(subset = NULL, pivot = "largest", bandwidth_ratio = 1, tolerance = 0) {
  new_method("by_active", list(
    subset = if (!is.null(subset)) check_count(subset, "subset"),
    pivot = check_choice(pivot, c("largest", "random"), "pivot"),
    bandwidth_ratio = check_number(bandwidth_ratio, "bandwidth_ratio", 0),
    # With a tolerance of 1 no row would be chosen, because all of the variance is left at the start.
    tolerance = check_number(tolerance, "tolerance", 0, 0.99, closed = TRUE)
  ), prefixes = TRUE, knows_kernel = TRUE)
}

#' @export
format.by_active <- function(x, ...) {
  rows <- if (is.null(x$subset)) "all rows" else paste(format(x$subset, big.mark = big_mark()), "random rows")
  paste0("active learning on ", rows, if (x$pivot == "random") ", drawn in proportion to the variance left")
}

#' @export
select_landmarks.by_active <- function(method, source, n, kernel, held, call) {
  candidates <- seq_len(source$dim[1])
  if (!is.null(method$subset) && method$subset < source$dim[1]) {
    if (n > method$subset) {
      abort_input(c(
        "{.arg subset} must be at least the number of landmarks, {n}.",
        x = "It is {method$subset}."
      ), arg = "subset", kind = "rank", call = call)
    }
    candidates <- draw_rows(source, method$subset)
    source <- rows_of(source, candidates)
  }
  # The columns of the Cholesky factorization, one for each chosen row.
  rows <- source$dim[1]
  check_work(as.double(rows) * (n + nrow(held)), "The factor of {rows} rows by {n} landmarks needs",
    "Choose from fewer rows, for example {.code by_active(subset = 5000)}.", "n", call
  )
  kernel$bandwidth <- kernel$bandwidth * method$bandwidth_ratio
  chosen <- active_rows(
    source, held, n, kernel, compute_with(call), method$pivot == "random", c(method$tolerance, row_floor)
  )
  selection(rows_in_space(source, chosen$rows, kernel, call),
    ordered = TRUE, rows = candidates[chosen$rows], trace = chosen$trace
  )
}

# ---- the selection ---------------------------------------------------------------------

# Rows chosen one after another: the row with the largest variance given those before it, or (`random`) one
# drawn with probability proportional to weight times variance. Returns list(rows, trace), where `trace` is
# the share of the variance that is left after each row. R's generator is asked for one number for a row that
# is drawn, or that has the same variance as others. The selection ends before `wanted` rows where the share
# that is left is at most limits[1], or where no row has a variance above limits[2].
#
# This is a Cholesky factorization of the kernel matrix of all rows, with pivots, of which only the columns of
# the chosen rows are computed.
active_rows <- function(source, held, wanted, kernel, how, random = FALSE, limits = c(0, row_floor)) {
  bar <- progress_start("Choosing rows", wanted)
  .Call(C_active, source, held, kernel[c("profile", "bandwidth")], c(list(
    wanted = as.integer(wanted), random = random, tolerance = limits[1], floor = limits[2],
    progress = progress_of(bar)
  ), how))
}
