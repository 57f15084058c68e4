# Whether landmarks are on the data, and whether there is a gap in the data between two landmarks. Both
# compare distances with the `spacing` of a fit, a typical distance between rows.

# ---- landmarks on the data -----------------------------------------------------------

# A typical distance between rows, in kernel coordinates: of each of `size` rows the distance to the fifth
# nearest other row is taken, and the result is their 95% quantile. Rows that are equal count as one row.
# Otherwise data with many equal rows would have a spacing of 0.
#
# `source`: the data, or a sample of 5,000 rows where there are more. Neighbors are nearer in larger data, and
# with all rows fewer landmarks would be on the data the more rows there are. Rows are evenly spaced in the
# data rather than random, so that later random draws do not depend on them.
row_spacing <- function(source, kernel, how, size = 300) {
  at <- evenly_spaced(seq_len(source$dim[1]), size)
  weights <- if (is.null(source$weights)) rep(1, length(at)) else source$weights[at]
  different <- different_rows(source, how)
  different <- if (length(different) < source$dim[1]) rows_of(source, different) else source
  # The first nearest row is the row itself, so that the sixth is wanted. Of fewer rows the farthest is taken.
  k <- min(6L, source_rows(different))
  if (k == 0) return(0.05 * sqrt(kernel$bandwidth))
  settings <- c(list(neighbors = k), how)
  near <- lapply(point_blocks(length(at), source$dim[2]), function(some) {
    .Call(C_nearest_rows, different, rows_as_points(source, at[some]), settings)$distance[k, ]
  })
  # The spacing is at least a twentieth of the kernel's length, because the kernel hardly tells nearer points
  # apart. So it is above 0 where rows are equal up to rounding.
  max(weighted_quantile(unlist(near), weights, 0.95), 0.05 * sqrt(kernel$bandwidth))
}

# The quantile `p` of `x`: the least value such that values up to it have a share `p` of all weight.
weighted_quantile <- function(x, weights, p) {
  order <- order(x)
  below <- cumsum(weights[order])
  x[order][which(below >= p * below[length(below)] * (1 - 1e-12))[1]]
}

# Whether landmarks are on the data, by the distances to their nearest rows. Landmarks exactly at the limit
# are, as between the points of a grid: so there is a tolerance for rounding.
lies_on_data <- function(distance, spacing) distance <= spacing * (1 + 1e-9)

# A warning where most landmarks are off the data. `criterion`: the criterion by which they were moved, or
# NULL.
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

# ---- gaps between neighboring landmarks ----------------------------------------------
# There is a gap between two landmarks where the line from one to the other leads through a region without
# data, such as from one sheet of a roll to the next. An edge of a graph across it would be a shortcut.

# The rule: there is a gap where the third nearest row of the point in the middle is farther away than
# `spacing`, and farther than `empty` times the distance from the middle to either landmark. For data without
# noise the first nearest row would be enough, but a single row between two sheets would hide the gap.
# Measured on noisy rolls (1,000 to 20,000 points, noise 0 to .8, sheets 6.3 apart): of 246 graphs whose
# embedding stays folded, the rule with the third nearest row found 190, with the first 119, with the fifth
# 230. Of 63 graphs without an edge across a gap, it was wrong for 1 with the third, and for 32 with the
# fifth. `row`: which nearest row; `rows`: how many rows of the data are used.
gap_limits <- list(empty = 0.5, row = 3L, rows = 5000)

# The largest number of neighbors that a graph of n landmarks has by default. Theory says that a number in
# proportion to log n connects a random sample of a manifold of any dimension.
most_neighbors <- function(n) min(max(3L, as.integer(round(log(n)))), n - 1L)

# For how many nearest landmarks of each landmark gaps are searched: three times as many as a graph joins it
# to by default.
gap_neighbors <- function(n) min(3L * most_neighbors(n), n - 1L)

# The pairs of landmarks with a gap between them: an integer matrix of the columns `low` and `high`, a row for
# each pair. `sampled`: the data, or a sample of them.
find_gaps <- function(points, sampled, spacing, how) {
  n <- nrow(points)
  if (n < 2) return(cbind(low = integer(), high = integer()))
  pairs <- neighbor_pairs(unname(coordinates_of_kernel(points, sampled)), how)
  gap <- are_gaps(points, pairs$low, pairs$high, pairs$size, sampled, spacing, how)
  cbind(low = pairs$low[gap], high = pairs$high[gap])
}

# The pairs of each landmark with its gap_neighbors(n) nearest ones, each pair once: list(low, high, size),
# where `size` is the distance. `at`: the landmarks in kernel coordinates, n x d.
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

# Whether there is a gap between the landmarks of each pair. If half their distance is at most the spacing,
# the rule cannot find a gap, and no row is searched.
are_gaps <- function(points, low, high, size, sampled, spacing, how) {
  out <- logical(length(low))
  k <- min(gap_limits$row, source_rows(sampled))
  long <- if (k > 0) which(size / 2 > spacing)
  for (some in point_blocks(length(long), ncol(points))) {
    e <- long[some]
    middle <- (points[low[e], , drop = FALSE] + points[high[e], , drop = FALSE]) / 2
    away <- row_distance(middle, k, sampled, how)
    out[e] <- away > pmax(spacing, gap_limits$empty * size[e] / 2)
  }
  out
}

# The distance of each point from the row that is number `row` among those nearest to it; of fewer rows, from
# the farthest.
row_distance <- function(points, row, sampled, how) {
  k <- min(row, source_rows(sampled))
  .Call(C_nearest_rows, sampled, unname(points), c(list(neighbors = k), how))$distance[k, ]
}
