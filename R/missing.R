# Rows with missing values, and what na.action does with them.

# The name of what lm() takes as na.action: a function such as stats::na.omit(), or its name. `pass`: whether
# rows may stay as they are.
check_na_action <- function(na.action, call, pass = FALSE) {
  known <- c("na.fail", "na.omit", "na.exclude", "na.pass")
  name <- known[vapply(known, identical, NA, na.action)]
  if (is.function(na.action)) name <- name_na_action(na.action)
  allowed <- if (pass) known else known[1:3]
  if (length(name) && name %in% allowed) return(name)
  abort_input(c(
    "{.arg na.action} must be {.or {.code {allowed}}}.",
    x = "It is {if (length(name)) name else describe(na.action)}.",
    i = if (identical(name, "na.pass")) "A row with missing values has no distance to another row."
  ), arg = "na.action", kind = "na_action", call = call)
}

# By what it does: other packages have na.omit() of their own, generic functions of S4.
name_na_action <- function(action) {
  two <- data.frame(a = c(1, NA))
  out <- suppressWarnings(or_else(action(two), NULL))
  if (is.null(out)) return("na.fail")
  if (identical(out, two)) return("na.pass")
  left <- attr(out, "na.action")
  if (identical(dim(out), c(1L, 1L)) && inherits(left, c("omit", "exclude"))) paste0("na.", class(left))
}

# What to do about missing values: a function whose frame is `call` may have the argument na.action, which is
# for new data where it has these.
missing_remedy <- function(call, arg) {
  has <- function(name) is.environment(call) && exists(name, call, inherits = FALSE)
  # Rows of data that are not in memory cannot be left out.
  x <- if (has("na.action") && has(arg)) get(arg, call)
  in_memory <- is.data.frame(x) || is.matrix(x) || methods::is(x, "Matrix") || is_triplets(x)
  if (!in_memory) has <- function(name) FALSE
  if (has("na.action") && arg == "newdata") {
    return("{.code na.action = na.pass} gives such rows missing values, {.code na.omit} leaves them out.")
  }
  if (has("na.action") && !has("newdata") && arg %in% c("x", "data")) {
    return("Leave out rows with missing values by {.code na.action = na.omit}, or impute the values.")
  }
  "Leave out rows with missing values, for example by {.fn na.omit}, or impute the values."
}

# ---- which rows ----------------------------------------------------------------

# The numbers of the rows of a table of any kind in which a value is missing.
incomplete_rows <- function(x) {
  if (is.data.frame(x)) return(which(Reduce(`|`, lapply(x, is_missing), logical(nrow(x)))))
  if (methods::is(x, "dgCMatrix")) return(sort(unique(x@i[is.na(x@x)] + 1L)))
  unname(which(is_missing(x)))
}

# For each value of a column, or each row of a matrix. as.character(): NA may also be a level of a factor.
is_missing <- function(v) {
  if (is.data.frame(v) || is.matrix(v)) return(rowSums(is.na(v)) > 0)
  is.na(if (is.factor(v)) as.character(v) else v)
}

# Incomplete rows as na.omit() and na.exclude() number them, or NULL where there are none. `names`: those of
# all rows. `new`: whether they are new data, of which all may be incomplete.
omitted_rows <- function(rows, action, names, total, arg, call, new) {
  if (length(rows) == 0) return(NULL)
  if (length(rows) == total && !new) {
    each <- if (total == 1) "Its only row" else paste("Each of its", total, "rows")
    abort_input(c(
      "{.arg {arg}} must have a row without missing values.",
      x = "{each} has a missing value."
    ), arg = arg, kind = "missing", call = call)
  }
  rows <- as.integer(rows)
  names(rows) <- (names %||% as.character(seq_len(total)))[rows]
  structure(rows, class = sub("na.", "", action, fixed = TRUE))
}

# The rows that na.action leaves out of a matrix, or of a data frame of variables. Infinite values are an
# error, whose place is that in all rows. `also`: further rows to leave out.
omitted_of <- function(x, action, arg, call, names = rownames(x), also = integer(), new = FALSE) {
  if (is.data.frame(x)) {
    for (name in names(x)) if (is.numeric(x[[name]])) {
      check_complete(replace(x[[name]], is.na(x[[name]]), 0), name, arg, call)
    }
  } else if (is.matrix(x)) {
    check_finite(replace(x, is.na(x), 0), arg, call)
  } else {
    finite <- x
    finite@x[is.na(finite@x)] <- 0
    check_finite_entries(finite, arg, call)
  }
  omitted_rows(union_sorted(incomplete_rows(x), also), action, names, nrow(x), arg, call, new)
}

union_sorted <- function(a, b) sort(unique(c(a, b)))

# ---- without them ----------------------------------------------------------------

# A vector or a table without the omitted rows.
without_rows <- function(x, omitted) {
  if (length(omitted) == 0 || is.null(x)) return(x)
  if (length(dim(x)) == 2) x[-unclass(omitted), , drop = FALSE] else x[-unclass(omitted)]
}

# The numbers, among all rows, of the `count` rows that are left.
kept_rows <- function(omitted, count) without_rows(seq_len(count + length(omitted)), omitted)

# The other way round: numbers among all as numbers of rows that are left.
numbers_left <- function(rows, omitted, count) {
  if (length(omitted)) match(rows, kept_rows(omitted, count)) else rows
}

# Rows of which a method has no response.
rows_without_response <- function(method, rows) {
  if (!method_can(method, "uses_response")) return(integer())
  union_sorted(missing_response(method$y, rows), rows_without_response(method$start, rows))
}

# The numbers of the missing values of a response that has `rows` of them.
missing_response <- function(y, rows) if (NROW(y) == rows) which(is_missing(y)) else integer()

# What else has a value for each row goes along: list(method, weights). `rows`: how many there were.
go_along <- function(omitted, rows, method, weights, call) {
  if (length(omitted)) {
    check_weights(weights, rows, call)
    weights <- without_rows(weights, omitted)
    method <- response_without(method, omitted, rows)
  }
  list(method = method, weights = weights)
}

response_without <- function(method, omitted, rows) {
  if (!method_can(method, "uses_response")) return(method)
  if (NROW(method$y) == rows) method$y <- without_rows(method$y, omitted)
  if (!is.null(method$start)) method$start <- response_without(method$start, omitted, rows)
  method
}

# ---- for landmarks() and its fits --------------------------------------------------

# Matrices for landmarks(): list(x, method, weights, omitted).
leave_out <- function(x, method, weights, na.action, call) {
  check_given(x, "x", call)
  action <- check_na_action(na.action, call)
  if (action == "na.fail") return(list(x = x, method = method, weights = weights))
  x <- resident_rows(x, "x", call)
  rows <- nrow(x)
  omitted <- omitted_of(x, action, "x", call, also = rows_without_response(method, rows))
  c(list(x = without_rows(x, omitted), omitted = omitted), go_along(omitted, rows, method, weights, call))
}

# Rows are left out only of data in memory.
resident_rows <- function(x, arg, call) {
  check_given(x, arg, call)
  x <- given_rows(x, arg, call, empty = arg == "newdata")
  if (in_memory(x)) x else abort_parted_na(arg, call)
}

abort_parted_na <- function(arg, call) {
  abort_input(c(
    "{.arg na.action} must be {.code na.fail} for data that are not in memory.",
    x = "Rows of {.arg {arg}} are in files or on workers, and cannot be left out.",
    i = "Leave out rows with missing values where the data are read, or impute the values."
  ), arg = "na.action", kind = "na_action", call = call)
}

# The rows with missing values among data that are brought to a fit, in the columns that it uses. What cannot
# be used at all has none: the error is fit_data()'s.
fit_omitted <- function(fit, x, action, arg, call, new = FALSE) {
  if (action == "na.fail") return(NULL)
  check_given(x, arg, call)
  x <- in_parts(as_rows(x, arg, call, fit$experiment), arg, call)
  if (!in_memory(x) && !new) return(NULL)
  if (!in_memory(x)) abort_parted_na(arg, call)
  names <- row_names(x)
  columns <- colnames(fit$landmarks)
  if (!is.null(fit$blueprint)) {
    if (is.matrix(x)) x <- as.data.frame(unclass(x))
    if (!is.data.frame(x) || !all(fit$blueprint$variables %in% names(x))) return(NULL)
    x <- evaluate_terms(fit$blueprint$terms, x, arg, call)
  } else if (is.data.frame(x)) {
    x <- as.data.frame(match_columns(x, columns, arg, call))
  } else {
    x <- match_columns(check_data(x, arg, call, empty = TRUE), columns, arg, call)
  }
  omitted_of(x, if (action == "na.pass") "na.exclude" else action, arg, call, names, new = new)
}

# A fit that left out rows leaves them out of the data of later steps.
fit_action <- function(fit) if (length(fit$na.action)) paste0("na.", class(fit$na.action)) else "na.fail"

# Data brought to a fit, without rows that it leaves out: list(x, omitted).
fit_rows <- function(fit, x, arg, call) {
  check_given(x, arg, call)
  x <- in_parts(as_rows(x, arg, call, fit$experiment), arg, call)
  omitted <- fit_omitted(fit, x, fit_action(fit), arg, call)
  list(x = fit_data(fit, without_rows(x, omitted), arg, call), omitted = omitted)
}

# Rows in the numbers that the user gave them.
in_given_rows <- function(described, omitted, count) {
  if (length(omitted) == 0) return(described)
  kept <- kept_rows(omitted, count)
  described$nearest <- kept[described$nearest]
  described$rows <- kept[described$rows]
  described
}

# New data for predict(), without the rows that na.action leaves out: list(newdata, omitted, action, names),
# with the names of all rows.
new_rows <- function(fit, newdata, na.action, sink, call, arg = "newdata") {
  action <- check_na_action(na.action, call, pass = TRUE)
  newdata <- as_rows(newdata, arg, call, fit$experiment)
  if (action != "na.fail" && !is.null(sink)) {
    abort_input(c(
      "{.arg na.action} must be {.code na.fail} where a {.arg sink} is given.",
      x = "It is {action}.",
      i = "Leave out rows with missing values before, or impute the values."
    ), arg = "na.action", kind = "na_action", call = call)
  }
  omitted <- fit_omitted(fit, newdata, action, arg, call, new = TRUE)
  list(
    newdata = without_rows(newdata, omitted), omitted = omitted, action = action, names = row_names(newdata)
  )
}

# Values of the rows that were left, with NA for the others. After na.omit() there are no others.
padded <- function(values, given) {
  if (length(given$omitted) == 0 || given$action == "na.omit") return(values)
  place <- numbers_left(seq_len(NROW(values) + length(given$omitted)), given$omitted, NROW(values))
  names <- given$names
  if (length(dim(values)) < 2) return(stats::setNames(values[place], names))
  out <- values[place, , drop = FALSE]
  if (is.data.frame(out) && (anyDuplicated(names) || anyNA(names))) names <- NULL
  rownames(out) <- names
  out
}
