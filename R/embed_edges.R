# The edges of a graph of landmarks: distances, neighbors, weights, and the errors and warnings about them.

#' Distances and weights in a graph of landmarks
#'
#' [landmark_graph()] joins landmarks that are near each other. This page says what near means: how local
#' covariances are computed, which distance to choose, and how the width of the weights is found. The page of
#' [landmark_graph()] has the equations.
#'
#' @section Which neighbors:
#' A number in proportion to \eqn{\log n}{log n} connects a random sample of a manifold. More neighbors reach
#' farther, and may give shortcuts (see [graph-shortcuts]).
#'
#' @section Which distance:
#' Where two sheets of the data are as close to each other as neighboring landmarks are, Euclidean neighbors
#' lie on both sheets, and the graph has shortcuts. By the Bhattacharyya distance, landmarks on two
#' neighboring sheets of a folded surface are far from each other. An example is a Swiss roll of 4,000 points
#' with 150 random rows as landmarks and 8 neighbors each. The share of edges that lead from sheet to sheet is
#' one in eight by Euclidean distance, one in fifty by `covariance = "diagonal"`, and 0 by `"full"`.
#'
#' For \eqn{C_i = C_j = s^2 I} the Bhattacharyya distance is \eqn{\|t_i - t_j\|^2 / (8 s^2)}{||t_i - t_j||^2 /
#' (8 s^2)}, so it is the Euclidean one up to a factor.
#'
#' @section Local covariances:
#' If `x` is given, the local covariance of a landmark is computed from the rows of `x` nearest to it, as by
#' [cov()]. Every row counts the same, and of rows that tie the first ones are taken. Without `x` the
#' covariances of the fit are used (`fit$covariance`), and `covariance` and `covariance_rows` have no effect.
#'
#' A ridge is added to every covariance, \eqn{C_i + \mathrm{ridge} \cdot \bar v I}{C_i + ridge * v I}, where
#' \eqn{\bar v}{v} is the mean of the variances over all landmarks and columns, and \eqn{I} the identity
#' matrix. Neighborhoods that lie in a plane, have few rows or a constant column would have no inverse without
#' it.
#'
#' @section Sigma:
#' The default of `sigma` is half of the larger of two numbers:
#'
#' * the median over landmarks of \eqn{\sqrt{D}}{sqrt(D)} to the `neighbors`-th nearest landmark. A typical
#'   farthest neighbor then has weight \eqn{e^{-2}}{e^-2}, 0.14.
#' * the largest \eqn{\sqrt{D}}{sqrt(D)} from a landmark to its nearest one. Each landmark then has a neighbor
#'   of at least this weight.
#'
#' A warning is given where the second is more than five times the first. Where landmarks are dense in one
#' place and far apart in another, one sigma cannot suit both places: try `edge_weights = "binary"`, or
#' `distance = "bhattacharyya"`.
#'
#' @section Cost:
#' Time is proportional to \eqn{n^2 d}{n^2 d} for n landmarks in d columns, for full covariances to
#' \eqn{n^2 d^3 / 6}{n^2 d^3 / 6}. Memory is proportional to \eqn{n^2}{n^2}, for full covariances also to
#' \eqn{n d^2}{n d^2}. 2,500 landmarks take seconds.
#' @seealso [landmark_graph()], [graph-shortcuts], [by_dpp()] whose landmarks have covariances
#' @examples
#' set.seed(1)
#' x <- sim_swiss_roll(4000)
#' fit <- landmarks(x, 150, by_random(), bandwidth = 20)
#' # How many edges lead from sheet to sheet by each distance
#' euclidean <- suppressWarnings(landmark_graph(fit, x, neighbors = 8))
#' full <- landmark_graph(fit, x, neighbors = 8, distance = "bhattacharyya", covariance = "full")
#' c(euclidean = nrow(euclidean$shortcuts), full = nrow(full$shortcuts))
#' @name graph-distances
NULL

# The distances of all landmarks, and what the search for neighbors needs beside them.
check_graph_memory <- function(n, call) {
  check_work(1.75 * as.double(n)^2, "The distances of {n} landmarks need",
    "Make the graph of fewer landmarks, for example of {.code fit[1:{n %/% 2}]}.", "fit", call
  )
}

# The n x n distances of points, which are the rows of a matrix: squared Euclidean distances, or Bhattacharyya
# distances where there are covariances (in kernel coordinates).
landmark_distances <- function(points, center, factor, covariance, call) {
  frame <- list(dim = dim(points), center = center, factor = factor)
  settings <- c(list(spread = covariance_kind(covariance)), compute_with(call))
  found <- .Call(C_distances, frame, unname(points), covariance, settings)
  if (found$singular == 0) return(found$squared)
  abort_input(c(
    "Local covariances must have an inverse.",
    x = "The covariance of L{found$singular} has no inverse: the data around it lie in a plane.",
    i = "Give a larger {.arg ridge} or {.arg covariance_rows}."
  ), arg = "ridge", kind = "covariance", call = call)
}

# The k nearest other landmarks of each landmark, nearest first: list(landmark, distance), a column for each
# landmark. With `with_ties` the columns also have all landmarks that tie with the last of the k.
nearest_landmarks <- function(squared, k, how, with_ties = FALSE) {
  .Call(C_neighbors, squared, c(list(neighbors = k, with_ties = with_ties), how))
}

# The default of sigma is the larger of two numbers: one for the median landmark, and one for the landmark
# that is farthest from all others.
default_sigmas <- function(near, k, how) .Call(C_sigmas, near, c(list(neighbors = k), how))

# list(low, high, weight, sigma): the edges of positive weight, each once with low < high. `near` has the k
# nearest landmarks and those that tie with the last of them. `sigma` is NULL for the default.
find_edges <- function(near, k, edge_weights, sigma, how) {
  sigma <- if (edge_weights == "heat") sigma %||% max(default_sigmas(near, k, how)) else NA_real_
  settings <- c(list(neighbors = k, edge_weights = edge_weights, sigma = as.double(sigma)), how)
  c(.Call(C_edges, near, settings), list(sigma = sigma))
}

# A matrix of weights as the core reads it: where the list of each landmark's neighbors starts, their numbers
# from 0, and their weights.
compressed <- function(weights) {
  whole <- methods::as(weights, "generalMatrix")
  list(start = whole@p, joined = whole@i, weight = whole@x)
}

check_vertices <- function(fit, call) {
  n <- nrow(fit$landmarks)
  if (n < 2) {
    abort_input(c("{.arg fit} must have at least two landmarks for a graph.", x = "It has one."),
      arg = "fit", kind = "graph", call = call
    )
  }
  n
}

# The argument `sigma` as a plain number, or NULL.
check_heat <- function(sigma, edge_weights, call) {
  if (is.null(sigma)) return(NULL)
  sigma <- check_number(sigma, "sigma", 0, call = call)
  if (edge_weights == "binary") {
    abort_input(c(
      "{.arg sigma} must be NULL with {.code edge_weights = \"binary\"}, which does not use it.",
      x = "It is {describe(sigma)}."
    ), arg = "sigma", call = call)
  }
  sigma
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
    abort_same(same[1], near$landmark[1, same[1]], what, call)
  }
}

# An error for two landmarks, by their numbers, that have the same `what`.
abort_same <- function(first, second, what, call) {
  abort_input(c(
    "Landmarks must differ, because each is a vertex of the graph.",
    x = "L{first} and L{second} have the same {what}.",
    i = "Leave one of them out (see {.fn as_landmarks})."
  ), arg = "fit", kind = "graph", call = call)
}

check_isolated <- function(edges, n, call) {
  alone <- setdiff(seq_len(n), c(edges$low, edges$high))
  if (length(alone) == 0) {
    if (!is.na(edges$sigma) && !is.finite(1 / (2 * edges$sigma^2))) abort_square(edges$sigma, "sigma", call)
    return(invisible())
  }
  abort_input(c(
    "{.arg sigma} must be large enough for each landmark to have a neighbor.",
    x = paste(
      "With {.arg sigma} {format(edges$sigma, digits = 4)} all weights of {first_of_landmarks(alone)}",
      "are 0."
    ),
    i = "Give a larger {.arg sigma}, or {.code edge_weights = \"binary\"}."
  ), arg = "sigma", kind = "graph", call = call)
}

# A landmark far from all others makes the default of sigma so large that all weights are alike.
warn_far <- function(near, neighbors, sigma, how, call) {
  typical <- default_sigmas(near, neighbors, how)[1]
  if (sigma <= 5 * typical) return(invisible())
  far <- which.max(near$distance[1, ])
  warn_user(c(
    "The default of {.arg sigma} is set by L{far}, which is far from all other landmarks.",
    x = "It is {format(sigma, digits = 3)}, for which most weights are near 1.
         For the median landmark it would be {format(typical, digits = 3)}.",
    i = "Give {.arg sigma}, or leave this landmark out (see {.fn as_landmarks})."
  ), kind = "graph", call = call)
}

# The weight of each landmark with itself: 1, or in a graph through the data what its rows give it.
own_weights <- function(graph) graph$own %||% rep(1, nrow(graph$weights))

is_rows_graph <- function(graph) identical(graph$edge_weights, "rows")

component_sizes <- function(components) sort(tabulate(components), decreasing = TRUE)

shown_sizes <- function(sizes) {
  paste(c(sizes[seq_len(min(length(sizes), 5))], if (length(sizes) > 5) "..."), collapse = ", ")
}

# `edges_of`: a function that gives the edges by any number of neighbors.
warn_components <- function(components, neighbors, edges_of, how, call) {
  n <- length(components)
  connects <- function(k) max(components_of(edges_of(k), n, how)) == 1
  cure <- if (n > 5000) {
    "Give more {.arg neighbors}: to find the smallest number that connects it would need too much memory."
  } else if (connects(n - 1L)) {
    # More neighbors only add edges, and the default of sigma only grows with them.
    least <- bisect(neighbors, n - 1L, connects)
    paste0("{.code neighbors = ", least, "} is the smallest number that connects it.")
  } else {
    "Give a larger {.arg sigma}: the weights of further neighbors are 0."
  }
  warn_of_components(components, cure, call)
}

# The warning. `remedy`: in words.
warn_of_components <- function(components, remedy, call) {
  sizes <- component_sizes(components)
  warn_user(c(
    "The graph of the landmarks has {length(sizes)} connected components, of {shown_sizes(sizes)} landmarks.",
    i = remedy
  ), kind = c("components", "graph"), call = call)
}
