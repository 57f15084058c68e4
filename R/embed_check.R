# What makes graphs and embeddings valid.

check_graph <- function(graph, arg, call) check_object(graph, graph_rules, arg, call)

in_rows_graph <- worded_rule(
  function(v, g) !is_rows_graph(g) || !is.null(v), "is missing in a graph through the data."
)

graph_rules <- list(
  class = "landmark_graph", kind = "graph", maker = "landmark_graph",
  size = function(g) for_size(nrow(g$fit$landmarks), ncol(g$fit$landmarks)),
  parts = list(
    fit = function(v, g) is_valid_object(v, fit_rules),
    weights = worded_rule(
      function(v, g) {
        inherits(v, "dsCMatrix") && identical(dim(v), rep(nrow(g$fit$landmarks), 2)) &&
          isTRUE(methods::validObject(v, test = TRUE)) &&
          all(is.finite(v@x) & v@x >= 0 & v@x <= 1) && all(Matrix::diag(v) == 0)
      },
      "are not a symmetric sparse matrix of numbers from 0 to 1, a row for each landmark."
    ),
    components = function(v, g) is.integer(v) && length(v) == nrow(g$weights) && all(v %in% seq_along(v)),
    shortcuts = function(v, g) are_pairs(v, nrow(g$weights)),
    distance = function(v, g) {
      is_word(v, c("euclidean", if (!is_rows_graph(g)) "bhattacharyya"))
    },
    edge_weights = worded_rule(
      function(v, g) {
        if (is_rows_graph(g)) return(identical(v, "rows"))
        is_word(v, c("heat", "binary")) && (v == "heat" || all(g$weights@x == 1))
      },
      "is not \"heat\", or else \"binary\" with weights of 1."
    ),
    sigma = function(v, g) {
      if (g$edge_weights != "heat") return(identical(v, NA_real_))
      is_number(v) && v > 0 && is.finite(1 / (2 * v^2))
    },
    neighbors = function(v, g) is_number(v) && v == trunc(v) && v >= 1 && v < nrow(g$weights),
    reach = worded_rule(
      function(v, g) if (is_rows_graph(g)) is.null(v) else sound_vector(v, nrow(g$weights)) && all(v >= 0),
      "is not a distance of at least 0 for each landmark."
    ),
    covariance = worded_rule(
      function(v, g) {
        if (g$distance == "euclidean") return(is.null(v))
        are_covariances(v, nrow(g$fit$landmarks), ncol(g$fit$landmarks))
      },
      "is not NULL for Euclidean distances, or else a covariance with an inverse for each landmark."
    )
  ),
  options = list(
    own = worded_rule(
      function(v, g) sound_vector(v, nrow(g$weights)) && all(v >= 0 & v <= 1),
      "is not a weight from 0 to 1 of each landmark with itself."
    ),
    witnesses = function(v, g) sound_vector(v, length(g$weights@x)) && all(v >= 0),
    cut = function(v, g) are_pairs(v, nrow(g$weights)),
    joins = function(v, g) are_pairs(v, nrow(g$weights)),
    span = function(v, g) is_number(v) && is.finite(v) && v >= 0,
    radius = function(v, g) is_number(v) && is.finite(v) && v > 0
  ),
  relations = list(
    radius = worded_rule(
      function(v, g) is.null(v) || all(abs(g$reach / v^2 - 1) < 1e-9), "is not the root of all of `reach`."
    ),
    own = in_rows_graph,
    cut = in_rows_graph,
    span = in_rows_graph
  )
)

# Whether these are n covariances. The inverses of full ones take time and are checked in check_inverses().
are_covariances <- function(v, n, d) {
  if (!is.double(v) || !all(is.finite(v))) return(FALSE)
  if (identical(dim(v), c(n, d))) return(all(v > 0))
  identical(dim(v), c(d, d, n))
}

# Before the core inverts them.
check_inverses <- function(graph, call) {
  if (covariance_kind(graph$covariance) != "full") return(invisible())
  d <- dim(graph$covariance)[1]
  for (i in seq_len(dim(graph$covariance)[3])) {
    one <- matrix(graph$covariance[, , i], d)
    if (!is.null(or_else(chol(one), NULL))) next
    flaw <- paste0("The covariance of landmark ", i, " in its `graph` has no inverse.")
    abort_flaw(flaw, embedding_rules, "object", call)
  }
}

# ---- embeddings ----------------------------------------------------------------------

check_embedding <- function(embedding, arg = "embedding", call = rlang::caller_env()) {
  check_object(embedding, embedding_rules, arg, call)
}

embedding_rules <- list(
  class = "landmark_embedding", kind = "embedding", maker = "embed_landmarks",
  size = function(e) for_size(nrow(e$graph$weights), NCOL(e$coordinates)),
  parts = list(
    graph = function(v, e) is_valid_object(v, graph_rules),
    coordinates = worded_rule(
      function(v, e) {
        is.matrix(v) && is.double(v) && nrow(v) == nrow(e$graph$weights) && ncol(v) > 0 &&
          all(is.finite(v[embedded_landmarks(e), ])) && are_coordinate_names(colnames(v))
      },
      "is not a matrix of finite numbers, a row for each landmark, with columns E1, E2, ..."
    ),
    values = function(v, e) is.double(v) && length(v) >= ncol(e$coordinates) && all(is.finite(v)),
    seconds = function(v, e) is_number(v),
    alpha = function(v, e) is_number(v) && v >= 0 && v <= 1,
    layout = function(v, e) is_word(v, names(layout_letters)),
    plane = function(v, e) is_number(v) && is.finite(v) && (if (e$layout == "eigenmap") v == 0 else v > 0),
    chosen = function(v, e) identical(paste0(layout_letters[[e$layout]], v), colnames(e$coordinates)),
    novelty = function(v, e) is.double(v) && length(v) == ncol(e$coordinates)
  ),
  options = list(
    basis = worded_rule(
      function(v, e) {
        is.matrix(v) && is.double(v) && identical(dim(v), dim(e$coordinates)) &&
          all(is.finite(v[embedded_landmarks(e), ]))
      },
      "is not a matrix of finite numbers, of the size of the coordinates."
    ),
    component = function(v, e) is_whole(v, 1) && v %in% e$graph$components
  ),
  relations = list(
    values = worded_rule(function(v, e) all(v[seq_len(ncol(e$coordinates))] < 1), "are not all below 1."),
    basis = worded_rule(
      function(v, e) !is_rows_graph(e$graph) || e$layout != "eigenmap" || !is.null(v),
      "is missing in an embedding through the data."
    )
  )
)

# The numbers of the landmarks that have coordinates: all, or those of one component.
embedded_landmarks <- function(e) {
  if (is.null(e$component)) seq_along(e$graph$components) else which(e$graph$components == e$component)
}

# Numbers of eigenvectors, ascending, possibly with gaps.
are_coordinate_names <- function(names) {
  if (is.null(names) || !all(grepl("^[ETU][1-9][0-9]*$", names))) return(FALSE)
  !is.unsorted(as.numeric(substring(names, 2)), strictly = TRUE)
}
