#' Neighborhood graph of landmarks
#'
#' `landmark_graph()` joins each landmark to its nearest neighbors. The graph is the first step of
#' [embed_landmarks()]. Use it by itself to look at the edges, or for geodesic distances, communities and
#' spanning trees with a graph package.
#'
#' Landmarks are the vertices. Landmarks \eqn{i} and \eqn{j} are joined if \eqn{j} is among the `neighbors`
#' nearest of \eqn{i}, or \eqn{i} is among those of \eqn{j}. If several landmarks are as far as the last of
#' these, all of them are joined. Nearness is measured by \eqn{D_{ij}}{D_ij}. For `distance = "euclidean"` it
#' is
#' \deqn{D_{ij} = \|t_i - t_j\|^2}{D_ij = ||t_i - t_j||^2}
#' of the landmarks' coordinates \eqn{t_i} and \eqn{t_j}, after the fit's `scale`. For `"bhattacharyya"` it
#' is (Wachinger and Golland, 2015, eq. 7)
#' \deqn{D_{ij} = \frac18 (t_i - t_j)^\top C^{-1} (t_i - t_j) +
#'   \frac12 \ln \frac{|C|}{\sqrt{|C_i| |C_j|}}, \quad C = \frac{C_i + C_j}{2}}{
#'   D_ij = (1/8) (t_i - t_j)' C^-1 (t_i - t_j) + (1/2) ln( |C| / sqrt(|C_i| |C_j|) ), C = (C_i + C_j) / 2}
#' with the local covariances \eqn{C_i}, which describe how the data lie around each landmark. With them,
#' landmarks on two neighboring sheets of a folded surface are far from each other. An example is a Swiss
#' roll of N = 4,000 points with 150 random rows as landmarks and 8 neighbors each. One edge in eight leads
#' from sheet to sheet by Euclidean distance, one in fifty by `covariance = "diagonal"`, none by `"full"`.
#' For \eqn{C_i = C_j = s^2 I} the distance is \eqn{\|t_i - t_j\|^2 / (8 s^2)}{||t_i - t_j||^2 / (8 s^2)}.
#'
#' If the fit has local covariances (`fit$covariance`) and `x` is not given, these are used, and the
#' arguments `covariance` and `covariance_rows` have no effect. Otherwise the covariance of a landmark is
#' that of the rows of `x` nearest to it (of rows that tie, the first ones are taken), as [cov()] computes
#' it, each row counting once. All covariances get a ridge,
#' \eqn{C_i + \mathrm{ridge} \cdot \bar v I}{C_i + ridge * v I}, where \eqn{\bar v}{v} is the mean of the
#' variances over all landmarks and columns. Without the ridge, neighborhoods on a plane, with few rows or
#' with a constant column would have no inverse.
#'
#' Time is proportional to n^2 d for n landmarks in d dimensions, for full covariances to n^2 d^3 / 6. Memory
#' is proportional to n^2, for full covariances also to n d^2. 2,500 landmarks take seconds.
#'
#' @param fit An object of class `landmarks` with at least two landmarks.
#' @param x Data with the columns that the fit was learned from, or NULL, the default. For
#'   `distance = "bhattacharyya"` the rows around each landmark give its covariance; then `x` must be given,
#'   unless the fit has covariances (by `by_dpp(covariance = )`). For any distance, edges are compared with
#'   the rows of `x` to find shortcuts.
#' @param neighbors The smallest number of neighbors of a landmark, a whole number below the number of
#'   landmarks. NULL, the default, is the natural logarithm of the number of landmarks, rounded, and at least
#'   3: 5 for 200 landmarks, 8 for 2,000. A number proportional to the logarithm connects a random sample of
#'   a manifold, and more neighbors make longer edges. Where the default would make shortcuts (see
#'   Shortcuts), a smaller number of 3 or more is used, if it makes none and leaves the graph with as few
#'   components.
#' @param distance `"euclidean"` or `"bhattacharyya"`. The default is `"bhattacharyya"` for a fit with
#'   covariances and `"euclidean"` for others. Where sheets of the data come as close as landmarks are to
#'   each other, Euclidean neighbors lie on both sheets, and the graph has shortcuts.
#' @param weights `"heat"`, the default: an edge weighs
#'   \eqn{\exp(-D_{ij} / (2 \sigma^2))}{exp(-D_ij / (2 sigma^2))}; or `"binary"`: 1.
#' @param sigma For heat weights: \eqn{\sigma}{sigma}, a number above 0, in units of \eqn{\sqrt{D}}{sqrt(D)}.
#'   NULL, the default, is half of the larger of two distances. The first is the median over landmarks of
#'   \eqn{\sqrt{D}}{sqrt(D)} to the `neighbors`-th nearest, so that a typical farthest neighbor weighs
#'   \eqn{e^{-2}}{e^-2}, 0.14. The second is the largest \eqn{\sqrt{D}}{sqrt(D)} to the nearest, so that each
#'   landmark has a neighbor of at least this weight. Where landmarks are dense in one place and far apart in
#'   another, one sigma cannot suit both: try binary weights, or `"bhattacharyya"`. A warning is given if one
#'   landmark makes sigma more than five times half the first distance.
#' @param covariance Kind of the covariances computed from `x`: `"diagonal"`, the default, has the variances
#'   alone and suits many columns; `"full"` also has the directions along which the data lie, and is for at
#'   most some tens of columns.
#' @param ridge The number that is added to the diagonal of local covariances, as a multiple of the mean of
#'   all their variances: at least 0. The default, 0.001, is 3% of the average standard deviation. This is
#'   less than noise and curvature add across a neighborhood, and large enough for an accurate inverse.
#' @param observations How many rows make a covariance, from 2 to the N rows of `x`.
#'   NULL, the default, is 3 N / n, but at least 10, for full covariances at least
#'   d + 1, and at the most N: each row belongs to the neighborhoods of about three
#'   landmarks.
#' @return A sparse symmetric matrix of package Matrix (class `dsCMatrix`), n x n, of edge weights in (0, 1],
#'   with rows and columns `L1`, `L2`, ... and a diagonal of 0.
#'   `igraph::graph_from_adjacency_matrix(g, mode = "undirected", weighted = TRUE)` makes an igraph graph of
#'   it. A larger weight means nearer landmarks, so the weights cannot be used as lengths.
#' @section Shortcuts:
#' A shortcut is an edge from one sheet of a folded surface to another. An embedding of a graph with
#' shortcuts does not unroll the sheets. An edge counts as a shortcut if two conditions hold. First, it leads
#' across a gap in the data: the distance from the middle of the edge to its third nearest row is larger than
#' a typical distance between rows (the `spacing` of the fit), and larger than a quarter of the edge's
#' length. Second, the path along other edges that are no shortcuts is at least 5 times as long as the edge.
#' An edge that is the only connection of two components is no shortcut.
#'
#' A fit knows the gaps between each landmark and its `3 log(n)` nearest. With `x`, all edges are compared
#' with the data; without `x`, edges to landmarks farther away are left unchecked. Each row of `x` counts;
#' from more than 5,000 rows a sample is taken. A gap narrower than the distance between rows cannot be
#' found. The rule was measured on Swiss rolls of 1,000 to 20,000 points with 50 to 400 landmarks. With
#' little noise there was a warning for 100 of 107 embeddings whose first coordinate did not follow the roll.
#' With noise whose standard deviation was a twelfth and an eighth of the distance between sheets, there was
#' a warning for 47 of 59 and for 43 of 80.
#'
#' @section Errors and warnings:
#' * `landmarker_error_input`: an argument breaks its rule, for example `neighbors` larger than the number of
#'   other landmarks.
#' * `landmarker_error_graph`: there is only one landmark; two landmarks coincide and would be the same
#'   vertex; or all weights of a landmark underflow to 0, so that it has no neighbor.
#' * `landmarker_error_covariance`: all local covariances are 0; one has no inverse with `ridge = 0`; or
#'   those of the fit are invalid.
#' * `landmarker_error_data`: `x` is needed and missing, or has a single row.
#' * `landmarker_warning_shortcuts`: some edges are shortcuts. The warning has their number, and the number
#'   of neighbors without shortcuts.
#' * `landmarker_warning_graph`: the graph has several components. The warning has their sizes, and the
#'   smallest `neighbors` that connects them.
#' @references C. Wachinger and P. Golland (2015). Diverse landmark sampling from determinantal point
#'   processes for scalable manifold learning. arXiv:1503.03506.
#' @examples
#' set.seed(1)
#' x <- sim_swiss_roll(1000)
#' fit <- landmarks(x, 60, bandwidth = 20)
#' g <- landmark_graph(fit, neighbors = 5)
#' head(Matrix::summary(g))
#' summary(Matrix::rowSums(g > 0))
#' # With local covariances of the data.
#' head(Matrix::summary(landmark_graph(fit, x, 5, "bhattacharyya", covariance = "full")))
#' @export
landmark_graph <- function(fit, x = NULL, neighbors = NULL,
                           distance = if (is.null(fit$covariance)) "euclidean" else "bhattacharyya",
                           weights = "heat", sigma = NULL, covariance = "diagonal", ridge = 0.001, observations = NULL) {
  check_fit(fit)
  local_graph(
    fit, x, neighbors, distance, weights, sigma, covariance, ridge, observations, rlang::current_env()
  )$weights
}

# The graph with what it was made by: list(weights, distance, kind, sigma (NA for
# binary weights), neighbors, reach (D to the last neighbor of each landmark),
# covariance (with its ridge, in kernel coordinates; NULL for Euclidean distances), lists (a function
# that gives the k nearest of each landmark)).
local_graph <- function(fit, x, neighbors, distance, weights, sigma, covariance, ridge, observations, call) {
  n <- check_vertices(fit, call)
  if (!is.null(neighbors)) neighbors <- check_count(neighbors, "neighbors", max = n - 1L, call = call)
  distance <- check_choice(distance, c("euclidean", "bhattacharyya"), "distance", call)
  weights <- check_choice(weights, c("heat", "binary"), "weights", call)
  check_heat(sigma, weights, call)
  covariance <- check_choice(covariance, c("diagonal", "full"), "covariance", call)
  ridge <- check_number(ridge, "ridge", 0, closed = TRUE, call = call)

  # `x` is checked even where it is not used: it may be a value meant for another argument.
  source <- if (!is.null(x)) new_source(fit_data(fit, x, "x", call), fit$center, fit$factor, "x", call)
  how <- compute_with(call)
  at <- unname(t(fit$landmarks) - fit$center) * fit$factor
  spread <- if (distance == "bhattacharyya") {
    add_ridge(graph_covariance(fit, source, covariance, observations, call), ridge, call)
  }
  squared <- if (is.null(spread)) .Call(C_euclidean, at, how) else bhattacharyya(at, spread, how, call)
  lists <- function(k) .Call(C_neighbors, squared, k)
  near <- lists_with_ties(lists, neighbors %||% most_neighbors(n), n)
  check_distances(near, distance, call)
  edges_of <- function(k) find_edges(near, k, weights, sigma)
  are_shortcuts <- shortcut_finder(fit, at, source, call)
  neighbors <- neighbors %||% default_neighbors(n, edges_of, are_shortcuts)
  edges <- edges_of(neighbors)
  check_isolated(edges, n, call)
  if (weights == "heat" && is.null(sigma)) warn_far(near, neighbors, edges$sigma, call)
  warn_pieces(edges, n, neighbors, lists, weights, sigma, call)
  warn_shortcuts(n, edges, neighbors, edges_of, are_shortcuts, call)
  names <- landmark_names(fit)
  list(
    weights = Matrix::sparseMatrix(edges$low, edges$high,
      x = edges$weight, dims = c(n, n), dimnames = list(names, names), symmetric = TRUE
    ),
    distance = distance, kind = weights, sigma = edges$sigma, neighbors = neighbors,
    reach = near$distance[neighbors, ], covariance = spread, lists = lists
  )
}

# `source`: the data, or NULL.
graph_covariance <- function(fit, source, kind, observations, call) {
  if (is.null(source) && !is.null(fit$covariance)) return(fit_covariance(fit, call))
  if (is.null(source)) {
    abort_input(c(
      "{.code distance = \"bhattacharyya\"} needs {.arg x}, or a fit by {.code by_dpp(covariance = )}.",
      i = "Give the data that the landmarks were learned from: the rows around each make its covariance."
    ), arg = "x", kind = "data", call = call)
  }
  local_covariances(fit, source, observations, kind, call)
}

# `at` is d x n.
bhattacharyya <- function(at, covariance, how, call) {
  squared <- .Call(C_bhattacharyya, at, covariance, how)
  if (is.matrix(squared)) return(squared)
  abort_input(c(
    "Local covariances must have an inverse.",
    x = "That of L{squared} has none: the data around it lie on a plane.",
    i = "Give a larger {.arg ridge} or {.arg observations}."
  ), arg = "ridge", kind = "covariance", call = call)
}

# Distances as close as this tie, because they have different rounding errors here and in the core.
farthest_tied <- function(distance) distance * (1 + 1e-8)

# Sorted lists of the k nearest landmarks and of all that tie with the last of these.
lists_with_ties <- function(lists, k, n) {
  size <- min(k + 8L, n - 1L)
  repeat {
    near <- lists(size)
    if (size == n - 1L || all(near$distance[size, ] > farthest_tied(near$distance[k, ]))) return(near)
    size <- min(2L * size, n - 1L)
  }
}

# Half the median distance to the k-th nearest: the default sigma, unless a landmark is far from all others.
typical_sigma <- function(near, k) stats::median(sqrt(near$distance[k, ])) / 2

# Edges low < high, each once, of positive weight, by the first k of sorted lists and
# what ties with the last of them.
find_edges <- function(near, k, weights, sigma) {
  n <- ncol(near$landmark)
  last <- rep(farthest_tied(near$distance[k, ]), each = nrow(near$distance))
  taken <- which(near$distance <= last)
  from <- col(near$landmark)[taken]
  to <- near$landmark[taken]
  low <- pmin(from, to)
  high <- pmax(from, to)
  squared <- near$distance[taken]
  sigma <- sigma %||% max(typical_sigma(near, k), sqrt(near$distance[1, ]) / 2)
  # Divided by sigma first, because the square of a small sigma is 0.
  weight <- if (weights == "heat") exp(-(sqrt(squared) / sigma)^2 / 2) else rep(1, length(taken))
  taken <- weight > 0 & !duplicated((high - 1) * n + low)
  list(
    low = low[taken], high = high[taken], weight = weight[taken],
    sigma = if (weights == "heat") sigma else NA_real_
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

check_heat <- function(sigma, weights, call) {
  if (is.null(sigma)) return(invisible())
  check_number(sigma, "sigma", 0, call = call)
  if (weights == "binary") {
    abort_input(c(
      "{.arg sigma} must be NULL with {.code weights = \"binary\"}: such weights do not use it.",
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
    i = "Give a larger {.arg sigma}, or {.code weights = \"binary\"}."
  ), arg = "sigma", kind = "graph", call = call)
}

# A landmark that is far from all others makes the default so large that all weights are nearly equal.
warn_far <- function(near, neighbors, sigma, call) {
  typical <- typical_sigma(near, neighbors)
  if (sigma <= 5 * typical) return(invisible())
  far <- which.max(near$distance[1, ])
  warn_user(c(
    "The default of {.arg sigma} is set by L{far}, which is far from all other landmarks.",
    x = "It is {format(sigma, digits = 3)}, which makes most weights nearly 1; by the median landmark it would be {format(typical, digits = 3)}.",
    i = "Give {.arg sigma}, or leave this landmark out with {.fn as_landmarks}."
  ), kind = "graph", call = call)
}

# `lists`: a function that gives the sorted lists of the k nearest.
warn_pieces <- function(edges, n, neighbors, lists, weights, sigma, call) {
  pieces <- function(edges) .Call(C_pieces, n, edges$low, edges$high)
  sizes <- sort(tabulate(pieces(edges)), decreasing = TRUE)
  if (length(sizes) == 1) return(invisible())
  all <- lists(n - 1L)
  connects <- function(k) max(pieces(find_edges(all, k, weights, sigma))) == 1
  cure <- if (connects(n - 1L)) {
    # More neighbors only add edges, and a sigma that goes with them only grows.
    least <- bisect(neighbors, n - 1L, connects)
    "{.code neighbors = {least}} is the smallest number that connects it."
  } else {
    "Give a larger {.arg sigma}: the weights of further neighbors are 0."
  }
  shown <- paste(c(sizes[seq_len(min(length(sizes), 5))], if (length(sizes) > 5) "..."), collapse = ", ")
  warn_user(c(
    "The graph of the landmarks has {length(sizes)} components, of {shown} landmarks.",
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
