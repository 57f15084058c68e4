#' @rdname plot.cv_landmarks
#' @exportS3Method ggplot2::autoplot
autoplot.cv_landmarks <- function(object, measure = NULL, part = NULL, ...) {
  need_package("ggplot2", "autoplot()")
  check_dots(...)
  check_cv(object, "object")
  measure <- check_measures(measure, object$type)
  part <- check_part(object, part)
  shown <- lines_frame(object, measure, part)
  aes <- ggplot2::aes
  .data <- rlang::.data
  curves <- shown[!shown$flat, , drop = FALSE]
  longer <- which(lengths(plot_lines(object)$rows) > 1)
  several <- length(object$bandwidths) > 1
  style <- if (several) {
    aes(.data$n, .data$mean, color = .data$method, shape = .data$bandwidth, linetype = .data$bandwidth)
  } else {
    aes(.data$n, .data$mean, color = .data$method, shape = .data$method)
  }
  colors <- stats::setNames(rep_len(method_colors(), nlevels(shown$method)), levels(shown$method))
  kinds <- if (several) levels(shown$bandwidth) else levels(shown$method)
  plot <- ggplot2::ggplot(curves, style) +
    ggplot2::geom_hline(
      data = shown[shown$flat, , drop = FALSE], mapping = aes(yintercept = .data$mean, color = .data$method),
      linetype = 2
    ) +
    ggplot2::geom_linerange(aes(ymin = .data$mean - .data$error, ymax = .data$mean + .data$error),
      linetype = 1, show.legend = FALSE
    ) +
    ggplot2::geom_line(aes(group = .data$line), data = curves[curves$line %in% longer, , drop = FALSE]) +
    ggplot2::geom_point(size = 2) +
    ggplot2::geom_point(
      data = shown[shown$best, , drop = FALSE], mapping = aes(.data$n, .data$mean), inherit.aes = FALSE,
      shape = 1, size = 4.5, stroke = 1.1
    ) +
    ggplot2::scale_colour_manual(values = colors, limits = names(colors)) +
    ggplot2::scale_shape_manual(values = rep_len(line_shapes, length(kinds)), limits = kinds) +
    ggplot2::scale_x_continuous(breaks = axis_sizes(object)) +
    ggplot2::labs(
      x = "number of landmarks", y = NULL, title = part_titles[[part]],
      subtitle = paste("bars: one standard error; ring: best", object$measure), color = "method",
      shape = if (several) "bandwidth" else "method"
    ) +
    # ggplot2 tells of a label for what is not drawn.
    (if (several) ggplot2::labs(linetype = "bandwidth")) +
    theme_landmarks()
  if (length(measure) > 1) return(plot + ggplot2::facet_wrap(~measure, scales = "free_y"))
  plot + ggplot2::labs(y = measure_label(measure))
}

# What is drawn, a row for each row of the table and measure.
lines_frame <- function(x, measure, part) {
  s <- x$summary
  lines <- plot_lines(x)
  line <- integer(nrow(s))
  for (i in seq_along(lines$rows)) line[lines$rows[[i]]] <- i
  many <- axis_sizes(x)
  beside <- lines_beside(lines, range(many))
  best <- best_place(x, lines, beside, many)
  n <- s$n + beside[line]
  n[best$row] <- best$n
  labels <- vapply(measure, measure_label, "", short = TRUE)
  each <- lapply(measure, function(m) {
    value <- shown_values(x, m, part)
    data.frame(
      n = n, mean = value$mean, error = value$error, line = line, flat = is.na(s$n),
      method = factor(s$method, unique(s$method)), bandwidth = factor(s$bandwidth, x$bandwidths),
      best = seq_len(nrow(s)) == best$row, measure = factor(measure_label(m, TRUE), labels)
    )
  })
  out <- do.call(rbind, each)
  out[!is.na(out$mean), , drop = FALSE]
}
