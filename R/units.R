# Columns with units of their own: distances are then those of the column with the largest numbers.

# Standard deviations this many times apart make a message.
units_apart <- 50

# A message, once in a session for the same columns, where `scale` was left at its default. It speaks of
# dense data only: counts of words share a unit however rare some words are.
tell_units <- function(source, space, call = rlang::caller_env()) {
  if (!identical(space, "euclidean") || source$sparse) return(invisible())
  spread <- sqrt(source$variance)
  if (!is_apart(spread[spread > 0])) return(invisible())
  measured <- which(spread > 0)
  measured <- measured[measured_columns(source, measured)]
  if (!is_apart(spread[measured])) return(invisible())
  widest <- measured[which.max(spread[measured])]
  narrowest <- measured[which.min(spread[measured])]
  name <- function(column) if (is.null(source$names)) paste("column", column) else source$names[column]
  tell_user(c(
    paste(
      "Columns of {.arg x} have very different scales: their standard deviations go from",
      "{signif(spread[narrowest], 2)} ({.field {name(narrowest)}}) to {signif(spread[widest], 2)}",
      "({.field {name(widest)}})."
    ),
    i = paste(
      "Distances depend almost only on columns of large standard deviation.",
      "{.code scale = TRUE} divides each column by its standard deviation."
    ),
    i = "{.code scale = FALSE} states that all columns share a unit and turns this message off."
  ), kind = "units", once = list(source$dim[2], source$names, widest, narrowest), call = call)
}

is_apart <- function(spread) length(spread) > 1 && max(spread) / units_apart >= min(spread)

# Which columns have a spread that is a scale. Indicators have none; nor have columns that are the same
# value in most rows, as a pixel at the border or a rare word: few rows make their spread, not the unit.
measured_columns <- function(source, columns, most = 0.9) {
  some <- rows_of(source, spread_rows(source, 200L))$x
  vapply(columns, function(j) {
    v <- some[, j]
    count <- tabulate(match(v, unique(v)))
    length(count) > 2 && max(count) <= most * length(v)
  }, NA)
}
