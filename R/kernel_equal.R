# Which rows are equal. Rows that rounding alone makes differ are equal: the same numbers in another unit, or
# after a rotation.

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

# Which rows of the source equal one of some points: their numbers.
rows_at <- function(source, points, how) which(squared_from(source, points, how) == 0)

# `rows` without those that equal a held landmark, which would add nothing.
rows_apart <- function(source, rows, held) {
  if (nrow(held) == 0) rows else rows[!rows %in% rows_at(source, held, compute_with())]
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
  if (source$sparse) return(are_equal_sparse(source, a, b))
  as.logical(unlist(lapply(point_blocks(length(a), source$dim[2]), function(some) {
    from <- rows_as_points(source, a[some])
    apart <- (from - rows_as_points(source, b[some])) * rep(source$factor, each = length(some))
    rowSums(apart^2) <= rounding_of(source, from)
  })))
}

# The same of sparse rows, without dense copies.
are_equal_sparse <- function(source, a, b) {
  count <- diff(source$start)
  equal <- count[a] == count[b]
  pair <- which(equal)
  entries <- function(rows) sequence(count[rows], source$start[rows] + 1L)
  of_a <- entries(a[pair])
  of_b <- entries(b[pair])
  apart <- abs(source$value[of_a] - source$value[of_b])
  other <- source$column[of_a] != source$column[of_b] |
    apart > 4 * .Machine$double.eps * abs(source$value[of_a])
  equal[rep(pair, count[a[pair]])[other]] <- FALSE
  equal
}
