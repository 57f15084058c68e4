# The pictures of a fit by by_response(): how well held-out rows are predicted, and on which columns distances
# depend.

# ---- held-out rows -------------------------------------------------------------------

# An error where a fit has no held-out rows to draw.
check_drawable_response <- function(fit, arg, call = rlang::caller_env()) {
  if (!is.null(fit$response$held_out$index)) return(invisible())
  abort_input(c(
    "{.code type = \"fit\"} needs a fit by {.fn by_response} with held-out rows.",
    x = if (is.null(fit$response)) "This fit has no response." else "No rows of this fit were held out."
  ), arg = arg, kind = "fit", call = call)
}

# What is drawn of held-out rows, list(points, title, xlab, ylab): of numbers each row, with the `output` that
# it belongs to; of classes and tags the `rows` with about the same probability, and between which limits the
# share with the class would be, in 95 of 100 cases, if the probabilities were right.
held_out_points <- function(fit) {
  r <- fit$response
  report <- r$held_out
  if (r$type %in% c("number", "numbers")) {
    outputs <- colnames(report$fitted)
    points <- data.frame(
      fitted = as.vector(report$fitted), observed = as.vector(report$observed),
      output = factor(rep(outputs, each = nrow(report$fitted)), outputs)
    )
    return(list(points = points, title = "Held-out rows", xlab = "predicted", ylab = "observed"))
  }
  p <- report$fitted
  classes <- if (r$type == "binary") 1 else seq_len(ncol(p))
  truth <- if (r$type == "tags") report$observed else outer(report$observed, classes, "==")
  bin <- probability_bins(as.vector(p))
  mean_of <- function(v) as.vector(tapply(as.vector(v), bin, mean))
  rows <- as.vector(table(bin))
  some <- rows > 0
  expected <- mean_of(p)[some]
  points <- data.frame(
    fitted = expected, observed = mean_of(truth)[some], rows = rows[some],
    low = stats::qbinom(0.025, rows[some], expected) / rows[some],
    high = stats::qbinom(0.975, rows[some], expected) / rows[some]
  )
  list(
    points = points, title = "Held-out rows: are probabilities right?", xlab = "predicted probability",
    ylab = "observed share"
  )
}

plot_response <- function(fit, main, xlab, ylab, ...) {
  shown <- held_out_points(fit)
  points <- shown$points
  panels <- if (is.null(points$output)) list(points) else split(points, points$output)
  if (length(panels) > 1) {
    cex <- graphics::par("cex")
    old <- graphics::par(mfrow = grDevices::n2mfrow(length(panels)))
    on.exit(graphics::par(c(old, cex = cex)))
  }
  for (k in seq_along(panels)) {
    one <- panels[[k]]
    range <- if (is.null(one$rows)) range(one$fitted, one$observed) else c(0, 1)
    title <- main %||% if (length(panels) > 1) names(panels)[k] else shown$title
    pars <- list(
      x = range, y = range, type = "n", main = title, xlab = xlab %||% shown$xlab, ylab = ylab %||% shown$ylab
    )
    do.call(graphics::plot, utils::modifyList(c(pars, base_theme()), list(...)))
    graphics::abline(0, 1, col = data_color)
    if (is.null(one$rows)) {
      graphics::points(one$fitted, one$observed, pch = 16, cex = 0.6, col = okabe_ito[1])
    } else {
      graphics::segments(one$fitted, one$low, one$fitted, one$high, col = "gray85", lwd = 5)
      graphics::points(one$fitted, one$observed, pch = 16, cex = point_sizes(one$rows), col = okabe_ito[1])
    }
  }
}

# Sizes of points whose areas grow with the number of rows.
point_sizes <- function(rows) 0.8 + 1.7 * sqrt(rows / max(rows))

autoplot_response <- function(fit) {
  aes <- ggplot2::aes
  .data <- rlang::.data
  shown <- held_out_points(fit)
  points <- shown$points
  plot <- ggplot2::ggplot(points, aes(.data$fitted, .data$observed)) +
    ggplot2::geom_abline(intercept = 0, slope = 1, colour = data_color) +
    ggplot2::labs(x = shown$xlab, y = shown$ylab, title = shown$title) +
    theme_landmarks()
  if (is.null(points$rows)) {
    plot <- plot + ggplot2::geom_point(colour = okabe_ito[1], size = 1)
    several <- nlevels(points$output) > 1
    return(if (several) plot + ggplot2::facet_wrap(ggplot2::vars(.data$output), scales = "free") else plot)
  }
  plot +
    ggplot2::geom_linerange(aes(ymin = .data$low, ymax = .data$high), colour = "gray85", linewidth = 2) +
    ggplot2::geom_point(aes(size = .data$rows), colour = okabe_ito[1]) +
    ggplot2::scale_size_area(max_size = 5) +
    ggplot2::coord_equal(xlim = c(0, 1), ylim = c(0, 1))
}

# ---- relevances ----------------------------------------------------------------------

# The columns on which distances depend most, the largest last: columns and shares of the largest.
most_relevant <- function(fit, most = 30) {
  columns <- tidy_columns(fit)
  first <- utils::head(order(-columns$distance), most)
  columns[rev(first), c("column", "distance")]
}

relevance_title <- function(fit) {
  if (is.null(fit$relevance)) "Spread of columns: no relevances were learned" else "Relevance of columns"
}

relevance_axis <- "relative to the largest"

plot_relevance <- function(fit, main, xlab, ylab, ...) {
  shown <- as.data.frame(most_relevant(fit))
  wide <- max(graphics::strwidth(shown$column, "inches")) + 0.3
  old <- graphics::par(mai = replace(graphics::par("mai"), 2, min(wide, graphics::par("din")[1] / 2)))
  on.exit(graphics::par(old))
  n <- nrow(shown)
  pars <- list(
    x = c(0, 1), y = c(0.5, n + 0.5), type = "n", yaxt = "n", main = main %||% relevance_title(fit),
    xlab = xlab %||% relevance_axis, ylab = ylab %||% ""
  )
  do.call(graphics::plot, utils::modifyList(c(pars, base_theme()), list(...)))
  graphics::segments(0, seq_len(n), shown$distance, seq_len(n), col = data_color)
  graphics::points(shown$distance, seq_len(n), pch = 16, col = okabe_ito[1])
  # Not by axis(), which leaves out labels that are close.
  room <- graphics::par("pin")[2] / n / graphics::strheight("M", "inches")
  cex <- min(0.9, 0.85 * room) * graphics::par("cex")
  graphics::mtext(shown$column, 2, 0.4, at = seq_len(n), las = 1, cex = cex)
}

autoplot_relevance <- function(fit) {
  .data <- rlang::.data
  shown <- as.data.frame(most_relevant(fit))
  shown$column <- factor(shown$column, shown$column)
  ggplot2::ggplot(shown, ggplot2::aes(.data$distance, .data$column)) +
    ggplot2::geom_segment(ggplot2::aes(xend = 0, yend = .data$column), colour = data_color) +
    ggplot2::geom_point(colour = okabe_ito[1]) +
    ggplot2::labs(x = relevance_axis, y = NULL, title = relevance_title(fit)) +
    theme_landmarks()
}
