# Columns of dates and times, which count in days.

is_moment <- function(v) inherits(v, c("Date", "POSIXct"))

# Days since the beginning of 1970, in UTC for times.
in_days <- function(v) as.double(v) / if (inherits(v, "Date")) 1 else 86400

# A model frame with days in the place of dates and times. The data keep them, because a term such as
# `months(when)` needs the dates themselves.
with_days <- function(frame) {
  moments <- names(frame)[vapply(frame, is_moment, NA)]
  frame[moments] <- lapply(frame[moments], in_days)
  attr(frame, "moments") <- moments
  frame
}

# A message, once in a session for the same columns.
tell_days <- function(names, call) {
  if (length(names) == 0) return(invisible())
  tell_user(c(
    "{cli::qty(names)}Column{?s} {.field {names}} {?has/have} dates or times, which count in days.",
    i = "For a season or a time of day add a column of its own, such as {.code months({names[1]})}."
  ), kind = "days", once = names, call = call)
}
