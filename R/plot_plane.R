# What all plots of a plane share in base graphics: the axes, and keys at their right.

# A picture with the titles that the user gave.
with_titles <- function(picture, main, xlab, ylab) {
  picture$title <- main %||% picture$title
  # Titles may be expressions.
  picture$axes <- list(xlab %||% picture$axes[[1]], ylab %||% picture$axes[[2]])
  picture
}

# Opens an empty plane with room for a key at the right. A key is a function without arguments, which is
# called once the size of the figure is known. It returns list(share, draw): its share of the width, and a
# function that draws it. open_plane() returns that function: the key is drawn after the data, on top of them.
open_plane <- function(x, y, pars, key = NULL) {
  draw <- function() invisible()
  theme <- base_theme()
  pars[setdiff(names(theme), names(pars))] <- theme[setdiff(names(theme), names(pars))]
  graphics::plot.new()
  title <- fitted_title(pars$main)
  pars["main"] <- list(title$main)
  pars$cex.main <- pars$cex.main %||% title$size
  widened <- FALSE
  if (!is.null(key)) {
    key <- key()
    widened <- is.null(pars$xaxt) && !isFALSE(pars$axes)
    x <- pars$xlim %||% x
    pars$xlim <- c(x[1], x[1] + diff(x) / (1 - key$share))
    draw <- key$draw
  }
  if (widened) pars$xaxt <- "n"
  ylab <- pars$ylab
  pars$ylab <- ""
  graphics::par(new = TRUE)
  do.call(graphics::plot, c(list(x = x, y = y, type = "n"), pars))
  if (isFALSE(pars$ann)) return(draw)
  # The axis ends with the data, not below the key.
  if (widened) {
    at <- graphics::axTicks(1)
    beyond <- (at - x[2]) / diff(graphics::par("usr")[1:2])
    draw_x_axis(at[beyond <= 1 / 50], pars)
  }
  draw_y_title(ylab, pars)
  draw
}

# The axis of x with ticks at these places, and the title of the axis of y, in the style of `pars`.
draw_x_axis <- function(at, pars) {
  style <- pars[intersect(names(pars), c("las", "mgp", "tcl", "cex.axis", "col.axis", "font.axis"))]
  do.call(graphics::axis, c(list(1, at), style))
}

draw_y_title <- function(ylab, pars) {
  style <- pars[intersect(names(pars), c("cex.lab", "col.lab", "font.lab"))]
  do.call(graphics::title, c(list(ylab = ylab, line = line_beside_ticks(pars)), style))
}

# The line of the margin for the title of the y axis, whose labels stand upright and may be long.
line_beside_ticks <- function(pars) {
  usual <- pars$mgp[1]
  if (identical(pars$yaxt, "n") || !pars$las %in% 1:2) return(usual)
  labels <- format(graphics::axTicks(2))
  cex <- graphics::par("cex") * (pars$cex.axis %||% graphics::par("cex.axis"))
  wide <- max(graphics::strwidth(labels, "inches", cex = cex / graphics::par("cex"))) / graphics::par("csi")
  min(max(usual, pars$mgp[2] + wide + 0.6), max(usual, graphics::par("mar")[2] - 1.1))
}

group_key <- function(labels, colors, shapes, title = "") {
  function() {
    labels <- key_text(labels)
    title <- key_text(title)
    legend <- function(plot, ncol = 1) {
      graphics::legend("topright", legend = labels, pch = shapes, col = colors, ncol = ncol,
        bty = "n", cex = 0.8, pt.cex = 1, plot = plot, title = if (nzchar(title)) title, title.adj = 0.1
      )
    }
    # In as many columns as its length needs.
    columns <- max(1, ceiling(legend(FALSE)$rect$h))
    list(share = min(0.45, legend(FALSE, columns)$rect$w), draw = function() legend(TRUE, columns))
  }
}

# Text of a key, cut to at most a third of the width of the plot.
key_text <- function(text) shortened(text, graphics::par("pin")[1] / 3, 0.8)

# The key of groups, or NULL where their names stand on them.
key_of_groups <- function(groups, title, colors = group_colors(groups), shapes = group_shapes(groups)) {
  if (nlevels(groups) > 0 && nlevels(groups) <= most_keyed) group_key(levels(groups), colors, shapes, title)
}

# A key that would take more of the width than this is left out.
largest_key <- 0.5
no_key <- list(share = 0, draw = function() invisible())

# A bar of colors for the numbers in `range`, with its title above. shown(): what a number stands for, such as
# a date.
bar_key <- function(range, colors, title = "", shown = identity) {
  function() {
    at <- scale_ticks(range, shown)
    labels <- tick_labels(at, shown)
    title <- key_text(title)
    # In inches: a gap, wider than half of a numbered landmark, the bar, ticks, and the labels.
    gap <- 0.2
    bar <- 0.16
    tick <- 0.05
    inches <- function(text) max(graphics::strwidth(text, "inches", cex = 0.8))
    width <- max(gap + bar + 2 * tick + inches(labels), inches(title)) + gap
    if (width > largest_key * graphics::par("pin")[1]) return(no_key)
    draw <- function() {
      usr <- graphics::par("usr")
      inch <- diff(usr[1:2]) / graphics::par("pin")[1]
      left <- usr[2] - (width - gap) * inch
      right <- left + bar * inch
      y <- usr[3] + c(0.2, 0.8) * diff(usr[3:4])
      picture <- grDevices::as.raster(matrix(rev(colors)))
      graphics::rasterImage(picture, left, y[1], right, y[2], interpolate = FALSE)
      graphics::rect(left, y[1], right, y[2], border = "gray40", lwd = 0.5)
      where <- y[1] + (at - range[1]) / diff(range) * diff(y)
      graphics::segments(right, where, right + tick * inch, where, col = "gray40", lwd = 0.5)
      graphics::text(right + 2 * tick * inch, where, labels, adj = c(0, 0.5), cex = 0.8)
      # Clear of the number at the upper end of the bar, in small windows too.
      above <- max(0.06 * diff(usr[3:4]), 2 * graphics::strheight("0", cex = 0.8))
      graphics::text(left, y[2] + above, title, adj = c(0, 0.5), cex = 0.8)
    }
    list(share = width / graphics::par("pin")[1], draw = draw)
  }
}
