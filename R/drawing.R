# What a user gives to draw with: checked before, and errors of R's graphics while drawing.

# Titles of a picture and its axes. `...`: by name.
check_titles <- function(..., call = rlang::caller_env()) {
  titles <- list(...)
  for (arg in names(titles)) {
    title <- titles[[arg]]
    if (is.null(title) || is_plain(title) && length(title) <= 1000 || is.language(title)) next
    abort_input(
      c("{.arg {arg}} must be a string or an expression, or NULL.", x = "It is {describe(title)}."),
      arg = arg, call = call
    )
  }
}

# Vectors without methods of their own that graphics would call.
is_plain <- function(x) is.atomic(x) && (!is.object(x) || is.factor(x) || inherits(x, "AsIs"))

# The graphical parameters in `...`, by name.
check_graphical <- function(given, call = rlang::caller_env()) {
  named <- rlang::names2(given)
  if (!all(nzchar(named))) {
    abort_input("Too many arguments: {sum(!nzchar(named))} without a name.", kind = "dots", call = call)
  }
  for (arg in named) {
    value <- given[[arg]]
    if (is.null(value) || is_plain(value) || is.language(value) || is.function(value)) next
    abort_input(c(
      "{.arg {arg}} must be a graphical parameter as {.fn par} describes it.",
      x = "It is {describe(value)}."
    ), arg = arg, call = call)
  }
}

# Runs code that draws. An error of R's graphics gets a class, and names the arguments of `given`.
drawing <- function(code, given = list(), call = rlang::caller_env()) {
  withCallingHandlers(code, error = function(e) {
    # Limits of time are no errors of the picture.
    if (inherits(e, "landmarker_error") || is_time_limit(e)) return()
    named <- unique(names(given))
    # The next picture must not be drawn over what there is.
    if (grDevices::dev.cur() > 1) graphics::par(new = FALSE)
    abort_input(c(
      "R's graphics could not draw the picture.",
      x = "They report: {conditionMessage(e)}.",
      i = if (length(named)) {
        "Check {.arg {named}} in {.fn par}'s help."
      } else {
        "A picture needs a window that is large enough for its margins."
      }
    ), kind = "plot", call = call)
  })
}
