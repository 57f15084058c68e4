# Places of labels: none covers another, nor what it must not cover.

# Each label's place: the first of its candidates that is free, in the order of the labels. `x`, `y`: the
# points to label; `width`, `height`: sizes of the labels; `box` = c(left, right, bottom, top), which labels
# stay inside of; `taken`: rectangles that are taken, rows c(left, right, bottom, top); `first`: the distance
# of the nearest candidates from the point (0: on the point); `reach`: how many rings of candidates.
# All in inches. Returns list(x, y, placed, away): centers of labels, and how far each is from its point, in
# rings.
place_labels <- function(x, y, width, height, box, taken = no_rects(), first = 0, reach = 4) {
  n <- length(x)
  rects <- rbind(taken, matrix(NA_real_, n, 4))
  used <- nrow(taken)
  out <- list(x = x, y = y, placed = logical(n), away = integer(n))
  for (i in seq_len(n)) {
    at <- label_candidates(width[i], height[i], first, reach)
    tried <- cbind(x[i] + at$x - width[i] / 2, x[i] + at$x + width[i] / 2, y[i] + at$y - height[i] / 2,
      y[i] + at$y + height[i] / 2
    )
    good <- tried[, 1] >= box[1] & tried[, 2] <= box[2] & tried[, 3] >= box[3] & tried[, 4] <= box[4]
    held <- rects[seq_len(used), , drop = FALSE]
    for (k in which(good)) {
      if (any(rects_meet(tried[k, ], held))) next
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

# Points in inches from the left and the bottom of the plot, and back.
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

# Places for the names of groups, the largest group first. Where no place is free of marks, one free of
# other names; else the center.
place_names <- function(x, y, order, width, height, box, marks = no_rects()) {
  out <- list(x = pmin(pmax(x, box[1] + width / 2), box[2] - width / 2), y = y)
  free <- place_labels(x[order], y[order], width[order], height[order], box, marks, reach = 6)
  out$x[order[free$placed]] <- free$x[free$placed]
  out$y[order[free$placed]] <- free$y[free$placed]
  late <- order[!free$placed]
  if (length(late)) {
    done <- order[free$placed]
    names <- rects_around(out$x[done], out$y[done], width[done], height[done])
    again <- place_labels(x[late], y[late], width[late], height[late], box, names, reach = 12)
    out$x[late[again$placed]] <- again$x[again$placed]
    out$y[late[again$placed]] <- again$y[again$placed]
  }
  out
}

name_fill <- function(colors) mixed(colors, "white", 0.7)
name_ink <- function(colors) mixed(colors, "black", 0.5)

# Whether a name is so far from its group that it needs a line.
names_apart <- function(x, y, place, width, height) {
  which(abs(place$x - x) > width / 2 + 0.05 | abs(place$y - y) > height / 2 + 0.05)
}

# The names of groups for ggplot2: a table of places that do not collide in a panel of 4.5 inches, nor in a
# larger one. `marks`: the landmarks, which the names leave free.
group_name_places <- function(at, groups, marks = at[0, , drop = FALSE], panel = 4.5) {
  centers <- group_centers(at, groups)
  if (nrow(centers) == 0) return(centers)
  both <- rbind(at, marks)
  low <- c(min(both[, 1]), min(both[, 2]))
  scale <- panel / max(diff(range(both[, 1])), diff(range(both[, 2])), 1e-300)
  text <- as.character(centers$group)
  width <- 0.075 * nchar(text, "width") + 0.12
  height <- rep(0.2, length(text))
  x <- (centers$x - low[1]) * scale
  y <- (centers$y - low[2]) * scale
  around <- rects_around((marks[, 1] - low[1]) * scale, (marks[, 2] - low[2]) * scale, 0.14)
  place <- place_names(x, y, order(-centers$size), width, height, c(0, panel, 0, panel), around)
  centers$apart <- seq_along(x) %in% names_apart(x, y, place, width, height)
  centers$at_x <- low[1] + place$x / scale
  centers$at_y <- low[2] + place$y / scale
  centers
}
