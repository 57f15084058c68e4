# Checks of single arguments. Each returns its argument, possibly cleaned, or
# raises a classed error that names it, the rule and what was given.

# What was given, in a few words, for an error message.
describe <- function(x) {
  if (is.null(x)) return("NULL")
  if (is.data.frame(x)) return(sprintf("a data frame, %d x %d", nrow(x), ncol(x)))
  if (is.matrix(x) || methods::is(x, "Matrix")) {
    return(sprintf("a %s of class %s, %d x %d", "matrix", class(x)[1], nrow(x), ncol(x)))
  }
  if (is.function(x)) return("a function")
  if (is.atomic(x) && length(x) == 1) {
    return(if (is.character(x)) encodeString(x, quote = "\"") else format(x))
  }
  if (is.atomic(x)) return(sprintf("a %s vector of length %d", typeof(x), length(x)))
  if (is.object(x)) return(sprintf("an object of class %s", class(x)[1]))
  sprintf("a %s of length %d", typeof(x), length(x))
}

is_number <- function(x) is.numeric(x) && length(x) == 1 && !is.na(x)

# One whole number in [min, max].
check_count <- function(x, arg, min = 1, max = .Machine$integer.max, call = rlang::caller_env()) {
  if (!is_number(x) || x != trunc(x) || x < min || x > max) {
    rule <- if (max == .Machine$integer.max) "of at least {min}" else "from {min} to {max}"
    abort_input(c(
      paste0("{.arg {arg}} must be one whole number ", rule, "."),
      x = "It is {describe(x)}."
    ), arg = arg, call = call)
  }
  as.integer(x)
}

# One finite number in (min, max], or [min, max] where `closed`.
check_number <- function(x, arg, min = -Inf, max = Inf, closed = FALSE, call = rlang::caller_env()) {
  inside <- is_number(x) && is.finite(x) && x <= max && (if (closed) x >= min else x > min)
  if (!inside) {
    rule <- paste0(
      if (min > -Inf) paste0(if (closed) ", at least " else " above ", format(min)) else "",
      if (max < Inf) paste0(", at most ", format(max)) else ""
    )
    abort_input(c(
      "{.arg {arg}} must be one finite number{rule}.",
      x = "It is {describe(x)}."
    ), arg = arg, call = call)
  }
  as.double(x)
}

check_flag <- function(x, arg, call = rlang::caller_env()) {
  if (!is.logical(x) || length(x) != 1 || is.na(x)) {
    abort_input(c("{.arg {arg}} must be TRUE or FALSE.", x = "It is {describe(x)}."), arg = arg, call = call)
  }
  x
}

# One of a few words; the first is not a silent default, so a vector is an error.
check_choice <- function(x, choices, arg, call = rlang::caller_env()) {
  if (!is.character(x) || length(x) != 1 || is.na(x) || !x %in% choices) {
    shown <- paste0("\"", choices, "\"")
    abort_input(c(
      "{.arg {arg}} must be one of {.or {shown}}.",
      x = "It is {describe(x)}."
    ), arg = arg, call = call)
  }
  x
}
