# A source: checked data as the core reads them, a plain list that shares the
# user's matrix with no copy of it (sparse data are turned to rows once).
#
#   x                     the numeric, integer or logical matrix, or NULL
#   start, column, value  compressed sparse rows, where x is NULL
#   dim, names            rows and columns; column names or NULL
#   center, factor        kernel coordinates are (x - center) * factor
#   weights               one for each row, of mean 1, or NULL
#   mean, variance        of each column, in the data's units; NULL for new data
#
# A source hands out rows (batches) and sums over all rows; nothing else of the
# package looks into the data. Rows that live elsewhere get a source of their own.

as_source <- function(x, weights = NULL, scale = FALSE, arg = "x", call = rlang::caller_env()) {
  x <- check_data(x, arg, call)
  weights <- check_weights(weights, nrow(x), call)
  moments <- if (is.matrix(x)) dense_moments(x, weights, arg, call) else sparse_moments(x, weights, arg, call)
  # Constant columns say nothing about distances: they are left as they are.
  check_size(moments$variance, nrow(x), scale, arg, call)
  spread <- sqrt(moments$variance)
  divisor <- if (scale) ifelse(spread > 0, spread, 1) else rep(1, ncol(x))
  lay_out(x, weights, center = moments$mean, factor = 1 / divisor, moments = moments)
}

# New data, in the kernel coordinates of a fit, or of what else `learner` says.
new_source <- function(x, center, factor, arg = "newdata", call = rlang::caller_env(),
                       learner = "the landmarks were") {
  x <- check_data(x, arg, call, empty = TRUE)
  if (ncol(x) != length(center)) {
    abort_input(c(
      "{.arg {arg}} must have the {length(center)} column{?s} that {learner} learned from.",
      x = "It has {ncol(x)}."
    ), arg = arg, kind = "columns", call = call)
  }
  check_finite(x, arg, call)
  lay_out(x, NULL, center, factor)
}

# Squared distances must neither overflow nor, where columns are divided by
# their spread, lose their digits.
check_size <- function(variance, n, scale, arg, call) {
  large <- !is.finite(4 * n * sum(variance))
  if (!large && !(scale && any(variance > 0 & variance < .Machine$double.xmin))) return(invisible())
  abort_input(c(
    "{.arg {arg}} must have values whose squares are within a computer's range.",
    x = if (large) "They are too large: a sum of squares overflows." else "They are too small: a variance underflows.",
    i = "Change the data's unit."
  ), arg = arg, kind = "data", call = call)
}

lay_out <- function(x, weights, center, factor, moments = NULL) {
  if (is.matrix(x)) {
    source <- list(x = x, center = center, factor = factor)
  } else {
    source <- .Call(C_sparse_rows, x@p, x@i, x@x, dim(x), factor)
    # Sparse rows are scaled already, and never shifted.
    source <- c(source, list(x = NULL, center = numeric(ncol(x)), factor = factor))
  }
  c(source, list(
    dim = dim(x), names = colnames(x), weights = weights,
    mean = moments$mean, variance = moments$variance
  ))
}

# A matrix that the core can read: numeric, integer or logical, or dgCMatrix.
check_data <- function(x, arg, call, empty = FALSE) {
  check_given(x, arg, call)
  if (methods::is(x, "Matrix") || methods::is(x, "sparseVector")) x <- to_csparse(x, arg, call)
  # Classes that are only another way to print or index plain numbers.
  if (is.matrix(x) && is.object(x) && all(class(x) %in% plain_classes)) {
    attributes(x) <- list(dim = dim(x), dimnames = dimnames(x))
  }
  dense <- is.matrix(x) && (is.numeric(x) || is.logical(x)) && !is.object(x)
  if (!dense && !methods::is(x, "dgCMatrix")) {
    abort_input(c(
      "{.arg {arg}} must be a numeric, integer or logical matrix, a sparse matrix of package Matrix, or a data frame.",
      x = "It is {describe(x)}.",
      i = if (is.numeric(x) && is.null(dim(x)) && !is.object(x)) {
        "For one column, use {.code matrix({arg}, ncol = 1)}; for one row, {.code matrix({arg}, nrow = 1)}."
      }
    ), arg = arg, kind = "data", call = call)
  }
  if ((nrow(x) == 0 && !empty) || ncol(x) == 0) {
    abort_input(c(
      "{.arg {arg}} must have at least one row and one column.",
      x = "It is {nrow(x)} x {ncol(x)}."
    ), arg = arg, kind = "data", call = call)
  }
  x
}

plain_classes <- c("matrix", "array", "table", "xtabs", "ts", "mts", "AsIs")

# Whatever Matrix can turn to compressed columns without filling it.
to_csparse <- function(x, arg, call) {
  # The core trusts the indices of what it is given.
  flaw <- methods::validObject(x, test = TRUE)
  if (is.character(flaw)) {
    abort_input(c(
      "{.arg {arg}} must be a valid object of its class, {.cls {class(x)[1]}}.",
      x = "{.fn validObject} says: {flaw[1]}."
    ), arg = arg, kind = "data", call = call)
  }
  if (methods::is(x, "dgCMatrix")) return(x)
  if (methods::is(x, "denseMatrix")) return(as.matrix(x))
  out <- tryCatch(
    methods::as(methods::as(methods::as(x, "dMatrix"), "generalMatrix"), "CsparseMatrix"),
    error = function(e) NULL
  )
  if (is.null(out)) {
    abort_input(c(
      "{.arg {arg}} must be a sparse matrix that package Matrix can turn to class dgCMatrix.",
      x = "It is {describe(x)}."
    ), arg = arg, kind = "data", call = call)
  }
  out
}

check_weights <- function(weights, n, call) {
  if (is.null(weights)) return(NULL)
  rule <- "{.arg weights} must be {n} finite number{?s} of at least 0, one for each row, not all 0."
  if (!is.numeric(weights) || length(weights) != n) {
    abort_input(c(rule, x = "It is {describe(weights)}."), arg = "weights", kind = "weights", call = call)
  }
  bad <- which(!is.finite(weights) | weights < 0)
  if (length(bad)) {
    abort_input(c(rule, x = "Number {bad[1]} is {weights[bad[1]]}."),
      arg = "weights", kind = "weights", call = call
    )
  }
  if (all(weights == 0)) {
    abort_input(c(rule, x = "All are 0."), arg = "weights", kind = "weights", call = call)
  }
  # Equal weights are no weights, to the last bit.
  if (all(weights == weights[1])) return(NULL)
  # First by the largest: the sum of huge weights would overflow.
  weights <- as.double(weights) / max(weights)
  weights / mean(weights)
}

# Means and variances of the columns; raises the error for values not finite.
dense_moments <- function(x, weights, arg, call) {
  if (nrow(x) == 0) return(list(mean = numeric(ncol(x)), variance = numeric(ncol(x))))
  m <- .Call(C_moments, x, weights, TRUE, compute_with(call))
  refuse_bad(m$bad, x, arg, call)
  # The denominator of var().
  moments <- list(mean = m$mean, variance = m$deviation / max(nrow(x) - 1, 1))
  settle_constant(moments, weights, function(j) x[, j])
}

# Rounding leaves a constant column a variance of about (1e-16 times its mean)
# squared, where it must be 0: columns that may be such are looked at again.
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
  check_finite_entries(x, arg, call)
  n <- nrow(x)
  w <- if (is.null(weights)) 1 else weights[x@i + 1L]
  sums <- function(v) {
    x@x <- v
    Matrix::colSums(x)
  }
  mean <- as.vector(sums(w * x@x)) / n
  square <- as.vector(sums(w * (x@x - rep.int(mean, diff(x@p)))^2))
  stored <- if (is.null(weights)) diff(x@p) else as.vector(sums(w))
  moments <- list(mean = mean, variance = (square + (n - stored) * mean^2) / max(n - 1, 1))
  settle_constant(moments, weights, function(j) x[, j])
}

# `bad`: the position of the first value that is not finite, from 0, or -1.
refuse_bad <- function(bad, x, arg, call) {
  if (bad < 0) return(invisible())
  row <- bad %% nrow(x) + 1
  column <- bad %/% nrow(x) + 1
  abort_not_finite(x[row, column], row, column, colnames(x), arg, call)
}

# Without a look at means and variances: new data have no say in them.
check_finite <- function(x, arg, call) {
  if (is.matrix(x)) {
    if (nrow(x) > 0) refuse_bad(.Call(C_moments, x, NULL, FALSE, compute_with(call))$bad, x, arg, call)
  } else {
    check_finite_entries(x, arg, call)
  }
  x
}

check_finite_entries <- function(x, arg, call) {
  bad <- which(!is.finite(x@x))
  if (length(bad)) {
    column <- findInterval(bad[1] - 1, x@p)
    abort_not_finite(x@x[bad[1]], x@i[bad[1]] + 1, column, colnames(x), arg, call)
  }
}

abort_not_finite <- function(value, row, column, names, arg, call) {
  abort_input(c(
    "{.arg {arg}} must not have missing or infinite values.",
    x = "The first is {value}, in row {row}, {name_column(column, names)}.",
    i = if (is.na(value)) missing_remedy
  ), arg = arg, kind = "missing", call = call)
}

missing_remedy <- "Leave out rows with missing values, as {.fn na.omit} does for a matrix or a data frame, or fill them in."

name_column <- function(column, names) {
  paste0("column ", column, if (!is.null(names)) paste0(" (", names[column], ")"))
}

# ---- rows of a source -------------------------------------------------------

source_rows <- function(source) {
  # Rows of weight 0 are not part of the kernel: nothing is drawn from them.
  if (is.null(source$weights)) source$dim[1] else sum(source$weights > 0)
}

# `size` rows at random, in order; all of them where there are no more.
draw_rows <- function(source, size) {
  n <- source$dim[1]
  if (!is.null(source$weights)) {
    rows <- which(source$weights > 0)
    if (length(rows) > size) rows <- sort(rows[sample.int(length(rows), size)])
    return(rows)
  }
  if (n <= size) return(seq_len(n))
  sort(sample.int(n, size, useHash = n > 4 * size))
}

# Up to `size` rows of weight above 0, evenly spread over the data: no random numbers are drawn.
spread_rows <- function(source, size) {
  spread_evenly(if (is.null(source$weights)) seq_len(source$dim[1]) else which(source$weights > 0), size)
}

# Up to `size` of some rows, spread evenly through them. Steps of the golden ratio have
# no common period with data in which rows repeat in turn.
spread_evenly <- function(rows, size) {
  n <- length(rows)
  if (n <= size) return(rows)
  place <- (seq_len(size) * (sqrt(5) - 1) / 2) %% 1
  rows[unique(sort(floor(n * place) + 1))]
}

# The source of such rows; the source itself where these are all.
sample_evenly <- function(source, size) {
  rows <- spread_rows(source, size)
  if (length(rows) == source$dim[1]) source else subset_source(source, rows)
}

# Some rows as a source of their own.
subset_source <- function(source, rows) {
  if (is.null(source$x)) {
    lengths <- diff(source$start)[rows]
    from <- source$start[rows]
    entries <- sequence(lengths, from + 1L)
    source$start <- c(0L, as.integer(cumsum(lengths)))
    source$column <- source$column[entries]
    source$value <- source$value[entries]
  } else {
    source$x <- source$x[rows, , drop = FALSE]
  }
  source$dim <- c(length(rows), source$dim[2])
  if (!is.null(source$weights)) source$weights <- source$weights[rows]
  source
}

# Rows as points, a dense matrix in the data's units.
rows_as_points <- function(source, rows) {
  if (is.null(source$x)) {
    part <- subset_source(source, rows)
    out <- matrix(0, length(rows), source$dim[2])
    column <- part$column + 1L
    out[cbind(rep.int(seq_along(rows), diff(part$start)), column)] <- part$value / source$factor[column]
  } else {
    out <- source$x[rows, , drop = FALSE]
    storage.mode(out) <- "double"
  }
  dimnames(out) <- if (!is.null(source$names)) list(NULL, source$names)
  out
}
