#' Handwritten digits
#'
#' 3,000 images of handwritten digits, 300 of each class: a balanced random
#' sample, in random order, of the 60,000 training images of the MNIST database.
#' Small enough for examples that run in seconds; not a benchmark, and without
#' any of MNIST's test images.
#'
#' @format A list of two:
#' \describe{
#'   \item{images}{Integer matrix, 3,000 x 784: one image of 28 x 28 pixels a
#'     row, from 0 (background) to 255 (ink). Pixels go row by row from the top
#'     left, and columns are named by row and column of the pixel, from `r01c01`
#'     to `r28c28`: `matrix(digits$images[i, ], 28, 28, byrow = TRUE)` is image `i`
#'     the right way up.}
#'   \item{labels}{Factor of length 3,000 with levels `"0"` to `"9"`: the digit
#'     that is meant.}
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
