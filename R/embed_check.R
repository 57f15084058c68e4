# A graph of landmarks may have been edited, or read from a file that was cut.
check_graph <- function(graph, arg, call) {
  check_whole(graph_flaw(graph), "graph", "landmark_graph", arg, call, graph)
  invisible(graph)
}

# The first flaw of a graph, in words, or NULL. `rules` are the rules of the parts to check. The fit is always
# checked.
graph_flaw <- function(graph, rules = graph_rules) {
  if (!inherits(graph, "landmark_graph") || !is.list(graph)) return(paste0("It is ", describe(graph), "."))
  flaw <- absent_part(graph, rules)
  if (!is.null(flaw)) return(flaw)
  fit <- graph$fit
  if (!graph_rules$fit(fit)) return(paste0("Its `fit` is ", describe(fit), "."))
  flaw <- fit_flaw(fit)
  if (!is.null(flaw)) return(paste0("Its `fit` is incomplete: ", sub("^I", "i", flaw)))
  n <- nrow(fit$landmarks)
  size <- for_size(n, ncol(fit$landmarks))
  broken_part(graph, rules, graph_words, size, n, graph) %||%
    broken_option(graph, list(version = function(v) is_version(v)), NULL, "not a string")
}

# What each part must be, given n landmarks.
graph_rules <- list(
  weights = function(v, n, g) {
    inherits(v, "dsCMatrix") && identical(dim(v), c(n, n)) && isTRUE(methods::validObject(v, test = TRUE)) &&
      all(is.finite(v@x) & v@x >= 0 & v@x <= 1) && all(Matrix::diag(v) == 0)
  },
  components = function(v, n, g) is.integer(v) && length(v) == n && all(v %in% seq_len(n)),
  shortcuts = function(v, n, g) {
    is.integer(v) && is.matrix(v) && identical(colnames(v), c("low", "high")) && all(v %in% seq_len(n))
  },
  distance = function(v, n, g) is_word(v, c("euclidean", "bhattacharyya")),
  edge_weights = function(v, n, g) is_word(v, c("heat", "binary")) && (v == "heat" || all(g$weights@x == 1)),
  sigma = function(v, n, g) {
    if (g$edge_weights == "binary") return(identical(v, NA_real_))
    is_number(v) && v > 0 && is.finite(1 / (2 * v^2))
  },
  neighbors = function(v, n, g) is_number(v) && v == trunc(v) && v >= 1 && v < n,
  reach = function(v, n, g) sound_vector(v, n) && all(v >= 0),
  covariance = function(v, n, g) {
    if (g$distance == "euclidean") is.null(v) else are_covariances(v, n, ncol(g$fit$landmarks))
  },
  fit = function(v, n, g) inherits(v, "landmarks") && is.list(v)
)

graph_words <- list(
  weights = "are not a symmetric sparse matrix of numbers from 0 to 1, a row for each landmark.",
  edge_weights = "is not \"heat\", or else \"binary\" with weights of 1.",
  reach = "is not a distance of at least 0 for each landmark.",
  covariance = "is not NULL for Euclidean distances, or else a covariance with an inverse for each landmark."
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
    check_whole(flaw, "embedding", "embed_landmarks", "object", call)
  }
}

# ---- embeddings ----------------------------------------------------------------------

# An embedding may have been edited, or read from a file that was cut.
check_embedding <- function(embedding, arg = "embedding", call = rlang::caller_env()) {
  check_class(embedding, "landmark_embedding", "embedding", arg, call)
  flaw <- embedding_flaw(embedding) %||% extension_flaw(embedding)
  check_whole(flaw, "embedding", "embed_landmarks", arg, call, embedding)
  invisible(embedding)
}

# The first flaw of an embedding, in words, or NULL.
embedding_flaw <- function(embedding) {
  flaw <- absent_part(embedding, embedding_rules)
  if (!is.null(flaw)) return(flaw)
  # The parts of the graph that plots use.
  flaw <- graph_flaw(embedding$graph, graph_rules[c("weights", "fit")])
  if (!is.null(flaw)) return(paste0("Its `graph` is incomplete: ", sub("^I", "i", flaw)))
  n <- nrow(embedding$graph$weights)
  dims <- NCOL(embedding$coordinates)
  broken_part(embedding, embedding_rules, embedding_words, for_size(n, dims), n, dims) %||%
    broken_option(embedding, list(version = function(v) is_version(v)), NULL, "not a string")
}

# The rule of each part, for n landmarks in `dims` dimensions.
embedding_rules <- list(
  coordinates = function(v, n, dims) {
    is.matrix(v) && is.double(v) && nrow(v) == n && dims > 0 && all(is.finite(v)) &&
      are_coordinate_names(colnames(v))
  },
  values = function(v, n, dims) is.double(v) && length(v) >= dims && all(is.finite(v)),
  graph = function(v, n, dims) TRUE
)

# Numbers of eigenvectors, ascending, possibly with gaps.
are_coordinate_names <- function(names) {
  if (is.null(names) || !all(grepl("^[ETU][1-9][0-9]*$", names))) return(FALSE)
  !is.unsorted(as.numeric(substring(names, 2)), strictly = TRUE)
}

embedding_words <- list(
  coordinates = "is not a matrix of finite numbers, a row for each landmark, with columns E1, E2, ..."
)

# The parts that the core reads without further checks.
extension_flaw <- function(embedding) {
  flaw <- graph_flaw(embedding$graph)
  if (!is.null(flaw)) return(paste0("Its `graph` is incomplete: ", sub("^I", "i", flaw)))
  flaw <- absent_part(embedding, extension_rules)
  if (!is.null(flaw)) return(flaw)
  n <- nrow(embedding$coordinates)
  size <- for_size(n, ncol(embedding$coordinates))
  broken_part(embedding, extension_rules, extension_words, size, n, embedding)
}

extension_rules <- list(
  values = function(v, n, e) all(v[seq_len(ncol(e$coordinates))] < 1),
  seconds = function(v, n, e) is_number(v),
  alpha = function(v, n, e) is_number(v) && v >= 0 && v <= 1,
  layout = function(v, n, e) is_word(v, names(layout_letters)),
  plane = function(v, n, e) is_number(v) && is.finite(v) && (if (e$layout == "eigenmap") v == 0 else v > 0),
  chosen = function(v, n, e) identical(paste0(layout_letters[[e$layout]], v), colnames(e$coordinates)),
  novelty = function(v, n, e) is.double(v) && length(v) == ncol(e$coordinates)
)

extension_words <- list(values = "are not all below 1.")
