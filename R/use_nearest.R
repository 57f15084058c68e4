# The rows nearest to landmarks, the largest columns of landmarks, and a sketch: some of the rows, chosen to
# represent all of them.

#' Nearest observations and top features of landmarks
#'
#' These functions help to interpret landmarks. `nearest_observations()` finds the observations nearest to
#' each landmark. `top_features()` ranks the columns by the landmark's deviation from the mean, or by its
#' coordinates.
#'
#' For dense data, `top_features()` ranks columns by the deviation from the mean in standard deviations,
#' because coordinates in different units are not comparable. For sparse data, such as word counts, it ranks
#' by coordinates, as Liang and Paisley (2015) list the words of a topic. For such data, `by = "deviation"`
#' favors words that are specific to a topic over words that are common in all topics, but ranks rare words
#' too high, because any occurrence of a rare word is many standard deviations above the mean of its column.
#'
#' @param fit An object of class `landmarks`.
#' @param x Data with the columns of the fit, N rows.
#' @param k Number of rows or columns for each landmark, at most N or d.
#' @param by `"deviation"`, the absolute deviation from the column's mean in standard deviations (default for
#'   dense data), or `"value"`, the coordinate (default for sparse data).
#' @inheritParams landmarks
#' @return A data frame with k rows for each landmark and columns `landmark` and `rank`.
#'   `nearest_observations()` adds `observation`, the row index, and `distance`, after `scale`.
#'   `top_features()` adds `feature` (the column's name, or its index if unnamed), `value`, the coordinate in
#'   the units of the data, and `deviation`, the signed deviation in standard deviations (0 for constant
#'   columns).
#' @references D. Liang and J. Paisley (2015). Landmarking manifolds with Gaussian processes. *Proceedings of
#'   the 32nd International Conference on Machine Learning*, PMLR 37, 466-474.
#' @examples
#' x <- scale(as.matrix(iris[1:4]))
#' fit <- landmarks(x, 3)
#' nearest_observations(fit, x, k = 2)
#' top_features(fit, k = 2)
#' @export
nearest_observations <- function(fit, x, k = 5, threads = NULL, verbose = NULL) {
  local_compute(threads, verbose)
  check_object(fit, "landmarks", "fit")
  call <- rlang::current_env()
  check_given(x, "x")
  x <- as_rows(x, "x", call, fit$experiment)
  n <- nrow(fit$landmarks)
  by_default <- missing(k)
  k <- check_count(k, "k")
  if (is_chunked(x)) {
    near <- NULL
    before <- 0
    chunks <- user_chunks(x, call)
    over_chunks(chunks, nearest_of_chunk, unclass(fit), k, call = call, take = function(found, i) {
      near <<- join_nearest(near, found$observation + before, found$distance, k)
      before <<- before + found$rows
    })
    if (!by_default) check_count(k, "k", max = before)
    near$observation <- as_row_numbers(near$observation)
  } else {
    source <- rows_source(fit, x, call)
    if (!by_default) check_count(k, "k", max = source$dim[1])
    check_memory(10 * as.double(n) * k, "The {k} rows nearest to each of {n} landmarks need",
      "Use a smaller {.arg k}.", "k", call
    )
    near <- nearest_rows(source, fit$landmarks, k, compute_with())
    near$observation <- source$numbers[near$observation]
  }
  k <- nrow(near$distance)
  data.frame(
    landmark = rep(seq_len(n), each = k), rank = rep(seq_len(k), n),
    observation = as.vector(near$observation), distance = as.vector(near$distance)
  )
}

nearest_of_chunk <- function(rows, item, fit, k) {
  source <- new_source(forge(fit, rows, "x", NULL, new = TRUE)$x, fit$center, fit$factor, "x", NULL)
  none <- matrix(0, 0, nrow(fit$landmarks))
  if (source$dim[1] == 0) return(list(observation = none, distance = none, rows = 0))
  c(nearest_rows(source, fit$landmarks, k, compute_with()), rows = source$dim[1])
}

# The k nearest of the rows before, NULL for none, and of those of a chunk. order() keeps the order of equal
# distances: rows before, which have lower numbers, come first.
join_nearest <- function(before, observation, distance, k) {
  observation <- rbind(before$observation, observation)
  distance <- rbind(before$distance, distance)
  sorted <- order(as.vector(col(distance)), nearest_digits(distance^2))
  kept <- sorted[seq_len(nrow(distance)) <= k]
  of <- function(values) matrix(values[kept], ncol = ncol(values))
  list(observation = of(observation), distance = of(distance))
}

#' @rdname nearest_observations
#' @export
top_features <- function(fit, k = 10, by = if (fit$sparse) "value" else "deviation") {
  check_object(fit, "landmarks", "fit")
  check_choice(by, c("deviation", "value"), "by")
  if (missing(k)) k <- min(k, ncol(fit$landmarks))
  k <- check_count(k, "k", max = ncol(fit$landmarks))
  n <- nrow(fit$landmarks)
  # In standard deviations from the columns' means, 0 in columns that are constant.
  deviation <- (fit$landmarks - rep(fit$mean, each = n)) / rep(fit$sd, each = n)
  deviation[, fit$sd == 0] <- 0
  values <- landmarks_in_units(fit)
  size <- if (by == "value") values else abs(deviation)
  landmark <- rep(seq_len(n), each = k)
  top <- unlist(lapply(seq_len(n), function(l) order(size[l, ], decreasing = TRUE)[seq_len(k)]))
  at <- cbind(landmark, top)
  names <- colnames(fit$landmarks) %||% seq_len(ncol(fit$landmarks))
  data.frame(
    landmark = landmark, rank = rep(seq_len(k), n), feature = names[top], value = values[at],
    deviation = deviation[at]
  )
}

# ---- a sketch ------------------------------------------------------------------------

#' Select representative rows
#'
#' `sketch_rows()` selects `size` rows that represent the data, for example cells of a large experiment.
#' First, for each landmark in order, the nearest row that has not been selected yet is selected. If `size`
#' exceeds the number of landmarks, further rows are those of largest posterior variance given the rows
#' selected so far, as in [by_active()] with the bandwidth of the fit. If all posterior variances are 0, as
#' with many duplicates, the next nearest row of each landmark is selected instead.
#'
#' With a number of landmarks well below `size` more rare groups are retained: landmarks follow the density of
#' the data, whereas the additional rows are those that the landmarks represent worst. A fifth of `size` is a
#' good choice.
#'
#' @param fit An object of class `landmarks`.
#' @param x Data with the columns of the fit, N rows, or a Bioconductor experiment, whose columns are
#'   selected (see [landmarks.SummarizedExperiment()]). From data in chunks, a sample is read and the rows
#'   are selected from it, see [chunked()].
#' @param size Number of rows to select, from 1 to N. Default: the number of landmarks. If it is smaller, the
#'   first landmarks are used.
#' @param threads,verbose As in [landmarks()].
#' @return Row indices, an integer vector of length `size` without repeats. Rows of `x` with missing values
#'   that the fit drops (`na.action`, see [landmarks-data]) are never selected.
#' @seealso [nearest_observations()]
#' @examples
#' set.seed(1)
#' x <- sim_swiss_roll(1000)
#' fit <- landmarks(x, 20)
#' rows <- sketch_rows(fit, x, 30)
#' rows
#' # The largest distance of a row from the selected rows, and from random rows
#' apart <- as.matrix(dist(x))
#' max(apply(apart[, rows], 1, min))
#' max(apply(apart[, sample(1000, 30)], 1, min))
#' @export
sketch_rows <- function(fit, x, size = NULL, threads = NULL, verbose = NULL) {
  local_compute(threads, verbose)
  check_object(fit, "landmarks", "fit")
  call <- rlang::current_env()
  source <- rows_source(fit, x, call)
  rows <- source$dim[1]
  size <- check_count(size %||% min(nrow(fit$landmarks), rows), "size", max = rows, call = call)
  n <- nrow(fit$landmarks)
  if (size > n) {
    # The columns of the kernel at those chosen rows that are not nearest to a landmark.
    check_memory(as.double(rows) * (size + 4), "A sketch of {size} from {rows} rows needs",
      c("Use a smaller {.arg size}.", "Sizes up to {n}, the number of landmarks, need no kernel matrix."),
      "size", call
    )
  }
  source$numbers[chosen_rows(fit, source, size, compute_with())]
}

chosen_rows <- function(fit, source, size, control) {
  first <- fit$landmarks[seq_len(min(size, nrow(fit$landmarks))), , drop = FALSE]
  rows <- nearest_free(source, first, integer(), control)
  if (length(rows) < size) {
    points <- rows_as_points(source, rows)
    rows <- c(rows, active_rows(source, points, size - length(rows), fit_kernel(fit), control)$rows)
  }
  # Fewer rows were chosen than wanted: those that are left add nothing to the kernel, and any of them will
  # do.
  while (length(rows) < size) rows <- c(rows, nearest_free(source, first, rows, control))
  rows[seq_len(size)]
}

# For each landmark, in order, the nearest row that is neither among `taken` nor of a landmark before it.
# Fewer if no row is left.
nearest_free <- function(source, landmarks, taken, control) {
  unused <- replace(rep(TRUE, source$dim[1]), taken, FALSE)
  rows <- integer(min(nrow(landmarks), sum(unused)))
  # So many nearest rows of a landmark always include a free one.
  most <- length(taken) + length(rows)
  k <- min(8L, most)
  near <- nearest_rows(source, landmarks, k, control)$observation
  for (l in seq_along(rows)) {
    while (!any(unused[near[, l]])) {
      k <- min(4L * k, most)
      near <- nearest_rows(source, landmarks, k, control)$observation
    }
    rows[l] <- near[unused[near[, l]], l][1]
    unused[rows[l]] <- FALSE
  }
  rows
}
