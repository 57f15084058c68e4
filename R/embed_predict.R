# Out-of-sample extension of an embedding.

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
  extension <- check_choice(extension, c("consistent", "printed"), "extension", call)
  if (extension == "printed") check_printed(object, call)
  embedded(object, newdata, na.action, "newdata", call, extension == "printed")
}

check_printed <- function(embedding, call) {
  wrong <- c(
    "a graph through the data" = inherits(embedding$graph, "data_graph"),
    "a layout" = embedding$layout != "eigenmap", "`alpha` above 0" = embedding$alpha > 0
  )
  if (!any(wrong)) return(invisible())
  abort_input(c(
    "{.code extension = \"printed\"} needs an eigenmap of a nearest-neighbor graph.",
    x = "This embedding has {names(which(wrong))[1]}.",
    i = "Embed with {.code edges = \"nearest\"}, {.code alpha = 0} and {.code layout = \"eigenmap\"}."
  ), arg = "extension", call = call)
}

# Coordinates of new data, which the user calls `arg`.
embedded <- function(object, newdata, na.action, arg, call, printed = FALSE) {
  fit <- object$graph$fit
  newdata <- as_rows(newdata, arg, call, fit$experiment)
  if (is_chunked(newdata)) {
    return(join_values(user_chunks(newdata, call), embed_chunk, object, na.action, arg, printed,
      call = call, names = rownames(newdata)
    ))
  }
  input <- forge(fit, newdata, arg, call, check_na_action(na.action, call, pass = TRUE), new = TRUE)
  new <- new_source(input$x, fit$center, fit$factor, arg, call)
  names <- without_rows(input$names, input$omitted)
  check_values_memory(new, ncol(object$coordinates), call)
  y <- with_call(extend(object, new, printed, call), call)
  values <- in_component(y$values, object$component)
  dimnames(values) <- list(names, colnames(object$coordinates))
  values <- padded(values, input)
  warn_far_from_graph(y$far, arg, call)
  values
}

# list(values, far): coordinates of the rows of a source and, for a graph through the data, which rows are far
# from all landmarks.
extend <- function(object, source, printed, call) {
  graph <- object$graph
  through <- inherits(graph, "data_graph")
  if (is.null(object$basis)) {
    values <- nearest_extension(object, source, printed, call)
    if (!through) return(list(values = values))
    distance <- nearest_landmark(source, unname(graph$fit$landmarks), compute_with(call))$distance
  } else {
    values <- rows_extension(source, graph, with_component(object$basis, graph, object$component), call)
    distance <- sqrt(values[, ncol(values)])
    values <- values[, -ncol(values), drop = FALSE]
  }
  list(values = values, far = distance > far_row * max(graph$span, graph$fit$spacing))
}

embed_chunk <- function(rows, item, object, na.action, arg, printed) {
  value_of_chunk(embedded(object, rows, na.action, arg, NULL, printed), rows)
}

# Nystrom's extension of an embedding of nearest neighbors, or places in a layout of any graph. `printed`: by
# the equations as the paper prints them.
nearest_extension <- function(object, source, printed, call) {
  graph <- object$graph
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
    edge_weights = if (inherits(graph, "data_graph")) "binary" else graph$edge_weights,
    sigma = as.double(graph$sigma),
    neighbors = as.integer(graph$neighbors),
    plane = as.double(object$plane), printed = printed, spread = covariance_kind(graph$covariance)
  ), compute_with(call))
  .Call(C_extend, source, graph$fit$landmarks, joined, map, settings)
}

# Means of the values of the landmarks near each row, and in a last column the squared distance of the row
# from the nearest landmark. `basis`: n x dims.
rows_extension <- function(source, graph, basis, call) {
  fit <- graph$fit
  edges <- compressed(graph$weights)[c("start", "joined")]
  settings <- c(list(nearest = as.integer(graph$neighbors)), compute_with(call))
  .Call(C_anchor_extend, source, unname(fit$landmarks), edges, unname(basis), settings)
}

# A warning that rows have the coordinates of a landmark far away from them. `far`: which ones, or NULL.
warn_far_from_graph <- function(far, arg, call) {
  if (!any(far)) return(invisible())
  warn_user(c(
    "{sum(far)} of {length(far)} row{?s} of {.arg {arg}} {cli::qty(sum(far))}{?is/are} far from all landmarks:
     the first is row {which(far)[1]}.",
    x = "{cli::qty(sum(far))}{?Its/Their} coordinates are means of those of the nearest landmarks, and
         unreliable.",
    i = "Check the units of {.arg {arg}}. {.fn augment} returns novelty scores, {.field .novelty}."
  ), kind = "far", call = call)
}

# ---- one component -----------------------------------------------------------------------

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
