# Rows: missing values and na.action, case weights, subsets.

# The name of the user's `na.action`, which is given as lm() takes it: a function such as stats::na.omit(), or
# its name. `pass`: whether na.pass is allowed, by which rows with missing values stay.
check_na_action <- function(na.action, call, pass = FALSE) {
  allowed <- c("na.fail", "na.omit", "na.exclude", if (pass) "na.pass")
  is_it <- function(name) identical(na.action, name) || identical(na.action, getExportedValue("stats", name))
  name <- Filter(is_it, c("na.fail", "na.omit", "na.exclude", "na.pass"))
  check_that(isTRUE(name %in% allowed), na.action, "na.action", "{.or {.code {allowed}}}", "na_action", call,
    found = if (length(name)) "It is {.code {name}}." else "It is {describe(x)}."
  )
  name
}

# ---- which rows ----------------------------------------------------------------

# Whether each value of a column is missing, or any in each row of a matrix. as.character(): NA may also be a
# level of a factor.
is_missing <- function(v) {
  if (is.data.frame(v) || is.matrix(v)) return(rowSums(is.na(v)) > 0)
  is.na(if (is.factor(v)) as.character(v) else v)
}

# The rows that na.action leaves out, as na.omit() and na.exclude() number them; NULL for na.fail, and if
# there are none. Infinite values are an error.
#   x      a matrix, or a list of variables
#   names  the names of all rows
#   also   further rows to leave out
#   new    whether these are new data, in which every row may be incomplete
omitted_of <- function(x, action, arg, call, names = rownames(x), also = integer(), new = FALSE) {
  if (action == "na.fail") return(NULL)
  if (is.list(x)) {
    for (i in which(vapply(x, is.numeric, NA))) {
      v <- plain_values(x[[i]], "numeric")
      check_complete(replace(v, is.na(v), 0), names(x)[i], arg, call)
    }
    total <- NROW(x[[1]])
    rows <- which(Reduce(`|`, lapply(x, is_missing)))
  } else {
    refuse_bad(match(TRUE, is.infinite(stored_values(x)), 0) - 1, x, arg, call)
    total <- nrow(x)
    rows <- if (is.matrix(x)) which(is_missing(x)) else x@i[is.na(x@x)] + 1L
  }
  rows <- as.integer(sort(union(rows, also)))
  if (length(rows) == 0) return(NULL)
  some <- new || length(rows) < total
  check_that(some, x, arg, "have a row without missing values", "missing", call, found = NULL)
  names(rows) <- (names %||% as.character(seq_len(total)))[rows]
  structure(rows, class = sub("na.", "", action, fixed = TRUE))
}

# ---- without them ----------------------------------------------------------------

# A vector or a table without the omitted rows.
without_rows <- function(x, omitted) {
  if (length(omitted) == 0 || is.null(x)) return(x)
  if (length(dim(x)) == 2) x[-unclass(omitted), , drop = FALSE] else x[-unclass(omitted)]
}

# The numbers, among all rows, of the `count` rows that are left.
kept_rows <- function(omitted, count) without_rows(seq_len(count + length(omitted)), omitted)

# The other way round: numbers of rows among all, as their numbers among the `count` rows that are left; NA
# for omitted rows.
numbers_left <- function(rows, omitted, count) {
  if (length(omitted)) match(rows, kept_rows(omitted, count)) else rows
}

# The numbers of the missing values of a response that has `rows` of them.
missing_response <- function(y, rows) if (NROW(y) == rows) which(is_missing(y)) else integer()

# ---- for landmarks() and its fits --------------------------------------------------

# A description of landmarks whose row numbers, which count the rows that are left, are replaced by numbers
# among all rows that the user gave.
in_given_rows <- function(described, omitted, count) {
  if (length(omitted) == 0) return(described)
  kept <- kept_rows(omitted, count)
  described$nearest <- kept[described$nearest]
  described$rows <- kept[described$rows]
  held_out <- described$response$held_out$index
  if (!is.null(held_out)) described$response$held_out$index <- kept[held_out]
  described
}

# `values`, which are of the rows that are left, with NA for the omitted rows. After na.omit() nothing is
# added, as in R's own functions; values without names are then named by the numbers of their rows.
padded <- function(values, input) {
  count <- NROW(values)
  names <- input$names
  omit <- input$action == "na.omit"
  if (length(input$omitted) == 0 || (omit && !is.null(names))) return(values)
  kept <- kept_rows(input$omitted, count)
  place <- if (omit) seq_len(count) else match(seq_len(count + length(input$omitted)), kept)
  if (omit) names <- kept
  if (length(dim(values)) < 2) return(stats::setNames(values[place], names))
  out <- values[place, , drop = FALSE]
  if (is.data.frame(out) && (anyDuplicated(names) || anyNA(names))) names <- NULL
  rownames(out) <- names
  out
}

# ---- weights of rows, and subsets of them ------------------------------------------------

# Weights of rows as the core takes them: of mean 1, or NULL where all are equal.
check_weights <- function(weights, n, call) {
  if (is.null(weights)) return(NULL)
  known <- identical(column_type(weights), "numeric") && length(weights) == n
  if (known) weights <- as.double(unclass(weights))
  bad <- if (known) which(!is.finite(weights) | weights < 0 | all(weights == 0))
  check_that(known && length(bad) == 0, weights, "weights",
    "{n} finite number{?s} of at least 0, one for each row, not all 0", "weights", call,
    if (rlang::is_string(weights)) "{column_words(weights)}",
    if (known) "{.code weights[{bad[1]}]} is {weights[bad[1]]}." else "It is {describe(x)}."
  )
  # Equal weights must give the results of no weights, to the last bit.
  if (all(weights == weights[1])) return(NULL)
  # First by the largest: the sum of huge weights would overflow.
  weights <- weights / max(weights)
  weights / mean(weights)
}

# What a call with a formula computes from the columns of its data, such as the weights. `value`: a quosure,
# so that other names mean what they mean where the call stands. `rule`: that of the error.
formula_value <- function(value, data, rule, arg, kind, call) {
  try_or_abort(rlang::eval_tidy(value, as.list(data)), rule, arg, kind, call)
}

formula_weights <- function(weights, data, call) {
  rule <- "{.arg weights} cannot be computed from {.arg data}."
  formula_value(weights, data, rule, "weights", "weights", call)
}

# The numbers of the rows that a formula's `subset` keeps, or NULL for all.
formula_subset <- function(subset, data, call) {
  if (rlang::quo_is_null(subset) || !is.data.frame(data)) return(NULL)
  rule <- "{.arg subset} cannot be computed from {.arg data}."
  rows <- formula_value(subset, data, rule, "subset", "rows", call)
  if (is.null(rows)) return(NULL)
  if (is.logical(rows) && length(rows) == nrow(data)) rows <- which(rows)
  whole <- rlang::is_integerish(rows, finite = TRUE) && !is.logical(rows)
  kept <- if (whole) try_default(seq_len(nrow(data))[rows], NULL)
  bad <- which(is.na(kept) | duplicated(kept))
  check_that(length(kept) > 0 && length(bad) == 0, rows, "subset",
    "TRUE or FALSE for each of the {nrow(data)} row{?s} of {.arg data}, or distinct row indices", "rows",
    call, found = if (length(rows) == 0) "It selects no row." else
      if (length(bad)) "{.code subset[{bad[1]}]} is {rows[bad[1]]}." else "It is {describe(x)}."
  )
  kept
}

# The weights of the `rows` that a subset keeps of `total`. Weights from a column of the data are already of
# these rows.
of_subset <- function(weights, rows, total) {
  if (!is.null(rows) && length(weights) == total) weights[rows] else weights
}

# Weights of a comparison, as they are given: a row of weight 2 counts as two rows. NULL where all are 1.
cv_weights <- function(weights, n, call) {
  check_weights(weights, n, call)
  if (is.null(weights) || all(weights == 1)) return(NULL)
  largest <- max(weights)
  check_that(largest <= 1e100 && largest >= 1e-100, weights, "weights",
    "have a largest value between 1e-100 and 1e100", "weights", call, found = "It is {largest}."
  )
  as.double(weights)
}
