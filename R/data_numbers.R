# What is computed of all values: moments, and whether squares overflow.

# list(mean, variance) of the columns of a matrix, or an error for the first value that is not finite.
# `first`: how many rows of the data stand before x.
column_moments <- function(x, weights, arg, call, first = 0L) {
  if (is.matrix(x)) {
    dense_moments(x, weights, arg, call, first)
  } else {
    sparse_moments(x, weights, arg, call, first)
  }
}

dense_moments <- function(x, weights, arg, call, first = 0L) {
  if (nrow(x) == 0) return(list(mean = numeric(ncol(x)), variance = numeric(ncol(x))))
  m <- .Call(C_moments, x, weights, compute_with(call))
  refuse_bad(m$bad, x, arg, call, first)
  moments <- list(mean = m$mean, variance = m$deviation / variance_divisor(nrow(x), weights))
  settle_constant(moments, weights, function(j) x[, j])
}

# What the sum of squares, with weights of mean 1, is divided by for a variance: rows - 1 as in var(), of rows
# that have a weight above 0. The others change nothing.
variance_divisor <- function(rows, weights) {
  used <- if (is.null(weights)) rows else sum(weights > 0)
  if (used == rows) max(rows - 1, 1) else rows * max(used - 1, 1) / used
}

# Rounding leaves a constant column a variance of about (1e-16 times its mean)
# squared, where it must be 0: such columns are checked again.
settle_constant <- function(moments, weights, column) {
  maybe <- which(moments$variance > 0 & sqrt(moments$variance) <= 1e-10 * abs(moments$mean))
  for (j in maybe) {
    v <- column(j)
    if (!is.null(weights)) v <- v[weights > 0]
    if (all(v == v[1])) {
      moments$mean[j] <- v[1]
      moments$variance[j] <- 0
    }
  }
  moments
}

sparse_moments <- function(x, weights, arg, call, first) {
  columns <- list(start = x@p, row = x@i, value = x@x, dim = dim(x))
  m <- .Call(C_sparse_moments, columns, weights, compute_with(call))
  if (m$bad >= 0) check_finite_entries(x, arg, call, first)
  moments <- list(mean = m$mean, variance = m$deviation / variance_divisor(nrow(x), weights))
  settle_constant(moments, weights, function(j) x[, j])
}

# list(weight, mean, square): `square` is the weighted sum of squared distances from the mean. It is 0 to the
# last bit for a column that is constant, also after parts were joined. NULL without rows of weight above 0.
part_moments <- function(x, w, arg, call, first) {
  n <- nrow(x)
  # The values are checked when moments are computed. A part of weight 0 has none, so its values are checked
  # here.
  if (n == 0 || (!is.null(w) && sum(w) == 0)) {
    check_new_values(x, 0, 1, arg, call, first)
    return(NULL)
  }
  weight <- if (is.null(w)) n else sum(w)
  m <- column_moments(x, if (!is.null(w)) w * n / weight, arg, call, first)
  # Rows of weight 0 have no part in the moments, but their distances must not overflow either.
  if (!is.null(w)) check_reach(x, 0, 1, arg, call, "Change the data's unit.")
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

# An error where squared distances would overflow, or would lose their digits because columns are divided by
# tiny standard deviations.
check_size <- function(variance, n, scale, arg, call) {
  large <- !is.finite(4 * n * sum(variance))
  if (!large && !(scale && any(variance > 0 & variance < .Machine$double.xmin))) return(invisible())
  abort_input(c(
    "{.arg {arg}} must have values whose squares are within a computer's range.",
    x = if (large) {
      "They are too large: a sum of squares overflows."
    } else {
      "They are too small: a variance underflows."
    },
    i = "Change the data's unit."
  ), arg = arg, kind = "data", call = call)
}

# The same for rows and points whose moments say nothing about them: new data, given points, and rows of
# weight 0.
check_reach <- function(x, center, factor, arg, call, remedy = NULL) {
  if (is_reachable(x, center, factor)) return(invisible())
  abort_reach(arg, call, remedy)
}

abort_reach <- function(arg, call, remedy = NULL) {
  abort_input(c(
    "{.arg {arg}} must have values whose squares are within a computer's range.",
    x = "They are too large: a squared distance overflows.",
    i = remedy %||% "Check that {.arg {arg}} has the unit of the data that the landmarks were learned from."
  ), arg = arg, kind = "data", call = call)
}

# An error for one number whose square overflows or underflows.
abort_square <- function(value, arg, call) {
  abort_input(c(
    "{.arg {arg}} must be a number whose square is within a computer's range.",
    x = "It is {describe(value)}."
  ), arg = arg, call = call)
}

# Whether the squared distances between rows and points like them are finite. `x`: a matrix, dense or sparse.
is_reachable <- function(x, center, factor) {
  if (nrow(x) == 0) return(TRUE)
  is_fine <- function(far) is.finite(ncol(x) * (2 * far)^2)
  # Sparse rows are never shifted.
  sparse <- !is.matrix(x)
  center <- if (sparse) 0 else center
  largest <- if (!sparse && !is.double(x)) .Machine$integer.max else reach_of(if (sparse) x@x else x)
  # First one bound for all columns, which is fast to compute.
  if (is_fine((largest + max(abs(center))) * max(factor))) return(TRUE)
  if (sparse) return(is_fine(reach_of(x@x * rep.int(factor, diff(x@p)))))
  of_column <- function(j) reach_of(x[, j] - center[j]) * factor[j]
  is_fine(max(vapply(seq_len(ncol(x)), of_column, 0)))
}

# The largest absolute value, without a copy.
reach_of <- function(v) if (length(v)) max(-min(v), max(v)) else 0

# New data, in the coordinates of a fit. `first`: how many rows of the data stand before x.
check_new_values <- function(x, center, factor, arg, call, first = 0L) {
  if (is.double(x) && nrow(x) > 0) {
    # One pass finds what is not finite and adds up absolute values, which is fast and bounds each of them.
    m <- .Call(C_sizes, x, compute_with(call))
    refuse_bad(m$bad, x, arg, call, first)
    if (is.finite(sum((2 * (m$size + abs(center)) * factor)^2))) return(invisible())
  } else {
    check_finite(x, arg, call, first)
  }
  check_reach(x, center, factor, arg, call)
}
