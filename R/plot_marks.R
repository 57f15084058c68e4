# The layers that pictures of a plane share: landmarks as dots or numbered discs, and names of groups.
# First in base graphics, then for ggplot2.

# ---- base graphics -----------------------------------------------------------------

# With more landmarks than these, they have no numbers by default.
most_numbered <- 100

# With more landmarks than these, whether discs have room is not computed: they have none on paper of any
# size, and all their distances would need much memory.
most_discs <- 5000

# The numbers of landmarks at the places `at`: the names of its rows, where not all landmarks are there.
mark_numbers <- function(at) rownames(at) %||% as.character(seq_len(nrow(at)))

# How landmarks at the places `at` are drawn: list(style, cex, labels, at, inches, diameter, rects). The style
# is "discs" with numbers inside where there is room for them, else "dots" with numbers beside them, as far as
# `labels` asks for numbers. `rects`: what the marks cover, in inches.
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

# Draws landmarks, and the names of groups: `named` is list(at, groups, colors) or NULL. Names do not cover
# landmarks with numbers; they may cover others.
draw_marks <- function(marks, colors, named) {
  if (marks$labels) {
    occupied <- draw_group_names(named, marks$rects)
    mark_landmarks(marks, colors, occupied)
  } else {
    mark_landmarks(marks, colors)
    draw_group_names(named)
  }
  invisible()
}

# Draws landmarks with a white rim, visible on any background, the first ones on top. Returns the places of
# the numbers beside dots, in inches.
mark_landmarks <- function(marks, colors, occupied = no_rects()) {
  numbers <- mark_numbers(marks$at)
  colors <- rep_len(colors, length(numbers))
  ink <- ink_on(colors)
  inside <- marks$labels && marks$style == "discs"
  for (i in rev(seq_along(numbers))) {
    here <- marks$at[i, , drop = FALSE]
    graphics::points(here, pch = 21, bg = colors[i], col = "white", cex = marks$cex, lwd = min(1, marks$cex))
    if (inside) graphics::text(here, labels = numbers[i], col = ink[i], cex = 0.65, font = 2)
  }
  if (inside || !marks$labels) return(invisible(no_rects()))
  invisible(number_dots(marks, occupied))
}

# Draws the numbers of dots, beside them. Landmarks get their places in order, and a number that finds no
# place is left out. `occupied`: rectangles that numbers must not cover. Returns the places of the numbers, in
# inches.
number_dots <- function(marks, occupied) {
  box <- plot_box()
  at <- marks$inches
  some <- which(at[, 1] >= box[1] & at[, 1] <= box[2] & at[, 2] >= box[3] & at[, 2] <= box[4])
  text <- mark_numbers(marks$at)[some]
  width <- graphics::strwidth(text, "inches", cex = 0.7, font = 2) + 0.02
  height <- graphics::strheight(text, "inches", cex = 0.7, font = 2) + 0.03
  labels <- list(x = at[some, 1], y = at[some, 2], width = width, height = height)
  place <- place_labels(
    labels, box, rbind(occupied, marks$rects),
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

# Draws the names of groups, with lines to those that stand apart. `named`: list(at, groups, colors), or NULL
# for no names. `marks`: rectangles that names leave free. Returns the rectangles that the names take, in
# inches.
draw_group_names <- function(named, marks = no_rects()) {
  if (NROW(named$at) == 0) return(no_rects())
  centers <- group_centers(named$at, named$groups)
  if (nrow(centers) == 0) return(no_rects())
  text <- as.character(centers$group)
  cex <- if (nrow(centers) > 14) 0.65 else 0.75
  width <- graphics::strwidth(text, "inches", cex = cex, font = 2) + 0.08
  height <- graphics::strheight(text, "inches", cex = cex, font = 2) + 0.08
  inches <- to_inches(cbind(centers$x, centers$y))
  labels <- list(x = inches[, 1], y = inches[, 2], width = width, height = height)
  place <- place_names(labels, order(-centers$size), plot_box(), marks)
  low <- from_inches(place$x - width / 2, place$y - height / 2)
  high <- from_inches(place$x + width / 2, place$y + height / 2)
  color <- named$colors[centers$group]
  middle <- (low + high) / 2
  apart <- names_apart(labels, place)
  graphics::segments(centers$x[apart], centers$y[apart], middle[apart, 1], middle[apart, 2],
    col = name_ink(color[apart])
  )
  graphics::rect(low[, 1], low[, 2], high[, 1], high[, 2],
    col = grDevices::adjustcolor(name_fill(color), 0.85), border = name_ink(color)
  )
  graphics::text(middle, labels = text, cex = cex, font = 2, col = name_ink(color))
  rects_around(place$x, place$y, width, height)
}

# ---- ggplot2 -----------------------------------------------------------------------

# A layer of landmarks. The panel has no size before it is drawn: they are discs where these have room in a
# panel of 3.5 inches. ggplot2 leaves out numbers that would cover others.
marks_layer <- function(layer, title) {
  at <- layer$at
  n <- nrow(at)
  aes <- ggplot2::aes
  .data <- rlang::.data
  marks <- data.frame(a = at[, 1], b = at[, 2], label = mark_numbers(at))
  reach <- max(diff(range(at[, 1])), diff(range(at[, 2])), 1e-300)
  room <- function() n == 1 || min(stats::dist(at * 3.5 / reach)) > 0.18
  discs <- layer$labels && n <= most_discs && room()
  # A point of size 2 is as large as one of base graphics with cex = 1.
  size <- 2 * (layer$size %||% if (discs) 2.25 else if (n <= 100) 1.1 else 0.9)
  stroke <- 0.5 * min(1, size / 2)
  colors <- rep_len(value_colors(layer$by, layer$plain), n)
  points <- if (layer$by$kind == "none") {
    list(ggplot2::geom_point(
      data = marks, shape = 21, color = "white", fill = colors, size = size, stroke = stroke
    ))
  } else {
    # Colored by a scale, so that there is a legend.
    marks$value <- layer$by$values
    list(
      ggplot2::geom_point(aes(fill = .data$value), marks,
        shape = 21, color = "white", size = size, stroke = stroke
      ),
      value_scale("fill", layer$by, group_colors, title)
    )
  }
  c(points,
    if (layer$labels) {
      list(ggplot2::geom_text(
        aes(label = .data$label), marks, color = if (discs) ink_on(colors) else "black", size = 2.5,
        fontface = "bold", vjust = if (discs) 0.5 else -0.7, check_overlap = TRUE
      ))
    },
    names_layer(layer$named, if (layer$labels) at else at[0, , drop = FALSE])
  )
}

# The names of groups, as names_on_groups() describes them, or NULL. `marks`: landmarks that the names must
# not cover.
names_layer <- function(named, marks) {
  if (is.null(named)) return(NULL)
  places <- group_name_places(named$at, named$groups, marks)
  if (nrow(places) == 0) return(NULL)
  aes <- ggplot2::aes
  .data <- rlang::.data
  colors <- named$colors[places$group]
  apart <- places[places$apart, ]
  list(
    ggplot2::geom_segment(aes(.data$x, .data$y, xend = .data$at_x, yend = .data$at_y), apart,
      inherit.aes = FALSE, color = name_ink(colors[places$apart])
    ),
    ggplot2::geom_label(aes(.data$at_x, .data$at_y, label = .data$group), places,
      inherit.aes = FALSE, fill = grDevices::adjustcolor(name_fill(colors), 0.85), color = name_ink(colors),
      fontface = "bold", size = 2.6, label.size = 0.2, label.padding = ggplot2::unit(0.12, "lines")
    )
  )
}
