# Methods of embeddings: out-of-sample extension, tidiers, print().

#' @rdname embed_landmarks
#' @export
predict.landmark_embedding <- function(object, newdata, na.action = stats::na.fail, ...,
                                       extension = "consistent", threads = NULL, verbose = NULL) {
  check_dots(...)
  local_compute(threads, verbose)
  check_embedding(object, "object")
  check_given(newdata, "newdata")
  printed <- check_choice(extension, c("consistent", "printed"), "extension") == "printed"
  has_printed <- object$layout == "eigenmap" && object$alpha == 0 && !inherits(object$graph, "data_graph")
  check_that(!printed || has_printed, extension, "extension",
    "\"consistent\", except for an eigenmap of a nearest-neighbor or radius graph with {.code alpha = 0}"
  )
  predict_embedding(object, newdata, na.action, "newdata", rlang::current_env(), printed)
}

# Coordinates of new data, which the user calls `arg`.
predict_embedding <- function(object, newdata, na.action, arg, call, printed = FALSE) {
  fit <- object$graph$fit
  newdata <- as_rows(newdata, arg, call, fit$experiment)
  if (is_chunked(newdata)) {
    return(join_values(user_chunks(newdata, call), embed_chunk, object, na.action, arg, printed,
      call = call, names = rownames(newdata)
    ))
  }
  input <- forge(fit, newdata, arg, call, check_na_action(na.action, call, pass = TRUE), new = TRUE)
  new <- new_source(input$x, fit$center, fit$factor, arg, call)
  check_values_memory(new, ncol(object$coordinates), call)
  y <- extend_embedding(object, new, printed, call)
  values <- in_component(y$values, object$component)
  dimnames(values) <- list(without_rows(input$names, input$omitted), colnames(object$coordinates))
  warn_far_from_graph(y$far, arg, call)
  padded(values, input)
}

embed_chunk <- function(rows, item, object, na.action, arg, printed) {
  value_of_chunk(predict_embedding(object, rows, na.action, arg, NULL, printed), rows)
}

# list(values, far): coordinates of the rows of a source and, for a graph through the data, which rows are far
# from all landmarks.
extend_embedding <- function(object, source, printed, call) {
  graph <- object$graph
  # Isomap keeps distances, so that rows are placed by local linear reconstruction.
  linear <- object$layout == "isomap" && inherits(graph, "data_graph")
  basis <- if (linear) object$coordinates else object$basis
  if (is.null(basis)) {
    values <- nearest_extension(object, source, printed, call)
    if (!inherits(graph, "data_graph")) return(list(values = values))
    distance <- nearest_landmark(source, unname(graph$fit$landmarks), compute_with(call))$distance
  } else {
    values <- rows_extension(source, graph, with_component(basis, graph, object$component), call, linear)
    distance <- sqrt(values[, ncol(values)])
    values <- values[, -ncol(values), drop = FALSE]
  }
  list(values = values, far = distance > far_row * max(graph$span, graph$fit$spacing))
}

# Nystrom's extension of an embedding of nearest neighbors, or places in a layout of any graph. `printed`: by
# the equations as the paper prints them.
nearest_extension <- function(object, source, printed, call) {
  graph <- object$graph
  sums <- unname(1 + Matrix::rowSums(graph$weights))
  # In a layout only the nearest landmarks of a point count, and their places alone. Because of `alpha` the
  # weights at each landmark are multiplied by its `mass`.
  joined <- c(compressed(graph$weights), graph["covariance"], list(
    reach = graph$reach %||% numeric(length(sums)), mass = sums^-object$alpha
  ))
  map <- list(
    coordinates = with_component(object$coordinates, graph, object$component),
    # The column of the component has the eigenvalue 0: its mean stays as it is.
    values = c(object$values[seq_len(ncol(object$coordinates))], if (!is.null(object$component)) 0)
  )
  if (printed) {
    # Without the factor 1 / (1 - lambda), and symmetric in the sums of weights.
    map <- list(coordinates = map$coordinates / sqrt(sums), values = 0 * map$values)
  }
  settings <- c(list(
    edge_weights = if (inherits(graph, "data_graph")) "binary" else graph$edge_weights,
    sigma = as.double(graph$sigma), neighbors = as.integer(graph$neighbors),
    plane = as.double(object$plane), printed = printed, spread = covariance_kind(graph$covariance)
  ), compute_with(call))
  .Call(C_extend, source, graph$fit$landmarks, joined, map, settings)
}

# Means of the values of the landmarks near each row, and in a last column the squared distance of the row
# from the nearest landmark. `basis`: n x dims. `linear`: local linear reconstruction instead of means.
rows_extension <- function(source, graph, basis, call, linear = FALSE) {
  edges <- compressed(graph$weights)[c("start", "joined")]
  nearest <- if (linear) min(6, nrow(basis) - 1) else graph$neighbors
  settings <- c(list(nearest = as.integer(nearest), linear = linear), compute_with(call))
  .Call(C_anchor_extend, source, unname(graph$fit$landmarks), edges, unname(basis), settings)
}

# A warning that rows have the coordinates of a landmark far away from them. `far`: which ones, or NULL.
warn_far_from_graph <- function(far, arg, call) {
  if (!any(far)) return(invisible())
  warn_user(c(
    "{sum(far)} of {length(far)} row{?s} of {.arg {arg}} {cli::qty(sum(far))}{?is/are} far from all landmarks:
     the first is row {which(far)[1]}.",
    x = "Their coordinates are means over the nearest landmarks, and unreliable.",
    i = "Check the units of {.arg {arg}}. {.fn augment} returns novelty scores, {.var .novelty}."
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

# ---- tidiers and print() -----------------------------------------------------------------

#' Tidy an embedding
#'
#' `tidy()` returns one row per landmark, `glance()` one row for the embedding, and `augment()` the data with
#' their coordinates. `summary()` returns one row per coordinate.
#'
#' @param x,object An object of class `landmark_embedding`.
#' @param data,newdata For `augment()`: data with the columns that the landmarks were learned from. Supply one
#'   of the two. They are equivalent, because an embedding does not store the data.
#' @param ... Not used; an argument here is an error.
#' @return A tibble (see [tidy.landmarks()]); for `summary()` a data frame.
#'
#'   `tidy()`: `landmark`, `E1`, `E2`, ...
#'
#'   `augment()`: the columns of the data (none for sparse matrices), the coordinates `.E1`, `.E2`, ..., and
#'   `.novelty`, the posterior variance at the row (`type = "variance"` of [predict.landmarks()]), 0 at a
#'   landmark and 1 far from all landmarks. Names that exist already get a suffix (`.E1_1`). Row names become
#'   the column `.rownames`.
#'
#'   `glance()`: `landmarks`, `dims`; `edges`, `neighbors`, `components`, `distance`, `edge_weights` and
#'   `sigma` of the graph; `layout`, `alpha`, `component` (`NA` for all); `seconds`; and `nobs`, the number of
#'   rows that the landmarks were learned from.
#'
#'   `summary()`: `coordinate`; `value`, its eigenvalue (`NA` for layouts); `least` and `largest`, its range
#'   over the landmarks.
#' @seealso [embed_landmarks()]
#' @examples
#' set.seed(1)
#' x <- as.data.frame(sim_fish_bowl(1000))
#' e <- embed_landmarks(landmarks(x, 60))
#' head(tidy(e))
#' head(augment(e, x))
#' glance(e)
#' summary(e)
#' @name tidy.landmark_embedding
NULL

#' @rdname tidy.landmark_embedding
#' @export
tidy.landmark_embedding <- function(x, ...) {
  check_dots(...)
  check_embedding(x, "x")
  as_tibble_frame(data.frame(landmark = seq_len(nrow(x$coordinates)), x$coordinates))
}

#' @rdname tidy.landmark_embedding
#' @export
glance.landmark_embedding <- function(x, ...) {
  check_dots(...)
  check_embedding(x, "x")
  of_graph <- c("edges", "neighbors", "components", "distance", "edge_weights", "sigma")
  as_tibble_frame(data.frame(
    landmarks = nrow(x$coordinates), dims = ncol(x$coordinates), glance(x$graph)[of_graph],
    layout = x$layout, alpha = x$alpha, component = x$component %||% NA_integer_, seconds = x$seconds,
    nobs = x$graph$fit$n_rows
  ))
}

#' @rdname tidy.landmark_embedding
#' @export
augment.landmark_embedding <- function(x, data = NULL, newdata = NULL, ...) {
  check_dots(...)
  call <- rlang::current_env()
  check_embedding(x, "x")
  input <- augmented_data(data, newdata, call)
  fit <- x$graph$fit
  action <- incomplete_action(fit)
  new <- as.data.frame(predict_embedding(x, input$data, action, input$arg, call))
  names(new) <- paste0(".", names(new))
  new$.novelty <- unname(predict_rows(fit, input$data, list(type = "variance"), action, call, input$arg))
  beside_data(input$data, new)
}

#' @importFrom stats coef
#' @export
coef.landmark_embedding <- function(object, ...) {
  check_embedding(object, "object")
  object$coordinates
}

#' @export
as.matrix.landmark_embedding <- function(x, ...) coef.landmark_embedding(x)

#' @rdname tidy.landmark_embedding
#' @export
summary.landmark_embedding <- function(object, ...) {
  check_embedding(object, "object")
  at <- object$coordinates
  data.frame(
    coordinate = colnames(at),
    value = if (object$layout == "eigenmap") object$values[seq_len(ncol(at))] else NA_real_,
    least = apply(at, 2, min, na.rm = TRUE), largest = apply(at, 2, max, na.rm = TRUE), row.names = NULL
  )
}

#' @export
print.landmark_embedding <- function(x, ...) {
  check_embedding(x, "x")
  dims <- ncol(x$coordinates)
  cat(how_many(nrow(x$coordinates), "landmark"), " of ", how_many(x$graph$fit$n_rows, "observation"),
    ", embedded in ", how_many(dims, "dimension"), "\n", sep = "")
  print_graph(x$graph)
  if (x$layout != "eigenmap") {
    layouts <- c(isomap = "Isomap", tsne = "t-SNE, by Rtsne", umap = "UMAP, by uwot")
    print_line("layout", layouts[[x$layout]])
  } else {
    some <- seq_len(min(dims, 5))
    more <- if (dims > 5) " ..."
    print_line("eigenvalues", paste(format(x$values[some], digits = 3), collapse = " "), more)
    known <- some[!is.na(x$novelty[some])]
    if (length(known)) {
      new <- paste0(colnames(x$coordinates)[known], " ", round(100 * x$novelty[known]), "%")
      print_line("unique", paste(new, collapse = ", "), more, " of the variance")
    }
    size <- sum(x$graph$components == x$component)
    if (size) print_line("component", x$component, ", with ", how_many(size, "landmark"))
    if (x$alpha > 0) print_line("alpha", format(x$alpha), " (density normalization)")
  }
  print_line("time", format(round(x$seconds, 1)), " s")
  invisible(x)
}

#' @export
nobs.landmark_embedding <- function(object, ...) {
  check_embedding(object, "object")
  object$graph$fit$n_rows
}
