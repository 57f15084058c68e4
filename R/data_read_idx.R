# The idx format, in which MNIST and many small image collections are given.
# The header may be wrong: bytes are read in pieces, and memory of the announced size is allocated only after
# that many bytes have been read.

#' Reader of idx files
#'
#' `read_idx()` reads a file in the idx format of the MNIST digits, plain or compressed by
#' gzip. The file consists of two zero bytes, one
#' byte for the type of the values, one byte for the number of dimensions \eqn{k},
#' \eqn{k} sizes of four bytes each with the most significant byte first, and the
#' values, last dimension fastest. Source: the page of the MNIST database by
#' LeCun, Cortes and Burges, which defines the format.
#'
#' The first dimension counts observations. The other dimensions are
#' flattened in the order of the file. An image of 28 x 28 pixels
#' becomes 784 columns, row by row from the top:
#' `matrix(x[i, ], 28, 28, byrow = TRUE)` is image `i` again.
#'
#' The types are those that the format has: unsigned byte (0x08), signed byte
#' (0x09), two-byte integer (0x0B), four-byte integer (0x0C), float (0x0D) and
#' double (0x0E).
#'
#' @param file The path of one file, a string. Download a file from a URL first.
#'
#' @return Where the file has one dimension, a vector with one value an
#'   observation. Otherwise a matrix with one observation a row and as many
#'   columns as one observation has values, without dimnames. Values are
#'   integers, or doubles where the file holds floats or doubles. Where the file
#'   has three dimensions or more, the attribute `"dim_item"` holds the
#'   dimensions of one observation as integers, such as `c(28, 28)` for rows and
#'   columns of an image; subsetting drops it.
#'
#' @section Errors:
#' All are of class `landmarker_error_idx` (and `landmarker_error_input`): `file`
#' is not one string, is not there or is a directory; the first bytes are not
#' those of an idx file; a size is zero, or the sizes multiply to more than
#' `.Machine$integer.max` values; the file ends before or goes on after the
#' values that its header announces; compressed data are damaged; a four-byte
#' integer is -2^31, which R cannot hold as an integer. A header that announces
#' more than the file holds costs no memory. Values that need more memory than
#' there is are an error of class `landmarker_error_memory`, before they are read
#' (see [landmarker-options]).
#'
#' @examples
#' # Two images of 2 x 3 pixels, as an idx file has them.
#' file <- tempfile(fileext = ".idx")
#' header <- as.raw(c(0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 3))
#' writeBin(c(header, as.raw(1:12)), file)
#' x <- read_idx(file)
#' x
#' matrix(x[1, ], 2, 3, byrow = TRUE)
#' unlink(file)
#' @export
read_idx <- function(file) {
  check_given(file, "file")
  call <- rlang::current_env()
  name <- check_idx_path(file, call)
  # gzfile() reads plain files too, which it recognizes by their first bytes.
  # It reports damaged data as a warning; see idx_bytes().
  con <- gzfile(file, "rb")
  on.exit(close(con))

  head <- idx_header(con, name, call)
  check_idx_size(file, head, name, call)
  bytes <- idx_body(con, name, head, call)
  values <- idx_values(bytes, name, head, call)
  rm(bytes)

  if (length(head$dim) == 1) return(values)
  out <- matrix(values, nrow = head$dim[1], byrow = TRUE)
  if (length(head$dim) > 2) attr(out, "dim_item") <- head$dim[-1]
  out
}

# Types by their code: bytes of one value, and its name for error messages.
idx_types <- data.frame(
  code = c(0x08L, 0x09L, 0x0BL, 0x0CL, 0x0DL, 0x0EL),
  size = c(1L, 1L, 2L, 4L, 4L, 8L),
  what = c("unsigned byte", "signed byte", "two-byte integer", "four-byte integer", "float", "double")
)

# Bytes read at once, the largest cost of a wrong header.
idx_chunk <- 2^22

check_idx_path <- function(file, call) {
  if (!is.character(file) || length(file) != 1 || is.na(file) || !nzchar(file)) {
    abort_input(c(
      "{.arg file} must be one string, the path of an idx file.",
      x = "It is {describe(file)}."
    ), arg = "file", kind = "idx", call = call)
  }
  if (!file.exists(file)) {
    url <- grepl("^[A-Za-z][A-Za-z+.-]+://", file)
    abort_input(c(
      "{.arg file} must be the path of an existing file.",
      x = "{if (url) 'It is a URL' else 'There is no file'}: {.val {file}}.",
      i = if (url) "Download it first, for example with {.fn utils::download.file}."
    ), arg = "file", kind = "idx", call = call)
  }
  if (dir.exists(file)) {
    abort_input(c(
      "{.arg file} must be the path of a file.",
      x = "{.val {basename(file)}} is a directory."
    ), arg = "file", kind = "idx", call = call)
  }
  # A pipe or a device has no size, and reading it could wait for ever.
  if (!isTRUE(file.size(file) > 0)) {
    abort_input(c(
      "{.arg file} must be the path of a regular file with content.",
      x = "{.val {basename(file)}} has no size: it is empty, a pipe or a device."
    ), arg = "file", kind = "idx", call = call)
  }
  basename(file)
}

# Up to `n` bytes, fewer only at the end of the file. A checksum that does not
# match is a warning in R and an error here, because the bytes are wrong.
idx_bytes <- function(con, n, name, call) {
  out <- on_failure(tryCatch(readBin(con, "raw", n), warning = identity), identity)
  if (inherits(out, "condition")) {
    abort_input(c(
      "{.val {name}} cannot be read: its compressed data are damaged.",
      x = "R reports: {conditionMessage(out)}."
    ), arg = "file", kind = "idx", call = call)
  }
  out
}

# Reads and checks the header: `dim` (integers),
# `size` and `what` of one value, `total` bytes of all values (a double).
idx_header <- function(con, name, call) {
  magic <- as.integer(idx_bytes(con, 4, name, call))
  known <- length(magic) == 4 && all(magic[1:2] == 0) && magic[3] %in% idx_types$code && magic[4] > 0
  if (!known) {
    found <- if (length(magic) > 0) paste(sprintf("0x%02X", magic), collapse = " ") else "no bytes at all"
    abort_input(c(
      "{.val {name}} is not an idx file.",
      i = paste0(
        "An idx file begins with two zero bytes, the type of its values (0x08, 0x09, or 0x0B to 0x0E), ",
        "and the number of its dimensions (1 or more)."
      ),
      x = "It begins with {found}."
    ), arg = "file", kind = "idx", call = call)
  }
  k <- magic[4]
  bytes <- idx_bytes(con, 4 * k, name, call)
  if (length(bytes) < 4 * k) {
    abort_input(c(
      "{.val {name}} is cut off in its header.",
      i = "The header of a file of {k} dimension{?s} has {4 + 4 * k} bytes.",
      x = "It has {4 + length(bytes)}."
    ), arg = "file", kind = "idx", call = call)
  }
  # Doubles, because a size above 2^31 - 1 must not turn negative or NA.
  dim <- colSums(matrix(as.double(as.integer(bytes)), nrow = 4) * 256^(3:0))
  shown <- paste(format(dim, scientific = FALSE, trim = TRUE), collapse = " x ")
  if (any(dim == 0)) {
    abort_input(c(
      "{.val {name}} holds no observations.",
      i = "Every size in the header must be at least 1.",
      x = "The header says {shown}."
    ), arg = "file", kind = "idx", call = call)
  }
  if (prod(dim) > .Machine$integer.max) {
    abort_input(c(
      "{.val {name}} announces more values than can be read.",
      i = "At most {(.Machine$integer.max)} are possible.",
      x = "The header says {shown}."
    ), arg = "file", kind = "idx", call = call)
  }
  type <- idx_types[match(magic[3], idx_types$code), ]
  list(
    dim = as.integer(dim), shown = shown,
    size = type$size, what = type$what, total = prod(dim) * type$size, bytes = 4 + 4 * k
  )
}

# All bytes after the header: exactly as many as it announces.
idx_body <- function(con, name, head, call) {
  chunks <- list()
  left <- head$total
  while (left > 0) {
    chunk <- idx_bytes(con, min(idx_chunk, left), name, call)
    if (length(chunk) == 0) break
    chunks[[length(chunks) + 1L]] <- chunk
    left <- left - length(chunk)
  }
  if (left > 0) abort_idx_size("{.val {name}} is cut off.", head$total - left, head, name, call)
  # This read also makes R compare the checksum at the end of a compressed file.
  if (length(idx_bytes(con, 1, name, call)) > 0) {
    abort_idx_size("{.val {name}} is longer than its header says.", NULL, head, name, call)
  }
  do.call(c, chunks)
}

# Before the values are read: a plain file shows whether it is too short, and deflate compresses a thousand
# bytes to one at best. So a compressed file that is too short for its header takes no more than it holds.
check_idx_size <- function(file, head, name, call) {
  size <- file.size(file)
  begins <- readBin(file, "raw", 2)
  found <- size - head$bytes
  if (all(begins == 0) && found < head$total) {
    abort_idx_size("{.val {name}} is cut off.", found, head, name, call)
  }
  gzip <- identical(begins, as.raw(c(0x1f, 0x8b)))
  check_idx_memory(head, if (gzip) min(1, 1032 * size / head$total) else 1, name, call)
}

# `found`: how many bytes the file has after its header, NULL for more than it should have.
abort_idx_size <- function(message, found, head, name, call) {
  expected <- format(head$total, scientific = FALSE)
  abort_input(c(
    message,
    i = "Its header says {head$shown} values of type {head$what}: {expected} bytes after the header.",
    x = if (is.null(found)) "It has more." else "It has {format(found, scientific = FALSE)}."
  ), arg = "file", kind = "idx", call = call)
}

idx_values <- function(bytes, name, head, call) {
  if (head$what == "unsigned byte") return(as.integer(bytes))
  n <- prod(head$dim)
  what <- if (head$what %in% c("float", "double")) "double" else "integer"
  values <- readBin(bytes, what, n, size = head$size, endian = "big")
  if (what == "integer" && anyNA(values)) {
    abort_input(c(
      "{.val {name}} holds a value that R cannot hold as an integer.",
      x = "Value {which(is.na(values))[1]} of {n} is -2^31."
    ), arg = "file", kind = "idx", call = call)
  }
  values
}

# The bytes of the file and their copy, then the values and theirs. `share`: of the values that are announced,
# the most that the file can hold.
check_idx_memory <- function(head, share, name, call) {
  values <- share * prod(head$dim)
  each <- if (head$what %in% c("float", "double")) 8 else 4
  check_work((values * max(2 * head$size + each, 2 * each)) / 8,
    "The {head$shown} values that the header of {.val {name}} announces need",
    "If this is more than the file should have, its header is wrong: get the file again.", "file", call
  )
}
