# Arguments for pictures: checks before anything is drawn, and errors of R's graphics while it is drawn.

# Checks the titles of a picture and of its axes. `...`: the titles, by the names of the arguments.
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

# Whether x is a plain vector: graphics would call the methods of other classes.
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
    # That a limit of time was reached says nothing about the picture.
    if (inherits(e, "landmarker_error") || is_time_limit(e)) return()
    named <- unique(names(given))
    # par(new = TRUE) may be set. It would draw the user's next picture over this one.
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

# The title of a legend from the expression that a user gave as `color`: `iris$Species` gives "Species".
color_name <- function(expr) {
  if (is.symbol(expr)) return(as.character(expr))
  if (is.character(expr) && length(expr) == 1) return(expr)
  if (!is.call(expr)) return("value")
  head <- if (is.symbol(expr[[1]])) as.character(expr[[1]]) else ""
  if (head %in% c("$", "[[", "@") && length(expr) == 3) return(color_name(expr[[3]]))
  # A column of a matrix or a table: x[, "length"].
  if (head == "[" && length(expr) >= 4 && is.character(expr[[4]])) return(color_name(expr[[4]]))
  # The values themselves: x[rows], factor(x).
  if (head %in% c("[", "(", "factor", "as.factor", "as.character", "droplevels")) {
    return(color_name(expr[[2]]))
  }
  text <- deparse(expr)
  if (length(text) == 1 && nchar(text) <= 24) text else "value"
}

# The title of a legend. NULL stands for the name of `color`, whose expression is `expr`; "" for no title.
check_legend <- function(legend, expr, call = rlang::caller_env()) {
  if (is.null(legend)) return(color_name(expr))
  if (!is.character(legend) || length(legend) != 1 || is.na(legend)) {
    abort_input(
      c("{.arg legend} must be one string, the title of the legend.", x = "It is {describe(legend)}."),
      arg = "legend", call = call
    )
  }
  legend
}

# Whether landmarks are drawn with numbers: by default, few are.
are_numbered <- function(labels, n, call = rlang::caller_env()) {
  check_flag(labels %||% (n <= most_numbered), "labels", call)
}

# Errors for arguments that are none of plot.default(), which would warn about them for each layer, and for
# wrong limits of the axes.
check_plot_args <- function(given, call = rlang::caller_env()) {
  check_graphical(given, call)
  for (arg in intersect(c("xlim", "ylim"), names(given))) {
    limits <- given[[arg]]
    if (is.null(limits)) next
    two <- is.numeric(limits) && length(limits) == 2
    if (!two || !all(is.finite(limits)) || limits[1] == limits[2]) {
      abort_input(c(
        "{.arg {arg}} must be two finite numbers that differ.",
        x = "It is {if (two) paste(limits, collapse = \", \") else describe(limits)}."
      ), arg = arg, call = call)
    }
  }
  # `type` is fixed: points are drawn one by one or as cells.
  known <- setdiff(names(formals(graphics::plot.default)), c("type", "x", "y"))
  other <- setdiff(names(given), c(known, names(graphics::par(no.readonly = TRUE))))
  if (length(other) == 0) return(invisible())
  abort_input(c(
    "Further arguments must be arguments of {.fn plot.default}.",
    x = "{.arg {other[1]}} is another argument.",
    i = if (other[1] %in% c("group", "groups")) "Give groups and numbers as {.arg color}."
  ), arg = other[1], kind = "dots", call = call)
}

check_dims <- function(dims, most, call) {
  if (!is.numeric(dims) || !length(dims) %in% 1:2 || !all(dims %in% seq_len(most)) || anyDuplicated(dims)) {
    given <- if (is.numeric(dims) && length(dims) == 2) paste(dims, collapse = ", ") else describe(dims)
    abort_input(c(
      paste0(
        "{.arg dims} must be one or two different whole numbers from 1 to {most}, ",
        "of the embedding's coordinates."
      ),
      x = "It is {given}."
    ), arg = "dims", call = call)
  }
  as.integer(dims)
}
