# The graph of landmarks that the rows of the data make: landmarks are neighbors where rows lie between them.

#' The graph of landmarks through the data
#'
#' By default [landmark_graph()] and [embed_landmarks()] join two landmarks where rows of the data lie between
#' them. A fit keeps this graph, so that no data are needed. Fifty landmarks unroll a Swiss roll of 5,000
#' points by it, where a graph of nearest neighbors needs about 100.
#'
#' \if{html}{\figure{graphs.png}{options: width=640 alt="Two graphs of fifty landmarks on a Swiss roll seen
#' from the side: nearest neighbors join its turns, the graph through the data follows the roll"}}
#'
#' The graph of nearest neighbors (`edges = "nearest"`, left) knows only the distances of landmarks. Where
#' landmarks are few, the nearest one is on the next turn. In the graph through the data (right) the rows say
#' who is a neighbor: no row lies between two turns. Use nearest neighbors, with the Bhattacharyya distance if
#' need be, to repeat Wachinger and Golland (2015), and where rows are fewer than five for each landmark, or
#' different ones fewer than four: then they are the default.
#'
#' @section Equations:
#' Row \eqn{i} has weights on the s landmarks nearest to it (`neighbors`, by default 3),
#' \deqn{w_{il} = \frac{1 + c - d_{il}^2 / d_i^2}{\sum_k (1 + c - d_{ik}^2 / d_i^2)},}{
#'   w_il = (1 + c - d_il^2 / d_i^2) / sum_k (1 + c - d_ik^2 / d_i^2),}
#' where \eqn{d_{il}}{d_il} is its distance from landmark \eqn{l}, \eqn{d_i} that from the next landmark
#' after these s, and c = 0.001. So a landmark's weight falls to nearly 0 where another one takes its place,
#' and coordinates of rows do not jump there. Landmarks l and m are joined by \eqn{K_{lm} = \sum_i w_{il}
#' w_{im}}{K_lm = sum_i w_il w_im}, where a row has both among its nearest, and \eqn{K_{lm} = \sum_i v_i
#' w_{il} w_{im}}{K_lm = sum_i v_i w_il w_im} for rows of weights \eqn{v_i}. With two nearest landmarks the
#' edges are those of Martinetz and Schulten (1994), a Delaunay triangulation along the data, and with weights
#' this is the anchor graph of Liu, He and Chang (2010), whose weights are Gaussian. A landmark without rows
#' is joined as rows in its place would be, as many as a landmark has on average. A landmark with few rows (a
#' quarter of the average) has no weight with itself, \eqn{K_{ll} = 0}{K_ll = 0}: otherwise one of the first
#' coordinates would tell an outlier from all others. At most 5,000
#' rows, or 50 for each landmark, make the graph, evenly spaced in the data: so the graph that a fit keeps is
#' the one of its data.
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
#' edges is at least three times as long. On rolls of 5,000 points,
#' six each, the mean rank correlation of the first coordinate with the roll's length was 1.00 with noise 0.3
#' and 50 landmarks, and with noise 0.6 it was 0.98, 0.54 and 0.98 with 50, 100 and 200 landmarks.
#'
#' Where suspect edges alone join two parts, these edges are kept, unless the parts are apart. An edge across
#' a gap counts as evidence that they are in two cases. All of its rows are near its ends: none is a third as
#' far from the nearer end as from the other, with so many rows that this is no accident (probability
#' \eqn{10^{-6}}{1e-6}). Or its middle is empty where as large a region around its ends has twenty rows each,
#' and the edge has no rows or both parts have five landmarks or more. Two circles of 3,000 points and 20
#' landmarks each are told apart where the gap between them is wider than the distance between neighboring
#' landmarks, about a third of the radius.
#'
#' @section How many nearest landmarks:
#' With two or three the graph follows folds and holes. Three by default, because coordinates are smoother: on
#' rolls of 5,000 points with 50 to 200 landmarks the first coordinate is as good as with two, and the second
#' is better.
#'
#' @section Parts:
#' Where no rows join two parts of the landmarks, a warning says so: the first coordinates only tell the parts
#' apart. `embed_landmarks(fit, component = 1)` embeds one part, and rows near other parts get NA.
#' `join = TRUE` joins all parts by the shortest gaps between them.
#'
#' @section Rows far away:
#' A row is far away if it is more than twice as far from the nearest landmark as any row that made the graph
#' was. It gets a mean of the coordinates of the landmarks nearest to it, which says little. A warning
#' (`landmarker_warning_far`) says how many there are, and `augment()` has `.novelty`.
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
#' graph <- landmark_graph(fit)
#' graph
#' # Of fifty landmarks one coordinate can be told: it follows the roll.
#' e <- embed_landmarks(graph, dims = 1)
#' abs(cor(predict(e, x), attr(x, "position")[, "length"], method = "spearman"))
#' # Edges with their witnesses: how many rows have their ends as the two nearest landmarks
#' head(tidy(graph))
#' @name graph-through-data
NULL

# ---- the graph ---------------------------------------------------------------------------

# What join_landmarks() returns: of the data that are given or, without data, what the fit keeps.
joined_rows_of <- function(fit, source, neighbors, call) {
  n <- nrow(fit$landmarks)
  if (n < 3) {
    abort_input(c(
      "{.code edges = \"data\"} needs a fit of at least three landmarks.", x = "{.arg fit} has {n}."
    ), arg = "fit", kind = "graph", call = call)
  }
  s <- check_count(neighbors %||% default_joined(n), "neighbors", min = 2, max = n - 1L, call = call)
  if (is.null(source)) {
    if (!is.null(fit$joined) && fit$joined$nearest == s) return(fit$joined)
    abort_no_rows(fit, s, call)
  }
  at <- coordinates_of_kernel(unname(fit$landmarks), fit)
  same <- anyDuplicated(at)
  if (same) abort_same(which(rowSums(at != rep(at[same, ], each = n)) == 0)[1], same, "place", call)
  found <- join_landmarks(
    fit$landmarks, sample_evenly(source, joined_rows(n)), s, fit$spacing, compute_with(call)
  )
  if (!is.null(fit$joined) && found$median > far_row * max(fit$joined$reach, fit$spacing)) {
    warn_user(c(
      "Most rows of {.arg x} are far from all landmarks: these seem to be other data than those of
       {.arg fit}.",
      i = "Check the units of {.arg x}."
    ), kind = "far", call = call)
  }
  found
}

# An error where the graph needs data that are not there.
abort_no_rows <- function(fit, s, call) {
  why <- if (!is.null(fit$joined)) {
    "{.arg fit} keeps the graph of {fit$joined$nearest} nearest landmarks of each row, not of {s}."
  } else if (!is.null(fit$response)) {
    "Landmarks that predict a response keep no graph."
  } else if (!is.null(fit$subset_of)) {
    "Some landmarks of a fit keep no graph: other landmarks would be the nearest ones."
  } else {
    "{.arg fit} keeps no graph."
  }
  abort_input(c(
    "{.code edges = \"data\"} needs the data, {.arg x}.",
    x = why,
    i = "Give the data that the fit was learned from, or {.code edges = \"nearest\"}."
  ), arg = "x", kind = "data", call = call)
}

# The graph through the data. `found`: what join_landmarks() returns.
data_graph <- function(fit, found, join, call) {
  edges <- as.data.frame(found[c("low", "high", "weight", "witnesses")])[!found$cut, ]
  cut <- cbind(low = found$low, high = found$high)[found$cut, , drop = FALSE]
  graph <- new_graph("data_graph", fit, edges, join, function() landmark_distances(fit, NULL, call), list(
    shortcuts = cut[0, , drop = FALSE], distance = "euclidean", edge_weights = "rows", sigma = NA_real_,
    neighbors = found$nearest, reach = NULL, covariance = NULL, own = found$own, cut = cut,
    span = found$reach
  ), compute_with(call))
  parts <- max(graph$components)
  if (parts > 1) {
    warn_user(c(
      "The data fall apart: no rows join the {parts} parts of the landmarks,
       {shown_sizes(graph$components)}.",
      i = "The first coordinates of an embedding only tell these parts apart.",
      i = "{.code embed_landmarks(fit, component = 1)} embeds one part, {.code join = TRUE} joins all by their
           shortest gaps."
    ), kind = c("components", "graph"), call = call)
  }
  graph
}

# Whether the graph is that through the data, where the user does not say: where there are data or the fit
# keeps it, with rows enough, and nothing is asked for that only nearest neighbors have. `supplied`: the names
# of the arguments; `rows`: how many rows are given, 0 for no data.
goes_through_data <- function(fit, supplied, rows) {
  if (!is.null(fit$covariance) || length(intersect(supplied, c("neighbors", of_nearest)))) return(FALSE)
  if (rows > 0) has_rows_between(rows, nrow(fit$landmarks)) else !is.null(fit$joined)
}

# The arguments of landmark_graph() that are those of nearest neighbors alone.
of_nearest <- c("radius", "distance", "edge_weights", "sigma", "covariance", "ridge")

# An error for these. `supplied`: names.
check_for_data_graph <- function(supplied, call) {
  wrong <- intersect(of_nearest, supplied)
  if (length(wrong) == 0) return(invisible())
  abort_input(c(
    "{.arg {wrong[1]}} must be left out with {.code edges = \"data\"}, whose weights come from the rows.",
    i = "It belongs to {.code edges = \"nearest\"}."
  ), arg = wrong[1], call = call)
}

# A row is far from all landmarks where it is this many times as far from the nearest one as any row that made
# the graph was, or as rows are from each other, if that is more (where each row has a landmark in its place).
far_row <- 2
