# Nearest-neighbor graphs: distances, edges, local covariances, shortcuts, and their errors and warnings.

#' Distances and weights in nearest-neighbor graphs
#'
#' Choice and computation of distances, local covariances and weights in [landmark_graph()] with
#' `edges = "nearest"`. The equations are on the page of that function.
#'
#' @section Number of neighbors:
#' A number proportional to \eqn{\log n}{log n} connects a random sample of a manifold. More neighbors
#' increase the risk of shortcuts, see [graph-shortcuts].
#'
#' @section Choice of distance:
#' If two sheets of a folded surface are about as close to each other as neighboring landmarks, Euclidean
#' nearest neighbors join the sheets. The Bhattacharyya distance between landmarks on different sheets is
#' large, because their local covariances extend along the sheets. `covariance = "full"` separates sheets
#' better than `"diagonal"`. For \eqn{C_i = C_j = s^2 I} the Bhattacharyya distance is \eqn{\|t_i - t_j\|^2 /
#' (8 s^2)}{||t_i - t_j||^2 / (8 s^2)}, proportional to the squared Euclidean distance.
#'
#' @section Local covariances:
#' The local covariance of a landmark is the unweighted [cov()] of its nearest rows of `x`. Their number is 3
#' N / n, so that each of the N rows belongs to about three neighborhoods, but at least 10, and at least d + 1
#' for full covariances. Without `x` the covariances of the fit (`fit$covariance`) are used.
#'
#' Local covariances are regularized, \eqn{C_i + \mathrm{ridge} \cdot \bar v I}{C_i + ridge * v I} with
#' \eqn{\bar v}{v} the mean variance over all landmarks and columns, because covariances of flat neighborhoods
#' or of few rows are singular. The default, `ridge = 0.001`, corresponds to 3% of the average standard
#' deviation. This suffices for accurate inverses and is small compared to the variation due to noise and
#' curvature.
#'
#' @section Sigma:
#' The default of `sigma` is half of the larger of
#' * the median over landmarks of the distance \eqn{\sqrt{D}}{sqrt(D)} to the `neighbors`-th nearest landmark,
#'   so that a typical neighbor of this rank has weight \eqn{e^{-2}}{e^-2};
#' * the largest distance from a landmark to its nearest landmark, so that each landmark has a neighbor of at
#'   least this weight.
#'
#' A warning is given if the second is more than five times the first: then no single `sigma` suits both dense
#' and sparse regions. Try `edge_weights = "binary"` or `distance = "bhattacharyya"`.
#'
#' @section Computation:
#' Time is proportional to \eqn{n^2 d}{n^2 d} (\eqn{n^2 d^3}{n^2 d^3} for full covariances), memory to
#' \eqn{n^2}{n^2} (plus \eqn{n d^2}{n d^2}).
#' @seealso [landmark_graph()], [graph-shortcuts], [by_dpp()] for landmarks with local covariances
#' @examples
#' set.seed(1)
#' x <- sim_swiss_roll(4000)
#' fit <- landmarks(x, 150, by_random(), bandwidth = 20)
#' # Shortcuts between sheets for two distances
#' euclidean <- suppressWarnings(landmark_graph(fit, x, neighbors = 8))
#' full <- landmark_graph(fit, x, neighbors = 8, distance = "bhattacharyya", covariance = "full")
#' c(euclidean = nrow(euclidean$shortcuts), full = nrow(full$shortcuts))
#' @name graph-distances
NULL

#' Shortcuts in a landmark graph
#'
#' A shortcut (short-circuit edge) joins two sheets of a folded manifold. An embedding of a graph with
#' shortcuts does not unfold the manifold. [landmark_graph()] detects shortcuts in nearest-neighbor graphs and
#' gives a warning (`landmarker_warning_shortcuts`).
#'
#' @section Definition:
#' An edge is classified as a shortcut if
#' * it crosses a gap in the data: the distance from its midpoint to the third nearest row is larger than the
#'   `spacing` of the fit (a typical distance between rows, see [print.landmarks]) and than a quarter of the
#'   length of the edge; and
#' * the shortest path between its ends along other edges, excluding shortcuts, is at least 5 times as long as
#'   the edge. An edge that is the only connection of two components is not a shortcut.
#'
#' Without `x`, only edges between a landmark and its \eqn{3 \log n}{3 log n} (at least 9) nearest landmarks
#' can be classified, because `fit$gaps` has the gaps of these edges only. With `x`, all edges are examined,
#' using at most 5,000 rows.
#'
#' @section Limitations:
#' Gaps narrower than the distance between rows cannot be detected, so noise between the sheets hides
#' shortcuts. In dense graphs (a large `radius`, or many `neighbors`) there may be so many shortcuts that the
#' ends of each are also connected by a short path along others; then none is detected.
#'
#' @section Remedies:
#' Use the graph through the data, the number of `neighbors` that the warning suggests, more landmarks, or
#' `distance = "bhattacharyya"` (see [graph-distances]).
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
#' # Fewer neighbors give fewer shortcuts, the graph through the data none
#' nrow(suppressWarnings(landmark_graph(fit, x, edges = "nearest"))$shortcuts)
#' nrow(landmark_graph(fit, x)$shortcuts)
#' @name graph-shortcuts
NULL

# The graph of nearest neighbors, or of all neighbors within a radius. `options`: list(neighbors, radius,
# distance, edge_weights, sigma, covariance, ridge).
nearest_graph <- function(fit, source, options, join, call) {
  control <- compute_with(call)
  spread <- if (options$distance == "bhattacharyya") graph_covariance(fit, source, options, call)
  squared <- landmark_distances(fit, spread, call)
  is_shortcut <- shortcut_finder(fit, source, control)
  in_radius <- !is.null(options$radius)
  found <- (if (in_radius) radius_edges else nearest_edges)(squared, options, is_shortcut, control, call)
  edges <- found$edges
  sigma <- found$sigma
  alone <- setdiff(seq_len(nrow(squared)), c(edges$low, edges$high))
  check_that(length(alone) == 0, sigma, "sigma", "large enough for each landmark to have a neighbor", "graph",
    call, "Increase it, or use {.code edge_weights = \"binary\"}, which needs no {.arg sigma}.",
    "It is {sigma}: all weights of {first_of_landmarks(alone)} are 0."
  )
  if (!is.na(sigma) && !is.finite(1 / (2 * sigma^2))) abort_square(sigma, "sigma", call)
  crossing <- is_shortcut(edges$low, edges$high)
  class <- if (in_radius) "radius_graph" else "nearest_graph"
  graph <- new_graph(class, fit, edges, join, squared, found$connect(), c(list(
    shortcuts = cbind(low = edges$low[crossing], high = edges$high[crossing]),
    distance = options$distance, edge_weights = options$edge_weights, covariance = spread
  ), found[c("sigma", "neighbors", "reach", if (in_radius) "radius")]), call)
  if (any(crossing)) {
    warn_user(c(
      "{sum(crossing)} of {length(crossing)} edges {cli::qty(sum(crossing))}{?is a shortcut/are shortcuts}
       across a gap.",
      x = "Shortcuts join landmarks that are far apart along other edges, so the embedding may be folded.",
      i = found$unfold(crossing)
    ), kind = "shortcuts", call = call)
  }
  graph
}

# list(edges, sigma, neighbors, reach, connect, unfold): the edges of a graph, each once with low < high. Two
# functions say what to do: connect() about several components, unfold(crossing) about shortcuts.
nearest_edges <- function(squared, options, is_shortcut, control, call) {
  n <- nrow(squared)
  near <- nearest_landmarks(squared, options$neighbors %||% gap_neighbors(n), control, with_ties = TRUE)
  check_distances(near, options$distance, call)
  edges_of <- once_each(function(k) find_edges(near, k, options, control))
  parts_of <- function(k) max(components_of(edges_of(k), n, control))
  # The default is the smallest number, from two on, that connects the landmarks. If none up to three times
  # log(n) does, the data fall apart, and it is log(n). More neighbors only join what is connected, and may be
  # shortcuts.
  neighbors <- options$neighbors %||%
    Find(function(k) parts_of(k) == 1, min(2L, gap_neighbors(n)):gap_neighbors(n)) %||% most_neighbors(n)
  edges <- edges_of(neighbors)
  heat <- options$edge_weights == "heat"
  if (heat && is.null(options$sigma)) warn_outlying(near, neighbors, edges$sigma, control, call)
  connect <- function() {
    if (n > 5000) return("More {.arg neighbors} may connect it.")
    # Two landmarks have an edge if one of them is among the k nearest of the other: the smallest k is the
    # longest edge of the shortest tree by these ranks.
    ranks <- apply(replace(squared, cbind(seq_len(n), seq_len(n)), Inf), 2, rank, ties.method = "min")
    ranks <- pmin(ranks, t(ranks))
    if (heat && !is.null(options$sigma)) ranks[exp(squared / (-2 * options$sigma^2)) == 0] <- n
    least <- longest_of_tree(ranks)
    if (least == n) return("Use a larger {.arg sigma}: the weights of further neighbors are 0.")
    paste0("{.code neighbors = ", least, "} is the smallest number that connects it.")
  }
  unfold <- function(crossing) {
    falls_apart <- function(k) parts_of(k) > parts_of(neighbors)
    crosses <- function(k) any(is_shortcut(edges_of(k)$low, edges_of(k)$high))
    fewer <- Find(function(k) falls_apart(k) || !crosses(k), neighbors:1)
    if (is.null(fewer) || falls_apart(fewer)) return("Use more landmarks.")
    paste0("Use {.code neighbors = ", fewer, "}, which gives no shortcuts.")
  }
  list(
    edges = as.data.frame(edges[c("low", "high", "weight")]), sigma = edges$sigma, neighbors = neighbors,
    reach = near$distance[neighbors, ], connect = connect, unfold = unfold
  )
}

# The longest edge of the shortest tree that joins all landmarks. `distances`: n x n.
longest_of_tree <- function(distances) max(stats::hclust(stats::as.dist(distances), "single")$height)

# The same for all neighbors within a radius.
radius_edges <- function(squared, options, is_shortcut, control, call) {
  radius <- options$radius
  # Distances of the radius itself are within it, up to rounding: those of a grid, for example.
  reach <- radius^2 * (1 + 1e-12)
  near <- nearest_landmarks(squared, 1L, control)
  check_distances(near, options$distance, call)
  connecting <- function() rounded_up(longest_of_tree(sqrt(squared)))
  check_that(all(near$distance[1, ] <= reach), radius, "radius",
    "large enough for each landmark to have a neighbor", "graph", call, remedy = paste0(
      "The smallest such radius is ", rounded_up(sqrt(max(near$distance[1, ]))),
      ". For a connected graph it is ", connecting(), "."
    )
  )
  heat <- options$edge_weights == "heat"
  # The last of the neighbors then has weight e^-2, as by default in a graph of nearest neighbors.
  sigma <- if (heat) options$sigma %||% (radius / 2) else NA_real_
  at <- which(squared <= reach & upper.tri(squared), arr.ind = TRUE)
  weight <- if (heat) exp(squared[at] / (-2 * sigma^2)) else rep(1, nrow(at))
  edges <- data.frame(low = at[, 1], high = at[, 2], weight = weight)[weight > 0, ]
  unfold <- function(crossing) {
    shortest <- min(sqrt(squared[cbind(edges$low, edges$high)[crossing, , drop = FALSE]]))
    length <- format(shortest, digits = 4)
    paste0("The shortest has length ", length, ": use a smaller {.arg radius}, or more landmarks.")
  }
  # A new point has its two nearest landmarks as neighbors, and all that have it within the radius.
  list(
    edges = edges, sigma = sigma, neighbors = 1L, reach = rep(reach, nrow(squared)), radius = radius,
    connect = function() paste0("{.code radius = ", connecting(), "} connects it."), unfold = unfold
  )
}

# A number of four digits that is at least `v`.
rounded_up <- function(v) {
  step <- 10^(floor(log10(v)) - 3)
  format(ceiling(v / step) * step, digits = 4)
}

# The k nearest other landmarks of each landmark, nearest first: list(landmark, distance), a column for each
# landmark. With `with_ties` the columns also have all landmarks that tie with the last of the k.
nearest_landmarks <- function(squared, k, control, with_ties = FALSE) {
  .Call(C_neighbors, squared, c(list(neighbors = as.integer(k), with_ties = with_ties), control))
}

# The default of sigma is the larger of two numbers: one for the median landmark, and one for the landmark
# that is farthest from all others.
default_sigmas <- function(near, k, control) .Call(C_sigmas, near, c(list(neighbors = k), control))

# list(low, high, weight, sigma): the edges of positive weight. `near` has the k nearest landmarks and those
# that tie with the last of them.
find_edges <- function(near, k, options, control) {
  heat <- options$edge_weights == "heat"
  sigma <- if (heat) options$sigma %||% max(default_sigmas(near, k, control)) else NA_real_
  settings <- list(neighbors = k, edge_weights = options$edge_weights, sigma = as.double(sigma))
  c(.Call(C_edges, near, c(settings, control)), list(sigma = sigma))
}

check_distances <- function(near, distance, call) {
  if (!all(is.finite(near$distance))) {
    abort_input(c(
      "Landmarks have values that are too large: squared distances overflow.", i = "Rescale the data."
    ), arg = "fit", kind = "graph", call = call)
  }
  same <- which(near$distance[1, ] == 0)
  what <- if (distance == "euclidean") "coordinates" else "coordinates and covariance"
  if (length(same)) abort_same(same[1], near$landmark[1, same[1]], what, call)
}

# A landmark far from all others makes the default of sigma so large that all weights are alike.
warn_outlying <- function(near, neighbors, sigma, control, call) {
  typical <- default_sigmas(near, neighbors, control)[1]
  if (sigma <= 5 * typical) return(invisible())
  far <- which.max(near$distance[1, ])
  warn_user(c(
    "The default of {.arg sigma} is determined by L{far}, which is far from all other landmarks.",
    x = "It is {format(sigma, digits = 3)}. For the median landmark it is {format(typical, digits = 3)}.",
    i = "Give {.arg sigma}, or drop this landmark: {.code fit[-{far}]}."
  ), kind = "graph", call = call)
}

# ---- local covariances -------------------------------------------------------------------

# The covariances of a graph with their ridge: those of the fit, or computed from `source`.
graph_covariance <- function(fit, source, options, call) {
  covariance <- if (!is.null(source)) {
    local_covariances(fit, source, options$covariance, call)
  } else {
    check_that(!is.null(fit$covariance), source, "x",
      "the training data unless {.arg fit} has covariances (see {.fn by_dpp})", "data", call
    )
    unname(fit$covariance) * squared_factor(fit$covariance, fit$factor)
  }
  diagonal <- if (covariance_kind(covariance) == "full") {
    which(slice.index(covariance, 1) == slice.index(covariance, 2))
  } else {
    seq_along(covariance)
  }
  # Without a ridge the covariance of a flat neighborhood (repeated rows, a constant column, points in a
  # plane) has no inverse.
  covariance[diagonal] <- covariance[diagonal] + options$ridge * mean(covariance[diagonal])
  covariance
}

# The covariance of the m rows nearest to each landmark. Rows of weight 0 are left out, and all others count
# the same, because a covariance describes the shape of a neighborhood and not its density.
local_covariances <- function(fit, source, kind, call) {
  rows <- source_rows(source)
  check_that(rows >= 2, rows, "x", "have at least two rows for a covariance", "data", call, found = NULL)
  n <- nrow(fit$landmarks)
  if (kind == "full") check_covariance_memory(n, source$dim[2], call)
  # Three times a landmark's share of the rows, so that each row belongs to about three neighborhoods, which
  # overlap. At least ten rows, because fewer give noisy variances, and for full covariances at least d + 1,
  # because fewer give a singular matrix for any data.
  least <- if (kind == "full") max(10, source$dim[2] + 1) else 10
  m <- min(max(ceiling(3 * rows / n), least), rows)
  control <- compute_with(call)
  near <- nearest_rows(source, fit$landmarks, m, control)$observation
  covariances_of(source, near, kind == "full", control)
}

# ---- shortcuts ---------------------------------------------------------------------------

# A function that returns which edges are shortcuts. An edge across a gap is a shortcut if the path along
# other edges is at least five times as long. On Swiss rolls it was 7 to 12 times as long for edges from sheet
# to sheet, and at most 4 times for edges on one sheet. `source` is the data, or NULL: then the gaps are those
# of the fit, and only pairs of landmarks that the fit examined can be shortcuts.
shortcut_finder <- function(fit, source, control) {
  n <- nrow(fit$landmarks)
  # The landmarks in kernel coordinates, d x n.
  at <- unname(t(fit$landmarks) - fit$center) * fit$factor
  pair_number <- function(low, high) (high - 1) * n + low
  if (is.null(source)) {
    # Some landmarks of a fit have other neighbors than those that the fit has examined.
    pairs <- if (is.null(fit$examined)) neighbor_pairs(t(at), control) else as.data.frame(fit$examined)
    examined <- pair_number(pairs$low, pairs$high)
    gaps <- pair_number(fit$gaps[, "low"], fit$gaps[, "high"])
  } else {
    source <- sample_evenly(source, gap_limits$rows)
  }
  function(low, high) {
    out <- logical(length(low))
    some <- if (is.null(source)) which(pair_number(low, high) %in% examined) else seq_along(low)
    low <- low[some]
    high <- high[some]
    size <- sqrt(colSums((at[, low, drop = FALSE] - at[, high, drop = FALSE])^2))
    gap <- if (is.null(source)) {
      pair_number(low, high) %in% gaps
    } else {
      are_gaps(fit$landmarks, low, high, size, source, fit$spacing, control)
    }
    out[some] <- is_shortcut(low, high, size, gap, n, 5, control)
    out
  }
}
