# A sketch: some of the rows, chosen to represent all of them.

#' A sketch of the data: which rows to keep
#'
#' `sketch_rows()` chooses `size` rows that stand for all rows of the data, cells of a large experiment for
#' example. First each landmark, in order, gives its nearest row. If an earlier landmark has taken this row,
#' it gives its nearest free row. If `size` exceeds the number of landmarks, active learning chooses further
#' rows ([by_active()], with the bandwidth of the fit): each time the row that the chosen rows explain worst.
#' If the chosen rows explain all others fully, as with many equal rows, each landmark gives its next nearest
#' free row.
#'
#' @section How many landmarks:
#' Fewer landmarks than rows keep more of rare groups: landmarks lie where the data are, and active learning
#' looks for what they leave out. A fifth of `size` is a good choice.
#'
#' The table is of 20,000 simulated cells of 20 types, from 26% of the cells to 0.09%, in 20 principal
#' components of 2,000 genes (means of five data sets). `kept` is the share of the cells of the six rarest
#' types (below 0.5% each) that is in the sketch, in percent. `types` is the number of types with a cell in
#' it. `distance` is the 99% quantile of the distance from a cell to the nearest cell of the sketch, and
#' `largest` the largest one, the Hausdorff distance.
#'
#' ```{r, echo = FALSE, comment = ""}
#' cells <- readRDS(system.file("evidence", "cells.rds", package = "landmarker"))
#' for (size in names(cells$means)) {
#'   m <- cells$means[[size]]
#'   shown <- data.frame(
#'     kept = sprintf("%.1f", 100 * m[, "kept"]), types = sprintf("%.1f", m[, "types"]),
#'     distance = sprintf("%.2f", m[, "quantile"]), largest = sprintf("%.2f", m[, "largest"]),
#'     row.names = cells$labels[rownames(m)]
#'   )
#'   cat(size, "cells\n")
#'   print(shown)
#' }
#' ```
#'
#' Leverage scores are draws with probability proportional to the squared length of a cell's left singular
#' vectors, and the grid is one cell of each box of equal size, as in geometric sketching. [by_active()]
#' alone keeps about as many rare cells. Taking the landmarks' rows first, and then always the row farthest
#' from all rows taken, leaves shorter distances, above all the largest one, and keeps fewer rare cells.
#' k-means gives the smallest 99% quantile with 200 cells.
#'
#' @param fit An object of class `landmarks`.
#' @param x Data with the columns that the fit was learned from, N rows; also an experiment of Bioconductor,
#'   of which the columns are numbered (see [landmarks.SummarizedExperiment()]). From data in chunks a sample
#'   is read, and the sketch chosen from it, see [chunked()].
#' @param size The number of rows to keep, from 1 to N. The default is the number of landmarks. Where it is
#'   smaller, the first landmarks are used.
#' @param threads,verbose As in [landmarks()].
#' @return The numbers of the rows, an integer vector of length `size` without repeats, for
#'   `x[sketch_rows(fit, x), ]`. Rows with missing values that the fit left out (`na.action`, see
#'   [landmarks-data]) are never chosen, and the numbers are those of the rows of `x`.
#' @seealso [nearest_observations()], the nearest rows with their distances and with repeats.
#' @examples
#' set.seed(1)
#' x <- sim_swiss_roll(1000)
#' fit <- landmarks(x, 20)
#' rows <- sketch_rows(fit, x, 30)
#' rows
#' # The farthest that a row is from the sketch, and from as many random rows
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
    check_work(as.double(rows) * (size + 4), "A sketch of {size} from {rows} rows needs",
      "Use a smaller {.arg size}, or at most {n}, the number of landmarks.", "size", call
    )
  }
  source$numbers[with_call(chosen_rows(fit, source, size, compute_with()), call)]
}

chosen_rows <- function(fit, source, size, how) {
  first <- fit$landmarks[seq_len(min(size, nrow(fit$landmarks))), , drop = FALSE]
  rows <- nearest_free(source, first, integer(), how)
  if (length(rows) < size) {
    points <- rows_as_points(source, rows)
    limits <- c(0, row_floor)
    wanted <- size - length(rows)
    rows <- c(rows, active_rows(source, points, wanted, fit_kernel(fit), how, limits = limits)$rows)
  }
  # Fewer rows were chosen than wanted: those that are left add nothing to the kernel, and any of them will
  # do.
  while (length(rows) < size) rows <- c(rows, nearest_free(source, first, rows, how))
  rows[seq_len(size)]
}

# For each landmark, in order, the nearest row that is neither among `taken` nor of a landmark before it.
# Fewer where no row is left.
nearest_free <- function(source, landmarks, taken, how) {
  free <- replace(rep(TRUE, source$dim[1]), taken, FALSE)
  wanted <- min(nrow(landmarks), sum(free))
  # So many nearest rows of a landmark always include a free one.
  most <- length(taken) + wanted
  k <- min(8L, most)
  near <- nearest_rows(source, landmarks, k, how)$observation
  rows <- integer(wanted)
  for (l in seq_len(wanted)) {
    while (!any(free[near[, l]])) {
      k <- min(4L * k, most)
      near <- nearest_rows(source, landmarks, k, how)$observation
    }
    rows[l] <- near[free[near[, l]], l][1]
    free[rows[l]] <- FALSE
  }
  rows
}
