# A method object may have been edited, or read from a file.

# The flaw of a method object in words, or NULL: those of this package are what their own function makes of
# their options.
method_flaw <- function(method) {
  if (!is.list(method) || !is_abilities(attr(method, "can"))) return("It is not what `new_method()` returns.")
  class <- class(method)[1]
  maker <- if (startsWith(class, "by_")) named_methods[[sub("^by_", "", class)]]
  if (is.null(maker)) return(NULL)
  again <- on_failure(made_again(method, maker), identity)
  if (inherits(again, "error")) return(first_line(again))
  if (!identical(unclass(again), unclass(method), ignore.environment = TRUE, ignore.bytecode = TRUE)) {
    return(paste0("It has other parts than `", class(method)[1], "()` returns."))
  }
  NULL
}

# What its function makes of the options of a method.
made_again <- function(method, maker) UseMethod("made_again")

#' @export
made_again.default <- function(method, maker) {
  options <- unclass(method)[intersect(names(formals(maker)), names(method))]
  do.call(maker, options, quote = TRUE)
}

is_abilities <- function(can) {
  known <- setdiff(names(formals(new_method)), c("class", "options"))
  is.list(can) && setequal(names(can), known) && all(vapply(can, is_flag, NA))
}

check_method <- function(method, arg, call) {
  flaw <- method_flaw(method)
  if (is.null(flaw)) return(method)
  maker <- class(method)[1]
  abort_input(c(
    "{.arg {arg}} must be a method object as {.fn {maker}} returns it.",
    x = "{flaw}",
    i = "Make it again, and give its options as arguments."
  ), arg = arg, kind = "method", call = call)
}
