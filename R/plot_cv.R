#' Plots of a comparison
#'
#' `plot()` draws the measures of [cv_landmarks()] against the number of landmarks: a panel for each measure,
#' a line for each method, or for each method and bandwidth where there are several, and bars of one standard
#' error (as Figure 5 of Liang and Paisley, 2015). A ring marks the best row. Methods without a number of
#' landmarks are dashed horizontal lines. `autoplot()` draws the same panels as a ggplot2 object.
#'
#' A single panel fits into the rows and columns of `par(mfrow = )`. Several panels take the whole page.
#'
#' @param x,object An object of class `cv_landmarks`.
#' @param measure The measures to draw, one or several names (see [cv-measures]). `NULL`, the
#'   default, draws all that belong to such a response.
#' @param part `"held"` for the held-out rows, or `"test"` for the test rows, which is the default where
#'   there are some.
#' @param main Title of the plot.
#' @param xlab,ylab Axis labels of each panel.
#' @param ... For `plot()` further arguments of [plot.default()], for example `ylim` for a single measure.
#'   For `autoplot()` an argument here is an error.
#' @return `plot()`: the object, invisibly. `autoplot()`: an object of class `ggplot`.
#' @seealso [cv_landmarks()], [summary.cv_landmarks()]
#' @examples
#' cv <- cv_landmarks(iris[1:4], iris$Species,
#'   n = c(3, 6, 12), methods = list(gp = by_gp(), random = by_random()),
#'   folds = 3, seeds = 1, scale = TRUE
#' )
#' plot(cv)
#' plot(cv, measure = "deviance")
#' if (requireNamespace("ggplot2", quietly = TRUE)) print(ggplot2::autoplot(cv))
#' @export
plot.cv_landmarks <- function(x, measure = NULL, part = NULL, main = NULL, xlab = NULL, ylab = NULL, ...) {
  check_cv(x)
  measure <- check_measures(measure, x$type)
  part <- check_part(x, part)
  given <- list(...)
  check_plot_args(given)
  check_titles(main = main, xlab = xlab, ylab = ylab)
  lines <- plot_lines(x)
  single <- length(measure) == 1
  key <- lines_key(x, lines, if (single) graphics::par("fin")[1] else graphics::par("din")[1])
  cex <- graphics::par("cex")
  title <- main %||% part_titles[[part]]
  # A single panel leaves the page's rows and columns alone.
  old <- graphics::par(c(if (!single) c("mfrow", "oma"), "mar", "las", "mgp"))
  on.exit(graphics::par(c(old, cex = cex)))
  if (single) {
    graphics::par(mar = c(3.6 + key$lines, 5, 3.2, 1), las = 1, mgp = c(2.3, 0.7, 0))
  } else {
    graphics::par(mfrow = panel_grid(length(measure), key$lines))
    # Many panels have smaller text and lines, the key and the title have not.
    line <- cex / graphics::par("cex")
    graphics::par(
      mar = c(3.4, 4.2, 2, 1), oma = c(key$lines, 0, 2.8, 0) * line, las = 1, mgp = c(2.2, 0.7, 0)
    )
  }
  for (m in measure) {
    text <- list(
      main = if (single) title else measure_label(m, TRUE), xlab = xlab %||% "number of landmarks",
      ylab = ylab %||% if (single) measure_label(m)
    )
    drawing(draw_measure(x, m, part, lines, text, given), given)
  }
  if (!single) graphics::mtext(title, outer = TRUE, font = 2, line = 1.4 * line, cex = 1.1 * cex)
  if (has_bars(x, measure, part)) {
    at <- 0.3 * if (single) 1 else line
    graphics::mtext("bars: one standard error", outer = !single, line = at, cex = 0.8 * cex)
  }
  key$draw(if (single) "nfc" else "ndc", cex)
  invisible(x)
}

part_titles <- c(test = "Test rows", held = "Held-out rows")

check_measures <- function(measure, type, call = rlang::caller_env()) {
  choices <- measure_names[[type]]
  if (is.null(measure)) return(choices)
  if (!is.character(measure) || length(measure) == 0 || !all(measure %in% choices)) {
    shown <- paste0("\"", choices, "\"")
    other <- if (is.character(measure)) setdiff(measure, choices)
    abort_input(c(
      "{.arg measure} must be one or several of {.or {shown}}, or NULL for all of them.",
      x = if (length(other)) "It contains {.val {other[1]}}." else "It is {describe(measure)}."
    ), arg = "measure", call = call)
  }
  unique(measure)
}

check_part <- function(x, part, call = rlang::caller_env()) {
  parts <- c(if (x$n_test) "test", "held")
  check_choice(part %||% parts[1], parts, "part", call)
}

# Rows and columns of panels, whose regions without margins are as large as can be and wider than high.
panel_grid <- function(count, key_lines) {
  columns <- seq_len(count)
  rows <- ceiling(count / columns)
  size <- graphics::par("din")
  line <- graphics::par("csi")
  width <- size[1] / columns - 5.2 * line
  height <- (size[2] - (key_lines + 2.8) * line) / rows - 5.4 * line
  best <- which.max(pmin(width, 1.3 * height))
  c(rows[best], columns[best])
}

# One panel. `text`: its titles; `given`: what the user gave for plot.default().
draw_measure <- function(x, measure, part, lines, text, given) {
  value <- shown_values(x, measure, part)
  many <- axis_sizes(x)
  reach <- range(many)
  margin <- max(diff(reach), 1) * 0.05
  ends <- c(value$mean - value$error, value$mean + value$error)
  # Where no row has this measure the panel is empty.
  pars <- c(list(
    xlim = reach + c(-margin, margin), ylim = if (all(is.na(ends))) 0:1 else range(ends, na.rm = TRUE),
    xaxt = "n", bty = "l", ylab = ""
  ), text[c("main", "xlab")])
  pars[names(given)] <- given
  do.call(graphics::plot, c(list(x = NA, y = NA), pars))
  if (!is.null(text$ylab)) graphics::title(ylab = text$ylab, line = 3.7)
  if (is.null(given$xaxt)) graphics::axis(1, at = many)
  beside <- lines_beside(lines, reach)
  for (i in seq_along(lines$label)) {
    at <- lines$rows[[i]]
    mean <- value$mean[at]
    if (lines$flat[i]) {
      graphics::abline(h = mean, lty = 2, col = lines$color[i], lwd = 1.5)
      next
    }
    where <- x$summary$n[at] + beside[i]
    graphics::segments(where, mean - value$error[at], where, mean + value$error[at], col = lines$color[i])
    graphics::lines(where, mean, col = lines$color[i], lty = lines$type[i], lwd = 1.5)
    graphics::points(where, mean, pch = lines$shape[i], col = lines$color[i])
  }
  best <- best_place(x, lines, beside, many)
  graphics::points(best$n, value$mean[best$row], cex = 2.4, lwd = 2, xpd = NA)
}

has_bars <- function(x, measure, part) {
  any(vapply(measure, function(m) any(shown_values(x, m, part)$error > 0), NA))
}

# The means of a measure and their standard errors, 0 where there is none.
shown_values <- function(x, measure, part) {
  name <- paste0(if (part == "test") "test_", measure)
  error <- x$summary[[paste0(name, "_se")]]
  list(mean = x$summary[[name]], error = ifelse(is.na(error), 0, error))
}

# The numbers of landmarks on the axis.
axis_sizes <- function(x) {
  many <- sort(unique(x$summary$n[!is.na(x$summary$n)]))
  if (length(many)) many else 1
}

# Lines stand beside each other, so that no bar hides another.
lines_beside <- function(lines, reach) {
  (seq_along(lines$label) - (length(lines$label) + 1) / 2) * max(diff(reach), 1) * 0.008
}

# Where the ring of the best row stands: on its line, in the middle of a line without numbers.
best_place <- function(x, lines, beside, many) {
  row <- best_row(x)
  line <- which(vapply(lines$rows, function(rows) row %in% rows, NA))
  n <- x$summary$n[row]
  list(row = row, n = if (is.na(n)) mean(range(many)) else n + beside[line])
}

# The lines of the picture, each with the numbers of its rows in the table: one for each method or, with
# several bandwidths, for each method and bandwidth. Methods differ by color. Bandwidths, where there are
# several, differ by shape and type of line.
plot_lines <- function(x) {
  s <- x$summary
  several <- length(x$bandwidths) > 1
  key <- if (several) paste(s$method, s$bandwidth) else s$method
  first <- which(!duplicated(key))
  method <- match(s$method[first], unique(s$method))
  bandwidth <- match(s$bandwidth[first], x$bandwidths)
  kind <- if (several) ifelse(is.na(bandwidth), 1L, bandwidth) else method
  list(
    label = paste0(
      s$method[first], ifelse(several & !is.na(bandwidth), paste0(", ", s$bandwidth[first]), "")
    ),
    rows = lapply(key[first], function(k) which(key == k)),
    color = method_colors()[(method - 1) %% 9 + 1],
    shape = line_shapes[(kind - 1) %% 9 + 1],
    type = if (several) c(1, 2, 4, 5, 3, 6)[(kind - 1) %% 6 + 1] else rep(1, length(first)),
    flat = is.na(s$n[first])
  )
}

# The key below the panels: list(lines, draw). It takes so many lines of text, and draw(units, cex) draws it
# at the lower edge of the region that has these units, as grconvertX() names them.
lines_key <- function(x, lines, width) {
  title <- if (length(x$bandwidths) > 1) "method, bandwidth" else "method"
  labels <- c(lines$label, paste("best", x$measure))
  # An average letter is not as wide as the font's widest; symbol and gaps take about seven.
  each <- (max(nchar(labels)) + 7) * 0.6 * graphics::par("cin")[1]
  columns <- max(1, min(length(labels), floor(width / each)))
  draw <- function(units, cex) {
    old <- graphics::par(cex = cex)
    on.exit(graphics::par(old))
    text_width <- 1.1 * max(graphics::strwidth(labels, cex = 0.85))
    graphics::legend(
      graphics::grconvertX(0.5, units, "user"), graphics::grconvertY(0.01, units, "user"),
      legend = labels, title = title, ncol = columns, xjust = 0.5, yjust = 0, xpd = NA, bty = "n", cex = 0.85,
      col = c(lines$color, "black"), pch = c(ifelse(lines$flat, NA, lines$shape), 1),
      lty = c(ifelse(lines$flat, 2, lines$type), NA), lwd = c(rep(1.5, length(lines$label)), 2),
      pt.cex = c(rep(1, length(lines$label)), 1.6), text.width = text_width
    )
  }
  list(lines = 0.9 * (ceiling(length(labels) / columns) + 1) + 1, draw = draw)
}

# `short`: for a title, above one of many panels.
measure_label <- function(measure, short = FALSE) {
  shorter <- list(auc = "area under ROC", map = "average precision", mse = "squared error")
  if (short && measure %in% names(shorter)) return(shorter[[measure]])
  switch(measure,
    auc = "area under the ROC curve", map = "mean average precision", f = "F", mse = "mean squared error",
    r_squared = "R squared", measure
  )
}

# ---- the same by ggplot2 -------------------------------------------------------------

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
    # Only then: ggplot2 has a message for a label of an aesthetic that is not drawn.
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
