# The call that a fit keeps: names and short constants, never data.

# The most values that an argument may have in the call of a fit.
most_values <- 20

# Arguments whose values are data, however few there are.
data_arguments <- c("x", "y", "data", "points", "weights", "groups", "subset")

# The call of the function `name` without the values of its arguments, which do.call() and rlang::inject() put
# into calls: a name such as `<x>` stands for each. Environments of formulas and source text are left out too.
light_call <- function(call, name) {
  for (i in seq_along(call)[-1]) {
    part <- call[[i]]
    argument <- names(call)[i]
    short <- if (is.language(part) || is.null(part)) {
      values_in(part) <= most_values
    } else {
      is_short_constant(part, 10) && !argument %in% data_arguments
    }
    call[i] <- list(if (short) bare_code(part) else as.name(paste0("<", argument, ">")))
  }
  call[[1]] <- as.name(name)
  call
}

is_short_constant <- function(v, most = 1) {
  is.atomic(v) && length(v) <= most && is.null(attributes(v)) &&
    !(is.character(v) && any(nchar(v) > 200, na.rm = TRUE))
}

# How many constants an expression has; infinite if any other value stands in it. By a loop down first
# arguments: a sum of thousands of columns is as many calls deep, too deep for a function that calls itself.
values_in <- function(e) {
  count <- 0
  while (is_nested(e)) {
    count <- count + values_in(e[[3]])
    e <- e[[2]]
  }
  if (rlang::is_missing(e) || is.symbol(e) || is.null(e)) return(count)
  if (rlang::is_quosure(e)) return(count + values_in(rlang::quo_get_expr(e)))
  if (is.pairlist(e)) return(count + sum(vapply(as.list(e), values_in, 0)))
  if (is.call(e)) return(count + sum(vapply(parts_of_call(e), values_in, 0)))
  count + if (is_short_constant(e)) 1 else Inf
}

# Whether an expression is a call of two arguments by a name, of which the first is a call as well.
is_nested <- function(e) {
  !rlang::is_missing(e) && is.call(e) && length(e) == 3 && is.name(e[[1]]) && is.call(e[[2]])
}

# The parts of a call as a list. A function's third part is its source text.
parts_of_call <- function(e) {
  parts <- as.list(e)
  if (identical(parts[[1]], quote(`function`))) parts[1:3] else parts
}

# An expression without attributes. By a loop down first arguments, as values_in().
bare_code <- function(e) {
  outer <- list()
  while (is_nested(e)) {
    outer[[length(outer) + 1]] <- e
    e <- e[[2]]
  }
  if (length(outer)) {
    code <- bare_code(e)
    for (call in rev(outer)) {
      parts <- list(call[[1]], code, bare_code(call[[3]]))
      code <- as.call(stats::setNames(parts, names(call)))
    }
    return(code)
  }
  if (rlang::is_missing(e) || !(is.call(e) || is.pairlist(e))) return(rlang::maybe_missing(e))
  if (rlang::is_quosure(e)) return(bare_code(rlang::quo_get_expr(e)))
  if (is.pairlist(e)) return(as.pairlist(lapply(as.list(e), bare_code)))
  parts <- parts_of_call(e)
  as.call(stats::setNames(lapply(unname(parts), bare_code), names(parts)))
}

# landmarks() with arguments that are values. In its call they are names, as light_call() would make them.
landmarks_of_values <- function(arguments) {
  long <- !vapply(arguments, is_short_constant, NA)
  values <- stats::setNames(arguments, paste0("<", names(arguments), ">"))
  arguments[long] <- lapply(names(values)[long], as.name)
  do.call("landmarks", arguments, envir = list2env(values, parent = environment()))
}

# An error where a call has names that stand for values, which nobody has any more.
check_repeatable <- function(call, error_call) {
  lost <- grep("^<.*>$", all.names(call, unique = TRUE), value = TRUE)
  if (length(lost) == 0) return(invisible())
  lost <- gsub("[<>]", "", lost)
  example <- paste0("update(fit, ", paste(lost, "=", lost, collapse = ", "), ")")
  abort_input(c(
    "{.fn update} repeats the call of a fit, so the call must name its arguments.",
    x = "{.arg {lost}} {?was/were} given by value, for example by {.fn do.call}.",
    i = "A fit does not keep data. Give such arguments again: {.code {example}}."
  ), arg = lost[1], kind = "fit", call = error_call)
}

# A number of landmarks of a model or a step, whose tuned values do not know how many rows there are.
at_most_rows <- function(n, rows, arg, call) {
  if (!is_number(n) || n <= rows || rows == 0) return(n)
  warn_user(
    "{.arg {arg}} is {n}, and there are {rows} training rows: {rows} landmark{?s} {?is/are} used.",
    kind = "rank", call = call
  )
  rows
}
