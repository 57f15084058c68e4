# Levels of factors: too many of them, and those of new data that a fit has not seen.

# A warning where a factor has more than a hundred levels, or another one in each of many rows: each level
# becomes a column, which is rarely meant.
warn_levels <- function(name, levels, rows, call) {
  each <- levels == rows && rows >= 20
  if (levels <= 100 && !each) return(invisible())
  warn_user(c(
    "Column {.field {name}} has {levels} levels, and each becomes a column of 0 and 1.",
    i = if (each) "Every row has its own level, so the column makes all rows equally different.",
    i = "Leave the column out, for example with the formula {.code ~ . - {name}}, or merge its rare levels."
  ), kind = "levels", call = call)
}

# A model frame in which levels that the landmarks were not learned from are missing values, with a warning.
without_unseen <- function(frame, levels, arg, call) {
  for (name in names(levels)) {
    if (!identical(column_type(frame[[name]]), "factor")) next
    given <- as.character(frame[[name]])
    unseen <- !is.na(given) & !given %in% levels[[name]]
    if (!any(unseen)) next
    frame[[name]][unseen] <- NA
    warn_user(c(
      paste0(
        "{sum(unseen)} row{?s} of {.arg {arg}} {cli::qty(sum(unseen))}{?has/have} ",
        "a factor level that the landmarks have not seen."
      ),
      x = "Column {.field {name}} has {.val {unique(given[unseen])}}.",
      i = "It counts as a missing value."
    ), kind = "levels", call = call)
  }
  frame
}

# A column as a factor with the levels that the landmarks were learned from, which has a column for each
# level.
whole_factor <- function(column, levels, name, arg, call) {
  unseen <- setdiff(unique(as.character(column)), levels)
  if (length(unseen)) {
    abort_input(c(
      "{.arg {arg}} must have only factor levels that the landmarks were learned from.",
      x = "Column {.field {name}} has {.val {unseen}}.",
      i = if (arg == "newdata" && takes_missing(call)) {
        "{.code na.action = na.pass} gives such rows missing values."
      }
    ), arg = arg, kind = "levels", call = call)
  }
  column <- factor(as.character(column), levels = levels)
  attr(column, "contrasts") <- matrix(diag(length(levels)), length(levels), dimnames = list(levels, levels))
  column
}
