#' Plots of a graph of landmarks
#'
#' `plot()` and `autoplot()` draw the landmarks of a graph and its edges, on the two columns of the data, or
#' for more columns on their first two principal components. Edges of larger weight are darker. Edges that
#' are shortcuts are red, those that were cut from a graph through the data are dotted, and those that join
#' its parts are dashed. Where the graph
#' has several connected components, each has its color. Look at the picture before you embed the graph: it
#' shows where the graph leaves the data.
#'
#' @param x,object An object of class `landmark_graph`, of [landmark_graph()].
#' @param data The data that the landmarks were learned from, drawn below the graph. Default `NULL`: the graph
#'   is drawn alone, for more than two columns on the principal components of the landmarks.
#' @param labels Whether to number the landmarks. Default `NULL`: up to 100 landmarks.
#' @param max_points The largest number of rows of data to draw, evenly spaced (default 5000).
#' @param ... `plot()`: the arguments of `autoplot()`. Otherwise an argument here is an error.
#' @return `autoplot()`: an object of class `ggplot`. `plot()`: the graph, invisibly.
#' @section Errors:
#' `landmarker_error_graph` for an incomplete graph; `landmarker_error_columns` for data of other columns.
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
  ggplot_plane(graph_to_draw(object, data, labels, max_points, rlang::current_env()))
}

shortcut_color <- "#B2001D"

# The picture of a graph.
graph_to_draw <- function(graph, data, labels, max_points, call) {
  fit <- graph$fit
  labels <- are_numbered(labels, nrow(fit$landmarks), call)
  rows <- shown_data(fit, data, NULL, "landmarks", max_points, call)$data
  plane <- in_plane(fit, rows, "landmarks", call = call)
  components <- factor(graph$components)
  at <- plane$landmarks
  between <- function(pairs) {
    low <- pairs[, "low"]
    high <- pairs[, "high"]
    data.frame(a = at[low, 1], b = at[low, 2], a_end = at[high, 1], b_end = at[high, 2])
  }
  shortcuts <- nrow(graph$shortcuts)
  none <- graph$shortcuts[0, , drop = FALSE]
  cut <- graph$cut %||% none
  joins <- graph$joins %||% none
  title <- paste0(
    how_many(nrow(at), "landmark"), ", ", how_many(count_edges(graph), "edge"),
    if (shortcuts) paste0(", ", how_many(shortcuts, "shortcut"), " (red)"),
    if (nrow(cut)) paste0(", ", nrow(cut), " cut (dotted)"),
    if (nrow(joins)) paste0(", ", how_many(nrow(joins), "join"), " (dashed)")
  )
  by <- list(kind = if (nlevels(components) > 1) "groups" else "none", values = components)
  list(
    layers = list(
      layer_points(plane$data, list(kind = "none")),
      layer_edges(graph$weights, at),
      layer_segments(between(graph$shortcuts), shortcut_color, width = 2),
      layer_segments(between(cut), shortcut_color, type = "dotted"),
      layer_segments(between(joins), "black", type = "dashed"),
      layer_marks(at, labels, by, okabe_ito[1])
    ),
    box = plane_box(plane), axes = plane$names, title = title, equal = plane$equal,
    flat = !nzchar(plane$names[2]), scale = list(color = by, title = "component")
  )
}

# Edges, the heaviest on top and darkest.
layer_edges <- function(weights, marks) {
  edges <- graph_edges(weights, marks)
  layer_segments(edges, "gray35", alpha = 0.08 + 0.62 * edges$share)
}

# On a line of its own: a title does not fit the width of many pictures otherwise.
shortcut_words <- function(count) {
  what <- if (count == 1) " of the graph is a shortcut" else " of the graph are shortcuts"
  paste0("\n", how_many(count, "edge"), what)
}

# Edges from the lightest to the heaviest, with the coordinates of their ends.
graph_edges <- function(graph, marks) {
  edges <- methods::as(graph, "TsparseMatrix")
  used <- which(edges@x > 0 & edges@i != edges@j)
  used <- used[order(edges@x[used])]
  from <- edges@i[used] + 1L
  to <- edges@j[used] + 1L
  data.frame(
    a = marks[from, 1], b = marks[from, 2], a_end = marks[to, 1], b_end = marks[to, 2],
    share = edges@x[used] / max(edges@x[used], 0)
  )
}
