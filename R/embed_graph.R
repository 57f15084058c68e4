#' Neighborhood graph of landmarks
#'
#' `landmark_graph()` makes a graph whose vertices are the landmarks. By default two landmarks are joined by
#' an edge where rows of the data lie between them ([graph-through-data]); with `edges = "nearest"` where one
#' is among the nearest neighbors of the other. [embed_landmarks()] embeds the graph, and graph packages
#' find geodesic distances, communities and spanning trees in it.
#'
#' With `edges = "nearest"`, landmarks \eqn{i} and \eqn{j} are joined if \eqn{j} is among the `neighbors`
#' nearest landmarks of \eqn{i}, or \eqn{i} among those of \eqn{j}. If several are as far away as the last of
#' these, all are joined. With a `radius` they are joined if \eqn{\sqrt{D_{ij}}}{sqrt(D_ij)} is at most the
#' radius instead (the \eqn{\varepsilon}{epsilon}-ball graph). The distance of two landmarks, with coordinates
#' \eqn{t_i} and \eqn{t_j} after the fit's `scale`, is
#' \deqn{D_{ij} = \|t_i - t_j\|^2}{D_ij = ||t_i - t_j||^2}
#' for `distance = "euclidean"`, and for `"bhattacharyya"` (Wachinger and Golland, 2015, eq. 7)
#' \deqn{D_{ij} = \frac18 (t_i - t_j)^\top C^{-1} (t_i - t_j) +
#'   \frac12 \ln \frac{|C|}{\sqrt{|C_i| |C_j|}}, \quad C = \frac{C_i + C_j}{2}.}{
#'   D_ij = (1/8) (t_i - t_j)' C^-1 (t_i - t_j) + (1/2) ln( |C| / sqrt(|C_i| |C_j|) ), C = (C_i + C_j) / 2.}
#' \eqn{C_i} is the local covariance matrix of landmark \eqn{i}, which describes how the data lie around it.
#' [graph-distances] says how it is computed, and when to use which distance.
#'
#' @param fit An object of class `landmarks`, of n landmarks in d columns, at least two of them.
#' @param x Data with the columns that the fit was learned from, N rows, or NULL, the default. The graph
#'   through the data is made of them; without `x` it is the one that the fit keeps, of the data that it was
#'   learned from. From data in chunks a sample of the rows is used, see [chunked()]. `"bhattacharyya"`
#'   computes local covariances from `x`, and needs it except for a fit that has covariances, by
#'   `by_dpp(covariance = )`. Edges between nearest neighbors are compared with `x` to find shortcuts.
#' @param neighbors The smallest number of neighbors of a landmark, a whole number below n, which asks for
#'   `edges = "nearest"` where `edges` is not given. NULL, the default, is the smallest number from 2 to
#'   \eqn{3 \log n}{3 log n} that connects all landmarks; where none does, \eqn{\log n}{log n}, rounded, and
#'   at least 3. With `edges = "data"`, how many nearest landmarks a row has weights on, by default 3.
#' @param distance `"euclidean"` or `"bhattacharyya"`. The default is `"bhattacharyya"` for a fit that has
#'   covariances, and `"euclidean"` for all others.
#' @param edge_weights `"heat"`, the default, gives the edge of landmarks i and j the weight
#'   \eqn{\exp(-D_{ij} / (2 \sigma^2))}{exp(-D_ij / (2 sigma^2))}; `"binary"` gives every edge the weight 1.
#' @param sigma \eqn{\sigma}{sigma} of the `"heat"` weights: a number above 0, in units of
#'   \eqn{\sqrt{D}}{sqrt(D)}. NULL, the default, is half of the `radius`, or of a typical
#'   \eqn{\sqrt{D}}{sqrt(D)} to the `neighbors`-th nearest landmark, or more where a landmark is far from
#'   all others. See [graph-distances].
#' @param covariance The kind of covariances that are computed from `x`. `"diagonal"`, the default, has only
#'   the variances and suits many columns. `"full"` also describes the directions along which the data lie,
#'   and is for some tens of columns at most.
#' @param ridge The number that is added to the diagonal of local covariances, as a multiple of the mean of
#'   all their variances: at least 0. Default 0.001, 3% of the average standard deviation: enough for accurate
#'   inverses, and less than the width that noise and curvature give a neighborhood.
#' @param edges Which landmarks are joined: `"data"`, those between which rows lie, see [graph-through-data];
#'   or `"nearest"`, nearest neighbors, as in Wachinger and Golland (2015). NULL, the default, is `"data"`
#'   where `x` is given or the fit keeps this graph, and `"nearest"` otherwise: for fewer than three
#'   landmarks or fewer than five rows for each, for a fit with covariances, for some landmarks of a fit
#'   (`fit[1:50]`) or those of [by_response()] without `x`, and where an argument of nearest neighbors is
#'   given (`neighbors`, `radius`, `distance`, `edge_weights`, `sigma`, `covariance`, `ridge`).
#' @param join Whether the components of the graph are joined by the shortest gaps between them, so that an
#'   embedding shows all in one picture. Default FALSE. The new edges have the median of all weights.
#' @param radius NULL, the default, or the largest distance \eqn{\sqrt{D}}{sqrt(D)} of landmarks that are
#'   joined, a number above 0 in units of the data after `scale` (for `"bhattacharyya"` without a unit). It
#'   takes the place of `neighbors`. Dense places get many edges, sparse ones few.
#' @param threads,verbose As in [landmarks()].
#' @return An object of class `landmark_graph`, and of `data_graph`, `nearest_graph` or `radius_graph`, a
#'   plain list that `saveRDS()` keeps whole:
#'   * `weights`: the edges, a sparse symmetric n x n matrix of package Matrix (class `dsCMatrix`), of weights
#'     in (0, 1], large for near landmarks, with rows and columns `L1`, `L2`, ... and a diagonal of 0.
#'   * `components`: the number of the connected component that each landmark belongs to, from 1.
#'   * `shortcuts`: the edges that are shortcuts, an integer matrix with columns `low` and `high`, the numbers
#'     of the two landmarks. See [graph-shortcuts].
#'   * `distance`, `edge_weights`, `sigma` (NA for binary weights) and `neighbors`: the values used. With
#'     `edges = "data"`, `edge_weights` is `"rows"`, `sigma` is NA and `reach` is NULL, and there are four
#'     more parts: `own`, the weight of each landmark with itself; `witnesses`, for each edge (in the order of
#'     `weights@x`) how many rows have its ends as their two nearest landmarks; `cut`, the edges that were
#'     cut, a matrix as `shortcuts`; and `span`, the largest distance of a row from its nearest landmark.
#'   * `joins`: the edges that `join = TRUE` has added, a matrix as `shortcuts`.
#'   * `reach`: \eqn{D} from each landmark to the last of its `neighbors` nearest, or the squared radius.
#'   * `radius`: the radius. Absent without one. With one, `neighbors` is 1: a new point is joined to the two
#'     landmarks nearest to it, and to all within the radius.
#'   * `covariance`: NULL for Euclidean distances, or the local covariances with their ridge, in the units of
#'     the kernel (those of a fit are in the data's units).
#'   * `fit`: the fit that was given. `version`: that of this package, as a string.
#' @section Errors and warnings:
#' Errors: `landmarker_error_input`, an argument breaks its rule; `landmarker_error_graph`, there is a single
#' landmark, two landmarks coincide, or all weights of a landmark underflow to 0;
#' `landmarker_error_covariance`, all local covariances are 0, one has no inverse with `ridge = 0`, or those
#' of the fit are not covariance matrices; `landmarker_error_data`, `x` is required and missing, or has a
#' single row.
#'
#' Warnings: `landmarker_warning_shortcuts`, some edges are shortcuts, and which `neighbors` gives none;
#' `landmarker_warning_graph`, the graph has several connected components, their sizes, and the smallest
#' `neighbors` that connects them; or a landmark that is far from all others sets the default of `sigma`.
#' @references See [gp-criteria].
#' @seealso [graph-distances], [graph-shortcuts], [embed_landmarks()], [plot.landmark_graph()]
#' @examples
#' set.seed(1)
#' x <- sim_fish_bowl(1000)
#' fit <- landmarks(x, 60, bandwidth = 0.5)
#' graph <- landmark_graph(fit)
#' graph
#' head(Matrix::summary(graph$weights))
#' # The numbers of neighbors
#' summary(Matrix::rowSums(graph$weights > 0))
#' # As a graph of package igraph
#' if (requireNamespace("igraph", quietly = TRUE)) {
#'   igraph::graph_from_adjacency_matrix(graph$weights, mode = "undirected", weighted = TRUE)
#' }
#' # Several embeddings of one graph
#' coef(embed_landmarks(graph, dims = 2))[1:3, ]
#' coef(embed_landmarks(graph, dims = 2, alpha = 1))[1:3, ]
#' # Nearest neighbors, and distances that depend on how the data lie around each landmark
#' landmark_graph(fit, neighbors = 5)
#' landmark_graph(fit, radius = 0.6)
#' landmark_graph(fit, x, 5, "bhattacharyya", covariance = "full")
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
  # NULL stands for the default.
  supplied <- supplied[!vapply(mget(supplied), is.null, NA)]
  if (!is.null(radius)) radius <- check_radius(radius, supplied, call)
  source <- if (!is.null(x)) rows_source(fit, x, call)
  rows <- if (is.null(source)) 0 else source$dim[1]
  if (if (is.null(edges)) goes_through_data(fit, supplied, rows) else edges == "data") {
    check_for_data_graph(supplied, call)
    found <- with_memory_errors(joined_rows_of(fit, source, neighbors, call), call)
    if (!is.null(edges) || has_different_rows(found, n)) return(data_graph(fit, found, join, call))
  }
  if (!is.null(neighbors)) neighbors <- check_count(neighbors, "neighbors", max = n - 1L)
  options <- list(
    neighbors = neighbors, radius = radius,
    distance = check_choice(distance, c("euclidean", "bhattacharyya"), "distance"),
    edge_weights = check_choice(edge_weights, c("heat", "binary"), "edge_weights"),
    # These are checked also for a distance that does not use them.
    covariance = check_choice(covariance, c("diagonal", "full"), "covariance"),
    ridge = check_number(ridge, "ridge", 0, closed = TRUE)
  )
  options["sigma"] <- list(check_heat(sigma, options$edge_weights, call))
  with_memory_errors(nearest_graph(fit, source, options, join, call), call)
}

check_vertices <- function(fit, call) {
  n <- nrow(fit$landmarks)
  if (n < 2) {
    abort_input(c("{.arg fit} must have at least two landmarks for a graph.", x = "It has one."),
      arg = "fit", kind = "graph", call = call
    )
  }
  n
}

check_radius <- function(radius, supplied, call) {
  radius <- check_number(radius, "radius", 0, call = call)
  if (!is.finite(radius^2)) abort_square(radius, "radius", call)
  if ("neighbors" %in% supplied) {
    abort_input(c(
      "{.arg neighbors} must be left out with {.arg radius}, which joins as many landmarks as are near.",
      x = "Both are given."
    ), arg = "neighbors", call = call)
  }
  radius
}

# The argument `sigma` as a plain number, or NULL.
check_heat <- function(sigma, edge_weights, call) {
  if (is.null(sigma)) return(NULL)
  sigma <- check_number(sigma, "sigma", 0, call = call)
  if (edge_weights == "binary") {
    abort_input(c(
      "{.arg sigma} must be NULL with {.code edge_weights = \"binary\"}, which does not use it.",
      x = "It is {describe(sigma)}."
    ), arg = "sigma", call = call)
  }
  sigma
}
