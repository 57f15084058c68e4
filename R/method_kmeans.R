# by_kmeans(): landmarks are the centers of k-means, or rows to start it from.

#' Cluster centers as landmarks
#'
#' Landmarks are the centers of k-means with `n` clusters, or the rows that k-means starts from. Use them as
#' a baseline for other methods, or where a quick summary of dense regions is enough.
#'
#' Centers are found by Lloyd's algorithm. In each iteration every row is assigned to its nearest center, and
#' every center moves to the mean of its rows. The algorithm stops when no row changes its center, or after
#' `max_iterations` iterations. Where the squared distances to several centers agree to nine digits, the
#' first of these centers counts as the nearest. From the same starts the result is that of [stats::kmeans()]
#' with `algorithm = "Lloyd"`, except for such ties and for centers that lose all their rows: such a center
#' moves to the row that is farthest from its own center. Distances are computed by matrix products, which are
#' much faster in many dimensions. Sparse data stay sparse.
#'
#' A row of weight 2 counts as two rows, both in the draws of the start and in the means. A row of weight 0
#' is ignored.
#'
#' With `batch_size` centers are found by mini-batch k-means (Sculley, 2010). Each iteration draws a batch of
#' this many random rows; all rows of weight above 0 are equally likely. Every row of the batch is assigned to
#' its nearest center. Then each row \eqn{x} of the batch in turn, of weight \eqn{w} (1 without weights),
#' moves its center \eqn{c}:
#' \deqn{v_c \leftarrow v_c + w, \qquad
#' c \leftarrow \left(1 - \frac{w}{v_c}\right) c + \frac{w}{v_c} x,}{v_c <- v_c + w,
#' c <- (1 - w/v_c) c + (w/v_c) x,}
#' where \eqn{v_c}, at first 0, is the sum of the weights of all rows that were assigned to the center so far.
#' The learning rate \eqn{w / v_c} falls with this sum, and a center is the mean of all rows assigned to it. A
#' center without such rows stays at the row that it started from. Where `batch_size` is at least the number
#' of rows (of weight above 0), a batch would have all of them, and Lloyd's algorithm is used.
#'
#' Columns are scaled first where [landmarks()] scales them, and centers are projected where there is a
#' `space`. The landmarks that [add_landmarks()] holds are centers that stay in place. New centers are
#' put in greedy order. With `max_iterations = 0` the landmarks are the starts in the order in which they
#' were drawn, so that the first m of n landmarks equal a draw of m.
#'
#' @param start `"++"`, the default, draws rows one after another, with probability proportional to their
#'   weight times their squared distance from the nearest row drawn before (k-means++, Arthur and
#'   Vassilvitskii, 2007). `"uniform"` draws rows with probability proportional to their weight.
#' @param max_iterations The largest number of iterations, a whole number of at least 0. With 0 the landmarks
#'   are the starts. The default is 10. With `batch_size` each iteration is one batch, the default is 100, and
#'   all batches are used, because centers move with every new batch. 100 batches of 1,000 rows give each of
#'   100 centers about 1,000 rows, and the standard error of a mean of 1,000 rows is a thirtieth of the
#'   cluster's standard deviation. More centers need larger batches.
#' @param batch_size `NULL`, the default, for Lloyd's algorithm on all rows, or the number of rows of a batch,
#'   a whole number of at least 1. Sculley uses 1,000. With it the starts `"++"` are drawn from as many random
#'   rows as five batches have, and at least five for each center. For each of them \eqn{2 + \log n}
#'   candidates are drawn, and the one that lowers the sum of squared distances most is taken (greedy
#'   k-means++).
#' @return A method object for `landmarks(method = )`, a list of class `by_kmeans`.
#' @references D. Arthur and S. Vassilvitskii (2007). k-means++: the advantages of
#'   careful seeding. *Proceedings of the 18th ACM-SIAM Symposium on Discrete
#'   Algorithms*, 1027-1035.
#'
#'   D. Sculley (2010). Web-scale k-means clustering. *Proceedings of the 19th International
#'   Conference on World Wide Web*, 1177-1178.
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
  new_method("by_kmeans", list(start = start, max_iterations = max_iterations, batch_size = batch_size),
    prefixes = max_iterations == 0, uses_bandwidth = FALSE
  )
}

#' @export
format.by_kmeans <- function(x, ...) {
  start <- if (x$start == "++") "k-means++ starts" else "uniform starts"
  most <- x$max_iterations
  if (most == 0) return(paste(start, "alone"))
  if (is.null(x$batch_size)) return(sprintf("k-means, %s, at most %s", start, how_many(most, "iteration")))
  batches <- paste(most, if (most == 1) "batch" else "batches")
  sprintf("k-means, %s, %s of %s", start, batches, how_many(x$batch_size, "row"))
}

#' @export
select_landmarks.by_kmeans <- function(method, source, n, kernel, held, call) {
  rows <- if (method$start == "uniform") {
    draw_different(source, rows_apart(source, draw_rows(source, source$dim[1]), held), n)
  } else {
    start_plus_plus(method, source, n, call, held)
  }
  start <- rows_as_points(source, rows)
  if (method$max_iterations == 0) {
    return(selection(project_points(start, kernel$space, call), ordered = TRUE, rows = rows))
  }
  found <- find_centers(source, start, method$max_iterations, method$batch_size, held, call)
  selection(project_points(found$centers, kernel$space, call),
    iterations = rep(found$iterations, nrow(found$centers)), exact = found$exact
  )
}

# Rows to start from by k-means++. Before random batches they are drawn from a random sample, which leaves
# time to look at several candidates for each: what the centers then leave of the distances is as little as
# from all rows, or less (MNIST with 20 and 100 centers, a roll, 200 clusters of uneven size).
start_plus_plus <- function(method, source, n, call, held) {
  if (method$max_iterations > 0 && has_batches(source, method$batch_size)) {
    rows <- draw_rows(source, sample_of_starts(method, n))
    found <- rows[seed_plus_plus(rows_of(source, rows), n, call, held, greedy = TRUE)]
    # Where many rows are equal, a sample may have too few different ones.
    if (length(found) == n) return(found)
  }
  seed_plus_plus(source, n, call, held)
}

# How many rows that sample has at the most.
sample_of_starts <- function(method, n) {
  as.integer(min(5 * as.double(max(method$batch_size, n)), .Machine$integer.max))
}

# ---- starts by k-means++ (Arthur and Vassilvitskii, 2007, SODA, 1027-1035) --------------

# The numbers of `n` rows, in the order drawn. The first row is drawn with probability proportional to its
# weight. Each further row is drawn with probability proportional to its odds: its weight times its squared
# distance to the nearest row drawn before it. Landmarks of `held` count as drawn before the first row. Rows
# of weight 0, and rows equal to an earlier one (up to rounding), have odds 0 and are never drawn. The result
# has fewer than `n` rows where no other row has odds above 0.
#
# Odds change with each row that is drawn, and a pass over all rows for each would take longer than k-means
# itself. So a block of candidates is drawn by the odds at the start of the block. Then each candidate in turn
# is taken with probability (odds now) / (odds at the start of the block). Odds only fall, so this is
# rejection sampling: the rows taken have exactly the distribution of drawing one by one. It needs distances
# among the candidates only, and one pass over all rows for each block.
#
# Greedy k-means++ (section 7, recommended there without a proof), for a small source, draws 2 + log(n)
# candidates for each row but the first. It takes the one that leaves the smallest sum over all rows of weight
# times squared distance to the nearest row taken.
seed_plus_plus <- function(source, n, call = rlang::caller_env(), held = source_no_points(source),
                           greedy = FALSE) {
  how <- compute_with(call)
  weights <- weights_at(source, seq_len(source$dim[1]))
  # The squared distance of each row to the nearest point so far.
  nearest <- if (nrow(held)) squared_from(source, held, how) else rep(Inf, source$dim[1])
  tries <- if (greedy) 2L + as.integer(log(n)) else 1L
  take <- if (greedy) take_best else take_apart
  rows <- integer()
  block <- tries
  bar <- progress_start("Drawing starts", n)
  while (length(rows) < n) {
    # The first row has no distances yet, and all rows are as good.
    is_first <- !is.finite(nearest[1])
    odds <- if (is_first) weights else weights * nearest
    if (!any(odds > 0)) break
    drawn <- draw_by(odds, if (is_first) 1L else block)
    found <- take(source, drawn, odds, weights, nearest, how, if (is_first) 1L else tries, n - length(rows))
    rows <- c(rows, drawn[found$taken])
    nearest <- found$nearest
    progress_step(bar, length(found$taken))
    # The size of the next block depends on the rows so far and not on `n`: so the first rows are the same for
    # any `n`.
    block <- next_block(block, length(found$taken) * tries, tries)
  }
  rows
}

# How many candidates the next block has, at least `least`, after a block of which so many were used.
next_block <- function(block, used, least) {
  if (used > 0.75 * block) block <- min(2L * block, 64L)
  if (used < 0.5 * block) block <- max(block %/% 2L, least)
  block
}

# `count` random rows, each with probability proportional to its odds, which are finite. At least one row must
# have odds above 0. Odds are divided by the largest, so that their sum neither overflows nor underflows.
draw_by <- function(odds, count) {
  below <- cumsum(odds / max(odds))
  row <- 1L + findInterval(stats::runif(count) * below[length(below)], below)
  # A draw may be rounded to the whole sum. Then the last row with odds above 0 is taken, the first at which
  # the running sum is largest.
  last <- row > length(below)
  if (any(last)) row[last] <- which.max(below)
  row
}

# The candidates that are taken, `drawn` by `odds`: list(taken, nearest), their places, at most `most`, and
# the squared distance of each row to the nearest point with these.
take_apart <- function(source, drawn, odds, weights, nearest, how, tries, most) {
  candidates <- rows_of(source, drawn)
  at <- rows_as_points(candidates, seq_along(drawn))
  between <- distances_to(candidates, at, how)
  odds <- odds[drawn]
  limit <- stats::runif(nrow(at)) * odds
  # The odds of the first candidate have not fallen, and it is always taken, even if its odds are rounded to
  # 0.
  limit[1] <- 0
  taken <- integer()
  for (k in seq_len(nrow(at))) {
    if (limit[k] >= odds[k]) next
    taken <- c(taken, k)
    odds <- pmin(odds, weights[drawn] * between[, k])
  }
  if (length(taken) < most) {
    nearest <- pmin(nearest, squared_from(source, at[taken, , drop = FALSE], how))
  }
  list(taken = utils::head(taken, most), nearest = nearest)
}

# The same for greedy k-means++. Of each `tries` candidates that count, the best is taken. A candidate counts
# with probability (odds now) / (odds when drawn).
take_best <- function(source, drawn, odds, weights, nearest, how, tries, most) {
  to <- distances_to(source, rows_as_points(source, drawn), how)
  chance <- stats::runif(length(drawn))
  then <- now <- odds[drawn]
  taken <- group <- integer()
  for (k in seq_along(drawn)) {
    if (chance[k] < now[k] / then[k]) group <- c(group, k)
    if (length(group) < tries) next
    lower <- pmin(to[, group, drop = FALSE], nearest)
    best <- which.min(crossprod(lower, weights))
    taken <- c(taken, group[best])
    nearest <- lower[, best]
    now <- weights[drawn] * nearest[drawn]
    group <- integer()
    if (length(taken) == most) break
  }
  list(taken = taken, nearest = nearest)
}

# ---- the centers ---------------------------------------------------------------------

# The centers of k-means, in the data's units: list(centers, converged, iterations, exact). The points of
# `start` differ from each other. `batch_size` is NULL for Lloyd's algorithm, which is also used where a batch
# would have all rows. `exact` says whether each iteration used all rows. The landmarks of `held` are further
# centers, which stay where they are, and are not in the result.
find_centers <- function(source, start, max_iterations, batch_size, held = source_no_points(source),
                         call = rlang::caller_env()) {
  exact <- !has_batches(source, batch_size)
  found <- if (exact) {
    lloyd(source, start, max_iterations, held, call)
  } else {
    minibatch(source, start, max_iterations, batch_size, held, call)
  }
  c(found, list(exact = exact))
}

# Whether there are batches: where one would have all rows there are none.
has_batches <- function(source, batch_size) !is.null(batch_size) && batch_size < source_rows(source)

# ---- Lloyd's iterations --------------------------------------------------------------

# Lloyd's algorithm: list(centers, converged, iterations). Arguments are those of find_centers().
lloyd <- function(source, start, max_iterations, held = source_no_points(source),
                  call = rlang::caller_env()) {
  moving <- nrow(held) + seq_len(nrow(start))
  moved <- start
  done <- 0L
  bar <- progress_start("Moving centers", max_iterations)
  settings <- c(list(held = nrow(held)), compute_with(call))
  settings$progress <- progress_of(bar)
  repeat {
    settings$max_iterations <- as.integer(max_iterations) - done
    # The centers stay in kernel coordinates during all iterations, because conversions would add rounding
    # errors.
    at <- unname(coordinates_of_kernel(rbind(held, moved), source))
    found <- .Call(C_lloyd, source, at, settings)
    done <- done + found$iterations
    moved <- in_data_coordinates(found$centers, source)[moving, , drop = FALSE]
    empty <- which(found$size[moving] == 0)
    # A center that has lost all its rows starts again at the row that is farthest from its own center. There
    # are at least as many different rows as centers, so that such rows exist.
    if (length(empty)) {
      moved[empty, ] <- rows_as_points(source, farthest(source, found$squared, length(empty)))
    }
    if (length(empty) == 0 || done >= max_iterations) break
  }
  dimnames(moved) <- if (!is.null(source$names)) list(NULL, source$names)
  list(centers = moved, converged = length(empty) == 0 && found$settled, iterations = done)
}

# The numbers of the `count` rows that are farthest from their own centers, given the `squared` distances.
# They differ from each other, and have a weight above 0. Rows that are equally far, to nine digits, stay in
# their order.
farthest <- function(source, squared, count) {
  squared <- nearest_digits(squared)
  if (!is.null(source$weights)) squared[source$weights == 0] <- -1
  far <- order(squared, decreasing = TRUE)
  taken <- integer()
  # Equal rows are taken once. Rows are compared in blocks, which need little memory.
  for (some in point_blocks(length(far), source$dim[2])) {
    taken <- c(taken, far[some])
    taken <- taken[different_rows(rows_of(source, taken), compute_with())]
    if (length(taken) >= count) break
  }
  taken[seq_len(count)]
}

# ---- random batches (Sculley, 2010) --------------------------------------------------

# Centers from `batches` batches of random rows: each batch moves the centers that are nearest to its rows.
# `converged` is NA, because centers move with every batch.
minibatch <- function(source, start, batches, batch_size, held, call) {
  n <- nrow(held) + nrow(start)
  # The centers stay in kernel coordinates, as in lloyd().
  at <- unname(coordinates_of_kernel(rbind(held, start), source))
  count <- numeric(n)
  settings <- c(list(held = nrow(held), batch_size = as.integer(batch_size)), compute_with(call))
  bar <- progress_start("Moving centers", batches)
  apart <- if (n > 1) {
    centers <- lay_out(at, NULL, numeric(ncol(at)), rep(1, ncol(at)))
    min(nearest_rows(centers, at, 2L, settings)$distance[2, ])^2
  }
  settings$single <- n > 1 && can_be_single(source, apart)
  # The core collects the rows of several batches together, at most 64 MB, so that one pass over the columns
  # of a matrix serves them.
  bytes <- (if (settings$single) 4 else 8) * stored_columns(source) * batch_size
  settings$at_once <- as.integer(min(max(1, floor(64e6 / bytes)), batches))
  at_once <- max(1, floor(1e6 / batch_size))
  done <- 0
  while (done < batches) {
    step <- min(at_once, batches - done)
    rows <- lapply(seq_len(step), function(b) draw_rows(source, batch_size))
    found <- .Call(C_minibatch, source, unlist(rows), at, count, settings)
    at <- found$centers
    count <- found$count
    done <- done + step
    progress_step(bar, step)
  }
  centers <- in_data_coordinates(at, source)[nrow(held) + seq_len(nrow(start)), , drop = FALSE]
  dimnames(centers) <- if (!is.null(source$names)) list(NULL, source$names)
  list(centers = centers, converged = NA, iterations = batches)
}
