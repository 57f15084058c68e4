# The call that a fit keeps: names and short constants, never data.

# The most values that an argument may have in the call of a fit.
most_values <- 20

# Arguments whose values are data, however few there are.
data_arguments <- c("x", "y", "data", "points", "weights", "groups", "subset")

# The call of the function `name` without the values of its arguments, which do.call() and rlang::inject() put
# into calls: a name such as `<x>` stands for each. Environments of formulas and source text are left out too.
light_call <- function(call, name) {
  call <- rlang::quo_squash(call)
  for (i in seq_along(call)[-1]) {
    part <- call[[i]]
    argument <- names(call)[i]
    short <- if (is.language(part) || is.null(part)) {
      values_in(part) <= most_values
    } else {
      is_constant(part, 10) && !argument %in% data_arguments
    }
    call[i] <- list(if (short) bare_code(part) else as.name(paste0("<", argument, ">")))
  }
  call[[1]] <- as.name(name)
  call
}

is_constant <- function(v, most = 1) {
  is.atomic(v) && length(v) <= most && is.null(attributes(v)) && !(is.character(v) && any(nchar(v) > 200))
}

# How many constants an expression has; infinite if any other value stands in it.
values_in <- function(e) {
  if (rlang::is_missing(e) || is.symbol(e) || is.null(e)) return(0)
  if (is.pairlist(e)) return(sum(vapply(as.list(e), values_in, 0)))
  if (is.call(e)) return(sum(vapply(parts_of_call(e), values_in, 0)))
  if (is_constant(e)) 1 else Inf
}

# The parts of a call as a list. A function's third part is its source text.
parts_of_call <- function(e) {
  parts <- as.list(e)
  if (identical(parts[[1]], quote(`function`))) parts[1:3] else parts
}

# An expression without attributes.
bare_code <- function(e) {
  if (rlang::is_missing(e) || !(is.call(e) || is.pairlist(e))) return(rlang::maybe_missing(e))
  if (is.pairlist(e)) return(as.pairlist(lapply(as.list(e), bare_code)))
  parts <- parts_of_call(e)
  as.call(stats::setNames(lapply(unname(parts), bare_code), names(parts)))
}

# landmarks() with arguments that are values. In its call they are names, as light_call() would make them.
landmarks_of_values <- function(arguments) {
  long <- !vapply(arguments, is_constant, NA)
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
