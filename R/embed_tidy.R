# Embeddings and graphs as tidy tables.

#' Embeddings as tidy tables
#'
#' Methods for the generics of package generics (broom). `tidy()` gives a row for each landmark with its
#' coordinates. `glance()` gives one row for the embedding. `augment()` gives the data with each row's
#' coordinates, as `predict()` computes them. `summary()` gives a row for each coordinate.
#'
#' @param x,object An object of class `landmark_embedding`.
#' @param data,newdata For `augment()`: data with the columns that the landmarks were learned from. Give one
#'   of the two. They mean the same, because an embedding does not keep the data.
#' @param ... Not used; an argument here is an error.
#' @return A tibble (see [tidy.landmarks()]); for `summary()` a data frame.
#'
#'   `tidy()`: `landmark`, `E1`, `E2`, ...
#'
#'   `augment()`: the columns of the data (none of a sparse matrix), `.E1`, `.E2`, ..., and `.novelty`, the
#'   variance that the landmarks leave at the row, near 0 at a landmark and 1 far from all of them
#'   (`type = "variance"` of [predict.landmarks()]). A name that the data have already gets a number
#'   (`.E1_1`). Names of rows become the first column, `.rownames`.
#'
#'   `glance()`: `landmarks`, `dims`; `edges`, `neighbors`, `components`, `distance`, `edge_weights` and
#'   `sigma` of the graph; `layout`, `alpha` and `component` (NA for all) of the embedding; `seconds`, and
#'   `nobs`, the number of rows that the landmarks were learned from.
#'
#'   `summary()`: `coordinate`; its `value`, the eigenvalue, which is at least 0: smoother coordinates have
#'   smaller values, and values of 1 or more have no extension; `least` and `largest`, the range of the
#'   coordinate over the landmarks.
#' @seealso [embed_landmarks()]
#' @examples
#' set.seed(1)
#' x <- as.data.frame(sim_fish_bowl(1000))
#' e <- embed_landmarks(landmarks(x, 60, by_dpp()), dims = 3)
#' head(tidy(e))
#' head(augment(e, x))
#' glance(e)
#' summary(e)
#' @name tidy.landmark_embedding
NULL

#' @rdname tidy.landmark_embedding
#' @export
tidy.landmark_embedding <- function(x, ...) {
  check_dots(...)
  check_embedding(x, "x")
  as_tibble_frame(data.frame(landmark = seq_len(nrow(x$coordinates)), x$coordinates))
}

#' @rdname tidy.landmark_embedding
#' @export
glance.landmark_embedding <- function(x, ...) {
  check_dots(...)
  check_embedding(x, "x")
  graph <- x$graph
  as_tibble_frame(data.frame(
    landmarks = nrow(x$coordinates), dims = ncol(x$coordinates),
    edges = count_edges(graph), neighbors = graph$neighbors, components = max(graph$components),
    distance = graph$distance, edge_weights = graph$edge_weights, sigma = graph$sigma,
    layout = x$layout, alpha = x$alpha, component = x$component %||% NA_integer_, seconds = x$seconds,
    nobs = graph$fit$n_rows
  ))
}

#' @rdname tidy.landmark_embedding
#' @export
augment.landmark_embedding <- function(x, data = NULL, newdata = NULL, ...) {
  check_dots(...)
  call <- rlang::current_env()
  check_embedding(x, "x")
  given <- augmented_data(data, newdata, call)
  fit <- x$graph$fit
  new <- as.data.frame(embedded(x, given$data, incomplete_action(fit), given$arg, call))
  names(new) <- paste0(".", names(new))
  new$.novelty <- novelty_of_rows(fit, given$data, given$arg, call)
  beside_data(given$data, new)
}

#' @export
as.matrix.landmark_embedding <- function(x, ...) {
  check_embedding(x, "x")
  x$coordinates
}

#' @rdname tidy.landmark_embedding
#' @export
summary.landmark_embedding <- function(object, ...) {
  check_embedding(object, "object")
  at <- object$coordinates
  data.frame(
    coordinate = colnames(at),
    value = if (identical(object$plane > 0, TRUE)) NA_real_ else object$values[seq_len(ncol(at))],
    least = apply(at, 2, min, na.rm = TRUE), largest = apply(at, 2, max, na.rm = TRUE), row.names = NULL
  )
}

# ---- graphs --------------------------------------------------------------------------

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
#'   the landmarks, in the data's units after `scale`; and `shortcut`, whether the edge is one. With
#'   `join = TRUE` there is `join`, whether the edge was added to join two parts. A graph through the data has
#'   `witnesses`, the number of rows (or the sum of their weights) that have the two landmarks as their
#'   nearest. Edges are in the order of `from`, then `to`. With `"heat"` weights the weight is
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
  check_graph(x, "x")
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
  among <- function(pairs) number(whole$i, whole$j) %in% number(pairs[, 1], pairs[, 2])
  edges <- data.frame(
    from = whole$i, to = whole$j, weight = whole$x, distance = sqrt(squared[cbind(whole$i, whole$j)]),
    shortcut = among(x$shortcuts)
  )
  if (NROW(x$joins) > 0) edges$join <- among(x$joins)
  # As the entries of the matrix, by columns.
  if (!is.null(x$witnesses)) edges$witnesses <- x$witnesses[order(order(whole$j, whole$i))]
  as_tibble_frame(edges)
}

#' @rdname tidy.landmark_graph
#' @export
glance.landmark_graph <- function(x, ...) {
  check_dots(...)
  check_graph(x, "x")
  as_tibble_frame(data.frame(
    landmarks = nrow(x$weights), edges = count_edges(x), neighbors = x$neighbors,
    components = max(x$components), shortcuts = nrow(x$shortcuts), distance = x$distance,
    edge_weights = x$edge_weights, sigma = x$sigma, nobs = x$fit$n_rows
  ))
}
