# Whether values are within the range of a computer's numbers: the core squares distances in kernel
# coordinates, (x - center) * factor, and adds the squares up.

# Squared distances must not overflow, and must not lose their digits where columns are divided by
# their standard deviation.
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
