# Checks of single arguments. Each returns its argument, possibly cleaned, or
# raises a classed error that names it, the rule and what was given.

# An error where an argument without a default is missing. Callers pass their own argument on by its name, and
# `missing(x)` is TRUE here where it is missing there.
check_given <- function(x, arg, call = rlang::caller_env()) {
  if (missing(x)) abort_input("{.arg {arg}} must be given, and it is missing.", arg = arg, call = call)
  if (is.object(x) || is.character(x)) check_sound(x, arg, call)
}

# Methods have `...` because their generic has: whatever comes there, as a misspelled argument, must be an
# error. `.known`: the arguments that there are, those of the calling function.
check_dots <- function(..., call = rlang::caller_env(), .known = names(formals(sys.function(sys.parent())))) {
  if (...length() == 0) return(invisible())
  given <- names(rlang::exprs(...))
  unknown <- given[nzchar(given)]
  unnamed <- sum(!nzchar(given))
  known <- setdiff(.known, "...")
  meant <- if (length(unknown)) meant_by(unknown[1], known)
  abort_input(c(
    if (length(unknown)) "Unknown argument{?s} {.arg {unknown}}.",
    if (unnamed && length(unknown) == 0) "Too many arguments: {unnamed} without a name.",
    i = if (length(meant)) "Did you mean {.arg {meant}}?",
    i = if (any(c("main", "title", "xlab", "ylab", "xlim", "ylim", "cex", "pch") %in% unknown)) {
      "Pictures are by ggplot2: {.code ggplot2::autoplot(x) + ggplot2::labs(title = \"...\")}."
    },
    i = if ("y" %in% unknown && "method" %in% known) {
      "A response belongs to the method: {.code method = by_response(y)}."
    },
    i = if ("interval" %in% unknown) {
      "Intervals come from {.code predict(fit, newdata, interval = \"prediction\")}, of a fit by
       {.fn by_response}."
    },
    i = if ("subset" %in% unknown) "Choose rows before the call, for example by {.code x[rows, ]}.",
    i = if (identical(unknown[1], "main") && length(meant) == 0) {
      "Add a title by {.code + ggplot2::ggtitle()}."
    }
  ), kind = "dots", call = call)
}

# The known argument that the user may have meant: one that has the given name in other functions of R, else
# one with a similar name.
meant_by <- function(name, known) {
  other <- c(k = "n", centers = "n", size = "n", na.rm = "na.action", sigma = "bandwidth")
  if (name %in% names(other) && other[[name]] %in% known) return(other[[name]])
  alike(name, known)
}

# The known name that a misspelled name is closest to, if there is one.
alike <- function(name, known) {
  # adist() needs strings of a known encoding.
  if (length(known) == 0 || !is.null(string_flaw(name))) return(NULL)
  distance <- drop(utils::adist(name, known, ignore.case = TRUE))
  begins <- startsWith(known, name)
  if (sum(begins) == 1) return(known[begins])
  # A name of one or two letters is one letter away from too many others.
  most <- if (nchar(name) < 3) 0 else max(1, nchar(name) %/% 3)
  if (min(distance) <= most) known[which.min(distance)]
}

# Classes that change only how numbers are printed or indexed.
plain_classes <- c("matrix", "array", "table", "xtabs", "ts", "mts", "AsIs")

# Whether x is one plain number. Numbers of other classes, such as dates, may mean something else.
is_number <- function(x) {
  if (is.object(x) && length(setdiff(class(x), plain_classes)) > 0) return(FALSE)
  is.numeric(x) && length(x) == 1 && !is.na(x)
}

# One whole number in [min, max].
check_count <- function(x, arg, min = 1, max = .Machine$integer.max, call = rlang::caller_env()) {
  check_given(x, arg, call)
  if (!is_number(x) || x != trunc(x) || x < min || x > max) {
    # The largest integer is mentioned only where the value is larger.
    largest <- max == .Machine$integer.max && !(is_number(x) && x > max)
    rule <- if (largest) "of at least {min}" else "from {min} to {max}"
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
      # The largest number of a computer's range is mentioned only where the value is larger.
      if (max < 1e50 || (max < Inf && is_number(x) && x > max)) paste0(", at most ", format(max)) else ""
    )
    abort_input(c(
      "{.arg {arg}} must be one finite number{rule}.",
      x = "It is {describe(x)}."
    ), arg = arg, call = call)
  }
  as.double(x)
}

# How many digits to print.
check_digits <- function(digits, call = rlang::caller_env()) check_count(digits, "digits", 1, 15, call)

is_flag <- function(x) is.logical(x) && length(x) == 1 && !is.na(x)

check_flag <- function(x, arg, call = rlang::caller_env()) {
  if (!is_flag(x)) {
    abort_input(c("{.arg {arg}} must be TRUE or FALSE.", x = "It is {describe(x)}."), arg = arg, call = call)
  }
  x
}

# One of several words. A vector is an error: the first word is no default.
check_choice <- function(x, choices, arg, call = rlang::caller_env(), remedy = NULL) {
  if (!is.character(x) || length(x) != 1 || is.na(x) || !x %in% choices) {
    shown <- paste0("\"", choices, "\"")
    abort_input(c(
      "{.arg {arg}} must be one of {.or {shown}}.",
      x = "It is {describe(x)}.",
      i = remedy
    ), arg = arg, call = call)
  }
  x
}

# Whether x is one string that can be a path. R cannot translate a string that is marked as "bytes" to the
# encoding of file names.
is_path <- function(x) is.character(x) && length(x) == 1 && !is.na(x) && nzchar(x) && Encoding(x) != "bytes"

# An error where a function cannot be called with so many arguments, as a function of the `kind` is.
check_takes <- function(f, count, arg, kind, call) {
  takes <- names(formals(args(f)))
  if (is.null(args(f)) || "..." %in% takes || length(takes) >= count) return(invisible())
  abort_input(c("{.arg {arg}} must be a {kind}.", x = "It takes {length(takes)} argument{?s}."),
    arg = arg, call = call
  )
}

is_numbers <- function(v) is.numeric(v) && !is.object(v)

# An error for more values than anyone can mean, where each needs a fit or a regression of its own. Only the
# length is asked for: a sequence such as 1:1e9 takes no memory until its values are used.
check_few <- function(x, arg, call, most = 1e4) {
  if (length(x) <= most) return(invisible())
  abort_input(c("{.arg {arg}} must have at most {most} values.", x = "It has {length(x)}."),
    arg = arg, call = call
  )
}

# An error for an argument that only one `type` of a result uses.
abort_other_type <- function(arg, wanted, type, call) {
  abort_input(
    c("{.arg {arg}} is for {.code type = \"{wanted}\"}.", x = "{.arg type} is {.val {type}}."),
    arg = arg, call = call
  )
}

is_text <- function(v, n = length(v)) is.character(v) && !is.object(v) && length(v) == n && !anyNA(v)

is_word <- function(v, words) is.character(v) && length(v) == 1 && v %in% words
