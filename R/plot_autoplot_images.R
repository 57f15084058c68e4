# Landmarks as images with ggplot2: a facet for each image, a tile for each pixel.

autoplot_images <- function(object, dim, which = NULL, byrow = TRUE, columns = NULL, labels = FALSE,
                            range = NULL, col = grDevices::gray.colors(256, 1, 0), ...,
                            call = rlang::caller_env()) {
  check_dots(..., call = call)
  shown <- images_to_draw(object, dim, which, byrow, columns, labels, range, col, call)
  height <- shown$dim[1]
  width <- shown$dim[2]
  n <- nrow(shown$images)
  at <- seq_len(height * width) - 1
  row <- if (byrow) at %/% width else at %% height
  column <- if (byrow) at %% width else at %/% height
  pixels <- data.frame(
    image = factor(rep(seq_len(n), each = height * width)), x = rep(column + 1, n), y = rep(height - row, n),
    level = as.vector(t(pmin(pmax(shown$images, shown$range[1]), shown$range[2])))
  )
  .data <- rlang::.data
  named <- !identical(shown$labels, FALSE)
  text <- stats::setNames(if (named) as.character(shown$labels) else rep("", n), seq_len(n))
  none <- ggplot2::element_blank()
  ggplot2::ggplot(pixels, ggplot2::aes(.data$x, .data$y, fill = .data$level)) +
    ggplot2::geom_raster() +
    ggplot2::facet_wrap(ggplot2::vars(.data$image),
      ncol = shown$columns, labeller = ggplot2::labeller(image = text)
    ) +
    ggplot2::scale_fill_gradientn(colors = col, limits = shown$range, guide = "none") +
    ggplot2::coord_equal(expand = FALSE) +
    ggplot2::labs(x = NULL, y = NULL) +
    theme_landmarks() +
    ggplot2::theme(
      axis.text = none, axis.ticks = none, axis.line = none, strip.text = if (named) NULL else none,
      panel.border = ggplot2::element_rect(color = "gray85", fill = NA, linewidth = 0.3),
      panel.spacing = ggplot2::unit(2, "pt")
    )
}
