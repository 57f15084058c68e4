#' The neighborhood graph of landmarks
#'
#' Landmarks are the vertices; two are joined where one is among the nearest
#' neighbors of the other. On the way to an embedding, or for what graph packages
#' do: geodesic distances, communities, spanning trees.
#'
#' Landmarks \eqn{i} and \eqn{j} are joined where \eqn{j} is among the `neighbors`
#' nearest of \eqn{i}, or \eqn{i} among those of \eqn{j}; where several are as far as the last, all
#' of them are. What is near is said by \eqn{D_{ij}}{D_ij}:
#' \deqn{D_{ij} = \|t_i - t_j\|^2}{D_ij = ||t_i - t_j||^2}
#' for `distance = "euclidean"`, after the fit's `scale`; and for
#' `"bhattacharyya"` (Wachinger and Golland, 2015, eq. 7)
#' \deqn{D_{ij} = \frac18 (t_i - t_j)^\top C^{-1} (t_i - t_j) +
#'   \frac12 \ln \frac{|C|}{\sqrt{|C_i| |C_j|}}, \quad C = \frac{C_i + C_j}{2}}{
#'   D_ij = (1/8) (t_i - t_j)' C^-1 (t_i - t_j) + (1/2) ln( |C| / sqrt(|C_i| |C_j|) ), C = (C_i + C_j) / 2}
#' with the local covariances \eqn{C_i}: how the data lie around each landmark.
#' Landmarks on two sheets of a manifold that come close in space are far from each
#' other across the sheets. Of 150 random rows of a Swiss roll with 8 neighbors each,
#' one edge in eight leads from sheet to sheet by Euclidean distance, one in fifty by
#' `covariance = "diagonal"`, none by `"full"` (N = 4,000). For \eqn{C_i = C_j = s^2 I} the distance is
#' \eqn{\|t_i - t_j\|^2 / (8 s^2)}{||t_i - t_j||^2 / (8 s^2)}.
#'
#' Local covariances are those that the fit brings (`fit$covariance`), where it has
#' them and `x` is not given; then `covariance` and `covariance_rows` have no effect. Else
#' they are those of the rows of `x` nearest to each landmark (of rows that tie those that come
#' first), as [cov()] gives them, every row counting alike. All of them get a ridge,
#' \eqn{C_i + \mathrm{ridge} \cdot \bar v I}{C_i + ridge * v I}, \eqn{\bar v}{v} the
#' mean of the variances over all landmarks and columns: neighborhoods on a plane, of
#' few rows or with a constant column would have no inverse.
#'
#' Time grows with n^2 d, for full covariances with n^2 d^3 / 6, and memory with n^2,
#' for full covariances also with n d^2: 2,500 landmarks take seconds.
#'
#' @param fit An object of class `landmarks`, of at least two landmarks.
#' @param x Data with the columns that the fit was learned from, or NULL, the default. For `distance =
#'   "bhattacharyya"` the rows around each landmark make its covariance; then `x` must be given, unless the fit brings
#'   covariances (by `by_dpp(covariance = )`). For any distance, edges are compared with the rows of `x` to find
#'   shortcuts.
#' @param neighbors How many neighbors each landmark is joined to at the least, a
#'   whole number below that of landmarks. NULL, the default, is the natural logarithm of the number of
#'   landmarks, rounded, and
#'   at least 3: 5 for 200 landmarks, 8 for 2,000. A number in proportion to the logarithm connects a
#'   random sample of a
#'   manifold, and more neighbors reach farther. Where so many make shortcuts (see the section on them),
#'   fewer are taken, if
#'   3 or more make none and leave the graph in no more pieces.
#' @param distance `"euclidean"` or `"bhattacharyya"`. By default the latter for a fit that brings
#'   covariances, which are there for it, else the former. Where sheets of the data come as close as
#'   landmarks are to each other, Euclidean neighbors are on both, and the graph has shortcuts.
#' @param edge_weights `"heat"`, the default: an edge weighs
#'   \eqn{\exp(-D_{ij} / (2 \sigma^2))}{exp(-D_ij / (2 sigma^2))}; or `"binary"`: 1.
#' @param sigma For `"heat"`: a number above 0, in units of
#'   \eqn{\sqrt{D}}{sqrt(D)}. NULL, the default, is half of the larger of two: the median over landmarks of
#'   \eqn{\sqrt{D}}{sqrt(D)} to the `neighbors`-th nearest, so that a typical farthest
#'   neighbor weighs \eqn{e^{-2}}{e^-2}, 0.14; and the largest \eqn{\sqrt{D}}{sqrt(D)} to the nearest,
#'   so that each landmark has a neighbor that weighs that much. Where landmarks are dense in one place and
#'   far apart in another no one sigma suits both: try `edge_weights = "binary"`, or `"bhattacharyya"`. (Where one
#'   landmark makes it more than five times the first of the two there is a warning.)
#' @param covariance Covariances made of `x`: `"diagonal"`, the default, has the
#'   variances alone and suits many columns; `"full"` knows the directions that the
#'   data lie along, and is for few (some tens at most).
#' @param ridge What is added to the diagonal of local covariances, as a multiple of the mean of all their
#'   variances: a number of at least 0. The default, 0.001, is 3% of the
#'   average standard deviation: below what noise and curvature leave across a
#'   neighborhood, and enough to keep the digits of an inverse.
#' @param covariance_rows How many rows make a covariance, from 2 to the N rows of `x`.
#'   NULL, the default, is 3 N / n, but at least 10, for full covariances at least
#'   d + 1, and at the most N: each row belongs to the neighborhoods of about three
#'   landmarks.
#' @return A sparse symmetric matrix of package Matrix (class `dsCMatrix`), n x n, of
#'   edge weights in (0, 1], with rows and columns `L1`, `L2`, ... and a diagonal of 0.
#'   `igraph::graph_from_adjacency_matrix(g, mode = "undirected", weighted = TRUE)`
#'   makes a graph of it; its weights say how near landmarks are, not how far.
#' @section Shortcuts:
#' An edge from one sheet of a folded manifold to another is a shortcut, and with some of them no embedding
#' unrolls the sheets. An edge is a shortcut where two things hold. It leads across a gap in the data: the third
#' nearest row of its middle is farther away than rows are from each other (the `spacing` of the fit), and than a
#' quarter of the edge's length. And the way round, by edges that are no shortcuts, is at least 5 times as long as the
#' edge. An edge between two pieces of the graph that have no other way to each other is no shortcut.
#'
#' A fit knows the gaps between each landmark and its `3 log(n)` nearest. Give `x` to have all edges compared with the
#' data, also those to landmarks farther away, which are otherwise left aside. Each row of `x` counts, and of more than
#' 5,000 rows a sample. A gap narrower than rows are from each other cannot be told. On Swiss rolls of 1,000 to 20,000
#' points with 50 to 400 landmarks and little noise there was a warning for 100 of 107 embeddings whose first coordinate
#' did not follow the roll. With noise of a twelfth and an eighth of what the sheets are apart (its standard deviation)
#' there was one for 47 of 59 and for 43 of 80.
#'
#' @section Errors and warnings:
#' * `landmarker_error_input`: an argument breaks its rule, `neighbors` of more than
#'   there are other landmarks, say.
#' * `landmarker_error_graph`: there is one landmark only; two coincide, and would be
#'   the same vertex; or one has no neighbor, all its weights being 0 by underflow.
#' * `landmarker_error_covariance`: all local covariances are 0; one has no inverse
#'   with `ridge = 0`; or those of the fit are no covariances.
#' * `landmarker_error_data`: `x` is needed and not given, or has a single row.
#' * `landmarker_warning_shortcuts`: some edges are shortcuts. It says how many, and how many neighbors
#'   make none.
#' * `landmarker_warning_graph`: the graph is in several pieces. It says how large they
#'   are, and the smallest `neighbors` that connects them.
#' @references C. Wachinger and P. Golland (2015). Diverse landmark sampling from
#'   determinantal point processes for scalable manifold learning. arXiv:1503.03506.
#' @examples
#' set.seed(1)
#' x <- sim_swiss_roll(1000)
#' fit <- landmarks(x, 60, bandwidth = 20)
#' g <- landmark_graph(fit, neighbors = 5)
#' head(Matrix::summary(g))
#' summary(Matrix::rowSums(g > 0))
#' # By how the data lie around each landmark.
#' head(Matrix::summary(landmark_graph(fit, x, 5, "bhattacharyya", covariance = "full")))
#' @export
landmark_graph <- function(fit, x = NULL, neighbors = NULL,
                           distance = if (is.null(fit$covariance)) "euclidean" else "bhattacharyya",
                           edge_weights = "heat", sigma = NULL, covariance = "diagonal", ridge = 0.001, covariance_rows = NULL) {
  check_fit(fit)
  local_graph(
    fit, x, neighbors, distance, edge_weights, sigma, covariance, ridge, covariance_rows, rlang::current_env()
  )$weights
}

# The graph with what it was made by: list(weights, distance, kind, sigma (NA for
# binary weights), neighbors, reach (D to the last neighbor of each landmark),
# covariance (with its ridge, in kernel coordinates; NULL for Euclidean distances), lists (a function
# that gives the k nearest of each landmark)).
local_graph <- function(fit, x, neighbors, distance, edge_weights, sigma, covariance, ridge, covariance_rows, call) {
  n <- check_vertices(fit, call)
  if (!is.null(neighbors)) neighbors <- check_count(neighbors, "neighbors", max = n - 1L, call = call)
  distance <- check_choice(distance, c("euclidean", "bhattacharyya"), "distance", call)
  edge_weights <- check_choice(edge_weights, c("heat", "binary"), "edge_weights", call)
  check_heat(sigma, edge_weights, call)
  covariance <- check_choice(covariance, c("diagonal", "full"), "covariance", call)
  ridge <- check_number(ridge, "ridge", 0, closed = TRUE, call = call)

  # Where it has no say it may still be a slip: a number meant for another argument.
  source <- if (!is.null(x)) new_source(fit_data(fit, x, "x", call), fit$center, fit$factor, "x", call)
  how <- compute_with(call)
  at <- unname(t(fit$landmarks) - fit$center) * fit$factor
  spread <- if (distance == "bhattacharyya") {
    add_ridge(graph_covariance(fit, source, covariance, covariance_rows, call), ridge, call)
  }
  squared <- if (is.null(spread)) .Call(C_euclidean, at, how) else bhattacharyya(at, spread, how, call)
  lists <- function(k) .Call(C_neighbors, squared, k)
  near <- lists_with_ties(lists, neighbors %||% most_neighbors(n), n)
  check_distances(near, distance, call)
  edges_of <- function(k) find_edges(near, k, edge_weights, sigma)
  are_shortcuts <- shortcut_finder(fit, at, source, call)
  neighbors <- neighbors %||% default_neighbors(n, edges_of, are_shortcuts)
  edges <- edges_of(neighbors)
  check_isolated(edges, n, call)
  if (edge_weights == "heat" && is.null(sigma)) warn_far(near, neighbors, edges$sigma, call)
  warn_pieces(edges, n, neighbors, lists, edge_weights, sigma, call)
  warn_shortcuts(n, edges, neighbors, edges_of, are_shortcuts, call)
  names <- landmark_names(fit)
  list(
    weights = Matrix::sparseMatrix(edges$low, edges$high,
      x = edges$weight, dims = c(n, n), dimnames = list(names, names), symmetric = TRUE
    ),
    distance = distance, edge_weights = edge_weights, sigma = edges$sigma, neighbors = neighbors,
    reach = near$distance[neighbors, ], covariance = spread, lists = lists
  )
}

# `source`: the data, or NULL.
graph_covariance <- function(fit, source, kind, covariance_rows, call) {
  if (is.null(source) && !is.null(fit$covariance)) return(fit_covariance(fit, call))
  if (is.null(source)) {
    abort_input(c(
      "{.code distance = \"bhattacharyya\"} needs {.arg x}, or a fit by {.code by_dpp(covariance = )}.",
      i = "Give the data that the landmarks were learned from: the rows around each make its covariance."
    ), arg = "x", kind = "data", call = call)
  }
  local_covariances(fit, source, covariance_rows, kind, call)
}

# `at` is d x n.
bhattacharyya <- function(at, covariance, how, call) {
  squared <- .Call(C_bhattacharyya, at, covariance, how)
  if (is.matrix(squared)) return(squared)
  abort_input(c(
    "Local covariances must have an inverse.",
    x = "That of L{squared} has none: the data around it lie on a plane.",
    i = "Give a larger {.arg ridge} or {.arg covariance_rows}."
  ), arg = "ridge", kind = "covariance", call = call)
}

# Distances as close as this tie: they round differently here and in the core.
farthest_tied <- function(distance) distance * (1 + 1e-8)

# Sorted lists of the k nearest and of all that tie with the last of them.
lists_with_ties <- function(lists, k, n) {
  size <- min(k + 8L, n - 1L)
  repeat {
    near <- lists(size)
    if (size == n - 1L || all(near$distance[size, ] > farthest_tied(near$distance[k, ]))) return(near)
    size <- min(2L * size, n - 1L)
  }
}

# By the median landmark: the default sigma, but for landmarks that are far from all others.
typical_sigma <- function(near, k) stats::median(sqrt(near$distance[k, ])) / 2

# Edges low < high, each once, of positive weight, by the first k of sorted lists and
# what ties with the last of them.
find_edges <- function(near, k, edge_weights, sigma) {
  n <- ncol(near$landmark)
  last <- rep(farthest_tied(near$distance[k, ]), each = nrow(near$distance))
  taken <- which(near$distance <= last)
  from <- col(near$landmark)[taken]
  to <- near$landmark[taken]
  low <- pmin(from, to)
  high <- pmax(from, to)
  squared <- near$distance[taken]
  sigma <- sigma %||% max(typical_sigma(near, k), sqrt(near$distance[1, ]) / 2)
  # First over sigma: the square of a small one is 0.
  weight <- if (edge_weights == "heat") exp(-(sqrt(squared) / sigma)^2 / 2) else rep(1, length(taken))
  taken <- weight > 0 & !duplicated((high - 1) * n + low)
  list(
    low = low[taken], high = high[taken], weight = weight[taken],
    sigma = if (edge_weights == "heat") sigma else NA_real_
  )
}

check_vertices <- function(fit, call) {
  n <- nrow(fit$landmarks)
  if (n < 2) {
    abort_input(c("A graph needs a fit of at least two landmarks.", x = "{.arg fit} has one."),
      arg = "fit", kind = "graph", call = call
    )
  }
  n
}

check_heat <- function(sigma, edge_weights, call) {
  if (is.null(sigma)) return(invisible())
  check_number(sigma, "sigma", 0, call = call)
  if (edge_weights == "binary") {
    abort_input(c(
      "{.arg sigma} must be NULL with {.code edge_weights = \"binary\"}: such weights do not use it.",
      x = "It is {describe(sigma)}."
    ), arg = "sigma", call = call)
  }
}

check_distances <- function(near, distance, call) {
  if (!all(is.finite(near$distance))) {
    abort_input(c(
      "Landmarks must have distances that are within a computer's range.",
      x = "Some are too large: a sum of squares overflows.",
      i = "Change the data's unit."
    ), arg = "fit", kind = "graph", call = call)
  }
  same <- which(near$distance[1, ] == 0)
  if (length(same)) {
    what <- if (distance == "euclidean") "place" else "place and covariance"
    abort_input(c(
      "Landmarks must differ: two that coincide would be the same vertex.",
      x = "L{same[1]} and L{near$landmark[1, same[1]]} have the same {what}."
    ), arg = "fit", kind = "graph", call = call)
  }
}

check_isolated <- function(edges, n, call) {
  alone <- setdiff(seq_len(n), c(edges$low, edges$high))
  if (length(alone) == 0) return(invisible())
  others <- if (length(alone) > 1) paste(" and", length(alone) - 1, "more") else ""
  abort_input(c(
    "{.arg sigma} must be large enough for each landmark to have a neighbor.",
    x = "With {.arg sigma} {format(edges$sigma, digits = 4)} all weights of L{alone[1]}{others} are 0.",
    i = "Give a larger {.arg sigma}, or {.code edge_weights = \"binary\"}."
  ), arg = "sigma", kind = "graph", call = call)
}

# One that is far from all others makes the default so large that all weights are alike.
warn_far <- function(near, neighbors, sigma, call) {
  typical <- typical_sigma(near, neighbors)
  if (sigma <= 5 * typical) return(invisible())
  far <- which.max(near$distance[1, ])
  warn_user(c(
    "The default of {.arg sigma} is set by L{far}, which is far from all other landmarks.",
    x = "It is {format(sigma, digits = 3)}, for which most weights are near 1; by the median landmark it were {format(typical, digits = 3)}.",
    i = "Give {.arg sigma}, or leave that landmark out, see {.fn as_landmarks}."
  ), kind = "graph", call = call)
}

# `lists`: a function that gives the sorted lists of the k nearest.
warn_pieces <- function(edges, n, neighbors, lists, edge_weights, sigma, call) {
  pieces <- function(edges) .Call(C_pieces, n, edges$low, edges$high)
  sizes <- sort(tabulate(pieces(edges)), decreasing = TRUE)
  if (length(sizes) == 1) return(invisible())
  all <- lists(n - 1L)
  connects <- function(k) max(pieces(find_edges(all, k, edge_weights, sigma))) == 1
  cure <- if (connects(n - 1L)) {
    # More neighbors only add edges, and a sigma that goes with them only grows.
    least <- bisect(neighbors, n - 1L, connects)
    "With {.code neighbors = {least}}, and no fewer, it is connected."
  } else {
    "More {.arg neighbors} would not connect it, as their weights are 0: give a larger {.arg sigma}."
  }
  shown <- paste(c(sizes[seq_len(min(length(sizes), 5))], if (length(sizes) > 5) "..."), collapse = ", ")
  warn_user(c(
    "The graph of the landmarks is in {length(sizes)} pieces, of {shown} landmarks.",
    i = cure
  ), kind = "graph", call = call)
}

# The smallest whole number in (low, high] that `holds`, as `high` does and `low` does not.
bisect <- function(low, high, holds) {
  while (high - low > 1L) {
    middle <- low + (high - low) %/% 2L
    if (holds(middle)) high <- middle else low <- middle
  }
  high
}
