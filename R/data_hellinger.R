# The Hellinger transform of rows of counts to points on the unit sphere.

#' Hellinger transform of counts
#'
#' `hellinger()` maps rows of counts, such as a document-term matrix, to the nonnegative part of the unit
#' sphere:
#' \deqn{h_{ij} = \sqrt{c_{ij} / \textstyle\sum_k c_{ik}}.}{h_ij = sqrt(c_ij / sum_k c_ik).}
#' The Euclidean distance between two transformed rows is \eqn{\sqrt 2}{sqrt(2)} times the Hellinger distance
#' between their proportions, and at most \eqn{\sqrt 2}{sqrt(2)}. It does not depend on the lengths of the
#' documents. Use the transform before [landmarks()] with `space = "nonnegative_sphere"`, as Liang and Paisley
#' (2015) do.
#'
#' @param counts Nonnegative counts, proportions or weighted counts (such as tf-idf): a numeric, integer or
#'   logical matrix, a sparse matrix of package Matrix, or a data frame.
#' @param empty Treatment of rows whose sum is 0:
#'   * `"error"` (default);
#'   * `"keep"`: they become zero rows, which are not on the sphere;
#'   * `"drop"`: they are removed. The remaining rows are `which(Matrix::rowSums(counts) > 0)`.
#'
#' @return A matrix of the same size (fewer rows if `empty = "drop"`), with the dimnames of `counts`; a
#'   `dgCMatrix` if `counts` is sparse.
#'
#' @section Errors:
#' `landmarker_error_missing` and `landmarker_error_negative` for values that are not finite or negative, with
#' their position; `landmarker_error_empty` for rows whose sum is 0; `landmarker_error_data` for anything
#' else that is not a numeric matrix.
#'
#' @references Liang, D. and Paisley, J. (2015). Landmarking manifolds with Gaussian processes. *Proceedings
#' of the 32nd International Conference on Machine Learning*, PMLR 37, 466-474.
#' @seealso [newsgroups] for an example; `vignette("landmarker")`.
#' @examples
#' counts <- rbind(short = c(cat = 1, dog = 3), long = c(10, 30), other = c(5, 0))
#' h <- hellinger(counts)
#' h
#' rowSums(h^2)
#' dist(h)
#'
#' # Sparse matrices stay sparse
#' x <- hellinger(newsgroups)
#' x[1:3, 1:5]
#' @export
hellinger <- function(counts, empty = "error") {
  call <- rlang::current_env()
  empty <- check_choice(empty, c("error", "keep", "drop"), "empty", call)
  counts <- check_finite(check_data(counts, "counts", call, empty = TRUE), "counts", call)
  below <- which(stored_values(counts) < 0)[1]
  first <- if (!is.na(below)) entry_of(counts, below)
  check_that(is.null(first), counts, "counts", "not have negative values", "negative", call,
    found = "The first is {first$value}, in row {first$row}, {first$column}."
  )
  # Where the sum of a row would overflow, the row is divided first.
  divisor <- rep(1, nrow(counts))
  divisor[!is.finite(Matrix::rowSums(counts))] <- 2 * ncol(counts)
  total <- unname(Matrix::rowSums(counts / divisor))
  bare <- which(total == 0)
  count <- length(bare)
  rule <- "have a count above 0 in every row"
  check_that(empty != "error" || count == 0, counts, "counts", rule, "empty", call,
    "{.code empty = \"drop\"} drops such rows, {.code empty = \"keep\"} returns rows of zeros.",
    "{count} of {nrow(counts)} row{?s} {cli::qty(count)}{?has/have} none: the first is row {bare[1]}."
  )
  # Rows of 0 are divided by 1.
  total[bare] <- 1
  out <- sqrt(counts / divisor / total)
  if (empty == "drop") without_rows(out, bare) else out
}
