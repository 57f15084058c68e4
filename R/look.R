# One look for all pictures, of base graphics and of ggplot2: colors, shapes, titles, theme.

# The colors of Okabe and Ito, which can be told apart with any kind of color vision, without
# black, the color of landmarks among groups.
okabe_ito <- c("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442")
landmark_color <- "#D55E00"
data_color <- "gray60"
unknown_color <- "gray70"

# With more than seven groups, shapes distinguish groups of one color, and names stand on the groups.
most_keyed <- 7
names_stand <- function(groups) nlevels(groups) > most_keyed
group_colors <- function(groups) okabe_ito[1 + (seq_len(nlevels(groups)) - 1) %% 7]
group_shapes <- function(groups) {
  c(16, 17, 15, 4, 3, 18, 8)[1 + (seq_len(nlevels(groups)) - 1) %/% 7 %% 7]
}

# In a raster, which has no shapes, shades distinguish them: dark, then light.
group_shades <- function(groups) {
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

# White on dark colors, black on light ones.
ink_on <- function(colors) {
  ifelse(colSums(c(0.299, 0.587, 0.114) * grDevices::col2rgb(colors)) > 150, "black", "white")
}

# ---- base graphics -----------------------------------------------------------------

# One coordinate is drawn on a line, which has no second axis.
flat_pars <- list(yaxt = "n", bty = "n")

# Arguments of plot.default(), which a user's own arguments replace.
base_look <- function() list(las = 1, mgp = c(2.4, 0.6, 0), tcl = -0.3, bty = "l", font.main = 2)

# The size of a title that fits into the width of the figure, and the title, in several lines where one line
# would be too small to read. A device must be open, with plot.new() called.
fitted_title <- function(title, size = 1.1) {
  if (!is.character(title) || length(title) != 1 || is.na(title) || !nzchar(title)) {
    return(list(main = title, size = size))
  }
  side <- graphics::par("mai")[c(2, 4)]
  room <- graphics::par("pin")[1] + 2 * min(side)
  wide <- function(text) max(graphics::strwidth(text, "inches", cex = size, font = 2))
  words <- nchar(title)
  while (wide(title) > room / 0.75 && words > 12) {
    words <- if (words > 200) words %/% 2 else words - 4
    title <- paste(strwrap(title, words), collapse = "\n")
  }
  list(main = title, size = size * min(1, room / max(wide(title), 1e-6)))
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
#' `landmarker_error_package` where ggplot2 is not installed; `landmarker_error_input` for a wrong
#' `base_size`.
#' @examples
#' if (requireNamespace("ggplot2", quietly = TRUE)) {
#'   print(theme_landmarks()$plot.title$face)
#'   fit <- landmarks(iris[1:4], 6)
#'   print(ggplot2::autoplot(fit, iris[1:4]) + theme_landmarks(14))
#' }
#' @export
theme_landmarks <- function(base_size = 11) {
  need_package("ggplot2", "theme_landmarks()")
  base_size <- check_number(base_size, "base_size", 0)
  text <- ggplot2::element_text
  ggplot2::theme_classic(base_size) + ggplot2::theme(
    plot.title = text(face = "bold", hjust = 0.5, size = ggplot2::rel(1.05)),
    plot.title.position = "plot",
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

# ---- names of legends --------------------------------------------------------------

# The title of a legend from the expression that a user gave as `color`: `iris$Species` gives "Species".
color_name <- function(expr) {
  if (is.symbol(expr)) return(as.character(expr))
  if (is.character(expr) && length(expr) == 1) return(expr)
  if (!is.call(expr)) return("group")
  head <- if (is.symbol(expr[[1]])) as.character(expr[[1]]) else ""
  if (head %in% c("$", "[[", "@") && length(expr) == 3) return(color_name(expr[[3]]))
  # A column of a matrix or a table: x[, "length"].
  if (head == "[" && length(expr) >= 4 && is.character(expr[[4]])) return(color_name(expr[[4]]))
  # The values themselves: x[rows], factor(x).
  if (head %in% c("[", "(", "factor", "as.factor", "as.character", "droplevels")) {
    return(color_name(expr[[2]]))
  }
  text <- deparse(expr)
  if (length(text) == 1 && nchar(text) <= 24) text else "group"
}

# NULL stands for the name of `color`, "" for no title.
check_legend <- function(legend, expr, call = rlang::caller_env()) {
  if (is.null(legend)) return(color_name(expr))
  if (!is.character(legend) || length(legend) != 1 || is.na(legend)) {
    abort_input(
      c("{.arg legend} must be one string, the title of the legend.", x = "It is {describe(legend)}."),
      arg = "legend", call = call
    )
  }
  legend
}

# A share of variance for the name of an axis.
percent <- function(share) {
  if (share < 5e-4) return("<0.1%")
  paste0(format(100 * share, digits = if (share >= 0.0995) 2 else 1, nsmall = 0, scientific = FALSE), "%")
}
