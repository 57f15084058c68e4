# Data in parts, and data on workers, may have been edited, or read from a file that was cut.

check_parts <- function(x, arg = "x", call = rlang::caller_env()) {
  check_class(x, "data_parts", "parts", arg, call)
  check_whole(parts_flaw(x, parts_rules), "parts", "data_parts", arg, call, what = "data_parts object")
  invisible(x)
}

# The first flaw, in words, or NULL.
parts_flaw <- function(x, rules) {
  x <- unclass(x)
  absent_part(x, rules) %||% broken_part(x, rules, parts_words, other_than, x)
}

parts_rules <- list(
  read = function(v, x) is.function(v),
  columns = function(v, x) is_whole(v, 0) && is.integer(v),
  names = function(v, x) are_column_names(v, x$columns),
  total = function(v, x) is_whole(v, 0),
  take = function(v, x) is.null(v) || is.function(v),
  seen = function(v, x) {
    is.environment(v) && is.integer(v$rows) && length(v$rows) > 0 && all(is.na(v$rows) | v$rows >= 0) &&
      is.logical(v$sparse) && length(v$sparse) == 1 && is_text(v$hash, length(v$rows)) &&
      (anyNA(v$rows) || sum(as.double(v$rows)) == x$total)
  },
  arg = function(v, x) is_text(v, 1)
)

parts_words <- list(
  seen = "is not what was learned when the parts were read.",
  workers = "are not those of a cluster.", rows = "are not numbers of rows, one for each worker.",
  first = "are not the numbers of rows before each worker's."
)

# Each function that takes data asks in_parts() first.
#' @export
in_parts.data_parts <- function(x, arg, call) check_parts(x, arg, call)

# print() of both. `places`: how many parts or workers, named by the word for one.
print_parted <- function(x, places, where, sparse) {
  count <- function(n, what) paste0(format(n, big.mark = big_mark()), " ", what, if (n != 1) "s")
  cat("Data ", where, " ", count(places[[1]], names(places)), ": ", count(nrow(x), "row"), ", ",
    count(ncol(x), "column"), if (sparse) ", sparse", "\n", sep = "")
  invisible(x)
}
