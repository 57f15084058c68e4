# The data that a fit was learned from, found again by its call: a fit does not keep them.

# The data in the call of a fit, evaluated where `env` is; NULL where they are not there or are others.
# Only names, subsets and arithmetic are evaluated, so that no numbers are drawn and no file is read.
own_data <- function(fit, env) {
  call <- fit$call
  if (!is.call(call)) return(NULL)
  expr <- call$data %||% call$x
  if (!is_plain_expr(expr)) return(NULL)
  data <- tryCatch(eval(expr, env), error = function(e) NULL)
  if (is.null(data) || is.function(data) || is.null(dim(data))) return(NULL)
  found <- tryCatch(suppressWarnings(fit_data(fit, data, "data", NULL)), error = function(e) NULL)
  if (is.null(found) || is_parted(found) || !is_own(fit, found)) return(NULL)
  data
}

# Each landmark is as far from its nearest row as it was when it was learned.
is_own <- function(fit, data) {
  if (nrow(data) != fit$n_rows) return(FALSE)
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
