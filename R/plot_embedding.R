#' Plots of an embedding
#'
#' `autoplot()` draws the landmarks at the coordinates of [embed_landmarks()], with their numbers, and among
#' them the points of new data, colored by groups or by numbers. Figures 4 to 6 of Wachinger and Golland
#' (2015) are such plots. Up to `max_points` points are drawn one by one. More points, up to millions, are
#' counted in the cells of a grid, in seconds. The color of a cell shows the mean of its points' numbers or
#' their most frequent group; without `color`, it shows the logarithm of their count. `plot()` prints the
#' picture.
#'
#' Both axes have the same unit length. All coordinates have the same variance, so the plot fills a square,
#' and a ring looks like a ring. Colors of up to seven groups can be told apart with any kind of color vision;
#' more groups have darker and lighter shades of them. Numbers have an evenly graded scale (viridis). In a
#' grid the scale leaves out the highest and the lowest 0.5% of the cell means, which get the colors of its
#' ends. `dims` selects other coordinates than the first two. An `NA` in `color` is gray; a grid cell is gray
#' if all its values are `NA`. `autoplot() + ggplot2::labs(color = )` changes the title of the legend.
#'
#' For an embedding of one `component`, only its landmarks and the points near them are drawn.
#'
#' @param x,object An object of class `landmark_embedding`, of [embed_landmarks()].
#' @param data New data with the columns that the landmarks were learned from, M rows. `predict()` computes
#'   their coordinates. Default `NULL`: only the landmarks are drawn, unless `points` are given.
#' @param color Groups or numbers, as in [plot.landmarks()]. It has length M, a value for each point,
#'   or where only the landmarks are drawn length n, a value for each landmark. Default `NULL`: one color.
#' @param points The coordinates of new data, as `predict()` returns them: a numeric matrix, M x dimensions.
#'   Use it instead of `data` to extend millions of rows once for several plots.
#' @param dims Which coordinates to draw: two whole numbers, or one, which is drawn on a line. Default the
#'   first two.
#' @param edges Whether to draw the edges of the landmarks' graph below everything else (default `FALSE`).
#'   Edges of larger weight are darker; on a line they are arcs.
#' @param landmarks Whether to draw the landmarks where there are points (default `TRUE`). More landmarks are
#'   drawn smaller.
#' @param labels Whether to number the landmarks. Default `NULL`: for up to 100 landmarks. Numbers
#'   that would cover others are moved by package \pkg{ggrepel}, or without it left out.
#' @param max_points The largest number of points that are drawn one by one (default 20000).
#' @param ... `plot()`: the arguments of `autoplot()`. Otherwise an argument here is an error.
#' @return `autoplot()`: an object of class `ggplot`. `plot()`: the embedding, invisibly.
#' @references C. Wachinger and P. Golland (2015). Diverse landmark sampling from determinantal point
#'   processes for scalable manifold learning. \url{https://arxiv.org/abs/1503.03506}.
#' @examples
#' set.seed(1)
#' x <- sim_swiss_roll(4000)
#' fit <- landmarks(x, 200, by_gp(criterion = "trace"), bandwidth = 20)
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
  check_embedding(object, "object")
  call <- rlang::current_env()
  coordinates <- object$coordinates
  n <- nrow(coordinates)
  if (missing(dims)) dims <- seq_len(min(2, ncol(coordinates)))
  dims <- check_dims(dims, ncol(coordinates), call)
  check_flag(edges, "edges")
  check_flag(landmarks, "landmarks")
  labels <- are_numbered(labels, n)
  max_points <- check_count(max_points, "max_points", min = 0)
  points <- check_points(object, data, points, call)
  alone <- is.null(points)
  value <- check_color(color, if (alone) n else nrow(points), if (alone) "landmark" else "point", call)
  # Those of other components have no coordinates.
  kept <- which(!is.na(coordinates[, 1]))
  marks <- in_dims(coordinates, kept, dims)
  if (length(kept) < n) rownames(marks) <- kept
  at <- if (!alone) in_dims(points, there <- which(!is.na(points[, 1])), dims)
  value <- value[if (alone) kept else there]
  crossing <- nrow(object$graph$shortcuts)
  title <- paste0(
    "Embedding of ", if (length(kept) < n) paste(length(kept), "of "), how_many(n, "landmark"),
    if (!alone) paste(" and", how_many(nrow(at), "point")),
    # On a line of its own: a title does not fit the width of many pictures otherwise.
    if (crossing) paste0(
      "\n", how_many(crossing, "edge"), " of the graph ",
      if (crossing == 1) "is a shortcut" else "are shortcuts"
    )
  )
  plane <- list(names = c(colnames(coordinates)[dims], "")[1:2], equal = length(dims) == 2)
  picture <- plane_picture(plane, title, legend) +
    (if (edges) edges_layer(object$graph$weights[kept, kept, drop = FALSE], marks))
  if (alone) {
    return(picture + marks_layer(marks, labels, landmark_color, value))
  }
  picture <- picture + if (nrow(at) > max_points) {
    cells_layer(at, value, apply(rbind(at, marks), 2, range), plane$equal)
  } else {
    points_layer(at, value)
  }
  if (!landmarks) return(picture)
  # Many landmarks are drawn smaller, so that points stay visible.
  picture + marks_layer(marks, labels, if (is.null(value)) landmark_color else "black",
    size = if (labels) 2.2 else 1.8 * max(0.3, min(1, (100 / nrow(marks))^0.75))
  )
}

check_dims <- function(dims, most, call) {
  if (!is.numeric(dims) || !length(dims) %in% 1:2 || !all(dims %in% seq_len(most)) || anyDuplicated(dims)) {
    found <- if (is.numeric(dims) && length(dims) == 2) paste(dims, collapse = ", ") else describe(dims)
    abort_input(c(
      paste0(
        "{.arg dims} must be one or two different whole numbers from 1 to {most}, ",
        "of the embedding's coordinates."
      ),
      x = "It is {found}."
    ), arg = "dims", call = call)
  }
  as.integer(dims)
}

# The points of new data, or NULL.
check_points <- function(embedding, data, points, call) {
  if (is.null(points)) {
    if (is.null(data)) return(NULL)
    return(embedded(embedding, data, stats::na.fail, "data", call))
  }
  names <- colnames(embedding$coordinates)
  same <- is.matrix(points) && is.numeric(points) && ncol(points) == length(names) &&
    (is.null(colnames(points)) || identical(colnames(points), names))
  if (!same) {
    abort_input(c(
      paste0(
        "{.arg points} must be a numeric matrix with columns {.field {names}}, ",
        "as {.fn predict} returns it for the embedding."
      ),
      x = paste0("It is {describe(points)}", if (is.matrix(points) && !is.null(colnames(points))) {
        ", with {.field {colnames(points)}}"
      }, ".")
    ), arg = "points", call = call)
  }
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
