# Kinds of data that are not in memory.

# Whether data of a user are read in chunks.
is_chunked <- function(x) {
  inherits(x, "chunked") || (isS4(x) && (methods::is(x, "DelayedMatrix") || is_big_matrix(x)))
}

is_big_matrix <- function(x) isS4(x) && inherits(x, "big.matrix")

# The lines to write where a user gives a path or a connection for the data, or NULL.
chunk_remedy <- function(x) {
  if (inherits(x, "DBIConnection")) {
    return(c(i = "Read a table by ranges of a key: {.code x <- chunked(ranges, read)}, and give {.code x}."))
  }
  path <- if (inherits(x, "connection")) summary(x)$description else if (rlang::is_string(x)) x
  if (is.null(path)) return(NULL)
  if (dir.exists(path)) {
    return(c(i = "A folder of files: {.code x <- chunked(list.files(path, full.names = TRUE), read)}."))
  }
  if (!grepl("[.](csv|tsv|txt)$", path, ignore.case = TRUE)) {
    return(c(i = "Read it first, or in chunks, see {.fn chunked} and {.code vignette(\"scale\")}."))
  }
  # Braces are code for cli.
  path <- gsub("([{}])", "\\1\\1", path)
  c(
    i = paste0(
      "Read a CSV file in chunks: {.code x <- as_chunks(\"", path, "\")}, and give {.code x}."
    ),
    i = "A file that fits into memory is read first, for example by {.fn read.csv}."
  )
}
