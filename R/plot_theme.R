# The theme of all pictures: colors, shapes, titles, legends.

# The colors of Okabe and Ito, which differ for any kind of color vision, without
# black, the color of landmarks among groups.
okabe_ito <- c("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442")
landmark_color <- "#D55E00"
data_color <- "gray60"
unknown_color <- "gray70"

# Up to so many groups have a legend and a color each. With more, groups of one color have different shapes,
# and names stand on the groups.
most_keyed <- 7
names_stand <- function(groups) nlevels(groups) > most_keyed
# Ordered groups go from dark to light, not to the lightest, which is hardly seen on white.
group_colors <- function(groups) {
  k <- seq_len(nlevels(groups))
  if (is.ordered(groups)) return(on_scale(k, c(1, 1.15 * max(k, 2)), sequential_colors()))
  okabe_ito[1 + (k - 1) %% 7]
}
group_shapes <- function(groups) {
  if (is.ordered(groups)) return(rep(16, nlevels(groups)))
  c(16, 17, 15, 4, 3, 18, 8)[1 + (seq_len(nlevels(groups)) - 1) %/% 7 %% 7]
}

# Colors of groups in a raster, which has no shapes: groups of one color have different shades, dark, then
# light.
group_shades <- function(groups) {
  if (is.ordered(groups)) return(group_colors(groups))
  turn <- (seq_len(nlevels(groups)) - 1) %/% 7 %% 3
  mixed(group_colors(groups), ifelse(turn < 2, "black", "white"), c(0, 0.5, 0.55)[turn + 1])
}

# Colors with a share of another color.
mixed <- function(colors, other, share) {
  rgb <- grDevices::col2rgb(colors)
  rgb <- t(rgb) + share * t(grDevices::col2rgb(rep_len(other, length(colors))) - rgb)
  grDevices::rgb(rgb[, 1], rgb[, 2], rgb[, 3], maxColorValue = 255)
}

# Colors whose perceived differences are proportional to those of the numbers: viridis. The approximation by
# hcl.colors() has jumps in lightness.
viridis <- c(
  "#440154", "#482878", "#3E4989", "#31688E", "#26828E", "#1F9E89", "#35B779", "#6DCD59", "#B4DE2C", "#FDE725"
)
sequential_colors <- function() grDevices::colorRampPalette(viridis)(256)
density_colors <- function() grDevices::hcl.colors(256, "Blues 3", rev = TRUE)[-(1:60)]

# The colors of numbers on a scale over `range`; numbers beyond it get the color of the nearer end.
on_scale <- function(values, range, colors) {
  share <- pmin(pmax((values - range[1]) / (range[2] - range[1]), 0), 1)
  out <- colors[1 + round((length(colors) - 1) * share)]
  out[is.na(out)] <- unknown_color
  out
}

# Round places on a scale.
scale_ticks <- function(range, shown = identity) {
  at <- as.double(pretty(shown(range), 5))
  at[at >= range[1] & at <= range[2]]
}

# Their labels, with as many digits as tell them apart.
tick_labels <- function(at, shown = identity) {
  values <- shown(at)
  labels <- format(values)
  if (!anyDuplicated(labels)) return(labels)
  if (is.numeric(values)) format(values, digits = 15) else format(values, "%H:%M:%OS3")
}

# White on dark colors, black on light ones.
ink_on <- function(colors) {
  ifelse(colSums(c(0.299, 0.587, 0.114) * grDevices::col2rgb(colors)) > 150, "black", "white")
}

# ---- ggplot2 -----------------------------------------------------------------------

#' The theme of landmarker's ggplots
#'
#' All `autoplot()` methods of this package use this theme: white background, two axis lines without a grid,
#' and a bold title. Add it to a plot of your own for the same look, or add another theme to a plot of
#' `autoplot()` to change its look.
#'
#' @param base_size The size of text in points, a number above 0. Default 11, as in ggplot2.
#' @return An object of class `theme`.
#' @section Errors:
#' `landmarker_error_input` for a wrong `base_size`.
#' @examples
#' fit <- landmarks(iris[1:4], 6)
#' ggplot2::autoplot(fit, iris[1:4]) + theme_landmarks(14)
#' @export
theme_landmarks <- function(base_size = 11) {
  base_size <- check_number(base_size, "base_size", 0)
  text <- ggplot2::element_text
  ggplot2::theme_classic(base_size) + ggplot2::theme(
    plot.title = text(face = "bold", hjust = 0.5, size = ggplot2::rel(1.05)),
    plot.title.position = "plot",
    plot.caption = text(hjust = 0.5, size = ggplot2::rel(0.8), color = "gray20"),
    plot.caption.position = "plot",
    plot.subtitle = text(hjust = 0.5, size = ggplot2::rel(0.85), color = "gray20"),
    axis.text = text(color = "gray20"),
    axis.line = ggplot2::element_line(color = "gray40", linewidth = 0.4),
    axis.ticks = ggplot2::element_line(color = "gray40", linewidth = 0.4),
    strip.background = ggplot2::element_blank(),
    strip.text = text(face = "bold"),
    legend.title = text(size = ggplot2::rel(0.9)),
    panel.spacing = ggplot2::unit(base_size, "pt")
  )
}

# ---- axes and scales of ggplot2 ------------------------------------------------------

# Without clipping: the number of a landmark at the edge may reach beyond the panel.
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

# Text of a legend in lines of a size that leaves room for the data.
wrapped <- function(text, width = 24) {
  vapply(as.character(text), function(one) paste(strwrap(one, width), collapse = "\n"), "", USE.NAMES = FALSE)
}

# Colors and shapes of groups, with a legend for up to seven.
group_scales <- function(groups, title) {
  keyed <- nlevels(groups) <= most_keyed
  key <- if (keyed) {
    ggplot2::guide_legend(override.aes = list(size = 3, alpha = 1))
  } else {
    "none"
  }
  name <- if (nzchar(title)) wrapped(title)
  values <- stats::setNames(group_colors(groups), levels(groups))
  shapes <- stats::setNames(group_shapes(groups), levels(groups))
  list(
    ggplot2::scale_colour_manual(name,
      values = values, labels = wrapped, na.value = unknown_color, drop = FALSE, guide = key
    ),
    ggplot2::scale_shape_manual(name, values = shapes, labels = wrapped, na.value = 16, drop = FALSE,
      guide = if (keyed) "legend" else "none"
    )
  )
}

# The scale of `aesthetic`; `palette` gives groups their colors.
value_scale <- function(aesthetic, color, palette = NULL, title = "") {
  name <- if (nzchar(title)) wrapped(title)
  if (color$kind == "groups") {
    values <- stats::setNames(palette(color$values), levels(color$values))
    return(ggplot2::scale_discrete_manual(aesthetic,
      name = name, values = values, labels = wrapped, na.value = unknown_color, drop = FALSE,
      guide = if (nlevels(color$values) <= most_keyed) "legend" else "none"
    ))
  }
  gradient <- if (aesthetic == "fill") ggplot2::scale_fill_gradientn else ggplot2::scale_colour_gradientn
  if (color$kind == "none") return(gradient(colors = density_colors(), guide = "none"))
  gradient(name,
    colors = sequential_colors(), limits = color$range, na.value = unknown_color,
    breaks = scale_ticks(color$range, color$shown), labels = function(at) tick_labels(at, color$shown)
  )
}
