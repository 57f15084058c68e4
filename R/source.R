# A source: the user's data after all checks, in the form that every algorithm and the core read. Its rows are
# in memory.
#
# Fields:
#   dim, names            rows and columns; column names or NULL
#   x                     of dense data: a numeric, integer or logical matrix, the user's own, no copy
#   start, column, value  of sparse data: compressed sparse rows
#   center, factor        kernel coordinates are (x - center) * factor
#   weights               one for each row, of mean 1, or NULL
#   mean, variance        of each column, in the data's units; NULL for new data
#   sparse                whether the rows are sparse

# The source of the user's data, with center, factor and moments computed from them.
as_source <- function(x, weights = NULL, scale = FALSE, arg = "x", call = rlang::caller_env()) {
  UseMethod("as_source")
}

#' @export
as_source.default <- function(x, weights = NULL, scale = FALSE, arg = "x", call = rlang::caller_env()) {
  weights <- check_weights(weights, nrow(x), call)
  if (identical(scale, "ranks")) {
    check_rankable(x, arg, call)
    check_finite(x, arg, call)
    ranks <- rank_knots(x, weights)
    source <- as_source(scores_of_ranks(x, ranks), weights, TRUE, arg, call)
    source$ranks <- ranks
    return(source)
  }
  moments <- column_moments(x, weights, arg, call)
  factor <- scale_factor(moments, nrow(x), scale, arg, call)
  # Rows of weight 0 do not count in the moments, whose check has therefore not seen how large they are.
  if (!is.null(weights)) check_reach(x, moments$mean, factor, arg, call, "Rescale the data.")
  lay_out(x, weights, moments$mean, factor, moments)
}

# The factors of the columns: with `scale` each is divided by its standard deviation, and constant columns are
# left out of all distances, in new data as well.
scale_factor <- function(moments, n, scale, arg, call) {
  check_size(moments$variance, n, arg, call)
  sd <- sqrt(moments$variance)
  if (scale) ifelse(sd > 0, 1 / sd, 0) else rep(1, length(sd))
}

# New data as a matrix, in the kernel coordinates of a fit or a codebook.
new_source <- function(x, center, factor, arg = "newdata", call = rlang::caller_env()) {
  check_finite(x, arg, call)
  check_reach(x, center, factor, arg, call)
  lay_out(x, NULL, center, factor)
}

# A matrix or a sparse matrix as a source.
lay_out <- function(x, weights, center, factor, moments = NULL) {
  sparse <- !is.matrix(x)
  if (sparse) {
    # The values of sparse rows are multiplied by the factors here, and are never centered: a centered matrix
    # would have few zeros.
    rows <- .Call(C_sparse_rows, sparse_columns(x), factor)
    # Constant columns have the center that gives them their value.
    rows <- c(rows, list(center = ifelse(factor == 0, center, 0), factor = factor))
  } else {
    rows <- list(x = x, center = center, factor = factor)
  }
  structure(c(rows, list(
    dim = dim(x), names = colnames(x), weights = weights,
    mean = moments$mean, variance = moments$variance, sparse = sparse
  )), class = "landmark_source")
}

# Points in kernel coordinates, in the data's units. `at`: list(center, factor).
in_data_coordinates <- function(z, at) {
  divisor <- ifelse(at$factor > 0, at$factor, Inf)
  z / rep(divisor, each = nrow(z)) + rep(at$center, each = nrow(z))
}

# The source of the same data `x` with another center and factor.
in_coordinates <- function(source, x, center, factor) {
  if (identical(factor, source$factor) && (source$sparse || identical(center, source$center))) return(source)
  lay_out(x, source$weights, center, factor, source[c("mean", "variance")])
}

# An error where the data of a later step on a fit, or the fit's landmarks, are so far from the center that
# squared distances overflow.
check_source_reach <- function(source, landmarks, arg, call) {
  center <- if (source$sparse) 0 else source$center
  far <- (source$mean - center)^2 + source$variance
  check_size(far * source$factor^2, source$dim[1], arg, call)
  check_reach(landmarks, source$center, source$factor, arg, call)
}

# The same dense data in another metric: each factor times the column's relevance, or NULL for none.
with_relevance <- function(source, relevance) {
  if (!is.null(relevance)) source$factor <- source$factor * relevance
  source
}

# How many numbers of 8 bytes a row takes in memory.
stored_columns <- function(source) {
  if (source$sparse) max(1, 1.5 * length(source$value) / max(1, source$dim[1])) else source$dim[2]
}

# ---- rows of a source -----------------------------------------------------------------

# Some rows by number, in that order, as a source.
rows_of <- function(source, rows) {
  if (source$sparse) {
    lengths <- diff(source$start)[rows]
    from <- source$start[rows]
    entries <- sequence(lengths, from + 1L)
    source$start <- c(0L, as.integer(cumsum(lengths)))
    source$column <- source$column[entries]
    source$value <- source$value[entries]
  } else {
    source$x <- dense_rows(source, rows)
  }
  source$dim <- c(length(rows), source$dim[2])
  if (!is.null(source$weights)) source$weights <- source$weights[rows]
  source
}

# How many rows have a weight above 0. Rows of weight 0 are not part of the kernel, and are never drawn.
source_rows <- function(source) {
  if (is.null(source$weights)) source$dim[1] else sum(source$weights > 0)
}

# The sum of the weights of all rows.
total_weight <- function(source) if (is.null(source$weights)) source$dim[1] else sum(source$weights)

# The weights of some rows, all 1 where the source has no weights.
weights_at <- function(source, rows) {
  if (is.null(source$weights)) rep(1, length(rows)) else source$weights[rows]
}

# `size` random rows, in ascending order; all rows where there are at most `size`.
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

# Up to `size` rows of weight above 0, evenly spaced in the data: no random numbers are drawn.
even_rows <- function(source, size) {
  evenly_spaced(if (is.null(source$weights)) seq_len(source$dim[1]) else which(source$weights > 0), size)
}

# Up to `size` of some rows, evenly spaced. The places are multiples of the golden ratio modulo 1, as equal
# steps could always meet the same kind of row where kinds of rows take turns in the data.
evenly_spaced <- function(rows, size) {
  n <- length(rows)
  if (n <= size) return(rows)
  rows[unique(sort(floor(n * weyl_sequence(seq_len(size))) + 1))]
}

weyl_sequence <- function(k) (k * (sqrt(5) - 1) / 2) %% 1

# About a `share` of `count` rows, evenly spaced: those whose own weyl_sequence() are below the share.
thinned_rows <- function(count, share) which(weyl_sequence(as.double(seq_len(count))) < share)

# Evenly spaced rows as a source; the source itself where all rows are taken.
sample_evenly <- function(source, size) {
  rows <- even_rows(source, size)
  if (length(rows) == source$dim[1]) source else rows_of(source, rows)
}

#' @rdname new_landmark_method
#' @export
rows_as_points <- function(source, rows) {
  check_given(source, "source")
  check_given(rows, "rows")
  check_that(inherits(source, "landmark_source"), source, "source",
    "the source that {.fn select_landmarks} is given", "selection"
  )
  # The length is asked for first: a long sequence takes no memory until its values are used.
  count <- source$dim[1]
  valid <- is_numbers(rows) && length(rows) <= 1e6 + 10 * count && !anyNA(rows) &&
    all(rows >= 1 & rows <= count)
  check_that(valid, rows, "rows", paste("row indices from 1 to", count), "selection")
  if (source$sparse) {
    part <- rows_of(source, rows)
    out <- matrix(0, length(rows), source$dim[2])
    column <- part$column + 1L
    # Entries of constant columns are 0 here.
    factor <- ifelse(source$factor > 0, source$factor, 1)
    out[cbind(rep.int(seq_along(rows), diff(part$start)), column)] <- part$value / factor[column]
    constant <- which(source$center != 0)
    out[, constant] <- rep(source$center[constant], each = length(rows))
  } else {
    out <- dense_rows(source, rows)
    storage.mode(out) <- "double"
  }
  dimnames(out) <- if (!is.null(source$names)) list(NULL, source$names)
  out
}
