# Coordinates of new rows in an embedding.

#' @rdname embed_landmarks
#' @export
predict.landmark_embedding <- function(object, newdata, na.action = stats::na.fail, ...,
                                       extension = "consistent", threads = NULL, verbose = NULL) {
  check_dots(...)
  local_compute(threads, verbose)
  check_embedding(object, "object")
  if (missing(newdata)) {
    abort_input("{.arg newdata} must be given: an embedding does not keep the data.",
      arg = "newdata", kind = "data"
    )
  }
  call <- rlang::current_env()
  printed <- check_extension(object, extension, call) == "printed"
  embedded(object, newdata, na.action, "newdata", call, printed)
}

check_extension <- function(embedding, extension, call) {
  extension <- check_choice(extension, c("consistent", "printed"), "extension", call)
  if (extension == "consistent") return(extension)
  wrong <- c(
    "a graph through the data" = is_rows_graph(embedding$graph), "a layout" = embedding$layout != "eigenmap",
    "`alpha` above 0" = embedding$alpha > 0
  )
  if (!any(wrong)) return(extension)
  abort_input(c(
    "{.code extension = \"printed\"} is the paper's formula, for its eigenmap of nearest neighbors.",
    x = "This embedding has {names(which(wrong))[1]}.",
    i = "Embed with {.code edges = \"nearest\"}, {.code alpha = 0} and {.code layout = \"eigenmap\"}."
  ), arg = "extension", call = call)
}

# Coordinates of new data, which the user calls `arg`.
embedded <- function(object, newdata, na.action, arg, call, printed = FALSE) {
  graph <- object$graph
  fit <- graph$fit
  newdata <- as_rows(newdata, arg, call, fit$experiment)
  if (is_chunked(newdata)) {
    return(join_values(user_chunks(newdata, call), embed_chunk, object, na.action, arg, printed,
      call = call, names = rownames(newdata)
    ))
  }
  given <- forge(fit, newdata, arg, call, check_na_action(na.action, call, pass = TRUE), new = TRUE)
  new <- new_source(given$x, fit$center, fit$factor, arg, call)
  names <- without_rows(given$names, given$omitted)
  seen <- new_counter()
  extension <- if (!is_rows_graph(graph)) {
    nearest_extension(object, printed, call)
  } else if (object$layout == "eigenmap") {
    basis <- with_component(object$basis, graph, object$component)
    function(new) {
      y <- rows_extension(new, graph, basis, call)
      seen$count(is_far_row(y[, ncol(y)], graph))
      y[, -ncol(y), drop = FALSE]
    }
  } else {
    place <- nearest_extension(object, printed, call)
    function(new) {
      near <- nearest_landmark(new, unname(fit$landmarks), compute_with(call))
      seen$count(is_far_row(near$distance^2, graph))
      place(new)
    }
  }
  values <- function(new, names = NULL) {
    y <- in_component(extension(new), object$component)
    dimnames(y) <- list(names, colnames(object$coordinates))
    y
  }
  check_values_memory(new, ncol(object$coordinates), call)
  out <- padded(with_call(values(new, names), call), given)
  warn_far_from_graph(seen$far(), seen$rows(), seen$first(), arg, call)
  out
}

embed_chunk <- function(rows, item, object, na.action, arg, printed) {
  value_of_chunk(embedded(object, rows, na.action, arg, NULL, printed), rows)
}

# Counts rows that are far from all landmarks, block by block: far(), rows() and first(), the number of the
# first of them.
new_counter <- function() {
  far <- rows <- 0
  first <- NA
  list(
    count = function(is_far) {
      if (is.na(first) && any(is_far)) first <<- rows + which(is_far)[1]
      far <<- far + sum(is_far)
      rows <<- rows + length(is_far)
    },
    far = function() far, rows = function() rows, first = function() first
  )
}

# Nystrom's extension of an embedding of nearest neighbors, or places in a layout of any graph: a function of
# a source. `printed`: by the equations as the paper prints them.
nearest_extension <- function(object, printed, call) {
  graph <- object$graph
  fit <- graph$fit
  joined <- c(compressed(graph$weights), graph["covariance"])
  # In a layout only the nearest landmarks of a point count, and their places alone.
  joined$reach <- graph$reach %||% numeric(nrow(graph$weights))
  # What the weights at each landmark are multiplied by because of `alpha`.
  joined$mass <- unname((1 + Matrix::rowSums(graph$weights))^-object$alpha)
  map <- list(
    coordinates = with_component(object$coordinates, graph, object$component),
    # The column of the component has the eigenvalue 0: its mean stays as it is.
    values = c(object$values[seq_len(ncol(object$coordinates))], if (!is.null(object$component)) 0)
  )
  if (printed) {
    # Without the factor 1 / (1 - lambda), and symmetric in the sums of weights.
    map$values[] <- 0
    map$coordinates <- map$coordinates / sqrt(unname(1 + Matrix::rowSums(graph$weights)))
  }
  settings <- c(list(
    edge_weights = if (is_rows_graph(graph)) "binary" else graph$edge_weights,
    sigma = as.double(graph$sigma),
    neighbors = as.integer(graph$neighbors),
    plane = as.double(object$plane), printed = printed, spread = covariance_kind(graph$covariance)
  ), compute_with(call))
  function(new) .Call(C_extend, new, fit$landmarks, joined, map, settings)
}
