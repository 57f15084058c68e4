#' Neighborhood graph of landmarks
#'
#' `landmark_graph()` makes a graph whose vertices are the landmarks. Two landmarks are joined by an edge if
#' one is among the nearest neighbors of the other. [embed_landmarks()] embeds the graph, and graph packages
#' find geodesic distances, communities and spanning trees in it.
#'
#' Landmarks \eqn{i} and \eqn{j} are joined if \eqn{j} is among the `neighbors` nearest landmarks of \eqn{i},
#' or \eqn{i} among those of \eqn{j}. If several are as far away as the last of these, all are joined. The
#' distance of two landmarks, with coordinates \eqn{t_i} and \eqn{t_j} after the fit's `scale`, is
#' \deqn{D_{ij} = \|t_i - t_j\|^2}{D_ij = ||t_i - t_j||^2}
#' for `distance = "euclidean"`, and for `"bhattacharyya"` (Wachinger and Golland, 2015, eq. 7)
#' \deqn{D_{ij} = \frac18 (t_i - t_j)^\top C^{-1} (t_i - t_j) +
#'   \frac12 \ln \frac{|C|}{\sqrt{|C_i| |C_j|}}, \quad C = \frac{C_i + C_j}{2}.}{
#'   D_ij = (1/8) (t_i - t_j)' C^-1 (t_i - t_j) + (1/2) ln( |C| / sqrt(|C_i| |C_j|) ), C = (C_i + C_j) / 2.}
#' \eqn{C_i} is the local covariance matrix of landmark \eqn{i}, which describes how the data lie around it.
#' [graph-distances] says how it is computed, and when to use which distance.
#'
#' @param fit An object of class `landmarks`, of n landmarks in d columns, at least two of them.
#' @param x Data with the columns that the fit was learned from, N rows, or NULL, the default.
#'   `"bhattacharyya"` computes local covariances from them, and needs them except for a fit that has
#'   covariances, by `by_dpp(covariance = )`. For any distance, edges are compared with `x` to find shortcuts.
#' @param neighbors The smallest number of neighbors of a landmark, a whole number below n. NULL, the
#'   default, is \eqn{\log n}{log n}, rounded, and at least 3: 5 for 200 landmarks, 8 for 2,000. If this
#'   number gives shortcuts, the default is the largest smaller number, 3 or more, that gives none and as
#'   few connected components, where there is one.
#' @param distance `"euclidean"` or `"bhattacharyya"`. The default is `"bhattacharyya"` for a fit that has
#'   covariances, and `"euclidean"` for all others.
#' @param edge_weights `"heat"`, the default, gives the edge of landmarks i and j the weight
#'   \eqn{\exp(-D_{ij} / (2 \sigma^2))}{exp(-D_ij / (2 sigma^2))}; `"binary"` gives every edge the weight 1.
#' @param sigma \eqn{\sigma}{sigma} of the `"heat"` weights: a number above 0, in units of
#'   \eqn{\sqrt{D}}{sqrt(D)}. NULL, the default, is half of a typical \eqn{\sqrt{D}}{sqrt(D)} to the
#'   `neighbors`-th nearest landmark, or more where a landmark is far from all others. See [graph-distances].
#' @param covariance The kind of covariances that are computed from `x`. `"diagonal"`, the default, has only
#'   the variances and suits many columns. `"full"` also describes the directions along which the data lie,
#'   and is for some tens of columns at most.
#' @param ridge The number that is added to the diagonal of local covariances, as a multiple of the mean of
#'   all their variances: at least 0. Default 0.001, 3% of the average standard deviation: enough for accurate
#'   inverses, and less than the width that noise and curvature give a neighborhood.
#' @param covariance_rows How many rows of `x` each covariance is computed from, a whole number from 2 to N.
#'   NULL, the default, is 3 N / n: each row belongs to the neighborhoods of about three landmarks. It is at
#'   least 10, for full covariances at least d + 1, and at most N.
#' @param edges Which landmarks are joined: `"nearest"`, the default, joins nearest neighbors; `"data"` joins
#'   landmarks between which rows of `x` lie, see [graph-through-data].
#' @param threads,verbose As in [landmarks()].
#' @return An object of class `landmark_graph`, a plain list that `saveRDS()` keeps whole:
#'   * `weights`: the edges, a sparse symmetric n x n matrix of package Matrix (class `dsCMatrix`), of weights
#'     in (0, 1], large for near landmarks, with rows and columns `L1`, `L2`, ... and a diagonal of 0.
#'   * `components`: the number of the connected component that each landmark belongs to, from 1.
#'   * `shortcuts`: the edges that are shortcuts, an integer matrix with columns `low` and `high`, the numbers
#'     of the two landmarks. See [graph-shortcuts].
#'   * `distance`, `edge_weights`, `sigma` (NA for binary weights) and `neighbors`: the values used. With
#'     `edges = "data"`, `edge_weights` is `"rows"`, `sigma` is NA and `reach` is NULL, and there are three
#'     more parts: `own`, the weight of each landmark with itself; `witnesses`, for each edge (in the order of
#'     `weights@x`) how many rows have its ends as their two nearest landmarks; and `cut`, the edges that were
#'     cut, a matrix as `shortcuts`.
#'   * `reach`: \eqn{D} from each landmark to the last of its `neighbors` nearest.
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
#' graph <- landmark_graph(fit, neighbors = 5)
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
#' # Distances that depend on how the data lie around each landmark
#' landmark_graph(fit, x, 5, "bhattacharyya", covariance = "full")
#' @export
landmark_graph <- function(fit, x = NULL, neighbors = NULL,
                           distance = if (is.null(fit$covariance)) "euclidean" else "bhattacharyya",
                           edge_weights = "heat", sigma = NULL, covariance = "diagonal", ridge = 0.001,
                           covariance_rows = NULL, edges = "nearest", threads = NULL, verbose = NULL) {
  local_compute(threads, verbose)
  check_fit(fit)
  call <- rlang::current_env()
  n <- check_vertices(fit, call)
  edges <- check_choice(edges, c("nearest", "data"), "edges")
  through <- edges == "data"
  if (through) check_for_rows_graph(names(match.call()), call) else check_graph_memory(n, call)
  source <- if (!is.null(x)) new_source(fit_rows(fit, x, "x", call)$x, fit$center, fit$factor, "x", call)
  if (through) return(graph_of_rows(fit, source, neighbors, call))
  if (!is.null(neighbors)) neighbors <- check_count(neighbors, "neighbors", max = n - 1L)
  distance <- check_choice(distance, c("euclidean", "bhattacharyya"), "distance")
  edge_weights <- check_choice(edge_weights, c("heat", "binary"), "edge_weights")
  sigma <- check_heat(sigma, edge_weights, call)
  # These are checked also where the distance has no use for them.
  covariance <- check_choice(covariance, c("diagonal", "full"), "covariance")
  ridge <- check_number(ridge, "ridge", 0, closed = TRUE)

  how <- compute_with(call)
  spread <- if (distance == "bhattacharyya") {
    add_ridge(graph_covariance(fit, source, covariance, covariance_rows, call), ridge, call)
  }
  squared <- landmark_distances(fit$landmarks, fit$center, fit$factor, spread, call)
  near <- nearest_landmarks(squared, neighbors %||% most_neighbors(n), how, with_ties = TRUE)
  check_distances(near, distance, call)
  edges_of <- once_each(function(k) find_edges(near, k, edge_weights, sigma, how))
  is_shortcut <- shortcut_finder(fit, source, call)
  shortcuts_of <- once_each(function(k) is_shortcut(edges_of(k)$low, edges_of(k)$high))
  neighbors <- neighbors %||% default_neighbors(n, edges_of, shortcuts_of, how)
  edges <- edges_of(neighbors)
  check_isolated(edges, n, call)
  if (edge_weights == "heat" && is.null(sigma)) warn_far(near, neighbors, edges$sigma, how, call)
  components <- components_of(edges, n, how)
  if (max(components) > 1) {
    all <- make_once(function() nearest_landmarks(squared, n - 1L, how))
    edges_among_all <- function(k) find_edges(all(), k, edge_weights, sigma, how)
    warn_components(components, neighbors, edges_among_all, how, call)
  }
  warn_shortcuts(n, neighbors, edges_of, shortcuts_of, how, call)
  crossing <- shortcuts_of(neighbors)
  new_graph(fit, edges, list(
    components = components, shortcuts = cbind(low = edges$low[crossing], high = edges$high[crossing]),
    distance = distance, edge_weights = edge_weights, sigma = edges$sigma,
    neighbors = neighbors, reach = near$distance[neighbors, ], covariance = spread
  ))
}

# The graph through the data.
graph_of_rows <- function(fit, source, neighbors, call) {
  n <- nrow(fit$landmarks)
  neighbors <- check_joined(neighbors, n, call)
  if (is.null(source)) {
    abort_input(c(
      "{.code edges = \"data\"} needs the data, {.arg x}, because a fit does not keep them.",
      i = "Give the data that the fit was learned from, or {.code edges = \"nearest\"}."
    ), arg = "x", kind = "data", call = call)
  }
  check_rows_graph_memory(n, call)
  how <- compute_with(call)
  squared <- landmark_distances(fit$landmarks, fit$center, fit$factor, NULL, call)
  check_distances(nearest_landmarks(squared, 1L, how), "euclidean", call)
  found <- rows_graph(fit, source, neighbors, call)
  components <- components_of(found$edges, n, how)
  warn_apart(components, call)
  new_graph(fit, found$edges, list(
    components = components, shortcuts = found$cut[0, , drop = FALSE], distance = "euclidean",
    edge_weights = "rows", sigma = NA_real_, neighbors = neighbors, reach = NULL, covariance = NULL,
    own = found$own, witnesses = found$witnesses, cut = found$cut
  ))
}

# `edges`: list(low, high, weight). `parts`: the other parts of a graph but its fit.
new_graph <- function(fit, edges, parts) {
  n <- nrow(fit$landmarks)
  names <- landmark_names(fit)
  weights <- Matrix::sparseMatrix(edges$low, edges$high,
    x = edges$weight, dims = c(n, n), dimnames = list(names, names), symmetric = TRUE
  )
  structure(
    c(list(weights = weights), parts, list(fit = fit, version = made_by())),
    class = "landmark_graph"
  )
}

#' @export
print.landmark_graph <- function(x, ...) {
  check_graph(x, "x", rlang::current_env())
  cat("A graph of ", format(nrow(x$weights), big.mark = big_mark()), " landmarks of ",
    format(x$fit$n_rows, big.mark = big_mark()), " observations\n", sep = "")
  print_graph(x)
  invisible(x)
}

# The printed lines of a graph. An embedding prints them too.
print_graph <- function(graph) {
  edges <- paste(format(count_edges(graph), big.mark = big_mark()), "edges")
  if (is_rows_graph(graph)) {
    print_line("graph", edges, " through the data, by rows with weights on their ", graph$neighbors,
      " nearest landmarks"
    )
    if (nrow(graph$cut)) print_line("cut", how_many(nrow(graph$cut), "edge"), " of few rows or across a gap")
  } else {
    print_line("graph", edges, ", at least ",
      graph$neighbors, " neighbors each, by ", graph$distance, " distance",
      if (!is.null(graph$covariance)) paste0(", ", covariance_kind(graph$covariance), " covariances")
    )
    heat <- graph$edge_weights == "heat"
    print_line("weights", graph$edge_weights, if (heat) paste0(", sigma ", format(signif(graph$sigma, 4))))
  }
  sizes <- component_sizes(graph$components)
  if (length(sizes) > 1) {
    print_line("parts", length(sizes), " components, of ", shown_sizes(sizes), " landmarks")
  }
  if (nrow(graph$shortcuts)) print_line("shortcuts", nrow(graph$shortcuts), " of the edges")
}

print_line <- function(label, ...) cat("  ", formatC(label, width = -10), ..., "\n", sep = "")

count_edges <- function(graph) sum(Matrix::triu(graph$weights) > 0)

#' @export
nobs.landmark_graph <- function(object, ...) {
  check_graph(object, "object", rlang::current_env())
  object$fit$n_rows
}
