# Means and variances of the columns, of one matrix and of several parts.

# Of any matrix; raises the error for values not finite.
column_moments <- function(x, weights, arg, call) {
  if (is.matrix(x)) dense_moments(x, weights, arg, call) else sparse_moments(x, weights, arg, call)
}

dense_moments <- function(x, weights, arg, call) {
  if (nrow(x) == 0) return(list(mean = numeric(ncol(x)), variance = numeric(ncol(x))))
  m <- .Call(C_moments, x, weights, c(list(deviations = TRUE), compute_with(call)))
  refuse_bad(m$bad, x, arg, call)
  # The denominator of var().
  moments <- list(mean = m$mean, variance = m$deviation / max(nrow(x) - 1, 1))
  settle_constant(moments, weights, function(j) x[, j])
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

sparse_moments <- function(x, weights, arg, call) {
  columns <- list(start = x@p, row = x@i, value = x@x, dim = dim(x))
  m <- .Call(C_sparse_moments, columns, weights, compute_with(call))
  if (m$bad >= 0) check_finite_entries(x, arg, call)
  moments <- list(mean = m$mean, variance = m$deviation / max(nrow(x) - 1, 1))
  settle_constant(moments, weights, function(j) x[, j])
}

# Of data in parts, each by itself and then together (Chan, Golub and LeVeque, 1983). `read`: gives part i, a
# matrix; `first`: how many rows stand before each part, and after all.
moments_of_parts <- function(read, first, weights, arg, call) {
  all <- NULL
  for (i in seq_along(first)[-1] - 1) {
    x <- read(i)
    w <- if (is.null(weights)) rep(1, nrow(x)) else weights[first[i] + seq_len(nrow(x))]
    # part_moments() checks the values; a part of weight 0 has no moments and is checked by itself.
    if (sum(w) > 0) all <- join_moments(all, part_moments(x, w, arg, call)) else check_finite(x, arg, call)
  }
  variance <- all$square / max(first[length(first)] - 1, 1)
  # A column that is constant has the variance 0, to the last bit.
  constant <- all$low == all$high
  list(mean = ifelse(constant, all$low, all$mean), variance = ifelse(constant, 0, variance))
}

# list(weight, mean, square, low, high): `square` is the weighted sum of squared distances from the mean.
part_moments <- function(x, w, arg, call) {
  m <- column_moments(x, w * nrow(x) / sum(w), arg, call)
  x <- x[w > 0, , drop = FALSE]
  extreme <- function(f) vapply(seq_len(ncol(x)), function(j) f(x[, j]), 0)
  list(
    weight = sum(w), mean = m$mean, square = m$variance * max(length(w) - 1, 1) * sum(w) / length(w),
    low = extreme(min), high = extreme(max)
  )
}

join_moments <- function(a, b) {
  if (is.null(a)) return(b)
  weight <- a$weight + b$weight
  apart <- b$mean - a$mean
  list(
    weight = weight, mean = a$mean + apart * b$weight / weight,
    square = a$square + b$square + apart^2 * a$weight * b$weight / weight,
    low = pmin(a$low, b$low), high = pmax(a$high, b$high)
  )
}
