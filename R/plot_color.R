# The colors of points by a value of each: what `color` means in every picture, its keys and its points.

# What the user gave as `color`, checked: list(kind, values), of kind "none", "groups" or "numbers". Factors,
# strings, logicals, and whole numbers of few different values are groups, `values` a factor. Other numbers,
# dates and times have a continuous scale: `range`, its ends, and shown(), which makes a date of its number.
# `of`: what has one value each, as the error calls it.
check_color <- function(color, count, of, call) {
  if (is.null(color)) return(list(kind = "none"))
  check_sound(color, "color", call)
  of_groups <- is.factor(color) || is.character(color) || is.logical(color)
  known <- of_groups || is.numeric(color) || is_moment(color)
  if (!known || !is.null(dim(color)) || length(color) != count) {
    abort_input(c(
      "{.arg color} must be a vector of groups, numbers, dates or times, one for each {of}, {count}.",
      x = "It is {describe(color)}.",
      i = if (is_path(color)) "{column_words(color)}",
      i = if (inherits(color, "POSIXlt")) "Give times as {.fn as.POSIXct} returns them.",
      i = if (inherits(color, "difftime")) "Give {.code as.numeric(color)}."
    ), arg = "color", call = call)
  }
  # Levels without rows have no color and no place in a legend.
  if (of_groups || is_label(color)) return(list(kind = "groups", values = droplevels(as.factor(color))))
  shown <- if (inherits(color, "Date")) {
    function(v) as.Date(v, origin = "1970-01-01")
  } else if (is_moment(color)) {
    zone <- attr(color, "tzone") %||% ""
    function(v) as.POSIXct(v, origin = "1970-01-01", tz = zone[1])
  } else {
    identity
  }
  values <- as.double(color)
  if (any(is.infinite(values))) {
    abort_input(c(
      "{.arg color} must be finite numbers, or NA.",
      x = "Number {which(is.infinite(values))[1]} is {values[is.infinite(values)][1]}."
    ), arg = "color", call = call)
  }
  range <- if (all(is.na(values))) c(0, 0) else range(values, na.rm = TRUE)
  list(kind = "numbers", values = values, range = scale_range(range), shown = shown)
}

# Whether numbers are labels of groups: whole, and of at most twelve different values.
is_label <- function(v) {
  if (!is.numeric(v) || is.object(v)) return(FALSE)
  values <- unique(v[!is.na(v)])
  length(values) <= 12 && all(is.finite(values) & values == trunc(values))
}

# The color of some of the points.
color_of_some <- function(color, rows) {
  if (color$kind != "none") color$values <- color$values[rows]
  color
}

# The color of each value; `none` where there is none.
value_colors <- function(color, none) {
  switch(color$kind,
    none = none,
    numbers = on_scale(color$values, color$range, sequential_colors()),
    groups = ifelse(is.na(color$values), unknown_color, group_colors(color$values)[color$values])
  )
}

# What names on groups need, list(at, groups, colors): the points, their groups and the colors of these. NULL
# where groups have no names on them.
names_on_groups <- function(at, color, as_cells = FALSE) {
  if (color$kind != "groups" || !names_stand(color$values)) return(NULL)
  groups <- color$values
  list(at = at, groups = groups, colors = if (as_cells) group_shades(groups) else group_colors(groups))
}

# ---- points --------------------------------------------------------------------------

# The layer of points and its scales. `ringed`: whether points without a color are white dots with a dark
# ring, which stand out from any color below.
points_layer <- function(at, color, title, ringed = FALSE) {
  if (NROW(at) == 0) return(NULL)
  aes <- ggplot2::aes
  .data <- rlang::.data
  points <- data.frame(a = at[, 1], b = at[, 2])
  points$value <- color$values
  size <- if (nrow(points) > 5000) 0.4 else 0.9
  if (ringed) {
    return(ggplot2::geom_point(
      data = points, shape = 21, fill = "white", color = "gray20", size = size, stroke = 0.25
    ))
  }
  switch(color$kind,
    none = ggplot2::geom_point(data = points, color = data_color, size = size, alpha = 0.6),
    numbers = list(
      ggplot2::geom_point(aes(color = .data$value), points, size = size, alpha = 0.7),
      value_scale("color", color, title = title)
    ),
    groups = list(
      ggplot2::geom_point(aes(color = .data$value, shape = .data$value), points, size = size, alpha = 0.7),
      group_scales(color$values, title)
    )
  )
}
