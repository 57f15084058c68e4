#' Cluster centres as landmarks
#'
#' A baseline: the centres of k-means with `n` clusters, by [stats::kmeans()] from
#' starts of our own, or the starts alone.
#'
#' The iterations are those of [stats::kmeans()] (Lloyd's). It knows neither
#' weights nor sparse data: with `iterations` above 0 weights are refused, and so
#' are sparse data, rather than filled in silence; `iterations = 0` takes both, and
#' `as.matrix()` fills sparse data that are small enough. Columns are scaled
#' first where [landmarks()] scales them, and centres are projected where there is a `space`.
#' The order of centres is greedy, as for every method; that of starts alone is the order in which
#' they were drawn, so that their first m are what drawing m gives.
#'
#' @param start `"++"`, the default: rows drawn one after another with probability
#'   proportional to the squared distance from the nearest one so far (k-means++,
#'   Arthur and Vassilvitskii, 2007), or `"uniform"`: rows drawn at random.
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
  new_method("by_kmeans", list(
    start = check_choice(start, c("++", "uniform"), "start"),
    iterations = check_count(iterations, "iterations", min = 0)
  ))
}

#' @export
format.by_kmeans <- function(x, ...) {
  start <- if (x$start == "++") "k-means++ starts" else "uniform starts"
  if (x$iterations == 0) return(paste(start, "alone"))
  sprintf("k-means, %s, at most %d iteration%s", start, x$iterations, if (x$iterations == 1) "" else "s")
}

select_landmarks.by_kmeans <- function(method, source, n, kernel, held, call) {
  check_kmeans(method, source, held, call)
  rows <- if (method$start == "++") seed_plus_plus(source, n, call, held) else uniform_rows(source, n, held)
  start <- rows_as_points(source, rows)
  if (method$iterations == 0) {
    return(selection(project_points(start, kernel$space, call), ordered = TRUE, rows = rows))
  }
  found <- lloyd(source, start, method$iterations)
  selection(project_points(found$words, kernel$space, call),
    steps = rep(found$iterations, nrow(found$words))
  )
}

check_kmeans <- function(method, source, held, call) {
  if (method$iterations == 0) return(invisible())
  refused <- if (is.null(source$x)) {
    "sparse data"
  } else if (!is.null(source$weights)) {
    "weights"
  } else if (nrow(held) > 0) {
    "landmarks that are held"
  }
  if (!is.null(refused)) {
    abort_input(c(
      "{.fn by_kmeans} iterates by {.fn stats::kmeans}, which cannot take {refused}.",
      i = "With {.code by_kmeans(iterations = 0)}, the starts alone, it can.",
      i = if (is.null(source$x)) "{.fn as.matrix} fills data that are small enough."
    ), arg = "method", kind = "method", call = call)
  }
}

# n rows at random, each different from the others.
uniform_rows <- function(source, n, held = source_no_points(source)) {
  rows <- rows_apart(source, draw_rows(source, source$dim[1]), held, n)
  rows <- rows[sample.int(length(rows))]
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
