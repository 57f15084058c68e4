# Columns as their normal scores: scale = "ranks". The score of a value is qnorm() of its mid-rank among the
# rows that are learned from, divided by their number. A fit keeps knots of this function, `ranks`: for each
# column a list(value, score), both increasing. Between knots it is linear, outside it is flat.

# Which columns are what they are for: a dense matrix in memory. An error for other data.
check_rankable <- function(x, arg, call) {
  if (is.matrix(x)) return(invisible())
  abort_input(c(
    "{.code scale = \"ranks\"} needs dense data in memory.",
    x = "{.arg {arg}} {if (is_chunked(x)) 'is read in chunks' else 'is a sparse matrix'}.",
    i = if (is_chunked(x)) {
      "Use {.code scale = TRUE}, or give a sample of the rows as a matrix."
    } else {
      "Most values of a sparse column are 0, which all have one rank: use {.code scale = TRUE}."
    }
  ), arg = "scale", kind = "scale", call = call)
}

# The knots of all columns, from rows with weights, or NULL. Rows of weight 0 do not count.
rank_knots <- function(x, weights = NULL) {
  v <- weights %||% rep(1, nrow(x))
  some <- v > 0
  lapply(seq_len(ncol(x)), function(j) column_knots(as.double(x[some, j]), v[some]))
}

# A value that fills many rows is a knot, and so are its neighbors: knots are those values whose scores are
# nearest to `most` scores at equal distances.
column_knots <- function(x, v, most = 200) {
  if (is_constant(x)) return(list(value = x[1], score = 0))
  order <- order(x)
  x <- x[order]
  last <- which(c(x[-1] != x[-length(x)], TRUE))
  # By the largest weight, so that sums do not overflow.
  upto <- cumsum((v / max(v))[order])[last]
  own <- diff(c(0, upto))
  score <- stats::qnorm((upto - own / 2) / upto[length(upto)])
  value <- x[last]
  if (length(value) > most) {
    between <- (score[-1] + score[-length(score)]) / 2
    at <- unique(findInterval(seq(score[1], score[length(score)], length.out = most), between) + 1L)
    value <- value[at]
    score <- score[at]
  }
  list(value = value, score = score)
}

# The first value of each column's knots: that of a constant column.
first_knots <- function(ranks) vapply(ranks, function(knots) knots$value[1], 0)

# The scores of the rows of a matrix, which keeps its names.
scores_of_ranks <- function(x, ranks) through_knots(x, ranks, "value", "score")

# The values that have these scores: of landmarks, in the data's units.
values_of_ranks <- function(x, ranks) through_knots(x, ranks, "score", "value")

through_knots <- function(x, ranks, from, to) {
  out <- matrix(0, nrow(x), ncol(x), dimnames = dimnames(x))
  for (j in seq_len(ncol(x))) {
    knots <- ranks[[j]]
    out[, j] <- if (length(knots$value) == 1) {
      # A constant column: other values have no rank.
      knots[[to]]
    } else {
      stats::approx(knots[[from]], knots[[to]], x[, j], rule = 2)$y
    }
  }
  out
}
