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
# `nearest` has the squared distance of each row to the nearest point so far.
seed_plus_plus <- function(source, n, call = rlang::caller_env(), held = source_no_points(source)) {
  how <- compute_with(call)
  weights <- source$weights %||% rep(1, source$dim[1])
  nearest <- if (nrow(held)) squared_from(source, held, how) else rep(Inf, source$dim[1])
  odds <- if (nrow(held)) weights * nearest else weights
  rows <- integer()
  block <- 1L
  bar <- progress_start("Drawing starts", n)
  while (length(rows) < n && any(odds > 0)) {
    drawn <- draw_by(odds, block)
    candidates <- rows_of(source, drawn)
    at <- rows_as_points(candidates, seq_along(drawn))
    taken <- take_apart(candidates, at, odds[drawn], weights[drawn], how)
    rows <- c(rows, drawn[taken])
    progress_step(bar, sum(taken) - max(0, length(rows) - n))
    if (length(rows) >= n) break
    nearest <- pmin(nearest, squared_from(source, at[taken, , drop = FALSE], how))
    odds <- weights * nearest
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

# `count` random rows, each with probability proportional to its odds, which are finite. At least one row must
# have odds above 0. Odds are divided by the largest, so that their sum neither overflows nor underflows.
draw_by <- function(odds, count) {
  below <- cumsum(odds / max(odds))
  rows_reached(below, stats::runif(count) * below[length(below)])
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
