# Rows: missing values and na.action, case weights, subsets.

# The name of the user's `na.action`, which is given as lm() takes it: a function such as stats::na.omit(), or
# its name. `pass`: whether na.pass is allowed, by which rows with missing values stay.
check_na_action <- function(na.action, call, pass = FALSE) {
  known <- c("na.fail", "na.omit", "na.exclude", "na.pass")
  is_it <- function(name) identical(na.action, name) || identical(na.action, getExportedValue("stats", name))
  name <- known[vapply(known, is_it, NA)]
  allowed <- if (pass) known else known[1:3]
  if (length(name) && name %in% allowed) return(name)
  abort_input(c(
    "{.arg na.action} must be {.or {.code {allowed}}}.",
    x = "It is {if (length(name)) name else describe(na.action)}.",
    i = if (identical(name, "na.pass")) "A row with missing values has no distance to another row."
  ), arg = "na.action", kind = "na_action", call = call)
}

# ---- which rows ----------------------------------------------------------------

# The numbers of the rows of a table of any kind in which a value is missing.
incomplete_rows <- function(x) {
  if (is.list(x)) return(which(Reduce(`|`, lapply(x, is_missing))))
  if (methods::is(x, "dgCMatrix")) return(sort(unique(x@i[is.na(x@x)] + 1L)))
  unname(which(is_missing(x)))
}

# Whether each value of a column is missing, or any in each row of a matrix. as.character(): NA may also be a
# level of a factor.
is_missing <- function(v) {
  if (is.data.frame(v) || is.matrix(v)) return(rowSums(is.na(v)) > 0)
  is.na(if (is.factor(v)) as.character(v) else v)
}

# The rows that na.action leaves out of a matrix, or of a list of variables, as na.omit() and na.exclude()
# number them; NULL for na.fail, and if there are none. Infinite values are an error, whose place is that in
# all rows. `names`: those of all rows. `also`: further rows to leave out. `new`: whether these are new data,
# of which all may be incomplete.
omitted_of <- function(x, action, arg, call, names = rownames(x), also = integer(), new = FALSE) {
  if (action == "na.fail") return(NULL)
  if (is.list(x)) {
    for (i in which(vapply(x, is.numeric, NA))) {
      v <- plain_values(x[[i]], "numeric")
      check_complete(replace(v, is.na(v), 0), names(x)[i], arg, call)
    }
  } else {
    refuse_bad(match(TRUE, is.infinite(if (is.matrix(x)) x else x@x), 0) - 1, x, arg, call)
  }
  total <- if (is.list(x)) NROW(x[[1]]) else nrow(x)
  rows <- as.integer(union_sorted(incomplete_rows(x), also))
  if (length(rows) == 0) return(NULL)
  if (length(rows) == total && !new) {
    each <- if (total == 1) "Its only row" else paste("Each of its", total, "rows")
    abort_input(c(
      "{.arg {arg}} must have a row without missing values.", x = "{each} has a missing value."
    ), arg = arg, kind = "missing", call = call)
  }
  names(rows) <- (names %||% as.character(seq_len(total)))[rows]
  structure(rows, class = sub("na.", "", action, fixed = TRUE))
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

# The other way round: numbers of rows among all, as their numbers among the `count` rows that are left; NA
# for omitted rows.
numbers_left <- function(rows, omitted, count) {
  if (length(omitted)) match(rows, kept_rows(omitted, count)) else rows
}

# The numbers of the missing values of a response that has `rows` of them.
missing_response <- function(y, rows) if (NROW(y) == rows) which(is_missing(y)) else integer()

# ---- for landmarks() and its fits --------------------------------------------------

# A description of landmarks, with row numbers among all rows that the user gave, in the place of those among
# the rows that are left.
in_given_rows <- function(described, omitted, count) {
  if (length(omitted) == 0) return(described)
  kept <- kept_rows(omitted, count)
  described$nearest <- kept[described$nearest]
  described$rows <- kept[described$rows]
  held_out <- described$response$held_out$index
  if (!is.null(held_out)) described$response$held_out$index <- kept[held_out]
  described
}

# The values of all rows, from those of the rows that are left: others are NA. After na.omit() only the values
# of the rows that are left are returned, as by R's own functions; without names they have the numbers of
# their rows, as predict.lm() names them.
padded <- function(values, input) {
  omitted <- input$omitted
  if (length(omitted) == 0) return(values)
  names <- input$names
  if (input$action == "na.omit") {
    if (!is.null(names)) return(values)
    names <- kept_rows(omitted, NROW(values))
    place <- seq_len(NROW(values))
  } else {
    place <- numbers_left(seq_len(NROW(values) + length(omitted)), omitted, NROW(values))
  }
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
  rule <- paste0(n, " finite number", if (n != 1) "s", " of at least 0, one for each row, not all 0")
  check_that(identical(column_type(weights), "numeric") && length(weights) == n, weights, "weights", rule,
    "weights", call,
    remedy = c(
      if (is_path(weights)) "{column_words(x)}",
      if (inherits(weights, "integer64")) "Convert it by {.fn as.numeric}."
    )
  )
  weights <- as.double(unclass(weights))
  bad <- which(!is.finite(weights) | weights < 0)[1]
  if (!is.na(bad) || all(weights == 0)) {
    abort_input(c(
      paste0("{.arg weights} must be ", rule, "."),
      x = if (is.na(bad)) "All are 0." else "{.code weights[{bad}]} is {weights[bad]}."
    ), arg = "weights", kind = "weights", call = call)
  }
  # Equal weights must give the results of no weights, to the last bit.
  if (all(weights == weights[1])) return(NULL)
  # First by the largest: the sum of huge weights would overflow.
  weights <- weights / max(weights)
  weights / mean(weights)
}

# What a call with a formula computes from the columns of its data, such as the weights. `value`: a quosure,
# so that other names mean what they mean where the call stands. `rule`: that of the error.
formula_value <- function(value, data, rule, arg, kind, call) {
  on_failure(rlang::eval_tidy(value, as.list(data)), function(e) {
    abort_input(c(rule, x = "R reports: {conditionMessage(e)}."), arg = arg, kind = kind, call = call)
  })
}

formula_weights <- function(weights, data, call) {
  formula_value(weights, data,
    "{.arg weights} must be numbers that can be computed from {.arg data}, such as one of its columns.",
    "weights", "weights", call
  )
}

# The numbers of the rows that a formula's `subset` keeps, or NULL for all.
formula_subset <- function(subset, data, call) {
  if (rlang::quo_is_null(subset) || !is.data.frame(data)) return(NULL)
  rows <- formula_value(subset, data,
    "{.arg subset} must be computed from {.arg data}, such as a comparison of one of its columns.",
    "subset", "rows", call
  )
  if (is.null(rows)) return(NULL)
  n <- nrow(data)
  if (is.logical(rows) && length(rows) == n) rows <- which(rows)
  known <- is.numeric(rows) && length(rows) > 0 && !anyNA(rows) && !anyDuplicated(rows) &&
    all(rows == trunc(rows) & abs(rows) >= 1 & abs(rows) <= n) && (all(rows > 0) || all(rows < 0))
  if (!known) {
    abort_input(c(
      "{.arg subset} must be TRUE or FALSE for each of the {n} rows of {.arg data}, or row indices.",
      x = if (length(rows)) "It is {describe(rows)}." else "It selects no row."
    ), arg = "subset", kind = "rows", call = call)
  }
  seq_len(n)[rows]
}

# The weights of the `rows` that a subset keeps of `total`. Those of a column of the data are so already.
of_subset <- function(weights, rows, total) {
  if (!is.null(rows) && length(weights) == total) weights[rows] else weights
}

# Weights of a comparison, as they are given: a row of weight 2 counts as two rows. NULL where all are 1.
cv_weights <- function(weights, n, call) {
  check_weights(weights, n, call)
  largest <- max(weights, -Inf)
  if (!is.null(weights) && (largest > 1e100 || largest < 1e-100)) {
    abort_input(c(
      "The largest of {.arg weights} must be from 1e-100 to 1e100.",
      x = "It is {largest}.", i = "Divide the weights by their mean."
    ), arg = "weights", kind = "weights", call = call)
  }
  if (is.null(weights) || all(weights == 1)) NULL else as.double(weights)
}
