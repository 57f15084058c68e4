# Shortcuts: edges of a landmark graph from one sheet of a manifold to another, where the path along other
# edges is long.

#' Shortcuts in a graph of landmarks
#'
#' A shortcut is an edge of [landmark_graph()] from one sheet of a folded manifold to another. An embedding of
#' a graph with shortcuts does not unroll the sheets. This page says how shortcuts are found, and how well.
#'
#' @section Rule:
#' An edge counts as a shortcut if two conditions hold:
#'
#' * It leads across a gap in the data. The row that is third nearest to the middle of the edge is farther
#'   from it than the `spacing` of the fit, a typical distance between rows (see [print.landmarks]), and
#'   farther than a quarter of the edge's length.
#' * The shortest path between its ends along the other edges, shortcuts excepted, is at least 5 times as long
#'   as the edge. An edge that is the only connection of two parts of the graph is kept.
#'
#' The part `gaps` of a fit has the gaps between each landmark and its nearest ones, three times
#' \eqn{\log n}{log n} of them, rounded, and at least 9, for n landmarks. Only these edges are examined
#' without `x`. With `x` all edges are compared with the data. All rows of `x` count equally; of more than
#' 5,000 rows a sample is used.
#'
#' @section What to do:
#' A warning (`landmarker_warning_shortcuts`) says which `neighbors` gives no shortcut. Where no number does,
#' use more landmarks, or `distance = "bhattacharyya"` (see [graph-distances]).
#'
#' @section How well the rule works:
#' The rule cannot find a gap that is narrower than the distance between rows. On Swiss rolls of 1,000 to
#' 20,000 points with 50 to 400 landmarks and little noise, a warning was given for 100 of 107 embeddings
#' whose first coordinate did not follow the roll. With noise whose standard deviation was a twelfth and an
#' eighth of the distance between the sheets, it was given for 47 of 59 and for 43 of 80.
#'
#' Nor does it work in a dense graph. A large `radius`, or very many `neighbors`, make so many shortcuts that
#' a short path along others leads around each of them. Then there is no warning, although fewer edges bring
#' one.
#' @seealso [landmark_graph()], [embed_landmarks()]
#' @examples
#' set.seed(1)
#' x <- sim_swiss_roll(1000)
#' fit <- landmarks(x, 100, bandwidth = 20)
#' graph <- withCallingHandlers(
#'   landmark_graph(fit, x, neighbors = 8),
#'   landmarker_warning_shortcuts = function(w) {
#'     cat(conditionMessage(w), "\n")
#'     invokeRestart("muffleWarning")
#'   }
#' )
#' head(graph$shortcuts)
#' # The fewest neighbors that connect all landmarks make fewer, and the graph through the data none.
#' nrow(suppressWarnings(landmark_graph(fit, x, edges = "nearest"))$shortcuts)
#' nrow(landmark_graph(fit, x)$shortcuts)
#' @name graph-shortcuts
NULL

# A function that returns which edges are shortcuts. An edge across a gap is a shortcut if the path along
# other edges is at least five times as long. On Swiss rolls it was 7 to 12 times as long for edges from sheet
# to sheet, and at most 4 times for edges on one sheet. `source` is the data, or NULL: then the gaps are those
# of the fit, and only pairs of landmarks that the fit examined can be shortcuts.
shortcut_finder <- function(fit, source, call) {
  how <- compute_with(call)
  n <- nrow(fit$landmarks)
  # The landmarks in kernel coordinates, d x n.
  at <- unname(t(fit$landmarks) - fit$center) * fit$factor
  pair_number <- function(low, high) (high - 1) * n + low
  if (is.null(source)) {
    # Without a gap there is no shortcut.
    if (nrow(fit$gaps) == 0) return(function(low, high) logical(length(low)))
    # Some landmarks of a fit have other neighbors than those that the fit has examined.
    pairs <- if (is.null(fit$examined)) neighbor_pairs(t(at), how) else as.data.frame(fit$examined)
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
    examined <- if (is.null(source)) which(pair_number(low, high) %in% known) else seq_along(low)
    out <- logical(length(low))
    out[examined] <- leads_around(
      low[examined], high[examined], size[examined], gap[examined], n, 5, how
    )
    out
  }
}

# The default number of neighbors: the smallest, from two on, that connects the landmarks. Where none up to
# three times log(n) does, the data fall apart, and it is log(n). More neighbors only join what is connected,
# and may be shortcuts. `edges_of`: a function of the number of neighbors that returns the edges.
default_neighbors <- function(n, edges_of, how) {
  connects <- function(k) max(components_of(edges_of(k), n, how)) == 1
  most <- gap_neighbors(n)
  if (!connects(most)) return(most_neighbors(n))
  if (most < 3) most else bisect(1L, most, connects)
}

# The largest number of neighbors from `least` to `most` that makes no shortcuts, and no more components than
# `most` does, or NA.
without_shortcuts <- function(n, edges_of, shortcuts_of, most, least, how) {
  components <- function(k) max(components_of(edges_of(k), n, how))
  before <- components(most)
  for (k in most:least) {
    if (components(k) > before) return(NA_integer_)
    if (!any(shortcuts_of(k))) return(k)
  }
  NA_integer_
}

warn_shortcuts <- function(n, neighbors, edges_of, shortcuts_of, how, call) {
  crossing <- shortcuts_of(neighbors)
  if (!any(crossing)) return(invisible())
  fewer <- without_shortcuts(n, edges_of, shortcuts_of, neighbors, 1L, how)
  remedy <- if (is.na(fewer)) {
    "Use more landmarks."
  } else {
    paste0("Use {.code neighbors = ", fewer, "}, which gives none.")
  }
  warn_of_shortcuts(crossing, remedy, call)
}

# The warning. `crossing`: which edges are shortcuts; `remedy`: in words.
warn_of_shortcuts <- function(crossing, remedy, call) {
  warn_user(c(
    paste0(
      "{sum(crossing)} of {length(crossing)} edges of the landmarks' graph ",
      "{?is a shortcut/are shortcuts} across a gap."
    ),
    x = paste0(
      "They join landmarks that are far apart along the other edges, as on two sheets of a roll. ",
      "An embedding of such a graph may stay folded."
    ),
    i = remedy
  ), kind = "shortcuts", call = call)
}
