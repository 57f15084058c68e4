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
  if (x$max_iterations == 0) return(paste(start, "alone"))
  s <- if (x$max_iterations == 1) "" else "s"
  if (is.null(x$batch_size)) {
    return(sprintf("k-means, %s, at most %d iteration%s", start, x$max_iterations, s))
  }
  rows <- paste0(format(x$batch_size, big.mark = big_mark()), " row", if (x$batch_size != 1) "s")
  sprintf("k-means, %s, %d batch%s of %s", start, x$max_iterations, if (nzchar(s)) "es" else "", rows)
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
  if (starts_from_sample(method, source)) {
    rows <- draw_rows(source, sample_of_starts(method, n))
    found <- rows[seed_greedy(rows_of(source, rows), n, call, held)]
    # Where many rows are equal, a sample may have too few different ones.
    if (length(found) == n) return(found)
  }
  seed_plus_plus(source, n, call, held)
}

starts_from_sample <- function(method, source) {
  method$max_iterations > 0 && has_batches(source, method$batch_size)
}

# How many rows that sample has at the most.
sample_of_starts <- function(method, n) {
  as.integer(min(5 * as.double(max(method$batch_size, n)), .Machine$integer.max))
}
