# Data sets of the package, and the format that MNIST and many small image collections have.

#' Handwritten digits
#'
#' 3,000 images of handwritten digits, 300 of each class: a balanced random
#' sample, in random order, of the 60,000 training images of the MNIST database.
#' They are for examples that run in seconds. MNIST's test images are left out, so that results are not
#' comparable with published ones.
#'
#' @format A list of two:
#' \describe{
#'   \item{images}{Integer matrix, 3,000 x 784: one image of 28 x 28 pixels a
#'     row, from 0 (background) to 255 (ink). Pixels go row by row from the top
#'     left, and columns are named by row and column of the pixel, from `r01c01`
#'     to `r28c28`: `matrix(digits$images[i, ], 28, 28, byrow = TRUE)` is image `i`
#'     the right way up.}
#'   \item{labels}{Factor of length 3,000 with levels `"0"` to `"9"`: the digit
#'     of each image.}
#' }
#'
#' @details
#' Made by `data-raw/digits.R` in the sources of the package: the files
#' `train-images-idx3-ubyte.gz` and `train-labels-idx1-ubyte.gz` are read by
#' [read_idx()], 300 images of each class drawn without replacement, and the
#' draws shuffled. Pixels are unchanged.
#'
#' @section Licence:
#' MNIST was made by Yann LeCun, Corinna Cortes and Christopher J. C. Burges and
#' is available under the terms of the Creative Commons
#' Attribution-ShareAlike 3.0 licence
#' (<https://creativecommons.org/licenses/by-sa/3.0/>). This sample is an
#' adaptation of it and is under the same licence, unlike the rest of the
#' package; see `system.file("COPYRIGHTS", package = "landmarker")`.
#'
#' @source The MNIST database of handwritten digits, by Yann LeCun, Corinna
#'   Cortes and Christopher J. C. Burges. Described in LeCun, Y., Bottou, L.,
#'   Bengio, Y. and Haffner, P. (1998). Gradient-based learning applied to
#'   document recognition. *Proceedings of the IEEE*, 86(11), 2278-2324.
#'
#' @examples
#' table(digits$labels)
#' first <- matrix(digits$images[1, ], 28, 28, byrow = TRUE)
#' # image() draws columns upwards, so the rows are reversed.
#' image(t(first[28:1, ]), col = gray.colors(256, 1, 0), asp = 1, axes = FALSE)
#' digits$labels[1]
"digits"

#' Posts of 20 Newsgroups
#'
#' Counts of 1,545 words in 5,652 posts to 20 newsgroups of Usenet, as a sparse matrix. Use them as
#' example texts for [hellinger()]
#' and [landmarks()]. The vocabulary has the size that Liang and Paisley (2015) use.
#'
#' @format A sparse matrix of class `dgCMatrix` of package Matrix, 5,652 x 1,545,
#'   with 262,556 entries that are not 0: how often each word occurs in the body
#'   and subject of each post, from 1 to 777.
#'
#'   Rows are posts, named by group and number, such as `rec.autos/102994`:
#'   `sub("/.*", "", rownames(newsgroups))` returns the groups. These are every second one of the
#'   training posts of the "by date" version, sorted by group. Every row has at least one word.
#'
#'   Columns are words, with the words as their names, those first that are most frequent in all posts.
#'
#' @details Made by `data-raw/newsgroups.R` in the sources of the package from the 18,846 posts of the "by
#' date" version, which has a post to several groups once. Its test posts and the other training posts are
#' left out here, to keep the package small; all are in `data-raw/newsgroups_all.rda` of the sources. Words
#' are runs of 3 to 20 letters of body and subject, in lower case. These are the 1,545 most frequent words,
#' without stop words ("the", "about"), that occur in at least 50 posts and in at most a third of them. The
#' first bound leaves out encoded binary files and names that a few posts repeat. The second leaves out
#' "writes" and "article", which news readers put over quotations. Posts that have none of these words are
#' left out.
#'
#' Quotations, signatures and names of authors are included, so "john"
#' and "david" are words. Some posts of `comp.os.ms-windows.misc`, 9980 to 9990, hold
#' an encoded program and consist almost only of the word "max".
#'
#' @section Licence:
#' 20 Newsgroups was collected by Ken Lang. The UCI Machine Learning Repository
#' lists it under the Creative Commons Attribution 4.0 International licence
#' (<https://creativecommons.org/licenses/by/4.0/>). These counts are an adaptation
#' of it and are under the same licence, unlike the code of the package; see
#' `system.file("COPYRIGHTS", package = "landmarker")`.
#'
#' @source 20 Newsgroups, version "by date". Described in Lang, K. (1995).
#'   NewsWeeder: Learning to filter netnews. *Proceedings of the 12th International
#'   Conference on Machine Learning*, 331-339. The size of the vocabulary is that of
#'   Liang, D. and Paisley, J. (2015). Landmarking manifolds with Gaussian processes.
#'   *Proceedings of the 32nd International Conference on Machine Learning*, PMLR
#'   37, 466-474.
#'
#' @examples
#' dim(newsgroups)
#' newsgroups[1:3, 1:5]
#'
#' group <- sub("/.*", "", rownames(newsgroups))
#' table(group)
#'
#' # The words of some posts.
#' post <- newsgroups["rec.autos/102994", ]
#' head(sort(post[post > 0], decreasing = TRUE), 8)
"newsgroups"

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
  is_file <- is_path(file) && file.exists(file) && !dir.exists(file)
  check_that(is_file, file, "file", "the path of a file", "idx", call)
  fail <- function(found) {
    abort_input(c("{.arg file} must be an idx file.", x = "{.val {basename(file)}} {found}."),
      arg = "file", kind = "idx", call = call
    )
  }
  if (!isTRUE(file.size(file) > 0)) fail("is empty, a pipe or a device")
  # gzfile() reads plain files too. It reports damaged data by a warning.
  con <- gzfile(file, "rb")
  on.exit(close(con))
  read <- function(...) {
    tryCatch(readBin(con, ..., endian = "big"), warning = function(w) fail("has damaged compressed data"))
  }
  start <- as.integer(read("raw", 4))
  type <- idx_types[idx_types$code %in% start[3], ]
  if (length(start) < 4 || any(start[1:2] != 0) || nrow(type) == 0 || start[4] == 0) {
    fail("does not begin with two zeros, the type of its values and the number of its dimensions")
  }
  dim <- read("integer", start[4])
  count <- prod(as.double(dim))
  # Deflate compresses a thousand bytes to one at best.
  most <- min(1032 * file.size(file) / type$size, .Machine$integer.max)
  if (length(dim) < start[4] || !all(dim > 0) || count > most) {
    fail("has a header whose sizes are cut off, or 0, or more than the file has or R can read")
  }
  check_work(2 * count, "The {count} values of {.val {basename(file)}} need",
    "If this is more than the file should have, its header is wrong: get the file again.", "file", call
  )
  values <- read(type$what, count, type$size, signed = type$code != 8)
  # The last read also makes R compare the checksum at the end of a compressed file.
  if (length(values) < count || length(read("raw", 1)) || (is.integer(values) && anyNA(values))) {
    fail("does not have the values that its header says, or has -2^31, which is no integer of R")
  }
  if (length(dim) == 1) return(values)
  out <- matrix(values, dim[1], byrow = TRUE)
  if (length(dim) > 2) attr(out, "dim_item") <- dim[-1]
  out
}

# Types by their code, the bytes of a value, and R's type.
idx_types <- data.frame(
  code = c(8, 9, 11, 12, 13, 14), size = c(1L, 1L, 2L, 4L, 4L, 8L),
  what = rep(c("integer", "double"), c(4, 2))
)
