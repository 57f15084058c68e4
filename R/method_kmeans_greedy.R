# Rows to start k-means from by greedy k-means++, which looks several times before it takes a row. Arthur and
# Vassilvitskii (2007, section 7) recommend it without a proof.

# The numbers of `n` rows, in the order taken. The first is drawn as by seed_plus_plus(). For each further one
# 2 + log(n) candidates are drawn by the odds of k-means++, and the one is taken that leaves the smallest sum
# over all rows of weight times squared distance to the nearest row taken. `source` is small: it is passed
# once for about 64 candidates. The result has fewer than `n` rows where no other row has odds above 0.
#
# Candidates are drawn and thinned in blocks, as in seed_plus_plus(), so that those of each row are drawn by
# the odds that hold when it is taken.
seed_greedy <- function(source, n, call = rlang::caller_env(), held = source_no_points(source)) {
  how <- compute_with(call)
  weights <- source$weights %||% rep(1, source$dim[1])
  nearest <- if (nrow(held)) squared_from(source, held, how) else rep(Inf, source$dim[1])
  tries <- 2L + as.integer(log(n))
  rows <- integer()
  block <- tries
  while (length(rows) < n) {
    # The first row has no distances yet, and all rows are as good.
    is_first <- !is.finite(nearest[1])
    odds <- if (is_first) weights else weights * nearest
    if (!any(odds > 0)) break
    drawn <- draw_by(odds, if (is_first) 1L else block)
    to <- distances_to(source, rows_as_points(source, drawn), how)
    found <- take_best(to, drawn, odds, weights, nearest, if (is_first) 1L else tries, n - length(rows))
    rows <- c(rows, drawn[found$taken])
    nearest <- found$nearest
    block <- next_block(block, length(found$taken) * tries, tries)
  }
  rows
}

# Goes through the candidates, with distances `to` them, drawn by `odds`: list(taken, nearest). A candidate
# counts with probability (odds now) / (odds when drawn). Of each `tries` that count, the best is taken: list
# its place, at most `most` of them, and the distances to the nearest row are lowered.
take_best <- function(to, drawn, odds, weights, nearest, tries, most) {
  chance <- stats::runif(length(drawn))
  then <- now <- odds[drawn]
  taken <- group <- integer()
  for (k in seq_along(drawn)) {
    if (chance[k] < now[k] / then[k]) group <- c(group, k)
    if (length(group) < tries) next
    lower <- pmin(to[, group, drop = FALSE], nearest)
    best <- which.min(crossprod(lower, weights))
    taken <- c(taken, group[best])
    nearest <- lower[, best]
    now <- weights[drawn] * nearest[drawn]
    group <- integer()
    if (length(taken) == most) break
  }
  list(taken = taken, nearest = nearest)
}
