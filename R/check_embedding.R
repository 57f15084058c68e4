# An embedding may have been edited, or read from a file that was cut.
# `extends`: whether the parts that predict() uses are checked too.
check_embedding <- function(embedding, arg = "embedding", extends = FALSE, call = rlang::caller_env()) {
  check_given(embedding, arg, call)
  if (!inherits(embedding, "landmark_embedding") || !is.list(embedding)) {
    abort_input(c(
      "{.arg {arg}} must be an object of class {.cls landmark_embedding}.",
      x = "It is {describe(embedding)}."
    ), arg = arg, kind = "embedding", call = call)
  }
  flaw <- embedding_flaw(embedding)
  if (is.null(flaw) && extends) flaw <- extension_flaw(embedding)
  if (!is.null(flaw)) {
    abort_input(c("{.arg {arg}} must be a complete embedding, as {.fn embed_landmarks} returns it.", x = "{flaw}"),
      arg = arg, kind = "embedding", call = call
    )
  }
  invisible(embedding)
}

# The first thing that is wrong with an embedding, in words, or NULL.
embedding_flaw <- function(embedding) {
  flaw <- absent_part(embedding, embedding_rules)
  if (!is.null(flaw)) return(flaw)
  fit <- embedding$fit
  if (!embedding_rules$fit(fit)) return(paste0("Its `fit` is ", describe(fit), "."))
  flaw <- fit_flaw(fit)
  if (!is.null(flaw)) return(paste0("Its `fit` is incomplete: ", sub("^I", "i", flaw)))
  n <- nrow(fit$landmarks)
  dims <- NCOL(embedding$coordinates)
  broken_part(embedding, embedding_rules, embedding_words, for_size(n, dims), n, dims)
}

# The rule of each part, for n landmarks in `dims` dimensions.
embedding_rules <- list(
  coordinates = function(v, n, dims) {
    is.matrix(v) && is.double(v) && nrow(v) == n && dims > 0 && all(is.finite(v)) &&
      are_coordinate_names(colnames(v))
  },
  values = function(v, n, dims) is.double(v) && length(v) >= dims && all(is.finite(v)),
  graph = function(v, n, dims) {
    inherits(v, "dsCMatrix") && identical(dim(v), c(n, n)) && isTRUE(methods::validObject(v, test = TRUE)) &&
      all(is.finite(v@x) & v@x >= 0)
  },
  fit = function(v, n, dims) inherits(v, "landmarks") && is.list(v)
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
  flaw <- absent_part(embedding, extension_rules)
  if (!is.null(flaw)) return(flaw)
  n <- nrow(embedding$coordinates)
  size <- for_size(n, ncol(embedding$fit$landmarks))
  broken_part(embedding, extension_rules, extension_words, size, n, embedding)
}

extension_rules <- list(
  values = function(v, n, e) all(v[seq_len(ncol(e$coordinates))] < 1),
  distance = function(v, n, e) is_word(v, c("euclidean", "bhattacharyya")),
  kind = function(v, n, e) is_word(v, c("heat", "binary")),
  sigma = function(v, n, e) e$kind == "binary" || (is_number(v) && v > 0 && is.finite(1 / (2 * v^2))),
  neighbors = function(v, n, e) is_number(v) && v == trunc(v) && v >= 1 && v < n,
  seconds = function(v, n, e) is_number(v),
  alpha = function(v, n, e) is_number(v) && v >= 0 && v <= 1,
  layout = function(v, n, e) is_word(v, names(layout_letters)),
  plane = function(v, n, e) is_number(v) && is.finite(v) && (if (e$layout == "eigenmap") v == 0 else v > 0),
  chosen = function(v, n, e) identical(paste0(layout_letters[[e$layout]], v), colnames(e$coordinates)),
  novelty = function(v, n, e) is.double(v) && length(v) == ncol(e$coordinates),
  reach = function(v, n, e) sound_vector(v, n) && all(v >= 0),
  covariance = function(v, n, e) {
    if (e$distance == "euclidean") is.null(v) else are_definite(v, n, ncol(e$fit$landmarks))
  }
)

extension_words <- list(
  values = "are not all below 1.",
  reach = "is not a distance of at least 0 for each landmark.",
  covariance = "is not NULL for Euclidean distances, or else a covariance with an inverse for each landmark."
)

# n covariances that have an inverse.
are_definite <- function(v, n, d) {
  if (!is.double(v) || !all(is.finite(v))) return(FALSE)
  if (identical(dim(v), c(n, d))) return(all(v > 0))
  if (!identical(dim(v), c(d, d, n))) return(FALSE)
  for (i in seq_len(n)) {
    if (is.null(tryCatch(chol(matrix(v[, , i], d)), error = function(e) NULL))) return(FALSE)
  }
  TRUE
}
