#' Data in parts
#'
#' `data_parts()` describes data that are too large for memory: a function reads one part of the rows at a
#' time. The result takes the place of a matrix in [landmarks()], `predict()`, [reconstruction_error()],
#' [nearest_observations()], [landmark_graph()], [embed_landmarks()] and [codebook()]. Use it for a folder of
#' files, or for a table of a database that is read by ranges of its key.
#'
#' @details
#' A DelayedMatrix (package \pkg{DelayedArray}: HDF5, sparse HDF5 of 10x Genomics, TileDB and other files) and
#' a `big.matrix` (package \pkg{bigmemory}) need no `data_parts()`: these functions take them as they are.
#' They read a DelayedMatrix in blocks of rows, which follow the chunks of the file and are at most
#' `DelayedArray::getAutoBlockSize()` bytes large. Data with observations in columns, as genes x cells usually
#' are, are given as `t(x)`, which copies nothing.
#'
#' Only one part is in memory at a time. Beside it, a fit keeps single rows: those that it learns from, up to
#' a sixteenth of `getOption("landmarker.memory")` (which is 4e9 bytes by default). Make parts of 10 to 100
#' MB: a part is read as a whole, also where a few of its rows are wanted.
#'
#' The default method of [landmarks()] reads all parts twice. The first reading gives the means and variances,
#' and the random rows to learn from; the second gives the variances of the landmarks. If the random rows
#' exceed the memory above, there is a further reading for each time that they fill it. [by_active()] reads
#' all parts once for each landmark, [by_dpp()] and [by_kmeans()] once for each block of rows that they draw,
#' and [by_kmeans()] once more for each iteration. [by_response()] reads the parts for each of its some twenty
#' portions of random rows and more; its many steps also amplify the last digits of sums, so that its
#' landmarks differ from those of data in memory. [by_dpp_exact()] needs all rows in memory.
#'
#' All parts must have the same columns, and be all dense or all sparse. Parts without rows are allowed. Parts
#' must not change: each is compared with its first reading by the number of its rows and a few of its values.
#'
#' @param dims `c(N, d)`, the numbers of rows and columns of all parts together. NULL reads all parts once
#'   to count them. Otherwise only the first part is read at once, for the names of its columns.
#' @param read A function of the number of a part, 1, 2, ..., that returns its rows: a numeric, integer or
#'   logical matrix, a sparse matrix, or a data frame of numbers (turn factors into numbers, for example by
#'   `model.matrix()`). Rows are numbered from the first part to the
#'   last.
#' @param n_parts The number of parts, a whole number of at least 1.
#' @return An object of class `data_parts`, with methods for `dim()`, `dimnames()` and `print()`. `x[i, ]`
#'   reads some rows into memory, and `x[, j]` is data in parts with some of the columns.
#' @section Errors:
#' An error in `read` is raised again as `landmarker_error_parts`, which names the part and has the original
#' error as its parent. The same class is used for parts whose columns differ, for a number of rows that is
#' not that of `dims`, and for a part that has changed. A missing value is an error that gives its row in all
#' of the data.
#' @seealso [on_workers()] for data on the workers of a cluster; `vignette("scale")`.
#' @examples
#' # A folder of files
#' folder <- tempfile()
#' dir.create(folder)
#' for (i in 1:4) saveRDS(sim_swiss_roll(500), file.path(folder, paste0(i, ".rds")))
#' files <- list.files(folder, full.names = TRUE)
#' x <- data_parts(c(2000, 3), function(part) readRDS(files[part]), length(files))
#' x
#' fit <- landmarks(x, 20)
#' fit
#' head(predict(fit, x, "nearest"))
#' @export
data_parts <- function(dims, read, n_parts) {
  call <- rlang::current_env()
  check_given(dims, "dims", call)
  check_given(read, "read", call)
  if (!is.function(read)) {
    abort_input(c("{.arg read} must be a function of the number of a part.", x = "It is {describe(read)}."),
      arg = "read", call = call
    )
  }
  # There is a limit because what is known of each part stays in memory.
  n_parts <- check_count(n_parts, "n_parts", max = 1000000L, call = call)
  dims <- check_data_size(dims, call)
  data <- parted_data(read, rep(NA_integer_, n_parts), NULL, total = dims[1])
  first <- read_part(data, 1L)
  if (!is.null(dims) && ncol(first) != dims[2]) {
    abort_input(c(
      "{.arg dims} must have the number of columns of the parts.",
      x = "It says {dims[2]} columns, and part 1 has {ncol(first)}.",
      i = "{.code dims = NULL} reads all parts and counts."
    ), arg = "dims", kind = "parts", call = call)
  }
  data$columns <- ncol(first)
  data["names"] <- list(colnames(first))
  if (is.null(dims)) data$total <- sum(count_parts(data))
  check_some_rows(data, "read", call)
  data
}

check_data_size <- function(dims, call) {
  if (is.null(dims)) return(NULL)
  fine <- is.numeric(dims) && length(dims) == 2 && !anyNA(dims) &&
    all(dims >= 1 & dims == trunc(dims) & dims <= .Machine$integer.max)
  if (!fine) {
    shown <- if (is.numeric(dims) && length(dims) == 2) paste(dims, collapse = ", ") else describe(dims)
    abort_input(c(
      "{.arg dims} must be two whole numbers from 1 to {(.Machine$integer.max)}, or NULL.",
      x = "It is {shown}.",
      i = "They are the numbers of rows and columns of all parts."
    ), arg = "dims", call = call)
  }
  as.integer(dims)
}

# Data in parts. `rows`: of each part, NA where they are not known before it is read. `take`: a function that
# reads some rows by number, in ascending order, more quickly than by whole parts; or NULL. The environment
# `seen` has what is known from the parts that were read: their rows, whether they are sparse, and a hash of
# some values.
parted_data <- function(read, rows, columns, names = NULL, total = NULL, take = NULL) {
  seen <- list2env(list(rows = as.integer(rows), sparse = NA, hash = character(length(rows))),
    parent = emptyenv()
  )
  structure(list(
    read = read, columns = if (!is.null(columns)) as.integer(columns), names = names,
    total = total %||% sum(seen$rows), take = take, seen = seen, arg = "x"
  ), class = "data_parts")
}

#' @export
in_memory.data_parts <- function(x) FALSE

#' @export
dim.data_parts <- function(x) {
  check_parts(x)
  c(x$total, x$columns)
}

#' @export
dimnames.data_parts <- function(x) {
  check_parts(x)
  if (!is.null(x$names)) list(NULL, x$names)
}

#' @export
print.data_parts <- function(x, ...) {
  check_parts(x)
  print_parted(x, c(part = length(x$seen$rows)), "in", is_sparse_parts(x))
}

# x[rows, ] is a matrix in memory, in the order of `rows`; x[, columns] is data in parts.
#' @export
`[.data_parts` <- function(x, i, j, ..., drop = FALSE) {
  check_parts(x)
  some <- if (missing(j)) seq_len(ncol(x)) else check_subscript(j, ncol(x), x$names, "column")
  if (!missing(i)) {
    return(gather_rows(x, check_subscript(i, nrow(x), NULL, "row"))[, some, drop = FALSE])
  }
  read <- x$read
  x$read <- function(i) as_part(read(i))[, some, drop = FALSE]
  take <- x$take
  if (!is.null(take)) x$take <- function(rows) take(rows)[, some, drop = FALSE]
  x$columns <- length(some)
  x["names"] <- list(x$names[some])
  # The hashes of the parts were made of all columns.
  x$seen <- list2env(as.list(x$seen))
  x$seen$hash[] <- ""
  x
}

# The numbers that a subscript stands for, of `size` rows or columns.
check_subscript <- function(i, size, names, what, call = rlang::caller_env()) {
  # Of a long sequence the ends are compared first, as it may have more values than there is memory for.
  long <- is.numeric(i) && length(i) > 1e6
  ends <- if (long) i[c(1, length(i))]
  beyond <- function(v) !isTRUE(max(v) <= size && min(v) >= -size)
  far <- long && (beyond(ends) || beyond(i))
  found <- if (far) NA else or_else(stats::setNames(seq_len(size), names)[i], NA)
  if (!anyNA(found) && !(is.logical(i) && length(i) > size)) return(unname(found))
  wrong <- if (far) max(if (beyond(ends)) ends else i) else if (is.numeric(i)) i[is.na(found)][1] else i
  abort_input(c(
    "A subscript must be the name or number of a {what}. The data have {size}.",
    x = if (is.character(i)) "There is no {what} named {.val {i[is.na(found)][1]}}.",
    x = if (!is.character(i)) "There is no {what} {describe(wrong)}."
  ), arg = "x", kind = "subscript", call = call)
}

is_sparse_parts <- function(x) {
  if (is.na(x$seen$sparse)) read_part(x, filled_parts(x)[1])
  x$seen$sparse
}

# The parts that have rows, as far as this is known.
filled_parts <- function(x) which(is.na(x$seen$rows) | x$seen$rows > 0)

# How many rows part i has, NA before it was read, and how many stand before it. For the second, parts before
# it are read where their rows are not known.
rows_in <- function(x, i) x$seen$rows[i]
first_of <- function(x, i) sum(count_parts(x, i - 1L)[seq_len(i - 1L)])

# How many rows each part has, known for the first `most` parts at least: those that are not known are read.
count_parts <- function(x, most = length(x$seen$rows)) {
  for (i in which(is.na(x$seen$rows[seq_len(most)]))) read_part(x, i)
  x$seen$rows
}

# Reads part i, and checks that it has the form of the others and of its last reading.
read_part <- function(x, i) {
  part <- keep_seed(call_reader(x, i))
  flaw <- part_flaw(x, i, part)
  if (!is.null(flaw)) abort_part(x, i, flaw[1], flaw[2])
  rows <- replace(x$seen$rows, i, nrow(part))
  known <- sum(rows)
  if (!is.na(known) && !is.na(x$total) && known != x$total) {
    abort_input(c(
      "{.arg dims} must be the rows and columns of all parts together.",
      x = "It says {x$total} row{?s}, and the parts have {known}.",
      i = "{.code dims = NULL} reads all parts and counts."
    ), arg = "dims", kind = "parts", call = NULL)
  }
  # After the check, so that it fails at each call.
  x$seen$rows <- rows
  if (is.na(x$seen$sparse)) x$seen$sparse <- !is.matrix(part)
  if (!nzchar(x$seen$hash[i])) x$seen$hash[i] <- part_hash(part)
  part
}

# What the user's reader returns for part i. The error where it fails shows the last warning before it, which
# may name the file that is missing.
call_reader <- function(x, i) {
  warned <- NULL
  withCallingHandlers(
    on_failure(as_part(x$read(i)), function(e) abort_reading(x, i, e, warned)),
    warning = function(w) warned <<- conditionMessage(w)
  )
}

as_part <- function(part, arg = "read(part)") {
  if (is.data.frame(part)) part <- plain_frame(part, arg, NULL)
  check_data(part, arg, NULL, empty = TRUE)
}

# What is wrong with a part, as c(rule, finding), or NULL.
part_flaw <- function(x, i, part) {
  if (!is.null(x$columns) && ncol(part) != x$columns) {
    return(
      c(
        "All parts must have the same number of columns.", sprintf("it has %d, not %d", ncol(part), x$columns)
      )
    )
  }
  if (!is.null(x$names) && !identical(colnames(part), x$names)) {
    return(c("All parts must have the same column names, in the same order.", name_flaw(part, x$names)))
  }
  kind <- c("dense", "sparse")[1 + c(!is.matrix(part), x$seen$sparse)]
  if (!is.na(kind[2]) && kind[1] != kind[2]) {
    return(
      c("All parts must be dense, or all sparse.", sprintf("it is %s, and others are %s", kind[1], kind[2]))
    )
  }
  changed <- "The data must not change while they are used."
  rows <- x$seen$rows[i]
  if (!is.na(rows) && rows != nrow(part)) {
    return(c(changed, sprintf("it has %d rows now, and had %d", nrow(part), rows)))
  }
  if (nzchar(x$seen$hash[i]) && x$seen$hash[i] != part_hash(part)) {
    return(c(changed, "its values differ from those of an earlier reading"))
  }
}

name_flaw <- function(part, names) {
  given <- colnames(part)
  if (is.null(given)) return("it has no column names")
  j <- which(is.na(given) | given != names)[1]
  sprintf("its column %d is named %s, not %s", j, given[j], names[j])
}

# A hash of some values: of up to three rows, and of the number of stored values where the part is sparse.
part_hash <- function(part) {
  if (nrow(part) == 0) return("")
  rows <- unique(round(seq(1, nrow(part), length.out = 3)))
  rlang::hash(if (is.matrix(part)) unname(part[rows, ]) else list(length(part@x), utils::head(part@x, 100)))
}

abort_part <- function(x, i, rule, finding) {
  abort_input(c(rule, x = "{part_words(x, i)} of {.arg {x$arg}} breaks this: {finding}."),
    arg = x$arg, kind = "parts", call = NULL
  )
}

abort_reading <- function(x, i, error, warned) {
  if (inherits(error, "landmarker_error_parts")) stop(error)
  abort_input(c(
    "{part_words(x, i)} of {.arg {x$arg}} could not be read.", i = if (!is.null(warned)) "R warned: {warned}"
  ), arg = x$arg, kind = "parts", call = NULL, parent = error
  )
}

part_words <- function(x, i) sprintf("Part %d of %d", i, length(x$seen$rows))

# Some rows by number, in that order, as a matrix, dense or sparse as the data are.
gather_rows <- function(x, rows) {
  if (length(rows) == 0) return(read_part(x, filled_parts(x)[1])[0, , drop = FALSE])
  wanted <- sort(unique(rows))
  found <- if (is.null(x$take)) take_from_parts(x, wanted) else x$take(wanted)
  if (identical(wanted, rows)) found else found[match(rows, wanted), , drop = FALSE]
}

# Each part that has some of the rows is read once.
take_from_parts <- function(x, rows) {
  first <- cumsum(c(0, count_parts(x)))
  part <- findInterval(rows - 1, first, rightmost.closed = TRUE)
  bar <- progress_start("Reading rows", length(rows))
  do.call(rbind, lapply(unique(part), function(i) {
    found <- read_part(x, i)[rows[part == i] - first[i], , drop = FALSE]
    progress_step(bar, nrow(found), .envir = parent.frame(2))
    found
  }))
}

#' @export
check_finite_rows.data_parts <- function(x, arg, call) {
  for (i in filled_parts(x)) check_finite(read_part(x, i), arg, call, first_of(x, i))
  x
}

# list(mean, variance) of the columns of data in parts: the moments of each part, joined (Chan, Golub and
# LeVeque, 1983). `visit`: a function of a part and the number of rows before it, or NULL. It is called with
# each part while the part is in memory, so that further work needs no second reading.
moments_of_parts <- function(data, weights, arg, call, visit = NULL) {
  all <- join_parts(data, weights, arg, call, visit)
  moments_of_joined(all, nrow(data), weights)
}

# The moments of all parts together, in the form of part_moments(). `offset`: how many rows of other data
# stand before the first row.
join_parts <- function(data, weights, arg, call, visit, offset = 0L) {
  data$arg <- arg
  all <- NULL
  first <- 0L
  bar <- progress_start("Reading rows", nrow(data))
  for (i in filled_parts(data)) {
    x <- read_part(data, i)
    if (nrow(x) == 0) next
    w <- weights[first + seq_len(nrow(x))]
    all <- join_moments(all, part_moments(x, w, arg, call, offset + first))
    if (!is.null(visit)) visit(x, first)
    first <- first + nrow(x)
    progress_step(bar, nrow(x))
  }
  all
}

# The places of some rows among those that a source keeps in memory; NULL where one of them is not kept.
kept_places <- function(source, rows) {
  if (is.null(source$kept)) return(NULL)
  at <- match(rows, source$kept$rows)
  if (!anyNA(at)) at
}

# ---- checks --------------------------------------------------------------------------

check_parts <- function(x, arg = "x", call = rlang::caller_env()) check_object(x, parts_rules, arg, call)

parts_rules <- list(
  class = "data_parts", kind = "parts", what = "data_parts object", maker = "data_parts",
  parts = list(
    read = function(v, x) is.function(v),
    columns = function(v, x) is_whole(v, 0) && is.integer(v),
    names = function(v, x) are_column_names(v, x$columns),
    total = function(v, x) is_whole(v, 0),
    take = function(v, x) is.null(v) || is.function(v),
    seen = worded_rule(
      function(v, x) {
        is.environment(v) && is.integer(v$rows) && length(v$rows) > 0 && all(is.na(v$rows) | v$rows >= 0) &&
          is.logical(v$sparse) && length(v$sparse) == 1 && is_text(v$hash, length(v$rows)) &&
          (anyNA(v$rows) || sum(as.double(v$rows)) == x$total)
      },
      "is not what was learned when the parts were read."
    ),
    arg = function(v, x) is_text(v, 1)
  )
)

# in_parts() is the first thing that each function asks of its data, so they are checked here.
#' @export
in_parts.data_parts <- function(x, arg, call) check_parts(x, arg, call)

# print() of data in parts and of data on workers. `places`: the number of parts or workers, with the word for
# one of them as its name.
print_parted <- function(x, places, where, sparse) {
  count <- function(n, what) paste0(format(n, big.mark = big_mark()), " ", what, if (n != 1) "s")
  cat("Data ", where, " ", count(places[[1]], names(places)), ": ", count(nrow(x), "row"), ", ",
    count(ncol(x), "column"), if (sparse) ", sparse", "\n", sep = "")
  invisible(x)
}
