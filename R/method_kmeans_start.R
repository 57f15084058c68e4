# Rows to start k-means from, by k-means++ (Arthur and Vassilvitskii, 2007, k-means++: The advantages of
# careful seeding, SODA, 1027-1035).

# The numbers of `n` rows, in the order drawn. The first row is drawn with probability proportional to its
# weight. Each further row is drawn with probability proportional to its odds: its weight times its squared
# distance to the nearest row drawn before it. Landmarks of `held` count as drawn before the first row. Rows
# of weight 0, and rows equal to an earlier one (up to rounding), have odds 0 and are never drawn. The result
# has fewer than `n` rows where no other row has odds above 0.
#
# Odds change with each row that is drawn, and a pass over all rows for each would take longer than k-means
# itself. So a block of candidates is drawn by the odds at the start of the block. Then each candidate in turn
# is taken with probability (odds now) / (odds at the start of the block). Odds only fall, so this is
# rejection sampling: the rows taken have exactly the distribution of drawing one by one. It needs distances
# among the candidates only, and one pass over all rows for each block.
#
# Every part keeps the odds of its rows. The functions seed_*() are steps on a part.
seed_plus_plus <- function(source, n, call = rlang::caller_env(), held = source_no_points(source)) {
  how <- compute_with(call)
  states <- part_states(source, seed_state)
  nearer <- function(points) {
    over_parts(source, seed_nearer, points, how, combine = max, states = states)
  }
  of_weights <- function() over_parts(source, seed_largest, combine = max, states = states)
  largest <- if (nrow(held)) nearer(held) else of_weights()
  rows <- integer()
  block <- 1L
  bar <- progress_start("Drawing starts", n)
  while (length(rows) < n && largest > 0) {
    drawn <- seed_draw(source, states, largest, block)
    candidates <- rows_of(source, drawn$row)
    at <- rows_as_points(candidates, seq_along(drawn$row))
    taken <- take_apart(candidates, at, drawn$odds, drawn$weight, how)
    rows <- c(rows, drawn$row[taken])
    progress_step(bar, sum(taken) - max(0, length(rows) - n))
    if (length(rows) >= n) break
    largest <- nearer(at[taken, , drop = FALSE])
    # The size of the next block depends on the rows so far and not on `n`: so the first rows are the same for
    # any `n`.
    block <- next_block(block, sum(taken))
  }
  rows[seq_len(min(n, length(rows)))]
}

# How many candidates the next block has, at least `least`, after a block of which so many were used.
next_block <- function(block, used, least = 1L) {
  if (used > 0.75 * block) block <- min(2L * block, 64L)
  if (used < 0.5 * block) block <- max(block %/% 2L, least)
  block
}

# The state of a part: weights, squared distances to the nearest point so far, and odds.
seed_state <- function(part) {
  weights <- part$weights %||% rep(1, part$dim[1])
  list(weights = weights, nearest = rep(Inf, part$dim[1]), odds = weights, first = part$first)
}

# Lowers the odds in a part for points that were taken. Returns its largest odds.
seed_nearer <- function(part, state, points, how) {
  state$nearest <- pmin(state$nearest, squared_from(part, points, how))
  state$odds <- state$weights * state$nearest
  seed_largest(part, state)
}

# The next three steps read only the state of a part.

# The largest odds of a part.
seed_largest <- function(part, state) max(state$odds, 0)

# The running sum of the odds is added to the state. Returns how many rows stand before the part, and the sum
# of its odds.
seed_sums <- function(part, state, largest) {
  # Odds are divided by the largest of all, so that their sum neither overflows nor underflows.
  state$below <- cumsum(state$odds / largest)
  n <- length(state$odds)
  c(state$first, if (n > 0) state$below[n] else 0)
}

# The candidates of this part, list(place, row, odds, weight): those whose `first` is that of the part.
# `place`: its number among all candidates.
seed_rows <- function(part, state, first, wanted) {
  mine <- if (length(state$odds) > 0) which(first == state$first) else integer()
  row <- rows_reached(state$below, wanted[mine])
  list(place = mine, row = state$first + row, odds = state$odds[row], weight = state$weights[row])
}

# The rows at which a running sum of odds reaches what is `wanted`.
rows_reached <- function(below, wanted) {
  row <- 1L + findInterval(wanted, below)
  # Through rounding `wanted` may be above the whole sum. Then the last row with odds above 0 is taken, which
  # is the first at which the running sum is largest.
  last <- row > length(below)
  if (any(last)) row[last] <- which.max(below)
  row
}

# `count` random rows, each with probability proportional to its odds, list(row, odds, weight). At least one
# row must have odds above 0. A random number is compared with the running sum of the odds in the order of the
# rows, so that the same number gives the same row for any number of parts.
seed_draw <- function(source, states, largest, count) {
  sums <- matrix(
    over_parts(source, seed_sums, largest, combine = cbind, states = states), nrow = 2
  )
  sums <- sums[, sums[2, ] > 0, drop = FALSE]
  below <- c(0, cumsum(sums[2, ]))
  drawn <- stats::runif(count) * below[length(below)]
  of <- findInterval(drawn, below, rightmost.closed = TRUE)
  found <- over_parts(source, seed_rows, sums[1, of], drawn - below[of],
    combine = function(a, b) Map(c, a, b), states = states
  )
  lapply(found[-1], function(v) v[order(found$place)])
}

# Whether each candidate is taken, a logical vector. `candidates` is a source, and `at` has its rows as
# points.
take_apart <- function(candidates, at, odds, weights, how) {
  between <- distances_to(candidates, at, how)
  limit <- stats::runif(nrow(at)) * odds
  # The odds of the first candidate have not fallen, and it is always taken, even if its odds are rounded to
  # 0.
  limit[1] <- 0
  taken <- logical(nrow(at))
  for (k in seq_len(nrow(at))) {
    taken[k] <- limit[k] < odds[k]
    if (taken[k]) odds <- pmin(odds, weights * between[, k])
  }
  taken
}
