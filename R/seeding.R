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
#
# Every part keeps the odds of its rows.
seed_plus_plus <- function(source, n, call = rlang::caller_env(), held = source_no_points(source)) {
  how <- compute_with(call)
  states <- part_states(source, seed_state)
  nearer <- function(points) over_parts(source, seed_nearer, points, how, combine = max, states = states)
  of_weights <- function() over_parts(source, seed_largest, combine = max, states = states)
  largest <- if (nrow(held)) nearer(held) else of_weights()
  rows <- integer()
  block <- 1L
  while (length(rows) < n && largest > 0) {
    drawn <- seed_draw(source, states, largest, block)
    candidates <- rows_of(source, drawn$row)
    at <- rows_as_points(candidates, seq_along(drawn$row))
    taken <- take_apart(candidates, at, drawn$odds, drawn$weight, how)
    rows <- c(rows, drawn$row[taken])
    if (length(rows) >= n) break
    largest <- nearer(at[taken, , drop = FALSE])
    # The size of blocks follows from what came before, so that the first rows do not depend on `n`.
    if (sum(taken) > 0.75 * block) block <- min(2L * block, 64L)
    if (sum(taken) < 0.5 * block) block <- block %/% 2L
  }
  rows[seq_len(min(n, length(rows)))]
}

# What a part keeps: weights, squared distances to the nearest point so far, and odds.
seed_state <- function(part) {
  weights <- part$weights %||% rep(1, part$dim[1])
  list(weights = weights, nearest = rep(Inf, part$dim[1]), odds = weights, first = part$first)
}

# Points that were taken lower odds. The largest that is left.
seed_nearer <- function(part, state, points, how) {
  state$nearest <- pmin(state$nearest, squared_from(part, points, how))
  state$odds <- state$weights * state$nearest
  seed_largest(part, state)
}

# Steps that leave the part unread: the largest odds; what odds sum to up to each row; and of the rows up to
# which they sum to `wanted` those of this part, which begins after row `first`.
seed_largest <- function(part, state) max(state$odds, 0)

seed_sums <- function(part, state, largest) {
  # First by the largest: a sum of huge odds would overflow, of tiny ones have no digits.
  state$below <- cumsum(state$odds / largest)
  n <- length(state$odds)
  c(state$first, if (n > 0) state$below[n] else 0)
}

seed_rows <- function(part, state, first, wanted) {
  n <- length(state$odds)
  mine <- if (n > 0) which(first == state$first) else integer()
  row <- 1L + findInterval(wanted[mine], state$below)
  # Rounding may have led beyond the last row with odds, up to which the sum is the largest.
  if (any(row > n)) row[row > n] <- which.max(state$below)
  list(place = mine, row = state$first + row, odds = state$odds[row], weight = state$weights[row])
}

# So many rows, each with probability in proportion to its odds, of which one at least is above 0: list(row,
# odds, weight). A row's share of the odds lies where it stands among all rows, so that a number drawn means
# the same row in however many parts they are.
seed_draw <- function(source, states, largest, count) {
  sums <- matrix(over_parts(source, seed_sums, largest, combine = cbind, states = states), nrow = 2)
  sums <- sums[, sums[2, ] > 0, drop = FALSE]
  below <- c(0, cumsum(sums[2, ]))
  drawn <- stats::runif(count) * below[length(below)]
  of <- findInterval(drawn, below, rightmost.closed = TRUE)
  found <- over_parts(source, seed_rows, sums[1, of], drawn - below[of],
    combine = function(a, b) Map(c, a, b), states = states
  )
  lapply(found[-1], function(v) v[order(found$place)])
}

# Which candidates, a source of their own with the points `at`, are taken, one after another: a logical
# vector.
take_apart <- function(candidates, at, odds, weights, how) {
  between <- squared_distances(candidates, at, how)
  between[between <= rep(rounding_of(candidates, at), each = nrow(at))] <- 0
  limit <- stats::runif(nrow(at)) * odds
  # The odds of the first are as they were: it is taken, also where they round to 0.
  limit[1] <- 0
  taken <- logical(nrow(at))
  for (k in seq_len(nrow(at))) {
    taken[k] <- limit[k] < odds[k]
    if (taken[k]) odds <- pmin(odds, weights * between[, k])
  }
  taken
}

# Of every row of a part, the squared distance to the nearest of some points, 0 where it is one of them.
squared_from <- function(part, points, how) {
  near <- .Call(C_nearest_landmark, part, points, how)
  squared <- near$distance^2
  squared[squared <= rounding_of(part, points)[near$landmark]] <- 0
  squared
}

# What a row equal to a point may be off, squared: the rounding of the point's own coordinates.
rounding_of <- function(source, points) {
  size <- abs(points) + rep(abs(source$center), each = nrow(points))
  rowSums((4 * .Machine$double.eps * size * rep(source$factor, each = nrow(points)))^2)
}
