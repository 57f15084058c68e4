#' Cluster centers as landmarks
#'
#' A baseline: the centers of k-means with `n` clusters, or the rows that k-means starts from.
#'
#' Centers are found by Lloyd's iterations: every row goes to the nearest center, then every center moves
#' to the mean of its rows, until no row changes its center or `iterations` is reached. Of centers whose
#' squared distances agree to nine digits the first is the nearest. From the same starts the result is that of
#' [stats::kmeans()] with `algorithm = "Lloyd"`, but for such ties and for centers that lose all their rows:
#' here they start anew at the row that is farthest from its own center. Distances are made by matrix
#' products,
#' which is much quicker in many dimensions. Sparse data stay sparse.
#'
#' A row of weight 2 counts as two rows, both in the draws of the start and in the means; a row of
#' weight 0 does not count at all.
#'
#' Columns are scaled first where [landmarks()] scales them, and centers are projected where there is a
#' `space`. Landmarks that [add_landmarks()] holds stand as centers that do not move. Centers are put in
#' greedy order, as all landmarks that have no order of their own. Starts alone (`iterations = 0`) keep the
#' order in which they were drawn, so that their first m are what drawing m gives.
#'
#' @param start `"++"`, the default: rows drawn one after another with probability
#'   proportional to weight times squared distance from the nearest one so far (k-means++,
#'   Arthur and Vassilvitskii, 2007), or `"uniform"`: rows drawn at random, by weight.
#' @param iterations At the most, a whole number of at least 0 (default 10).
#'   0 gives the starts as landmarks.
#' @return A method object for `landmarks(method = )`, a list of class `by_kmeans`.
#' @references D. Arthur and S. Vassilvitskii (2007). k-means++: the advantages of
#'   careful seeding. *Proceedings of the 18th ACM-SIAM Symposium on Discrete
#'   Algorithms*, 1027-1035.
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
    iterations = rep(found$iterations, nrow(found$words))
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
