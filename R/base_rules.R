# What makes an object valid: the one check that reads the table of a class, and tests of values for rules.

# ---- the check of an object ------------------------------------------------------------
# The table of a class is a list of
#   class      the class
#   kind       the kind of the error: `landmarker_error_<kind>`
#   what       what such an object is called in the error; `kind` where it is not given
#   maker      the name of the function that returns such objects
#   size       a function of the object that says its size, for errors about a part; or none
#   parts      a rule for each part that the object must have, by name
#   options    rules of parts that the object may lack or that may be NULL
#   relations  rules between parts that keep the rules above
#   classed    names of the parts that may be vectors with a class: dates, factors and the like mean something
#              else than their numbers, and are refused as other parts
#   whole      for objects whose parts have no fixed names, instead of the three above: a rule of the object
#   made_in    where the object has no part `version` of its own: the part that has one, or none
# A rule is a function of a part and of the object without its class. It gives TRUE where the part is as it
# must be, else FALSE or words, which follow the name of the part in the error. Rules are asked in their
# order: each may use the parts before its own.

# An object may have been edited, or read from a file that was cut.
check_object <- function(x, table, arg, call = rlang::caller_env()) {
  check_given(x, arg, call)
  if (!inherits(x, table$class)) {
    abort_input(c(
      "{.arg {arg}} must be an object of class {.cls {table$class}}.",
      x = "It is {describe(x)}.",
      i = "Make one with {.fn {table$maker}}."
    ), arg = arg, kind = table$kind, call = call)
  }
  flaw <- object_flaw(x, table)
  if (!is.null(flaw)) abort_flaw(flaw, table, arg, call, x)
  invisible(x)
}

# The error about an object with this flaw. The object may be unknown.
abort_flaw <- function(flaw, table, arg, call, x = NULL) {
  what <- table$what %||% table$kind
  hint <- version_hint(x, table$made_in)
  abort_input(c(
    "{.arg {arg}} must be a complete {what}, as {.fn {table$maker}} returns it.",
    x = "{flaw}",
    i = if (length(hint)) "{hint}",
    i = "Make it again with {.fn {table$maker}}."
  ), arg = arg, kind = table$kind, call = call)
}

# The first flaw of an object of the class of a table, in words, or NULL.
object_flaw <- function(x, table) {
  if (!is.list(x)) return(paste0("It is ", describe(x), ", not a list."))
  if (!is.null(table$whole)) return(if (!table$whole(x)) attr(table$whole, "words"))
  x <- unclass(x)
  absent_part(x, names(table$parts)) %||%
    broken_part(x, table$parts, table) %||%
    broken_part(x, c(every_option, table$options), table, optional = TRUE) %||%
    broken_part(x, table$relations, table)
}

# The first missing part, in words, or NULL.
absent_part <- function(x, parts) {
  absent <- setdiff(parts, names(x))
  if (length(absent) == 0) return(NULL)
  more <- if (length(absent) > 1) paste(" and lacks", length(absent) - 1, "more parts")
  paste0("It has no `", absent[1], "`", more, ".")
}

# The first part that breaks its rule, in words, or NULL. `optional`: whether parts may be NULL.
broken_part <- function(x, rules, table, optional = FALSE) {
  said <- TRUE
  part <- NULL
  # A rule may meet a value that it cannot even read: then `said` is still FALSE. One handler serves all,
  # because a handler takes longer than most rules.
  or_else(
    for (part in names(rules)) {
      v <- x[[part]]
      if (optional && is.null(v)) next
      said <- FALSE
      if (!is.object(v) || !is.atomic(v) || part %in% table$classed) said <- rules[[part]](v, x)
      if (!isTRUE(said)) break
    },
    NULL
  )
  if (isTRUE(said)) return(NULL)
  words <- if (is.character(said)) said else attr(rules[[part]], "words")
  paste0("Its `", part, "` ", words %||% paste0("is ", describe(x[[part]]), ", ", size_of(x, table), "."))
}

# A part that is flawed may be the one whose size is asked for.
size_of <- function(x, table) {
  or_else(table$size(x), "which has another type, length or value than it must have")
}

# A rule with the words for a part that breaks it, also for one that the rule cannot even read.
worded_rule <- function(test, words) structure(test, words = words)

# For rules of parts that are objects themselves: TRUE, or what is wrong with the part in words.
is_valid_object <- function(v, table) {
  if (!inherits(v, table$class)) {
    return(paste0("is ", describe(v), ", not an object of class ", table$class, "."))
  }
  flaw <- object_flaw(v, table)
  if (is.null(flaw)) TRUE else paste0("is incomplete: ", tolower_first(flaw))
}

# ---- the version that made an object ---------------------------------------------------
# Objects carry the version of the package that made them, as the part `version`, a string. Those from before
# 0.1.0 was released have none, and are accepted where all other parts are sound.

every_option <- list(version = worded_rule(function(v, x) is_path(v), "is not a string."))

# Of the loaded package, not of the files, which an installation may be replacing.
made_by <- function() unname(getNamespaceInfo("landmarker", "spec")["version"])

# A hint for an error about a flawed object: which version made it, or its part `made_in`, where that is
# another one.
version_hint <- function(object, made_in = NULL) {
  if (!is.null(made_in)) object <- if (is.list(object)) unclass(object)[[made_in]]
  made <- if (is.list(object)) unclass(object)$version
  if (!is_path(made) || made == made_by()) return(NULL)
  paste0("It was made by version ", made, " of landmarker, and this is version ", made_by(), ".")
}

# ---- tests of values, for rules --------------------------------------------------------

is_text <- function(v, n = length(v)) is.character(v) && !is.object(v) && length(v) == n && !anyNA(v)

is_whole <- function(v, min) is_number(v) && !is.object(v) && is.finite(v) && v == trunc(v) && v >= min

is_plain_matrix <- function(v) is.matrix(v) && is.double(v) && !is.object(v)

# A data frame whose columns are vectors of its length, with different names.
is_sound_frame <- function(v) {
  is.list(v) && is.data.frame(v) && is_text(names(v), length(unclass(v))) && !anyDuplicated(names(v)) &&
    all(vapply(unclass(v), function(x) is.atomic(x) && is.null(dim(x)), NA)) &&
    all(lengths(unclass(v)) == .row_names_info(v, 2L))
}

# Rows that na.omit() or na.exclude() has left out, beside `n` that are left.
is_na_action <- function(v, n) {
  rows <- unclass(v)
  inherits(v, c("omit", "exclude")) && is.integer(rows) && length(rows) > 0 && !anyNA(rows) &&
    !is.unsorted(rows, strictly = TRUE) && rows[1] >= 1 && rows[length(rows)] <= n + length(rows) &&
    (is.null(names(v)) || is_text(names(v)))
}

# Whether no squared distance of points from each other overflows, in kernel coordinates.
are_near <- function(points, center, factor) is.finite(4 * max(colSums(((t(points) - center) * factor)^2)))

are_column_names <- function(names, d) is.null(names) || is_text(names, d)

for_size <- function(n, d) {
  sprintf("for %d landmark%s in %d dimension%s", n, if (n == 1) "" else "s", d, if (d == 1) "" else "s")
}

is_word <- function(v, words) is.character(v) && length(v) == 1 && v %in% words

# It may be NA.
is_one_double <- function(v) is.double(v) && length(v) == 1

sound_vector <- function(v, length) is.double(v) && length(v) == length && all(is.finite(v))

is_same <- function(a, b) mode(a) == mode(b) && all(a == b, na.rm = TRUE)
