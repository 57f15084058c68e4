#' Description of landmarks by rows and columns
#'
#' `nearest_observations()` finds the observations nearest to each landmark. `top_features()` finds the
#' columns in which each landmark deviates most from the data's mean, or has its largest coordinates. Use
#' them to say what a landmark stands for.
#'
#' Coordinates in columns of different units cannot be compared: in a table of incomes and ages the largest
#' coordinate is always the income. So `top_features()` ranks the columns of dense data by how many standard
#' deviations a landmark lies above or below the mean.
#'
#' Sparse data, such as word counts, have one unit, and their columns are ranked by the coordinates. This is
#' how Liang and Paisley (2015) list the words of a topic. `by = "deviation"` gives high ranks to words that
#' are typical of a topic, and low ranks to words that are common everywhere. It needs words that are
#' frequent enough: a word of a few documents is many standard deviations above its mean wherever it occurs.
#'
#' @param fit An object of class `landmarks`.
#' @param x Data with the columns that the fit was learned from, N rows.
#' @param k How many rows or columns for each landmark: at most N, or d.
#' @param by What `top_features()` ranks by: `"deviation"`, the size of the deviation from the column's mean
#'   in standard deviations (the default for dense data), or `"value"`, the coordinate itself (the default
#'   for sparse data).
#' @inheritParams landmarks
#' @return A data frame with k rows for each landmark, in order, and columns `landmark` and `rank`.
#'   `nearest_observations()` adds `observation` (the row of `x`, whose name, if it has one, is
#'   `rownames(x)[observation]`) and its `distance`, in the data's units after `scale`. `top_features()` adds
#'   `feature` (the column's name, or its number where it has no name), its `value`, the coordinate in the
#'   data's units, and its `deviation`, the value minus the column's mean in standard deviations (0 for a
#'   column that is constant in the data).
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
  if (is_chunked(x)) {
    k <- check_count(k, "k")
    found <- nearest_in_chunks(fit, x, k, call)
    if (!by_default) check_count(k, "k", max = found$rows)
    near <- found$near
    k <- nrow(near$distance)
  } else {
    source <- rows_source(fit, x, call)
    if (by_default) k <- min(k, source$dim[1])
    k <- check_count(k, "k", max = source$dim[1])
    check_work(10 * as.double(n) * k, "The {k} rows nearest to each of {n} landmarks need",
      "Use a smaller {.arg k}.", "k", call
    )
    near <- nearest_rows(source, fit$landmarks, k, compute_with())
    near$observation <- source$numbers[near$observation]
  }
  data.frame(
    landmark = rep(seq_len(n), each = k), rank = rep(seq_len(k), n),
    observation = as.vector(near$observation),
    distance = as.vector(near$distance)
  )
}

# list(near, rows): the k nearest rows of all chunks, or all rows where there are fewer; how many rows there
# are.
nearest_in_chunks <- function(fit, x, k, call) {
  near <- NULL
  before <- 0
  chunks <- user_chunks(x, call)
  over_chunks(chunks, nearest_of_chunk, unclass(fit), k, call = call, take = function(value, i) {
    value$near$observation <- value$near$observation + before
    near <<- if (is.null(near)) value$near else join_nearest(near, value$near, k)
    before <<- before + value$rows
  })
  near$observation <- as_row_numbers(near$observation)
  list(near = near, rows = before)
}

nearest_of_chunk <- function(rows, item, fit, k) {
  source <- new_source(forge(fit, rows, "x", NULL, new = TRUE)$x, fit$center, fit$factor, "x", NULL)
  k <- min(k, source$dim[1])
  n <- nrow(fit$landmarks)
  near <- if (k == 0) {
    list(observation = matrix(0L, 0, n), distance = matrix(0, 0, n))
  } else {
    nearest_rows(source, fit$landmarks, k, compute_with())
  }
  list(rows = source$dim[1], near = near)
}

# The k nearest of two sets of nearest rows. order() keeps the order of equal distances: rows of `a`, which
# have lower numbers, come first.
join_nearest <- function(a, b, k) {
  observation <- rbind(a$observation, b$observation)
  distance <- rbind(a$distance, b$distance)
  sorted <- order(as.vector(col(distance)), nearest_digits(distance^2))
  kept <- sorted[seq_len(nrow(distance)) <= k]
  list(
    observation = matrix(observation[kept], ncol = ncol(observation)),
    distance = matrix(distance[kept], ncol = ncol(distance))
  )
}

#' @rdname nearest_observations
#' @export
top_features <- function(fit, k = 10, by = if (fit$sparse) "value" else "deviation") {
  check_object(fit, "landmarks", "fit")
  by <- check_choice(by, c("deviation", "value"), "by")
  if (missing(k)) k <- min(k, ncol(fit$landmarks))
  k <- check_count(k, "k", max = ncol(fit$landmarks))
  n <- nrow(fit$landmarks)
  deviation <- deviations(fit)
  values <- landmarks_in_units(fit)
  size <- if (by == "value") values else abs(deviation)
  top <- vapply(seq_len(n), function(l) order(size[l, ], decreasing = TRUE)[seq_len(k)], integer(k))
  top <- as.vector(top)
  landmark <- rep(seq_len(n), each = k)
  names <- colnames(fit$landmarks)
  data.frame(
    landmark = landmark, rank = rep(seq_len(k), n),
    feature = if (is.null(names)) top else names[top], value = values[cbind(landmark, top)],
    deviation = deviation[cbind(landmark, top)]
  )
}

# Landmarks minus the columns' means, in standard deviations; 0 in columns that are constant.
deviations <- function(fit) {
  n <- nrow(fit$landmarks)
  out <- (fit$landmarks - rep(fit$mean, each = n)) / rep(fit$sd, each = n)
  out[, fit$sd == 0] <- 0
  out
}
