# Shared by all plots of a plane: its axes, keys beside the data, landmarks.

# Opens an empty plane with room for a key at the right. A key is a
# function that is called once the size of the figure is known. It returns `share`, its share of
# the width, and draw(). open_plane() returns the function that draws the key later, on top.
open_plane <- function(x, y, pars, key = NULL) {
  draw <- function() invisible()
  look <- base_look()
  pars[setdiff(names(look), names(pars))] <- look[setdiff(names(look), names(pars))]
  graphics::plot.new()
  title <- fitted_title(pars$main)
  pars["main"] <- list(title$main)
  pars$cex.main <- pars$cex.main %||% title$size
  if (!is.null(key)) {
    key <- key()
    if (is.null(pars$xlim)) pars$xlim <- c(x[1], x[1] + diff(x) / (1 - key$share))
    draw <- key$draw
  }
  graphics::par(new = TRUE)
  do.call(graphics::plot, c(list(x = x, y = y, type = "n"), pars))
  draw
}

group_key <- function(labels, colors, shapes, title = "") {
  function() {
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

# The key of groups, or NULL where their names stand on them.
key_of_groups <- function(groups, title, colors = group_colors(groups), shapes = group_shapes(groups)) {
  if (nlevels(groups) > 0 && nlevels(groups) <= most_keyed) group_key(levels(groups), colors, shapes, title)
}

# A bar of colors for the numbers in `range`, with its title above.
bar_key <- function(range, colors, title = "") {
  function() {
    at <- pretty(range, 5)
    at <- at[at >= range[1] & at <= range[2]]
    labels <- format(at)
    # In inches: a gap, the bar, ticks, and the labels.
    gap <- 0.12
    bar <- 0.16
    tick <- 0.05
    inches <- function(text) max(graphics::strwidth(text, "inches", cex = 0.8))
    width <- max(gap + bar + 2 * tick + inches(labels), inches(title)) + gap
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
      graphics::text(left, y[2] + 0.06 * diff(usr[3:4]), title, adj = c(0, 0.5), cex = 0.8)
    }
    list(share = min(0.45, width / graphics::par("pin")[1]), draw = draw)
  }
}

# ---- landmarks -----------------------------------------------------------------

# More landmarks have no numbers.
most_numbered <- 100
# More landmarks have no room for discs on paper of any size. All their distances would need much memory.
most_discs <- 5000
are_numbered <- function(labels, n, call = rlang::caller_env()) {
  check_flag(labels %||% (n <= most_numbered), "labels", call)
}

# Landmarks without numbers show their order by colors.
order_colors <- function(n) on_scale(seq_len(n), c(1, max(n, 2)), sequential_colors())

# How landmarks are marked: "discs" with their numbers inside where there is room for them, else "dots", with
# numbers beside them. `rects`: what the marks cover, in inches.
marks_of <- function(at, labels, size = NULL) {
  n <- nrow(at)
  inches <- to_inches(at)
  disc <- if (n < 100) 2.1 else 2.6
  # The radius of pch 21 is 0.375 of the size of letters.
  diameter <- function(cex) 0.75 * cex * graphics::par("cex") * graphics::par("ps") / 72
  room <- function() n == 1 || min(stats::dist(inches)) > 0.75 * diameter(disc)
  style <- if (labels && n <= most_discs && room()) "discs" else "dots"
  cex <- size %||% if (style == "discs") disc else if (n <= 100) 1.1 else 0.9
  list(style = style, cex = cex, labels = labels, at = at, inches = inches, diameter = diameter(cex),
    rects = rects_around(inches[, 1], inches[, 2], diameter(cex))
  )
}

# Landmarks with a white rim, visible on any background; the first is on top. Numbers of dots are left out
# where they have no place; the first landmarks have places first. `taken`: rectangles that numbers leave
# free. Returns the places of numbers, in inches.
mark_landmarks <- function(marks, colors, taken = no_rects()) {
  numbers <- seq_len(nrow(marks$at))
  colors <- rep_len(colors, length(numbers))
  ink <- ink_on(colors)
  inside <- marks$labels && marks$style == "discs"
  for (i in rev(numbers)) {
    here <- marks$at[i, , drop = FALSE]
    graphics::points(here, pch = 21, bg = colors[i], col = "white", cex = marks$cex, lwd = min(1, marks$cex))
    if (inside) graphics::text(here, labels = i, col = ink[i], cex = 0.65, font = 2)
  }
  if (inside || !marks$labels) return(invisible(no_rects()))
  invisible(number_dots(marks, taken))
}

number_dots <- function(marks, taken) {
  box <- plot_box()
  at <- marks$inches
  some <- which(at[, 1] >= box[1] & at[, 1] <= box[2] & at[, 2] >= box[3] & at[, 2] <= box[4])
  text <- as.character(some)
  width <- graphics::strwidth(text, "inches", cex = 0.7, font = 2) + 0.02
  height <- graphics::strheight(text, "inches", cex = 0.7, font = 2) + 0.03
  place <- place_labels(at[some, 1], at[some, 2], width, height, box, rbind(taken, marks$rects),
    first = marks$diameter / 2 + 0.01, reach = 3
  )
  center <- from_inches(place$x, place$y)
  far <- place$placed & place$away > 1
  if (any(far)) {
    graphics::segments(marks$at[some[far], 1], marks$at[some[far], 2], center[far, 1], center[far, 2],
      col = "gray30", lwd = 0.6
    )
  }
  shown <- which(place$placed)
  halo <- 0.012
  for (angle in pi / 4 * 0:7) {
    around <- from_inches(place$x + halo * cos(angle), place$y + halo * sin(angle))
    graphics::text(around[shown, , drop = FALSE], labels = text[shown], col = "white", cex = 0.7, font = 2)
  }
  graphics::text(center[shown, , drop = FALSE], labels = text[shown], cex = 0.7, font = 2)
  rects_around(place$x, place$y, width, height)[shown, , drop = FALSE]
}

# The same for ggplot2, whose panel has no size yet: whether discs have room in a panel of 3.5 inches.
# Numbers are left out where they would cover others when the plot is drawn. `colors`: NULL for colors by
# order.
marks_layer_of <- function(at, labels, colors, size = NULL) {
  marks <- data.frame(a = at[, 1], b = at[, 2], number = seq_len(nrow(at)))
  aes <- ggplot2::aes
  .data <- rlang::.data
  by_order <- is.null(colors)
  colors <- if (by_order) order_colors(nrow(marks)) else rep_len(colors, nrow(marks))
  reach <- max(diff(range(at[, 1])), diff(range(at[, 2])), 1e-300)
  room <- function() nrow(at) == 1 || min(stats::dist(at * 3.5 / reach)) > 0.18
  discs <- labels && nrow(at) <= most_discs && room()
  size <- size %||% if (discs) 4.5 else if (nrow(at) <= 100) 2.2 else 1.8
  stroke <- 0.5 * min(1, size / 2)
  c(
    if (by_order) {
      list(
        ggplot2::geom_point(aes(fill = .data$number), marks,
          shape = 21, color = "white", size = size, stroke = stroke
        ),
        ggplot2::scale_fill_gradientn("order", colors = sequential_colors())
      )
    } else {
      list(ggplot2::geom_point(
        data = marks, shape = 21, color = "white", fill = colors, size = size, stroke = stroke
      ))
    },
    if (labels) {
      list(ggplot2::geom_text(
        aes(label = .data$number), marks, color = if (discs) ink_on(colors) else "black", size = 2.5,
        fontface = "bold", vjust = if (discs) 0.5 else -0.7, check_overlap = TRUE
      ))
    }
  )
}
