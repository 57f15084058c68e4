# An embedding may have been edited, or read from a file that was cut.
check_embedding <- function(embedding, arg = "embedding", call = rlang::caller_env()) {
  check_given(embedding, arg, call)
  if (!inherits(embedding, "landmark_embedding") || !is.list(embedding)) {
    abort_input(c(
      "{.arg {arg}} must be an object of class {.cls landmark_embedding}.",
      x = "It is {describe(embedding)}."
    ), arg = arg, kind = "embedding", call = call)
  }
  flaw <- embedding_flaw(embedding)
  if (!is.null(flaw)) {
    abort_input(c("{.arg {arg}} must be a whole embedding, as {.fn embed_landmarks} made it.", x = "{flaw}"),
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
  if (!is.null(flaw)) return(paste0("Its `fit` is not whole: ", sub("^I", "i", flaw)))
  n <- nrow(fit$landmarks)
  dims <- NCOL(embedding$coordinates)
  for (part in names(embedding_rules)) {
    if (!isTRUE(embedding_rules[[part]](embedding[[part]], n, dims))) {
      if (part == "coordinates") {
        return("Its `coordinates` is not a matrix of finite numbers, a row for each landmark, with columns E1, E2, ...")
      }
      return(paste0("Its `", part, "` is ", describe(embedding[[part]]), ", ", for_size(n, dims), "."))
    }
  }
  NULL
}

# What each part must be, given n landmarks in so many dimensions.
embedding_rules <- list(
  coordinates = function(v, n, dims) {
    is.matrix(v) && is.double(v) && nrow(v) == n && dims > 0 && all(is.finite(v)) &&
      identical(colnames(v), paste0("E", seq_len(dims)))
  },
  values = function(v, n, dims) is.double(v) && length(v) >= dims && all(is.finite(v)),
  graph = function(v, n, dims) {
    inherits(v, "dsCMatrix") && identical(dim(v), c(n, n)) && isTRUE(methods::validObject(v, test = TRUE)) &&
      all(is.finite(v@x) & v@x >= 0)
  },
  fit = function(v, n, dims) inherits(v, "landmarks") && is.list(v)
)
