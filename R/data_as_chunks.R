# Chunks of on-disk matrices and CSV files, which need no reader from the user.

#' Chunks of CSV files and on-disk matrices
#'
#' `as_chunks()` converts data that are not in memory to the chunks described in [chunked()]:
#' * the path of one or several CSV files. Each file is split by byte ranges, so that it need not be read to
#'   count its rows.
#' * a DelayedMatrix (package \pkg{DelayedArray}: HDF5, sparse HDF5 of 10x Genomics, TileDB and others).
#'   Chunks follow the chunks of the file and have at most `DelayedArray::getAutoBlockSize()` bytes.
#' * a `big.matrix` (package \pkg{bigmemory}).
#'
#' [landmarks()], `predict()` and the other functions accept a DelayedMatrix or a `big.matrix` directly. If
#' observations are in columns, as in a genes x cells matrix, pass `t(x)`; this copies no data.
#'
#' CSV chunks are read by [utils::read.csv()]. Columns with declared `levels`, or with strings in the first
#' 1,000 rows, are read as strings. Several files must have the same columns, in any order, and fields must
#' not contain line breaks. `read.csv()` is slow: convert files that are read often to Parquet, see
#' `vignette("scale")`.
#'
#' @param x Paths of CSV files, a DelayedMatrix or a `big.matrix`.
#' @param ... For CSV files: further arguments of [utils::read.csv()], such as `sep = ";"`, `dec = ","` or
#'   `na.strings`. Otherwise not used; an argument here is an error.
#' @param bytes Size of a chunk of a CSV file in bytes, at least 1,000. Default 5e7.
#' @inheritParams chunked
#' @return An object of class `chunked`.
#' @seealso [chunked()] for other files and for databases.
#' @examples
#' file <- tempfile(fileext = ".csv")
#' write.csv(iris, file, row.names = FALSE)
#' x <- as_chunks(file, bytes = 2000, levels = list(Species = levels(iris$Species)))
#' x
#' fit <- landmarks(Species ~ ., x, 6, by_class(), scale = TRUE)
#' table(iris$Species[fit$nearest])
#' @name as_chunks
NULL

#' @export
as_chunks.default <- function(x, ...) {
  # The argument is `x` or that of another function, such as map_chunks(chunks).
  rule <- "Chunks must be a result of {.fn chunked}, paths of CSV files, a DelayedMatrix or a big.matrix."
  abort_input(c(rule, x = "What was given is {describe(x)}."), arg = "x", kind = "chunks")
}

#' @export
as_chunks.chunked <- function(x, ...) {
  check_dots(...)
  check_object(x, "chunked", "x")
  x
}

#' @rdname as_chunks
#' @export
as_chunks.character <- function(x, ..., bytes = 5e7, levels = NULL, sample = NULL) {
  bytes <- floor(check_number(bytes, "bytes", 1000, 2^31 - 1, closed = TRUE))
  call <- rlang::current_env()
  is_file <- file.exists(x) & !dir.exists(x)
  if (length(x) == 0 || !all(is_file)) {
    abort_csv(if (length(x)) "{.path {x[!is_file][1]}} is not a file." else "No path was given.", call)
  }
  x <- normalizePath(x)
  control <- list(...)
  # The reader sets these itself.
  own <- c(
    "file", "text", "header", "nrows", "skip", "row.names", "col.names", "colClasses", "check.names", "fill"
  )
  bad <- setdiff(rlang::names2(control), setdiff(names(formals(utils::read.table)), own))
  if (length(bad)) {
    abort_input(c(
      if (nzchar(bad[1])) "{.arg {bad[1]}} cannot be used for CSV files.",
      if (!nzchar(bad[1])) "Further arguments must be given by name.",
      i = "The first line must have the column names; {.arg levels} names columns that are factors.",
      i = "For other files write a reader: {.code chunked(paths, read)}."
    ), arg = "...", kind = "dots")
  }
  read <- csv_reader(x, control, levels, call)
  ranges <- unlist(lapply(x, csv_ranges, bytes), recursive = FALSE)
  with_call(chunked(ranges, read, levels, sample = sample), call, replace = TRUE)
}

abort_csv <- function(found, call, remedy = NULL, .envir = parent.frame()) {
  rule <- "CSV files must exist and have the same column names, without duplicates."
  abort_input(c(rule, x = found, i = remedy),
    arg = "x", kind = "chunks", call = call, .envir = .envir
  )
}

# A reader of ranges of bytes of CSV files. Columns are those of the first file.
csv_reader <- function(paths, control, levels, call) {
  first <- read_csv_top(paths[1], 1000, control, call)
  names <- names(first)
  # Others are NA, and read.csv() finds out: numbers may be quoted, and missing in the first rows.
  types <- ifelse(vapply(first, is.character, NA) | names %in% names(levels), "character", NA)
  numbers <- names[vapply(first, is.numeric, NA) & is.na(types)]
  headers <- lapply(stats::setNames(nm = paths), function(path) {
    header <- names(read_csv_top(path, 1, control, call))
    twice <- header[anyDuplicated(header)]
    if (length(twice)) abort_csv("{.path {path}} has two columns named {.var {twice}}.", call)
    lacks <- setdiff(names, header)
    other <- c(lacks, setdiff(header, names))[1]
    if (!is.na(other)) {
      also <- if (length(lacks) == 0) " that the first file lacks"
      abort_csv("{.path {path}} has {if (length(lacks)) 'no' else 'a'} column {.var {other}}{also}.", call)
    }
    header
  })
  function(range) {
    con <- file(range$path, "rb")
    on.exit(close(con))
    seek(con, range$from)
    header <- headers[[range$path]]
    rows <- do.call(utils::read.csv, c(list(
      text = rawToChar(readBin(con, "raw", range$to - range$from)), header = FALSE, col.names = header,
      colClasses = types[match(header, names)], check.names = FALSE, fill = FALSE
    ), control))[names]
    # Doubles in all chunks, also if one has integers, or NA alone.
    rows[numbers] <- lapply(rows[numbers], function(v) if (is.character(v)) v else as.double(v))
    rows
  }
}

# The first rows of a CSV file.
read_csv_top <- function(path, rows, control, call) {
  refuse <- function(flaw) {
    abort_csv("{.path {path}} {flaw}.", call, "For other files write a reader: {.code chunked(paths, read)}.")
  }
  read <- function(...) {
    arguments <- c(list(..., check.names = FALSE, fill = FALSE), control)
    on_failure(do.call(utils::read.csv, arguments), function(e) {
      refuse(paste0("cannot be read by read.csv(): ", conditionMessage(e)))
    })
  }
  start <- readBin(path, "raw", 65536L)
  # Compressed files, Parquet and text of two bytes a letter have zeros in their first bytes.
  if (any(start == 0) || !any(start == 10)) refuse("has no lines of text that end in LF")
  first <- read(path, nrows = rows)
  # The first line is skipped when rows are read.
  line <- readLines(path, 1, warn = FALSE)
  header <- suppressWarnings(read(text = line, header = FALSE))
  if (ncol(header) != ncol(first)) refuse("does not begin with one line of column names")
  # The name that read.csv() gives to row names that write.csv() wrote.
  names(first)[names(first) == ""] <- "X"
  first
}

# The lines of a CSV file but the header in ranges of about so many bytes.
csv_ranges <- function(path, bytes) {
  con <- file(path, "rb")
  on.exit(close(con))
  # The first line that begins at a place or after it.
  line_from <- function(at) {
    seek(con, at)
    repeat {
      more <- readBin(con, "raw", 65536L)
      end <- match(as.raw(10L), more)
      if (!is.na(end) || length(more) == 0) return(at + if (is.na(end)) 0 else end)
      at <- at + length(more)
    }
  }
  size <- file.size(path)
  starts <- vapply(c(1, seq(0, size, by = bytes)[-1]) - 1, line_from, 0)
  starts <- unique(c(starts[starts < size], size))
  Map(function(from, to) list(path = path, from = from, to = to), starts[-length(starts)], starts[-1])
}

#' @rdname as_chunks
#' @export
as_chunks.DelayedMatrix <- function(x, ..., sample = NULL) {
  check_dots(...)
  call <- rlang::current_env()
  need_package("DelayedArray", paste0("A matrix of class ", class(x)[1]), call)
  numeric <- DelayedArray::type(x) %in% c("double", "integer", "logical")
  check_that(numeric, x, "x", "numeric", "data", found = "Its type is {.val {DelayedArray::type(x)}}.")
  check_some_rows(x, "x", call)
  sparse <- DelayedArray::is_sparse(x)
  last <- block_ends(nrow(x), delayed_rows(x, sparse))
  grid <- DelayedArray::ArbitraryArrayGrid(list(last, ncol(x)))
  names <- colnames(x)
  read <- function(k) {
    found <- DelayedArray::read_block(x, grid[[k]], as.sparse = sparse)
    if (sparse) found <- methods::as(found, "dgCMatrix")
    dimnames(found) <- list(NULL, names)
    found
  }
  new_chunked(as.list(seq_along(last)), read, rows = diff(c(0L, last)), sample = sample)
}

#' @rdname as_chunks
#' @export
as_chunks.big.matrix <- function(x, ..., sample = NULL) {
  check_dots(...)
  call <- rlang::current_env()
  need_package("bigmemory", "A big.matrix")
  # An object that was saved and read again has lost its memory. Functions of bigmemory would crash on it.
  rule <- "a big.matrix of this session: saving it invalidates its pointer"
  check_that(!bigmemory::is.nil(x@address), NULL, "x", rule, "data", call,
    "Attach its file by {.fn bigmemory::attach.big.matrix}.", NULL
  )
  check_some_rows(x, "x", call)
  last <- block_ends(nrow(x), chunk_size %/% (8 * ncol(x)))
  rows <- diff(c(0L, last))
  # Other processes attach shared memory by its description.
  shared <- if (bigmemory::is.shared(x)) bigmemory::describe(x)
  read <- function(ends) {
    if (bigmemory::is.nil(x@address)) x <- bigmemory::attach.big.matrix(shared)
    found <- x[seq(ends[1], ends[2]), , drop = FALSE]
    rownames(found) <- NULL
    found
  }
  new_chunked(Map(c, last - rows + 1L, last), read, rows = rows, sample = sample)
}

# Smaller chunks are read more quickly than large ones, because their memory is used again.
chunk_size <- 1.6e7

# The last rows of blocks of `size` rows.
block_ends <- function(rows, size) {
  size <- min(max(1, size), rows)
  as.integer(unique(c(seq(size, rows, by = size), rows)))
}

# How many rows to read at a time: whole chunks of the file, or an equal share of one that is too large.
delayed_rows <- function(x, sparse) {
  most <- DelayedArray::getAutoBlockSize()
  bytes <- 8 * ncol(x)
  if (sparse) {
    # The stored values of some rows, with their indices, which are copied once or twice.
    some <- unique(round(seq(1, nrow(x), length.out = 20)))
    stored <- length(methods::as(DelayedArray::extract_sparse_array(x, list(some, NULL)), "dgCMatrix")@x)
    bytes <- min(bytes, 8 + 36 * stored / length(some))
  }
  wanted <- min(chunk_size, most) / bytes
  chunk <- DelayedArray::chunkdim(x)[1]
  if (is.null(chunk) || chunk <= 1) return(floor(wanted))
  if (wanted >= chunk) return(chunk * (wanted %/% chunk))
  # A chunk is read as a whole. To read a part of it takes the time of all.
  if (chunk * bytes <= 2 * most) chunk else ceiling(chunk / ceiling(chunk * bytes / most))
}
