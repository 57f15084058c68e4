# Rows as matrices, distances between rows and points, which rows are equal, and the covariances of near rows.
# `how` is what compute_with() returns.

# A matrix of no landmarks, with the columns of the data.
source_no_points <- function(source) matrix(0, 0, source$dim[2], dimnames = list(NULL, source$names))

# The rows of a source as a matrix: dense ones in the data's units, sparse ones in those of the kernel.
matrix_of <- function(part) {
  if (!part$sparse) return(part$x)
  Matrix::sparseMatrix(j = part$column, p = part$start, x = part$value, dims = part$dim, index1 = FALSE)
}

# The squared distances between the rows of a source and some points: a row for each row, a column for each
# point.
squared_distances <- function(source, points, how) {
  .Call(C_features, source, points, NULL, c(list(values = "squared distances"), how))
}

# The landmark nearest to each row, by number, and its distance: list(landmark, distance).
nearest_landmark <- function(source, landmarks, how) .Call(C_nearest_landmark, source, landmarks, how)

# The k rows nearest to each point, nearest first: list(observation, distance), matrices with a column for
# each point. Fewer where there are fewer rows of weight above 0.
nearest_rows <- function(source, points, k, how) {
  k <- as.integer(min(k, source_rows(source)))
  .Call(C_nearest_rows, source, points, c(list(neighbors = k), how))
}

# The k nearest other rows of each row: list(row, distance), matrices with a column for each row. `points`:
# the rows of the source as points. Of the k + 1 nearest rows the row itself is left out. If more than k other
# rows equal it, it may not be among them, and the last one is left out.
nearest_others <- function(source, points, k, call) {
  near <- .Call(C_nearest_rows, source, points, c(list(neighbors = as.integer(k + 1)), compute_with(call)))
  extra <- near$observation == col(near$observation)
  extra[k + 1, colSums(extra) == 0] <- TRUE
  list(row = matrix(near$observation[!extra], k), distance = matrix(near$distance[!extra], k))
}

# Squared distances rounded to 30 binary digits, so that distances that differ by rounding alone are equal.
# The core compares distances in the same way.
nearest_digits <- function(squared) {
  size <- 2^(29 - floor(log2(ifelse(squared > 0 & is.finite(squared), squared, 1))))
  ifelse(is.finite(squared), floor(squared * size + 0.5) / size, squared)
}

# ---- equal rows ----------------------------------------------------------------------
# Rows that rounding alone makes differ are equal: the same numbers in another unit, or after a rotation.

# The largest squared distance that rounding may give between each point and a row that equals it.
rounding_of <- function(source, points) {
  size <- abs(points) + rep(abs(source$center), each = nrow(points))
  rowSums((4 * .Machine$double.eps * size * rep(source$factor, each = nrow(points)))^2)
}

# The squared distance of every row to the nearest of some points, exactly 0 if both are equal.
squared_from <- function(source, points, how) {
  near <- nearest_landmark(source, points, how)
  squared <- near$distance^2
  squared[squared <= rounding_of(source, points)[near$landmark]] <- 0
  squared
}

# The squared distances of all rows to some points, a column for each, exactly 0 likewise.
distances_to <- function(source, points, how) {
  to <- squared_distances(source, points, how)
  least <- rounding_of(source, points)
  few <- which(to <= max(least))
  to[few[to[few] <= least[(few - 1L) %/% nrow(to) + 1L]]] <- 0
  to
}

# `rows` without those that equal a held landmark, which would add nothing.
rows_apart <- function(source, rows, held) {
  if (nrow(held) == 0) rows else rows[squared_from(source, held, compute_with())[rows] > 0]
}

# The numbers of the rows of a source without those that equal an earlier row. Equal rows are next
# to each other in the order of their distances from one arbitrary point, so that few rows are compared.
different_rows <- function(source, how) {
  if (source$dim[1] < 2) return(seq_len(source$dim[1]))
  point <- point_beside(source, how)
  squared <- as.vector(squared_distances(source, point, how))
  order <- order(squared)
  sorted <- squared[order][-1]
  # How much rounding of the rows, and of the distances, may change a squared distance.
  rounding <- 4 * sqrt(rounding_of(source, point) * sorted) + 1e-10 * sorted
  near <- which(diff(squared[order]) <= rounding)
  is_new <- rep(TRUE, length(order))
  is_new[near + 1] <- !are_equal(source, order[near], order[near + 1])
  which(!duplicated(cumsum(is_new)[order(order)]))
}

# A point as far from a typical row as this is from others, in a direction in which hardly any two rows are
# equally far: not even those of a grid.
point_beside <- function(source, how) {
  some <- rows_of(source, evenly_spaced(seq_len(source$dim[1]), 25))
  at <- rows_as_points(some, seq_len(some$dim[1]))
  away <- apply(squared_distances(some, at, how), 2, stats::median)
  typical <- which.min(away)
  size <- if (any(away > 0)) sqrt(max(away[typical], min(away[away > 0])) / ncol(at)) else 1
  unit <- ifelse(source$factor > 0, 1 / source$factor, 0)
  at[typical, , drop = FALSE] + size * cos(seq_len(ncol(at))^2) * unit
}

# Whether rows `a` equal rows `b` of a source, one by one.
are_equal <- function(source, a, b) {
  if (source$sparse) {
    rows <- matrix_of(rows_of(source, a))
    apart <- abs(rows - matrix_of(rows_of(source, b)))
    return(Matrix::rowSums(apart > 4 * .Machine$double.eps * abs(rows)) == 0)
  }
  as.logical(unlist(lapply(point_blocks(length(a), source$dim[2]), function(some) {
    from <- rows_as_points(source, a[some])
    apart <- (from - rows_as_points(source, b[some])) * rep(source$factor, each = length(some))
    rowSums(apart^2) <= rounding_of(source, from)
  })))
}

# ---- covariances ---------------------------------------------------------------------
# The local covariances of n landmarks say how the data lie around each. R and the core have them in one form:
# NULL (kind "none"), an n x d matrix of variances ("diagonal"), or a d x d x n array of covariances ("full").
# They are in kernel coordinates, except in a fit, which has them in the data's units for the user. Only
# in_data_units() and in_kernel_units() change the units.

covariance_kind <- function(covariance) {
  if (is.null(covariance)) "none" else if (length(dim(covariance)) == 3) "full" else "diagonal"
}

# The factors of the entries of covariances when columns are multiplied by `factor`.
squared_factor <- function(covariance, factor) {
  if (covariance_kind(covariance) == "diagonal") return(rep(factor^2, each = nrow(covariance)))
  as.vector(outer(factor, factor))
}

# Covariances of a fit in kernel coordinates.
in_kernel_units <- function(covariance, factor) covariance * squared_factor(covariance, factor)

# Covariances in kernel coordinates as a fit keeps them, with the names of the columns.
in_data_units <- function(covariance, source) {
  if (is.null(covariance)) return(NULL)
  by <- squared_factor(covariance, source$factor)
  covariance <- covariance / ifelse(by > 0, by, Inf)
  names <- source$names
  if (is.null(names)) return(covariance)
  dimnames(covariance) <- if (is.matrix(covariance)) list(NULL, names) else list(names, names, NULL)
  covariance
}

# The covariance of each set of rows, where a column of `near` has the row numbers of a set.
covariances_of <- function(source, near, full, how) {
  .Call(C_covariances, source, near, c(list(spread = if (full) "full" else "diagonal"), how))
}

# The memory of full covariances, with copies for a change of units or for adding to the diagonal.
check_covariance_memory <- function(n, d, call) {
  check_memory(24 * as.double(n) * d^2, "Full covariances of {n} landmark{?s} in {d} column{?s} need",
    "Use {.code covariance = \"diagonal\"}.", "covariance", call
  )
}

# Whether `v` has the form of the covariances of n landmarks. Whether each matrix is a covariance is checked
# by covariance_flaw(), which takes time, before a graph uses them.
are_fit_covariances <- function(v, n, d) {
  if (!is.numeric(v) || !all(is.finite(v))) return(FALSE)
  if (identical(dim(v), c(n, d))) return(all(v >= 0))
  identical(dim(v), c(d, d, n))
}
