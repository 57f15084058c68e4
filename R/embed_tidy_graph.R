#' Graphs of landmarks as tidy tables
#'
#' Methods for the generics of package generics (broom). `tidy()` gives a row for each edge, and `glance()`
#' one row for the graph.
#'
#' @param x An object of class `landmark_graph`.
#' @param ... Not used; an argument here is an error.
#' @return A tibble (see [tidy.landmarks()]).
#'
#'   `tidy()`: `from` and `to`, the numbers of the two landmarks, the smaller one first; `weight`;
#'   `distance`, which is \eqn{\sqrt{D}}{sqrt(D)} of [landmark_graph()]: for Euclidean distances that between
#'   the landmarks, in the data's units after `scale`; and `shortcut`, whether the edge is one. Edges are in
#'   the order of `from`, then `to`. With `"heat"` weights the weight is
#'   \eqn{\exp(-\mathrm{distance}^2 / (2 \sigma^2))}{exp(-distance^2 / (2 sigma^2))}.
#'
#'   `glance()`: `landmarks`; `edges`; `neighbors`; `components`, the number of connected components;
#'   `shortcuts`, the number of edges that are shortcuts; `distance`; `edge_weights`; `sigma`, NA for binary
#'   weights; and `nobs`, the number of rows that the landmarks were learned from.
#'
#'   `augment()` is an error that says what to augment in its place: a graph has no rows of data.
#' @seealso [landmark_graph()]
#' @examples
#' set.seed(1)
#' fit <- landmarks(sim_fish_bowl(500), 25)
#' graph <- landmark_graph(fit, neighbors = 3)
#' edges <- tidy(graph)
#' edges
#' all.equal(edges$weight, exp(-edges$distance^2 / (2 * graph$sigma^2)))
#' glance(graph)
#' @name tidy.landmark_graph
NULL

#' @rdname tidy.landmark_graph
#' @export
augment.landmark_graph <- function(x, ...) {
  check_graph(x, "x", rlang::current_env())
  abort_input(c(
    "A graph has a vertex for each landmark, and none for rows of data.",
    i = "{.code augment(graph$fit, data)} gives each row its landmark.",
    i = "{.code augment(embed_landmarks(graph), data)} gives each row coordinates."
  ), arg = "x", kind = "graph")
}

#' @rdname tidy.landmark_graph
#' @export
tidy.landmark_graph <- function(x, ...) {
  check_dots(...)
  call <- rlang::current_env()
  check_graph(x, "x", call)
  whole <- Matrix::summary(Matrix::triu(x$weights))
  whole <- whole[whole$x > 0, ]
  whole <- whole[order(whole$i, whole$j), ]
  fit <- x$fit
  check_graph_memory(nrow(fit$landmarks), call)
  squared <- landmark_distances(fit$landmarks, fit$center, fit$factor, x$covariance, call)
  number <- function(low, high) (high - 1) * nrow(squared) + low
  as_tibble_frame(data.frame(
    from = whole$i, to = whole$j, weight = whole$x, distance = sqrt(squared[cbind(whole$i, whole$j)]),
    shortcut = number(whole$i, whole$j) %in% number(x$shortcuts[, "low"], x$shortcuts[, "high"])
  ))
}

#' @rdname tidy.landmark_graph
#' @export
glance.landmark_graph <- function(x, ...) {
  check_dots(...)
  check_graph(x, "x", rlang::current_env())
  as_tibble_frame(data.frame(
    landmarks = nrow(x$weights), edges = count_edges(x), neighbors = x$neighbors,
    components = max(x$components), shortcuts = nrow(x$shortcuts), distance = x$distance,
    edge_weights = x$edge_weights, sigma = x$sigma, nobs = x$fit$n_rows
  ))
}
