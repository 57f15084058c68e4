# Rules that the parts of objects must keep, and what is wrong with an object, in words.

# For parts whose rule needs more words than an error has.
other_than <- "which has another type, length or value than it must have"

is_text <- function(v, n = length(v)) is.character(v) && !is.object(v) && length(v) == n && !anyNA(v)

is_whole <- function(v, min) is_number(v) && !is.object(v) && is.finite(v) && v == trunc(v) && v >= min

is_plain_matrix <- function(v) is.matrix(v) && is.double(v) && !is.object(v)

# A data frame whose columns are vectors of its length, with different names.
is_sound_frame <- function(v) {
  is.list(v) && is.data.frame(v) && is_text(names(v), length(unclass(v))) && !anyDuplicated(names(v)) &&
    all(vapply(unclass(v), function(x) is.atomic(x) && is.null(dim(x)), NA)) &&
    all(lengths(unclass(v)) == .row_names_info(v, 2L))
}

# The first optional part that is there and breaks its rule, in words, or NULL.
broken_option <- function(object, rules, words, size, ...) {
  there <- intersect(names(rules), names(unclass(object)))
  given <- there[!vapply(there, function(part) is.null(unclass(object)[[part]]), NA)]
  broken_part(object, rules[given], words, size, ...)
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

# The functions that make the objects of these classes.
makers <- c(
  landmarks = "landmarks", landmark_embedding = "embed_landmarks", codebook = "codebook",
  cv_landmarks = "cv_landmarks", tagging_scores = "tagging_scores", data_parts = "data_parts"
)

check_class <- function(x, class, kind, arg, call) {
  check_given(x, arg, call)
  if (!inherits(x, class) || !is.list(x)) {
    maker <- makers[class]
    abort_input(c(
      "{.arg {arg}} must be an object of class {.cls {class}}.",
      x = "It is {describe(x)}.",
      i = if (!is.na(maker)) "Make one with {.fn {maker}}."
    ), arg = arg, kind = kind, call = call)
  }
}

# `flaw` is the flaw of an object in words, or NULL. `what` it is in words.
check_whole <- function(flaw, kind, maker, arg, call, object = NULL, what = kind) {
  if (is.null(flaw)) return(invisible())
  hint <- version_hint(object)
  abort_input(c(
    "{.arg {arg}} must be a complete {what}, as {.fn {maker}} returns it.",
    x = "{flaw}",
    i = if (length(hint)) "{hint}",
    i = "Make it again with {.fn {maker}}."
  ), arg = arg, kind = kind, call = call)
}

# The first missing part, in words, or NULL; for any object with rules.
absent_part <- function(object, rules) {
  absent <- setdiff(names(rules), names(object))
  if (length(absent) == 0) return(NULL)
  more <- if (length(absent) > 1) paste(" and lacks", length(absent) - 1, "more parts")
  paste0("It has no `", absent[1], "`", more, ".")
}

# The first part that breaks its rule, in words, or NULL. `words`: messages for parts whose values may be
# wrong while their type is right. `...`: further arguments of the rules.
broken_part <- function(object, rules, words, size, ...) {
  for (part in names(rules)) {
    # A rule may meet a value that it cannot even read.
    classed <- is.atomic(object[[part]]) && is.object(object[[part]]) && part != "na.action"
    if (!classed && or_else(isTRUE(rules[[part]](object[[part]], ...)), FALSE)) next
    wrong <- words[[part]] %||% paste0("is ", describe(object[[part]]), ", ", size, ".")
    return(paste0("Its `", part, "` ", wrong))
  }
  NULL
}

for_size <- function(n, d) {
  sprintf("for %d landmark%s in %d dimension%s", n, if (n == 1) "" else "s", d, if (d == 1) "" else "s")
}

is_word <- function(v, words) is.character(v) && length(v) == 1 && v %in% words

# It may be NA.
is_one_double <- function(v) is.double(v) && length(v) == 1

sound_vector <- function(v, length) is.double(v) && length(v) == length && all(is.finite(v))

is_same <- function(a, b) mode(a) == mode(b) && all(a == b, na.rm = TRUE)

# ---- the version that made an object -------------------------------------------------
# Objects carry the version of the package that made them, as the part `version`, a string.

# Of the loaded package, not of the files, which an installation may be replacing.
made_by <- function() unname(getNamespaceInfo("landmarker", "spec")["version"])

# Objects from before 0.1.0 was released have no version, and are accepted where all other parts are sound.
is_version <- function(v) is.null(v) || is_path(v)

# A hint for an error about a flawed object: which version made it, where that is another one.
version_hint <- function(object) {
  made <- if (is.list(object)) unclass(object)$version
  if (!is_path(made) || made == made_by()) return(NULL)
  paste0("It was made by version ", made, " of landmarker, and this is version ", made_by(), ".")
}
