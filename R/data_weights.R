# Weights of rows, and subsets of them.

# Weights of rows as the core takes them: of mean 1, or NULL where all are equal.
check_weights <- function(weights, n, call) {
  if (is.null(weights)) return(NULL)
  rule <- "{.arg weights} must be {n} finite number{?s} of at least 0, one for each row, not all 0."
  if (!identical(column_type(weights), "numeric") || length(weights) != n) {
    abort_input(c(
      rule, x = "It is {describe(weights)}.",
      i = if (is_path(weights)) "{column_words(weights)}",
      i = if (inherits(weights, "integer64")) "Convert it by {.fn as.numeric}."
    ), arg = "weights", kind = "weights", call = call)
  }
  weights <- as.double(unclass(weights))
  bad <- which(!is.finite(weights) | weights < 0)
  if (length(bad)) {
    abort_input(c(rule, x = "Number {bad[1]} is {weights[bad[1]]}."),
      arg = "weights", kind = "weights", call = call
    )
  }
  if (all(weights == 0)) {
    abort_input(c(rule, x = "All are 0."), arg = "weights", kind = "weights", call = call)
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
      "{.arg subset} must be TRUE or FALSE for each of the {n} rows of {.arg data}, or numbers of rows.",
      x = if (length(rows)) "It is {describe(rows)}." else "It keeps none."
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
      "The largest of {.arg weights} must be from 1e-100 to 1e100: sums of their products must be numbers.",
      x = "It is {largest}.", i = "Divide the weights by their mean."
    ), arg = "weights", kind = "weights", call = call)
  }
  if (is.null(weights) || all(weights == 1)) NULL else as.double(weights)
}
