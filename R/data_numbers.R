# Means and variances of the columns, of one matrix and of several parts.

# Of any matrix; raises the error for values not finite. `first`: how many rows of the data stand before x.
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
  # Moments come with a check of the values. A part of weight 0 has no moments.
  if (n == 0 || (!is.null(w) && sum(w) == 0)) {
    check_new_values(x, 0, 1, arg, call, first)
    return(NULL)
  }
  weight <- if (is.null(w)) n else sum(w)
  m <- column_moments(x, if (!is.null(w)) w * n / weight, arg, call, first)
  # They see nothing of rows of weight 0.
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
