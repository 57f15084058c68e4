#' @rdname plot.landmark_embedding
#' @exportS3Method ggplot2::autoplot
autoplot.landmark_embedding <- function(object, data = NULL, color = NULL, points = NULL, dims = c(1, 2),
                                        edges = FALSE, landmarks = TRUE, labels = NULL, resolution = NULL,
                                        max_points = 20000, legend = NULL, ..., colour = color) {
  check_dots(...)
  need_package("ggplot2", "autoplot()")
  title <- check_legend(legend, if (missing(colour)) substitute(color) else substitute(colour))
  check_embedding(object, "object")
  if (missing(dims)) dims <- seq_len(min(2, ncol(object$coordinates)))
  shown <- shown_embedding(object, data, colour, points, dims, edges, labels, resolution, max_points)
  aes <- ggplot2::aes
  .data <- rlang::.data
  plot <- ggplot2::ggplot(mapping = aes(.data$a, .data$b))
  if (!is.null(shown$edges)) plot <- plot + edges_layer(shown$edges, shown$marks)
  if (!is.null(shown$points)) {
    plot <- plot + if (shown$as_cells) cells_layer(shown, title) else points_layer(shown, title)
  }
  names <- embedding_names(shown)
  if (check_flag(landmarks, "landmarks") || is.null(shown$points)) plot <- plot + marks_layer(shown, title)
  if (!is.null(names)) plot <- plot + names_layer(
    names$at, names$groups, names$colors, if_numbered(shown$marks, shown$labels && landmarks)
  )
  plot <- plot + ggplot2::labs(x = shown$names[1], y = shown$names[2], title = shown$title) +
    theme_landmarks()
  if (length(shown$dims) < 2) plot <- plot + flat_axis()
  plot + plane_coords(length(shown$dims) == 2)
}

marks_layer <- function(shown, title) {
  alone <- is.null(shown$points) && shown$color$kind != "none"
  colors <- mark_colors(shown)
  layers <- marks_layer_of(shown$marks, shown$labels, colors, if (!shown$labels) 2 * marks_share(shown))
  if (!alone) return(layers)
  # Colored by a scale, so that there is a legend.
  marks <- data.frame(a = shown$marks[, 1], b = shown$marks[, 2])
  marks$value <- shown$color$values
  size <- layers[[1]]$aes_params$size
  .data <- rlang::.data
  layers[[1]] <- ggplot2::geom_point(
    ggplot2::aes(fill = .data$value), marks, shape = 21, color = "white", size = size, stroke = 0.5
  )
  c(list(value_scale("fill", shown$color, group_colors, title)), layers)
}

points_layer <- function(shown, title) {
  aes <- ggplot2::aes
  .data <- rlang::.data
  at <- in_dims(shown$points, shown$dims)
  points <- data.frame(a = at[, 1], b = at[, 2])
  points$value <- shown$color$values
  size <- if (nrow(points) > 5000) 0.4 else 0.9
  switch(shown$color$kind,
    none = ggplot2::geom_point(data = points, color = data_color, size = size, alpha = 0.6),
    numbers = list(
      ggplot2::geom_point(aes(color = .data$value), points, size = size, alpha = 0.7),
      value_scale("color", shown$color, title = title)
    ),
    groups = list(
      ggplot2::geom_point(aes(color = .data$value, shape = .data$value), points, size = size, alpha = 0.7),
      group_scales(shown$color$values, title)
    )
  )
}

cells_layer <- function(shown, title) {
  aes <- ggplot2::aes
  .data <- rlang::.data
  cells <- shown_cells(shown, list(asp = if (length(shown$dims) == 2) 1))
  if (shown$color$kind == "numbers") {
    shown$color$range <- cells$range
    cells$values <- pmin(pmax(cells$values, cells$range[1]), cells$range[2])
  }
  column <- (cells$there - 1) %/% cells$rows
  row <- (cells$there - 1) %% cells$rows
  width <- diff(cells$box[1:2]) / cells$columns
  height <- diff(cells$box[3:4]) / cells$rows
  tiles <- data.frame(
    a = cells$box[1] + (column + 0.5) * width, b = cells$box[4] - (row + 0.5) * height, value = cells$values
  )
  list(
    ggplot2::geom_tile(aes(fill = .data$value), tiles, width = width, height = height),
    value_scale("fill", shown$color, group_shades, title)
  )
}
