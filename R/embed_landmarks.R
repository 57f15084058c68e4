#' Embed landmarks and data
#'
#' `embed_landmarks()` computes low-dimensional coordinates of landmarks by Laplacian eigenmaps (Belkin and
#' Niyogi, 2003; Wachinger and Golland, 2015, Algorithm 3). `predict()` extends them to the data or to new
#' points. The eigenproblem is of order n, the number of landmarks, so that millions of points can be
#' embedded. Other layouts are available: see `layout`.
#'
#' The default graph connects two landmarks if rows of the data lie between them; [graph-through-data]
#' describes its matrix \eqn{K} and the extension to new points. The equations below are for nearest-neighbor
#' graphs. Let \eqn{W} be the n x n matrix of edge weights of [landmark_graph()], \eqn{K = W + I}, and \eqn{D}
#' the diagonal matrix of the row sums of \eqn{K}. The coordinates are the eigenvectors y of
#' \deqn{(D - K) y = \lambda D y}{(D - K) y = lambda D y}
#' with the smallest eigenvalues \eqn{\lambda}{lambda}, without the constant one (Wachinger and Golland, 2015,
#' eq. 8). The coordinates of any point x are given by the Nystrom extension (Bengio et al., 2004)
#' \deqn{y(x) = \frac{1}{1 - \lambda} \frac{\sum_j w(x, j) y_j}{\sum_j w(x, j)},}{y(x) =
#'   1 / (1 - lambda) sum_j w(x, j) y_j / sum_j w(x, j),}
#' with \eqn{w(x, j)} the weight of an edge between x and landmark j.
#'
#' An embedding can only be as good as its graph, so look at [plot(graph)][plot.landmark_graph()]. If the
#' graph is disconnected, or if components are joined only by weights near 0, the first coordinates merely
#' separate the components and a warning is given.
#'
#' `embed_landmarks(fit)` is short for `embed_landmarks(landmark_graph(fit))`; it needs no data, because the
#' fit stores the edges found in its training data. To compute several embeddings of one graph, call
#' [landmark_graph()] first.
#'
#' @param fit An object of class `landmarks` with n landmarks, at least three (two for a nearest-neighbor
#'   graph and `dims = 1`), or a [landmark_graph()].
#' @param x Data for the graph. Default `NULL`: the graph of the training data, which is stored in the fit.
#'   Give `x` to compute the edges from other rows, or to use local covariances in a nearest-neighbor graph;
#'   see [landmark_graph()].
#' @param ... For a fit: further arguments of [landmark_graph()], by name. Otherwise not used; an argument
#'   here is an error.
#' @param dims Number of coordinates, at most n - 1. Default 2, for plots. A few tens are suitable as features
#'   of a classifier. For t-SNE and UMAP it must be 2.
#' @param independent If `TRUE`, eigenvectors that are functions of earlier ones are skipped; see
#'   [embedding-details]. Default `TRUE` for up to three dimensions (plots) and `FALSE` for more (features).
#' @param alpha Density normalization, from 0 (default, none) to 1 (diffusion maps, Coifman and Lafon, 2006):
#'   \eqn{K_{ij}}{K_ij} is divided by \eqn{(q_i q_j)^\alpha}{(q_i q_j)^alpha} with \eqn{q_i} the row sums of
#'   \eqn{K}. With 1 the density of the landmarks has little effect on the embedding. Only for eigenmaps.
#' @param layout The method: `"eigenmap"` (default); `"isomap"` (package \pkg{igraph}), which preserves
#'   distances along the graph and so shows a rolled strip as a rectangle; `"tsne"` (package \pkg{Rtsne}); or
#'   `"umap"` (package \pkg{uwot}). See [embedding-layouts].
#' @param perplexity For t-SNE and UMAP: effective number of neighbors, from 2 to (n - 1) / 3. Default 15, or
#'   the largest integer allowed if that is smaller.
#' @param component The connected component to embed, a value of `graph$components`. Other landmarks, and
#'   rows near them, get `NA`. Default `NULL`: all landmarks are embedded. Only for eigenmaps; other layouts
#'   join the components by their shortest gaps.
#' @param object An object of class `landmark_embedding`.
#' @param newdata Data with the columns that the landmarks were learned from, M rows.
#' @param na.action For missing values: `na.fail` (error, default), `na.pass` or `na.exclude` (`NA`
#'   coordinates), or `na.omit` (rows are dropped).
#' @param extension `"consistent"` (default) reproduces the coordinates of landmarks. `"printed"` is the
#'   formula printed in Wachinger and Golland (2015), see [embedding-details]; it is only for eigenmaps of
#'   nearest-neighbor and radius graphs with `alpha = 0`.
#' @param threads,verbose As in [landmarks()].
#' @return `embed_landmarks()`: an object of class `landmark_embedding`, a plain list:
#'   * `coordinates`: an n x dims matrix, also returned by `coef()`, with columns `E1`, `E2`, ... (`I1`, `I2`,
#'     ... for Isomap, `T1`, `T2` for t-SNE, `U1`, `U2` for UMAP).
#'   * `values`: the eigenvalues \eqn{\lambda}{lambda} in ascending order; 0 for layouts other than eigenmaps.
#'   * `chosen`: the indices of the eigenvectors that were kept.
#'   * `novelty`: for each eigenvector, the proportion of its variance that earlier ones do not explain (see
#'     [embedding-details]); `NA` if `independent` is `FALSE`, and for layouts other than eigenmaps.
#'   * `layout`, `alpha`, `component`: the arguments.
#'   * `plane`: if the graph is a nearest-neighbor graph and the layout is not an eigenmap, the width b of the
#'     kernel by which `predict()` places new points in the plane (see [embedding-layouts]); otherwise 0.
#'   * `graph`: the `landmark_graph`, which includes the fit.
#'   * `seconds`: time taken. `version`: the package version.
#'
#'   `predict()`: a numeric matrix, M x dims.
#' @section Errors and warnings:
#' Those of [landmark_graph()]. `landmarker_error_rank` if `dims` exceeds the number of eigenvalues below 1:
#' coordinates with \eqn{\lambda \ge 1}{lambda >= 1} have no extension. For Isomap, `landmarker_warning_graph`
#' if the coordinates represent the lengths of paths poorly (see [embedding-layouts]), and
#' `landmarker_warning_components` if components are joined.
#' @references See [embedding-details].
#' @seealso [landmark_graph()], [plot.landmark_embedding()], [reconstruction_error()]
#' @examples
#' set.seed(1)
#' x <- sim_swiss_roll(2000)
#' fit <- landmarks(x, 100, bandwidth = 20)
#' e <- embed_landmarks(fit, alpha = 1)
#' e
#' # The coordinates are monotone in the positions along and across the roll
#' y <- predict(e, x)
#' abs(diag(cor(y, attr(x, "position"), method = "spearman")))
#' # In two steps
#' graph <- landmark_graph(fit)
#' identical(coef(embed_landmarks(graph, alpha = 1)), coef(e))
#' @export
embed_landmarks <- function(fit, ...) {
  check_given(fit, "fit")
  UseMethod("embed_landmarks")
}

#' @rdname embed_landmarks
#' @export
embed_landmarks.landmarks <- function(fit, x = NULL, dims = 2, ..., independent = dims <= 3, alpha = 0,
                                      layout = "eigenmap", perplexity = NULL, component = NULL,
                                      threads = NULL, verbose = NULL) {
  local_compute(threads, verbose)
  started <- proc.time()[["elapsed"]]
  call <- rlang::current_env()
  check_object(fit, "landmarks", "fit")
  # Of `...` what landmark_graph() has no argument for.
  of_graph <- setdiff(names(formals(landmark_graph)), c("fit", "x"))
  dots <- rlang::exprs(...)
  unknown <- dots[is.na(pmatch(names(dots), of_graph, duplicates.ok = TRUE))]
  rlang::inject(check_dots(!!!unknown, call = call, .known = c(of_graph, names(formals()))))
  check_that(!is_number(x), x, "x", "the training data", "data", call,
    "Name other arguments: {.code dims = {x}}."
  )
  n <- check_vertices(fit, call)
  settings <- check_map(n, dims, independent, alpha, layout, perplexity, component, call)
  # The warning is redundant if one component is requested, or for a layout, which shows all of them.
  known <- function(w) if (!is.null(component) || layout != "eigenmap") rlang::cnd_muffle(w)
  graph <- withCallingHandlers(landmark_graph(fit, x, ...), landmarker_warning_components = known)
  embed_graph(graph, settings, started, call)
}

#' @rdname embed_landmarks
#' @export
embed_landmarks.landmark_graph <- function(fit, dims = 2, ..., independent = dims <= 3, alpha = 0,
                                           layout = "eigenmap", perplexity = NULL, component = NULL,
                                           threads = NULL, verbose = NULL) {
  local_compute(threads, verbose)
  started <- proc.time()[["elapsed"]]
  call <- rlang::current_env()
  check_graph(fit, "fit", call)
  check_dots(...)
  n <- nrow(fit$weights)
  settings <- check_map(n, dims, independent, alpha, layout, perplexity, component, call)
  embed_graph(fit, settings, started, call)
}

#' @export
embed_landmarks.default <- function(fit, ...) {
  check_that(FALSE, fit, "fit", "an object of class {.cls landmarks} or {.cls landmark_graph}", "fit")
}

# Checks the arguments of the embedding of a graph of n landmarks, and returns them in a list. The `component`
# is checked later, with the graph.
check_map <- function(n, dims, independent, alpha, layout, perplexity, component, call) {
  dims <- check_count(dims, "dims", max = n - 1L, call = call)
  independent <- check_flag(independent, "independent", call)
  alpha <- check_number(alpha, "alpha", 0, 1, closed = TRUE, call = call)
  layout <- check_choice(layout, names(layout_letters), "layout", call)
  flat <- layout %in% c("tsne", "umap")
  check_with <- function(ok, x, arg, value) {
    check_that(ok, x, arg, paste0(value, " with {.code layout = \"", layout, "\"}"), call = call)
  }
  check_with(!flat || dims == 2, dims, "dims", 2)
  check_with(flat || is.null(perplexity), perplexity, "perplexity", "NULL")
  check_with(layout == "eigenmap" || alpha == 0, alpha, "alpha", 0)
  check_with(layout == "eigenmap" || is.null(component), component, "component", "NULL")
  list(
    dims = dims, independent = independent, alpha = alpha, layout = layout, perplexity = perplexity,
    component = component
  )
}

# The embedding of a graph. `settings`: see check_map().
embed_graph <- function(graph, settings, started, call) {
  component <- settings$component
  if (!is.null(component)) {
    component <- check_count(component, "component", max = max(graph$components), call = call)
    size <- sum(graph$components == component)
    check_that(size > settings$dims, component, "component",
      "a component with more landmarks than {.arg dims}, {settings$dims}", "graph", call,
      found = "Component {component} has {size} landmark{?s}."
    )
  }
  map <- switch(settings$layout,
    eigenmap = c(eigenmap_of(graph, settings, component, call), plane = 0),
    isomap = isomap(graph, settings$dims, call),
    arrange_landmarks(settings$layout, graph, settings$perplexity, layout_start(graph, call), call)
  )
  letter <- layout_letters[[settings$layout]]
  dimnames(map$coordinates) <- list(landmark_names(graph$fit), paste0(letter, map$chosen))
  structure(c(map, if (!is.null(component)) list(component = component), list(
    layout = settings$layout, alpha = settings$alpha, graph = graph,
    seconds = as.double(proc.time()[["elapsed"]] - started), version = made_by()
  )), class = "landmark_embedding")
}

# Where a layout starts: at the first two coordinates of the graph through the data, its parts joined, with
# the largest standard deviation 1; NULL where neither the graph is such a one nor its fit keeps one.
layout_start <- function(graph, call) {
  connected <- inherits(graph, "data_graph") && max(graph$components) == 1
  known <- graph$fit$joined
  if (!connected && is.null(known)) return(NULL)
  start <- suppressWarnings(try_default({
    through <- if (connected) graph else data_graph(graph$fit, known, TRUE, call)
    eigenmap(through, 2L, TRUE, 0, call)$coordinates
  }, NULL), classes = "landmarker_warning")
  if (is.null(start)) return(NULL)
  start <- start - rep(colMeans(start), each = nrow(start))
  unname(start) / max(apply(start, 2, stats::sd))
}

# The eigenmap of a graph, or of one component of it.
eigenmap_of <- function(graph, settings, component, call) {
  part <- if (is.null(component)) graph else component_graph(graph, component)
  map <- eigenmap(part, settings$dims, settings$independent, settings$alpha, call)
  if (inherits(graph, "data_graph")) {
    basis <- map$coordinates / rep(sqrt(1 - map$values), each = nrow(map$coordinates))
    basis <- without_earlier(basis, map$novelty >= new_share, call)
    return(through_data(map, basis, graph, component, call))
  }
  map$coordinates <- among_all(map$coordinates, graph, component)
  map
}

# A component of a graph as a graph of its own, for the eigenproblem.
component_graph <- function(graph, component) {
  at <- which(graph$components == component)
  weights <- methods::as(graph$weights, "generalMatrix")[at, at, drop = FALSE]
  graph$weights <- Matrix::forceSymmetric(weights)
  graph$own <- graph$own[at]
  graph$components <- rep(1L, length(at))
  graph
}
