# by_random(): landmarks are random rows. And functions that draw rows for other methods.

#' Random rows as landmarks
#'
#' Landmarks are rows of the data, drawn one after another without replacement. Use them as the baseline that
#' every other method should beat. The probability of a row is proportional to its weight, or to its weight
#' times a number that you give (`prob`). The first m of n landmarks equal a draw of m.
#'
#' A row of weight 2 counts as two rows: the result is that of drawing from data in which the row occurs
#' twice, where the second copy is left out if both are drawn. Rows of weight 0 are never drawn.
#'
#' @param prob Probability weights as in [sample()]: one number of at least 0 for each row of the data, with
#'   at least one above 0. `NULL`, the default, gives all rows the same. The numbers belong to the rows of
#'   these data. [cv_landmarks()] learns from a part of the rows; there, use a method function(x, n) that
#'   computes the numbers from `x` and calls [landmarks()].
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
  check_method(x, "x", rlang::current_env())
  if (is.null(x$prob)) "random rows" else "random rows, by probabilities given"
}

#' @export
select_landmarks.by_random <- function(method, source, n, kernel, held, call) {
  rows <- rows_apart(source, draw_rows(source, source$dim[1]), held, n)
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
  rows <- draw_some(rows, n, source$weights, prob)
  selection(project_points(rows_as_points(source, rows), kernel$space, call), ordered = TRUE, rows = rows)
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

# The rows without those that equal a held landmark, which would add nothing. If fewer than `n` would be left,
# all rows are returned.
rows_apart <- function(source, rows, held, n) {
  if (nrow(held) == 0) return(rows)
  distance <- nearest_landmark(source, held, compute_with())$distance[rows]
  if (sum(distance > 0) < n) rows else rows[distance > 0]
}

#' @export
draws_ahead.by_random <- function(method, data, n) {
  if (!is.null(method$prob)) return(NULL)
  rows <- draw_some(draw_rows(data, data$dim[1]), n, data$weights)
  list(rows)
}
