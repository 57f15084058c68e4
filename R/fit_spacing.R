# Whether each landmark is on the data: at most as far from the nearest row as a typical distance between
# rows.

# A typical distance between rows: the 95% quantile, over a few hundred rows, of the
# distance to the fifth nearest other row, in kernel coordinates. Copies of a row count
# as one row; otherwise data with many copies would have the distance 0.
#
# `source`: the data, or a sample of 5,000 rows. The distance between neighbors shrinks as rows are added,
# and with all rows the rule would become stricter with more data. Rows are
# evenly spaced rather than random, so that later draws do not depend on them.
row_spacing <- function(source, bandwidth, how, looked = 300) {
  at <- evenly_spaced(seq_len(source$dim[1]), looked)
  weights <- if (is.null(source$weights)) rep(1, length(at)) else source$weights[at]
  different <- different_rows(source, how)
  different <- if (length(different) < source$dim[1]) rows_of(source, different) else source
  # The first nearest row is the row itself. With fewer rows than six the farthest is taken.
  k <- min(6L, source_rows(different))
  if (k == 0) return(0.05 * sqrt(bandwidth))
  settings <- c(list(neighbors = k), how)
  near <- lapply(point_blocks(length(at), source$dim[2]), function(some) {
    .Call(C_nearest_rows, different, rows_as_points(source, at[some]), settings)$distance[k, ]
  })
  # To the kernel a point within a twentieth of its width equals the row. This also covers rows that are
  # equal up to rounding.
  max(weighted_quantile(unlist(near), weights, 0.95), 0.05 * sqrt(bandwidth))
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
