# Gaps between neighbouring landmarks: the line from one to the other leads through a region without data,
# as from one sheet of a roll to the next.

# A gap is where the nearest row of the data is farther from the middle of two landmarks than rows are from
# each other, and farther than the share `empty` of the way from the middle to either. On Swiss rolls with
# 50 to 200 landmarks, between sheets the nearest row was at .45 to 1 of that way, with one in ten below .7; on one
# sheet at .2, with one in twenty above .3.
gap_limits <- list(empty = 0.6, rows = 5000)

# With each landmark so many of its nearest are looked at: three times as many as a graph joins it to by default.
gap_neighbors <- function(n) min(3L * most_neighbors(n), n - 1L)

# Pairs of a fit's landmarks with a gap between them: an integer matrix, `low` and `high`. `sampled`: the data,
# or a sample of them.
find_gaps <- function(points, sampled, spacing, how) {
  n <- nrow(points)
  if (n < 2) return(cbind(low = integer(), high = integer()))
  at <- (points - rep(sampled$center, each = n)) * rep(sampled$factor, each = n)
  pairs <- neighbor_pairs(unname(at), how)
  gap <- are_gaps(points, pairs$low, pairs$high, pairs$size, sampled, spacing, how)
  cbind(low = pairs$low[gap], high = pairs$high[gap])
}

# Each landmark and its gap_neighbors() nearest, `size` apart; each pair once. `at`: n x d, in kernel coordinates.
neighbor_pairs <- function(at, how) {
  n <- nrow(at)
  k <- gap_neighbors(n) + 1L
  near <- .Call(C_nearest_rows, as_source(at), at, k, how)
  found <- as.vector(near$observation)
  own <- rep(seq_len(n), each = k)
  low <- pmin(found, own)
  high <- pmax(found, own)
  some <- which(low < high & !duplicated((high - 1) * n + low))
  list(low = low[some], high = high[some], size = near$distance[some])
}

# Whether there is a gap between landmarks `low` and `high`, `size` apart. Where half the way is no longer than rows
# are from each other a gap could not be told, and no row is looked at.
are_gaps <- function(points, low, high, size, sampled, spacing, how) {
  out <- logical(length(low))
  long <- which(size / 2 > spacing)
  for (some in point_blocks(length(long), ncol(points))) {
    e <- long[some]
    middle <- (points[low[e], , drop = FALSE] + points[high[e], , drop = FALSE]) / 2
    away <- .Call(C_nearest_rows, sampled, unname(middle), 1L, how)$distance[1, ]
    out[e] <- away > pmax(spacing, gap_limits$empty * size[e] / 2)
  }
  out
}
