# The rows that a picture shows.

# The rows to draw of `data`, checked, with their color, and the title. `data`: of the user, or NULL for the
# landmarks alone.
shown_data <- function(fit, data, color, type, max_points, call = rlang::caller_env()) {
  max_points <- check_count(max_points %||% if (type == "map") 1500 else 5000, "max_points", call = call)
  title <- how_many(nrow(fit$landmarks), "landmark")
  if (is.null(data)) {
    if (type == "map" || !is.null(color)) {
      abort_no_data(if (type == "map") "for a map" else "with {.arg color}", call)
    }
    return(only_points(title, ncol(fit$landmarks)))
  }
  given <- forge(fit, data, "data", call)
  drawn <- kept_rows(given$omitted, nrow(given$x))
  # A value for each row that is drawn, or for all rows of the user's data.
  if (!is.null(color) && NROW(color) != length(drawn)) {
    check_color(color, nrow(data), "row of `data`", call)
    color <- color[drawn]
  }
  rows_drawn(given$x, color, title, "data", type == "map", max_points, call)
}

# An error where what the user wants needs the data.
abort_no_data <- function(what, call) {
  abort_input(c(
    paste0("{.arg data} must be given ", what, ": a fit does not keep its data."),
    i = "Give the data that the landmarks were learned from."
  ), arg = "data", kind = "data", call = call)
}

# What is drawn of points without rows.
only_points <- function(title, columns) {
  if (columns > 2) title <- paste0(title, ", on their own components")
  list(data = NULL, color = list(kind = "none"), title = title)
}

# At most `max_points` of the rows, evenly spaced, with their colors; `arg`: the name of the rows.
rows_drawn <- function(data, color, title, arg, map, max_points, call) {
  check_finite(data, arg, call)
  color <- check_color(color, nrow(data), paste0("row of `", arg, "`"), call)
  if (nrow(data) > max_points) {
    rows <- unique(round(seq(1, nrow(data), length.out = min(nrow(data), max_points))))
    few <- format(length(rows), big.mark = big_mark(), scientific = FALSE)
    title <- paste0(title, ", ", few, " of ", how_many(nrow(data), "row"))
    data <- data[rows, , drop = FALSE]
    color <- color_of_some(color, rows)
  }
  list(data = data, color = color, title = title)
}
