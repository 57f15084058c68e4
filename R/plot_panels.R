# The description of a picture of panels with numbers on both axes, and the ggplot that it becomes: a list of
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

# ---- ggplot2 -------------------------------------------------------------------------

# The picture: a facet for each panel.
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
  known <- stats::ave(as.double(!is.na(marks$y)), marks$panel, marks$style, FUN = sum)
  marks[known > 1, , drop = FALSE]
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
