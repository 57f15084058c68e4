#' Plot an embedding
#'
#' `autoplot()` draws the landmarks, and optionally data, in the coordinates of [embed_landmarks()]. `plot()`
#' prints the plot.
#'
#' Up to `max_points` points are drawn individually. More points are binned on a grid: the color of a cell is
#' the mean of its values, its most frequent group or, without `color`, the logarithm of its count. The color
#' scale of a grid excludes the lowest and the highest 0.5% of the cells. `NA` is gray.
#'
#' Both axes have the same unit length. Up to seven groups have colors that are distinguishable with any color
#' vision; numeric values use the viridis scale. If one `component` was embedded, only its landmarks and the
#' points near them are drawn.
#'
#' @param x,object An object of class `landmark_embedding`.
#' @param data Data with the columns that the landmarks were learned from, M rows, whose coordinates are
#'   computed by `predict()`. Default `NULL`: only the landmarks are drawn, unless `points` are given.
#' @param color Groups or numbers, as in [plot.landmarks()]: one for each point, or for each landmark if only
#'   landmarks are drawn. Default `NULL`: one color.
#' @param points Coordinates of data returned by `predict()`, instead of `data`. They are computed once for
#'   several plots.
#' @param dims One or two coordinates to draw. Default the first two. One coordinate is drawn on a line.
#' @param edges Whether to draw the edges of the graph. Default `FALSE`. Edges with larger weights are darker;
#'   on a line they are arcs.
#' @param landmarks Whether to draw the landmarks in addition to points. Default `TRUE`.
#' @param labels Whether to number the landmarks. Default `NULL`: up to 50 landmarks. Overlapping labels are
#'   moved by package \pkg{ggrepel} if it is installed, and omitted otherwise.
#' @param max_points Maximum number of points drawn individually, default 20000.
#' @param ... `plot()`: arguments of `autoplot()`. Otherwise not used; an argument here is an error.
#' @return `autoplot()`: a `ggplot` object. `plot()`: the embedding, invisibly.
#' @seealso [embed_landmarks()], [plot.landmark_graph()]
#' @examples
#' set.seed(1)
#' x <- sim_swiss_roll(2000)
#' fit <- landmarks(x, 100, bandwidth = 20)
#' embedding <- embed_landmarks(fit, alpha = 1)
#' plot(embedding, edges = TRUE)
#' plot(embedding, x, color = attr(x, "position")[, "length"])
#' points <- predict(embedding, x)
#' plot(embedding, points = points, color = points[, 1] > 0, landmarks = FALSE, max_points = 1000)
#' @export
plot.landmark_embedding <- function(x, ...) print_picture(x, ...)

#' @rdname plot.landmark_embedding
#' @exportS3Method ggplot2::autoplot
autoplot.landmark_embedding <- function(object, data = NULL, color = NULL, points = NULL, dims = c(1, 2),
                                        edges = FALSE, landmarks = TRUE, labels = NULL, max_points = 20000,
                                        ...) {
  check_dots(...)
  legend <- color_name(substitute(color))
  given_color(color)
  check_embedding(object, "object")
  call <- rlang::current_env()
  coordinates <- object$coordinates
  n <- nrow(coordinates)
  most <- ncol(coordinates)
  if (missing(dims)) dims <- seq_len(min(2, most))
  known <- is.numeric(dims) && length(dims) %in% 1:2 && all(dims %in% seq_len(most)) && !anyDuplicated(dims)
  check_that(known, dims, "dims", paste("one or two distinct integers from 1 to", most))
  check_flag(edges, "edges")
  check_flag(landmarks, "landmarks")
  labels <- are_numbered(labels, n)
  max_points <- check_count(max_points, "max_points", min = 0)
  points <- check_points(object, data, points, call)
  alone <- is.null(points)
  of <- if (alone) "landmark{?s}" else "point{?s}"
  value <- check_color(color, if (alone) n else nrow(points), of, call)
  # Those of other components have no coordinates.
  kept <- which(!is.na(coordinates[, 1]))
  there <- which(!is.na(points[, 1]))
  marks <- in_dims(coordinates, kept, dims)
  if (length(kept) < n) rownames(marks) <- kept
  value <- value[if (alone) kept else there]
  crossing <- nrow(object$graph$shortcuts)
  said <- cli::pluralize("{crossing} edge{?s} of the graph {?is a shortcut/are shortcuts}")
  title <- paste0(
    "Embedding of ", if (length(kept) < n) paste(length(kept), "of "), how_many(n, "landmark"),
    if (!alone) paste(" and", how_many(length(there), "point")),
    # On a line of its own: a title does not fit the width of many pictures otherwise.
    if (crossing) paste0("\n", said)
  )
  plane <- list(names = c(colnames(coordinates)[dims], "")[1:2], equal = length(dims) == 2)
  picture <- plane_picture(plane, title, legend) +
    (if (edges) edges_layer(object$graph$weights[kept, kept, drop = FALSE], marks))
  if (alone) return(picture + marks_layer(marks, labels, landmark_color, value))
  at <- in_dims(points, there, dims)
  picture <- picture + if (nrow(at) > max_points) {
    cells_layer(at, value, apply(rbind(at, marks), 2, range), plane$equal)
  } else {
    points_layer(at, value)
  }
  if (!landmarks) return(picture)
  # Many landmarks are drawn smaller, so that points stay visible.
  size <- if (labels) 2.2 else 1.8 * max(0.3, min(1, (100 / nrow(marks))^0.75))
  picture + marks_layer(marks, labels, if (is.null(value)) landmark_color else "black", size = size)
}

# The points of new data, or NULL.
check_points <- function(embedding, data, points, call) {
  if (is.null(points) && is.null(data)) return(NULL)
  if (is.null(points)) return(predict_embedding(embedding, data, stats::na.fail, "data", call))
  names <- colnames(embedding$coordinates)
  same <- is.matrix(points) && is.numeric(points) && ncol(points) == length(names) &&
    (is.null(colnames(points)) || identical(colnames(points), names))
  check_that(same, points, "points",
    "a numeric matrix with columns {.var {names}}, as returned by {.fn predict}", call = call
  )
  # Rows near other components have NA.
  check_finite(if (is.null(embedding$component)) points else stats::na.omit(points), "points", call)
  points
}

# Some rows of coordinates, in the two columns to draw. Where there is only one, the second is 0: it is drawn
# on a line.
in_dims <- function(coordinates, rows, dims) {
  out <- unname(coordinates[rows, dims, drop = FALSE])
  if (length(dims) == 2) out else cbind(out, rep(0, nrow(out)))
}

# ---- graphs --------------------------------------------------------------------------

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
#' @param data The data that the landmarks were learned from. Default `NULL`: only the graph is drawn; if
#'   there are more than two columns, on the principal components of the landmarks.
#' @param labels Whether to number the landmarks. Default `NULL`: up to 50 landmarks.
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
  counted <- function(pairs, what, drawn) if (NROW(pairs)) paste0(", ", how_many(NROW(pairs), what), drawn)
  title <- paste0(
    how_many(nrow(at), "landmark"), ", ", how_many(count_edges(object), "edge"),
    counted(object$shortcuts, "shortcut", " (red)"),
    if (NROW(object$cut)) paste0(", ", nrow(object$cut), " cut (dotted)"),
    counted(object$joins, "join", " (dashed)")
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
