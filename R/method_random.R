# by_random(): landmarks are random rows. And functions that draw rows for other methods.

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
