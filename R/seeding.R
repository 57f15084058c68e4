# k-means++: rows to start k-means from (Arthur and Vassilvitskii, 2007, k-means++: The
# advantages of careful seeding, SODA, 1027-1035).

# Numbers of `n` rows, in the order drawn. The first comes with probability in proportion
# to the weights, each further one with weight times squared distance to the nearest
# before it; points that are held stand before all. Rows equal to one before (but for
# rounding) and rows of weight 0 are never drawn: where no others are left there are fewer
# than `n`.
seed_plus_plus <- function(source, n, call = rlang::caller_env(), held = source_no_points(source)) {
  how <- compute_with(call)
  weights <- source$weights %||% rep(1, source$dim[1])
  nearest <- rep(Inf, source$dim[1])
  odds <- weights
  approach <- function(point) {
    distance <- .Call(C_features, source, point, NULL, how)
    # A row equal to the point is off by the rounding of the point's own coordinates.
    rounding <- 4 * .Machine$double.eps * source$factor * (abs(source$center) + abs(point))
    distance[distance <= sum(rounding^2)] <- 0
    nearest <<- pmin(nearest, distance)
    odds <<- weights * nearest
  }
  for (k in seq_len(nrow(held))) approach(held[k, , drop = FALSE])
  rows <- integer()
  while (length(rows) < n && any(odds > 0)) {
    rows <- c(rows, draw_one(odds))
    approach(rows_as_points(source, rows[length(rows)]))
  }
  rows
}

# One index, with probability in proportion to `odds`, of which one at least is above 0.
draw_one <- function(odds) {
  # First by the largest: a sum of huge odds would overflow, of tiny ones have no digits.
  below <- cumsum(odds / max(odds))
  1L + sum(below <= stats::runif(1) * below[length(below)])
}
