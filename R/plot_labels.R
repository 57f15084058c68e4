# Where labels of points are placed, so that none covers another label or what must stay visible. Places and
# sizes are in inches from the left and the bottom of the plot. A rectangle is c(left, right, bottom, top),
# and several are the rows of a matrix.

# The place of each label: for one label after another the first of its candidates that is free. `labels`:
# list(x, y, width, height), the points to label and the sizes of the labels; `box`: the rectangle that labels
# stay inside of; `occupied`: rectangles that no label may cover; `first`: the distance of the nearest
# candidates from the point, 0 for a first candidate on the point; `reach`: how many rings of candidates there
# are around it. Returns list(x, y, placed, away): the centers of the labels, whether there was a place, and
# how many rings each label is away from its point.
place_labels <- function(labels, box, occupied = no_rects(), first = 0, reach = 4) {
  x <- labels$x
  y <- labels$y
  n <- length(x)
  rects <- rbind(occupied, matrix(NA_real_, n, 4))
  used <- nrow(occupied)
  out <- list(x = x, y = y, placed = logical(n), away = integer(n))
  for (i in seq_len(n)) {
    width <- labels$width[i]
    height <- labels$height[i]
    at <- label_candidates(width, height, first, reach)
    tried <- rects_around(x[i] + at$x, y[i] + at$y, width, height)
    good <- tried[, 1] >= box[1] & tried[, 2] <= box[2] & tried[, 3] >= box[3] & tried[, 4] <= box[4]
    so_far <- rects[seq_len(used), , drop = FALSE]
    for (k in which(good)) {
      if (any(rects_meet(tried[k, ], so_far))) next
      used <- used + 1
      rects[used, ] <- tried[k, ]
      out$x[i] <- x[i] + at$x[k]
      out$y[i] <- y[i] + at$y[k]
      out$away[i] <- at$ring[k]
      out$placed[i] <- TRUE
      break
    }
  }
  out
}

no_rects <- function() matrix(0, 0, 4)

# Rectangles around points.
rects_around <- function(x, y, width, height = width) {
  cbind(x - width / 2, x + width / 2, y - height / 2, y + height / 2)
}

rects_meet <- function(one, others) {
  others[, 1] < one[2] & others[, 2] > one[1] & others[, 3] < one[4] & others[, 4] > one[3]
}

# Offsets of a label's center from its point: on it where `first` is 0, then around it in rings.
label_candidates <- function(width, height, first, reach) {
  angle <- pi / 4 * c(0, 4, 2, 6, 1, 3, 5, 7)
  ring <- rep(seq_len(reach), each = 8)
  # The label's edge, not its center, is as far from the point as the ring.
  gap <- first + (ring - (first > 0)) * height
  at <- list(x = cos(angle) * (gap + width / 2), y = sin(angle) * (gap + height / 2), ring = ring)
  if (first == 0) at <- list(x = c(0, at$x), y = c(0, at$y), ring = c(0L, ring))
  at
}

# Points in the units of the axes, as points in inches from the left and the bottom of the plot, and back.
to_inches <- function(at) {
  usr <- graphics::par("usr")
  scale <- graphics::par("pin") / c(diff(usr[1:2]), diff(usr[3:4]))
  cbind((at[, 1] - usr[1]) * scale[1], (at[, 2] - usr[3]) * scale[2])
}

from_inches <- function(x, y) {
  usr <- graphics::par("usr")
  scale <- c(diff(usr[1:2]), diff(usr[3:4])) / graphics::par("pin")
  cbind(usr[1] + x * scale[1], usr[3] + y * scale[2])
}

plot_box <- function() c(0, graphics::par("pin")[1], 0, graphics::par("pin")[2])

# ---- long labels -------------------------------------------------------------------

# Labels of more than `most` letters, dots in the place of their middle: the columns of one factor begin
# alike, and differ at their ends.
cut_middle <- function(text, most) {
  long <- which(nchar(text) > most)
  last <- (most - 2) %/% 2
  text[long] <- paste0(
    substr(text[long], 1, most - 2 - last), "..", substring(text[long], nchar(text[long]) - last + 1)
  )
  text
}

# Labels cut to a width in inches.
shortened <- function(text, width, cex) {
  for (i in seq_along(text)) {
    keep <- nchar(text[i]) + 2
    whole <- text[i]
    while (keep > 4 && graphics::strwidth(text[i], "inches", cex = cex) > width) {
      keep <- keep - 1
      text[i] <- cut_middle(whole, keep)
    }
  }
  text
}

# ---- names on groups ---------------------------------------------------------------

# A place on each group: the row nearest to its median. Groups without rows have none.
group_centers <- function(at, groups) {
  rows <- split(seq_len(nrow(at)), groups)
  rows <- rows[lengths(rows) > 0]
  middle <- vapply(rows, function(i) {
    to <- c(stats::median(at[i, 1]), stats::median(at[i, 2]))
    i[which.min((at[i, 1] - to[1])^2 + (at[i, 2] - to[2])^2)]
  }, 1L)
  data.frame(
    x = at[middle, 1], y = at[middle, 2], group = factor(names(rows), levels(groups)), size = lengths(rows),
    row.names = NULL
  )
}

# The centers of the names of groups, list(x, y), placed in the given `order`. A name that finds no place free
# of `marks` may cover these, but no other name; where there is no such place either, it stands on its group.
# `labels`, `box`: see place_labels().
place_names <- function(labels, order, box, marks = no_rects()) {
  half <- labels$width / 2
  out <- list(x = pmin(pmax(labels$x, box[1] + half), box[2] - half), y = labels$y)
  of <- function(some) lapply(labels, `[`, some)
  free <- place_labels(of(order), box, marks, reach = 6)
  out$x[order[free$placed]] <- free$x[free$placed]
  out$y[order[free$placed]] <- free$y[free$placed]
  late <- order[!free$placed]
  if (length(late)) {
    done <- order[free$placed]
    names <- rects_around(out$x[done], out$y[done], labels$width[done], labels$height[done])
    again <- place_labels(of(late), box, names, reach = 12)
    out$x[late[again$placed]] <- again$x[again$placed]
    out$y[late[again$placed]] <- again$y[again$placed]
  }
  out
}

name_fill <- function(colors) mixed(colors, "white", 0.7)
name_ink <- function(colors) mixed(colors, "black", 0.5)

# The numbers of the names that are so far from their group that they need a line to it.
names_apart <- function(labels, place) {
  which(
    abs(place$x - labels$x) > labels$width / 2 + 0.05 | abs(place$y - labels$y) > labels$height / 2 + 0.05
  )
}

# The names of groups for ggplot2, a row of a data frame for each. The size of a panel is not known before it
# is drawn: the places are such that names do not cover each other in a panel of 4.5 inches, nor in a larger
# one. `marks`: the landmarks, which the names leave free.
group_name_places <- function(at, groups, marks = at[0, , drop = FALSE], panel = 4.5) {
  centers <- group_centers(at, groups)
  if (nrow(centers) == 0) return(centers)
  both <- rbind(at, marks)
  low <- c(min(both[, 1]), min(both[, 2]))
  scale <- panel / max(diff(range(both[, 1])), diff(range(both[, 2])), 1e-300)
  text <- as.character(centers$group)
  width <- 0.075 * nchar(text, "width") + 0.12
  height <- rep(0.2, length(text))
  labels <- list(
    x = (centers$x - low[1]) * scale, y = (centers$y - low[2]) * scale, width = width, height = height
  )
  around <- rects_around((marks[, 1] - low[1]) * scale, (marks[, 2] - low[2]) * scale, 0.14)
  place <- place_names(labels, order(-centers$size), c(0, panel, 0, panel), around)
  centers$apart <- seq_along(text) %in% names_apart(labels, place)
  centers$at_x <- low[1] + place$x / scale
  centers$at_y <- low[2] + place$y / scale
  centers
}
