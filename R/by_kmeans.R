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
#' Columns are scaled first where [landmarks()] scales them. Where there is a `space`, the final centers are
#' projected on it. Landmarks that [add_landmarks()] holds are centers that stay where they are. The new
#' centers are put in greedy order. Starts alone (0 iterations) keep the order in which they were drawn, so
#' that the first m of n starts equal a draw of m.
#'
#' @param start `"++"`, the default: rows drawn one after another with probability proportional to weight
#'   times squared distance from the nearest row drawn so far (k-means++, Arthur and Vassilvitskii, 2007), or
#'   `"uniform"`: rows drawn at random, by weight.
#' @param iterations At the most, a whole number of at least 0 (default 10).
#'   0 gives the starts as landmarks.
#' @return A method object for `landmarks(method = )`, a list of class `by_kmeans`.
#' @references D. Arthur and S. Vassilvitskii (2007). k-means++: the advantages of careful seeding.
#'   *Proceedings of the 18th ACM-SIAM Symposium on Discrete Algorithms*, 1027-1035.
#' @examples
#' set.seed(1)
#' x <- sim_spiral(500)
#' landmarks(x, 12, by_kmeans(), bandwidth = 0.2)
#' landmarks(x, 12, by_kmeans(iterations = 0), bandwidth = 0.2)$rows
#' @export
by_kmeans <- function(start = "++", iterations = 10) {
  start <- check_choice(start, c("++", "uniform"), "start")
  iterations <- check_count(iterations, "iterations", min = 0)
  new_method("by_kmeans", list(start = start, iterations = iterations), prefixes = iterations == 0, uses_bandwidth = FALSE)
}

#' @export
format.by_kmeans <- function(x, ...) {
  start <- if (x$start == "++") "k-means++ starts" else "uniform starts"
  if (x$iterations == 0) return(paste(start, "alone"))
  sprintf("k-means, %s, at most %d iteration%s", start, x$iterations, if (x$iterations == 1) "" else "s")
}

select_landmarks.by_kmeans <- function(method, source, n, kernel, held, call) {
  rows <- if (method$start == "++") seed_plus_plus(source, n, call, held) else uniform_rows(source, n, held)
  start <- rows_as_points(source, rows)
  if (method$iterations == 0) {
    return(selection(project_points(start, kernel$space, call), ordered = TRUE, rows = rows))
  }
  found <- lloyd(source, start, method$iterations, held, call)
  selection(project_points(found$words, kernel$space, call),
    steps = rep(found$iterations, nrow(found$words))
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
    if (length(taken) < n && !any(duplicated(rows_as_points(source, taken)))) return(taken)
  }
}
