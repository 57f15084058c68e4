# Class landmark_graph: creation, checks, print() and tidiers.

# A graph of the class `class` and of landmark_graph. `edges`: list(low, high, weight), a row for each edge;
# `parts`: the other parts of a graph but its fit. With `join` the components are joined by edges with the
# median of all weights: shorter gaps are not known to be better joined. Only where they are needed are
# evaluated `squared`, the squared distances of all landmarks, and `advice`, what to do about components.
new_graph <- function(class, fit, edges, join, squared, advice, parts, call) {
  n <- nrow(fit$landmarks)
  components <- components_of(as.list(edges), n, compute_with(call))
  joins <- cbind(low = integer(), high = integer())
  if (join && max(components) > 1) {
    joins <- joins_of(components, squared)
    new <- data.frame(joins, weight = stats::median(edges$weight))
    new[setdiff(names(edges), names(new))] <- 0
    edges <- rbind(edges, new)
    components <- rep(1L, n)
  }
  # In the order of the entries of a sparse matrix.
  edges <- edges[order(edges$high, edges$low), ]
  names <- landmark_names(fit)
  weights <- Matrix::sparseMatrix(edges$low, edges$high,
    x = edges$weight, dims = c(n, n), dimnames = list(names, names), symmetric = TRUE
  )
  if (max(components) > 1) {
    warn_user(c(
      "The graph has {max(components)} disconnected components, of {shown_sizes(components)} landmarks.",
      i = advice
    ), kind = c("components", "graph"), call = call)
  }
  structure(c(
    list(weights = weights, components = components, joins = joins), parts,
    if (!is.null(edges$witnesses)) list(witnesses = edges$witnesses), list(fit = fit, version = made_by())
  ), class = c(class, "landmark_graph"))
}

# The edges by which the components of a graph are joined, an integer matrix of columns `low` and `high`: the
# shortest one from the first component to another, then the shortest from these two to a third, and so on.
# `squared`: the squared distances of all landmarks, n x n.
joins_of <- function(components, squared) {
  inside <- components == components[1]
  joins <- cbind(low = integer(), high = integer())
  while (!all(inside)) {
    between <- squared[inside, !inside, drop = FALSE]
    at <- arrayInd(which.min(between), dim(between))
    pair <- c(which(inside)[at[1]], which(!inside)[at[2]])
    joins <- rbind(joins, range(pair))
    inside[components == components[pair[2]]] <- TRUE
  }
  joins
}

# The n x n squared distances of landmarks, or with covariances (in kernel coordinates) their Bhattacharyya
# distances. `fit`: list(landmarks, center, factor).
landmark_distances <- function(fit, covariance, call) {
  n <- nrow(fit$landmarks)
  # The matrix, and the lists of neighbors that are made of it.
  check_memory(1.75 * as.double(n)^2, "The distances of {n} landmarks need",
    "Use fewer landmarks, for example {.code fit[1:{n %/% 2}]}.", "fit", call
  )
  frame <- list(dim = dim(fit$landmarks), center = fit$center, factor = fit$factor)
  settings <- c(list(spread = covariance_kind(covariance)), compute_with(call))
  found <- .Call(C_distances, frame, unname(fit$landmarks), covariance, settings)
  if (found$singular == 0) return(found$squared)
  abort_input(c(
    "Local covariances must be invertible.", x = "That of L{found$singular} is singular.",
    i = "Use a larger {.arg ridge}, or {.code distance = \"euclidean\"}."
  ), arg = "ridge", kind = "covariance", call = call)
}

# A matrix of weights as the core reads it: the start of each landmark's list of neighbors, their numbers from
# 0, and their weights.
compressed <- function(weights) {
  whole <- methods::as(weights, "generalMatrix")
  list(start = whole@p, joined = whole@i, weight = whole@x)
}

count_edges <- function(graph) sum(Matrix::triu(graph$weights) > 0)

# The sizes of components, the largest first, at most five of them.
shown_sizes <- function(components) {
  sizes <- sort(tabulate(components), decreasing = TRUE)
  cli::format_inline("{c(utils::head(sizes, 5), if (length(sizes) > 5) '...')}")
}

# An error for two landmarks, by their numbers, that have the same `what`.
abort_same <- function(first, second, what, call) {
  abort_input(c(
    "Landmarks must be distinct.", x = "L{first} and L{second} have the same {what}.",
    i = "Drop one of them: {.code fit[-{second}]}."
  ), arg = "fit", kind = "graph", call = call)
}

# The weights of a graph go to package Matrix, which trusts the indices of a matrix.
check_graph <- function(x, arg, call = rlang::caller_env(), class = "landmark_graph") {
  check_object(x, class, arg, call)
  graph <- if (class == "landmark_graph") x else x$graph
  sound <- methods::is(graph$weights, "dsCMatrix") &&
    identical(dim(graph$weights), rep(nrow(graph$fit$landmarks), 2)) &&
    isTRUE(methods::validObject(graph$weights, test = TRUE))
  rule <- "have a symmetric sparse matrix of weights, a row for each landmark"
  check_that(sound, x, arg, rule, object_classes[[class]][2], call, found = NULL)
}

check_embedding <- function(embedding, arg, call = rlang::caller_env()) {
  check_graph(embedding, arg, call, "landmark_embedding")
}

#' @export
print.landmark_graph <- function(x, ...) {
  check_graph(x, "x")
  cat("A graph of", how_many(nrow(x$weights), "landmark"), "of", how_many(x$fit$n_rows, "observation"))
  cat("\n")
  print_graph(x)
  invisible(x)
}

# The printed lines of a graph. An embedding prints them too.
print_graph <- function(graph) {
  edges <- how_many(count_edges(graph), "edge")
  if (inherits(graph, "data_graph")) {
    nearest <- paste0(graph$neighbors, " nearest landmarks of each row")
    print_line("graph", edges, " through the data, from the ", nearest)
    cut <- nrow(graph$cut)
    if (cut) print_line("cut", how_many(cut, "edge"), " with few rows, or across a gap")
  } else {
    joined <- if (inherits(graph, "radius_graph")) {
      paste(" within radius", format(signif(graph$radius, 4)))
    } else {
      paste0(", at least ", how_many(graph$neighbors, "neighbor"), " each")
    }
    spread <- if (!is.null(graph$covariance)) paste0(", ", covariance_kind(graph$covariance), " covariances")
    print_line("graph", edges, joined, ", by ", graph$distance, " distance", spread)
    sigma <- if (graph$edge_weights == "heat") paste0(", sigma ", format(signif(graph$sigma, 4)))
    print_line("weights", graph$edge_weights, sigma)
  }
  count <- max(graph$components)
  if (count > 1) print_line("components", count, ", with ", shown_sizes(graph$components), " landmarks")
  if (nrow(graph$shortcuts)) print_line("shortcuts", how_many(nrow(graph$shortcuts), "short-circuit edge"))
  joins <- NROW(graph$joins)
  if (joins) print_line("joined", "by ", how_many(joins, "edge"), " across the shortest gaps")
}

print_line <- function(label, ...) cat("  ", formatC(label, width = -12), ..., "\n", sep = "")

#' @export
nobs.landmark_graph <- function(object, ...) {
  check_graph(object, "object")
  object$fit$n_rows
}

#' Tidy a landmark graph
#'
#' `tidy()` returns one row per edge, `glance()` one row for the graph.
#'
#' @param x An object of class `landmark_graph`.
#' @param ... Not used; an argument here is an error.
#' @return A tibble (see [tidy.landmarks()]).
#'
#'   `tidy()`: `from` and `to`, the landmarks, in increasing order; `weight`; `distance`,
#'   \eqn{\sqrt{D}}{sqrt(D)} of [landmark_graph()]; and `shortcut`, whether the edge is a shortcut. With
#'   `join = TRUE`: `join`, whether the edge was added. For a graph through the data: `witnesses`, the
#'   (weighted) number of rows whose two nearest landmarks are the ends.
#'
#'   `glance()`: `landmarks`, `edges`, `neighbors`, `components` (connected components), `shortcuts`,
#'   `distance`, `edge_weights`, `sigma` (`NA` if there is none), and `nobs`, the number of rows that the
#'   landmarks were learned from.
#' @seealso [landmark_graph()]
#' @examples
#' set.seed(1)
#' fit <- landmarks(sim_fish_bowl(500), 25)
#' graph <- landmark_graph(fit, neighbors = 3)
#' edges <- tidy(graph)
#' edges
#' all.equal(edges$weight, exp(-edges$distance^2 / (2 * graph$sigma^2)))
#' glance(graph)
#' @name tidy.landmark_graph
NULL

#' @rdname tidy.landmark_graph
#' @export
tidy.landmark_graph <- function(x, ...) {
  check_dots(...)
  check_graph(x, "x")
  at <- Matrix::summary(Matrix::triu(x$weights))
  squared <- landmark_distances(x$fit, x$covariance, rlang::current_env())
  among <- function(pairs) paste(at$i, at$j) %in% paste(pairs[, 1], pairs[, 2])
  edges <- data.frame(
    from = at$i, to = at$j, weight = at$x, distance = sqrt(squared[cbind(at$i, at$j)]),
    shortcut = among(x$shortcuts)
  )
  if (NROW(x$joins) > 0) edges$join <- among(x$joins)
  edges$witnesses <- x$witnesses
  as_tibble_frame(edges[order(edges$from, edges$to), ])
}

#' @rdname tidy.landmark_graph
#' @export
glance.landmark_graph <- function(x, ...) {
  check_dots(...)
  check_graph(x, "x")
  as_tibble_frame(data.frame(
    landmarks = nrow(x$weights), edges = count_edges(x), neighbors = x$neighbors,
    components = max(x$components), shortcuts = nrow(x$shortcuts), distance = x$distance,
    edge_weights = x$edge_weights, sigma = x$sigma, nobs = x$fit$n_rows
  ))
}
