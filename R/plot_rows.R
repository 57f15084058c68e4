# The data that a fit was learned from, found again by its call: a fit does not keep them.

# The data in the call of a fit, evaluated where `env` is: list(data, rows, total), the rows that the fit has
# used, their numbers and how many rows there are in all; NULL where they are not there or are others.
# Only names, subsets and arithmetic are evaluated, so that no numbers are drawn, no file is read, and a fit
# from a file runs no code of others.
own_data <- function(fit, env) {
  call <- fit$call
  if (!is.call(call)) return(NULL)
  expr <- call$data %||% call$x
  if (!all(vapply(c(expr, fit$blueprint$code), is_plain_expr, NA))) return(NULL)
  data <- or_else(eval(with_plain_functions(expr), env), NULL)
  if (is.null(data) || is.function(data) || is.null(dim(data))) return(NULL)
  total <- nrow(data)
  rows <- if (is.null(call$subset)) seq_len(total) else own_subset(call$subset, data, env)
  if (is.null(rows)) return(NULL)
  # Rows may have been left out for the response, of which the columns say nothing.
  if (length(rows) == fit$n_rows + length(fit$na.action)) rows <- without_rows(rows, fit$na.action)
  if (length(rows) < total) data <- data[rows, , drop = FALSE]
  found <- or_else(suppressWarnings(fit_rows(fit, data, "data", NULL)$x), NULL)
  if (is.null(found) || !is_own(fit, found)) return(NULL)
  list(data = data, rows = rows, total = total)
}

# The numbers of the rows that the `subset` of a formula's call keeps; NULL where they are not found.
own_subset <- function(expr, data, env) {
  if (!is_plain_expr(expr)) return(NULL)
  subset <- rlang::as_quosure(with_plain_functions(expr), env)
  or_else(formula_subset(subset, data, NULL), NULL)
}

# Whether these are the data of the fit: their columns have the means that the fit keeps, and each landmark is
# as far from its nearest row as it was. The means of a weighted fit are weighted, and are not compared.
is_own <- function(fit, data) {
  if (nrow(data) != fit$n_rows) return(FALSE)
  moved <- abs(Matrix::colMeans(data) - fit$mean) > 1e-6 * (fit$sd + abs(fit$mean))
  if (!fit$weighted && any(moved)) return(FALSE)
  nearest <- numbers_left(fit$nearest, fit$na.action, fit$n_rows)
  near <- as.matrix(data[nearest, , drop = FALSE])
  away <- sqrt(colSums((t(near - fit$landmarks) * fit$factor)^2))
  size <- sqrt(max(colSums((t(near) * fit$factor)^2)))
  all(is.finite(away)) && all(abs(away - fit$nearest_distance) <= 1e-6 * (size + away))
}

plain_functions <- c(
  "[", "[[", "$", "@", "(", ":", "c", "-", "+", "*", "/", "^", "::", "as.matrix", "data.matrix", "scale",
  "log", "log1p", "exp", "sqrt", "abs", "I", "t", "unclass", "hellinger", "cbind", "==", "!=", "<", "<=", ">",
  ">=", "&", "|", "!", "%in%", "is.na"
)

is_plain_expr <- function(expr) {
  if (is.symbol(expr)) return(nzchar(as.character(expr)))
  if (!is.call(expr)) return(is.atomic(expr) && length(expr) <= 10)
  head <- expr[[1]]
  if (!is.symbol(head) || !as.character(head) %in% plain_functions) return(FALSE)
  # The index that is left out in x[rows, ] is an empty symbol.
  given <- Filter(function(part) !is.symbol(part) || nzchar(as.character(part)), as.list(expr)[-1])
  all(vapply(given, is_plain_expr, NA))
}

# The expression with functions in the place of their names: where the user is, a name may mean another
# function.
with_plain_functions <- function(expr) {
  if (!is.call(expr)) return(expr)
  name <- as.character(expr[[1]])
  expr[[1]] <- if (name == "hellinger") hellinger else get(name, baseenv(), mode = "function")
  # The namespace and the name of pkg::name stay as they are.
  if (name == "::") return(expr)
  for (i in seq_along(expr)[-1]) if (is.call(expr[[i]])) expr[[i]] <- with_plain_functions(expr[[i]])
  expr
}

# The data to draw: list(data) of those given, or own_data(). Where there are none, a message says how to add
# them.
data_to_draw <- function(fit, data, type, color, env, call = rlang::caller_env()) {
  if (!is.null(data)) return(list(data = data))
  own <- own_data(fit, env)
  if (!is.null(own)) return(own)
  if (type == "map" || !is.null(color)) {
    abort_no_data(if (type == "map") "for a map" else "with {.arg color}", call)
  }
  tell_user(c(
    "Only the landmarks are drawn: the data in the call of the fit were not found here, or are others.",
    i = "Give {.arg data} to draw the landmarks among them.",
    i = if (length(fit$blueprint$code)) "Functions of its formula are evaluated only then."
  ), kind = "no_data", once = fit$landmarks, call = call)
  NULL
}

# An error where what the user wants needs the data.
abort_no_data <- function(what, call) {
  abort_input(c(
    paste0("{.arg data} must be given ", what, ": a fit does not keep its data."),
    x = "The data in the call of the fit were not found here, or are others.",
    i = "Give the data that the landmarks were learned from."
  ), arg = "data", kind = "data", call = call)
}

# The rows to draw, checked, with their color, and the title. `found`: see data_to_draw().
shown_data <- function(fit, found, color, type, max_points, call = rlang::caller_env()) {
  max_points <- check_count(max_points %||% if (type == "map") 1500 else 5000, "max_points", call = call)
  title <- how_many(nrow(fit$landmarks), "landmark")
  if (is.null(found)) return(only_points(title, ncol(fit$landmarks)))
  given <- fit_rows(fit, found$data, "data", call)
  drawn <- kept_rows(given$omitted, nrow(given$x))
  # A value for each row that is drawn, or for all rows of the user's data: values of others go with them.
  if (!is.null(color) && NROW(color) != length(drawn)) {
    rows <- found$rows %||% seq_len(nrow(found$data))
    total <- found$total %||% length(rows)
    check_color(color, total, "row of `data`", call)
    color <- color[rows[drawn]]
  }
  rows_drawn(given$x, color, title, "data", type == "map", max_points, call)
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
  check_plot_memory(data, min(nrow(data), max_points), map, call)
  if (nrow(data) > max_points) {
    rows <- unique(round(seq(1, nrow(data), length.out = min(nrow(data), max_points))))
    few <- format(length(rows), big.mark = big_mark(), scientific = FALSE)
    title <- paste0(title, ", ", few, " of ", how_many(nrow(data), "row"))
    data <- data[rows, , drop = FALSE]
    color <- color_of_some(color, rows)
  }
  list(data = data, color = color, title = title)
}

# Copies of `rows` of the data, from which principal axes are found, or the neighbors of a map. For a map they
# are made dense.
check_plot_memory <- function(data, rows, map, call) {
  sparse <- methods::is(data, "sparseMatrix")
  each <- if (sparse && !map) 1.5 * Matrix::nnzero(data) / max(1, nrow(data)) else ncol(data)
  check_work(as.double(rows) * (3 * each + 20), "A picture of {rows} rows needs",
    "Draw fewer rows, with a smaller {.arg max_points}.", "max_points", call
  )
}
