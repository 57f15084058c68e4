#' Codebooks as tidy tables
#'
#' Methods for the generics of package generics (broom). `tidy()` gives a row for each codeword, `glance()`
#' one row for the codebook, and `augment()` the frames with their nearest codewords.
#'
#' @param x An object of class `codebook`.
#' @param data,newdata Frames with the columns of the codebook. Give one of the two. They mean the same,
#'   because a codebook does not keep its frames.
#' @param ... Not used; an argument here is an error.
#' @return A tibble (see [tidy.landmarks()]).
#'
#'   `tidy()`: `codeword`, its number, and one column for each column of the frames (`V1`, `V2`, ... where
#'   these have no names).
#'
#'   `glance()`: `codewords`; `dimensions`; `within`, the sum of squared distances of the frames to their
#'   codewords; `converged`; `iterations`; `scaled`; and `nobs`, the number of frames.
#'
#'   `augment()`: the columns of the frames (none of a sparse matrix), `.codeword`, the number of the nearest
#'   codeword, and `.distance`, the distance to it (after `scale`).
#' @seealso [codebook()]
#' @examples
#' set.seed(1)
#' book <- codebook(iris[1:4], size = 5)
#' tidy(book)
#' glance(book)
#' with <- augment(book, iris[1:4])
#' head(with)
#' all.equal(sum(with$.distance^2), glance(book)$within)
#' @name tidy.codebook
NULL

#' @rdname tidy.codebook
#' @export
tidy.codebook <- function(x, ...) {
  check_dots(...)
  check_codebook(x, "x")
  numbers <- data.frame(codeword = seq_len(nrow(x$centers)))
  as_tibble_frame(beside(numbers, coordinate_frame(x$centers)))
}

#' @rdname tidy.codebook
#' @export
glance.codebook <- function(x, ...) {
  check_dots(...)
  check_codebook(x, "x")
  as_tibble_frame(data.frame(
    codewords = nrow(x$centers), dimensions = ncol(x$centers), within = x$within, converged = x$converged,
    iterations = x$iterations, scaled = x$scaled, nobs = x$n_frames
  ))
}

#' @rdname tidy.codebook
#' @export
augment.codebook <- function(x, data = NULL, newdata = NULL, ...) {
  check_dots(...)
  call <- rlang::current_env()
  check_codebook(x, "x")
  given <- augmented_data(data, newdata, call,
    "{.code predict(book, {arg}, group)} gives the shares of codewords."
  )
  near <- nearest_landmark(codebook_source(x, given$data, call, given$arg), x$centers, compute_with(call))
  beside_data(given$data, data.frame(.codeword = near$landmark, .distance = near$distance))
}
