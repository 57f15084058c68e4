# Shortcuts: edges of a landmark graph from one sheet of a manifold to another, where the path along other
# edges is long.

# Returns a function that tells which edges are shortcuts: those across a gap for which the path along other edges
# is at least five times as long. On Swiss rolls it was 7 to 12 times as long between sheets, and at most 4 times on one
# sheet.
# `at`: d x n, in kernel coordinates. `source`: the data, or NULL. Then the gaps are those that the fit knows of, and
# edges between other landmarks are left unchecked.
shortcut_finder <- function(fit, at, source, call) {
  how <- compute_with(call)
  n <- ncol(at)
  pair_number <- function(low, high) (high - 1) * n + low
  if (is.null(source)) {
    pairs <- neighbor_pairs(t(at), how)
    known <- pair_number(pairs$low, pairs$high)
    gaps <- pair_number(fit$gaps[, "low"], fit$gaps[, "high"])
  } else {
    source <- sample_evenly(source, gap_limits$rows)
  }
  function(low, high) {
    size <- sqrt(colSums((at[, low, drop = FALSE] - at[, high, drop = FALSE])^2))
    gap <- if (is.null(source)) {
      pair_number(low, high) %in% gaps
    } else {
      are_gaps(fit$landmarks, low, high, size, source, fit$spacing, how)
    }
    # Landmarks in one place with different covariances: their edge has length 0.
    looked <- size > 0
    if (is.null(source)) looked <- looked & pair_number(low, high) %in% known
    # Edges across a gap come last; otherwise they would be each other's paths.
    ordered <- order(gap, size)
    ordered <- ordered[looked[ordered]]
    out <- logical(length(low))
    out[ordered] <- .Call(
      C_shortcuts, n, as.integer(low[ordered]), as.integer(high[ordered]), size[ordered], gap[ordered], 5
    )
    out
  }
}

# The largest default number of neighbors. A random sample of a manifold, of any dimension, is connected
# by a number in proportion to log n; more of them only reach farther.
most_neighbors <- function(n) min(max(3L, as.integer(round(log(n)))), n - 1L)

# The default number: fewer where these make shortcuts, but at least three and no new components.
# `edges_of`: a function that gives the edges with so many neighbors; `are_shortcuts`: by shortcut_finder().
default_neighbors <- function(n, edges_of, are_shortcuts) {
  most <- most_neighbors(n)
  fewer <- without_shortcuts(n, edges_of, are_shortcuts, most, min(3L, most))
  if (is.na(fewer)) most else fewer
}

# The largest number of neighbors from `least` to `most` that makes no shortcuts, and no more components than
# `most` does, or NA.
without_shortcuts <- function(n, edges_of, are_shortcuts, most, least) {
  pieces <- function(edges) max(.Call(C_pieces, n, edges$low, edges$high))
  before <- NULL
  for (k in most:least) {
    edges <- edges_of(k)
    before <- before %||% pieces(edges)
    if (pieces(edges) > before) return(NA_integer_)
    if (!any(are_shortcuts(edges$low, edges$high))) return(k)
  }
  NA_integer_
}

warn_shortcuts <- function(n, edges, neighbors, edges_of, are_shortcuts, call) {
  count <- sum(are_shortcuts(edges$low, edges$high))
  if (count == 0) return(invisible())
  fewer <- without_shortcuts(n, edges_of, are_shortcuts, neighbors, 1L)
  warn_user(c(
    "{count} of {length(edges$low)} edges of the landmarks' graph {?is a shortcut/are shortcuts} across a gap.",
    x = "They join landmarks that are far apart along all other edges, as on two sheets of a roll. An embedding of such a graph does not unroll the data.",
    i = if (!is.na(fewer)) "Use {.code neighbors = {fewer}}, which makes none." else "Use more landmarks."
  ), kind = "shortcuts", call = call)
}
