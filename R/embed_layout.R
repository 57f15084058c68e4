# Layouts of landmarks by Isomap, t-SNE and UMAP from the distances in their graph.

#' Layouts of landmarks by Isomap, t-SNE and UMAP
#'
#' With a `layout` other than `"eigenmap"`, [embed_landmarks()] arranges the landmarks by the distances in
#' their graph. `predict()` places new points among them.
#'
#' @section Isomap:
#' `layout = "isomap"` is classical multidimensional scaling (Torgerson, 1952) of geodesic distances, the
#' lengths of shortest paths in the graph, with components joined by their shortest gaps (Tenenbaum et al.,
#' 2000). With \eqn{J = I - 11'/n} and the matrix D of squared geodesic distances, the coordinates are the
#' eigenvectors of \eqn{-JDJ/2} with the largest eigenvalues, times the square roots of these. Distances are
#' in the units of the data (after `scale`), so that a strip that is rolled up becomes a rectangle. Use a
#' hundred landmarks or more, because shortest paths through few landmarks are zigzag lines. A warning is
#' given if the eigenvalues of the coordinates are less than 85% of the sum of the positive ones, as with too
#' few landmarks or `dims`. It needs package \pkg{igraph}, and time \eqn{O(n^3)}.
#'
#' @section t-SNE and UMAP:
#' `"tsne"` and `"umap"` arrange the landmarks in the plane by packages \pkg{Rtsne} and \pkg{uwot}. t-SNE
#' uses the `3 * perplexity` nearest landmarks of each landmark, and UMAP the `perplexity` nearest. For the
#' graph through the data (the default) distances are geodesic. For nearest-neighbor graphs they are those of
#' [landmark_graph()]. The layout is initialized with the first two coordinates of the graph through the data
#' if it is available, otherwise as in Rtsne and uwot.
#'
#' Such a plot shows which landmarks are close to each other. Distances between clusters, and their sizes,
#' densities and shapes, have no meaning, and clusters may be spurious or split. Other seeds give other
#' layouts.
#'
#' With more than 50 rows for each landmark, rows form clusters around landmarks, and a warning
#' (`landmarker_warning_graph`) is given. Use some thousand landmarks for tens of thousands of rows. For UMAP
#' of more rows, fit `uwot::umap(ret_model = TRUE)` to the rows of [sketch_rows()], and place the others by
#' `uwot::umap_transform()`.
#'
#' @section New points:
#' With Isomap and the graph through the data, a new point x is placed by local linear reconstruction (Roweis
#' and Saul, 2000). With \eqn{t_0} its nearest landmark and \eqn{t_k} those of the next five that have an edge
#' to \eqn{t_0}, u minimizes
#' \deqn{\|x - t_0 - \sum_k u_k (t_k - t_0)\|^2 + 0.01 \sum_k \|t_k - t_0\|^2 \, \|u\|^2,}{
#'   ||x - t_0 - sum_k u_k (t_k - t_0)||^2 + 0.01 sum_k ||t_k - t_0||^2 ||u||^2,}
#' and the position is \eqn{y_0 + \sum_k u_k (y_k - y_0)}{y_0 + sum_k u_k (y_k - y_0)}. For points far from
#' the landmarks, u is shortened such that \eqn{\sum_k |u_k| \leq 2}{sum_k |u_k| <= 2}. Otherwise the position
#' of a new point is a weighted mean of the positions \eqn{y_l} of its `neighbors + 1` nearest landmarks. With
#' squared distances \eqn{d_l} to these landmarks, from \eqn{d_{min}}{d_min} to \eqn{d_{max}}{d_max}, the
#' weights are
#' \deqn{w_l = \frac{d_{min}}{d_l} \exp\left(-3 \frac{d_l - d_{min}}{d_{max} - d_{min}}\right).}{w_l
#'   = (d_min / d_l) exp(-3 (d_l - d_min) / (d_max - d_min)).}
#' If the nearest landmarks belong to two clusters, their mean would lie between the clusters. The mean is
#' therefore restricted to the neighborhood of the landmark c with the largest
#' \eqn{\sum_l w_l \, s(y_c, y_l)}{sum_l w_l s(y_c, y_l)}, with
#' \eqn{s(y, y') = \exp(-\|y - y'\|^2 / (2 b^2))}{s(y, y') = exp(-||y - y'||^2 / (2 b^2))} and b the median
#' distance between a landmark and its `neighbors`-th nearest in the layout (component `plane` of the
#' embedding). The weights of the mean are \eqn{w_l s(y_c, y_l)}. A point at the position of a landmark gets
#' the landmark's coordinates.
#'
#' Points far from all landmarks are placed as well. For the graph through the data a warning
#' (`landmarker_warning_far`) counts them.
#' @references S. T. Roweis and L. K. Saul (2000). Nonlinear dimensionality reduction by locally linear
#'   embedding. *Science* 290, 2323-2326.
#'
#'   W. S. Torgerson (1952). Multidimensional scaling: I. Theory and method. *Psychometrika* 17, 401-419.
#'
#'   J. Tenenbaum, V. de Silva and J. Langford (2000). A global geometric framework for nonlinear
#'   dimensionality reduction. *Science* 290, 2319-2323.
#' @seealso [embed_landmarks()], [plot.landmark_embedding()]
#' @examplesIf requireNamespace("Rtsne", quietly = TRUE) && requireNamespace("igraph", quietly = TRUE)
#' set.seed(1)
#' pixels <- digits$images[1:300, ] / 255
#' fit <- landmarks(pixels, 40, space = "nonnegative")
#' e <- embed_landmarks(fit, layout = "tsne")
#' head(predict(e, pixels), 3)
#' @name embedding-layouts
NULL

layout_letters <- c(eigenmap = "E", isomap = "I", tsne = "T", umap = "U")

# The parts of an embedding that has no eigenvalues. `plane`: the width of a kernel that predict() uses.
new_layout <- function(coordinates, plane) {
  some <- seq_len(ncol(coordinates))
  list(coordinates = coordinates, plane = plane, values = 0 * some, chosen = some, novelty = NA_real_ * some)
}

# A typical distance of neighbors among coordinates.
neighbor_distance <- function(coordinates, graph, call) {
  dims <- ncol(coordinates)
  places <- list(landmarks = coordinates, center = numeric(dims), factor = rep(1, dims))
  near <- nearest_landmarks(landmark_distances(places, NULL, call), graph$neighbors, compute_with(call))
  sqrt(stats::median(near$distance[graph$neighbors, ]))
}

# Isomap of the landmarks of a graph.
isomap <- function(graph, dims, call) {
  squared <- landmark_distances(graph$fit, graph$covariance, call)
  found <- suppressWarnings(stats::cmdscale(sqrt(squared_paths(graph, squared, call)), k = dims, eig = TRUE))
  positive <- sum(found$eig > 1e-9 * max(found$eig))
  check_that(positive >= dims, dims, "dims",
    paste0("at most ", positive, ", the number of positive eigenvalues"), "rank", call
  )
  warn_isomap(graph, dims, found$GOF[2], call)
  at <- unname(found$points) * rep(apply(found$points, 2, sign_of), each = nrow(found$points))
  new_layout(at, if (inherits(graph, "data_graph")) 0 else neighbor_distance(at, graph, call))
}

# Isomap represents paths along the data only if there are such paths, and few dimensions hold them. With two
# dimensions their `share` is .94 or more for rolls with landmarks enough, and .54 to .81 with too few.
warn_isomap <- function(graph, dims, share, call) {
  count <- max(graph$components)
  if (count > 1) {
    warn_user(c(
      "Isomap joins {count} disconnected components, of {shown_sizes(graph$components)} landmarks, by their
       shortest gaps.",
      x = "Distances between components have no meaning.",
      i = "Use {.code layout = \"eigenmap\", component = 1} for one of them."
    ), kind = c("components", "graph"), call = call)
  } else if (share < 0.85) {
    warn_user(c(
      "Isomap in {dims} dimension{?s} represents {format_share(share)} of the lengths of paths in the graph.",
      i = "With too few landmarks paths do not follow the data. Use more landmarks, or more {.arg dims}."
    ), kind = "graph", call = call)
  }
}

# The layout of the landmarks of a graph by t-SNE or UMAP. `start`: the coordinates to start from, or NULL for
# those of the package.
arrange_landmarks <- function(layout, graph, perplexity, start, call) {
  n <- nrow(graph$weights)
  most <- floor((n - 1) / 3)
  check_that(most >= 2, graph$fit, "fit", "a fit of at least 7 landmarks for this layout", "graph", call)
  perplexity <- check_number(perplexity %||% min(15, most), "perplexity", 2, most, closed = TRUE, call = call)
  rows <- graph$fit$n_rows
  # Rows are placed near their landmarks, so that many rows for each landmark look like islands.
  if (rows > 50 * n) {
    warn_user(c(
      "With {n} landmarks for {rows} rows, the layout will show rows as islands around landmarks.",
      x = "With more than 50 rows for each landmark, clusters in the picture may be spurious.",
      i = "Use more landmarks, for example {.code landmarks(x, 2000, by_kmeans(batch_size = 10000))}.",
      i = if (layout == "umap") "Or use {.code uwot::umap(ret_model = TRUE)} on rows of {.fn sketch_rows}."
    ), kind = "graph", call = call)
  }
  # A graph does not keep its n x n distances.
  squared <- landmark_distances(graph$fit, graph$covariance, call)
  if (inherits(graph, "data_graph")) squared <- squared_paths(graph, squared, call)
  at <- (if (layout == "tsne") layout_tsne else layout_umap)(squared, perplexity, start, call)
  new_layout(at, neighbor_distance(at, graph, call))
}

# The squared lengths of the shortest paths along the edges of a graph, n x n. `squared`: the
# squared distances of its landmarks.
squared_paths <- function(graph, squared, call) {
  need_package("igraph", "A layout along a graph", call)
  edges <- Matrix::summary(Matrix::triu(graph$weights))
  ends <- rbind(cbind(edges$i, edges$j)[edges$x > 0, , drop = FALSE], joins_of(graph$components, squared))
  path_lengths(t(ends), sqrt(squared[ends]), nrow(squared))^2
}

layout_tsne <- function(squared, perplexity, start, call) {
  need_package("Rtsne", "A layout by t-SNE", call)
  near <- nearest_landmarks(squared, floor(3 * perplexity), compute_with(call))
  distance <- sqrt(pmax(near$distance, 0))
  # Rtsne's search for each point's bandwidth starts from 1 in any unit, so distances are rescaled. The start
  # is as small as Rtsne's own, and the schedule is the same.
  Rtsne::Rtsne_neighbors(t(near$landmark), t(distance) / stats::median(distance),
    perplexity = perplexity, verbose = FALSE, num_threads = 1, Y_init = if (!is.null(start)) 1e-4 * start,
    stop_lying_iter = 250L, mom_switch_iter = 250L
  )$Y
}

layout_umap <- function(squared, perplexity, start, call) {
  need_package("uwot", "A layout by UMAP", call)
  near <- nearest_landmarks(squared, round(perplexity), compute_with(call))
  nearest <- list(
    idx = cbind(seq_len(nrow(squared)), t(near$landmark)), dist = cbind(0, sqrt(pmax(t(near$distance), 0)))
  )
  # One thread, so that the same seed gives the same picture.
  at <- uwot::umap(NULL,
    nn_method = nearest, n_threads = 1, n_sgd_threads = 1, verbose = FALSE,
    init = if (is.null(start)) "spectral" else 4 * start
  )
  matrix(as.double(at), ncol = 2)
}
