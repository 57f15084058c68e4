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
