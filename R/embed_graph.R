#' Neighborhood graph of landmarks
#'
#' `landmark_graph()` computes a weighted graph of landmarks, either through the data or by nearest neighbors.
#' [embed_landmarks()] embeds it.
#'
#' By default two landmarks are joined if rows of the data lie between them; see [graph-through-data].
#'
#' With `edges = "nearest"`, landmarks i and j are joined if one is among the `neighbors` nearest landmarks of
#' the other, including ties. With a `radius` they are joined if \eqn{\sqrt{D_{ij}}}{sqrt(D_ij)} is at most
#' the radius (an \eqn{\varepsilon}{epsilon}-ball graph). \eqn{D_{ij}}{D_ij} is the squared Euclidean distance
#' \eqn{\|t_i - t_j\|^2}{||t_i - t_j||^2} of the landmarks \eqn{t_i} and \eqn{t_j} after scaling, or the
#' Bhattacharyya distance (Wachinger and Golland, 2015, eq. 7)
#' \deqn{D_{ij} = \frac18 (t_i - t_j)^\top C^{-1} (t_i - t_j) +
#'   \frac12 \ln \frac{|C|}{\sqrt{|C_i| |C_j|}}, \quad C = \frac{C_i + C_j}{2},}{
#'   D_ij = (1/8) (t_i - t_j)' C^-1 (t_i - t_j) + (1/2) ln( |C| / sqrt(|C_i| |C_j|) ), C = (C_i + C_j) / 2,}
#' with \eqn{C_i} the local covariance matrix of landmark i; see [graph-distances].
#'
#' @param fit An object of class `landmarks` with n landmarks, at least two.
#' @param x Data with the columns that the landmarks were learned from, or `NULL` (default). For the graph
#'   through the data, `x` replaces the graph stored in the fit. For nearest neighbors, `x` is used to compute
#'   local covariances, and to detect shortcuts. A sample of [chunked()] data is used.
#' @param neighbors For nearest neighbors, the minimum number of neighbors of a landmark. Default `NULL`: the
#'   smallest number from 2 to \eqn{3 \log n}{3 log n} that gives a connected graph; if there is none,
#'   \eqn{\log n}{log n}, rounded, and at least 3. With `edges = "data"`, the number s of nearest landmarks of
#'   which each row is a weighted combination, default 3.
#' @param distance `"euclidean"` or `"bhattacharyya"`. The default is `"bhattacharyya"` for fits with local
#'   covariances (`by_dpp(covariance = )`), and `"euclidean"` for others.
#' @param edge_weights `"heat"` (default): weights
#'   \eqn{\exp(-D_{ij} / (2 \sigma^2))}{exp(-D_ij / (2 sigma^2))}. `"binary"`: weights 1.
#' @param sigma \eqn{\sigma}{sigma} of the `"heat"` weights, in units of \eqn{\sqrt{D}}{sqrt(D)}. Default
#'   `NULL`: half the `radius`, or half a typical distance to the most distant of the `neighbors`; see
#'   [graph-distances].
#' @param covariance Type of local covariances computed from `x`: `"diagonal"` (default) or `"full"`, for at
#'   most some tens of columns.
#' @param ridge Multiple of the mean variance that is added to the diagonal of local covariances. Default
#'   0.001.
#' @param edges `"data"`, `"nearest"` or `NULL` (default). `NULL` means `"nearest"` if any of `neighbors`,
#'   `radius`, `distance`, `edge_weights`, `sigma`, `covariance` and `ridge` is given, for fits with local
#'   covariances, and if there are few rows (see [graph-through-data]). Otherwise it means `"data"` if `x` is
#'   given or the fit stores the graph through the data, which subsets such as `fit[1:50]` and fits by
#'   [by_response()] do not.
#' @param join If `TRUE`, the connected components are joined by the shortest gaps between them, with the
#'   median weight. Default `FALSE`.
#' @param radius Largest distance \eqn{\sqrt{D}}{sqrt(D)} of joined landmarks, in data units after scaling (no
#'   unit for `"bhattacharyya"`), instead of `neighbors`. Default `NULL`.
#' @param threads,verbose As in [landmarks()].
#' @return An object of class `landmark_graph`, and of class `data_graph`, `nearest_graph` or `radius_graph`,
#'   a plain list:
#'   * `weights`: edge weights in (0, 1], a symmetric sparse n x n matrix (`dsCMatrix`) with zero diagonal.
#'   * `components`: the connected component of each landmark, numbered from 1.
#'   * `shortcuts`: edges that are shortcuts, a matrix with columns `low` and `high`; see [graph-shortcuts].
#'   * `distance`, `edge_weights`, `sigma`, `neighbors`, `radius` (radius graphs only): the values used.
#'   * `joins`: edges added by `join = TRUE`, a matrix like `shortcuts`.
#'   * `reach`: for each landmark, \eqn{D} between it and the most distant of its `neighbors`, or the squared
#'     radius; `NULL` for `edges = "data"`.
#'   * `covariance`: local covariances with ridge, in scaled units, or `NULL`.
#'   * `fit`: the fit. `version`: the package version.
#'
#'   With `edges = "data"` also `own`, the diagonal of \eqn{K} of [graph-through-data]; `witnesses`, for each
#'   edge the number of rows whose two nearest landmarks are its ends; `cut`, the removed edges, a matrix like
#'   `shortcuts`; and `span`, the largest distance of a row to its nearest landmark.
#' @section Errors and warnings:
#' Errors: `landmarker_error_graph` if landmarks coincide, if there is only one, or if all weights of a
#' landmark underflow to 0; `landmarker_error_covariance` if a local covariance is singular;
#' `landmarker_error_data` if `x` is needed and missing, or has a single row.
#'
#' Warnings: `landmarker_warning_shortcuts` if there are shortcuts, with a number of `neighbors` that avoids
#' them; `landmarker_warning_graph` if the graph is disconnected, or if the default `sigma` is determined by
#' an outlying landmark.
#' @references C. Wachinger and P. Golland (2015). Diverse landmark sampling from determinantal point
#' processes for scalable manifold learning. arXiv:1503.03506.
#' @seealso [graph-through-data], [graph-distances], [graph-shortcuts], [plot.landmark_graph()]
#' @examples
#' set.seed(1)
#' x <- sim_fish_bowl(1000)
#' fit <- landmarks(x, 60, bandwidth = 0.5)
#' graph <- landmark_graph(fit)
#' graph
#' head(Matrix::summary(graph$weights))
#' # Number of neighbors
#' summary(Matrix::rowSums(graph$weights > 0))
#' # Two embeddings of one graph
#' coef(embed_landmarks(graph, dims = 2))[1:3, ]
#' coef(embed_landmarks(graph, dims = 2, alpha = 1))[1:3, ]
#' # Nearest neighbors
#' landmark_graph(fit, neighbors = 5)
#' landmark_graph(fit, radius = 0.6)
#' landmark_graph(fit, x, 5, "bhattacharyya", covariance = "full")
#' # Geodesic distances, communities and spanning trees by package igraph
#' if (requireNamespace("igraph", quietly = TRUE)) {
#'   igraph::graph_from_adjacency_matrix(graph$weights, mode = "undirected", weighted = TRUE)
#' }
#' @export
landmark_graph <- function(fit, x = NULL, neighbors = NULL,
                           distance = if (is.null(fit$covariance)) "euclidean" else "bhattacharyya",
                           edge_weights = "heat", sigma = NULL, covariance = "diagonal", ridge = 0.001,
                           edges = NULL, join = FALSE, radius = NULL, threads = NULL, verbose = NULL) {
  local_compute(threads, verbose)
  check_object(fit, "landmarks", "fit")
  call <- rlang::current_env()
  n <- check_vertices(fit, call)
  if (!is.null(edges)) edges <- check_choice(edges, c("nearest", "data"), "edges")
  join <- check_flag(join, "join")
  supplied <- names(match.call())[-1]
  # An argument that is NULL does not count as given.
  supplied <- supplied[!vapply(mget(supplied), is.null, NA)]
  source <- if (!is.null(x)) rows_source(fit, x, call)
  rows <- source$dim[1] %||% 0
  if (if (is.null(edges)) goes_through_data(fit, supplied, rows) else edges == "data") {
    wrong <- intersect(nearest_arguments, supplied)
    if (length(wrong)) check_that(FALSE, get(wrong[1]), wrong[1], "left out with {.code edges = \"data\"}")
    found <- data_edges(fit, source, neighbors, call)
    if (!is.null(edges) || has_different_rows(found, n)) return(data_graph(fit, found, join, call))
  }
  options <- list(
    neighbors = if (!is.null(neighbors)) check_count(neighbors, "neighbors", max = n - 1L),
    # Squares of larger numbers overflow.
    radius = if (!is.null(radius)) check_number(radius, "radius", 0, 1e150),
    distance = check_choice(distance, c("euclidean", "bhattacharyya"), "distance"),
    edge_weights = check_choice(edge_weights, c("heat", "binary"), "edge_weights"),
    sigma = if (!is.null(sigma)) check_number(sigma, "sigma", 0),
    # These are checked also for a distance that does not use them.
    covariance = check_choice(covariance, c("diagonal", "full"), "covariance"),
    ridge = check_number(ridge, "ridge", 0, closed = TRUE)
  )
  check_that(is.null(radius) || is.null(neighbors), neighbors, "neighbors", "NULL with {.arg radius}")
  check_that(
    is.null(sigma) || edge_weights == "heat", sigma, "sigma", "NULL with {.code edge_weights = \"binary\"}"
  )
  nearest_graph(fit, source, options, join, call)
}

# The number of landmarks of a fit.
check_vertices <- function(fit, call) {
  n <- nrow(fit$landmarks)
  check_that(n >= 2, fit, "fit", "a fit of at least two landmarks", "graph", call)
  n
}
