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
variance_divisor <- function(rows, weights = NULL, used = if (is.null(weights)) rows else sum(weights > 0)) {
  if (used == rows) max(rows - 1, 1) else rows * max(used - 1, 1) / used
}

# Numbers that differ by at most this share of their size are equal up to rounding, as 0.3 and 3 * 0.1 are.
rounding_share <- 1e-13

differ_beyond_rounding <- function(a, b) abs(a - b) > rounding_share * abs(b)

is_constant <- function(v) !any(differ_beyond_rounding(v, v[1]))

# A column that is constant up to rounding gets variance 0. The sum of many equal values has an error of its
# own, so the values of such columns are compared.
settle_constant <- function(moments, weights, column) {
  for (j in which(moments$variance > 0 & sqrt(moments$variance) <= 1e-9 * abs(moments$mean))) {
    v <- column(j)
    if (!is.null(weights)) v <- v[weights > 0]
    if (!is_constant(v)) next
    moments$mean[j] <- v[1]
    moments$variance[j] <- 0
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
  weight <- if (is.null(w)) as.double(n) else sum(w)
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

# list(mean, variance) of joined moments. Chunks that are constant may differ by rounding.
settled_moments <- function(mean, variance) {
  list(mean = mean, variance = ifelse(sqrt(variance) > rounding_share * abs(mean), variance, 0))
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

# ---- columns that were constant ------------------------------------------------------
# A column that is constant in training has factor 0 where columns are scaled: it enters no distance.

# The numbers of such columns that have another value in new data. `x`: a matrix, dense or sparse.
varied_columns <- function(x, center, factor) {
  constant <- which(factor == 0)
  if (length(constant) == 0) return(integer())
  center <- center[constant]
  if (is.matrix(x)) {
    varies <- function(j) any(differ_beyond_rounding(x[, constant[j]], center[j]), na.rm = TRUE)
    return(constant[vapply(seq_along(constant), varies, NA)])
  }
  x <- x[, constant, drop = FALSE]
  entries <- diff(x@p)
  column <- rep.int(seq_along(constant), entries)
  stored <- column[which(differ_beyond_rounding(x@x, center[column]))]
  constant[union_sorted(stored, which(center != 0 & entries < nrow(x)))]
}

warn_varied <- function(columns, names, arg, call) {
  count <- length(columns)
  if (count == 0) return(invisible())
  shown <- utils::head(if (is.null(names)) as.character(columns) else names[columns], 5)
  more <- if (count > 5) paste(" and", count - 5, "more")
  warn_user(c(
    paste(
      "{cli::qty(count)}Column{?s} {.field {shown}}{more} of {.arg {arg}} {cli::qty(count)}{?has/have}",
      "values that do not occur in the training data, in which {cli::qty(count)}{?it is/they are} constant."
    ),
    x = "{cli::qty(count)}{?It is/They are} ignored: {?its/their} standard deviation is 0.",
    i = "To use {cli::qty(count)}{?it/them}, learn from rows with several values."
  ), kind = "constant", call = call)
}
