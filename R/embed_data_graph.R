# The graph through the data: two landmarks are joined if rows lie between them.

#' The graph through the data
#'
#' The default graph of [landmark_graph()] and [embed_landmarks()] joins two landmarks if rows of the data lie
#' between them. It follows folded surfaces and holes with fewer landmarks than a nearest-neighbor graph
#' needs, because no rows lie between two sheets of a surface. A fit stores this graph.
#'
#' \if{html}{\figure{graphs.png}{options: width=640 alt="Two graphs of fifty landmarks on a Swiss roll seen
#' from the side: nearest neighbors join its turns, the graph through the data follows the roll"}}
#'
#' The figure shows a Swiss roll with 50 landmarks: nearest neighbors (left) join its turns, the graph through
#' the data (right) does not. A nearest-neighbor graph is used if there are fewer than five rows, or fewer
#' than four distinct rows, per landmark. To reproduce Wachinger and Golland (2015), use one with the
#' Bhattacharyya distance.
#'
#' @section Edge weights:
#' Row \eqn{i} is a weighted combination of its s nearest landmarks (`neighbors`, default 3), with weights
#' \deqn{w_{il} = \frac{1 + c - d_{il}^2 / d_i^2}{\sum_k (1 + c - d_{ik}^2 / d_i^2)},}{
#'   w_il = (1 + c - d_il^2 / d_i^2) / sum_k (1 + c - d_ik^2 / d_i^2),}
#' with \eqn{d_{il}}{d_il} the distance between row i and landmark l, \eqn{d_i} the distance between row i and
#' its (s + 1)-th nearest landmark, and c = 0.001. The weight of a landmark decreases to almost 0 before
#' another takes its place, so that coordinates of rows are nearly continuous. The edge weights are
#' \eqn{K_{lm} = \sum_i v_i w_{il} w_{im}}{K_lm = sum_i v_i w_il w_im} with case weights \eqn{v_i} (1 by
#' default), divided by the largest of them. This is an anchor graph (Liu, He and Chang, 2010). With s = 2 its
#' edges are those of competitive Hebbian learning (Martinetz and Schulten, 1994), a Delaunay triangulation
#' restricted to the data; the default of 3 gives smoother coordinates.
#'
#' At most 5,000 rows (or 50 per landmark, if that is more) are used, equally spaced in the data. A landmark
#' that is not among the s nearest of any row gets the edge weights of rows at its position, as many as there
#' are per landmark. A landmark whose row sum of \eqn{K} is below a quarter of the mean has
#' \eqn{K_{ll} = 0}{K_ll = 0}, so that no eigenvector only describes an outlier.
#'
#' @section Embedding:
#' The eigenvectors y solve the problem of [embed_landmarks()] with this \eqn{K}, including its diagonal. The
#' coordinates of a point x are
#' \deqn{y(x) = \sum_l w_l(x) y_l / \sqrt{1 - \lambda},}{y(x) = sum_l w_l(x) y_l / sqrt(1 - lambda),}
#' with the sum over the nearest landmark of x and those of its s nearest landmarks that have an edge to it.
#' The coordinates of a landmark are those of a point at its position.
#'
#' A row is far from the landmarks if its distance to the nearest one exceeds twice the `span` of the graph
#' (see [landmark_graph()]) and twice the `spacing` of the fit (see [print.landmarks]). Its coordinates are
#' unreliable; a warning (`landmarker_warning_far`) counts these rows.
#'
#' @section Removed edges:
#' Noise can join two sheets. An edge is suspect if it crosses a gap in the data (see [graph-shortcuts]), or
#' if its witnesses, the rows whose two nearest landmarks are its ends, are fewer than 5% of the rows that
#' have an end among their two nearest landmarks, for both ends. A suspect edge is removed if the shortest
#' path along the other edges is at least three times its length.
#'
#' If only suspect edges join two components, they are kept unless there is evidence that the components are
#' separate. An edge is such evidence if
#' * its witnesses are all near its ends: the largest ratio of the distances to the nearer and the farther end
#'   is below 1/3, and for a uniformly distributed ratio so small a maximum has probability below
#'   \eqn{10^{-6}}{1e-6}; or
#' * it crosses a gap and its midpoint is empty: farther from its third nearest row than either end is from
#'   its 20th. In addition, the edge has no witnesses or both components have at least five landmarks.
#'
#' The edges between the components are removed if at least one is such evidence and every one that crosses a
#' gap is.
#'
#' @section Components:
#' If the graph is disconnected, a warning gives the sizes of its components, and the first coordinates of an
#' eigenmap only separate these. `embed_landmarks(fit, component = 1)` embeds one component; rows near others
#' get `NA`. `join = TRUE` joins them by the shortest gaps, as layouts other than eigenmaps always do.
#' @references W. Liu, J. He and S.-F. Chang (2010). Large graph construction for scalable semi-supervised
#' learning. *International Conference on Machine Learning*.
#'
#' T. Martinetz and K. Schulten (1994). Topology representing networks. *Neural Networks* 7(3), 507-522.
#'
#' C. Wachinger and P. Golland (2015). Diverse landmark sampling from determinantal point processes for
#' scalable manifold learning. arXiv:1503.03506.
#' @seealso [landmark_graph()], [embed_landmarks()]
#' @examples
#' set.seed(1)
#' x <- sim_swiss_roll(2000)
#' fit <- landmarks(x, 50)
#' graph <- landmark_graph(fit)
#' graph
#' # The first coordinate is the position along the roll
#' e <- embed_landmarks(graph, dims = 1)
#' abs(cor(predict(e, x), attr(x, "position")[, "length"], method = "spearman"))
#' # `witnesses`: the number of rows whose two nearest landmarks are the ends of the edge
#' head(tidy(graph))
#' @name graph-through-data
NULL

# ---- the graph ---------------------------------------------------------------------------

# The result of join_landmarks(): for the data that are given or, without data, as the fit keeps it.
data_edges <- function(fit, source, neighbors, call) {
  n <- nrow(fit$landmarks)
  check_that(
    n >= 3, fit, "fit", "a fit of at least three landmarks with {.code edges = \"data\"}", "graph", call
  )
  s <- check_count(neighbors %||% default_joined(n), "neighbors", min = 2, max = n - 1L, call = call)
  kept <- fit$joined
  if (is.null(source)) {
    check_that(isTRUE(kept$nearest == s), source, "x",
      "the training data, because {.arg fit} stores no graph for {.code neighbors = {s}}", "data", call,
      remedy = "Give {.arg x}, or use {.code edges = \"nearest\"}."
    )
    return(kept)
  }
  at <- coordinates_of_kernel(unname(fit$landmarks), fit)
  same <- anyDuplicated(at)
  if (same) abort_same(which(rowSums(at != rep(at[same, ], each = n)) == 0)[1], same, "coordinates", call)
  found <- join_landmarks(
    fit$landmarks, sample_evenly(source, joined_rows(n)), s, fit$spacing, compute_with(call)
  )
  if (!is.null(kept) && found$median > far_row * max(kept$reach, fit$spacing)) {
    warn_user(c(
      "Most rows of {.arg x} are far from all landmarks.",
      i = "Is {.arg x} the training data of {.arg fit}, in the same units?"
    ), kind = "far", call = call)
  }
  found
}

# The graph through the data. `found`: what join_landmarks() returns.
data_graph <- function(fit, found, join, call) {
  edges <- as.data.frame(found[c("low", "high", "weight", "witnesses")])[!found$cut, ]
  cut <- cbind(low = found$low, high = found$high)[found$cut, , drop = FALSE]
  advice <- "The first coordinates of an eigenmap would only separate them. Use {.code component = 1} for one
             of them, or {.code join = TRUE} to join them by their shortest gaps."
  new_graph("data_graph", fit, edges, join, landmark_distances(fit, NULL, call), advice, list(
    shortcuts = cut[0, , drop = FALSE], distance = "euclidean", edge_weights = "rows", sigma = NA_real_,
    neighbors = found$nearest, reach = NULL, covariance = NULL, own = found$own, cut = cut,
    span = found$reach
  ), call)
}

# Whether the graph is that through the data, where the user does not say: where there are data or the fit
# keeps it, with rows enough, and nothing is asked for that only nearest neighbors have. `supplied`: the names
# of the arguments; `rows`: how many rows are given, 0 for no data.
goes_through_data <- function(fit, supplied, rows) {
  if (!is.null(fit$covariance) || any(c("neighbors", nearest_arguments) %in% supplied)) return(FALSE)
  if (rows > 0) has_rows_between(rows, nrow(fit$landmarks)) else !is.null(fit$joined)
}

# The arguments of landmark_graph() that are those of nearest neighbors alone.
nearest_arguments <- c("radius", "distance", "edge_weights", "sigma", "covariance", "ridge")

# A row is far from all landmarks where it is this many times as far from the nearest one as any row that made
# the graph was, or as rows are from each other, if that is more (where each row has a landmark in its place).
far_row <- 2
