#' @rdname plot.landmarks
#' @exportS3Method ggplot2::autoplot
autoplot.landmarks <- function(object, data = NULL, type = NULL, color = NULL, max_points = NULL,
                               perplexity = NULL, labels = NULL, legend = NULL, ..., colour = color) {
  need_package("ggplot2", "autoplot()")
  check_fit(object, "object")
  type <- check_picture(type)
  title <- check_legend(legend, if (missing(colour)) substitute(color) else substitute(colour))
  if (type == "words") return(autoplot_words(object, ...))
  if (type == "images") return(autoplot_images(object, ..., labels = labels %||% FALSE))
  check_dots(...)
  if (type == "variance") {
    check_known_variance(object, "object")
    return(autoplot_variance(object))
  }
  labels <- are_numbered(labels, nrow(object$landmarks))
  data <- data_to_draw(object, data, type, colour, parent.frame())
  shown <- shown_data(object, data, colour, type, max_points)
  plane <- in_plane(object, shown$data, type, perplexity)
  autoplot_plane(plane, shown, labels, title)
}

autoplot_plane <- function(plane, shown, labels, title) {
  groups <- shown$groups
  n <- nrow(plane$landmarks)
  .data <- rlang::.data
  colors <- if (!is.null(groups)) "black" else if (labels || n <= most_numbered) landmark_color
  plot <- ggplot2::ggplot(mapping = ggplot2::aes(.data$a, .data$b)) +
    data_layer(plane$data, groups, title) +
    marks_layer_of(plane$landmarks, labels, colors) +
    (if (!is.null(groups)) {
      names_layer(plane$data, groups, group_colors(groups), if_numbered(plane$landmarks, labels))
    }) +
    ggplot2::labs(x = plane$names[1], y = plane$names[2], title = shown$title) +
    theme_landmarks()
  if (!nzchar(plane$names[2])) plot <- plot + flat_axis()
  # Equal units, because the kernel depends on distances only.
  plot + plane_coords(plane$equal)
}

# The landmarks that names leave free: those with numbers.
if_numbered <- function(at, labels) if (labels) at else at[0, , drop = FALSE]

# Numbers at the edge may leave the panel.
plane_coords <- function(equal) {
  if (equal) ggplot2::coord_equal(clip = "off") else ggplot2::coord_cartesian(clip = "off")
}

# One coordinate is drawn on a line, which has no second axis.
flat_axis <- function() {
  none <- ggplot2::element_blank()
  list(
    ggplot2::scale_y_continuous(breaks = NULL),
    ggplot2::theme(axis.text.y = none, axis.ticks.y = none, axis.title.y = none, axis.line.y = none)
  )
}

data_layer <- function(at, groups, title) {
  aes <- ggplot2::aes
  .data <- rlang::.data
  points <- data.frame(a = at[, 1], b = at[, 2])
  if (is.null(groups)) {
    if (nrow(points) == 0) return(NULL)
    return(ggplot2::geom_point(data = points, color = data_color, size = 0.7, alpha = 0.6))
  }
  points$group <- groups
  list(
    ggplot2::geom_point(aes(color = .data$group, shape = .data$group), points, size = 0.9, alpha = 0.6),
    group_scales(groups, title)
  )
}

# Colors and shapes of groups, with a legend for up to seven.
group_scales <- function(groups, title) {
  keyed <- nlevels(groups) <= most_keyed
  key <- if (keyed) {
    ggplot2::guide_legend(override.aes = list(size = 3, alpha = 1))
  } else {
    "none"
  }
  name <- if (nzchar(title)) title
  values <- stats::setNames(group_colors(groups), levels(groups))
  shapes <- stats::setNames(group_shapes(groups), levels(groups))
  list(
    ggplot2::scale_colour_manual(name, values = values, na.value = unknown_color, drop = FALSE, guide = key),
    ggplot2::scale_shape_manual(name, values = shapes, na.value = 16, drop = FALSE,
      guide = if (keyed) "legend" else "none"
    )
  )
}

# Names on more than seven groups. `marks`: landmarks that they leave free.
names_layer <- function(at, groups, colors, marks = at[0, , drop = FALSE]) {
  if (!names_stand(groups)) return(NULL)
  places <- group_name_places(at, groups, marks)
  if (nrow(places) == 0) return(NULL)
  aes <- ggplot2::aes
  .data <- rlang::.data
  colors <- colors[places$group]
  apart <- places[places$apart, ]
  list(
    ggplot2::geom_segment(aes(.data$x, .data$y, xend = .data$at_x, yend = .data$at_y), apart,
      inherit.aes = FALSE, color = name_ink(colors[places$apart])
    ),
    ggplot2::geom_label(aes(.data$at_x, .data$at_y, label = .data$group), places,
      inherit.aes = FALSE, fill = grDevices::adjustcolor(name_fill(colors), 0.85), color = name_ink(colors),
      fontface = "bold", size = 2.6, label.size = 0.2, label.padding = ggplot2::unit(0.12, "lines")
    )
  )
}
