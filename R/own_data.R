# The data that a fit was learned from, found again by its call: a fit does not keep them.

# The data in the call of a fit, evaluated where `env` is; NULL where they are not there or are others.
# Only names, subsets and arithmetic are evaluated, so that no numbers are drawn and no file is read.
own_data <- function(fit, env) {
  call <- fit$call
  if (!is.call(call)) return(NULL)
  expr <- call$data %||% call$x
  if (!is_plain_expr(expr)) return(NULL)
  data <- or_else(eval(with_plain_functions(expr), env), NULL)
  if (is.null(data) || is.function(data) || is.null(dim(data))) return(NULL)
  found <- or_else(suppressWarnings(fit_rows(fit, data, "data", NULL)$x), NULL)
  if (is.null(found) || !in_memory(found) || !is_own(fit, found)) return(NULL)
  data
}

# Columns have the means that they had, and each landmark is as far from its nearest row as it was when it was
# learned. The means of a weighted fit are weighted.
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
  "log", "log1p", "sqrt", "t", "unclass", "hellinger", "cbind"
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

# The same with the functions themselves in the place of their names, which may mean others where the user is.
with_plain_functions <- function(expr) {
  if (!is.call(expr)) return(expr)
  name <- as.character(expr[[1]])
  expr[[1]] <- if (name == "hellinger") hellinger else get(name, baseenv(), mode = "function")
  # The namespace and the name of pkg::name stay as they are.
  if (name == "::") return(expr)
  for (i in seq_along(expr)[-1]) if (is.call(expr[[i]])) expr[[i]] <- with_plain_functions(expr[[i]])
  expr
}

# The data to draw: those given, or the fit's own. Where there are none, a message says how to add them.
data_to_draw <- function(fit, data, type, color, env, call = rlang::caller_env()) {
  if (!is.null(data)) return(data)
  data <- own_data(fit, env)
  if (!is.null(data)) return(data)
  if (type == "map" || !is.null(color)) {
    what <- if (type == "map") "for a map" else "with {.arg color}"
    abort_input(c(
      paste0("{.arg data} must be given ", what, ": a fit does not keep its data."),
      x = "The data in the call of the fit were not found here, or are others.",
      i = "Give the data that the landmarks were learned from."
    ), arg = "data", kind = "data", call = call)
  }
  tell_user(c(
    "Only the landmarks are drawn: the data in the call of the fit were not found here, or are others.",
    i = "Give {.arg data} to draw the landmarks among them."
  ), kind = "no_data", once = fit$landmarks, call = call)
  NULL
}
