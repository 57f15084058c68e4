# The graph of landmarks that the rows of the data make: landmarks are neighbors where rows lie between them.

#' The graph of landmarks through the data
#'
#' `landmark_graph(fit, x, edges = "data")` joins two landmarks where rows of the data lie between them, and
#' `embed_landmarks(fit, x, edges = "data")` embeds this graph. It needs fewer landmarks than a graph of
#' nearest neighbors: 50 unroll a Swiss roll of 5,000 points, where nearest neighbors need about 200.
#'
#' @section Equations:
#' Row \eqn{i} has weights on the s landmarks nearest to it (`neighbors`, by default 2),
#' \deqn{w_{il} = \exp(-d_{il}^2 / d_i^2) / \sum_k \exp(-d_{ik}^2 / d_i^2),}{
#'   w_il = exp(-d_il^2 / d_i^2) / sum_k exp(-d_ik^2 / d_i^2),}
#' where \eqn{d_{il}}{d_il} is its distance from landmark \eqn{l}, and \eqn{d_i} that from the next landmark
#' after these s. Landmarks l and m are joined by \eqn{K_{lm} = \sum_i w_{il} w_{im}}{K_lm = sum_i w_il w_im},
#' where a row has both among its nearest. With two nearest landmarks the edges are those of Martinetz and
#' Schulten (1994), a Delaunay triangulation along the data, and with weights this is the anchor graph of
#' Liu, He and Chang (2010). A landmark without rows is joined as a row in its place would be.
#'
#' The coordinates of an embedding are the solutions y of the equation in [embed_landmarks()] with this K,
#' which has a diagonal of its own. Those of any point x are
#' \eqn{\sum_l w_l(x) y_l / \sqrt{1 - \lambda}}{sum_l w_l(x) y_l / sqrt(1 - lambda)}, over the landmark
#' nearest to x and those of its s nearest that are joined to this one. The coordinates of landmarks are these
#' at their own places.
#'
#' @section Edges that are cut:
#' Rows of noise make edges from one sheet of the data to another. An edge is suspect if it leads across a gap
#' in the data (see [graph-shortcuts]), or if the rows that have its ends as their two nearest landmarks are
#' fewer than a twentieth of those of either end. A suspect edge is cut if the shortest path along the other
#' edges is at least three times as long. An edge that alone connects two parts is kept. On 24 noisy rolls of
#' 5,000 points with 50 to 200 landmarks, the mean rank correlation of the first coordinate with the roll's
#' length was 0.96.
#'
#' @section How many nearest landmarks:
#' Two serve for pictures: the graph follows folds and holes. For features of a classifier, in ten dimensions
#' or more, three or four are better, because the coordinates are smoother.
#' @references T. Martinetz and K. Schulten (1994). Topology representing networks. *Neural Networks* 7(3),
#' 507-522.
#'
#' W. Liu, J. He and S.-F. Chang (2010). Large graph construction for scalable semi-supervised learning.
#' *International Conference on Machine Learning*.
#' @seealso [landmark_graph()], [embed_landmarks()]
#' @examples
#' set.seed(1)
#' x <- sim_swiss_roll(2000)
#' fit <- landmarks(x, 50)
#' graph <- landmark_graph(fit, x, edges = "data")
#' graph
#' e <- embed_landmarks(graph)
#' # The first coordinate follows the roll.
#' abs(cor(predict(e, x)[, 1], attr(x, "position")[, "length"], method = "spearman"))
#' @name graph-through-data
NULL

# The rules for edges that rows of noise make between two sheets: an edge with fewer `witnesses`, as a share
# of those of either end, is suspect, as is one across a gap in the data. A suspect edge is cut where the way
# along the other edges is at least `detour` times as long. On 24 noisy rolls of 5,000 points (noise .3 with
# 50 landmarks, .6 with 50, 100 and 200; sheets 6.3 apart) the mean rank correlation of the first coordinate
# with the length was .96; it was .86 with edges across a gap alone and the detour of shortcuts, and .94 with
# both and that detour. A share of .2 opens rings, and is worse for 100 landmarks.
false_edges <- list(witnesses = 0.05, detour = 3)

# list(edges, own, witnesses, cut): the edges, list(low, high, weight), each once; the weight of each landmark
# with itself; for each edge how many rows, by their weights, have its ends as their two nearest landmarks;
# and the edges that were cut, a matrix of `low` and `high`. The largest weight is 1. `source`: the data; `s`:
# how many nearest landmarks of a row it has weights on.
rows_graph <- function(fit, source, s, call) {
  how <- compute_with(call)
  points <- unname(fit$landmarks)
  n <- nrow(points)
  step <- function(part, points, settings) .Call(C_anchor_graph, part, points, settings)
  settings <- c(list(nearest = s), how)
  add <- function(a, b) Map(`+`, a, b)
  found <- over_parts(source, step, points, settings, combine = add)
  # A landmark without rows is joined as a row in its place would be.
  empty <- which(diag(found$joined) == 0)
  if (length(empty)) {
    own <- new_source(points[empty, , drop = FALSE], fit$center, fit$factor, "fit", call)
    found$joined <- found$joined + step(own, points, settings)$joined
  }
  at <- which(upper.tri(found$joined) & found$joined > 0, arr.ind = TRUE)
  low <- as.integer(at[, 1])
  high <- as.integer(at[, 2])
  witnesses <- found$witnesses[at]
  of_landmark <- rowSums(found$witnesses)
  weak <- witnesses < false_edges$witnesses * pmin(of_landmark[low], of_landmark[high])
  cut <- shortcut_finder(fit, source, call, false_edges$detour)(low, high, weak)
  weight <- found$joined[at]
  # The weight of an edge that is cut stays with its ends: the sums of rows are the masses of landmarks.
  lost <- matrix(0, n, n)
  lost[at[cut, , drop = FALSE]] <- weight[cut]
  own <- diag(found$joined) + rowSums(lost) + colSums(lost)
  largest <- max(weight, own)
  list(
    edges = list(low = low[!cut], high = high[!cut], weight = weight[!cut] / largest), own = own / largest,
    witnesses = witnesses[!cut], cut = cbind(low = low[cut], high = high[cut])
  )
}

# An error for arguments of landmark_graph() that are those of nearest neighbors. `given`: names.
check_for_rows_graph <- function(given, call) {
  others <- c("distance", "edge_weights", "sigma", "covariance", "ridge", "covariance_rows")
  wrong <- intersect(others, given)
  if (length(wrong) == 0) return(invisible())
  abort_input(c(
    "{.arg {wrong[1]}} must be left out with {.code edges = \"data\"}, whose weights come from the rows.",
    i = "It belongs to {.code edges = \"nearest\"}."
  ), arg = wrong[1], call = call)
}

# How many nearest landmarks a row joins, checked; at least one other landmark must be left.
check_joined <- function(neighbors, n, call) {
  if (n < 3) {
    abort_input(c(
      "{.code edges = \"data\"} needs a fit of at least three landmarks.", x = "{.arg fit} has {n}."
    ), arg = "fit", kind = "graph", call = call)
  }
  check_count(neighbors %||% 2L, "neighbors", min = 2, max = n - 1L, call = call)
}

check_rows_graph_memory <- function(n, call) {
  check_work(6 * as.double(n)^2, "The edges through the data of {n} landmarks need",
    "Make the graph of fewer landmarks, or with {.code edges = \"nearest\"}.", "fit", call
  )
}

# A warning where the rows leave the landmarks in several parts.
warn_apart <- function(components, call) {
  sizes <- component_sizes(components)
  if (length(sizes) == 1) return(invisible())
  warn_user(c(
    "The data fall apart: no rows join the {length(sizes)} parts of the landmarks, {shown_sizes(sizes)}.",
    i = "The first coordinates of an embedding only tell these parts apart.",
    i = "{.code edges = \"nearest\"} with enough {.arg neighbors} joins them by their distances."
  ), kind = "graph", call = call)
}

# The weight of each landmark with itself: 1, or in a graph through the data what its rows give it.
own_weights <- function(graph) graph$own %||% rep(1, nrow(graph$weights))

is_rows_graph <- function(graph) identical(graph$edge_weights, "rows")

# Coordinates of rows, old or new: the means of those of the landmarks near them. `basis`: n x dims.
rows_extension <- function(source, graph, basis, call) {
  fit <- graph$fit
  edges <- compressed(graph$weights)[c("start", "joined")]
  settings <- c(list(nearest = as.integer(graph$neighbors)), compute_with(call))
  step <- function(part, landmarks, edges, basis, settings) {
    .Call(C_anchor_extend, part, landmarks, edges, basis, settings)
  }
  over_parts(source, step, unname(fit$landmarks), edges, unname(basis), settings, combine = collect)
}

# The same at the places of the landmarks.
rows_extension_of_landmarks <- function(graph, basis, call) {
  fit <- graph$fit
  rows_extension(new_source(unname(fit$landmarks), fit$center, fit$factor, "fit", call), graph, basis, call)
}
