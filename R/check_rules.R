# Rules that the parts of several classes share.

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
