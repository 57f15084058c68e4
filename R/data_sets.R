# Data sets of the package, and the idx format of MNIST.

#' Handwritten digits
#'
#' A random sample of 3,000 images, 300 of each class, from the 60,000 training images of the MNIST database,
#' in random order. Results on it are not comparable with published results, which use MNIST's test images.
#'
#' @format A list with two elements:
#' \describe{
#'   \item{images}{Integer matrix, 3,000 x 784. Each row is an image of 28 x 28 pixels, from 0 (background) to
#'     255, stored row by row: `matrix(digits$images[i, ], 28, 28, byrow = TRUE)`. Columns are named `r01c01`
#'     to `r28c28` by pixel row and column.}
#'   \item{labels}{Factor of length 3,000 with levels `"0"` to `"9"`.}
#' }
#'
#' @details
#' Created by `data-raw/digits.R` in the package sources, from `train-images-idx3-ubyte.gz` and
#' `train-labels-idx1-ubyte.gz`, which were read by [read_idx()]. Pixels are unchanged.
#'
#' @section License:
#' MNIST was made by Yann LeCun, Corinna Cortes and Christopher J. C. Burges and is available under the
#' Creative Commons Attribution-ShareAlike 3.0 license (<https://creativecommons.org/licenses/by-sa/3.0/>).
#' This sample is an adaptation under the same license, which differs from that of the package; see
#' `system.file("COPYRIGHTS", package = "landmarker")`.
#'
#' @source The MNIST database of handwritten digits, described in LeCun, Y., Bottou, L., Bengio, Y. and
#'   Haffner, P. (1998). Gradient-based learning applied to document recognition. *Proceedings of the IEEE*,
#'   86(11), 2278-2324.
#'
#' @examples
#' table(digits$labels)
#' first <- matrix(digits$images[1, ], 28, 28, byrow = TRUE)
#' # image() draws from the bottom up
#' image(t(first[28:1, ]), col = gray.colors(256, 1, 0), asp = 1, axes = FALSE)
#' digits$labels[1]
"digits"

#' Posts of 20 Newsgroups
#'
#' Counts of 1,545 words in 5,652 posts to 20 Usenet newsgroups, a sparse document-term matrix. The size of
#' the vocabulary is that of Liang and Paisley (2015).
#'
#' @format A `dgCMatrix` of package Matrix, 5,652 x 1,545, with 262,556 nonzero entries. Each row counts the
#'   words in the body and subject of a post. Row names are group and number, such as `rec.autos/102994`;
#'   `sub("/.*", "", rownames(newsgroups))` gives the groups. Columns are named by the words, in decreasing
#'   order of frequency over all posts.
#'
#' @details Created by `data-raw/newsgroups.R` in the package sources from the "by date" version: every second
#' training post, sorted by group. Words are runs of 3 to 20 letters, in lower case. The vocabulary consists
#' of the 1,545 most frequent words in all 18,846 posts that are not stop words and occur in at least 50 posts
#' and at most a third of the posts. The lower bound removes encoded binary files; the upper bound removes
#' "writes" and "article", which newsreaders put before quotations. Posts without any of these words are
#' omitted.
#'
#' Quotations, signatures and author names are included, so "john" and "david" are words. Posts 9980 to 9990
#' of `comp.os.ms-windows.misc` include an encoded program and consist almost entirely of the word "max".
#'
#' @section License:
#' 20 Newsgroups was collected by Ken Lang. The UCI Machine Learning Repository lists it under the Creative
#' Commons Attribution 4.0 International license (<https://creativecommons.org/licenses/by/4.0/>). These
#' counts are an adaptation under the same license, which differs from that of the package; see
#' `system.file("COPYRIGHTS", package = "landmarker")`.
#'
#' @source 20 Newsgroups, version "by date". Described in Lang, K. (1995). NewsWeeder: Learning to filter
#'   netnews. *Proceedings of the 12th International Conference on Machine Learning*, 331-339.
#'
#' @references Liang, D. and Paisley, J. (2015). Landmarking manifolds with Gaussian processes. *Proceedings
#'   of the 32nd International Conference on Machine Learning*, PMLR 37, 466-474.
#'
#' @examples
#' dim(newsgroups)
#' newsgroups[1:3, 1:5]
#'
#' group <- sub("/.*", "", rownames(newsgroups))
#' table(group)
#'
#' # The most frequent words of a post
#' post <- newsgroups["rec.autos/102994", ]
#' head(sort(post[post > 0], decreasing = TRUE), 8)
"newsgroups"

#' Read files in the idx format
#'
#' `read_idx()` reads a file in the idx format of the MNIST digits, uncompressed or compressed by gzip. Such a
#' file consists of two zero bytes, the type of the values, the number of dimensions \eqn{k}, \eqn{k}
#' big-endian four-byte sizes, and the values, last dimension fastest. All types are supported: unsigned and
#' signed bytes, two- and four-byte integers, floats and doubles.
#'
#' The first dimension indexes observations. The others are flattened in file order: an image of 28 x 28
#' pixels becomes 784 columns, and `matrix(x[i, ], 28, 28, byrow = TRUE)` restores it.
#'
#' @param file Path of a local file.
#'
#' @return A vector if the file has one dimension, otherwise a matrix with one observation per row and no
#'   dimnames. Values are integer, or double for floats and doubles. For three or more dimensions, the
#'   attribute `"dim_item"` has the dimensions of an observation, such as `c(28, 28)`; subsetting drops it.
#'
#' @section Errors:
#' `landmarker_error_idx` if the file is missing, damaged or not an idx file, if a size is 0 or there are more
#' than `.Machine$integer.max` values, or if an integer is -2^31, which R cannot represent.
#'
#' @references LeCun, Y., Cortes, C. and Burges, C. J. C. The MNIST database of handwritten digits.
#'
#' @examples
#' # A file with two images of 2 x 3 pixels
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
  is_file <- rlang::is_string(file) && file.exists(file) && !dir.exists(file)
  check_that(is_file, file, "file", "the path of an existing file", "idx", call)
  fail <- function(found) {
    check_that(FALSE, file, "file", "an idx file", "idx", call, found = "{.val {basename(file)}} {found}.")
  }
  if (!isTRUE(file.size(file) > 0)) fail("is empty, a pipe or a device")
  # gzfile() reads plain files too. It reports damaged data by a warning.
  con <- gzfile(file, "rb")
  on.exit(close(con))
  read <- function(...) {
    tryCatch(readBin(con, ..., endian = "big"), warning = function(w) fail("has damaged compressed data"))
  }
  start <- as.integer(read("raw", 4))
  bytes <- idx_bytes[as.character(start[3])]
  if (length(start) < 4 || any(start[1:2] != 0) || is.na(bytes) || start[4] == 0) {
    fail("does not begin with the header of an idx file")
  }
  dim <- read("integer", start[4])
  count <- prod(as.double(dim))
  # Deflate compresses a thousand bytes to one at best.
  most <- min(1032 * file.size(file) / bytes, .Machine$integer.max)
  if (length(dim) < start[4] || !all(dim > 0) || count > most) {
    fail("has dimensions in its header that are missing, 0 or too large")
  }
  values <- read(if (start[3] < 13) "integer" else "double", count, bytes, signed = start[3] != 8)
  # The last read also makes R compare the checksum at the end of a compressed file.
  complete <- length(values) == count && length(read("raw", 1)) == 0
  if (!complete) fail("does not have as many values as its header states")
  if (is.integer(values) && anyNA(values)) fail("has the value -2^31, which is NA in R")
  if (length(dim) == 1) return(values)
  out <- matrix(values, dim[1], byrow = TRUE)
  if (length(dim) > 2) attr(out, "dim_item") <- dim[-1]
  out
}

# The bytes of a value of each type: integers, and from code 13 doubles.
idx_bytes <- c(`8` = 1L, `9` = 1L, `11` = 2L, `12` = 4L, `13` = 4L, `14` = 8L)
