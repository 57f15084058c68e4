# Columns: their names, types, and values as numbers, and errors about these.

# ---- names -----------------------------------------------------------------------------------

# `rule`: what the error says that `arg` must have.
check_has_columns <- function(names, present, arg, call, rule = "column of the training data") {
  absent <- setdiff(names, present)
  meant <- if (length(absent)) alike(absent[1], setdiff(present, names))
  # Names of the training data are right, those of the user may be wrong.
  remedy <- "Did you mean {.var {meant}}?"
  if (missing(rule)) remedy <- "Should {.var {meant}} be named {.var {absent[1]}}?"
  check_that(length(absent) == 0, names, arg, paste("have every", rule), "columns", call,
    if (length(meant)) remedy, "Missing: {.var {absent}}."
  )
  check_names_differ(names, arg, call)
  check_names_differ(present[present %in% names], arg, call)
}

check_names_differ <- function(names, arg, call) {
  twice <- names[anyDuplicated(names)]
  check_that(length(twice) == 0, names, arg, "have distinct column names", "columns", call,
    found = "{.var {twice}} occurs more than once."
  )
}

# The columns with the given `names`, in this order, where `x` has names too; else `x` as it is.
match_columns <- function(x, names, arg, call) {
  if (is.null(names) || is.null(colnames(x)) || identical(names, colnames(x))) return(x)
  check_has_columns(names, colnames(x), arg, call)
  x[, names, drop = FALSE]
}

# An error for a data frame that was put together wrongly, of which R would recycle columns.
check_columns <- function(x, arg, call) {
  columns <- unclass(x)
  named <- is.list(columns) && rlang::is_named2(columns)
  bad <- if (named) which(vapply(columns, NROW, 0L) != nrow(x))[1]
  rule <- "a data frame whose columns have names and a value for each row"
  check_that(named && is.na(bad), x, arg, rule, "columns", call, found = if (named) {
    "Column {.var {names(columns)[bad]}} has {NROW(columns[[bad]])} value{?s} for {nrow(x)} row{?s}."
  })
}

# The value of `code`, or an error with what R reports.
try_or_abort <- function(code, rule, arg, kind, call, remedy = NULL) {
  on_failure(code, function(e) {
    found <- c(x = "R reports: {conditionMessage(e)}.")
    abort_input(c(rule, found, i = remedy), arg = arg, kind = kind, call = call)
  })
}

# ---- types and values ----------------------------------------------------------------------

# The type of a column: "numeric", which may be a matrix, "logical", "factor" (strings too) or "days" (dates
# and times); NA for other objects.
column_type <- function(v) {
  # Values of class integer64, of package bit64, are doubles whose bits are those of integers.
  numbers <- (is.numeric(v) || is.logical(v)) && !inherits(v, "integer64")
  if (length(dim(v)) > 1) return(if (numbers && is.matrix(v) && ncol(v) > 0) "numeric" else NA_character_)
  if (is_moment(v)) return("days")
  if (is.factor(v) || is.character(v)) return("factor")
  if (!numbers) NA_character_ else if (is.logical(v)) "logical" else "numeric"
}

is_moment <- function(v) inherits(v, c("Date", "POSIXct"))

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

# The type of a column of training data, or an error.
learned_type <- function(v, name, arg, call) {
  type <- column_type(v)
  rule <- "have columns that are numeric, logical, factors, strings, dates or times"
  check_that(!is.na(type), v, arg, rule, "data", call,
    "Convert the column{if (inherits(x, 'POSIXlt')) ' by as.POSIXct()'}, or leave it out.",
    "Column {.var {name}} is {describe(x)}."
  )
  type
}

# The values of a column for a fit that has learned from a column of this type and number of columns.
known_values <- function(v, type, width, levels, name, arg, call) {
  known <- identical(column_type(v), type) && (type == "factor" || NCOL(v) == width)
  wanted <- switch(type,
    numeric = if (width > 1) paste("a numeric matrix with", width, "columns") else "a numeric vector",
    factor = "a factor or strings", days = "dates or times", type
  )
  # A column of NA alone is logical, and of any type.
  check_that(known || (is.logical(v) && all(is.na(v))), v, arg, "have the column types of the training data",
    "columns", call, found = "Column {.var {name}} must be {wanted}. It is {describe(x)}."
  )
  v <- plain_values(v, type)
  check_complete(v, name, arg, call)
  unseen <- if (type == "factor") setdiff(v, levels)
  remedy <- "{.code na.action = na.pass} returns NA for such rows."
  check_that(length(unseen) == 0, v, arg, "have only factor levels of the training data", "levels", call,
    if (arg == "newdata" && takes_na_action(arg, call)) remedy, "Column {.var {name}} has {.val {unseen}}."
  )
}

# Variables in which levels that the landmarks were not learned from are missing values, with a warning.
without_unseen <- function(values, levels, arg, call) {
  for (name in names(levels)) {
    if (!identical(column_type(values[[name]]), "factor")) next
    found <- plain_values(values[[name]], "factor")
    unseen <- setdiff(found, c(levels[[name]], NA))
    if (length(unseen) == 0) next
    values[[name]] <- replace(found, found %in% unseen, NA)
    warn_user(c(
      "Column {.var {name}} of {.arg {arg}} has levels that are not in the training data: {.val {unseen}}.",
      i = "They are treated as missing, in {sum(found %in% unseen)} row{?s}."
    ), kind = "levels", call = call)
  }
  values
}

# A data frame of numbers as a matrix. `why`: for the error, why there must be no other columns.
plain_frame <- function(x, arg, call, why = "") {
  check_columns(x, arg, call)
  types <- vapply(x, column_type, "")
  other <- which(!types %in% c("numeric", "logical"))[1]
  check_that(is.na(other), x, arg, "have only numeric or logical columns{why}", "columns", call,
    found = "Column {.var {names(x)[other]}} is {describe(x[[other]])}."
  )
  odd <- vapply(x, is.object, NA)
  x[odd] <- Map(plain_values, x[odd], types[odd])
  as.matrix(x)
}

# ---- missing values --------------------------------------------------------------------------

check_complete <- function(v, name, arg, call) {
  bad <- which(if (is.numeric(v)) !is.finite(v) else is.na(v))[1]
  if (!is.na(bad)) abort_missing(v[bad], (bad - 1) %% NROW(v) + 1, paste0("column `", name, "`"), arg, call)
}

# `column`: in words.
abort_missing <- function(value, row, column, arg, call) {
  remedy <- if (!takes_na_action(arg, call)) {
    "Leave out rows with missing values, for example by {.fn na.omit}, or impute the values."
  } else if (arg == "newdata") {
    "{.code na.action = na.pass} returns NA for such rows, {.code na.omit} leaves them out."
  } else {
    "Leave out rows with missing values by {.code na.action = na.omit}, or impute the values."
  }
  abort_input(c(
    "{.arg {arg}} must not have missing or infinite values.",
    x = "The first is {as.character(value)}, in row {row}, {column}.", i = if (is.na(value)) remedy
  ), arg = arg, kind = "missing", call = call)
}

# Whether na.action of the user's function, whose frame is `call`, is for `arg`.
takes_na_action <- function(arg, call) {
  has <- function(name) is.environment(call) && exists(name, call, inherits = FALSE)
  has("na.action") && arg %in% if (has("newdata")) "newdata" else c("x", "data")
}
