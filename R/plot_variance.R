# The picture of the variances of a fit, two panels: what was left at each landmark, and what is explained.

variance_titles <- c(
  left = "Variance at each landmark, given those before", explained = "Variance explained so far"
)

plot_variance <- function(fit, main, xlab, ylab, ...) {
  n <- seq_len(nrow(fit$landmarks))
  # Setting mfrow resets cex, both here and when it is restored.
  cex <- graphics::par("cex")
  old <- graphics::par(mfrow = c(2, 1), mar = c(3.4, 5.2, 2.2, 1))
  on.exit(graphics::par(c(old, cex = cex)))
  # Landmarks given by the user may all have variance 0, which a logarithmic axis cannot show.
  shown <- fit$variance > 0 | all(fit$variance <= 0)
  log <- any(fit$variance > 0)
  panel <- function(x, y, color, main, ...) {
    graphics::plot.new()
    title <- fitted_title(main, 1)
    graphics::par(new = TRUE)
    pars <- utils::modifyList(base_theme(), list(cex.main = title$size, ...))
    do.call(graphics::plot, c(list(x, y, xlab = "", ylab = "", main = title$main, xlim = range(n)), pars))
    graphics::lines(x, y, type = "o", pch = 16, cex = 0.7, col = color)
  }
  panel(n[shown], fit$variance[shown], okabe_ito[1], main %||% variance_titles[["left"]],
    type = "n", log = if (log) "y" else "", ...
  )
  graphics::title(ylab = ylab %||% if (log) "variance (log)" else "variance", line = 4)
  panel(n, 100 * fit$explained, okabe_ito[6], variance_titles[["explained"]], type = "n", ylim = c(0, 100))
  graphics::title(xlab = xlab %||% "landmark", line = 2)
  graphics::title(ylab = "% of the kernel's", line = 4)
}

# The same two panels. Facets share one scale: the upper has logarithms as its numbers, the lower shares
# from 0 to 1, and each has the labels of its kind.
autoplot_variance <- function(fit) {
  aes <- ggplot2::aes
  .data <- rlang::.data
  n <- nrow(fit$landmarks)
  log <- any(fit$variance > 0)
  left <- if (log) log10(ifelse(fit$variance > 0, fit$variance, NA)) else fit$variance
  kinds <- c(
    paste0(variance_titles[["left"]], if (log) " (log scale)"),
    paste0(variance_titles[["explained"]], " (% of the kernel's)")
  )
  shown <- data.frame(
    landmark = rep(seq_len(n), 2), value = c(left, fit$explained), panel = factor(rep(kinds, each = n), kinds)
  )
  shown <- shown[!is.na(shown$value), ]
  ends <- data.frame(landmark = 1, value = c(0, 1), panel = factor(kinds[2], kinds))
  ggplot2::ggplot(shown, aes(.data$landmark, .data$value, color = .data$panel)) +
    ggplot2::geom_blank(data = ends) +
    ggplot2::geom_line() +
    ggplot2::geom_point(size = 1.5) +
    ggplot2::facet_wrap(ggplot2::vars(.data$panel), ncol = 1, scales = "free_y") +
    ggplot2::scale_colour_manual(values = stats::setNames(okabe_ito[c(1, 6)], kinds), guide = "none") +
    ggplot2::scale_x_continuous(breaks = whole_breaks) +
    ggplot2::scale_y_continuous(breaks = function(limits) variance_breaks(limits, log),
      labels = function(at) variance_labels(at, log)
    ) +
    ggplot2::labs(x = "landmark", y = NULL) +
    theme_landmarks()
}

whole_breaks <- function(limits) unique(round(pretty(limits)))

# Shares reach from 0 to 1, and the logarithms of variances are below them: a variance is at most 1.
# `limits` are those of the panel, which is a little larger than its data.
variance_breaks <- function(limits, log) {
  if (!log) return(pretty(limits))
  if (limits[1] > -0.3 && limits[2] > 0.99) return(0:4 / 4)
  at <- pretty(limits, 4)
  whole <- unique(round(at))
  if (sum(whole >= limits[1] & whole <= limits[2]) >= 2) whole else at
}

variance_labels <- function(at, log) {
  if (!log) return(format(at))
  known <- at[!is.na(at)]
  if (length(known) > 2 && all(known %in% (0:4 / 4))) return(paste0(100 * at, "%"))
  ifelse(is.na(at), "", formatC(10^at, digits = 2, format = "g"))
}
