# Data frames and formulas: a numeric matrix by model.matrix(), and what it
# takes to make the same columns of new data.

# Every level of a factor gets a column of its own: with a base level left out,
# distances would depend on which one it is.
frame_blueprint <- function(formula, data, call = rlang::caller_env()) {
  if (!is.data.frame(data)) {
    abort_input(c("{.arg data} must be a data frame.", x = "It is {describe(data)}."),
      arg = "data", kind = "data", call = call
    )
  }
  check_frame(data, call)
  if (length(formula) == 3) {
    abort_input(c(
      "The formula must have no left-hand side: landmarks have no response.",
      x = "It is {.code {deparse1(formula)}}."
    ), arg = "x", kind = "data", call = call)
  }
  terms <- tryCatch(stats::terms(formula, data = data), error = function(e) {
    abort_input(c("The formula cannot be read.", x = conditionMessage(e)), arg = "x", kind = "data", call = call)
  })
  absent <- setdiff(all.vars(terms), c(names(data), if (is.environment(environment(formula))) ls(environment(formula))))
  if (length(absent)) abort_columns(absent, "data", call)
  # The formula's environment would drag along whatever it holds.
  attr(terms, ".Environment") <- globalenv()
  attr(terms, "intercept") <- 1L
  frame <- stats::model.frame(terms, data, na.action = stats::na.pass)
  levels <- lapply(Filter(function(v) is.factor(v) || is.character(v), frame), function(v) {
    if (is.factor(v)) levels(v) else sort(unique(v))
  })
  blueprint <- list(terms = terms, levels = levels, variables = intersect(all.vars(terms), names(data)))
  x <- frame_matrix(blueprint, data, call)
  blueprint$columns <- colnames(x)
  list(x = x, blueprint = blueprint)
}

check_frame <- function(data, call) {
  ok <- vapply(data, function(v) {
    (is.numeric(v) || is.logical(v) || is.factor(v) || is.character(v)) && !is.list(v)
  }, NA)
  if (!all(ok)) {
    first <- names(data)[!ok][1]
    abort_input(c(
      "The columns of a data frame must be numeric, logical, factors or strings.",
      x = "Column {.field {first}} is {describe(data[[first]])}."
    ), arg = "x", kind = "data", call = call)
  }
  if (nrow(data) == 0 || ncol(data) == 0) {
    abort_input(c(
      "{.arg x} must have at least one row and one column.",
      x = "It is {nrow(data)} x {ncol(data)}."
    ), arg = "x", kind = "data", call = call)
  }
}

abort_columns <- function(absent, arg, call) {
  abort_input(c(
    "{.arg {arg}} must have every column that the landmarks were learned from.",
    x = "Missing: {.field {absent}}."
  ), arg = arg, kind = "columns", call = call)
}

frame_matrix <- function(blueprint, data, call, arg = "x") {
  absent <- setdiff(blueprint$variables, names(data))
  if (length(absent)) abort_columns(absent, arg, call)
  frame <- stats::model.frame(blueprint$terms, data, na.action = stats::na.pass)
  for (name in names(frame)) {
    expected <- blueprint$levels[[name]]
    column <- frame[[name]]
    if (anyNA(column)) {
      row <- which(is.na(if (is.matrix(column)) rowSums(column) else column))[1]
      abort_input(c(
        "{.arg {arg}} must not have missing or infinite values.",
        x = "The first is NA, in row {row}, column {name}."
      ), arg = arg, kind = "missing", call = call)
    }
    if (is.null(expected) != !(is.factor(column) || is.character(column))) {
      abort_input(c(
        "{.arg {arg}} must have columns of the types that the landmarks were learned from.",
        x = "Column {.field {name}} is {describe(column)}."
      ), arg = arg, kind = "columns", call = call)
    }
    if (is.null(expected)) next
    unseen <- setdiff(unique(as.character(column)), expected)
    if (length(unseen)) {
      abort_input(c(
        "{.arg {arg}} must have no factor levels that the landmarks were not learned from.",
        x = "Column {.field {name}} has {.val {unseen}}."
      ), arg = arg, kind = "levels", call = call)
    }
    frame[[name]] <- factor(as.character(column), levels = expected)
  }
  whole <- lapply(Filter(is.factor, frame), stats::contrasts, contrasts = FALSE)
  x <- stats::model.matrix(blueprint$terms, frame, contrasts.arg = whole)
  # model.matrix() names the levels' columns <variable><level>.
  x <- x[, colnames(x) != "(Intercept)", drop = FALSE]
  dimnames(x) <- list(NULL, colnames(x))
  x
}
