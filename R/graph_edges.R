# The edges of a graph of landmarks: distances, neighbors and weights, and what is wrong with them.

# n x n distances of points, a row each: squared ones, or where there are covariances (in kernel coordinates)
# Bhattacharyya's.
landmark_distances <- function(points, center, factor, covariance, call) {
  frame <- list(dim = dim(points), center = center, factor = factor)
  settings <- c(list(spread = covariance_kind(covariance)), compute_with(call))
  found <- .Call(C_distances, frame, unname(points), covariance, settings)
  if (found$singular == 0) return(found$squared)
  abort_input(c(
    "Local covariances must have an inverse.",
    x = "That of L{found$singular} has none: the data around it lie on a plane.",
    i = "Give a larger {.arg ridge} or {.arg covariance_rows}."
  ), arg = "ridge", kind = "covariance", call = call)
}

# Lists of the k nearest others of each landmark, nearest first: list(landmark, distance), a column each.
# `with_ties`: long enough for all that tie with the last of them.
nearest_landmarks <- function(squared, k, how, with_ties = FALSE) {
  .Call(C_neighbors, squared, c(list(neighbors = k, with_ties = with_ties), how))
}

# The default of sigma is the larger of two: by the median landmark, and by the one farthest from all others.
default_sigmas <- function(near, k, how) .Call(C_sigmas, near, c(list(neighbors = k), how))

# list(low, high, weight, sigma): edges low < high, each once, of positive weight, by lists that hold the k
# nearest and what ties with the last of them. `sigma`: NULL for the default.
find_edges <- function(near, k, edge_weights, sigma, how) {
  sigma <- if (edge_weights == "heat") sigma %||% max(default_sigmas(near, k, how)) else NA_real_
  settings <- c(list(neighbors = k, edge_weights = edge_weights, sigma = as.double(sigma)), how)
  c(.Call(C_edges, near, settings), list(sigma = sigma))
}

# The number of each landmark's component, from 1.
components_of <- function(edges, n, how) .Call(C_components, edges, c(list(vertices = n), how))

# `f`, a function of a whole number, which computes each result once.
once_each <- function(f) {
  kept <- list()
  function(k) {
    name <- as.character(k)
    if (is.null(kept[[name]])) kept[[name]] <<- f(k)
    kept[[name]]
  }
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
warn_far <- function(near, neighbors, sigma, how, call) {
  typical <- default_sigmas(near, neighbors, how)[1]
  if (sigma <= 5 * typical) return(invisible())
  far <- which.max(near$distance[1, ])
  warn_user(c(
    "The default of {.arg sigma} is set by L{far}, which is far from all other landmarks.",
    x = "It is {format(sigma, digits = 3)}, for which most weights are near 1.
         By the median landmark it would be {format(typical, digits = 3)}.",
    i = "Give {.arg sigma}, or leave that landmark out, see {.fn as_landmarks}."
  ), kind = "graph", call = call)
}

component_sizes <- function(components) sort(tabulate(components), decreasing = TRUE)

shown_sizes <- function(sizes) {
  paste(c(sizes[seq_len(min(length(sizes), 5))], if (length(sizes) > 5) "..."), collapse = ", ")
}

# `edges_of`: a function that gives the edges by any number of neighbors.
warn_components <- function(components, neighbors, edges_of, how, call) {
  n <- length(components)
  connects <- function(k) max(components_of(edges_of(k), n, how)) == 1
  cure <- if (connects(n - 1L)) {
    # More neighbors only add edges, and a sigma that goes with them only grows.
    least <- bisect(neighbors, n - 1L, connects)
    "{.code neighbors = {least}} is the smallest number that connects it."
  } else {
    "Give a larger {.arg sigma}: the weights of further neighbors are 0."
  }
  sizes <- component_sizes(components)
  warn_user(c(
    "The graph of the landmarks has {length(sizes)} connected components, of {shown_sizes(sizes)} landmarks.",
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
