# k-means++: rows to start k-means from (Arthur and Vassilvitskii, 2007, k-means++: The
# advantages of careful seeding, SODA, 1027-1035).

# Numbers of `n` rows, in the order drawn. The first comes with probability in proportion
# to the weights, each further one with weight times squared distance to the nearest
# before it; points that are held stand before all. Rows equal to one before (but for
# rounding) and rows of weight 0 are never drawn: where no others are left there are fewer
# than `n`.
#
# A pass over all rows for each of them would take longer than k-means itself. So candidates are drawn
# in blocks by the odds as they stand, and one after another is taken with probability odds now / odds
# when it was drawn. As odds only fall this is rejection sampling: what is taken comes by the odds as they
# are then, exactly. Only distances among candidates are needed for it; all rows are looked at once a block.
seed_plus_plus <- function(source, n, call = rlang::caller_env(), held = source_no_points(source)) {
  how <- compute_with(call)
  weights <- source$weights %||% rep(1, source$dim[1])
  nearest <- if (nrow(held)) squared_from(source, held, how) else rep(Inf, source$dim[1])
  odds <- if (nrow(held)) weights * nearest else weights
  rows <- integer()
  block <- 1L
  while (length(rows) < n && any(odds > 0)) {
    drawn <- draw_by(odds, block)
    taken <- take_apart(source, drawn, odds[drawn], weights[drawn], how)
    rows <- c(rows, drawn[taken])
    if (length(rows) >= n) break
    nearest <- pmin(nearest, squared_from(source, rows_as_points(source, drawn[taken]), how))
    odds <- weights * nearest
    # The size of blocks follows from what came before, so that the first rows do not depend on `n`.
    if (sum(taken) > 0.75 * block) block <- min(2L * block, 64L)
    if (sum(taken) < 0.5 * block) block <- block %/% 2L
  }
  rows[seq_len(min(n, length(rows)))]
}

# Which candidates are taken, one after another: a logical vector.
take_apart <- function(source, drawn, odds, weights, how) {
  at <- rows_as_points(source, drawn)
  between <- .Call(C_features, rows_of(source, drawn), at, NULL, how)
  between[between <= rep(rounding_of(source, at), each = length(drawn))] <- 0
  limit <- stats::runif(length(drawn)) * odds
  # The odds of the first are as they were: it is taken, also where they round to 0.
  limit[1] <- 0
  taken <- logical(length(drawn))
  for (k in seq_along(drawn)) {
    taken[k] <- limit[k] < odds[k]
    if (taken[k]) odds <- pmin(odds, weights * between[, k])
  }
  taken
}

# Of every row, the squared distance to the nearest of some points, 0 where it is one of them.
squared_from <- function(source, points, how) {
  near <- .Call(C_nearest_landmark, source, points, how)
  squared <- near$distance^2
  squared[squared <= rounding_of(source, points)[near$landmark]] <- 0
  squared
}

# What a row equal to a point may be off, squared: the rounding of the point's own coordinates.
rounding_of <- function(source, points) {
  size <- abs(points) + rep(abs(source$center), each = nrow(points))
  rowSums((4 * .Machine$double.eps * size * rep(source$factor, each = nrow(points)))^2)
}

# So many indices, each with probability in proportion to `odds`, of which one at least is above 0.
draw_by <- function(odds, count) {
  # First by the largest: a sum of huge odds would overflow, of tiny ones have no digits.
  below <- cumsum(odds / max(odds))
  1L + findInterval(stats::runif(count) * below[length(below)], below)
}
