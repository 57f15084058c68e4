# Gaps between neighboring landmarks: the line from one to the other leads through a region without data,
# as from one sheet of a roll to the next.

# A gap is where the middle of two landmarks is farther from its third nearest row than the typical distance
# between rows (the `spacing` of a fit), and farther than half the distance from the middle to either
# landmark. The nearest row is enough for data without noise, but single rows between two sheets of a roll
# hide the gap. Measured on noisy rolls (1,000 to 20,000 points, noise 0 to .8, sheets 6.3 apart): of 246
# graphs whose embedding stays folded, the rule with the third nearest row found 190, with the nearest 119,
# with the fifth 230. Of 63 graphs without an edge across a gap, it was wrong for 1 with the third, and for 32
# with the fifth.
gap_limits <- list(empty = 0.5, row = 3L, rows = 5000)

# How many nearest landmarks are examined for each: three times as many as a graph joins it to by default.
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

# Whether there is a gap between landmarks `low` and `high`, `size` apart. Where half their distance is at
# most the distance between rows, a gap cannot be recognized, and no row is examined.
are_gaps <- function(points, low, high, size, sampled, spacing, how) {
  out <- logical(length(low))
  k <- min(gap_limits$row, source_rows(sampled))
  long <- if (k > 0) which(size / 2 > spacing)
  for (some in point_blocks(length(long), ncol(points))) {
    e <- long[some]
    middle <- (points[low[e], , drop = FALSE] + points[high[e], , drop = FALSE]) / 2
    away <- .Call(C_nearest_rows, sampled, unname(middle), c(list(neighbors = k), how))$distance[k, ]
    out[e] <- away > pmax(spacing, gap_limits$empty * size[e] / 2)
  }
  out
}
