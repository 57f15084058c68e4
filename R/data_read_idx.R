# The idx format, in which MNIST and many small image collections are given.

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
#' integer is -2^31, which R cannot hold as an integer. Values that need more
#' memory than allowed are an error of class `landmarker_error_memory`, before
#' they are read (see [landmarker-options]).
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
  if (!is_path(file) || !file.exists(file) || dir.exists(file)) {
    abort_input(c(
      "{.arg file} must be the path of a file.", x = "It is {describe(file)}.",
      i = if (is_path(file) && grepl("://", file, fixed = TRUE)) "Download the file first."
    ), arg = "file", kind = "idx", call = call)
  }
  fail <- function(found) {
    abort_input(c("{.arg file} must be an idx file.", x = paste0("{.val {basename(file)}} ", found)),
      arg = "file", kind = "idx", call = call
    )
  }
  # A pipe or a device has no size, and reading it could wait for ever.
  if (!isTRUE(file.size(file) > 0)) fail("is empty, a pipe or a device.")
  # gzfile() reads plain files too. It reports damaged data by a warning.
  con <- gzfile(file, "rb")
  on.exit(close(con))
  read <- function(bytes) {
    on_failure(
      tryCatch(readBin(con, "raw", bytes), warning = function(w) stop(conditionMessage(w))),
      function(e) fail("has damaged compressed data.")
    )
  }
  start <- as.integer(read(4))
  type <- idx_types[idx_types$code %in% start[3], ]
  if (length(start) < 4 || any(start[1:2] != 0) || nrow(type) == 0 || start[4] == 0) {
    fail("does not begin with two zeros, the type of its values and the number of its dimensions.")
  }
  sizes <- as.double(as.integer(read(4 * start[4])))
  if (length(sizes) < 4 * start[4]) fail("is cut off in its header.")
  dim <- colSums(matrix(sizes, 4) * 256^(3:0))
  count <- prod(dim)
  shown <- paste(format(dim, scientific = FALSE, trim = TRUE), collapse = " x ")
  if (count == 0 || count > .Machine$integer.max) {
    fail("has {shown} values, which are none, or more than R can read.")
  }
  # Deflate compresses a thousand bytes to one at best.
  too_few <- "has fewer than the {shown} values that its header says."
  if (count * type$size > 1032 * file.size(file)) fail(too_few)
  # The bytes, the values, and their transpose.
  each <- if (type$what == "integer") 4 else 8
  check_work(count * (type$size + 2 * each) / 8, "The {shown} values of {.val {basename(file)}} need",
    "If this is more than the file should have, its header is wrong: get the file again.", "file", call
  )
  bytes <- read(count * type$size)
  if (length(bytes) < count * type$size) fail(too_few)
  # This read also makes R compare the checksum at the end of a compressed file.
  if (length(read(1))) fail("has more than the {shown} values that its header says.")
  values <- if (type$code == 8) {
    as.integer(bytes)
  } else {
    readBin(bytes, type$what, count, type$size, endian = "big")
  }
  if (is.integer(values) && anyNA(values)) fail("has the value -2^31, which is no integer of R.")
  if (length(dim) == 1) return(values)
  out <- matrix(values, dim[1], byrow = TRUE)
  if (length(dim) > 2) attr(out, "dim_item") <- as.integer(dim[-1])
  out
}

# Types by their code, the bytes of a value, and R's type.
idx_types <- data.frame(
  code = c(8, 9, 11, 12, 13, 14), size = c(1L, 1L, 2L, 4L, 4L, 8L),
  what = rep(c("integer", "double"), c(4, 2))
)
