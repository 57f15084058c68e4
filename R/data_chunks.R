# Data that do not fit into memory, read in chunks of rows.

#' Data in chunks
#'
#' `chunked()` describes data that do not fit into memory by a function that reads one chunk of rows at a
#' time. The result can be passed as the data to [landmarks()], `predict()`, [nearest_observations()],
#' [reconstruction_error()], [add_landmarks()], [landmark_graph()], [sketch_rows()] and [codebook()].
#' `map_chunks()` applies a function to each chunk, for example to write predictions to files.
#'
#' @details
#' [landmarks()] reads the chunks twice. The first pass computes the means and variances of the columns and
#' draws a simple random sample of rows. The landmarks are learned from this sample. The second pass computes
#' the fit's diagnostics over all rows: approximation error, nearest rows, and between_SS / total_SS. The
#' order of the landmarks and the graph through the data are computed from the sample. If the sample contains
#' all rows, one pass suffices.
#'
#' The default method uses fewer than 100,000 rows even if the data are in memory, so sampling has little
#' effect on it. Methods that use all rows ([by_active()], [by_dpp()], [by_kmeans()]) use the rows of the
#' sample only.
#'
#' [add_landmarks()] and [refine_landmarks()] also read the chunks twice. [landmark_graph()], [sketch_rows()]
#' and `predict(type = "variance")` with an argument `x` read them once and use a sample. `predict()`,
#' [nearest_observations()] and [reconstruction_error()] read them once and use all rows.
#'
#' All chunks must have the same columns, and the same rows each time they are read. Missing values are an
#' error that reports the chunk, row and column; `read` can drop such rows. One chunk at a time is held in
#' memory, in addition to the sample. Chunks of 10 to 200 MB work well.
#'
#' @section Columns and formulas:
#' Chunks may be data frames, also with a formula: `landmarks(y ~ ., chunks, n, by_response())`. Factors and
#' strings must have the same levels in all chunks; declare them with `levels`. Case weights are a column of
#' the data: with a formula, `landmarks(~ a + b, chunks, n, weights = w)`; without one, `weights = ~ w`. If
#' `rows` is given they may also be a vector.
#'
#' The formula is evaluated in each chunk separately. Functions such as `poly()` and `scale()` take their
#' parameters from the first chunk. Do not use functions whose values depend on other rows, such as `rank()`.
#'
#' @section Parallel processing:
#' If daemons of package \pkg{mirai} are set, for example by `mirai::daemons(2)`, they read and process the
#' chunks. They may run on other machines. Results are identical for any number of daemons. `read` runs on the
#' daemons: it must open its own connections, and cannot use objects of the session's global environment. An
#' interrupt cancels the tasks and keeps the daemons.
#'
#' @param x A vector or list with one element per chunk: paths of files, key ranges, or the integers 1, 2, ...
#' @param read A function of one element of `x` that returns the rows of that chunk as a data frame, a numeric
#'   matrix or a sparse matrix.
#' @param levels A named list with the levels of columns that are strings or factors, such as
#'   `list(species = c("a", "b"))`. Unknown column names and undeclared levels are errors. `NULL` (default) if
#'   there are no such columns, or if they are factors with the same levels in all chunks.
#' @param rows The numbers of rows of the chunks, an integer vector, or `NULL` (default) if unknown.
#' @param sample Number of rows that the landmarks are learned from. If there are fewer rows, all are used.
#'   Default `NULL`: 200,000, reduced if these would take more than a sixteenth of
#'   `getOption("landmarker.memory")`.
#' @param chunks A `chunked` object, or data that [as_chunks()] accepts.
#' @param f A function `f(rows, k)` of the rows of chunk `k`.
#' @param reduce A function `reduce(a, b)` that combines the values of `f` for two chunks, applied in the
#'   order of the chunks. Default `NULL`: all values are returned in a list.
#' @return `chunked()`: an object of class `chunked`, a plain list. `map_chunks()`: a list with the value of
#'   `f` for each chunk, or the result of `reduce`.
#' @section Errors:
#' `landmarker_error_chunks` if a chunk cannot be read or has other columns; it reports the chunk, and the
#' original error is its parent. `landmarker_error_daemon` if a daemon stops.
#' @seealso [as_chunks()] for CSV files, DelayedMatrix and big.matrix; `vignette("scale")` for Parquet and
#' databases.
#' @examples
#' # A folder of files
#' folder <- tempfile()
#' dir.create(folder)
#' for (i in 1:4) saveRDS(sim_swiss_roll(500), file.path(folder, paste0(i, ".rds")))
#' x <- chunked(list.files(folder, full.names = TRUE), readRDS)
#' x
#' fit <- landmarks(x, 20)
#' fit
#' head(predict(fit, x, "nearest"))
#'
#' # Write the features of each chunk to a file
#' written <- map_chunks(x, function(rows, k) {
#'   file <- tempfile(paste0("features-", k, "-"), fileext = ".rds")
#'   saveRDS(predict(fit, rows), file)
#'   file
#' })
#' length(written)
#' @export
chunked <- function(x, read, levels = NULL, rows = NULL, sample = NULL) {
  check_given(x, "x")
  check_given(read, "read")
  check_that(rlang::is_vector(x) && is.null(dim(x)) && length(x) > 0, x, "x",
    "a vector or a list with an element for each chunk"
  )
  check_that(is.function(read), read, "read", "a function of an element of {.arg x}")
  named <- is.list(levels) && rlang::is_named2(levels) && all(vapply(levels, is_text, NA))
  check_that(is.null(levels) || named, levels, "levels",
    "a named list of strings, such as {.code list(species = c(\"a\", \"b\"))}", "levels"
  )
  whole <- rlang::is_bare_integerish(rows, length(x), finite = TRUE) && all(rows >= 0)
  check_that(is.null(rows) || whole, rows, "rows",
    paste0("the row counts of the ", how_many(length(x), "chunk"), ", or NULL"), "chunks"
  )
  new_chunked(as.list(x), read, levels, rows, sample)
}

new_chunked <- function(x, read, levels = NULL, rows = NULL, sample = NULL, call = rlang::caller_env()) {
  if (!is.null(sample)) sample <- check_count(sample, "sample", call = call)
  if (!is.null(rows)) rows <- as.integer(rows)
  structure(list(x = x, read = read, levels = levels, rows = rows, sample = sample), class = "chunked")
}

#' @rdname as_chunks
#' @export
as_chunks <- function(x, ...) {
  check_given(x, "x")
  UseMethod("as_chunks")
}

#' @rdname chunked
#' @export
map_chunks <- function(chunks, f, reduce = NULL) {
  call <- rlang::current_env()
  chunks <- user_chunks(chunks, call)
  check_given(f, "f")
  check_takes(f, "f", "function(rows, k)", call)
  if (!is.null(reduce)) check_takes(reduce, "reduce", "function(a, b)", call)
  values <- list()
  over_chunks(chunks, function(rows, item, f) f(rows, item$k), f, call = call, take = function(value, k) {
    values <<- if (is.null(reduce) || k == 1) {
      c(values, list(value))
    } else {
      rule <- paste0("{.arg reduce} must combine the value of chunk ", k, " with those before.")
      list(try_or_abort(reduce(values[[1]], value), rule, "reduce", "chunks", call))
    }
  })
  if (is.null(reduce)) values else values[[1]]
}

#' @export
print.chunked <- function(x, ...) {
  check_object(x, "chunked", "x")
  cat("Data in ", how_many(length(x$x), "chunk"), sep = "")
  if (!is.null(x$rows)) cat(":", how_many(sum(as.double(x$rows)), "row"))
  cat("\n")
  invisible(x)
}

# Chunks of data that a user gives to another function.
user_chunks <- function(x, call) with_call(as_chunks(x), call, replace = TRUE)

# ---- one pass over the chunks --------------------------------------------------------

# f(rows, item, ...) of each chunk, in the session or on daemons; take(value, k) gets the values in the order
# of the chunks. `item`: list(at, k, own), the element of `x`, its number, and the element of the list `own`.
# `form`: see chunk_form().
over_chunks <- function(chunks, f, ..., take, call, own = NULL, form = NULL) {
  items <- lapply(seq_along(chunks$x), function(k) list(at = chunks$x[[k]], k = k, own = own[[k]]))
  about <- list(read = chunks$read, levels = chunks$levels, form = form, count = length(items))
  bar <- progress_start("Reading chunks", length(items))
  with_call(work_on(items, on_chunk, about, f, ..., what = "Chunk {k}", call = call,
    take = function(value, k) {
      take(value, k)
      progress_step(bar)
    }
  ), call)
}

# Each chunk has random numbers of its own at each reading, and the session's stream stays.
on_chunk <- function(item, about, f, ...) {
  on_failure({
    rows <- checked_rows(keep_seed({
      set_seed(item$k)
      about$read(item$at)
    }), about)
    f(rows, item, ...)
  }, function(e) {
    kind <- if (inherits(e, "landmarker_error")) sub("landmarker_error_", "", class(e)[1]) else "chunks"
    abort_input(c(
      "Chunk {item$k} of {about$count} could not be used.",
      i = if (kind == "levels") "Declare all levels by {.arg levels} of {.fn chunked} or {.fn as_chunks}."
    ), arg = e$arg %||% "x", kind = kind, call = NULL, parent = e)
  })
}

# The rows that a reader has returned, with factors for declared levels.
checked_rows <- function(rows, about) {
  if (is.data.frame(rows) || length(about$levels)) {
    present <- if (is.data.frame(rows)) names(rows)
    check_has_columns(names(about$levels), present, "read(x)", NULL, "column that `levels` names")
    for (name in names(about$levels)) {
      v <- rows[[name]]
      rows[[name]] <- factor(as.character(v), about$levels[[name]])
      unknown <- v[is.na(rows[[name]]) & !is.na(v)]
      if (length(unknown)) {
        abort_input(c(
          "Column {.var {name}} must have only the levels that {.arg levels} declares.",
          x = "It has the value {.val {as.character(unknown[1])}}."
        ), arg = "levels", kind = "chunks", call = NULL)
      }
    }
  } else {
    rows <- check_data(rows, "read(x)", NULL, empty = TRUE)
  }
  same <- is.null(about$form) || identical(chunk_form(rows), about$form)
  rule <- paste(about$form$kind, "with the columns of the first chunk, in the same order")
  check_that(same, rows, "read(x)", rule, "chunks", NULL)
}

# What all chunks share. Data frames are compared by the names of the columns that are used, when they are
# used.
chunk_form <- function(rows) {
  if (is.data.frame(rows)) return(list(kind = "a data frame"))
  kind <- if (is.matrix(rows)) "a matrix" else "a sparse matrix"
  list(kind = kind, columns = ncol(rows), names = colnames(rows))
}

# Row numbers and numbers of rows as integers, unless there are more rows than these can count.
as_row_numbers <- function(v) {
  if (all(v <= .Machine$integer.max, na.rm = TRUE)) storage.mode(v) <- "integer"
  v
}

# The first chunk with rows.
first_chunk <- function(chunks, call) {
  about <- list(read = chunks$read, levels = chunks$levels, count = length(chunks$x))
  for (k in seq_along(chunks$x)) {
    item <- list(at = chunks$x[[k]], k = k)
    rows <- with_call(on_chunk(item, about, function(rows, item) rows), call)
    if (nrow(rows) > 0 && ncol(rows) > 0) return(rows)
  }
  abort_input("At least one chunk must have rows and columns.", arg = "x", kind = "data", call = call)
}

# Values of all chunks as one, by rows, with the `names` of all rows. An error if they need more memory than
# allowed.
join_values <- function(chunks, f, ..., call, names = NULL) {
  values <- vector("list", length(chunks$x))
  over_chunks(chunks, f, ..., call = call, take = function(value, k) {
    values[k] <<- list(value)
    check_memory(as.double(utils::object.size(values)) / 4, "The values of the first {k} chunk{?s} need",
      "Process the chunks one at a time with {.fn map_chunks}.", "newdata", call
    )
  })
  out <- bind_rows_of(values)
  if (length(names) == NROW(out) && !anyDuplicated(names)) out <- with_row_names(out, names)
  out
}

# Values for the rows of a chunk. Numbers of rows within a chunk are no names.
value_of_chunk <- function(value, rows) {
  if (is.null(row_names(rows))) with_row_names(value, NULL) else value
}

with_row_names <- function(x, names) {
  if (length(dim(x)) == 2) rownames(x) <- names else names(x) <- names
  x
}

# Vectors, factors, matrices or data frames, one below the other.
bind_rows_of <- function(values) {
  values <- Filter(Negate(is.null), values)
  if (length(values) <= 1) return(if (length(values)) values[[1]])
  do.call(if (length(dim(values[[1]])) == 2) rbind else c, values)
}

# An error where all rows must be in memory.
refuse_chunks <- function(x, arg, call) {
  check_that(!is_chunked(x), x, arg, "have all its rows in memory", "chunks", call,
    "Give some of the rows as a matrix or a data frame.", "It is read in chunks."
  )
}
