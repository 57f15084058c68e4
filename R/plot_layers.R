# One description of each picture in a plane, which base graphics and ggplot2 both draw: list(layers, box,
# axes, title, equal, flat, scale). `layers`, from below to the top, are those of the functions layer_*();
# `box`: the ranges of x and y that they need, in one vector; `axes`: the titles of both axes; `equal`: if
# a unit is as long on both; `flat`: whether all points lie on a line, which has no second axis; `scale`:
# list(color, title) of the layer that has a key.

# ---- layers --------------------------------------------------------------------------

# Points, with a color as check_color() returns it. `ringed`: see draw_points().
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

# A picture whose cells are counted, with the scale of their values. `pars`: limits and `asp` of the axes.
with_cells <- function(picture, pars) {
  for (i in which(vapply(picture$layers, function(layer) layer$kind == "cells", NA))) {
    layer <- picture$layers[[i]]
    layer$cells <- shown_cells(layer, pars)
    layer$color$range <- layer$cells$range
    picture$layers[[i]] <- layer
    if (!is.null(picture$scale)) picture$scale$color <- layer$color
  }
  picture
}

# ---- base graphics -------------------------------------------------------------------

# Draws a picture. `given`: further arguments of plot.default(); `point`: pch and cex of points. Landmarks and
# names are above the key, the other layers below.
draw_plane <- function(picture, given = list(), point = list()) {
  pars <- list(
    main = picture$title, xlab = picture$axes[[1]], ylab = picture$axes[[2]],
    asp = if (picture$equal) 1 else NA
  )
  if (picture$flat) pars[names(flat_pars)] <- flat_pars
  pars[names(given)] <- given
  picture <- with_cells(picture, pars)
  as_cells <- any(vapply(picture$layers, function(layer) layer$kind == "cells", NA))
  scale <- picture$scale
  key <- if (!is.null(scale)) color_key(scale$color, scale$title, as_cells)
  draw_key <- open_plane(picture$box[1:2], picture$box[3:4], pars, key)
  is_top <- vapply(picture$layers, function(layer) layer$kind %in% c("marks", "names"), NA)
  for (layer in picture$layers[!is_top]) draw_layer(layer, point)
  draw_key()
  for (layer in picture$layers[is_top]) draw_layer(layer, point)
}

draw_layer <- function(layer, point) {
  switch(layer$kind,
    points = draw_points(layer$at, layer$color, point, layer$ringed),
    cells = draw_cells(layer$cells, layer$color),
    segments = draw_segments(layer),
    marks = {
      marks <- marks_of(layer$at, layer$labels, layer$size)
      draw_marks(marks, value_colors(layer$by, layer$plain), layer$named)
    },
    names = draw_group_names(layer$named)
  )
}

draw_segments <- function(layer) {
  e <- layer$ends
  if (NROW(e) == 0) return(invisible())
  rgb <- grDevices::col2rgb(layer$color) / 255
  color <- grDevices::rgb(rgb[1], rgb[2], rgb[3], layer$alpha)
  graphics::segments(e$a, e$b, e$a_end, e$b_end, col = color, lwd = layer$width, lty = layer$type)
}

# ---- ggplot2 -------------------------------------------------------------------------

# The same picture as a ggplot2 object.
ggplot_plane <- function(picture) {
  .data <- rlang::.data
  picture <- with_cells(picture, list(asp = if (picture$equal) 1))
  title <- picture$scale$title %||% ""
  plot <- ggplot2::ggplot(mapping = ggplot2::aes(.data$a, .data$b))
  for (layer in picture$layers) plot <- plot + ggplot_layer(layer, title)
  plot <- plot + ggplot2::labs(x = picture$axes[[1]], y = picture$axes[[2]], title = picture$title) +
    theme_landmarks()
  if (picture$flat) plot <- plot + flat_axis()
  plot + plane_coords(picture$equal)
}

ggplot_layer <- function(layer, title) {
  switch(layer$kind,
    points = points_layer(layer$at, layer$color, title, layer$ringed),
    cells = cells_layer(layer, title),
    segments = segments_layer(layer),
    marks = marks_layer(layer, title),
    names = names_layer(layer$named, matrix(0, 0, 2))
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
