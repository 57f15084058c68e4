# The parts that a graph of landmarks falls into: joined by their shortest gaps, or embedded one at a time.

# The edges by which the components of a graph are joined, an integer matrix of columns `low` and `high`: the
# shortest one from the first component to another, then the shortest from these two to a third, and so on.
# `squared`: the squared distances of all landmarks, n x n.
joins_of <- function(components, squared) {
  inside <- components == components[1]
  pairs <- list()
  while (!all(inside)) {
    between <- squared[inside, !inside, drop = FALSE]
    at <- arrayInd(which.min(between), dim(between))
    pair <- c(which(inside)[at[1]], which(!inside)[at[2]])
    pairs <- c(pairs, list(range(pair)))
    inside[components == components[pair[2]]] <- TRUE
  }
  out <- matrix(as.integer(unlist(pairs)), ncol = 2, byrow = TRUE)
  colnames(out) <- c("low", "high")
  out
}

# list(edges, components, joins): edges of a graph whose components are joined, where `join` says so. The new
# edges have the median of all weights: shorter gaps are not known to be better joined. `edges`: a data frame
# of `low`, `high`, `weight` and perhaps `witnesses`; `squared`: a function that returns squared distances.
join_components <- function(edges, n, join, squared, how) {
  components <- components_of(as.list(edges), n, how)
  joins <- cbind(low = integer(), high = integer())
  if (join && max(components) > 1) {
    joins <- joins_of(components, squared())
    new <- data.frame(low = joins[, 1], high = joins[, 2], weight = stats::median(edges$weight))
    if (!is.null(edges$witnesses)) new$witnesses <- 0
    edges <- rbind(edges, new)
    components <- rep(1L, n)
  }
  # As the entries of a sparse matrix stand.
  list(edges = edges[order(edges$high, edges$low), ], components = components, joins = joins)
}

# `edges`: list(low, high, weight). `parts`: the other parts of a graph but its fit.
new_graph <- function(fit, edges, parts) {
  n <- nrow(fit$landmarks)
  names <- landmark_names(fit)
  weights <- Matrix::sparseMatrix(edges$low, edges$high,
    x = edges$weight, dims = c(n, n), dimnames = list(names, names), symmetric = TRUE
  )
  structure(
    c(list(weights = weights), parts, list(fit = fit, version = made_by())),
    class = "landmark_graph"
  )
}

# A component of a graph as a graph of its own, for the eigenproblem: list(weights, own, components,
# edge_weights).
component_graph <- function(graph, component) {
  at <- which(graph$components == component)
  weights <- methods::as(graph$weights, "generalMatrix")[at, at, drop = FALSE]
  list(
    weights = Matrix::forceSymmetric(weights), own = graph$own[at], components = rep(1L, length(at)),
    edge_weights = graph$edge_weights
  )
}

# The argument `component` of embed_landmarks(), NULL or the number of a component of at least three
# landmarks.
check_component <- function(component, graph, dims, call) {
  if (is.null(component)) return(NULL)
  count <- max(graph$components)
  if (NROW(graph$joins) > 0) {
    abort_input(c(
      "{.arg component} must be left out with {.code join = TRUE}, which leaves one component."
    ), arg = "component", kind = "graph", call = call)
  }
  component <- check_count(component, "component", max = count, call = call)
  size <- sum(graph$components == component)
  if (size <= dims) {
    abort_input(c(
      "{.arg component} must be one of more than {dims} landmark{?s}, the number of {.arg dims}.",
      x = "Component {component} has {size}."
    ), arg = "component", kind = "graph", call = call)
  }
  component
}

# The coordinates of a component's landmarks among those of all, which are NA.
among_all <- function(values, graph, component) {
  if (is.null(component)) return(values)
  out <- matrix(NA_real_, length(graph$components), ncol(values))
  out[graph$components == component, ] <- values
  out
}

# Coordinates for an extension: 0 for landmarks of other components, and a further column that is 1 for those
# of this one. Means of them, divided by that of the last column, are means over the landmarks of the
# component.
with_component <- function(values, graph, component) {
  if (is.null(component)) return(values)
  values[is.na(values)] <- 0
  cbind(values, graph$components == component)
}

# The means that with_component() is for. Rows that are nearer to other components have NA.
in_component <- function(y, component) {
  if (is.null(component)) return(y)
  share <- y[, ncol(y)]
  out <- y[, -ncol(y), drop = FALSE] / share
  out[!(share >= 0.5), ] <- NA
  out
}
