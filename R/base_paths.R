# Shortest paths in graphs, by package igraph.

# The lengths of the shortest paths of an undirected graph, n x n, Inf where there is no path. `ends`: the two
# ends of each edge (2 x edges).
path_lengths <- function(ends, lengths, n) {
  graph <- igraph::make_graph(as.vector(ends), n = n, directed = FALSE)
  paths <- matrix(0, n, n)
  # igraph computes without a look at interrupts and time limits. R looks at both when it sleeps.
  for (from in split(seq_len(n), (seq_len(n) - 1) %/% max(1, 1e6 %/% (n + length(lengths))))) {
    paths[from, ] <- igraph::distances(graph, from, weights = lengths, algorithm = "dijkstra")
    Sys.sleep(0)
  }
  paths
}
