# Bags of frames: a codebook learned by k-means, and histograms of its codewords.

#' Vector quantization of grouped observations
#'
#' Songs and videos are sequences of *frames*, which are vectors of the same length; the number of frames
#' differs between songs. `codebook()` finds `size` codewords among all frames by k-means, and `predict()`
#' represents each group of frames (each song) by the proportions of its frames that are nearest to each
#' codeword, also known as a bag of features:
#' \deqn{h_{gj} = \frac{1}{|g|} \sum_{i \in g} [j = \arg\min_k \|x_i - c_k\|],}{h_gj = (1/|g|)
#'   sum_{i in g} [j = argmin_k ||x_i - c_k||],}
#' for group g of |g| frames \eqn{x_i} and codewords \eqn{c_k}; the bracket is 1 if it is true, else 0.
#'
#' @param frames Frames, N rows in d columns: a numeric, integer or logical matrix, a sparse matrix of
#'   package Matrix, a data frame of such columns, or data in chunks (see [chunked()]), without missing or
#'   infinite values. A random sample is enough if there are very many. For `predict()`: M frames with the
#'   same columns, matched by name if both have names.
#' @param size Number of codewords J, from 1 to the number of distinct rows of `frames`. More codewords
#'   distinguish more kinds of frames, but each needs enough frames.
#' @param scale Whether to divide columns by their standard deviation; constant columns are then ignored. The
#'   default is `FALSE`, for columns that share a unit.
#' @param max_iterations Maximum number of iterations, default 50. With `batch_size`, the number of batches,
#'   default 100.
#' @param batch_size `NULL`, the default, for Lloyd's algorithm, or the number of frames in each batch for
#'   mini-batch k-means (Sculley, 2010), see [by_kmeans()]. Both start from k-means++ (Arthur and
#'   Vassilvitskii, 2007).
#' @param threads,verbose As in [landmarks()].
#' @param object An object of class `codebook`.
#' @param group The group of each of the M frames, without NA: a factor, or a vector that [factor()] accepts.
#' @param type `"share"`, the default, for proportions, or `"count"` for counts.
#' @param ... Not used; further arguments are an error.
#'
#' @return `codebook()`: an object of class `codebook` with methods `print()`, `predict()` and `coef()`, a
#'   list of: `centers`, the codewords, a J x d matrix in the units of the data; `within`, the sum of squared
#'   distances of the frames to their codewords, after `scale`; `converged` (NA for mini-batches) and
#'   `iterations`; `n_frames`, N; `scaled`, `center` and `factor`, the scaling of the columns; and `version`,
#'   the version of the package.
#'
#'   `predict()`: a matrix of proportions (with row sums 1) or of counts, with a row for each group and a
#'   column (`W1`, `W2`, ...) for each codeword. Rows are named and sorted by the levels of the factor, or by
#'   the sorted values of a vector. [hellinger()] maps both to the sphere.
#'
#' @section Errors:
#' All are of class `landmarker_error_input`. `landmarker_error_missing`: a frame is not finite;
#' `landmarker_error_data`: frames are not numeric; `landmarker_error_columns`: columns differ from those of
#' the codebook; `landmarker_error_rank`: fewer distinct frames than codewords; `landmarker_error_group`:
#' `group` has the wrong length, NA, or a level without frames; `landmarker_error_codebook`: an invalid
#' codebook.
#'
#' @references D. Arthur and S. Vassilvitskii (2007). k-means++: the advantages of careful seeding.
#'   *Proceedings of the 18th ACM-SIAM Symposium on Discrete Algorithms*, 1027-1035.
#'
#'   D. Sculley (2010). Web-scale k-means clustering. *Proceedings of the 19th International Conference on
#'   World Wide Web*, 1177-1178.
#'
#'   D. Liang and J. Paisley (2015). Landmarking manifolds with Gaussian processes. *Proceedings of the 32nd
#'   International Conference on Machine Learning*, PMLR 37, 466-474.
#' @examples
#' # Flowers as frames, species as groups
#' set.seed(1)
#' book <- codebook(iris[1:4], size = 5)
#' book
#' coef(book)
#' h <- predict(book, iris[1:4], iris$Species)
#' round(h, 2)
#' hellinger(h)
#' @export
codebook <- function(frames, size, scale = FALSE, max_iterations = if (is.null(batch_size)) 50 else 100,
                     batch_size = NULL, threads = NULL, verbose = NULL) {
  local_compute(threads, verbose)
  call <- rlang::current_env()
  check_given(frames, "frames", call)
  frames <- as_rows(frames, "frames", call)
  if (is_chunked(frames)) {
    chunks <- user_chunks(frames, call)
    frames <- chunk_plan(chunks, first_chunk(chunks, call), frames_of_chunk, call = call)
  } else {
    frames <- check_data(frames, "frames", call)
  }
  check_flag(scale, "scale")
  max_iterations <- check_count(max_iterations, "max_iterations")
  if (!is.null(batch_size)) batch_size <- check_count(batch_size, "batch_size")
  source <- as_source(frames, NULL, scale, "frames", call)
  size <- check_count(size, "size", max = source$dim[1])
  rows <- seed_plus_plus(source, size, call)
  rule <- "at most {length(rows)}, the number of distinct rows of {.arg frames}"
  check_that(length(rows) == size, size, "size", rule, "rank")
  found <- find_centers(source, rows_as_points(source, rows), max_iterations, batch_size, call = call)
  whole <- source$whole
  within <- 0
  if (is.null(whole)) {
    within <- sum(nearest_landmark(source, found$centers, compute_with())$distance^2)
  } else {
    over_chunks(whole$plan$chunks, within_chunk, found$centers, source[c("center", "factor")],
      call = call, form = whole$plan$form, take = function(value, k) within <<- within + value
    )
  }
  structure(list(
    centers = found$centers, within = within, converged = found$converged,
    iterations = found$iterations, n_frames = as_row_numbers(rows_in_all(source)), scaled = scale,
    center = source$mean, factor = source$factor, version = made_by()
  ), class = "codebook")
}

frames_of_chunk <- function(rows) {
  if (is.data.frame(rows)) plain_frame(rows, "frames", NULL) else rows
}

# The sum of squared distances of the frames of a chunk to the nearest center.
within_chunk <- function(rows, item, centers, at) {
  source <- new_source(frames_of_chunk(rows), at$center, at$factor, "frames", NULL)
  sum(nearest_landmark(source, centers, compute_with())$distance^2)
}

#' @rdname codebook
#' @export
predict.codebook <- function(object, frames, group, type = "share", ...) {
  check_dots(...)
  call <- rlang::current_env()
  check_object(object, "codebook", "object")
  check_given(frames, "frames")
  check_given(group, "group")
  check_choice(type, c("share", "count"), "type")
  frames <- as_rows(frames, "frames", call)
  nearest <- if (is_chunked(frames)) {
    join_values(user_chunks(frames, call), codewords_of_chunk, object, call = call)
  } else {
    codewords(object, frames, call)$landmark
  }
  group <- check_group(group, length(nearest), call)
  rows <- nlevels(group)
  names <- list(levels(group), codeword_names(object))
  count <- tabulate(as.integer(group) + rows * (nearest - 1), rows * nrow(object$centers))
  out <- matrix(as.double(count), rows, nrow(object$centers), dimnames = names)
  if (type == "share") out / rowSums(out) else out
}

codewords_of_chunk <- function(rows, item, book) codewords(book, rows)$landmark

# The nearest codeword of each frame, list(landmark, distance).
codewords <- function(book, frames, call = NULL, arg = "frames") {
  nearest_landmark(codebook_source(book, frames, call, arg), book$centers, compute_with(call))
}

# Frames with the columns of the codebook.
codebook_frames <- function(book, frames, call, arg = "frames") {
  frames <- as_rows(frames, arg, call)
  refuse_chunks(frames, arg, call)
  matched_matrix(frames, book$centers, arg, call, empty = TRUE)
}

# The source of frames, scaled as the codebook's.
codebook_source <- function(book, frames, call, arg = "frames") {
  frames <- codebook_frames(book, frames, call, arg)
  warn_varied(frames, book$center, book$factor, arg, call)
  new_source(frames, book$center, book$factor, arg, call)
}

# A factor in which every level occurs.
check_group <- function(group, n, call) {
  label <- if (is.atomic(group) && is.null(dim(group))) as.character(group)
  rule <- "have one value for each of the {n} row{?s} of {.arg frames}"
  check_that(length(label) == n, group, "group", rule, "group", call)
  bad <- which(is.na(label))[1]
  found <- "{.code group[{bad}]} is NA."
  check_that(is.na(bad), group, "group", "not have missing values", "group", call, found = found)
  # Groups are in the same order in every locale; numbers are in the order of numbers.
  if (!is.factor(group)) return(factor(label, unique(as.character(sort(unique(group), method = "radix")))))
  bare <- setdiff(levels(group), label)
  check_that(length(bare) == 0, group, "group", "have a frame for each of its levels", "group", call,
    "{.code droplevels(group)} leaves out levels without frames.", "Level {.val {bare[1]}} has none."
  )
  group
}

#' @export
coef.codebook <- function(object, ...) {
  check_object(object, "codebook", "object")
  out <- object$centers
  rownames(out) <- codeword_names(object)
  out
}

codeword_names <- function(book) paste0("W", seq_len(nrow(book$centers)))

#' @export
print.codebook <- function(x, ...) {
  check_object(x, "codebook", "x")
  cat("Codebook of ", how_many(nrow(x$centers), "codeword"), " in ", how_many(ncol(x$centers), "dimension"),
    if (x$scaled) ", columns scaled", "\n", sep = ""
  )
  line <- function(label, ...) cat(sprintf("  %-10s", label), ..., "\n", sep = "")
  line("frames", format(x$n_frames, big.mark = big_mark()))
  line("within", signif(x$within, 4), " (total within-cluster sum of squares)")
  settled <- if (is.na(x$converged)) "not measured" else if (x$converged) "yes" else "no"
  batches <- if (is.na(x$converged)) " on random batches"
  line("converged", settled, " (", how_many(x$iterations, "iteration"), batches, ")")
  invisible(x)
}

#' @export
nobs.codebook <- function(object, ...) {
  check_object(object, "codebook", "object")
  object$n_frames
}

# ---- tidy tables ---------------------------------------------------------------------

#' Tidy a codebook
#'
#' Methods for the generics of package generics (broom): `tidy()` gives a row for each codeword, `glance()`
#' one row for the codebook, and `augment()` the frames with their nearest codewords.
#'
#' @param x An object of class `codebook`.
#' @param data,newdata Frames with the columns of the codebook. Supply one of the two. They are equivalent,
#'   because a codebook does not store its frames.
#' @param ... Not used; further arguments are an error.
#' @return A tibble (see [tidy.landmarks()]).
#'
#'   `tidy()`: `codeword`, its index, and the columns of the frames (`V1`, `V2`, ... if they are unnamed).
#'
#'   `glance()`: `codewords`; `dimensions`; `within`, the sum of squared distances of the frames to their
#'   codewords; `converged`; `iterations`; `scaled`; and `nobs`, the number of frames.
#'
#'   `augment()`: the columns of the frames (unless sparse), `.codeword`, the index of the nearest codeword,
#'   and `.distance`, its distance, after `scale`.
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
  check_object(x, "codebook", "x")
  as_tibble_frame(beside(data.frame(codeword = seq_len(nrow(x$centers))), coordinate_frame(x$centers)))
}

#' @rdname tidy.codebook
#' @export
glance.codebook <- function(x, ...) {
  check_dots(...)
  check_object(x, "codebook", "x")
  as_tibble_frame(data.frame(
    codewords = nrow(x$centers), dimensions = ncol(x$centers), within = x$within, converged = x$converged,
    iterations = x$iterations, scaled = x$scaled, nobs = x$n_frames
  ))
}

#' @rdname tidy.codebook
#' @export
augment.codebook <- function(x, data = NULL, newdata = NULL, ...) {
  check_dots(...)
  check_object(x, "codebook", "x")
  call <- rlang::current_env()
  input <- augmented_data(data, newdata, call)
  near <- codewords(x, input$data, call, input$arg)
  beside_data(input$data, data.frame(.codeword = near$landmark, .distance = near$distance))
}
