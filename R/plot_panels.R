# One description of each picture of panels with numbers on both axes, which base graphics and ggplot2 both
# draw: a list of
# - `panels`: a list with one list(name, x, y, log) for each: its title, where there are several, the ranges
#   of its axes, and whether y is logarithmic;
# - `title`, `note` (below the title), and `axes`, the titles of both axes, or NULL;
# - `styles`: a data frame of color, shape, type (of line), width (of ranges) and label. Where there are
#   labels, a key has them, under `key`, its title;
# - data frames of what is drawn, from below to the top, each with the numbers of its panel and its style:
#   `levels` (y), dashed lines across; `ranges` (x, low, high); `sticks` (x, y), lines from 0 to x; `paths`
#   (x, y), lines; `points` (x, y, size as `cex`); `rings` (x, y);
# - `diagonal`: whether y = x is drawn; `places`: a function of limits, the ticks of x; `names`: the names of
#   y = 1, 2, ..., in the place of ticks; `columns`: how many panels stand side by side, or NULL; `square`:
#   whether both axes have the same unit.

panels_picture <- function(panels, title, axes, styles, ..., note = NULL, key = NULL, diagonal = FALSE,
                           places = NULL, names = NULL, columns = NULL, square = FALSE) {
  list(
    panels = panels, title = title, axes = axes, styles = styles, note = note, key = key, diagonal = diagonal,
    places = places, names = names, columns = columns, square = square, ...
  )
}

# The styles of a picture. `label`: NULL for a picture without a key.
mark_styles <- function(color, shape = 16, type = 1, width = 1, label = NULL) {
  out <- data.frame(color = color, shape = shape, type = type, width = width)
  out$label <- label
  out
}

whole_places <- function(limits) unique(round(pretty(limits)))

# ---- base graphics -------------------------------------------------------------------

# Draws a picture. A single panel leaves the page's rows and columns alone. Several share the titles of their
# axes, and have names in the place of titles. `given`: further arguments of plot.default().
draw_panels <- function(picture, given = list()) {
  panels <- picture$panels
  single <- length(panels) == 1
  key <- style_key(picture, if (single) graphics::par("fin")[1] else graphics::par("din")[1])
  # Setting mfrow resets cex, both here and when it is restored.
  cex <- graphics::par("cex")
  old <- graphics::par(c(if (!single) c("mfrow", "oma"), "mar", "cex"))
  on.exit(graphics::par(old))
  axes <- lengths(picture$axes) > 0
  if (single) {
    above <- 2.2 + if (is.null(picture$note)) 0 else 0.9
    graphics::par(mar = c(3.6 + key$lines, margin_of_names(picture$names), above, 1))
    draw_panel(picture, 1, single, given)
    if (!is.null(picture$note)) graphics::mtext(picture$note, line = 0.3, cex = 0.8 * cex)
    return(key$draw("nfc", cex))
  }
  above <- (if (is.null(picture$title)) 0 else 1.7) + if (is.null(picture$note)) 0.3 else 1.1
  graphics::par(mfrow = if (is.null(picture$columns)) {
    panel_grid(length(panels), key$lines)
  } else {
    c(ceiling(length(panels) / picture$columns), picture$columns)
  })
  # Many panels have smaller text and lines, the key and the title have not.
  line <- cex / graphics::par("cex")
  outer <- c(key$lines + 1.4 * axes[1], 1.2 * axes[2], above, 0) * line
  graphics::par(mar = c(2.2, margin_of_ticks(panels), 1.9, 0.7), oma = outer)
  for (i in seq_along(panels)) {
    # Limits of y are those of the first panel, and of others with such an axis.
    other <- panels[[i]]$log != panels[[1]]$log
    draw_panel(picture, i, single, if (other) given[names(given) != "ylim"] else given)
  }
  whole <- function(text, side, at, size, font = 1) {
    if (length(text) && !isFALSE(given$ann)) {
      graphics::mtext(text, side, outer = TRUE, line = at * line, cex = size * cex, font = font, las = 0)
    }
  }
  whole(picture$title, 3, above - 1.5, 1.1, 2)
  whole(picture$note, 3, 0.2, 0.8)
  whole(picture$axes[[1]], 1, 0.1, 1)
  whole(picture$axes[[2]], 2, 0.1, 1)
  key$draw("ndc", cex)
}

# Lines of the left margin that names of up to half of the picture's width need.
margin_of_names <- function(names) {
  if (is.null(names)) return(5)
  wide <- max(graphics::strwidth(names, "inches")) + 0.3
  min(wide, graphics::par("din")[1] / 2) / graphics::par("csi")
}

# Lines of the left margin that the labels of the ticks of all panels need.
margin_of_ticks <- function(panels) {
  labels <- unlist(lapply(panels, function(panel) format(pretty(panel$y))))
  wide <- max(graphics::strwidth(labels, "inches"))
  max(3.4, base_theme()$mgp[2] + 0.6 + wide / graphics::par("csi"))
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

draw_panel <- function(picture, i, single, given) {
  panel <- picture$panels[[i]]
  own_places <- !is.null(picture$places) && is.null(given$xaxt)
  pars <- c(list(
    xlim = panel$x, ylim = panel$y, log = if (panel$log) "y" else "",
    main = if (single) picture$title else panel$name, xlab = if (single) picture$axes[[1]],
    asp = if (picture$square) 1 else NA
  ), base_theme())
  if (own_places) pars$xaxt <- "n"
  if (!is.null(picture$names)) pars$yaxt <- "n"
  pars["xlab"] <- list(pars$xlab %||% "")
  pars[names(given)] <- given
  graphics::plot.new()
  title <- fitted_title(pars$main, if (single) 1.1 else 1)
  pars$main <- ""
  graphics::par(new = TRUE)
  do.call(graphics::plot, c(list(x = NA, y = NA, ylab = ""), pars))
  draw_axes(picture, pars, own_places, if (single) picture$axes[[2]])
  if (!isFALSE(pars$ann)) {
    style <- pars[intersect(names(pars), c("col.main", "font.main"))]
    size <- pars$cex.main %||% title$size
    at <- 0.5 + if (single && !is.null(picture$note)) 0.9 else 0
    do.call(graphics::title, c(list(main = title$main, cex.main = size, line = at), style))
  }
  if (picture$diagonal) graphics::abline(0, 1, col = data_color)
  draw_panel_marks(picture, i)
}

draw_axes <- function(picture, pars, own_places, ylab) {
  if (own_places && !isFALSE(pars$axes)) draw_x_axis(picture$places(pars$xlim), pars)
  names <- picture$names
  if (!is.null(names) && !isFALSE(pars$axes)) {
    # Not by axis(), which leaves out labels that are close.
    room <- graphics::par("pin")[2] / length(names) / graphics::strheight("M", "inches")
    cex <- min(0.9, 0.85 * room) * graphics::par("cex")
    size <- cex / graphics::par("cex")
    names <- shortened(names, graphics::par("mai")[2] - 0.5 * graphics::par("csi"), size)
    graphics::mtext(names, 2, 0.4, at = seq_along(names), las = 1, cex = cex)
  }
  if (!is.null(ylab) && !isFALSE(pars$ann)) draw_y_title(ylab, pars)
}

draw_panel_marks <- function(picture, i) {
  style <- picture$styles
  of <- function(kind) {
    marks <- picture[[kind]]
    marks <- marks[marks$panel == i, , drop = FALSE]
    if (is.null(marks) || nrow(marks) == 0) return(NULL)
    cbind(marks, style[marks$style, setdiff(names(style), "label")])
  }
  if (!is.null(m <- of("levels"))) graphics::abline(h = m$y, lty = 2, col = m$color, lwd = 1.5)
  if (!is.null(m <- of("ranges"))) graphics::segments(m$x, m$low, m$x, m$high, col = m$color, lwd = m$width)
  if (!is.null(m <- of("sticks"))) graphics::segments(0, m$y, m$x, m$y, col = data_color)
  if (!is.null(m <- of("paths"))) {
    for (path in split(m, m$style)) {
      graphics::lines(path$x, path$y, col = path$color[1], lty = path$type[1], lwd = 1.5)
    }
  }
  if (!is.null(m <- of("points"))) graphics::points(m$x, m$y, pch = m$shape, col = m$color, cex = m$size)
  if (!is.null(m <- of("rings"))) graphics::points(m$x, m$y, cex = 2.4, lwd = 2, xpd = NA)
}

# The key below the panels: list(lines, draw). It takes so many lines of text, and draw(units, cex) draws it
# at the lower edge of the region that has these units, as grconvertX() names them.
style_key <- function(picture, width) {
  styles <- picture$styles
  labels <- styles$label
  if (is.null(labels)) return(list(lines = 0, draw = function(units, cex) invisible()))
  # Symbols and gaps take about four letters beside the text.
  wide <- max(graphics::strwidth(c(labels, "mmmm"), "inches", cex = 0.85))
  each <- 1.1 * wide + graphics::strwidth("mmmm", "inches", cex = 0.85)
  columns <- max(1, min(length(labels), floor(width / each)))
  # As even as can be.
  columns <- ceiling(length(labels) / ceiling(length(labels) / columns))
  draw <- function(units, cex) {
    old <- graphics::par(cex = cex)
    on.exit(graphics::par(old))
    graphics::legend(
      graphics::grconvertX(0.5, units, "user"), graphics::grconvertY(0.01, units, "user"),
      legend = labels, title = picture$key, ncol = columns, xjust = 0.5, yjust = 0, xpd = NA, bty = "n",
      cex = 0.85, col = styles$color, pch = styles$shape, lty = styles$type, lwd = 1.5, pt.cex = 1,
      text.width = 1.1 * max(graphics::strwidth(labels, cex = 0.85))
    )
  }
  list(lines = 0.9 * (ceiling(length(labels) / columns) + 1) + 1.4, draw = draw)
}

# ---- ggplot2 -------------------------------------------------------------------------

# The same picture as a ggplot2 object: a facet for each panel.
ggplot_panels <- function(picture) {
  aes <- ggplot2::aes
  .data <- rlang::.data
  panels <- picture$panels
  log <- vapply(panels, `[[`, NA, "log")
  names <- vapply(panels, function(panel) panel$name %||% "", "")
  styles <- picture$styles
  keys <- factor(styles$label %||% seq_len(nrow(styles)), styles$label %||% seq_len(nrow(styles)))
  # Facets share one scale: panels with a logarithmic axis have logarithms as their numbers.
  numbers <- function(marks, columns) {
    if (is.null(marks)) return(NULL)
    at <- log[marks$panel]
    for (column in columns) marks[[column]][at] <- log10(marks[[column]][at])
    marks$key <- keys[marks$style]
    marks$panel <- factor(marks$panel, seq_along(panels))
    marks
  }
  corners <- do.call(rbind, lapply(seq_along(panels), function(i) {
    data.frame(panel = i, style = 1L, x = range(panels[[i]]$x), y = range(panels[[i]]$y))
  }))
  marks <- list(
    ggplot2::geom_blank(aes(.data$x, .data$y), numbers(corners, "y")),
    if (picture$diagonal) ggplot2::geom_abline(intercept = 0, slope = 1, color = data_color),
    if (!is.null(m <- numbers(picture$levels, "y"))) {
      ggplot2::geom_hline(aes(yintercept = .data$y, color = .data$key), m, linetype = 2)
    },
    if (!is.null(m <- numbers(picture$ranges, c("low", "high")))) {
      m$width <- 0.5 * styles$width[m$style]
      ggplot2::geom_linerange(
        aes(.data$x, ymin = .data$low, ymax = .data$high, color = .data$key, linewidth = I(.data$width)), m,
        show.legend = FALSE
      )
    },
    if (!is.null(m <- picture$sticks)) {
      ggplot2::geom_segment(aes(0, .data$y, xend = .data$x, yend = .data$y), numbers(m, "y"),
        color = data_color
      )
    },
    if (!is.null(m <- several_of_each(numbers(picture$paths, "y")))) {
      ggplot2::geom_line(aes(.data$x, .data$y, color = .data$key, linetype = .data$key), m, na.rm = TRUE)
    },
    if (!is.null(m <- numbers(picture$points, "y"))) {
      m$size <- 2 * m$size
      ggplot2::geom_point(
        aes(.data$x, .data$y, color = .data$key, shape = .data$key, size = I(.data$size)), m
      )
    },
    if (!is.null(m <- numbers(picture$rings, "y"))) {
      ggplot2::geom_point(aes(.data$x, .data$y), m, shape = 1, size = 4.5, stroke = 1.1, show.legend = FALSE)
    }
  )
  plot <- ggplot2::ggplot()
  for (layer in marks) plot <- plot + layer
  plot <- plot + style_scales(picture, keys) + ggplot2::labs(
    x = picture$axes[[1]], y = picture$axes[[2]], title = picture$title, subtitle = picture$note
  ) + theme_landmarks()
  plot <- plot + panel_scales(picture, log)
  if (length(panels) == 1) return(plot + if (picture$square) ggplot2::coord_equal())
  same <- length(unique(lapply(panels, `[[`, "x"))) == 1
  plot + ggplot2::facet_wrap(ggplot2::vars(.data$panel),
    scales = if (same) "free_y" else "free", ncol = picture$columns,
    labeller = ggplot2::as_labeller(stats::setNames(names, seq_along(panels)))
  )
}

# The marks of lines with two points or more: of others ggplot2 would say that they are none.
several_of_each <- function(marks) {
  if (is.null(marks)) return(NULL)
  marks[stats::ave(marks$x, marks$panel, marks$style, FUN = length) > 1, , drop = FALSE]
}

# Colors, shapes and types of lines of the styles, with one key for all.
style_scales <- function(picture, keys) {
  styles <- picture$styles
  guide <- if (is.null(styles$label)) "none" else "legend"
  scale <- function(of, values) {
    of(picture$key, values = stats::setNames(values, keys), limits = levels(keys), guide = guide)
  }
  list(
    scale(ggplot2::scale_colour_manual, styles$color),
    if (!is.null(picture$points)) scale(ggplot2::scale_shape_manual, styles$shape),
    if (!is.null(picture$paths)) scale(ggplot2::scale_linetype_manual, styles$type)
  )
}

# The axes. `log`: which panels have a logarithmic y.
panel_scales <- function(picture, log) {
  list(
    if (!is.null(picture$places)) {
      ggplot2::scale_x_continuous(
        breaks = picture$places, guide = ggplot2::guide_axis(check.overlap = TRUE)
      )
    },
    if (!is.null(picture$names)) {
      names <- cut_middle(picture$names, 30)
      ggplot2::scale_y_continuous(breaks = seq_along(names), labels = names)
    } else if (any(log)) {
      ranges <- lapply(picture$panels, function(panel) if (panel$log) log10(panel$y) else panel$y)
      ggplot2::scale_y_continuous(
        breaks = function(limits) log_places(limits, is_of_log(limits, ranges, log)),
        labels = function(at) log_labels(at, is_of_log(at, ranges, log))
      )
    }
  )
}

# Whether numbers on an axis are of a panel with logarithms. A scale that facets share knows nothing of
# panels: they are told by their ranges.
is_of_log <- function(at, ranges, log) {
  apart <- vapply(ranges, function(range) sum(abs(range(at, na.rm = TRUE) - range)), 0)
  log[which.min(apart)]
}

log_places <- function(limits, log) {
  if (!log) return(pretty(limits))
  at <- pretty(limits, 4)
  whole <- unique(round(at))
  if (sum(whole >= limits[1] & whole <= limits[2]) >= 2) whole else at
}

log_labels <- function(at, log) {
  if (!log) return(ifelse(is.na(at), "", format(at)))
  ifelse(is.na(at), "", formatC(10^at, digits = 2, format = "g"))
}
