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
  y <- plain_response(y)
  plain <- (is.numeric(y) || is.logical(y)) && !is.object(y) && (is.null(dim(y)) || is.matrix(y))
  rule <- "a factor, numeric, or a 0/1 matrix with a column for each label"
  check_response(is.factor(y) || plain, y, rule, call)
  named <- is.factor(y) && length(y) == 1
  check_response(NROW(y) == n, y, "have one value for each of the {n} row{?s}", call, "It has {NROW(y)}.",
    if (named) "{column_words(as.character(x))}"
  )
  # as.character(): NA may also be a level of a factor.
  bad <- which(if (is.factor(y)) is.na(as.character(y)) else !is.finite(y))[1]
  found <- "{.code y[{bad}]} is {as.character(y[bad])}."
  check_response(is.na(bad), y, "not have missing or infinite values", call, found,
    if (is.na(y[bad])) "Leave out such rows, for example by {.code na.action = na.omit} in {.fn landmarks}."
  )
  if (is.factor(y)) return(class_response(y, call))
  if (is.matrix(y)) {
    of_numbers <- several && ncol(y) > 0 && (numbers || (is.numeric(y) && any(y != 0 & y != 1)))
    return(if (of_numbers) number_response(y, call) else tag_response(y, call))
  }
  if (numbers || !all(y %in% 0:1) || all(y == y[1])) return(number_response(matrix(y), call))
  class_response(factor(if (is.logical(y)) y else as.integer(y)), call)
}

# check_that() of a response.
check_response <- function(ok, y, rule, call, found = "It is {describe(x)}.", remedy = NULL, arg = "y") {
  check_that(ok, y, arg, rule, "response", call, remedy, found, parent.frame())
}

# Strings as a factor, with the same order of classes in every locale. Time series, numbers with labels or
# units, durations, and arrays of one dimension as plain numbers.
plain_response <- function(y) {
  if (inherits(y, "AsIs")) class(y) <- setdiff(class(y), "AsIs")
  if (is.character(y) && is.null(dim(y))) return(factor(y, sort(unique(y), method = "radix")))
  # Days and times have no zero, and 64-bit integers other bits.
  if (inherits(y, c("factor", "Date", "POSIXct", "integer64")) || length(dim(y)) > 1) return(y)
  if (is.atomic(y) && is.numeric(unclass(y))) as.vector(unclass(y)) else y
}

# A message that numbers with few values are no classes.
tell_regression <- function(response, call) {
  values <- if (response$type == "number") sort(unique(as.vector(response$y)))
  if (!length(values) %in% 2:3 || any(values != trunc(values))) return(invisible())
  inform_user(c(
    "This is a regression: the response is numeric, with values {.val {values}}.",
    i = "For classification make it a {.fn factor}."
  ), kind = "response", once = values, call = call)
}

# A warning where the response is a column of the data too: then it is predicted from itself. `x` and `y` as
# they were given, and checked. Only plain vectors, in memory, are compared.
warn_response_column <- function(x, y, call) {
  if (!(is.data.frame(x) || is.matrix(x)) || !is.atomic(y) || length(y) != nrow(x)) return(invisible())
  same <- Find(function(j) {
    v <- if (is.data.frame(x)) x[[j]] else x[, j]
    is.null(dim(v)) && is.numeric(v) == is.numeric(y) && isTRUE(all(as.vector(v) == as.vector(y)))
  }, seq_len(ncol(x)))
  if (is.null(same)) return(invisible())
  warn_user(c(
    "Column {.val {colnames(x)[same] %||% same}} of the data equals the response.",
    i = "Leave it out: it is unknown for new rows."
  ), kind = "response", call = call)
}

# The response of some rows, for a method that learns with it. A method takes it as checked.
part_of_response <- function(response, rows) {
  response$y <- response$y[rows, , drop = FALSE]
  response$groups <- response$groups[rows]
  structure(response, class = "checked_response")
}

tag_response <- function(y, call) {
  bad <- which(y != 0 & y != 1)[1]
  found <- "{.code y[{row(y)[bad]}, {col(y)[bad]}]} is {y[bad]}."
  check_response(is.na(bad), y, "have entries 0 or 1 if it is a matrix", call, found)
  varies <- any(y != y[rep(1, nrow(y)), ])
  check_response(varies, y, "have at least one label that is not the same in all rows", call,
    "Each of its {ncol(x)} label{?s} has one value in all rows."
  )
  levels <- names_of_outputs(y, "tag")
  same <- levels[colSums(y) %in% c(0, nrow(y))]
  if (length(same)) {
    inform_user(c(
      "{length(same)} label{?s} {?is/are} the same in all rows, for example {.val {same[1]}}.",
      i = "{cli::qty(length(same))}{?It is/They are} excluded from all measures."
    ), kind = "response", once = list(same), call = call)
  }
  list(type = "tags", y = matrix(as.double(y), nrow(y), ncol(y)), levels = levels)
}

class_response <- function(y, call) {
  all_levels <- levels(y)[!is.na(levels(y))]
  y <- droplevels(y)
  k <- nlevels(y)
  check_response(k > 1, y, "have at least two classes", call, "It has only {.val {levels(y)}}.")
  columns <- if (k == 2) 2 else seq_len(k)
  list(
    type = if (k == 2) "binary" else "classes", y = outer(as.integer(y), columns, "==") + 0,
    levels = levels(y), all_levels = if (k < length(all_levels)) all_levels, ordered = is.ordered(y)
  )
}

# One or several numbers for each row.
number_response <- function(y, call) {
  one <- ncol(y) == 1
  same <- which(apply(y, 2, function(v) all(v == v[1])))[1]
  of <- if (!one) " of column {.val {colnames(y)[same] %||% same}}"
  found <- paste0("All", of, " are {y[1, same]}.")
  rule <- paste0("have at least two distinct values", if (!one) " in each column")
  check_response(is.na(same), y, rule, call, found)
  values <- matrix(as.double(y), nrow(y), ncol(y))
  list(type = if (one) "number" else "numbers", y = values, levels = if (!one) names_of_outputs(y, "y"))
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

# The families of by_response(): the loss in the core, the link of its scores, and the regression in words.
response_families <- data.frame(
  row.names = c("multinomial", "binomial", "gaussian", "huber", "poisson"),
  loss = c("softmax", "logistic", "squares", "huber", "poisson"),
  link = c("softmax", "logistic", "identity", "identity", "log"),
  words = c(
    "softmax regression", "logistic regression", "least squares", "robust regression", "Poisson regression"
  )
)

family_of <- function(response) response_families[response$family, ]

# What is measured on held-out rows, in words.
measure_words <- function(response) {
  switch(response$family,
    huber = "mean absolute error", poisson = "mean deviance",
    gaussian = if (response$type == "number") "RMSE" else "standardized mean squared error",
    if (response$type == "tags") "area under the ROC curve" else "accuracy"
  )
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
