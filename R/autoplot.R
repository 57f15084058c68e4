#' Plots of landmarks with ggplot2
#'
#' `autoplot()` draws the plots of [plot.landmarks()] as ggplot2 objects. Use it to add layers, scales or
#' themes.
#'
#' @inheritParams plot.landmarks
#' @param object An object of class `landmarks`.
#' @param ... Not used.
#' @return An object of class `ggplot`.
#' @examples
#' if (requireNamespace("ggplot2", quietly = TRUE)) {
#'   x <- sim_circles(400)
#'   fit <- landmarks(x, 12, bandwidth = 0.3)
#'   print(ggplot2::autoplot(fit, x))
#' }
#' @exportS3Method ggplot2::autoplot
autoplot.landmarks <- function(object, data = NULL, type = NULL, color = NULL, max_points = NULL,
                               perplexity = NULL, ..., colour = color) {
  need_package("ggplot2", "autoplot()")
  check_fit(object, "object")
  check_dots(...)
  type <- check_picture(type, data)
  aes <- ggplot2::aes
  .data <- rlang::.data
  if (type == "variance") {
    check_known_variance(object, "object")
    shown <- summary(object)[object$variance > 0, ]
    class(shown) <- "data.frame"
    return(
      ggplot2::ggplot(shown, aes(.data$landmark, .data$variance)) +
        ggplot2::geom_line(color = okabe_ito[1]) +
        ggplot2::geom_point(color = okabe_ito[1]) +
        ggplot2::scale_y_log10() +
        ggplot2::labs(x = "landmark", y = "variance left when found")
    )
  }
  shown <- shown_data(object, data, colour, type, max_points)
  plane <- in_plane(object, shown$data, type, perplexity)
  points <- data.frame(a = plane$data[, 1], b = plane$data[, 2])
  if (!is.null(shown$groups)) points$group <- shown$groups
  marks <- data.frame(
    a = plane$landmarks[, 1], b = plane$landmarks[, 2], number = seq_len(nrow(object$landmarks))
  )
  layer <- if (is.null(shown$groups)) {
    ggplot2::geom_point(color = "gray60", size = 0.7, alpha = 0.6)
  } else {
    ggplot2::geom_point(aes(color = .data$group, shape = .data$group), size = 0.9, alpha = 0.6)
  }
  plot <- ggplot2::ggplot(points, aes(.data$a, .data$b)) +
    layer +
    ggplot2::geom_point(
      data = marks, size = 4.5, color = if (is.null(shown$groups)) okabe_ito[6] else "black"
    ) +
    ggplot2::geom_text(data = marks, aes(label = .data$number), color = "white", size = 2.5) +
    ggplot2::labs(x = plane$names[1], y = plane$names[2], color = NULL, shape = NULL)
  # Equal units, because the kernel depends on distances only.
  if (plane$equal) plot <- plot + ggplot2::coord_equal()
  if (!is.null(shown$groups)) {
    plot <- plot +
      ggplot2::scale_colour_manual(values = group_colors(shown$groups)) +
      ggplot2::scale_shape_manual(values = group_shapes(shown$groups)) +
      ggplot2::guides(color = ggplot2::guide_legend(override.aes = list(size = 3, alpha = 1)))
  }
  plot
}
