# Edges of a landmark graph that lead from one sheet of a manifold to another.

# An edge is looked at where it is longer than its ends are from their second nearest neighbours,
# so many times; and it is a shortcut where the way round is longer than it, so many times.
# On Swiss rolls with 1,000 landmarks by k-means exactly the edges that crossed were found; with 200 landmarks
# from a few of them to all, and hardly any other. Across, the way round was 7 to 12 times as long; on one sheet 4 at the most.
shortcut_limits <- c(longer = 1.5, round = 5)

# Which of the edges are shortcuts; `at` is d x n, in kernel coordinates.
are_shortcuts <- function(at, low, high) {
  size <- sqrt(colSums((at[, low, drop = FALSE] - at[, high, drop = FALSE])^2))
  # In one place, but with different covariances: such edges lead nowhere else.
  apart <- which(size > 0)
  ordered <- apart[order(size[apart])]
  out <- logical(length(low))
  out[ordered] <- .Call(
    C_shortcuts, ncol(at), as.integer(low[ordered]), as.integer(high[ordered]), size[ordered], shortcut_limits
  )
  out
}

# The default number of neighbours at the most. A random sample of a manifold, of any dimension, is connected
# by a number in proportion to log n; more of them only reach farther.
most_neighbors <- function(n) min(max(3L, as.integer(round(log(n)))), n - 1L)

# Fewer where these make shortcuts, but three at the least and as many as leave no new pieces.
# `edges_of`: a function that gives the edges with so many neighbours.
default_neighbors <- function(at, edges_of) {
  most <- most_neighbors(ncol(at))
  fewer <- without_shortcuts(at, edges_of, most, min(3L, most))
  if (is.na(fewer)) most else fewer
}

# The largest number of neighbours from `least` to `most` that makes no shortcuts, and no more pieces than
# `most` does, or NA.
without_shortcuts <- function(at, edges_of, most, least) {
  pieces <- function(edges) max(.Call(C_pieces, ncol(at), edges$low, edges$high))
  before <- NULL
  for (k in most:least) {
    edges <- edges_of(k)
    before <- before %||% pieces(edges)
    if (pieces(edges) > before) return(NA_integer_)
    if (!any(are_shortcuts(at, edges$low, edges$high))) return(k)
  }
  NA_integer_
}

warn_shortcuts <- function(at, edges, neighbors, edges_of, distance, call) {
  count <- sum(are_shortcuts(at, edges$low, edges$high))
  if (count == 0) return(invisible())
  fewer <- without_shortcuts(at, edges_of, neighbors, 1L)
  more <- paste("Find more landmarks", if (distance == "euclidean") {
    ", or give {.arg x} and {.code distance = \"bhattacharyya\", covariance = \"full\"}"
  }, ".", sep = "")
  warn_user(c(
    "{count} of {length(edges$low)} edges of the landmarks' graph {?is a shortcut/are shortcuts} across a gap.",
    x = "They join landmarks that are far from each other by any other way, as two sheets of a roll are. An embedding cannot unroll them.",
    i = if (!is.na(fewer)) "With {.code neighbors = {fewer}} there is none." else more
  ), kind = "shortcuts", call = call)
}
