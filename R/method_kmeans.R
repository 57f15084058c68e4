# by_kmeans(): landmarks are the centers of k-means, or rows to start it from.

#' Cluster centers as landmarks
#'
#' The landmarks are the centers of k-means with `n` clusters. Use them as prototypes, or as a baseline for
#' other methods.
#'
#' By default, centers are found by Lloyd's algorithm, as in [stats::kmeans()] with `algorithm = "Lloyd"`,
#' but faster in many dimensions, because distances are computed by matrix products. It stops if no row
#' changes its center, or after `max_iterations`. Squared distances that agree to nine digits are ties, in
#' which the first center is taken. An empty cluster keeps its center. Sparse data stay sparse.
#'
#' With `batch_size`, centers are found by mini-batch k-means (Sculley, 2010). Each iteration draws a random
#' batch and assigns its rows to their nearest centers. Then each row x of weight w in turn moves its center
#' c:
#' \deqn{v_c \leftarrow v_c + w, \qquad
#' c \leftarrow \left(1 - \frac{w}{v_c}\right) c + \frac{w}{v_c} x,}{
#'   v_c <- v_c + w, c <- (1 - w/v_c) c + (w/v_c) x,}
#' so that a center is the mean of all rows assigned to it so far, with total weight \eqn{v_c}. If
#' `batch_size` is at least the number of rows with positive weight, Lloyd's algorithm is used.
#'
#' Case weights are used in drawing the starting centers and in the means; batches are drawn uniformly from
#' the rows with positive weight. Centers are projected on the `space`. Landmarks that [add_landmarks()] keeps
#' are centers that do not move. New centers are sorted greedily. With `max_iterations = 0` the landmarks are
#' the starting centers in the order in which they were drawn, so that `fit[1:m]` has the same distribution as
#' a fit of m landmarks.
#'
#' @param start `"++"`, the default: k-means++ (Arthur and Vassilvitskii, 2007), which draws rows with
#'   probability proportional to weight times squared distance from the nearest row drawn before.
#'   `"uniform"`: probability proportional to weight.
#' @param max_iterations Maximum number of iterations, default 10; 0 returns the starts. With `batch_size`,
#'   the number of batches, default 100, all of which are used. More than 100 centers need larger batches.
#' @param batch_size `NULL`, the default, for Lloyd's algorithm, or the number of rows in a batch, such as
#'   1,000. The starts `"++"` are then chosen from a random sample of five batches, or five rows for each
#'   center if that is more, by greedy k-means++: the best of \eqn{2 + \log n}{2 + log n} draws each time.
#' @return A method object for `landmarks(method = )`, a list of class `by_kmeans`.
#' @references D. Arthur and S. Vassilvitskii (2007). k-means++: the advantages of careful seeding.
#'   *Proceedings of the 18th ACM-SIAM Symposium on Discrete Algorithms*, 1027-1035.
#'
#'   D. Sculley (2010). Web-scale k-means clustering. *Proceedings of the 19th International Conference on
#'   World Wide Web*, 1177-1178.
#' @examples
#' set.seed(1)
#' x <- sim_spiral(500)
#' landmarks(x, 12, by_kmeans(), bandwidth = 0.2)
#' landmarks(x, 12, by_kmeans(max_iterations = 0), bandwidth = 0.2)$rows
#' landmarks(x, 12, by_kmeans(batch_size = 100), bandwidth = 0.2)
#' @export
by_kmeans <- function(start = "++", max_iterations = if (is.null(batch_size)) 10 else 100,
                      batch_size = NULL) {
  start <- check_choice(start, c("++", "uniform"), "start")
  max_iterations <- check_count(max_iterations, "max_iterations", min = 0)
  if (!is.null(batch_size)) batch_size <- check_count(batch_size, "batch_size")
  options <- list(start = start, max_iterations = max_iterations, batch_size = batch_size)
  new_landmark_method("by_kmeans", options, prefixes = max_iterations == 0, uses_bandwidth = FALSE)
}

#' @export
format.by_kmeans <- function(x, ...) {
  start <- if (x$start == "++") "k-means++ starts" else "uniform starts"
  most <- x$max_iterations
  if (most == 0) return(paste0(start, ", no iterations"))
  if (is.null(x$batch_size)) return(sprintf("k-means, %s, at most %s", start, how_many(most, "iteration")))
  batches <- paste(most, ngettext(most, "batch", "batches"))
  sprintf("k-means, %s, %s of %s", start, batches, how_many(x$batch_size, "row"))
}

#' @export
select_landmarks.by_kmeans <- function(method, source, n, kernel, fixed, call) {
  rows <- if (method$start == "uniform") {
    draw_different(source, rows_apart(source, draw_rows(source, source$dim[1]), fixed), n)
  } else {
    start_plus_plus(method, source, n, call, fixed)
  }
  start <- rows_as_points(source, rows)
  if (method$max_iterations == 0) {
    return(landmark_selection(project_points(start, kernel$space, call), ordered = TRUE, rows = rows))
  }
  found <- find_centers(source, start, method$max_iterations, method$batch_size, fixed, call)
  landmark_selection(project_points(found$centers, kernel$space, call),
    iterations = rep(found$iterations, nrow(found$centers)), exact = found$exact
  )
}

# ---- starts by k-means++ (Arthur and Vassilvitskii, 2007, SODA, 1027-1035) --------------

# With batches the starts are drawn from a random sample, which leaves time to compare several candidates for
# each. The within-cluster sum of squares is then as small as with starts from all rows, or smaller (MNIST
# with 20 and 100 centers, a roll, 200 clusters of uneven size).
start_plus_plus <- function(method, source, n, call, fixed) {
  if (method$max_iterations > 0 && has_batches(source, method$batch_size)) {
    rows <- draw_rows(source, min(5 * as.double(max(method$batch_size, n)), .Machine$integer.max))
    found <- rows[seed_plus_plus(rows_of(source, rows), n, call, fixed, greedy = TRUE)]
    # Where many rows are equal, a sample may have too few different ones.
    if (length(found) == n) return(found)
  }
  seed_plus_plus(source, n, call, fixed)
}

# The numbers of `n` rows, in the order drawn. The first row is drawn with probability proportional to its
# weight. Each further row is drawn with probability proportional to its odds: its weight times its squared
# distance to the nearest row drawn before it. Landmarks of `fixed` count as drawn before the first row. Rows
# of weight 0, and rows equal to an earlier one (up to rounding), have odds 0 and are never drawn. The result
# has fewer than `n` rows if no other row has odds above 0.
#
# Odds change with each row that is drawn, and a pass over all rows for each would take longer than k-means
# itself. So a block of candidates is drawn by the odds at the start of the block, and thinned by
# take_candidates(), which needs distances among the candidates only. One pass over all rows follows for each
# block.
#
# Greedy k-means++ (section 7, recommended there without a proof), for a small source, draws 2 + log(n)
# candidates for each row but the first. It takes the one that leaves the smallest sum over all rows of weight
# times squared distance to the nearest row taken.
seed_plus_plus <- function(source, n, call = rlang::caller_env(), fixed = source_no_points(source),
                           greedy = FALSE) {
  control <- compute_with(call)
  weights <- weights_at(source, seq_len(source$dim[1]))
  # The squared distance of each row to the nearest point so far.
  nearest <- if (nrow(fixed)) squared_from(source, fixed, control) else rep(Inf, source$dim[1])
  tries <- block <- if (greedy) 2L + as.integer(log(n)) else 1L
  rows <- integer()
  bar <- progress_start("Drawing initial centers", n)
  while (length(rows) < n) {
    # There are no distances yet, so that the first row is drawn by the weights alone.
    is_first <- !is.finite(nearest[1])
    odds <- if (is_first) weights else weights * nearest
    if (!any(odds > 0)) break
    # Odds are divided by the largest, so that their sum neither overflows nor underflows.
    below <- cumsum(odds / max(odds))
    drawn <- 1L + findInterval(stats::runif(if (is_first) 1L else block) * below[length(below)], below)
    of <- if (greedy) seq_along(odds) else drawn
    to <- distances_to(if (greedy) source else rows_of(source, of), rows_as_points(source, drawn), control)
    found <- take_candidates(to, match(drawn, of), odds[drawn], weights[of], nearest[of],
      tries = if (is_first) 1L else tries, most = n - length(rows)
    )
    rows <- c(rows, drawn[found$taken])
    nearest <- if (greedy) {
      found$nearest
    } else if (length(rows) < n) {
      pmin(nearest, squared_from(source, rows_as_points(source, drawn[found$taken]), control))
    }
    progress_step(bar, length(found$taken))
    # The size of the next block depends on the rows so far and not on `n`: so the first rows are the same for
    # any `n`.
    used <- length(found$taken) * tries
    if (used > 0.75 * block) block <- min(2L * block, 64L)
    if (used < 0.5 * block) block <- max(block %/% 2L, tries)
  }
  rows
}

# Which candidates are taken, at most `most`: list(taken, nearest), with the squared distance of each row to
# the nearest point then. `to`: squared distances of some rows to the candidates, which are the rows `place`.
# Each candidate in turn is accepted with probability (odds now) / (odds when drawn). Odds only fall, so this
# is rejection sampling: the rows taken have exactly the distribution of drawing one by one. Of each `tries`
# accepted candidates, the best is taken.
take_candidates <- function(to, place, odds, weights, nearest, tries, most) {
  limit <- stats::runif(length(place)) * odds
  # The odds of the first candidate have not fallen: it is accepted even if they are rounded to 0.
  limit[1] <- 0
  taken <- group <- integer()
  for (k in seq_along(place)) {
    if (limit[k] < odds[k]) group <- c(group, k)
    if (length(group) < tries) next
    lower <- pmin(to[, group, drop = FALSE], nearest)
    best <- if (tries > 1) which.min(crossprod(lower, weights)) else 1L
    taken <- c(taken, group[best])
    nearest <- lower[, best]
    odds <- weights[place] * nearest[place]
    group <- integer()
    if (length(taken) == most) break
  }
  list(taken = taken, nearest = nearest)
}

# ---- the centers ---------------------------------------------------------------------

# The centers of k-means, in the data's units: list(centers, converged, iterations, exact). The points of
# `start` differ from each other. `batch_size` is NULL for Lloyd's algorithm, which is also used where a batch
# would have all rows. `exact` says whether each iteration used all rows; else `converged` is NA, because
# centers move with every batch (Sculley, 2010). The landmarks of `fixed` are further centers, which stay
# where they are, and are not in the result.
find_centers <- function(source, start, max_iterations, batch_size = NULL, fixed = source_no_points(source),
                         call = rlang::caller_env()) {
  exact <- !has_batches(source, batch_size)
  bar <- progress_start("Moving centers", max_iterations)
  settings <- c(list(fixed = nrow(fixed), progress = progress_of(bar)), compute_with(call))
  # Conversions to the data's units and back would add rounding errors in each iteration.
  at <- unname(coordinates_of_kernel(rbind(fixed, start), source))
  found <- if (exact) {
    .Call(C_lloyd, source, at, c(settings, list(max_iterations = as.integer(max_iterations))))
  } else {
    # The smallest distance between two centers.
    points <- lay_out(at, NULL, numeric(ncol(at)), rep(1, ncol(at)))
    apart <- function() min(nearest_rows(points, at, 2L, settings)$distance[2, ])
    settings$single <- nrow(at) > 1 && can_be_single(source, apart()^2)
    rows <- lapply(seq_len(max_iterations), function(b) draw_rows(source, batch_size))
    settings$batch_size <- as.integer(batch_size)
    .Call(C_minibatch, source, unlist(rows), at, settings)
  }
  centers <- in_data_coordinates(found$centers, source)[nrow(fixed) + seq_len(nrow(start)), , drop = FALSE]
  dimnames(centers) <- if (!is.null(source$names)) list(NULL, source$names)
  list(
    centers = centers, converged = if (exact) found$settled else NA,
    iterations = if (exact) found$iterations else max_iterations, exact = exact
  )
}

# Whether there are batches: where one would have all rows there are none.
has_batches <- function(source, batch_size) !is.null(batch_size) && batch_size < source_rows(source)
