# A response: what is predicted. A user's `y` is checked once and becomes a list whose `y` is a matrix with a
# column for each regression:
#
#   type    "classes" (a factor of three levels or more), "binary", "number", "numbers" (several), "tags"
#   y       N x responses: 0/1, or numbers
#   levels  names of the classes, or of the tags
#   all_levels  of classes: the names of all levels of the factor, if some have no rows; else NULL
#   ordered of classes: whether predictions are an ordered factor; learning does not use the order

# `several`: whether a matrix may have numbers other than those of tags. `numbers`: whether 0 and 1 are
# numbers too.
as_response <- function(y, n, call = rlang::caller_env(), several = FALSE, numbers = FALSE) {
  check_given(y, "y", call)
  if (methods::is(y, "Matrix")) y <- as.matrix(to_csparse(y, "y", call))
  if (is.data.frame(y)) y <- if (ncol(y) == 1) y[[1]] else as.matrix(y)
  name <- if (rlang::is_string(y)) as.character(y)
  if (inherits(y, "AsIs")) class(y) <- setdiff(class(y), "AsIs")
  y <- unclassed_numbers(y)
  # The same order of classes in every locale.
  if (is.character(y) && is.null(dim(y))) y <- factor(y, sort(unique(y), method = "radix"))
  plain <- (is.numeric(y) || is.logical(y)) && !is.object(y) && (is.null(dim(y)) || is.matrix(y))
  if (!is.factor(y) && !plain) {
    abort_input(c(
      "{.arg y} must be a factor, numeric, or a 0/1 matrix with a column for each label.",
      x = "It is {describe(y)}."
    ), arg = "y", kind = "response", call = call)
  }
  if (NROW(y) != n) {
    abort_input(c(
      "{.arg y} must have a value for each row of {.arg x}, {n}.",
      x = "It has {NROW(y)}.",
      i = if (!is.null(name)) "It is {.val {name}}. Give the values of the column, not its name."
    ), arg = "y", kind = "response", call = call)
  }
  # as.character(): NA may also be a level of a factor.
  bad <- which(if (is.factor(y)) is.na(as.character(y)) else !is.finite(y))
  if (length(bad)) {
    abort_input(c(
      "{.arg y} must not have missing or infinite values.",
      x = "{.code y[{bad[1]}]} is {as.character(y[bad[1]])}.",
      i = if (is.factor(y) && anyNA(levels(y))) {
        "Give the level NA a name, for example by {.code levels(y)[is.na(levels(y))] <- \"unknown\"}."
      } else if (is.na(y[bad[1]]) && !is.nan(as.double(y[bad[1]]))) {
        "With a formula, {.code na.action = na.omit} leaves out such rows."
      }
    ), arg = "y", kind = "response", call = call)
  }
  if (is.factor(y)) return(class_response(y, call))
  if (is.matrix(y)) {
    of_numbers <- several && ncol(y) > 0 && (numbers || (is.numeric(y) && any(y != 0 & y != 1)))
    return(if (of_numbers) number_response(y, call) else tag_response(y, call))
  }
  if (numbers || !all(y %in% 0:1) || all(y == y[1])) return(number_response(matrix(y), call))
  class_response(factor(if (is.logical(y)) y else as.integer(y)), call)
}

# Numbers with further attributes as plain ones: time series, numbers with labels or units, durations, arrays
# of one dimension.
unclassed_numbers <- function(y) {
  of_numbers <- is.atomic(y) && is.numeric(unclass(y)) && length(dim(y)) < 2
  # Days and times have no zero, and 64-bit integers other bits.
  if (!of_numbers || inherits(y, c("factor", "Date", "POSIXct", "integer64"))) return(y)
  if (is.object(y) || !is.null(dim(y))) as.vector(unclass(y)) else y
}

# A message that numbers with few values are no classes.
tell_regression <- function(response, call) {
  values <- if (response$type == "number") sort(unique(as.vector(response$y)))
  if (!length(values) %in% 2:3 || any(values != trunc(values))) return(invisible())
  inform_user(c(
    "This is a regression: {.arg y} is numeric, with values {.val {values}}.",
    i = "For classification use {.code factor(y)}."
  ), kind = "response", once = values, call = call)
}

# A warning where the response is a column of the data too: then it is predicted from itself. `x` and `y` as
# they were given, and checked. Only plain vectors, in memory, are compared.
warn_response_column <- function(x, y, call) {
  if (!(is.data.frame(x) || is.matrix(x)) || !is.atomic(y) || length(y) != nrow(x)) return(invisible())
  is_same <- function(j) {
    v <- if (is.data.frame(x)) x[[j]] else x[, j]
    is.null(dim(v)) && is.numeric(v) == is.numeric(y) && isTRUE(all(as.vector(v) == as.vector(y)))
  }
  same <- Find(is_same, seq_len(ncol(x)))
  if (is.null(same)) return(invisible())
  warn_user(c(
    "Column {.field {colnames(x)[same] %||% same}} of {.arg x} equals the response.",
    i = "Leave it out of {.arg x}: it is unknown for new rows."
  ), kind = "response", call = call)
}

# The response of some rows, for a method that learns with it. A method takes it as checked.
part_of_response <- function(response, rows) {
  response$y <- response$y[rows, , drop = FALSE]
  response$groups <- response$groups[rows]
  structure(response, class = "checked_response")
}

tag_response <- function(y, call) {
  bad <- which(y != 0 & y != 1)
  if (length(bad)) {
    abort_input(c(
      "A multilabel {.arg y} must have entries 0 or 1.",
      x = "The first other entry is {y[bad[1]]}, in row {row(y)[bad[1]]}, column {col(y)[bad[1]]}."
    ), arg = "y", kind = "response", call = call)
  }
  if (ncol(y) == 0 || all(y == y[1])) {
    abort_input("{.arg y} must have at least one label that is not the same in all rows.",
      arg = "y", kind = "response", call = call
    )
  }
  levels <- names_of_outputs(y, "tag")
  constant <- colSums(y) %in% c(0, nrow(y))
  if (any(constant)) {
    inform_user(c(
      "{sum(constant)} label{?s} {?is/are} the same in all rows, for example {.val {levels[constant][1]}}.",
      i = "{cli::qty(sum(constant))}{?It is/They are} excluded from all measures."
    ), kind = "response", once = list(levels[constant]), call = call)
  }
  list(type = "tags", y = matrix(as.double(y), nrow(y), ncol(y)), levels = levels)
}

class_response <- function(y, call) {
  all_levels <- levels(y)[!is.na(levels(y))]
  y <- droplevels(y)
  all_levels <- if (nlevels(y) < length(all_levels)) all_levels
  if (nlevels(y) < 2) {
    abort_input(c("{.arg y} must have at least two classes.", x = "It has only {.val {levels(y)}}."),
      arg = "y", kind = "response", call = call
    )
  }
  binary <- nlevels(y) == 2
  list(
    type = if (binary) "binary" else "classes",
    y = outer(as.integer(y), if (binary) 2 else seq_len(nlevels(y)), "==") + 0,
    levels = levels(y), all_levels = all_levels, ordered = is.ordered(y)
  )
}

# One or several numbers for each row.
number_response <- function(y, call) {
  one <- ncol(y) == 1
  constant <- which(apply(y, 2, function(v) all(v == v[1])))
  if (length(constant)) {
    column <- constant[1]
    abort_input(c(
      paste(if (one) "{.arg y}" else "Each column of {.arg y}", "must have at least two distinct values."),
      x = if (one) "All are {y[1]}.",
      x = if (!one) "All of column {colnames(y)[column] %||% column} are {y[1, column]}."
    ), arg = "y", kind = "response", call = call)
  }
  list(
    type = if (one) "number" else "numbers", y = matrix(as.double(y), nrow(y), ncol(y)),
    levels = if (!one) names_of_outputs(y, "y")
  )
}

# A name for each column of `y`: those without one get the prefix and their number, and none occurs twice.
names_of_outputs <- function(y, prefix) {
  names <- colnames(y) %||% rep("", ncol(y))
  bare <- is.na(names) | !nzchar(names)
  names[bare] <- paste0(prefix, seq_len(ncol(y)))[bare]
  make.unique(names)
}

# What the columns of predictions are named: those of two classes are of the second one.
output_names <- function(response) {
  switch(response$type, binary = response$levels[2], number = "y", response$levels)
}

# The families of by_response(): the `types` of response that each suits, the first family of a type by
# default, its loss in the core, the link of its scores, its regression in words, and what it measures on
# held-out rows.
response_families <- list(
  multinomial = list(
    types = "classes", loss = "softmax", link = "softmax", words = "softmax regression", measure = "accuracy"
  ),
  binomial = list(
    types = c("binary", "tags"), loss = "logistic", link = "logistic", words = "logistic regression",
    measure = c(binary = "accuracy", tags = "area under the ROC curve")
  ),
  gaussian = list(
    types = c("number", "numbers"), loss = "squares", link = "identity", words = "least squares",
    measure = c(number = "RMSE", numbers = "standardized mean squared error")
  ),
  huber = list(
    types = c("number", "numbers"), loss = "huber", link = "identity", words = "robust regression",
    measure = "mean absolute error"
  ),
  poisson = list(
    types = c("number", "numbers"), loss = "poisson", link = "log", words = "Poisson regression",
    measure = "mean deviance"
  )
)

family_of <- function(response) response_families[[response$family]]

# What is measured on held-out rows, in words.
measure_words <- function(response) {
  words <- family_of(response)$measure
  if (length(words) > 1) words[[response$type]] else words
}

# The kinds of a response in words, to follow "is" or "has".
response_words <- c(
  classes = "a response with three or more classes", binary = "a binary response",
  number = "a numeric response", numbers = "a numeric response with several columns",
  tags = "a multilabel response"
)

# The class of each row, for stratified folds; NULL where there is none.
response_classes <- function(response) {
  switch(response$type, classes = max.col(response$y), binary = response$y[, 1] + 1L)
}
