# Columns of data frames: types, conversion to numbers, and errors.

# The columns with the given `names`, in this order, where `x` has names too; else `x` as it is.
match_columns <- function(x, names, arg, call) {
  present <- colnames(x)
  if (is.null(names) || is.null(present) || identical(names, present)) return(x)
  check_has_columns(names, present, arg, call)
  check_names_differ(names, arg, call)
  check_names_differ(present[present %in% names], arg, call)
  x[, names, drop = FALSE]
}

# Data as a matrix with the columns of `like`, a matrix, in its order: by name where both have names. A data
# frame may have others, of any type.
matched_matrix <- function(x, like, arg, call, empty = FALSE, why = "") {
  names <- colnames(like)
  if (is.data.frame(x)) x <- plain_frame(match_columns(x, names, arg, call), arg, call, why)
  x <- match_columns(check_data(x, arg, call, empty), names, arg, call)
  if (ncol(x) == ncol(like)) return(x)
  abort_input(c(
    "{.arg {arg}} must have the {ncol(like)} column{?s} of the training data.", x = "It has {ncol(x)}."
  ), arg = arg, kind = "columns", call = call)
}

# A data frame of numbers as a matrix. `why`: for the error, why there must be no other columns.
plain_frame <- function(x, arg, call, why = "") {
  check_columns(x, arg, call)
  types <- vapply(x, column_type, "")
  other <- which(!types %in% c("numeric", "logical"))
  if (length(other)) {
    abort_input(c(
      "{.arg {arg}} must have numeric or logical columns{why}.",
      x = "Column {.field {names(x)[other[1]]}} is {describe(x[[other[1]]])}.",
      i = if (startsWith(arg, "read(")) "{.fn model.matrix} turns factors and strings into numbers."
    ), arg = arg, kind = "columns", call = call)
  }
  odd <- vapply(x, is.object, NA)
  x[odd] <- Map(plain_values, x[odd], types[odd])
  as.matrix(x)
}

# `rule`: what the error says that `arg` must have.
check_has_columns <- function(names, present, arg, call, rule = "column of the training data") {
  absent <- setdiff(names, present)
  if (length(absent) == 0) return(invisible())
  meant <- alike(absent[1], setdiff(present, names))
  if (length(absent) > 5) absent <- c(absent[1:5], "...")
  abort_input(c(
    "{.arg {arg}} must have every {rule}.", x = "Missing: {.field {absent}}.",
    i = if (length(meant)) "Did you mean {.field {meant}}?"
  ), arg = arg, kind = "columns", call = call)
}

# An error for a data frame that was put together wrongly, of which R would recycle columns.
check_columns <- function(x, arg, call) {
  columns <- unclass(x)
  names <- names(columns)
  named <- length(names) == length(columns) && !anyNA(names) && all(nzchar(names))
  if (is.list(columns) && named && all(vapply(columns, NROW, 0L) == nrow(x))) return(invisible())
  abort_input(c(
    "{.arg {arg}} must be a data frame whose columns have names and a value for each row.",
    x = "Their names are {.val {names}}, and their lengths {lengths(columns)}, for {nrow(x)} row{?s}."
  ), arg = arg, kind = "columns", call = call)
}

check_names_differ <- function(names, arg, call) {
  twice <- names[anyDuplicated(names)]
  if (length(twice) == 0) return(invisible())
  abort_input(c(
    "{.arg {arg}} must have distinct column names.", x = "{.field {twice}} occurs more than once."
  ), arg = arg, kind = "columns", call = call)
}

# ---- types and values ----------------------------------------------------------------------

# The type of a column: "numeric", which may be a matrix, "logical", "factor" (strings too) or "days" (dates
# and times); NA for other objects.
column_type <- function(v) {
  if (is.list(v) || length(dim(v)) > 2) return(NA_character_)
  if (is_moment(v)) return("days")
  # Values of class integer64, of package bit64, are doubles whose bits are those of integers.
  numbers <- (is.numeric(v) || is.logical(v)) && !inherits(v, "integer64")
  if (length(dim(v)) == 2) return(if (numbers && ncol(v) > 0) "numeric" else NA_character_)
  if (is.factor(v) || is.character(v)) return("factor")
  if (is.logical(v)) "logical" else if (numbers) "numeric" else NA_character_
}

is_moment <- function(v) inherits(v, c("Date", "POSIXct"))

# The type of a column of training data, or an error.
learned_type <- function(v, name, arg, call) {
  type <- column_type(v)
  if (!is.na(type)) return(type)
  abort_input(c(
    "The columns of {.arg {arg}} must be numeric, logical, factors, strings, dates or times.",
    x = "Column {.field {name}} is {describe(v)}.",
    i = if (inherits(v, "POSIXlt")) "Convert it by {.fn as.POSIXct}, or leave it out.",
    i = if (!inherits(v, "POSIXlt")) "Convert the column, or leave it out."
  ), arg = arg, kind = "data", call = call)
}

# The values of a column: a plain vector or matrix of numbers, or strings of a factor.
plain_values <- function(v, type) {
  switch(type,
    factor = enc2utf8(as.character(if (is.factor(v)) v else unclass(v))),
    # Days since the beginning of 1970, in UTC for times.
    days = as.double(unclass(v)) / if (inherits(v, "Date")) 1 else 86400,
    logical = as.vector(unclass(v)),
    numeric = structure(as.double(unclass(v)), dim = if (is.matrix(v)) dim(v))
  )
}

# The values of a column for a fit that has learned from a column of this type and number of columns.
known_values <- function(v, type, width, levels, name, arg, call) {
  # A column of NA alone is logical, and of any type.
  if (!is.logical(v) || !all(is.na(v))) check_type(v, type, width, name, arg, call)
  v <- plain_values(v, type)
  check_complete(v, name, arg, call)
  if (type == "factor") check_levels(v, levels, name, arg, call)
  v
}

check_type <- function(v, type, width, name, arg, call) {
  if (identical(column_type(v), type) && (type == "factor" || NCOL(v) == width)) return(invisible())
  rule <- switch(type,
    numeric = if (max(width, NCOL(v)) > 1) how_many(width, "numeric column") else "numeric",
    factor = "a factor or strings", days = "dates or times", type
  )
  abort_input(c(
    "{.arg {arg}} must have the column types of the training data.",
    x = "Column {.field {name}} must be {rule}. It is {describe(v)}."
  ), arg = arg, kind = "columns", call = call)
}

check_complete <- function(v, name, arg, call) {
  bad <- which(if (is.numeric(v)) !is.finite(v) else is.na(v))
  if (length(bad) == 0) return(invisible())
  first <- bad[1]
  abort_input(c(
    "{.arg {arg}} must not have missing or infinite values.",
    x = "The first is {as.character(v[first])}, in row {(first - 1) %% NROW(v) + 1}, column {name}.",
    i = if (is.na(v[first])) missing_remedy(call, arg)
  ), arg = arg, kind = "missing", call = call)
}

# ---- levels --------------------------------------------------------------------------------

check_levels <- function(v, levels, name, arg, call) {
  unseen <- setdiff(v, levels)
  if (length(unseen) == 0) return(invisible())
  abort_input(c(
    "{.arg {arg}} must have only factor levels of the training data.",
    x = "Column {.field {name}} has {.val {unseen}}.",
    i = if (arg == "newdata" && has_argument(call, "newdata") && has_argument(call, "na.action")) {
      "{.code na.action = na.pass} returns NA for such rows."
    }
  ), arg = arg, kind = "levels", call = call)
}

# Variables in which levels that the landmarks were not learned from are missing values, with a warning.
without_unseen <- function(values, levels, arg, call) {
  for (name in names(levels)) {
    if (!identical(column_type(values[[name]]), "factor")) next
    found <- plain_values(values[[name]], "factor")
    unseen <- !is.na(found) & !found %in% levels[[name]]
    if (!any(unseen)) next
    values[[name]] <- replace(found, unseen, NA)
    warn_user(c(
      paste0(
        "{sum(unseen)} row{?s} of {.arg {arg}} {cli::qty(sum(unseen))}{?has/have} ",
        "a factor level that is not in the training data."
      ),
      x = "Column {.field {name}} has {.val {unique(found[unseen])}}.",
      i = "It is treated as missing."
    ), kind = "levels", call = call)
  }
  values
}

# ---- messages and warnings about columns -----------------------------------------------------

# A warning of a factor with more than a hundred levels or with another one in each of many rows, and a
# message of columns that may number the rows. `values`: the variables of a blueprint.
tell_columns <- function(values, blueprint, rows, call) {
  for (name in names(blueprint$levels)) {
    levels <- length(blueprint$levels[[name]])
    each <- levels == rows && rows >= 20
    if (levels > 100 || each) {
      warn_user(c(
        "Column {.field {name}} has {levels} levels, and each becomes an indicator column.",
        i = if (each) "Each row has a different level, so the column makes all rows equally distant.",
        i = paste(
          "Leave the column out, for example with the formula {.code ~ . - {name}},",
          "or merge its rare levels."
        )
      ), kind = "levels", call = call)
    }
  }
  for (i in which(blueprint$types == "numeric" & blueprint$widths == 1 & rows >= 20)) {
    v <- plain_values(values[[i]], "numeric")
    if (!isTRUE(all(v == trunc(v)) && all(diff(v) > 0))) next
    name <- blueprint$labels[i]
    inform_user(c(
      "Column {.field {name}} has integers that increase from row to row, like an identifier.",
      i = paste(
        "Its values are used in all distances.",
        "If it is an identifier, leave it out, for example with the formula {.code ~ . - {name}}."
      )
    ), kind = "identifier", once = name, call = call)
  }
}
