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
#' and a ring looks like a ring. Colors of groups can be told apart with any kind of color vision. With more
#' than seven groups their shapes differ too; a grid uses darker and lighter shades. Numbers have an evenly
#' graded scale (viridis). In a grid the scale leaves out the highest and the lowest 0.5% of the cell means,
#' which get the colors of its ends. `dims` selects other coordinates than the first two. An `NA` in `color`
#' is gray; a grid cell is gray if all its values are `NA`.
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
#'   Edges of larger weight are darker.
#' @param landmarks Whether to draw the landmarks where there are points (default `TRUE`). More landmarks are
#'   drawn smaller.
#' @param labels Whether to number the landmarks. Default `NULL`: for up to 100 landmarks. A number stands
#'   beside its landmark where there is no room inside, and is left out where it would cover others.
#' @param max_points The largest number of points that are drawn one by one (default 20000).
#' @param legend Title of the legend or of the bar of colors, a string. Default `NULL`: the name in `color`.
#'   `""` gives none.
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
                                        legend = NULL, ...) {
  check_dots(...)
  title <- check_legend(legend, substitute(color))
  check_embedding(object, "object")
  if (missing(dims)) dims <- seq_len(min(2, ncol(object$coordinates)))
  shown <- shown_embedding(object, data, color, points, list(
    dims = dims, edges = edges, labels = labels, max_points = max_points
  ))
  ggplot_plane(picture_of_embedding(shown, check_flag(landmarks, "landmarks"), title))
}

# All that is drawn, checked: landmarks and points, their bounding box, and their colors. `given`: the
# arguments dims, edges, labels and max_points of the user.
shown_embedding <- function(embedding, data, color, points, given, call = rlang::caller_env()) {
  dims <- check_dims(given$dims, ncol(embedding$coordinates), call)
  edges <- check_flag(given$edges, "edges", call)
  n <- nrow(embedding$coordinates)
  labels <- are_numbered(given$labels, n, call)
  max_points <- check_count(given$max_points, "max_points", min = 0, call = call)
  points <- check_points(embedding, data, points, call)
  count <- NROW(points)
  alone <- is.null(points)
  color <- check_color(color, if (alone) n else count, if (alone) "landmark" else "point", call)
  # Those of other components have no coordinates.
  kept <- which(!is.na(embedding$coordinates[, 1]))
  marks <- in_dims(embedding$coordinates[kept, , drop = FALSE], dims)
  if (length(kept) < n) rownames(marks) <- kept
  there <- if (alone) kept else which(!is.na(points[, 1]))
  color <- color_of_some(color, there)
  if (!alone && length(there) < count) points <- points[there, , drop = FALSE]
  count <- NROW(points)
  crossing <- nrow(embedding$graph$shortcuts)
  reach <- function(k) {
    range(marks[, k], if (!alone && count > 0 && k <= length(dims)) column_range(points, dims[k]))
  }
  list(
    points = points, dims = dims, marks = marks, box = c(reach(1), reach(2)), color = color,
    labels = labels, edges = if (edges) embedding$graph$weights[kept, kept, drop = FALSE],
    as_cells = count > max_points,
    resolution = round(min(max(sqrt(count) / 2.5, 150), 500)),
    names = c(colnames(embedding$coordinates)[dims], "")[1:2],
    title = paste0(
      "Embedding of ", if (length(kept) < n) paste(length(kept), "of "), how_many(n, "landmark"),
      if (!alone) paste(" and", how_many(count, "point")),
      if (crossing > 0) shortcut_words(crossing)
    )
  )
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

# The coordinates to draw, in two columns. Where there is only one, the second column is 0: it is drawn on a
# line.
in_dims <- function(coordinates, dims) {
  out <- unname(coordinates[, dims, drop = FALSE])
  if (length(dims) == 2) out else cbind(out, rep(0, nrow(out)))
}

# The picture of shown_embedding(). `landmarks`: whether they are drawn among points; alone they always are.
picture_of_embedding <- function(shown, landmarks, title) {
  alone <- is.null(shown$points)
  color <- shown$color
  named <- names_of_embedding(shown)
  marks <- layer_marks(shown$marks, shown$labels,
    by = if (alone) color else list(kind = "none"),
    plain = if (color$kind == "none") landmark_color else "black",
    size = if (!shown$labels) 0.9 * marks_share(shown), named = named
  )
  layers <- list(
    if (!is.null(shown$edges)) layer_edges(shown$edges, shown$marks),
    if (shown$as_cells) {
      layer_cells(shown$points, shown$dims, color, shown$box, shown$resolution)
    } else if (!alone) {
      layer_points(in_dims(shown$points, shown$dims), color)
    },
    if (landmarks || alone) marks else if (!is.null(named)) layer_names(named)
  )
  list(
    layers = Filter(Negate(is.null), layers), box = shown$box, axes = shown$names, title = shown$title,
    equal = length(shown$dims) == 2, flat = length(shown$dims) < 2, scale = list(color = color, title = title)
  )
}

# ---- colors -------------------------------------------------------------------

# Many landmarks are drawn smaller, so that points stay visible; numbered ones keep their size.
marks_share <- function(shown) {
  if (is.null(shown$points) || shown$labels) return(1)
  max(0.3, min(1, (100 / nrow(shown$marks))^0.75))
}

# Names on the groups of the points, of which 20,000 are enough, or of the landmarks where these are alone.
names_of_embedding <- function(shown) {
  if (is.null(shown$points)) return(names_on_groups(shown$marks, shown$color))
  n <- nrow(shown$points)
  rows <- unique(round(seq(1, n, length.out = min(n, 20000))))
  at <- in_dims(shown$points[rows, , drop = FALSE], shown$dims)
  names_on_groups(at, color_of_some(shown$color, rows), shown$as_cells)
}
