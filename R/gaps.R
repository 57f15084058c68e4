# Gaps between neighboring landmarks: the line from one to the other leads through a region without data,
# as from one sheet of a roll to the next.

# A gap is where the middle of two landmarks is farther from its third nearest row than rows are from each
# other (the `spacing` of a fit), and farther than half the way from the middle to either. The nearest row
# would do for data without noise, but rows that stray between two sheets of a roll hide the gap. Of 246
# graphs of noisy rolls (1,000 to 20,000 points, noise 0 to .8 where sheets are 6.3 apart) whose embedding
# stays folded the third nearest row told 190, the nearest 119; of 63 graphs without an edge across it told 1.
# The fifth told 230, and 32 of the 63.
gap_limits <- list(empty = 0.5, row = 3L, rows = 5000)

# With each landmark so many of its nearest are looked at: three times as many as a graph joins it to by
# default.
gap_neighbors <- function(n) min(3L * most_neighbors(n), n - 1L)

# Pairs of a fit's landmarks with a gap between them: an integer matrix, `low` and `high`. `sampled`: the
# data, or a sample of them.
find_gaps <- function(points, sampled, spacing, how) {
  n <- nrow(points)
  if (n < 2) return(cbind(low = integer(), high = integer()))
  at <- (points - rep(sampled$center, each = n)) * rep(sampled$factor, each = n)
  pairs <- neighbor_pairs(unname(at), how)
  gap <- are_gaps(points, pairs$low, pairs$high, pairs$size, sampled, spacing, how)
  cbind(low = pairs$low[gap], high = pairs$high[gap])
}

# Each landmark and its gap_neighbors() nearest, `size` apart; each pair once. `at`: n x d, in kernel
# coordinates.
neighbor_pairs <- function(at, how) {
  n <- nrow(at)
  k <- gap_neighbors(n) + 1L
  near <- .Call(C_nearest_rows, as_source(at), at, c(list(neighbors = k), how))
  found <- as.vector(near$observation)
  own <- rep(seq_len(n), each = k)
  low <- pmin(found, own)
  high <- pmax(found, own)
  some <- which(low < high & !duplicated((high - 1) * n + low))
  list(low = low[some], high = high[some], size = near$distance[some])
}

# Whether there is a gap between landmarks `low` and `high`, `size` apart. Where half the way is no longer
# than rows are from each other a gap could not be told, and no row is looked at.
are_gaps <- function(points, low, high, size, sampled, spacing, how) {
  out <- logical(length(low))
  long <- which(size / 2 > spacing)
  for (some in point_blocks(length(long), ncol(points))) {
    e <- long[some]
    middle <- (points[low[e], , drop = FALSE] + points[high[e], , drop = FALSE]) / 2
    k <- min(gap_limits$row, sampled$dim[1])
    away <- .Call(C_nearest_rows, sampled, unname(middle), c(list(neighbors = k), how))$distance[k, ]
    out[e] <- away > pmax(spacing, gap_limits$empty * size[e] / 2)
  }
  out
}
