# Bags of frames: a codebook of k-means, and histograms of its words.

#' Codebook of frames
#'
#' Songs, recordings and videos are sequences of *frames*, vectors of equal length. Each sequence has its own
#' number of frames. A codebook makes the sequences comparable: `codebook()` finds `size` code words among
#' all frames by k-means. `predict()` gives for each group of frames (each song) the share of frames for
#' which each code word is the nearest. Liang and Paisley (2015, section 5.3) find landmarks of music from
#' such histograms.
#'
#' Let \eqn{x_i} be the frames and \eqn{c_1, \ldots, c_J}{c_1, ..., c_J} the code words. The share of word j
#' in group g, which has \eqn{|g|} frames, is
#' \deqn{h_{gj} = \frac{1}{|g|} \sum_{i \in g} [j = \arg\min_k \|x_i - c_k\|],}{h_gj = (1/|g|)
#' sum_{i in g} [j = argmin_k ||x_i - c_k||],}
#' where the bracket is 1 if it is true and 0 otherwise.
#'
#' k-means makes \eqn{\sum_i \min_k \|x_i - c_k\|^2}{sum_i min_k ||x_i - c_k||^2} small. The code words start
#' at frames drawn by k-means++ (Arthur and Vassilvitskii, 2007), from R's random numbers, and move by
#' Lloyd's algorithm, as in [by_kmeans()]. A code word that loses all its frames moves to the frame that is
#' farthest from its own code word.
#'
#' @param frames Frames to learn from, N rows in d columns: a numeric, integer or logical matrix, a sparse
#'   matrix of package Matrix (which stays sparse), or a data frame of such columns, all values finite. If
#'   there are very many, a random sample is enough. For `predict()`: frames with the same columns, M rows.
#'   Columns are matched by name where both have names.
#' @param size Number of code words, J: a whole number from 1 to the number of different rows of `frames`.
#'   More words make finer distinctions and need more frames.
#' @param scale Whether to divide columns by their standard deviation first (constant columns excepted),
#'   `TRUE` or `FALSE`. The default is `FALSE`, for columns of one unit, as in [landmarks()].
#' @param iterations At most how many iterations, a whole number of at least 1. The default is
#'   50: what changes after that is as a rule little. `converged` tells whether they were enough.
#' @param object A codebook.
#' @param group The group of each of the M frames, without NA: a factor, or a vector that [factor()] accepts.
#' @param type `"share"`, the default, for shares of each group's frames; `"count"` for numbers of frames.
#' @param ... Not used; an argument here is an error.
#'
#' @return For `codebook()` an object of class `codebook`, a plain list of: `words`, the code words, a J x d
#'   matrix in the data's units; `within`, the sum of squared distances of frames to their code words (after
#'   `scale`); `converged`, whether the last iteration left all assignments unchanged; `iterations`, the
#'   number of iterations; `n_frames`, N; and `scaled`, `center` and `factor`, which describe the scaling of
#'   columns. Methods: `print()`, `predict()`, and `coef()`, which gives the code words.
#'
#'   For `predict()` a matrix with a row for each group and a column for each code word (`W1`, `W2`, ...):
#'   shares from 0 to 1 with sum 1 in each row, or counts. The rows have the names and the order of the
#'   factor's levels. The levels of a `group` that is no factor are its sorted values. [hellinger()] turns
#'   shares or counts into points on the sphere.
#'
#' @section Errors:
#' All are of class `landmarker_error_input`. `landmarker_error_missing`: a frame with a missing or infinite
#' value; `landmarker_error_data`: frames that are no matrix of numbers; `landmarker_error_columns`: other
#' columns than those of the codebook; `landmarker_error_rank`: fewer different frames than code words;
#' `landmarker_error_group`: `group` of another length, with NA, or with a level that has no frame;
#' `landmarker_error_codebook`: an object that is no valid codebook.
#'
#' @references Arthur, D. and Vassilvitskii, S. (2007). k-means++: The advantages of careful seeding.
#' *Proceedings of the 18th Annual ACM-SIAM Symposium on Discrete Algorithms*, 1027-1035.
#'
#' Liang, D. and Paisley, J. (2015). Landmarking manifolds with Gaussian processes. *Proceedings of the 32nd
#' International Conference on Machine Learning*, PMLR 37, 466-474.
#' @examples
#' # Flowers as frames, species as groups.
#' set.seed(1)
#' book <- codebook(iris[1:4], size = 5)
#' book
#' coef(book)
#' h <- predict(book, iris[1:4], iris$Species)
#' round(h, 2)
#' hellinger(h)
#' @export
codebook <- function(frames, size, scale = FALSE, iterations = 50) {
  call <- rlang::current_env()
  check_given(frames, "frames", call)
  if (is.data.frame(frames)) frames <- plain_frame(frames, "frames", call)
  if (!is_parted(frames)) frames <- check_data(frames, "frames", call)
  scale <- check_flag(scale, "scale", call)
  size <- check_count(size, "size", max = nrow(frames), call = call)
  iterations <- check_count(iterations, "iterations", call = call)
  source <- as_source(frames, NULL, scale, "frames", call)

  rows <- seed_plus_plus(source, size, call)
  if (length(rows) < size) {
    abort_input(c(
      "{.arg size} must be at most the number of different rows of {.arg frames}.",
      x = "It is {size}, and there are {length(rows)} different rows."
    ), arg = "size", kind = "rank", call = call)
  }
  found <- lloyd(source, rows_as_points(source, rows), iterations, call = call)
  near <- nearest_landmark(source, found$words, compute_with(call))
  structure(list(
    words = found$words, within = sum(near$distance^2), converged = found$converged, iterations = found$iterations,
    n_frames = source$dim[1], scaled = scale, center = source$mean, factor = source$factor
  ), class = "codebook")
}

#' @rdname codebook
#' @export
predict.codebook <- function(object, frames, group, type = "share", ...) {
  check_dots(...)
  call <- rlang::current_env()
  check_codebook(object, "object", call)
  check_given(frames, "frames", call)
  check_given(group, "group", call)
  type <- check_choice(type, c("share", "count"), "type", call)
  source <- codebook_source(object, frames, call)
  group <- check_group(group, source$dim[1], call)

  word <- nearest_landmark(source, object$words, compute_with(call))$landmark
  rows <- nlevels(group)
  columns <- nrow(object$words)
  count <- tabulate(as.integer(group) + rows * (word - 1), rows * columns)
  out <- matrix(as.double(count), rows, columns, dimnames = list(levels(group), word_names(object)))
  if (type == "share") out / rowSums(out) else out
}

# Frames in the units of a codebook.
codebook_source <- function(book, frames, call) {
  names <- colnames(book$words)
  learner <- "the codebook was"
  if (is.data.frame(frames)) {
    frames <- plain_frame(match_columns(frames, names, "frames", call, learner), "frames", call)
  }
  if (!is_parted(frames)) {
    frames <- match_columns(check_data(frames, "frames", call, empty = TRUE), names, "frames", call, learner)
  }
  new_source(frames, book$center, book$factor, "frames", call, learner)
}

# A factor in which every level occurs.
check_group <- function(group, n, call) {
  rule <- "{.arg group} must have one value for each of the {n} row{?s} of {.arg frames}, none missing."
  if (!is.atomic(group) || is.null(group) || !is.null(dim(group)) || length(group) != n) {
    abort_input(c(rule, x = "It is {describe(group)}."), arg = "group", kind = "group", call = call)
  }
  label <- as.character(group)
  if (anyNA(label)) {
    abort_input(c(rule, x = "Number {which(is.na(label))[1]} is NA."),
      arg = "group", kind = "group", call = call
    )
  }
  # The same order in every locale; numbers as numbers.
  if (!is.factor(group)) return(factor(label, unique(as.character(sort(unique(group), method = "radix")))))
  bare <- levels(group)[tabulate(group, nlevels(group)) == 0]
  if (length(bare)) {
    abort_input(c(
      "{.arg group} must have a frame for each of its levels.",
      x = paste0(
        "{length(bare)} of {nlevels(group)} level{?s} {cli::qty(length(bare))}{?has/have} none, ",
        "the first {.val {bare[1]}}."
      ),
      i = "{.code droplevels(group)} leaves such levels out."
    ), arg = "group", kind = "group", call = call)
  }
  group
}

#' @export
coef.codebook <- function(object, ...) {
  check_codebook(object, "object")
  out <- object$words
  rownames(out) <- word_names(object)
  out
}

word_names <- function(book) paste0("W", seq_len(nrow(book$words)))

#' @export
print.codebook <- function(x, ...) {
  check_codebook(x, "x")
  count <- function(n, what) paste0(format(n, big.mark = ","), " ", what, if (n != 1) "s")
  cat("Codebook of ", count(nrow(x$words), "word"), " in ", count(ncol(x$words), "dimension"),
    if (x$scaled) ", columns scaled", "\n", sep = ""
  )
  line <- function(label, ...) cat(sprintf("  %-10s", label), ..., "\n", sep = "")
  line("frames", format(x$n_frames, big.mark = ","))
  line("within", signif(x$within, 4), ", the sum of squared distances to the nearest word")
  line("converged", if (x$converged) "yes" else "no", " (", count(x$iterations, "iteration"), ")")
  invisible(x)
}

# A codebook may have been edited, or read from a file that was cut.
check_codebook <- function(book, arg, call = rlang::caller_env()) {
  if (!is.list(book) || !inherits(book, "codebook")) {
    abort_input(c("{.arg {arg}} must be an object of class {.cls codebook}.", x = "It is {describe(book)}."),
      arg = arg, kind = "codebook", call = call
    )
  }
  d <- NCOL(book$words)
  sound <- vapply(names(codebook_rules), function(part) isTRUE(codebook_rules[[part]](book[[part]], d)), NA)
  if (!all(sound)) {
    part <- names(codebook_rules)[!sound][1]
    rule <- if (part == "words") ", not finite numbers"
    abort_input(c(
      "{.arg {arg}} must be a complete codebook, as {.fn codebook} returns it.",
      x = "Its {.field {part}} is {describe(book[[part]])}{rule}."
    ), arg = arg, kind = "codebook", call = call)
  }
  invisible(book)
}

# The rule of each part, for code words in d dimensions.
codebook_rules <- list(
  words = function(v, d) is.matrix(v) && is.double(v) && nrow(v) > 0 && d > 0 && all(is.finite(v)),
  within = function(v, d) is_number(v) && v >= 0,
  converged = function(v, d) is_flag(v),
  iterations = function(v, d) is_number(v),
  n_frames = function(v, d) is_number(v) && v >= 1,
  scaled = function(v, d) is_flag(v),
  center = function(v, d) sound_vector(v, d),
  factor = function(v, d) sound_vector(v, d) && all(v > 0)
)
