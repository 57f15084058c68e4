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
