# The description of a picture in a plane, and the ggplot that it becomes: list(layers, box, axes, title,
# equal, flat, scale). `layers`, from below to the top, are those of the functions layer_*(); `box`: the
# ranges of x and y that they need, in one vector; `axes`: the titles of both axes; `equal`: whether a unit is
# as long on both; `flat`: whether all points lie on a line, which has no second axis; `scale`: list(color,
# title) of the layer that has a legend.

# ---- layers --------------------------------------------------------------------------

# Points, with a color as check_color() returns it. `ringed`: see points_layer().
layer_points <- function(at, color, ringed = FALSE) {
  list(kind = "points", at = at, color = color, ringed = ringed)
}

# Points counted in the cells of a grid. `dims`: the columns of `points` that are drawn.
layer_cells <- function(points, dims, color, box, resolution) {
  list(kind = "cells", points = points, dims = dims, color = color, box = box, resolution = resolution)
}

# A surface over a grid: of(at) returns its values at some places, a matrix of two columns.
layer_surface <- function(of, color, box, resolution) {
  list(kind = "cells", of = of, dims = 1:2, color = color, box = box, resolution = resolution)
}

# Lines between the points (a, b) and (a_end, b_end), columns of a data frame. `alpha`: one for each line, or
# one for all.
layer_segments <- function(ends, color, width = 1, type = "solid", alpha = 1) {
  list(kind = "segments", ends = ends, color = color, width = width, type = type, alpha = alpha)
}

# Landmarks, with numbers where `labels`. Their colors are those of `by`, a color as check_color() returns it,
# or `plain`. `size`: that of dots without numbers, as `cex`, or NULL. `named`: see names_on_groups().
layer_marks <- function(at, labels, by = list(kind = "none"), plain = landmark_color, size = NULL,
                        named = NULL) {
  list(kind = "marks", at = at, labels = labels, by = by, plain = plain, size = size, named = named)
}

# Names of groups alone, where no landmarks are drawn.
layer_names <- function(named) list(kind = "names", named = named)

# The order of many landmarks, as a color.
color_of_order <- function(n) {
  list(kind = "numbers", values = seq_len(n), range = c(1, max(n, 2)), shown = identity)
}

# A picture whose cells are counted, with the scale of their values.
with_cells <- function(picture) {
  for (i in which(vapply(picture$layers, function(layer) layer$kind == "cells", NA))) {
    layer <- picture$layers[[i]]
    layer$cells <- shown_cells(layer, picture$equal)
    layer$color$range <- layer$cells$range
    picture$layers[[i]] <- layer
    if (!is.null(picture$scale)) picture$scale$color <- layer$color
  }
  picture
}

# ---- ggplot2 -------------------------------------------------------------------------

ggplot_plane <- function(picture) {
  .data <- rlang::.data
  picture <- with_cells(picture)
  title <- picture$scale$title %||% ""
  plot <- ggplot2::ggplot(mapping = ggplot2::aes(.data$a, .data$b))
  for (layer in picture$layers) plot <- plot + ggplot_layer(layer, title, picture$equal)
  plot <- plot + ggplot2::labs(x = picture$axes[[1]], y = picture$axes[[2]], title = picture$title) +
    theme_landmarks()
  if (picture$flat) plot <- plot + flat_axis()
  plot + plane_coords(picture$equal)
}

ggplot_layer <- function(layer, title, equal) {
  switch(layer$kind,
    points = points_layer(layer$at, layer$color, title, layer$ringed),
    cells = cells_layer(layer, title),
    segments = segments_layer(layer),
    marks = marks_layer(layer, title, equal),
    names = names_layer(layer$named)
  )
}

segments_layer <- function(layer) {
  if (NROW(layer$ends) == 0) return(NULL)
  .data <- rlang::.data
  ggplot2::geom_segment(ggplot2::aes(xend = .data$a_end, yend = .data$b_end), layer$ends,
    color = layer$color, alpha = layer$alpha, linewidth = 0.5 * layer$width, linetype = layer$type
  )
}

cells_layer <- function(layer, title) {
  aes <- ggplot2::aes
  .data <- rlang::.data
  cells <- layer$cells
  values <- cells$values
  if (layer$color$kind == "numbers") values <- pmin(pmax(values, cells$range[1]), cells$range[2])
  column <- (cells$there - 1) %/% cells$rows
  row <- (cells$there - 1) %% cells$rows
  width <- diff(cells$box[1:2]) / cells$columns
  height <- diff(cells$box[3:4]) / cells$rows
  tiles <- data.frame(
    a = cells$box[1] + (column + 0.5) * width, b = cells$box[4] - (row + 0.5) * height, value = values
  )
  list(
    ggplot2::geom_tile(aes(fill = .data$value), tiles, width = width, height = height),
    value_scale("fill", layer$color, group_shades, title)
  )
}
