# Columns of new data for a fit or a codebook: found by name, and of the right type.

# The columns with the given `names`, in this order, where `x` has names too; else `x` as it is. `learner`:
# what the error says has learned from these columns.
match_columns <- function(x, names, arg, call, learner = "the landmarks were") {
  given <- colnames(x)
  if (is.null(names) || is.null(given) || identical(names, given)) return(x)
  absent <- setdiff(names, given)
  if (length(absent) > 5) absent <- c(absent[1:5], "...")
  if (length(absent)) abort_columns(absent, arg, call, learner)
  twice <- c(names[duplicated(names)], intersect(given[duplicated(given)], names))
  if (length(twice)) {
    abort_input(c(
      "{.arg {arg}} must have different column names.",
      x = "{.field {twice[1]}} occurs more than once."
    ), arg = arg, kind = "columns", call = call)
  }
  x[, names, drop = FALSE]
}

# A data frame of numbers as a matrix. `why`: for the error, why there must be no other columns.
plain_frame <- function(x, arg, call, why = "") {
  check_sound(x, arg, call)
  other <- which(!vapply(x, function(v) column_type(v) %in% c("numeric", "logical"), NA))
  if (length(other)) {
    abort_input(c(
      "{.arg {arg}} must have numeric or logical columns{why}.",
      x = "Column {.field {names(x)[other[1]]}} is {describe(x[[other[1]]])}.",
      i = if (startsWith(arg, "read(")) "{.fn model.matrix} turns factors and strings into numbers."
    ), arg = arg, kind = "columns", call = call)
  }
  as.matrix(x)
}

check_names_differ <- function(names, arg, call) {
  twice <- names[duplicated(names)]
  if (length(twice)) {
    abort_input(c(
      "{.arg {arg}} must have different column names.",
      x = "{.field {twice[1]}} occurs more than once."
    ), arg = arg, kind = "columns", call = call)
  }
}

# The kind of column that a variable is: "numeric", "logical", "factor", or NA for
# other objects.
column_type <- function(v) {
  # A matrix of numbers is several columns; a table of anything else is none.
  if (length(dim(v)) > 2 || (length(dim(v)) == 2 && !is.numeric(v) && !is.logical(v))) return(NA_character_)
  if (is.factor(v) || is.character(v)) return("factor")
  if (is.logical(v)) return("logical")
  # Columns of class integer64, of package bit64, are doubles whose bits are those of whole numbers.
  if (is.numeric(v) && !is.list(v) && !inherits(v, "integer64")) "numeric" else NA_character_
}

frame_type <- function(v, name, arg, call) {
  type <- if (is_moment(v)) "numeric" else column_type(v)
  if (!is.na(type)) return(type)
  abort_input(c(
    "The columns of {.arg {arg}} must be numeric, logical, factors, strings, dates or times.",
    x = "Column {.field {name}} is {describe(v)}.",
    i = "Convert the column, or leave it out."
  ), arg = arg, kind = "data", call = call)
}

abort_columns <- function(absent, arg, call, learner = "the landmarks were") {
  abort_input(c(
    "{.arg {arg}} must have every column that {learner} learned from.",
    x = "Missing: {.field {absent}}."
  ), arg = arg, kind = "columns", call = call)
}

check_complete <- function(column, name, arg, call) {
  # as.character(): NA may also be a level of a factor.
  bad <- if (is.numeric(column)) !is.finite(column) else is.na(as.character(column))
  if (any(bad)) {
    first <- which(bad)[1]
    row <- if (is.matrix(column)) (first - 1) %% nrow(column) + 1 else first
    abort_input(c(
      "{.arg {arg}} must not have missing or infinite values.",
      x = "The first is {as.character(column[first])}, in row {row}, column {name}.",
      i = if (is.na(column[first])) missing_remedy(call, arg)
    ), arg = arg, kind = "missing", call = call)
  }
}
