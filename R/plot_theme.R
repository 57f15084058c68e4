# Elements of all plots: plot(), color scales, the theme.

# A method of plot(): prints the picture of autoplot(). Errors name plot().
print_picture <- function(x, ..., call = rlang::caller_env()) {
  # Where print() is an S4 generic it would wrap an error of its argument.
  picture <- with_call(ggplot2::autoplot(x, ...), call, replace = TRUE)
  print(picture)
  invisible(x)
}

# ---- colors of points ----------------------------------------------------------------

# What the user gave as `color`, checked. Factors, strings, logicals, and whole numbers of few different
# values become a factor, of groups. Other numbers, dates and times stay as they are, for a continuous scale.
# `of`: what has one value each, as the error calls it, with cli's mark of the plural.
check_color <- function(color, count, of, call) {
  if (is.null(color)) return(NULL)
  color <- plain_vector(color)
  of_groups <- is.factor(color) || is.character(color) || is.logical(color)
  of_numbers <- (is.numeric(color) || is_moment(color)) && !any(is.infinite(as.double(color)))
  check_that((of_groups || of_numbers) && is.null(dim(color)) && length(color) == count, color, "color",
    paste0("have one value for each of the {count} ", of, ": groups, finite numbers, dates or times"),
    call = call, remedy = if (rlang::is_string(color)) "{column_words(x)}"
  )
  values <- unique(color[!is.na(color)])
  are_labels <- rlang::is_bare_numeric(color) && length(values) <= 12 && all(values == trunc(values))
  # Levels without rows have no color and no place in a legend.
  if (of_groups || are_labels) droplevels(as.factor(color)) else color
}

# The value of the promise `color`, or an error with a remedy if it names a column.
given_color <- function(color, call = rlang::caller_env()) {
  on_failure(color, function(e) {
    abort_input(c("{.arg color} could not be computed.", x = "R reports: {conditionMessage(e)}.",
      i = "To use a column of the data, write for example {.code color = iris$Species}."
    ), arg = "color", kind = "input", call = call)
  })
}

# The title of a legend from the expression that a user gave as `color`: `iris$Species` gives "Species".
color_name <- function(expr) {
  if (is.symbol(expr) || rlang::is_string(expr)) return(as.character(expr))
  if (!is.call(expr)) return("value")
  head <- if (is.symbol(expr[[1]])) as.character(expr[[1]]) else ""
  if (head %in% c("$", "[[", "@")) return(color_name(expr[[3]]))
  # A column of a matrix or a table: x[, "length"].
  if (head == "[" && length(expr) >= 4 && is.character(expr[[4]])) return(color_name(expr[[4]]))
  # The values themselves: x[rows], factor(x).
  if (head %in% c("[", "(", "factor", "as.factor", "as.character")) return(color_name(expr[[2]]))
  text <- deparse(expr)
  if (length(text) == 1 && nchar(text) <= 24) text else "value"
}

# The colors of Okabe and Ito, which differ for any kind of color vision, without
# black, the color of landmarks among groups.
okabe_ito <- c("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442")
landmark_color <- "#D55E00"
data_color <- "gray60"
unknown_color <- "gray70"

# The colors of k groups: those of Okabe and Ito; for up to ten the Tableau colors; more groups differ by hue,
# and neighbors by lightness.
group_colors <- function(k) {
  if (k <= length(okabe_ito)) return(utils::head(okabe_ito, k))
  if (k <= 10) return(unname(grDevices::palette.colors(k, "Tableau 10")))
  grDevices::hcl(seq(0, 360, length.out = k + 1)[-1], 70, c(40, 60, 80))
}

# The scale of colors for values as check_color() returns them.
color_scale <- function(value) {
  if (is.null(value)) return(NULL)
  if (!is.factor(value)) {
    kind <- if (inherits(value, "Date")) "date" else if (is_moment(value)) "datetime" else "continuous"
    scale <- getExportedValue("ggplot2", paste0("scale_colour_", kind))(na.value = unknown_color)
    scale$palette <- ggplot2::scale_colour_viridis_c()$palette
    return(scale)
  }
  k <- max(nlevels(value), 1)
  # Ordered groups go from dark to light, not to the lightest, which is hardly seen on white.
  colors <- if (is.ordered(value)) ggplot2::scale_colour_viridis_d(end = 0.87)$palette(k) else group_colors(k)
  ggplot2::scale_colour_manual(
    values = colors, labels = wrapped, na.value = unknown_color, drop = FALSE,
    guide = ggplot2::guide_legend(override.aes = list(size = 3, alpha = 1))
  )
}

# Text of a legend in lines of a size that leaves room for the data.
wrapped <- function(text, width = 24) {
  vapply(as.character(text), function(one) paste(strwrap(one, width), collapse = "\n"), "", USE.NAMES = FALSE)
}

# ---- the theme -----------------------------------------------------------------------

#' A ggplot2 theme
#'
#' The theme of all `autoplot()` methods of this package: white background, two axis lines without a grid, and
#' a bold title.
#'
#' @param base_size Base font size in points. Default 11, as in ggplot2.
#' @return An object of class `theme`.
#' @section Errors:
#' `landmarker_error_input` for an invalid `base_size`.
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
