#' @rdname plot.landmark_embedding
#' @exportS3Method ggplot2::autoplot
autoplot.landmark_embedding <- function(object, data = NULL, color = NULL, points = NULL, dims = c(1, 2),
                                        edges = FALSE, landmarks = TRUE, labels = NULL, resolution = NULL,
                                        max_points = 20000, ..., colour = color) {
  check_dots(...)
  need_package("ggplot2", "autoplot()")
  check_embedding(object, "object")
  if (missing(dims)) dims <- seq_len(min(2, ncol(object$coordinates)))
  shown <- shown_embedding(object, data, colour, points, dims, edges, labels, resolution, max_points)
  aes <- ggplot2::aes
  .data <- rlang::.data
  plot <- ggplot2::ggplot(mapping = aes(.data$a, .data$b))
  if (!is.null(shown$edges)) {
    plot <- plot + ggplot2::scale_alpha_identity() + ggplot2::geom_segment(
      data = graph_edges(shown$edges, shown$marks), color = "gray35",
      aes(xend = .data$a_end, yend = .data$b_end, alpha = 0.08 + 0.62 * .data$share)
    )
  }
  if (!is.null(shown$points)) {
    plot <- plot + if (shown$as_cells) cells_layer(shown) else points_layer(shown)
  }
  if (check_flag(landmarks, "landmarks") || is.null(shown$points)) plot <- plot + marks_layer(shown)
  plot <- plot + ggplot2::labs(
    x = shown$names[1], y = shown$names[2], color = NULL, shape = NULL, fill = NULL
  )
  if (length(shown$dims) == 2) plot + ggplot2::coord_equal() else plot
}

marks_layer <- function(shown) {
  aes <- ggplot2::aes
  .data <- rlang::.data
  marks <- data.frame(a = shown$marks[, 1], b = shown$marks[, 2], number = seq_len(nrow(shown$marks)))
  colors <- rep_len(mark_colors(shown), nrow(marks))
  share <- marks_share(shown)
  size <- if (shown$labels) 4.5 else 2 * share
  if (is.null(shown$points) && shown$color$kind != "none") {
    marks$value <- shown$color$values
    places <- list(
      value_scale("fill", shown$color, group_colors),
      ggplot2::geom_point(
        aes(fill = .data$value), marks, shape = 21, color = "white", size = size, stroke = 0.5 * share
      )
    )
  } else {
    places <- ggplot2::geom_point(
      data = marks, shape = 21, color = "white", fill = colors, size = size, stroke = 0.5 * share
    )
  }
  list(places, if (shown$labels) {
    ggplot2::geom_text(aes(label = .data$number), marks, color = ink_on(colors), size = 2.5)
  })
}

points_layer <- function(shown) {
  aes <- ggplot2::aes
  .data <- rlang::.data
  at <- in_dims(shown$points, shown$dims)
  points <- data.frame(a = at[, 1], b = at[, 2])
  points$value <- shown$color$values
  size <- if (nrow(points) > 5000) 0.4 else 0.9
  switch(shown$color$kind,
    none = ggplot2::geom_point(data = points, color = "gray60", size = size, alpha = 0.6),
    numbers = list(
      ggplot2::geom_point(aes(color = .data$value), points, size = size, alpha = 0.7),
      value_scale("color", shown$color)
    ),
    groups = list(
      ggplot2::geom_point(aes(color = .data$value, shape = .data$value), points, size = size, alpha = 0.7),
      value_scale("color", shown$color, group_colors),
      ggplot2::scale_shape_manual(values = group_shapes(shown$color$values), na.value = 16, drop = FALSE),
      ggplot2::guides(color = ggplot2::guide_legend(override.aes = list(size = 3, alpha = 1)))
    )
  )
}

cells_layer <- function(shown) {
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
    value_scale("fill", shown$color, group_shades)
  )
}

# The scale of `aesthetic`; `palette` gives groups their colors.
value_scale <- function(aesthetic, color, palette) {
  if (color$kind == "groups") {
    values <- stats::setNames(palette(color$values), levels(color$values))
    return(ggplot2::scale_discrete_manual(aesthetic, values = values, na.value = unknown_color, drop = FALSE))
  }
  gradient <- if (aesthetic == "fill") ggplot2::scale_fill_gradientn else ggplot2::scale_colour_gradientn
  if (color$kind == "none") return(gradient(colors = density_colors(), guide = "none"))
  gradient(colors = sequential_colors(), limits = color$range, na.value = unknown_color)
}
