# Shared by all plots of a plane: colors, keys beside the data, landmarks.

# The colors of Okabe and Ito, which can be told apart with any kind of color vision, without
# black, the color of landmarks among groups.
okabe_ito <- c("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442")

# With more than seven groups, shapes distinguish groups of one color.
group_colors <- function(groups) okabe_ito[1 + (seq_len(nlevels(groups)) - 1) %% 7]
group_shapes <- function(groups) {
  c(16, 17, 15, 4, 3, 18, 8)[1 + (seq_len(nlevels(groups)) - 1) %/% 7 %% 7]
}

# In a raster, which has no shapes, shades distinguish them: dark, then light.
group_shades <- function(groups) {
  turn <- (seq_len(nlevels(groups)) - 1) %/% 7 %% 3
  towards <- c(0, 0, 255)[turn + 1]
  rgb <- t(grDevices::col2rgb(group_colors(groups)))
  rgb <- rgb + c(0, 0.5, 0.55)[turn + 1] * (towards - rgb)
  grDevices::rgb(rgb[, 1], rgb[, 2], rgb[, 3], maxColorValue = 255)
}

# Opens an empty plane with room for a key at the right. A key is a
# function that is called once the size of the figure is known. It returns `share`, its share of
# the width, and draw(). open_plane() returns the function that draws the key later, on top.
open_plane <- function(x, y, pars, key = NULL) {
  draw <- function() invisible()
  if (!is.null(key)) {
    graphics::plot.new()
    key <- key()
    if (is.null(pars$xlim)) pars$xlim <- c(x[1], x[1] + diff(x) / (1 - key$share))
    draw <- key$draw
    graphics::par(new = TRUE)
  }
  do.call(graphics::plot, c(list(x = x, y = y, type = "n"), pars))
  draw
}

group_key <- function(labels, colors, shapes) {
  function() {
    legend <- function(plot, ncol = 1) {
      graphics::legend("topright", legend = labels, pch = shapes, col = colors, ncol = ncol,
        bty = "n", cex = 0.8, pt.cex = 1, plot = plot
      )
    }
    # In as many columns as its length needs.
    columns <- max(1, ceiling(legend(FALSE)$rect$h))
    list(share = min(0.45, legend(FALSE, columns)$rect$w), draw = function() legend(TRUE, columns))
  }
}

# A bar of colors for the numbers in `range`.
bar_key <- function(range, colors) {
  function() {
    at <- pretty(range, 5)
    at <- at[at >= range[1] & at <= range[2]]
    labels <- format(at)
    # In inches: a gap, the bar, ticks, and the labels.
    gap <- 0.12
    bar <- 0.16
    tick <- 0.05
    width <- gap + bar + 2 * tick + max(graphics::strwidth(labels, "inches", cex = 0.8)) + gap
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
    }
    list(share = min(0.45, width / graphics::par("pin")[1]), draw = draw)
  }
}

# Landmarks, numbered in their order: discs with a white rim, visible on any background.
mark_landmarks <- function(at, labels, colors, size = NULL) {
  numbers <- seq_len(nrow(at))
  size <- size %||% if (!labels) 1.3 else if (length(numbers) < 100) 2.1 else 2.6
  colors <- rep_len(colors, length(numbers))
  ink <- ink_on(colors)
  # Each disc with its number, from the last to the first, so that the first is on top.
  for (i in rev(numbers)) {
    here <- at[i, , drop = FALSE]
    graphics::points(here, pch = 21, bg = colors[i], col = "white", cex = size, lwd = min(1, size))
    if (labels) graphics::text(here, labels = i, col = ink[i], cex = 0.65, font = 2)
  }
}

# White on dark colors, black on light ones.
ink_on <- function(colors) {
  ifelse(colSums(c(0.299, 0.587, 0.114) * grDevices::col2rgb(colors)) > 150, "black", "white")
}
