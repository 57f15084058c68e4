# Arguments of pictures.

# A method of plot(): prints the picture of autoplot(). Errors name plot().
print_picture <- function(x, ..., call = rlang::caller_env()) {
  # Where print() is an S4 generic it would wrap an error of its argument.
  picture <- with_call(ggplot2::autoplot(x, ...), call, replace = TRUE)
  print(picture)
  invisible(x)
}

# The title of a legend from the expression that a user gave as `color`: `iris$Species` gives "Species".
color_name <- function(expr) {
  if (is.symbol(expr)) return(as.character(expr))
  if (is.character(expr) && length(expr) == 1) return(expr)
  if (!is.call(expr)) return("value")
  head <- if (is.symbol(expr[[1]])) as.character(expr[[1]]) else ""
  if (head %in% c("$", "[[", "@") && length(expr) == 3) return(color_name(expr[[3]]))
  # A column of a matrix or a table: x[, "length"].
  if (head == "[" && length(expr) >= 4 && is.character(expr[[4]])) return(color_name(expr[[4]]))
  # The values themselves: x[rows], factor(x).
  if (head %in% c("[", "(", "factor", "as.factor", "as.character", "droplevels")) {
    return(color_name(expr[[2]]))
  }
  text <- deparse(expr)
  if (length(text) == 1 && nchar(text) <= 24) text else "value"
}

# The title of a legend. NULL stands for the name of `color`, whose expression is `expr`; "" for no title.
check_legend <- function(legend, expr, call = rlang::caller_env()) {
  if (is.null(legend)) return(color_name(expr))
  if (!is.character(legend) || length(legend) != 1 || is.na(legend)) {
    abort_input(
      c("{.arg legend} must be one string, the title of the legend.", x = "It is {describe(legend)}."),
      arg = "legend", call = call
    )
  }
  legend
}

# Whether landmarks are drawn with numbers: by default, few are.
are_numbered <- function(labels, n, call = rlang::caller_env()) {
  check_flag(labels %||% (n <= most_numbered), "labels", call)
}

check_dims <- function(dims, most, call) {
  if (!is.numeric(dims) || !length(dims) %in% 1:2 || !all(dims %in% seq_len(most)) || anyDuplicated(dims)) {
    given <- if (is.numeric(dims) && length(dims) == 2) paste(dims, collapse = ", ") else describe(dims)
    abort_input(c(
      paste0(
        "{.arg dims} must be one or two different whole numbers from 1 to {most}, ",
        "of the embedding's coordinates."
      ),
      x = "It is {given}."
    ), arg = "dims", call = call)
  }
  as.integer(dims)
}
