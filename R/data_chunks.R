# Data in chunks: rows that are read a part at a time, because they do not fit into memory.

#' Data in chunks
#'
#' `chunked()` describes data that are too large for memory: a function reads one chunk of the rows at a time.
#' The result takes the place of the data in [landmarks()], `predict()`, [nearest_observations()],
#' [reconstruction_error()], [add_landmarks()], [landmark_graph()], [sketch_rows()] and [codebook()].
#' `map_chunks()` runs a function of your own on each chunk, for example to write predictions.
#'
#' @details
#' [landmarks()] reads all chunks twice. The first pass computes means and variances, and draws a uniform
#' sample of rows without replacement. The landmarks are learned from this sample by any method, as from a
#' matrix. The second pass measures them over all rows: what they explain, the nearest rows, the share of the
#' variance between them. The order of the landmarks and the graph through the data come from the sample.
#' Where the sample has all rows, one pass is enough. The default method reads less than 100,000 rows of
#' data in memory too, however many there are, so little is lost; a method that uses all rows
#' ([by_active()], [by_dpp()], [by_kmeans()]) learns from the sample alone. [add_landmarks()] and
#' [refine_landmarks()] do the same. [landmark_graph()], [sketch_rows()] and variances of `predict(x = )` read
#' the chunks once, for a sample. `predict()`, [nearest_observations()] and [reconstruction_error()] read the
#' chunks once and use all rows.
#'
#' Chunks must have the same columns. They must not change: the second pass compares the number of rows and a
#' few values with those of the first. A reader that draws random numbers gets others for each chunk, and the
#' same at each reading. Missing values are errors that name the chunk, its row and the column;
#' leave out such rows in `read`.
#'
#' Make chunks of 10 to 200 MB. One chunk is in memory at a time, beside the sample.
#'
#' @section Columns and formulas:
#' Chunks of data frames are used as [landmarks()] uses a data frame, and `landmarks(y ~ ., chunks, n,
#' by_response())` takes the response from a column. Strings and factors need the same levels in all chunks:
#' declare them by `levels`. Weights are a column as well, `landmarks(~ a + b, chunks, n, weights = w)`, or
#' `weights = ~ w` where there is no formula; with `rows` they may be a vector. A formula is computed in each
#' chunk by itself. Functions such as `poly()` and `scale()` learn from the first chunk; those whose values
#' depend on other rows, such as `rank()`, are an error.
#'
#' @section Several processes:
#' Where the user has set daemons of package \pkg{mirai}, for example by `mirai::daemons(2)`, these read and
#' compute the chunks. They may be on other machines. The result has the same bits with any number of daemons.
#' Each daemon reads its chunks itself: `read` must open its own connection, and must not use objects of the
#' session's global environment, which the daemons do not have. An interrupt cancels the tasks and leaves the
#' daemons usable.
#'
#' @param x A vector or list with an element for each chunk: paths of files, ranges of a key, or the numbers
#'   1, 2, ... of the chunks.
#' @param read A function of one element of `x` that returns its rows: a data frame, a numeric matrix, or a
#'   sparse matrix.
#' @param levels A named list with the levels of columns that are strings or factors, such as
#'   `list(species = c("a", "b"))`. A name that is no column, and a value that is none of the levels, are
#'   errors. NULL, the default, for chunks of numbers, or of factors that have the same levels in all chunks.
#' @param rows The number of rows of each chunk, or NULL (the default) where they are not known.
#' @param sample The number of rows from which landmarks are learned, a whole number of at least 1. NULL, the
#'   default, is 200,000, or fewer where these would take more than a sixteenth of
#'   `getOption("landmarker.memory")`. All rows are used where there are not more.
#' @param chunks Data in chunks: the result of `chunked()`, or what [as_chunks()] takes.
#' @param f A function(rows, k) of the rows of chunk number k.
#' @param reduce A function(a, b) that combines the values of f for two chunks. They are combined in the order
#'   of the chunks. NULL, the default, returns a list of all values.
#' @return `chunked()`: an object of class `chunked`, a plain list. `map_chunks()`: a list with the value of
#'   `f` for each chunk, or what `reduce` made of these.
#' @section Errors:
#' A chunk that cannot be read, that has changed, or that has other columns is an error of class
#' `landmarker_error_chunks`, which names the chunk and has the original error as its parent. A daemon that
#' stops is an error of class `landmarker_error_daemon`.
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
#' # A loop of your own: a file of features for each chunk
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
  if (!(is.atomic(x) || is.list(x)) || is.null(x) || is.data.frame(x) || !is.null(dim(x)) || length(x) == 0) {
    abort_input(c(
      "{.arg x} must be a vector or a list with an element for each chunk.", x = "It is {describe(x)}.",
      i = if (length(dim(x)) == 2) "Data in memory are given to {.fn landmarks} as they are."
    ), arg = "x")
  }
  if (!is.function(read)) {
    abort_input(c("{.arg read} must be a function of an element of {.arg x}.", x = "It is {describe(read)}."),
      arg = "read"
    )
  }
  if (!is.null(levels) && !are_declared_levels(levels)) {
    abort_input(c(
      "{.arg levels} must be a named list of strings, such as {.code list(species = c(\"a\", \"b\"))}.",
      x = "It is {describe(levels)}."
    ), arg = "levels", kind = "levels")
  }
  if (!is.null(rows) && !are_counts(rows, length(x))) {
    abort_input(c(
      "{.arg rows} must be the numbers of rows of the {length(x)} chunk{?s}, or NULL.",
      x = "It is {describe(rows)}."
    ), arg = "rows", kind = "chunks")
  }
  new_chunked(as.list(x), read, levels, rows, sample)
}

new_chunked <- function(x, read, levels = NULL, rows = NULL, sample = NULL, call = rlang::caller_env()) {
  if (!is.null(sample)) sample <- check_count(sample, "sample", call = call)
  structure(
    list(x = x, read = read, levels = levels, rows = if (!is.null(rows)) as.integer(rows), sample = sample),
    class = "chunked"
  )
}

are_declared_levels <- function(v) {
  is.list(v) && !is.data.frame(v) && is_text(names(v), length(v)) && all(nzchar(names(v))) &&
    !anyDuplicated(names(v)) &&
    all(vapply(v, function(l) is_text(l) && length(l) > 0 && !anyDuplicated(l), NA))
}

are_counts <- function(v, n) {
  is_numbers(v) && length(v) == n && !anyNA(v) && all(v >= 0 & v == trunc(v) & v <= .Machine$integer.max)
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
  if (!is.function(f)) {
    abort_input(c("{.arg f} must be a function(rows, k).", x = "It is {describe(f)}."), arg = "f")
  }
  check_takes(f, 2, "f", "function(rows, k)", call)
  if (!is.null(reduce)) {
    if (!is.function(reduce)) {
      abort_input(c("{.arg reduce} must be a function(a, b) or NULL.", x = "It is {describe(reduce)}."),
        arg = "reduce"
      )
    }
    check_takes(reduce, 2, "reduce", "function(a, b)", call)
  }
  values <- list()
  over_chunks(chunks, function(rows, item, f) f(rows, item$k), f, call = call, take = function(value, k) {
    values <<- c(values, list(value))
    if (!is.null(reduce) && length(values) == 2) values <<- list(reduce(values[[1]], values[[2]]))
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
# of the chunks. `item`: list(at, k), the element of `x` and its number, and `own`, the element of the list
# `own`. `form`: see chunk_form(). `marks`: of each chunk what it had in an earlier pass, see chunk_mark().
over_chunks <- function(chunks, f, ..., take, call, own = NULL, form = NULL, marks = NULL) {
  items <- lapply(seq_along(chunks$x), function(k) {
    list(at = chunks$x[[k]], k = k, own = own[[k]], mark = marks[k])
  })
  about <- about_chunks(chunks, form)
  bar <- progress_start("Reading chunks", length(items))
  with_call(work_on(items, on_chunk, about, f, ..., what = "Chunk", call = call, take = function(value, k) {
    take(value, k)
    progress_step(bar)
  }), call)
}

# What is needed to read any of the chunks.
about_chunks <- function(chunks, form = NULL) {
  list(
    read = chunks$read, levels = chunks$levels, form = form, count = length(chunks$x), generator = RNGkind()
  )
}

on_chunk <- function(item, about, f, ...) {
  rows <- read_chunk(item, about)
  on_failure(f(rows, item, ...), function(e) {
    if (inherits(e, "landmarker_error_chunks")) rlang::cnd_signal(e)
    kind <- if (inherits(e, "landmarker_error")) sub("landmarker_error_", "", class(e)[1]) else "chunks"
    abort_input(c(
      "{chunk_words(item, about)} could not be used.",
      i = if (kind == "levels") "Declare the levels of all chunks: {.code chunked(levels = )}."
    ), arg = e$arg %||% "x", kind = kind, call = NULL, parent = e)
  })
}

# The rows of a chunk, checked.
read_chunk <- function(item, about) {
  rows <- keep_seed({
    # A reader that draws random numbers gets others for each chunk, and the same at each reading. Daemons
    # have another generator than the session.
    set_seed(item$k)
    do.call(RNGkind, as.list(about$generator))
    call_reader(item, about)
  })
  flaw <- chunk_flaw(rows, item, about)
  if (!is.null(flaw)) {
    abort_input(c(flaw[[1]], x = "{chunk_words(item, about)} breaks this: {flaw[[2]]}."),
      arg = "x", kind = "chunks", call = NULL
    )
  }
  rows
}

# What the user's reader returns. The error shows the last warning before it, which may name a missing file.
call_reader <- function(item, about) {
  warned <- NULL
  read <- function() {
    rows <- about$read(item$at)
    if (is.data.frame(rows) || !is.null(about$levels)) return(with_levels(rows, about$levels))
    check_data(rows, "read(x)", NULL, empty = TRUE)
  }
  withCallingHandlers(
    on_failure(read(), function(e) {
      abort_input(c(
        "{chunk_words(item, about)} could not be read.", i = if (!is.null(warned)) "R warned: {warned}"
      ), arg = "x", kind = "chunks", call = NULL, parent = e)
    }),
    warning = function(w) warned <<- conditionMessage(w)
  )
}

# Columns with declared levels as factors.
with_levels <- function(rows, levels) {
  absent <- setdiff(names(levels), if (is.data.frame(rows)) names(rows))
  if (length(absent)) {
    abort_input(c(
      "{.arg levels} of {.fn chunked} must name columns of data frames.",
      x = if (is.data.frame(rows)) "There is no column {.field {absent[1]}}." else "It is {describe(rows)}."
    ), arg = "levels", kind = "levels", call = NULL)
  }
  for (name in names(levels)) {
    v <- as.character(rows[[name]])
    unknown <- v[!is.na(v) & !v %in% levels[[name]]]
    if (length(unknown)) {
      abort_input(c(
        "Column {.field {name}} must have the levels that {.fn chunked} declares.",
        x = "It has the value {.val {unknown[1]}}."
      ), arg = "levels", kind = "levels", call = NULL)
    }
    rows[[name]] <- factor(v, levels[[name]])
  }
  rows
}

# What all chunks share. Data frames are compared by the names of the columns that are used, when they are
# used.
chunk_form <- function(rows) {
  frame <- is.data.frame(rows)
  list(frame = frame, sparse = !frame && !is.matrix(rows), columns = if (!frame) ncol(rows),
    names = if (!frame) colnames(rows))
}

# A hash of the number of rows and of a few values.
chunk_mark <- function(rows) {
  some <- unique(round(seq(1, nrow(rows), length.out = min(3, nrow(rows)))))
  values <- if (is.data.frame(rows)) {
    lapply(unclass(rows), function(v) if (is.null(dim(v))) as.vector(v)[some])
  } else if (is.matrix(rows)) {
    unname(rows[some, ])
  } else {
    list(length(rows@x), utils::head(rows@x, 100))
  }
  rlang::hash(list(dim(rows), unname(values)))
}

# What is wrong with the rows of a chunk, as list(rule, finding), or NULL.
chunk_flaw <- function(rows, item, about) {
  if (length(item$mark) && item$mark != chunk_mark(rows)) {
    return(list(
      "The data must not change while they are used.", "its values are not those of the reading before"
    ))
  }
  if (is.null(about$form)) return(NULL)
  form <- chunk_form(rows)
  kinds <- c("a matrix", "a sparse matrix", "a data frame")
  kind <- function(form) kinds[1 + form$sparse + 2 * form$frame]
  if (kind(form) != kind(about$form)) {
    return(list("All chunks must be of one kind.",
      sprintf("it is %s, and the first is %s", kind(form), kind(about$form))
    ))
  }
  if (!identical(form$columns, about$form$columns)) {
    return(list(
      "All chunks must have the same number of columns.",
      sprintf("it has %d, not %d", form$columns, about$form$columns)
    ))
  }
  if (!identical(form$names, about$form$names)) {
    other <- if (length(form$names)) which(!form$names %in% about$form$names)
    return(list(
      "All chunks must have the same column names, in the same order.",
      if (length(other)) sprintf("its column %d is named %s", other[1], form$names[other[1]]) else
        "its names, or their order, are others"
    ))
  }
}

chunk_words <- function(item, about) sprintf("Chunk %d of %d", item$k, about$count)

# Row numbers and numbers of rows as integers, unless there are more rows than these can count.
as_row_numbers <- function(v) {
  if (all(v <= .Machine$integer.max, na.rm = TRUE)) storage.mode(v) <- "integer"
  v
}

# The first chunk that has several rows, else one with a row.
first_chunk <- function(chunks, call) {
  about <- about_chunks(chunks)
  first <- NULL
  for (k in seq_along(chunks$x)) {
    rows <- with_call(read_chunk(list(at = chunks$x[[k]], k = k), about), call)
    if (nrow(rows) > 1 && ncol(rows) > 0) return(rows)
    if (is.null(first) && nrow(rows) > 0 && ncol(rows) > 0) first <- rows
  }
  if (!is.null(first)) return(first)
  abort_input(c("The chunks must have rows and columns.", x = "All are empty."),
    arg = "x", kind = "data", call = call
  )
}

# Values of all chunks as one, by rows, with the `names` of all rows. An error where they need more memory
# than allowed. f() returns list(value, rows), with the rows of the chunk.
join_values <- function(chunks, f, ..., call, names = NULL) {
  values <- numbers <- labels <- vector("list", length(chunks$x))
  bytes <- before <- 0
  over_chunks(chunks, f, ..., call = call, take = function(found, k) {
    bytes <<- bytes + as.double(utils::object.size(found$value))
    if (2 * bytes > memory_limit(call)) {
      check_memory(2 * bytes * length(values) / k, "The values of all chunks need",
        "Write them chunk by chunk, by {.fn map_chunks}.", "newdata", call
      )
    }
    values[k] <<- list(found$value)
    numbers[k] <<- list(found$numbers + before)
    labels[k] <<- list(found$labels)
    before <<- before + found$rows
  })
  out <- bind_rows_of(values)
  # Only chunks with missing values have named values of a vector.
  if (is.null(dim(out)) && any(names(out) == "")) names(out) <- unlist(labels)
  # Rows without names are named by their numbers among all rows, where some are left out.
  if (NROW(out) < before) {
    numbers <- unlist(numbers)
    if (length(numbers) == NROW(out)) {
      names <- if (is.null(names)) as_row_numbers(numbers) else names[numbers]
    }
  }
  if (is.null(names) || (is.data.frame(out) && anyDuplicated(names))) return(out)
  if (length(dim(out)) == 2) rownames(out) <- names else names(out) <- names
  out
}

# What f() of join_values() returns, with the numbers of rows without names and the names of others. `value`
# may have left out some rows.
value_of_chunk <- function(value, rows) {
  left <- if (is.null(dim(value))) names(value) else rownames(value)
  numbers <- if (is.null(row_names(rows))) {
    if (NROW(value) < nrow(rows)) as.numeric(left) else seq_len(nrow(rows))
  }
  labels <- if (NROW(value) < nrow(rows)) left else row_names(rows)
  list(value = value, rows = nrow(rows), numbers = numbers, labels = labels)
}

# Vectors, factors, matrices or data frames, one below the other.
bind_rows_of <- function(values) {
  values <- Filter(Negate(is.null), values)
  if (length(values) <= 1) return(if (length(values)) values[[1]])
  do.call(if (length(dim(values[[1]])) == 2) rbind else c, values)
}

# ---- checks --------------------------------------------------------------------------

# An error where all rows must be in memory.
refuse_chunks <- function(x, arg, call) {
  if (!is_chunked(x)) return(invisible())
  abort_input(c(
    "{.arg {arg}} must have all its rows in memory.", x = "It is read in chunks.",
    i = "Give some of the rows as a matrix or a data frame."
  ), arg = arg, kind = "chunks", call = call)
}
