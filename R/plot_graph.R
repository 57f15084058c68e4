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
#' @param data The data that the landmarks were learned from, drawn below the graph. Default `NULL`: the data
#'   of the fit, if they are found, see Data in [plot.landmarks()]; else the graph is drawn alone, for more
#'   than two columns on the principal components of the landmarks.
#' @param labels Whether to number the landmarks. Default `NULL`: up to 100 landmarks.
#' @param max_points The largest number of rows of data to draw, evenly spaced (default 5000).
#' @param main,xlab,ylab Title and axis labels.
#' @param ... For `plot()` further arguments of [plot.default()], for example `xlim` or `asp`. `autoplot()`
#'   accepts none.
#' @return `plot()`: the graph, invisibly. `autoplot()`: an object of class `ggplot`.
#' @section Errors:
#' `landmarker_error_graph` for an incomplete graph; `landmarker_error_columns` for data of other columns.
#' @examples
#' set.seed(1)
#' x <- sim_spiral(600)
#' graph <- landmark_graph(landmarks(x, 80, bandwidth = 0.3), x)
#' graph
#' plot(graph, x)
#' @export
plot.landmark_graph <- function(x, data = NULL, labels = NULL, max_points = NULL, main = NULL, xlab = NULL,
                                ylab = NULL, ...) {
  check_graph(x, "x", rlang::current_env())
  check_plot_args(list(...))
  check_titles(main = main, xlab = xlab, ylab = ylab)
  shown <- graph_to_draw(x, data, labels, max_points, parent.frame(), rlang::current_env())
  plane <- shown$plane
  pars <- list(main = main %||% shown$title, xlab = xlab %||% plane$names[1], ylab = ylab %||% plane$names[2],
    asp = if (plane$equal) 1 else NA
  )
  if (!nzchar(plane$names[2])) pars[names(flat_pars)] <- flat_pars
  given <- list(...)
  pars[names(given)] <- given
  drawing(draw_graph(x, shown, pars), given)
  invisible(x)
}

draw_graph <- function(graph, shown, pars) {
  plane <- shown$plane
  both <- rbind(plane$data, plane$landmarks)
  key <- key_of_groups(shown$components, "component", group_colors(shown$components), 16)
  draw_key <- open_plane(range(both[, 1]), range(both[, 2]), pars, if (nlevels(shown$components) > 1) key)
  draw_data(plane$data, NULL)
  draw_edges(graph$weights, plane$landmarks)
  cut <- shown$shortcuts
  graphics::segments(cut$a, cut$b, cut$a_end, cut$b_end, col = shortcut_color, lwd = 2)
  off <- shown$cut
  graphics::segments(off$a, off$b, off$a_end, off$b_end, col = shortcut_color, lty = 3)
  join <- shown$joins
  graphics::segments(join$a, join$b, join$a_end, join$b_end, lty = 2)
  draw_key()
  marks <- marks_of(plane$landmarks, shown$labels)
  mark_landmarks(marks, shown$colors)
}

#' @rdname plot.landmark_graph
#' @exportS3Method ggplot2::autoplot
autoplot.landmark_graph <- function(object, data = NULL, labels = NULL, max_points = NULL, ...) {
  check_dots(...)
  need_package("ggplot2", "autoplot()")
  check_graph(object, "object", rlang::current_env())
  shown <- graph_to_draw(object, data, labels, max_points, parent.frame(), rlang::current_env())
  plane <- shown$plane
  aes <- ggplot2::aes
  .data <- rlang::.data
  ends <- aes(xend = .data$a_end, yend = .data$b_end)
  marks <- marks_layer_of(plane$landmarks, shown$labels, shown$colors)
  if (nlevels(shown$components) > 1) {
    at <- data.frame(a = plane$landmarks[, 1], b = plane$landmarks[, 2], component = shown$components)
    size <- marks[[1]]$aes_params$size
    keyed <- nlevels(shown$components) <= most_keyed
    values <- stats::setNames(group_colors(shown$components), levels(shown$components))
    marks[[1]] <- list(
      ggplot2::geom_point(aes(fill = .data$component), at,
        shape = 21, color = "white", size = size, stroke = 0.5
      ),
      ggplot2::scale_fill_manual("component", values = values, guide = if (keyed) "legend" else "none")
    )
  }
  plot <- ggplot2::ggplot(mapping = aes(.data$a, .data$b)) +
    data_layer(plane$data, NULL, "") +
    edges_layer(object$weights, plane$landmarks) +
    ggplot2::geom_segment(ends, shown$shortcuts, color = shortcut_color, linewidth = 0.9) +
    ggplot2::geom_segment(ends, shown$cut, color = shortcut_color, linetype = "dotted") +
    ggplot2::geom_segment(ends, shown$joins, linetype = "dashed") +
    marks +
    ggplot2::labs(x = plane$names[1], y = plane$names[2], title = shown$title) +
    theme_landmarks()
  if (!nzchar(plane$names[2])) plot <- plot + flat_axis()
  plot + plane_coords(plane$equal)
}

shortcut_color <- "#B2001D"

# The plane, the ends of shortcuts, the components as a factor, and the colors of landmarks.
graph_to_draw <- function(graph, data, labels, max_points, env, call) {
  fit <- graph$fit
  labels <- are_numbered(labels, nrow(fit$landmarks), call)
  data <- data_to_draw(fit, data, "landmarks", NULL, env, call)
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
  list(
    plane = plane, labels = labels, components = components, title = title,
    colors = if (nlevels(components) > 1) group_colors(components)[components] else okabe_ito[1],
    shortcuts = between(graph$shortcuts), cut = between(cut), joins = between(joins)
  )
}

# Edges below everything else, the heaviest on top.
edges_layer <- function(weights, marks) {
  .data <- rlang::.data
  list(
    ggplot2::scale_alpha_identity(),
    ggplot2::geom_segment(
      data = graph_edges(weights, marks), color = "gray35",
      ggplot2::aes(xend = .data$a_end, yend = .data$b_end, alpha = 0.08 + 0.62 * .data$share)
    )
  )
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

draw_edges <- function(graph, marks) {
  if (is.null(graph)) return(invisible())
  e <- graph_edges(graph, marks)
  if (nrow(e) == 0) return(invisible())
  colors <- grDevices::rgb(0.35, 0.35, 0.35, 0.08 + 0.62 * e$share)
  graphics::segments(e$a, e$b, e$a_end, e$b_end, col = colors)
}
