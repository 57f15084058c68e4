# Layouts of landmarks by t-SNE and UMAP from the distances in their graph.

#' Layouts of landmarks by t-SNE and UMAP
#'
#' `embed_landmarks(layout = "tsne")` and `embed_landmarks(layout = "umap")` arrange the landmarks in the
#' plane by packages \pkg{Rtsne} and \pkg{uwot}. `predict()` places new points among them.
#'
#' t-SNE uses the `3 perplexity` nearest landmarks of each landmark, and UMAP the `perplexity` nearest. For
#' the graph through the data (the default) distances are geodesic, as in Isomap (Tenenbaum et al., 2000):
#' lengths of shortest paths in the graph, with components joined by their shortest gaps. This needs package
#' \pkg{igraph}. For nearest-neighbor graphs they are the distances of [landmark_graph()]. The layout is
#' initialized with the first two coordinates of the graph through the data if it is available, otherwise as
#' in Rtsne and uwot.
#'
#' Such a plot shows which landmarks are close to each other. Distances between clusters, and their sizes,
#' densities and shapes, have no meaning, and clusters may be spurious or split. Other seeds give other
#' layouts.
#'
#' @section New points:
#' The position of a new point is a weighted mean of the positions \eqn{y_l} of its `neighbors + 1` nearest
#' landmarks. With distances \eqn{d_l} to these landmarks, from \eqn{d_{min}}{d_min} to \eqn{d_{max}}{d_max},
#' the weights are
#' \deqn{w_l = \frac{d_{min}}{d_l} \exp\left(-3 \frac{d_l - d_{min}}{d_{max} - d_{min}}\right).}{w_l
#'   = (d_min / d_l) exp(-3 (d_l - d_min) / (d_max - d_min)).}
#' The mean of landmarks in two clusters would lie between the clusters. Therefore the mean is local: let c be
#' the landmark with the largest \eqn{\sum_l w_l \, s(y_c, y_l)}{sum_l w_l s(y_c, y_l)}, with
#' \eqn{s(y, y') = \exp(-\|y - y'\|^2 / (2 b^2))}{s(y, y') = exp(-||y - y'||^2 / (2 b^2))} and b the median
#' distance to the `neighbors`-th nearest landmark in the plane (`plane` of the embedding). The weights of the
#' mean are \eqn{w_l s(y_c, y_l)}. A point at the position of a landmark gets the landmark's coordinates.
#'
#' Points far from all landmarks are placed as well. For the graph through the data a warning
#' (`landmarker_warning_far`) counts them.
#' @references J. Tenenbaum, V. de Silva and J. Langford (2000). A global geometric framework for nonlinear
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

layout_letters <- c(eigenmap = "E", tsne = "T", umap = "U")

# list(coordinates, plane) of the landmarks of a graph: two columns, and a typical distance of neighbors in
# the plane. predict() uses it as the width of a kernel. `start`: the coordinates to start from, or NULL for
# those of the package.
arrange <- function(layout, graph, perplexity, start, call) {
  n <- nrow(graph$weights)
  most <- floor((n - 1) / 3)
  if (most < 2) {
    abort_input(c(
      "A layout needs at least 7 landmarks.",
      x = "{.arg fit} has {n}.",
      i = "Use {.code layout = \"eigenmap\"}."
    ), arg = "fit", kind = "graph", call = call)
  }
  perplexity <- check_number(perplexity %||% min(15, most), "perplexity", 2, most, closed = TRUE, call = call)
  control <- compute_with(call)
  # A graph does not keep its n x n distances.
  squared <- landmark_distances(graph$fit, graph$covariance, call)
  if (inherits(graph, "data_graph")) squared <- squared_paths(graph, squared, call)
  lists <- function(k) nearest_landmarks(squared, k, control)
  at <- switch(layout,
    tsne = layout_tsne(lists, perplexity, start, call), umap = layout_umap(lists, n, perplexity, start, call)
  )
  plane <- landmark_distances(list(landmarks = at, center = c(0, 0), factor = c(1, 1)), NULL, call)
  near <- nearest_landmarks(plane, graph$neighbors, control)
  list(coordinates = at, plane = sqrt(stats::median(near$distance[graph$neighbors, ])))
}

# The squared lengths of the shortest paths along the edges of a graph through the data, n x n. `squared`: the
# squared distances of its landmarks.
squared_paths <- function(graph, squared, call) {
  need_package("igraph", "A layout along the graph through the data", call)
  edges <- Matrix::summary(Matrix::triu(graph$weights))
  ends <- rbind(cbind(edges$i, edges$j)[edges$x > 0, , drop = FALSE], joins_of(graph$components, squared))
  path_lengths(t(ends), sqrt(squared[ends]), nrow(squared))^2
}

# The layout by t-SNE. `lists`: a function of k that returns the k nearest of each landmark.
layout_tsne <- function(lists, perplexity, start, call) {
  need_package("Rtsne", "A layout by t-SNE", call)
  near <- lists(floor(3 * perplexity))
  distance <- sqrt(pmax(near$distance, 0))
  # Rtsne's search for each point's bandwidth starts from 1 in any unit, so distances are rescaled.
  unit <- stats::median(distance)
  # As small as Rtsne's own start, and with the same schedule.
  Rtsne::Rtsne_neighbors(
    t(near$landmark), t(distance) / unit,
    perplexity = perplexity, verbose = FALSE, num_threads = 1, Y_init = if (!is.null(start)) 1e-4 * start,
    stop_lying_iter = 250L, mom_switch_iter = 250L
  )$Y
}

# The layout by UMAP.
layout_umap <- function(lists, n, perplexity, start, call) {
  need_package("uwot", "A layout by UMAP", call)
  near <- lists(round(perplexity))
  nearest <- list(
    idx = cbind(seq_len(n), t(near$landmark)), dist = cbind(0, sqrt(pmax(t(near$distance), 0)))
  )
  # One thread, so that the same seed gives the same picture.
  at <- uwot::umap(NULL,
    nn_method = nearest, n_threads = 1, n_sgd_threads = 1, verbose = FALSE,
    init = if (is.null(start)) "spectral" else 4 * start
  )
  matrix(as.double(at), ncol = 2)
}
