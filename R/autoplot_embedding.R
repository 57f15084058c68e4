#' @rdname plot.landmark_embedding
#' @exportS3Method ggplot2::autoplot
autoplot.landmark_embedding <- function(object, data = NULL, colour = NULL, points = NULL, dims = c(1, 2),
                                        edges = FALSE, landmarks = TRUE, labels = NULL, resolution = NULL,
                                        max_points = 20000, ...) {
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
      data = graph_edges(shown$edges, shown$marks), colour = "grey35",
      aes(xend = .data$a_end, yend = .data$b_end, alpha = 0.08 + 0.62 * .data$share)
    )
  }
  if (!is.null(shown$points)) {
    plot <- plot + if (shown$as_cells) cells_layer(shown) else points_layer(shown)
  }
  if (check_flag(landmarks, "landmarks") || is.null(shown$points)) plot <- plot + marks_layer(shown)
  plot <- plot + ggplot2::labs(x = shown$names[1], y = shown$names[2], colour = NULL, shape = NULL, fill = NULL)
  if (length(shown$dims) == 2) plot + ggplot2::coord_equal() else plot
}

marks_layer <- function(shown) {
  aes <- ggplot2::aes
  .data <- rlang::.data
  marks <- data.frame(a = shown$marks[, 1], b = shown$marks[, 2], number = seq_len(nrow(shown$marks)))
  colours <- rep_len(mark_colours(shown), nrow(marks))
  share <- marks_share(shown)
  size <- if (shown$labels) 4.5 else 2 * share
  if (is.null(shown$points) && shown$colour$kind != "none") {
    marks$value <- shown$colour$values
    places <- list(
      value_scale("fill", shown$colour, group_colours),
      ggplot2::geom_point(aes(fill = .data$value), marks, shape = 21, colour = "white", size = size, stroke = 0.5 * share)
    )
  } else {
    places <- ggplot2::geom_point(data = marks, shape = 21, colour = "white", fill = colours, size = size, stroke = 0.5 * share)
  }
  list(places, if (shown$labels) {
    ggplot2::geom_text(aes(label = .data$number), marks, colour = ink_on(colours), size = 2.5)
  })
}

points_layer <- function(shown) {
  aes <- ggplot2::aes
  .data <- rlang::.data
  at <- in_dims(shown$points, shown$dims)
  points <- data.frame(a = at[, 1], b = at[, 2])
  points$value <- shown$colour$values
  size <- if (nrow(points) > 5000) 0.4 else 0.9
  switch(shown$colour$kind,
    none = ggplot2::geom_point(data = points, colour = "grey60", size = size, alpha = 0.6),
    numbers = list(
      ggplot2::geom_point(aes(colour = .data$value), points, size = size, alpha = 0.7),
      value_scale("colour", shown$colour)
    ),
    groups = list(
      ggplot2::geom_point(aes(colour = .data$value, shape = .data$value), points, size = size, alpha = 0.7),
      value_scale("colour", shown$colour, group_colours),
      ggplot2::scale_shape_manual(values = group_shapes(shown$colour$values), na.value = 16, drop = FALSE),
      ggplot2::guides(colour = ggplot2::guide_legend(override.aes = list(size = 3, alpha = 1)))
    )
  )
}

cells_layer <- function(shown) {
  aes <- ggplot2::aes
  .data <- rlang::.data
  cells <- shown_cells(shown, list(asp = if (length(shown$dims) == 2) 1))
  if (shown$colour$kind == "numbers") {
    shown$colour$range <- cells$range
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
    value_scale("fill", shown$colour, group_shades)
  )
}

# The scale of `aesthetic`; `palette` gives groups their colours.
value_scale <- function(aesthetic, colour, palette) {
  if (colour$kind == "groups") {
    values <- stats::setNames(palette(colour$values), levels(colour$values))
    return(ggplot2::scale_discrete_manual(aesthetic, values = values, na.value = unknown_colour, drop = FALSE))
  }
  gradient <- if (aesthetic == "fill") ggplot2::scale_fill_gradientn else ggplot2::scale_colour_gradientn
  if (colour$kind == "none") return(gradient(colours = density_colours(), guide = "none"))
  gradient(colours = sequential_colours(), limits = colour$range, na.value = unknown_colour)
}
