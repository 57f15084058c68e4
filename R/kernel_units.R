# Columns with different units: the column with the largest numbers would dominate the distances.

# Standard deviations this many times apart make a message.
units_apart <- 50

# A message, once in a session for the same columns, where `scale` is missing. It is for
# dense data only: counts of words share a unit, even where some words are rare.
tell_units <- function(source, space, call = rlang::caller_env()) {
  if (!identical(space, "euclidean") || source$sparse) return(invisible())
  sd <- sqrt(source$variance)
  if (!is_apart(sd[sd > 0])) return(invisible())
  measured <- which(sd > 0)
  measured <- measured[measured_columns(source, measured)]
  if (!is_apart(sd[measured])) return(invisible())
  widest <- measured[which.max(sd[measured])]
  narrowest <- measured[which.min(sd[measured])]
  name <- function(column) if (is.null(source$names)) paste("column", column) else source$names[column]
  tell_user(c(
    paste(
      "Columns of {.arg x} have very different scales: their standard deviations go from",
      "{signif(sd[narrowest], 2)} ({.field {name(narrowest)}}) to {signif(sd[widest], 2)}",
      "({.field {name(widest)}})."
    ),
    i = paste(
      "Distances depend almost only on columns of large standard deviation.",
      "{.code scale = TRUE} divides each column by its standard deviation."
    ),
    i = "{.code scale = FALSE} states that all columns share a unit and turns this message off."
  ), kind = "units", once = list(source$dim[2], source$names, widest, narrowest), call = call)
}

is_apart <- function(sd) length(sd) > 1 && max(sd) / units_apart >= min(sd)

# Which columns have a standard deviation that reflects their unit. Indicators do not, and columns with one
# value in most rows (a pixel at the border, a rare word) do not: a few rows determine their deviation.
measured_columns <- function(source, columns, most = 0.9) {
  some <- rows_of(source, even_rows(source, 200L))$x
  vapply(columns, function(j) {
    v <- some[, j]
    count <- tabulate(match(v, unique(v)))
    length(count) > 2 && max(count) <= most * length(v)
  }, NA)
}
