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
#' @param covariance_rows How many rows of `x` each covariance is computed from, a whole number from 2 to N.
#'   NULL, the default, is 3 N / n: each row belongs to the neighborhoods of about three landmarks. It is at
#'   least 10, for full covariances at least d + 1, and at most N.
#' @param edges Which landmarks are joined: `"data"`, those between which rows lie, see [graph-through-data];
#'   or `"nearest"`, nearest neighbors, as in Wachinger and Golland (2015). NULL, the default, is `"data"`
#'   where `x` is given or the fit keeps this graph, and `"nearest"` otherwise: for fewer than three
#'   landmarks or fewer than five rows for each, for a fit with covariances, for some landmarks of a fit
#'   (`fit[1:50]`) or those of [by_response()] without `x`, and where an argument of nearest neighbors is
#'   given (`neighbors`, `radius`, `distance`, `edge_weights`, `sigma`, `covariance`, `ridge`,
#'   `covariance_rows`).
#' @param join Whether the components of the graph are joined by the shortest gaps between them, so that an
#'   embedding shows all in one picture. Default FALSE. The new edges have the median of all weights.
#' @param radius NULL, the default, or the largest distance \eqn{\sqrt{D}}{sqrt(D)} of landmarks that are
#'   joined, a number above 0 in units of the data after `scale` (for `"bhattacharyya"` without a unit). It
#'   takes the place of `neighbors`. Dense places get many edges, sparse ones few.
#' @param threads,verbose As in [landmarks()].
#' @return An object of class `landmark_graph`, a plain list that `saveRDS()` keeps whole:
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
                           covariance_rows = NULL, edges = NULL, join = FALSE, radius = NULL,
                           threads = NULL, verbose = NULL) {
  local_compute(threads, verbose)
  check_object(fit, "landmarks", "fit")
  call <- rlang::current_env()
  n <- check_vertices(fit, call)
  if (!is.null(edges)) edges <- check_choice(edges, c("nearest", "data"), "edges")
  join <- check_flag(join, "join")
  given <- names(match.call())[-1]
  # NULL stands for the default.
  given <- given[!vapply(mget(given), is.null, NA)]
  radius <- check_radius(radius, given, call)
  source <- if (!is.null(x)) rows_source(fit, x, call)
  rows <- if (is.null(source)) 0 else source$dim[1]
  through <- if (is.null(edges)) goes_through_data(fit, given, rows) else edges == "data"
  if (through) {
    check_for_rows_graph(given, call)
    found <- with_memory_errors(joined_rows_of(fit, source, neighbors, call), call)
    if (!is.null(edges) || has_different_rows(found, n)) return(graph_of_rows(fit, found, join, call))
  }
  check_graph_memory(n, call)
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
  squared <- with_memory_errors(
    landmark_distances(fit$landmarks, fit$center, fit$factor, spread, call), call
  )
  if (!is.null(radius)) {
    options <- list(
      radius = radius, edge_weights = edge_weights, sigma = sigma, distance = distance, covariance = spread,
      join = join
    )
    return(graph_of_radius(fit, squared, options, shortcut_finder(fit, source, call), how, call))
  }
  near <- nearest_landmarks(squared, neighbors %||% gap_neighbors(n), how, with_ties = TRUE)
  check_distances(near, distance, call)
  edges_of <- once_each(function(k) find_edges(near, k, edge_weights, sigma, how))
  is_shortcut <- shortcut_finder(fit, source, call)
  shortcuts_of <- once_each(function(k) is_shortcut(edges_of(k)$low, edges_of(k)$high))
  neighbors <- neighbors %||% default_neighbors(n, edges_of, how)
  edges <- edges_of(neighbors)
  check_isolated(edges, n, call)
  if (edge_weights == "heat" && is.null(sigma)) warn_far(near, neighbors, edges$sigma, how, call)
  whole <- join_components(as.data.frame(edges[c("low", "high", "weight")]), n, join, function() squared, how)
  components <- whole$components
  if (max(components) > 1) {
    all <- make_once(function() nearest_landmarks(squared, n - 1L, how))
    edges_among_all <- function(k) find_edges(all(), k, edge_weights, sigma, how)
    warn_components(components, neighbors, edges_among_all, how, call)
  }
  warn_shortcuts(n, neighbors, edges_of, shortcuts_of, how, call)
  crossing <- shortcuts_of(neighbors)
  new_graph(fit, whole$edges, list(
    components = components, joins = whole$joins,
    shortcuts = cbind(low = edges$low[crossing], high = edges$high[crossing]),
    distance = distance, edge_weights = edge_weights, sigma = edges$sigma,
    neighbors = neighbors, reach = near$distance[neighbors, ], covariance = spread
  ))
}

#' @export
print.landmark_graph <- function(x, ...) {
  check_graph(x, "x")
  cat("A graph of ", format(nrow(x$weights), big.mark = big_mark()), " landmarks of ",
    format(x$fit$n_rows, big.mark = big_mark()), " observations\n", sep = "")
  print_graph(x)
  invisible(x)
}

# The printed lines of a graph. An embedding prints them too.
print_graph <- function(graph) {
  edges <- how_many(count_edges(graph), "edge")
  if (is_rows_graph(graph)) {
    print_line("graph", edges, " through the data, from the ", graph$neighbors,
      " landmarks nearest to each row"
    )
    if (nrow(graph$cut)) print_line("cut", how_many(nrow(graph$cut), "edge"), " of few rows or across a gap")
  } else {
    joined <- if (is.null(graph$radius)) {
      paste0(", at least ", how_many(graph$neighbors, "neighbor"), " each")
    } else {
      paste(" within radius", format(signif(graph$radius, 4)))
    }
    print_line("graph", edges, joined, ", by ", graph$distance, " distance",
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
  joins <- NROW(graph$joins)
  if (joins) print_line("joined", "by ", how_many(joins, "edge"), " across the shortest gaps")
}

print_line <- function(label, ...) cat("  ", formatC(label, width = -10), ..., "\n", sep = "")

count_edges <- function(graph) sum(Matrix::triu(graph$weights) > 0)

#' @export
nobs.landmark_graph <- function(object, ...) {
  check_graph(object, "object")
  object$fit$n_rows
}

# ---- all landmarks within a radius ----------------------------------------------------

# `squared`: the distances D of landmarks. `options`: list(radius, edge_weights, sigma, distance, covariance,
# join). `is_shortcut`: see shortcut_finder().
graph_of_radius <- function(fit, squared, options, is_shortcut, how, call) {
  n <- nrow(squared)
  radius <- options$radius
  # Distances of the radius itself are within it, up to rounding: those of a grid, for example.
  reach <- radius^2 * (1 + 1e-12)
  near <- nearest_landmarks(squared, 1L, how)
  check_distances(near, options$distance, call)
  check_in_radius(near$distance[1, ], reach, radius, squared, call)
  heat <- options$edge_weights == "heat"
  # The last of the neighbors then has weight e^-2, as by default in a graph of nearest neighbors.
  sigma <- if (heat) options$sigma %||% (radius / 2) else NA_real_
  at <- which(squared <= reach & upper.tri(squared), arr.ind = TRUE)
  weight <- if (heat) exp(squared[at] / (-2 * sigma^2)) else rep(1, nrow(at))
  edges <- data.frame(low = at[, 1], high = at[, 2], weight = weight)[weight > 0, ]
  check_isolated(c(edges, list(sigma = sigma)), n, call)
  whole <- join_components(edges, n, options$join, function() squared, how)
  crossing <- is_shortcut(edges$low, edges$high)
  if (max(whole$components) > 1) {
    remedy <- paste0("{.code radius = ", rounded_up(longest_join(squared)), "} connects it.")
    warn_of_components(whole$components, remedy, call)
  }
  if (any(crossing)) {
    shortest <- min(sqrt(squared[cbind(edges$low, edges$high)[crossing, , drop = FALSE]]))
    remedy <- paste(
      "The shortest is", format(shortest, digits = 4), "long: use a smaller radius, or more landmarks."
    )
    warn_of_shortcuts(crossing, remedy, call)
  }
  # A new point has its two nearest landmarks as neighbors, and all that have it within the radius.
  new_graph(fit, whole$edges, list(
    components = whole$components, joins = whole$joins,
    shortcuts = cbind(low = edges$low[crossing], high = edges$high[crossing]),
    distance = options$distance, edge_weights = options$edge_weights, sigma = sigma, neighbors = 1L,
    reach = rep(reach, n), covariance = options$covariance, radius = radius
  ))
}

check_radius <- function(radius, given, call) {
  if (is.null(radius)) return(NULL)
  radius <- check_number(radius, "radius", 0, call = call)
  if (!is.finite(radius^2)) abort_square(radius, "radius", call)
  if ("neighbors" %in% given) {
    abort_input(c(
      "{.arg neighbors} must be left out with {.arg radius}, which joins as many landmarks as are near.",
      x = "Both are given."
    ), arg = "neighbors", call = call)
  }
  radius
}

# The longest edge of the shortest tree that joins all landmarks: the smallest radius of a connected graph.
longest_join <- function(squared) max(stats::hclust(stats::as.dist(sqrt(squared)), "single")$height)

# `nearest`: the squared distance of each landmark from the next one.
check_in_radius <- function(nearest, reach, radius, squared, call) {
  alone <- which(nearest > reach)
  if (length(alone) == 0) return(invisible())
  abort_input(c(
    "{.arg radius} must be large enough for each landmark to have a neighbor.",
    x = paste(
      "{first_of_landmarks(alone)} {cli::qty(length(alone))}{?has/have} none",
      "within {.arg radius} {format(radius, digits = 4)}."
    ),
    i = paste(
      "The smallest such radius is {rounded_up(sqrt(max(nearest)))}.",
      "Of a connected graph it is {rounded_up(longest_join(squared))}."
    )
  ), arg = "radius", kind = "graph", call = call)
}

# A number of four digits that is at least `v`.
rounded_up <- function(v) {
  step <- 10^(floor(log10(v)) - 3)
  format(ceiling(v / step) * step, digits = 4)
}

# ---- what methods ask of a graph or an embedding --------------------------------------

# The weights go to package Matrix, which trusts the indices of a matrix.
check_graph <- function(graph, arg, call = rlang::caller_env()) {
  check_object(graph, "landmark_graph", arg, call)
  check_graph_weights(graph, arg, "graph", "landmark_graph", call)
}

check_embedding <- function(embedding, arg, call = rlang::caller_env()) {
  check_object(embedding, "landmark_embedding", arg, call)
  check_graph_weights(embedding$graph, arg, "embedding", "embed_landmarks", call)
}

check_graph_weights <- function(graph, arg, kind, maker, call) {
  weights <- graph$weights
  n <- nrow(graph$fit$landmarks)
  sound <- methods::is(weights, "dsCMatrix") && identical(dim(weights), c(n, n)) &&
    isTRUE(methods::validObject(weights, test = TRUE))
  if (sound) return(invisible())
  abort_input(c(
    "{.arg {arg}} must have a symmetric sparse matrix of weights, a row for each landmark.",
    i = "Make it again with {.fn {maker}}."
  ), arg = arg, kind = kind, call = call)
}
