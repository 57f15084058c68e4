# Rows with missing values, and what na.action does with them.

# The name of the user's `na.action`, which is given as lm() takes it: a function such as stats::na.omit(), or
# its name. `pass`: whether na.pass is allowed, by which rows with missing values stay.
check_na_action <- function(na.action, call, pass = FALSE) {
  known <- c("na.fail", "na.omit", "na.exclude", "na.pass")
  is_it <- function(name) identical(na.action, name) || identical(na.action, getExportedValue("stats", name))
  name <- known[vapply(known, is_it, NA)]
  if (is.function(na.action) && length(name) == 0) name <- name_na_action(na.action)
  allowed <- if (pass) known else known[1:3]
  if (length(name) && name %in% allowed) return(name)
  abort_input(c(
    "{.arg na.action} must be {.or {.code {allowed}}}.",
    x = "It is {if (length(name)) name else describe(na.action)}.",
    i = if (identical(name, "na.pass")) "A row with missing values has no distance to another row."
  ), arg = "na.action", kind = "na_action", call = call)
}

# The name of a function for missing values, by what it does with a small table: packages have generics of S4
# that are named na.omit() and are not identical with that of stats.
name_na_action <- function(action) {
  two <- data.frame(a = c(1, NA))
  out <- suppressWarnings(or_else(action(two), NULL))
  if (is.null(out)) return("na.fail")
  if (identical(out, two)) return("na.pass")
  left <- attr(out, "na.action")
  if (identical(dim(out), c(1L, 1L)) && inherits(left, c("omit", "exclude"))) paste0("na.", class(left))
}

# ---- which rows ----------------------------------------------------------------

# The numbers of the rows of a table of any kind in which a value is missing.
incomplete_rows <- function(x) {
  if (is.list(x)) return(which(Reduce(`|`, lapply(x, is_missing))))
  if (methods::is(x, "dgCMatrix")) return(sort(unique(x@i[is.na(x@x)] + 1L)))
  unname(which(is_missing(x)))
}

# Whether each value of a column is missing, or any in each row of a matrix. as.character(): NA may also be a
# level of a factor.
is_missing <- function(v) {
  if (is.data.frame(v) || is.matrix(v)) return(rowSums(is.na(v)) > 0)
  is.na(if (is.factor(v)) as.character(v) else v)
}

# Incomplete rows as na.omit() and na.exclude() number them, or NULL where there are none. `names`: those of
# all rows. `new`: whether they are new data, of which all may be incomplete.
omitted_rows <- function(rows, action, names, total, arg, call, new) {
  if (length(rows) == 0) return(NULL)
  if (length(rows) == total && !new) {
    each <- if (total == 1) "Its only row" else paste("Each of its", total, "rows")
    abort_input(c(
      "{.arg {arg}} must have a row without missing values.",
      x = "{each} has a missing value."
    ), arg = arg, kind = "missing", call = call)
  }
  rows <- as.integer(rows)
  names(rows) <- (names %||% as.character(seq_len(total)))[rows]
  structure(rows, class = sub("na.", "", action, fixed = TRUE))
}

# The rows that na.action leaves out of a matrix, or of a list of variables; NULL for na.fail. Infinite values
# are an error, whose place is that in all rows. `also`: further rows to leave out.
omitted_of <- function(x, action, arg, call, names = rownames(x), also = integer(), new = FALSE) {
  if (action == "na.fail") return(NULL)
  if (is.list(x)) {
    for (i in which(vapply(x, is.numeric, NA))) {
      v <- plain_values(x[[i]], "numeric")
      check_complete(replace(v, is.na(v), 0), names(x)[i], arg, call)
    }
  } else if (is.matrix(x)) {
    check_finite(replace(x, is.na(x), 0), arg, call)
  } else {
    finite <- x
    finite@x[is.na(finite@x)] <- 0
    check_finite_entries(finite, arg, call)
  }
  total <- if (is.list(x)) NROW(x[[1]]) else nrow(x)
  omitted_rows(union_sorted(incomplete_rows(x), also), action, names, total, arg, call, new)
}

union_sorted <- function(a, b) sort(unique(c(a, b)))

# ---- without them ----------------------------------------------------------------

# A vector or a table without the omitted rows.
without_rows <- function(x, omitted) {
  if (length(omitted) == 0 || is.null(x)) return(x)
  if (length(dim(x)) == 2) x[-unclass(omitted), , drop = FALSE] else x[-unclass(omitted)]
}

# The numbers, among all rows, of the `count` rows that are left.
kept_rows <- function(omitted, count) without_rows(seq_len(count + length(omitted)), omitted)

# The other way round: numbers of rows among all, as their numbers among the `count` rows that are left; NA
# for omitted rows.
numbers_left <- function(rows, omitted, count) {
  if (length(omitted)) match(rows, kept_rows(omitted, count)) else rows
}

# The numbers of the missing values of a response that has `rows` of them.
missing_response <- function(y, rows) if (NROW(y) == rows) which(is_missing(y)) else integer()

# ---- for landmarks() and its fits --------------------------------------------------

# A description of landmarks, with row numbers among all rows that the user gave, in the place of those among
# the rows that are left.
in_given_rows <- function(described, omitted, count) {
  if (length(omitted) == 0) return(described)
  kept <- kept_rows(omitted, count)
  described$nearest <- kept[described$nearest]
  described$rows <- kept[described$rows]
  held_out <- described$response$held_out$index
  if (!is.null(held_out)) described$response$held_out$index <- kept[held_out]
  described
}

# Values of the rows that na.omit() leaves, with the numbers of these rows as names where they have none, as
# predict.lm() names them.
numbered <- function(values, given) {
  if (!is.null(given$names)) return(values)
  kept <- kept_rows(given$omitted, NROW(values))
  if (length(dim(values)) < 2) return(stats::setNames(values, kept))
  rownames(values) <- kept
  values
}

# The values of all rows, from those of the rows that are left: others are NA. After na.omit() only the values
# of the rows that are left are returned, as by R's own functions.
padded <- function(values, given) {
  if (length(given$omitted) == 0) return(values)
  if (given$action == "na.omit") return(numbered(values, given))
  place <- numbers_left(seq_len(NROW(values) + length(given$omitted)), given$omitted, NROW(values))
  names <- given$names
  if (length(dim(values)) < 2) return(stats::setNames(values[place], names))
  out <- values[place, , drop = FALSE]
  if (is.data.frame(out) && (anyDuplicated(names) || anyNA(names))) names <- NULL
  rownames(out) <- names
  out
}
