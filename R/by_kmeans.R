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
#' moves to the row that is farthest from its own center. Distances are computed by matrix products, which is
#' much faster in many dimensions. Sparse data stay sparse.
#'
#' A row of weight 2 counts as two rows, both in the draws of the start and in the means. A row of weight 0
#' is ignored.
#'
#' With `batch_size` centers are found by mini-batch k-means (Sculley, 2010), which does not go over all rows.
#' An iteration draws so many rows at random, each row of weight above 0 as likely as any other. Every row of
#' the batch goes to the nearest center. Then one row \eqn{x} after another, of weight \eqn{w} (1 without
#' weights), draws its center \eqn{c} nearer:
#' \deqn{v_c \leftarrow v_c + w, \qquad
#' c \leftarrow \left(1 - \frac{w}{v_c}\right) c + \frac{w}{v_c} x,}{v_c <- v_c + w,
#' c <- (1 - w/v_c) c + (w/v_c) x,}
#' where \eqn{v_c}, at first 0, is the weight of all rows that have gone to the center so far. So the learning
#' rate of each center falls as one over its count, and a center is the mean of all rows that have gone to it.
#' A center to which no row has gone is still the row that it started from. Where `batch_size` is at least the
#' number of rows (of weight above 0), a batch would have them all: then Lloyd's iterations are made.
#'
#' Columns are scaled first where [landmarks()] scales them, and centers are projected where there is a
#' `space`. Landmarks that [add_landmarks()] holds stand as centers that do not move. Centers are put in
#' greedy order, as all landmarks that have no order of their own. Starts alone (`max_iterations = 0`) keep
#' the order in which they were drawn, so that their first m are what drawing m gives.
#'
#' @param start `"++"`, the default: rows drawn one after another with probability
#'   proportional to weight times squared distance from the nearest one so far (k-means++,
#'   Arthur and Vassilvitskii, 2007), or `"uniform"`: rows drawn at random, by weight.
#' @param max_iterations How many iterations are made at most, a whole number of at least 0. 0 gives the
#'   starts as landmarks. The default is 10. With `batch_size` an iteration is a batch, the default is 100,
#'   and all are made: batches differ, so that centers never stand still. 100 batches of 1,000 rows give each
#'   of 100 centers about 1,000 rows. A mean of so many is known to a thirtieth of its cluster's standard
#'   deviation. More centers need larger batches.
#' @param batch_size `NULL`, the default, for Lloyd's iterations on all rows, or the rows of a batch, a whole
#'   number of at least 1; 1,000 is what Sculley takes. The start is drawn from all rows in either case.
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
  rows <- paste0(format(x$batch_size, big.mark = ","), " row", if (x$batch_size != 1) "s")
  sprintf("k-means, %s, %d batch%s of %s", start, x$max_iterations, if (nzchar(s)) "es" else "", rows)
}

select_landmarks.by_kmeans <- function(method, source, n, kernel, held, call) {
  rows <- if (method$start == "++") seed_plus_plus(source, n, call, held) else uniform_rows(source, n, held)
  start <- rows_as_points(source, rows)
  if (method$max_iterations == 0) {
    return(selection(project_points(start, kernel$space, call), ordered = TRUE, rows = rows))
  }
  found <- find_centers(source, start, method$max_iterations, method$batch_size, held, call)
  selection(project_points(found$centers, kernel$space, call),
    iterations = rep(found$iterations, nrow(found$centers)), exact = found$exact
  )
}

# n rows at random, by weight, each different from the others.
uniform_rows <- function(source, n, held = source_no_points(source)) {
  rows <- rows_apart(source, draw_rows(source, source$dim[1]), held, n)
  rows <- draw_some(rows, length(rows), source$weights)
  # Rows that repeat others are looked for among few at a time.
  taken <- rows[seq_len(n)]
  left <- rows[-seq_len(n)]
  repeat {
    again <- duplicated(rows_as_points(source, taken))
    if (!any(again)) return(taken)
    taken <- c(taken[!again], left[seq_len(min(sum(again), length(left)))])
    left <- left[-seq_len(min(sum(again), length(left)))]
    if (length(taken) < n && !anyDuplicated(rows_as_points(source, taken))) return(taken)
  }
}
