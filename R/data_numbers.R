# Moments of columns, and checks for overflow of squared distances.

# list(mean, variance) of the columns of a matrix, or an error for the first value that is not finite. A
# column that is constant up to rounding has variance 0: the sum of many equal values has an error of its own,
# so the values of such columns are compared.
column_moments <- function(x, weights, arg, call) {
  m <- if (is.matrix(x)) {
    .Call(C_moments, x, weights, compute_with(call))
  } else {
    .Call(C_sparse_moments, sparse_columns(x), weights, compute_with(call))
  }
  refuse_bad(m$bad, x, arg, call)
  mean <- m$mean
  variance <- m$deviation / variance_divisor(nrow(x), weights)
  for (j in which(variance > 0 & sqrt(variance) <= 1e-9 * abs(mean))) {
    v <- x[, j]
    if (!is.null(weights)) v <- v[weights > 0]
    if (!is_constant(v)) next
    mean[j] <- v[1]
    variance[j] <- 0
  }
  list(mean = mean, variance = variance)
}

# What the sum of squares, with weights of mean 1, is divided by for a variance: rows - 1 as in var(), of rows
# that have a weight above 0. The others change nothing.
variance_divisor <- function(rows, weights = NULL, used = if (is.null(weights)) rows else sum(weights > 0)) {
  if (used == rows) max(rows - 1, 1) else rows * max(used - 1, 1) / used
}

# Numbers that differ by at most this share of their size are equal up to rounding, as 0.3 and 3 * 0.1 are.
rounding_share <- 1e-13

differ_beyond_rounding <- function(a, b) abs(a - b) > rounding_share * abs(b)

is_constant <- function(v) !any(differ_beyond_rounding(v, v[1]))

# list(weight, mean, square): `square` is the weighted sum of squared distances from the mean. It is 0 to the
# last bit for a column that is constant, also after parts were joined. NULL without rows of weight above 0.
part_moments <- function(x, w, arg, call) {
  n <- nrow(x)
  weight <- if (is.null(w)) as.double(n) else sum(w)
  # Rows of weight 0 have no part in the moments, whose computation checks the values.
  if (!is.null(w)) check_reach(check_finite(x, arg, call), 0, 1, arg, call, "Rescale the data.")
  if (weight == 0) return(NULL)
  m <- column_moments(x, if (!is.null(w)) w * n / weight, arg, call)
  list(weight = weight, mean = m$mean, square = m$variance * variance_divisor(n, w) * weight / n)
}

join_moments <- function(a, b) {
  if (is.null(a) || is.null(b)) return(a %||% b)
  weight <- a$weight + b$weight
  apart <- b$mean - a$mean
  list(
    weight = weight, mean = a$mean + apart * b$weight / weight,
    square = a$square + b$square + apart^2 * a$weight * b$weight / weight
  )
}

# ---- the range of numbers ------------------------------------------------------------
# Whether values are within the range of a computer's numbers: the core squares distances in kernel
# coordinates, (x - center) * factor, and adds the squares up.

# An error where sums of squared distances would overflow.
check_size <- function(variance, n, arg, call) {
  if (!is.finite(4 * n * sum(variance))) abort_overflow("sums of squares", arg, call, "Rescale the data.")
}

abort_overflow <- function(what, arg, call, remedy) {
  rule <- "{.arg {arg}} has values that are too large: {what} overflow."
  abort_input(c(rule, i = remedy), arg = arg, kind = "data", call = call)
}

# The same for rows and points whose moments say nothing about them: new data, given points, and rows of
# weight 0. Sums of absolute values bound each value.
check_reach <- function(x, center, factor, arg, call,
                        remedy = "Check that {.arg {arg}} has the units of the training data.") {
  size <- if (is.matrix(x)) .Call(C_sizes, x, compute_with(call))$size else Matrix::colSums(abs(x))
  largest <- sum((2 * (size + abs(center)) * factor)^2)
  if (!is.finite(largest)) abort_overflow("squared distances", arg, call, remedy)
}

# An error for one number whose square overflows or underflows.
abort_square <- function(value, arg, call) {
  check_that(FALSE, value, arg, "a number whose square neither overflows nor underflows", call = call)
}

# ---- columns that were constant ------------------------------------------------------
# A column that is constant in training has factor 0 where columns are scaled: it enters no distance.

# A warning of such columns that have another value in new data. `x`: a matrix, dense or sparse.
warn_varied <- function(x, center, factor, arg, call, names = colnames(x)) {
  constant <- which(factor == 0)
  center <- center[constant]
  new <- x[, constant, drop = FALSE]
  if (is.matrix(new)) {
    varied <- col(new)[which(differ_beyond_rounding(new, rep(center, each = nrow(new))))]
  } else {
    entries <- diff(new@p)
    column <- rep.int(seq_along(constant), entries)
    zero <- which(center != 0 & entries < nrow(new))
    varied <- c(column[which(differ_beyond_rounding(new@x, center[column]))], zero)
  }
  columns <- constant[sort(unique(varied))]
  count <- length(columns)
  if (count == 0) return(invisible())
  shown <- if (is.null(names)) as.character(columns) else paste0("`", names[columns], "`")
  warn_user(c(
    "{cli::qty(count)}Column{?s} {shown} of {.arg {arg}} {cli::qty(count)}{?has/have} values that do
     not occur in the training data.",
    x = "{cli::qty(count)}{?It is/They are} ignored, as {?it was/they were} constant there."
  ), kind = "constant", call = call)
}

# ---- ranks -----------------------------------------------------------------------------
# Columns as their normal scores: scale = "ranks". The score of a value is qnorm() of its mid-rank among the
# rows that are learned from, divided by their number. A fit keeps knots of this function, `ranks`: for each
# column a list(value, score), both increasing. Between knots it is linear, outside it is flat.

# They are for a dense matrix in memory. An error for other data.
check_rankable <- function(x, arg, call) {
  if (is.matrix(x)) return(invisible())
  abort_input(c(
    "{.code scale = \"ranks\"} needs dense data in memory.",
    x = "{.arg {arg}} {if (is_chunked(x)) 'is read in chunks' else 'is a sparse matrix'}.",
    i = "Give a dense matrix or a data frame, or fit with {.code scale = TRUE}."
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
  columns <- lapply(seq_len(ncol(x)), function(j) {
    knots <- ranks[[j]]
    # In a constant column other values have no rank.
    if (length(knots$value) == 1) return(rep(knots[[to]], nrow(x)))
    stats::approx(knots[[from]], knots[[to]], x[, j], rule = 2)$y
  })
  matrix(unlist(columns), nrow(x), ncol(x), dimnames = dimnames(x))
}
