# What is asked of a graph or an embedding before it is used.

# The weights go to package Matrix, which trusts the indices of a matrix.
check_graph <- function(graph, arg, call = rlang::caller_env()) {
  check_object(graph, "landmark_graph", arg, call)
  check_graph_weights(graph, arg, "graph", "landmark_graph", call)
}

check_embedding <- function(embedding, arg, call = rlang::caller_env()) {
  check_object(embedding, "landmark_embedding", arg, call)
  check_graph_weights(embedding$graph, arg, "embedding", "embed_landmarks", call)
}

check_graph_weights <- function(graph, arg, kind, maker, call) {
  weights <- graph$weights
  n <- nrow(graph$fit$landmarks)
  sound <- methods::is(weights, "dsCMatrix") && identical(dim(weights), c(n, n)) &&
    isTRUE(methods::validObject(weights, test = TRUE))
  if (sound) return(invisible())
  abort_input(c(
    "{.arg {arg}} must have a symmetric sparse matrix of weights, a row for each landmark.",
    i = "Make it again with {.fn {maker}}."
  ), arg = arg, kind = kind, call = call)
}
