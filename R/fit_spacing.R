# Whether each landmark is on the data: at most as far from the nearest row as a typical distance between
# rows.

# A typical distance between rows: the 95% quantile, over a few hundred rows, of the
# distance to the fifth nearest other row, in kernel coordinates. Copies of a row count
# as one row; otherwise data with many copies would have the distance 0.
#
# `source`: the data, or a sample of 5,000 rows. The distance between neighbors shrinks as rows are added,
# and with all rows the rule would become stricter with more data. Rows are
# evenly spaced rather than random, so that later draws do not depend on them.
row_spacing <- function(source, kernel, how, looked = 300) {
  at <- evenly_spaced(seq_len(source$dim[1]), looked)
  weights <- if (is.null(source$weights)) rep(1, length(at)) else source$weights[at]
  different <- different_rows(source, how)
  different <- if (length(different) < source$dim[1]) rows_of(source, different) else source
  # The first nearest row is the row itself. With fewer rows than six the farthest is taken.
  k <- min(6L, source_rows(different))
  if (k == 0) return(0.05 * kernel_length(kernel))
  settings <- c(list(neighbors = k), how)
  near <- lapply(point_blocks(length(at), source$dim[2]), function(some) {
    .Call(C_nearest_rows, different, rows_as_points(source, at[some]), settings)$distance[k, ]
  })
  # To the kernel a point within a twentieth of its width equals the row. This also covers rows that are
  # equal up to rounding.
  max(weighted_quantile(unlist(near), weights, 0.95), 0.05 * kernel_length(kernel))
}

# The first of each set of rows that are the same. Equal rows are equally far from any point, and
# different rows almost never are from an arbitrary point.
different_rows <- function(source, how) {
  columns <- seq_len(source$dim[2])
  point <- matrix(source$mean + sqrt(source$variance) * cos(columns^2), 1)
  squared <- squared_distances(source, point, how)
  which(!duplicated(signif(as.vector(squared), 12)))
}

# The least value that has a share `p` of all weight at or below it.
weighted_quantile <- function(x, weights, p) {
  order <- order(x)
  below <- cumsum(weights[order])
  x[order][which(below >= p * below[length(below)] * (1 - 1e-12))[1]]
}

# A tolerance for rounding: landmarks exactly at the limit, as in a grid, are on the data.
lies_on_data <- function(distance, spacing) distance <= spacing * (1 + 1e-9)

# A warning where most landmarks are off the data. `criterion`: the one they were
# moved by, if any.
warn_off_data <- function(fit, call, criterion = fit$method$criterion) {
  n <- nrow(fit$landmarks)
  on <- sum(fit$on_data)
  if (2 * on >= n) return(invisible())
  narrower <- "a {.arg bandwidth} narrower than {signif(fit$bandwidth, 4)}"
  remedy <- if (identical(criterion, "volume")) {
    paste0(
      "Try {.code by_gp(criterion = \"trace\")}, whose landmarks stay close to the data, or ", narrower, "."
    )
  } else if (!is.null(criterion)) {
    paste0("Try more landmarks, or ", narrower, ".")
  } else {
    "Try more landmarks."
  }
  warn_user(c(
    if (on == 0) {
      "None of the landmarks is on the data."
    } else {
      "Only {on} of {n} landmarks {cli::qty(on)}{?is/are} on the data."
    },
    x = if (on == 0) "Each is farther from every row than rows are from each other.",
    x = if (on > 0) "The others are farther from every row than rows are from each other.",
    i = remedy,
    i = "Landmarks that are rows, as of {.fn by_dpp} and {.fn by_active}, are always on the data."
  ), kind = "off_data", call = call)
}

# The largest default number of neighbors. A number in proportion to log n connects a random sample of a
# manifold of any dimension.
most_neighbors <- function(n) min(max(3L, as.integer(round(log(n)))), n - 1L)

# ---- gaps between neighboring landmarks ----------------------------------------------
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
