#' Plot a landmark graph
#'
#' `autoplot()` draws the landmarks and edges of a graph, on the two columns of the data or on their first two
#' principal components. `plot()` prints the plot. Check it before you embed the graph: it shows edges that do
#' not follow the data.
#'
#' Edges with larger weights are darker. Shortcuts are red, removed edges dotted, and edges added by
#' `join = TRUE` dashed. The components of a disconnected graph have different colors.
#'
#' @param x,object An object of class `landmark_graph`.
#' @param data The data that the landmarks were learned from. Default `NULL`: only the graph is drawn, for
#'   more than two columns on the principal components of the landmarks.
#' @param labels Whether to number the landmarks. Default `NULL`: up to 100 landmarks.
#' @param max_points Maximum number of rows to draw, an evenly spaced subset. Default 5000.
#' @param ... `plot()`: arguments of `autoplot()`. Otherwise not used; an argument here is an error.
#' @return `autoplot()`: a `ggplot` object. `plot()`: the graph, invisibly.
#' @section Errors:
#' `landmarker_error_graph` for an invalid graph; `landmarker_error_columns` for data with other columns.
#' @seealso [landmark_graph()]
#' @examples
#' set.seed(1)
#' x <- sim_spiral(600)
#' graph <- landmark_graph(landmarks(x, 80, bandwidth = 0.3), x)
#' graph
#' plot(graph, x)
#' @export
plot.landmark_graph <- function(x, ...) print_picture(x, ...)

#' @rdname plot.landmark_graph
#' @exportS3Method ggplot2::autoplot
autoplot.landmark_graph <- function(object, data = NULL, labels = NULL, max_points = NULL, ...) {
  check_dots(...)
  check_graph(object, "object")
  fit <- object$fit
  labels <- are_numbered(labels, nrow(fit$landmarks))
  rows <- shown_data(fit, data, NULL, "landmarks", max_points)$data
  plane <- in_plane(fit, rows, "landmarks", call = rlang::current_env())
  at <- plane$landmarks
  red <- "#B2001D"
  count <- function(pairs, words) if (NROW(pairs)) paste0(", ", words(NROW(pairs)))
  title <- paste0(
    how_many(nrow(at), "landmark"), ", ", how_many(count_edges(object), "edge"),
    count(object$shortcuts, function(n) paste(how_many(n, "shortcut"), "(red)")),
    count(object$cut, function(n) paste(n, "cut (dotted)")),
    count(object$joins, function(n) paste(how_many(n, "join"), "(dashed)"))
  )
  components <- if (any(object$components != 1)) factor(object$components)
  plane_picture(plane, title, "component") +
    points_layer(plane$data) +
    edges_layer(object$weights, at) +
    pairs_layer(object$shortcuts, at, red, width = 1) +
    pairs_layer(object$cut, at, red, type = "dotted") +
    pairs_layer(object$joins, at, "black", type = "dashed") +
    marks_layer(at, labels, okabe_ito[1], components)
}
