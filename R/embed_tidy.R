# Tidiers and print() of embeddings.

#' Tidy an embedding
#'
#' `tidy()` returns one row per landmark, `glance()` one row for the embedding, and `augment()` the data with
#' their coordinates. `summary()` returns one row per coordinate.
#'
#' @param x,object An object of class `landmark_embedding`.
#' @param data,newdata For `augment()`: data with the columns that the landmarks were learned from. Give one
#'   of the two; they are treated alike.
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
  graph <- x$graph
  as_tibble_frame(data.frame(
    landmarks = nrow(x$coordinates), dims = ncol(x$coordinates),
    edges = count_edges(graph), neighbors = graph$neighbors, components = max(graph$components),
    distance = graph$distance, edge_weights = graph$edge_weights, sigma = graph$sigma,
    layout = x$layout, alpha = x$alpha, component = x$component %||% NA_integer_, seconds = x$seconds,
    nobs = graph$fit$n_rows
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
  new <- as.data.frame(embedded(x, input$data, incomplete_action(fit), input$arg, call))
  names(new) <- paste0(".", names(new))
  new$.novelty <- novelty_of_rows(fit, input$data, input$arg, call)
  beside_data(input$data, new)
}

#' @export
as.matrix.landmark_embedding <- function(x, ...) {
  check_embedding(x, "x")
  x$coordinates
}

#' @rdname tidy.landmark_embedding
#' @export
summary.landmark_embedding <- function(object, ...) {
  check_embedding(object, "object")
  at <- object$coordinates
  data.frame(
    coordinate = colnames(at),
    value = if (identical(object$plane > 0, TRUE)) NA_real_ else object$values[seq_len(ncol(at))],
    least = apply(at, 2, min, na.rm = TRUE), largest = apply(at, 2, max, na.rm = TRUE), row.names = NULL
  )
}

#' @importFrom stats coef
#' @export
coef.landmark_embedding <- function(object, ...) {
  check_embedding(object, "object")
  object$coordinates
}

#' @export
print.landmark_embedding <- function(x, ...) {
  check_embedding(x, "x")
  dims <- ncol(x$coordinates)
  count <- function(v) format(v, big.mark = big_mark())
  cat(count(nrow(x$coordinates)), " landmarks of ", count(x$graph$fit$n_rows), " observations, embedded in ",
    dims, if (dims == 1) " dimension\n" else " dimensions\n", sep = "")
  print_graph(x$graph)
  if (x$layout == "eigenmap") {
    some <- seq_len(min(dims, 5))
    more <- if (dims > 5) " ..."
    print_line("eigenvalues", paste(format(x$values[some], digits = 3), collapse = " "), more)
    if (!all(is.na(x$novelty))) {
      known <- which(!is.na(x$novelty[some]))
      new <- paste0(colnames(x$coordinates)[known], " ", round(100 * x$novelty[known]), "%")
      print_line("unique", paste(new, collapse = ", "), more, " of the variance")
    }
    if (!is.null(x$component)) {
      size <- sum(x$graph$components == x$component)
      print_line("component", x$component, ", of ", how_many(size, "landmark"))
    }
    if (x$alpha > 0) print_line("alpha", format(x$alpha), " (density normalization)")
  } else {
    layouts <- c(isomap = "Isomap", tsne = "t-SNE, by Rtsne", umap = "UMAP, by uwot")
    print_line("layout", layouts[[x$layout]])
  }
  print_line("time", format(round(x$seconds, 1)), " s")
  invisible(x)
}

#' @export
nobs.landmark_embedding <- function(object, ...) {
  check_embedding(object, "object")
  object$graph$fit$n_rows
}
