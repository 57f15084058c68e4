# How landmarks lie: whether each is on the data, that is no farther from the nearest row
# than rows are from each other.

# How far rows are from each other: the 95 % quantile, over a few hundred rows, of the
# distance to the fifth nearest other row, in kernel coordinates. Copies of a row count
# as one row, or data with many copies would have the distance 0.
#
# `source`: the data, of many rows a sample of 5,000. Otherwise the same landmarks would leave the
# data as rows are added, because neighbors come ever closer to each other. Rows are
# taken evenly, and not at random, so that no later draw depends on it.
row_spacing <- function(source, bandwidth, how, looked = 300) {
  at <- evenly_spaced(seq_len(source$dim[1]), looked)
  weights <- if (is.null(source$weights)) rep(1, length(at)) else source$weights[at]
  different <- rows_of(source, different_rows(source, how))
  # A row itself comes first. Of fewer rows the farthest is taken.
  k <- min(6L, different$dim[1])
  near <- lapply(point_blocks(length(at), source$dim[2]), function(some) {
    .Call(C_nearest_rows, different, rows_as_points(source, at[some]), k, how)$distance[k, ]
  })
  # To the kernel a point within a twentieth of its width is the row itself, also where rows are
  # copies of each other but for rounding.
  max(weighted_quantile(unlist(near), weights, 0.95), 0.05 * sqrt(bandwidth))
}

# The first of each set of rows that are the same. Such rows are equally far from any point, and
# others are hardly ever equally far from a point that has no rule.
different_rows <- function(source, how) {
  columns <- seq_len(source$dim[2])
  point <- matrix(source$mean + sqrt(source$variance) * cos(columns^2), 1)
  squared <- .Call(C_features, source, point, NULL, how)
  which(!duplicated(signif(as.vector(squared), 12)))
}

# The least value that has a share `p` of all weight at or below it.
weighted_quantile <- function(x, weights, p) {
  order <- order(x)
  below <- cumsum(weights[order])
  x[order][which(below >= p * below[length(below)] * (1 - 1e-12))[1]]
}

# Rows at exactly the limit, as in a grid, are on the data whatever the rounding.
lies_on_data <- function(distance, spacing) distance <= spacing * (1 + 1e-9)

# Landmarks that mostly lie where no data are stand for nothing. `criterion`: what they were
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
