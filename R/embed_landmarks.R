#' Embedding of landmarks and of data
#'
#' `embed_landmarks()` gives landmarks coordinates in a few dimensions that keep neighbors together.
#' `predict()` extends the coordinates to the data, or to any other point. Use it for pictures of
#' many-dimensional data, to unroll a curved surface, or for a few features. The method is Laplacian
#' eigenmaps (Belkin and Niyogi, 2003; Wachinger and Golland, 2015, Algorithm 3). The eigenproblem has the
#' size of the number of landmarks, so that millions of points take seconds.
#'
#' Let \eqn{W} be the n x n matrix of edge weights of [landmark_graph()], \eqn{K = W + I} with the identity
#' matrix \eqn{I}, and \eqn{D} the diagonal matrix of the row sums of \eqn{K}. The coordinates are the
#' eigenvectors y of
#' \deqn{(D - K) y = \lambda D y}{(D - K) y = lambda D y}
#' (Wachinger and Golland, eq. 8) with the smallest eigenvalues \eqn{\lambda}{lambda}, except the first, whose
#' \eqn{y} is constant. The coordinates of any point x are given by Nystrom's formula (eqs. 9 and 10),
#' \deqn{y(x) = \frac{1}{1 - \lambda} \frac{\sum_j w(x, j) y_j}{\sum_j w(x, j)},}{y(x) =
#'   1 / (1 - lambda) sum_j w(x, j) y_j / sum_j w(x, j),}
#' where \eqn{w(x, j)} is the weight of an edge between x and landmark j. At a landmark, y(x) equals its
#' coordinates. These equations are those of a graph of nearest neighbors; for the graph through the data, the
#' default, [graph-through-data] has \eqn{K} and the weights. [embedding-details] has the formula in full, how
#' signs and units are fixed, and which eigenvectors are chosen.
#'
#' There is a warning where the graph has several connected components, or parts that are joined only by
#' weights near 0: the first coordinates only separate these parts. For components it comes with the graph: a
#' graph that [landmark_graph()] has made brings it there, and not again here.
#'
#' `embed_landmarks(fit)` makes the graph first. [landmark_graph()] and `embed_landmarks(graph)` give the same
#' numbers. Use the two steps for several embeddings of one graph.
#'
#' @section Two graphs:
#' An embedding can only be as good as its graph. By default two landmarks are joined where rows of the data
#' lie between them (`edges = "data"`, right in the picture). A fit keeps this graph. With
#' fifty landmarks, its first coordinate follows a Swiss roll.
#'
#' \if{html}{\figure{graphs.png}{options: width=640 alt="Two graphs of fifty landmarks on a Swiss roll seen
#' from the side: nearest neighbors join its turns, the graph through the data follows the roll"}}
#'
#' `edges = "nearest"` (left) joins landmarks to their nearest neighbors, as the paper does. It knows only the
#' landmarks: where these are few, the nearest one may be on the next turn. `neighbors = 5` and the other
#' arguments of nearest neighbors ask for this graph too.
#'
#' @param fit An object of class `landmarks`, of n landmarks, at least two; or a graph of one, by
#'   [landmark_graph()].
#' @param x Data with the columns that the fit was learned from, or NULL, the default, as in
#'   [landmark_graph()].
#' @param ... For a fit: arguments of [landmark_graph()], by name: `edges`, `join`, `neighbors`, `radius`,
#'   `distance`, `edge_weights`, `sigma`, `covariance`, `ridge`. Otherwise an argument here
#'   is an error.
#' @param dims Number of coordinates, a whole number from 1 to n - 1. The default is 2, for a picture. For
#'   features of a classifier use some tens.
#' @param independent `TRUE` leaves out eigenvectors that are functions of earlier ones, `FALSE` takes the
#'   first ones. The default is `TRUE` for up to three dimensions, which serve for pictures, and `FALSE` for
#'   more, which serve as features. See [embedding-details].
#' @param alpha How much of the landmarks' density is divided out, a number from 0 (the default, nothing) to 1
#'   (the diffusion maps of Coifman and Lafon, 2006): \eqn{K_{ij}}{K_ij} is divided by \eqn{(q_i
#'   q_j)^\alpha}{(q_i q_j)^alpha}, where \eqn{q_i} is the sum of row i of \eqn{K}. With 1, more landmarks in
#'   a region do not make it larger in the embedding.
#' @param layout `"eigenmap"`, the default; or a picture by `"tsne"` (package Rtsne) or `"umap"` (package
#'   uwot) of paths along the graph (package igraph), see [embedding-layouts].
#' @param perplexity For t-SNE and UMAP: about how many neighbors of each landmark count, a number from 2 to
#'   (n - 1) / 3. The default is 15, or the largest whole number in this range where that is smaller.
#' @param component The number of the connected component of the graph to embed by itself, a number of
#'   `graph$components`. Landmarks of other components, and rows near them, get NA. NULL, the default, embeds
#'   all landmarks.
#' @param object An object of class `landmark_embedding`.
#' @param newdata Data with the columns that the landmarks were learned from, M rows: a matrix, a sparse
#'   matrix, a data frame, or data in chunks (see [chunked()]).
#' @param na.action What becomes of rows of `newdata` with missing values: `na.fail`, the default, is an
#'   error; `na.pass` and `na.exclude` give such a row NA as its coordinates; `na.omit` leaves it out, and
#'   names the other rows by their numbers where they have no names.
#' @param extension `"consistent"`, the default, has the coordinates of a landmark at its place; `"printed"`
#'   is the formula that Wachinger and Golland (2015) print, see [embedding-details]. It is for graphs of
#'   nearest landmarks or by a radius, with `alpha = 0`, and goes to 0 far from all landmarks. It is not
#'   for an embedding of one `component`, whose values are then not those of the formula.
#' @inheritParams landmarks
#' @return `embed_landmarks()`: an object of class `landmark_embedding`, a plain list that `saveRDS()` keeps
#'   whole: `coordinates` (n x dims, columns `E1`, `E2`, ...; `T1`, `T2` by t-SNE, `U1`, `U2` by UMAP; also by
#'   `coef()`), `values` (\eqn{\lambda}{lambda}, ascending; 0 for a layout), `chosen` (the numbers of the
#'   eigenvectors), `novelty` (the share of each coordinate's variance that a regression on those before it
#'   leaves; NA for a layout and with `independent = FALSE`), `layout`, `alpha`, `plane` (the width in the
#'   plane over which `predict()` averages landmarks of a layout), `graph` (of class `landmark_graph`, with
#'   the fit), `seconds` and `version` (that of this package, as a string).
#'
#'   `predict()`: a numeric matrix, M x dims.
#' @section Errors and warnings:
#' For a fit: those of [landmark_graph()]. `landmarker_error_graph`: a graph is incomplete or was edited.
#' `landmarker_error_rank`: `dims` exceeds the number of smooth coordinates, which have
#' \eqn{\lambda < 1}{lambda < 1}. Others cannot be extended to new points.
#' @references See [embedding-details].
#' @seealso [landmark_graph()], [by_dpp()], [plot.landmark_embedding()], [reconstruction_error()]
#' @examples
#' set.seed(1)
#' x <- sim_swiss_roll(4000)
#' fit <- landmarks(x, 200, by_gp(criterion = "trace"), bandwidth = 20)
#' e <- embed_landmarks(fit, alpha = 1)
#' e
#' # In two steps: the graph, and embeddings of it.
#' graph <- landmark_graph(fit)
#' identical(coef(embed_landmarks(graph, alpha = 1)), coef(e))
#' y <- predict(e, x)
#' # The first coordinate follows the roll, and the second its width.
#' abs(diag(cor(y, attr(x, "position"), method = "spearman")))
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
  if (is.numeric(x) && is.null(dim(x)) && length(x) == 1) {
    abort_input(c(
      "{.arg x} must be data, or be left out.", x = "It is {describe(x)}.",
      i = "For {x} coordinates give {.code dims = {x}}."
    ), arg = "x", kind = "data")
  }
  check_dot_names(...,
    own = names(formals()), example = "neighbors = 5", has_graph = FALSE, call = call
  )
  settings <- check_map(
    check_vertices(fit, call), dims, independent, alpha, layout, perplexity, component, call
  )
  # Who asks for one component knows that there are several, and a layout shows them.
  known <- function(w) if (!is.null(component) || settings$layout != "eigenmap") rlang::cnd_muffle(w)
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
  check_dot_names(..., own = names(formals()), example = "alpha = 1", has_graph = TRUE, call = call)
  settings <- check_map(
    nrow(fit$weights), dims, independent, alpha, layout, perplexity, component, call
  )
  embed_graph(fit, settings, started, call)
}

#' @export
embed_landmarks.default <- function(fit, ...) {
  abort_input(c(
    "{.arg fit} must be an object of class {.cls landmarks} or {.cls landmark_graph}.",
    x = "It is {describe(fit)}.",
    i = "Learn landmarks first, with {.fn landmarks}."
  ), arg = "fit", kind = "fit")
}

# Checks the names of `...`: arguments of landmark_graph() after `fit` and `x` or, where a graph is given,
# none. `own`: the names of the caller's arguments; `example`: one of them, as code.
check_dot_names <- function(..., own, example, has_graph, call) {
  further <- names(rlang::exprs(...))
  of_graph <- setdiff(names(formals(landmark_graph)), c("fit", "x"))
  late <- if (has_graph) intersect(further, c(of_graph, "x"))
  if (length(late)) {
    abort_input(c(
      "{.arg {late}} must be given to {.fn landmark_graph}, which makes the graph.",
      x = "{.arg fit} is already a graph."
    ), kind = "dots", call = call)
  }
  if (!all(nzchar(further))) {
    abort_input(paste0("Arguments after {.arg dims} must be given by name, as {.arg ", example, "}."),
      kind = "dots", call = call
    )
  }
  allowed <- if (!has_graph) of_graph
  unknown <- further[is.na(pmatch(further, allowed, duplicates.ok = TRUE))]
  if (length(unknown) == 0) return(invisible())
  meant <- alike(unknown[1], c(allowed, own))
  abort_input(c(
    "Unknown argument{?s} {.arg {unknown}}.",
    i = if (length(meant)) "Did you mean {.arg {meant}}?",
    i = if (!has_graph && "graph" %in% unknown) {
      "A graph is given in place of {.arg fit}: {.code embed_landmarks(graph)}."
    }
  ), kind = "dots", call = call)
}

# Checks the arguments of the embedding of a graph of n landmarks, and returns them in a list. The `component`
# is checked later, with the graph.
check_map <- function(n, dims, independent, alpha, layout, perplexity, component, call) {
  dims <- check_count(dims, "dims", max = n - 1L, call = call)
  independent <- check_flag(independent, "independent", call)
  alpha <- check_number(alpha, "alpha", 0, 1, closed = TRUE, call = call)
  layout <- check_choice(layout, names(layout_letters), "layout", call)
  wrong <- function(arg, value, rule) {
    abort_input(c(
      paste0("{.arg {arg}} must be ", rule, "."), x = "It is {describe(value)}."
    ), arg = arg, call = call)
  }
  flat <- "with {.code layout = \"{layout}\"}"
  if (layout == "eigenmap") {
    rule <- paste0("NULL ", flat, ", which does not use it")
    if (!is.null(perplexity)) wrong("perplexity", perplexity, rule)
  } else {
    if (dims != 2) wrong("dims", dims, paste("2", flat))
    if (alpha != 0) wrong("alpha", alpha, paste("0", flat))
  }
  list(
    dims = dims, independent = independent, alpha = alpha, layout = layout, perplexity = perplexity,
    component = component
  )
}

# The embedding of a graph. `settings`: see check_map().
embed_graph <- function(graph, settings, started, call) {
  component <- settings$component
  if (!is.null(component)) component <- check_component(component, graph, settings, call)
  map <- with_memory_errors(if (settings$layout == "eigenmap") {
    c(eigenmap_of(graph, settings, component, call), plane = 0)
  } else {
    c(
      arrange(settings$layout, graph, settings$perplexity, layout_start(graph, call), call),
      list(values = c(0, 0), chosen = 1:2, novelty = c(NA_real_, NA_real_))
    )
  }, call)
  letter <- layout_letters[[settings$layout]]
  dimnames(map$coordinates) <- list(landmark_names(graph$fit), paste0(letter, map$chosen))
  structure(
    c(map, if (!is.null(component)) list(component = component), list(
      layout = settings$layout, alpha = settings$alpha, graph = graph,
      seconds = as.double(proc.time()[["elapsed"]] - started), version = made_by()
    )),
    class = "landmark_embedding"
  )
}

# The argument `component` of embed_landmarks(), the number of a component of more than `dims` landmarks.
check_component <- function(component, graph, settings, call) {
  dims <- settings$dims
  count <- max(graph$components)
  if (NROW(graph$joins) > 0) {
    abort_input(c(
      "{.arg component} must be left out with {.code join = TRUE}, which leaves one component."
    ), arg = "component", kind = "graph", call = call)
  }
  component <- check_count(component, "component", max = count, call = call)
  size <- sum(graph$components == component)
  if (size <= dims) {
    abort_input(c(
      "{.arg component} must be one of more than {dims} landmark{?s}, the number of {.arg dims}.",
      x = "Component {component} has {size}."
    ), arg = "component", kind = "graph", call = call)
  }
  if (settings$layout != "eigenmap") {
    abort_input(c(
      "{.arg component} must be NULL with {.code layout = \"{settings$layout}\"}, which shows all
       landmarks.",
      x = "It is {component}."
    ), arg = "component", call = call)
  }
  component
}

# Where a layout starts: at the first two coordinates of the graph through the data, its parts joined, with
# the largest standard deviation 1; NULL where neither the graph is such a one nor its fit keeps one.
layout_start <- function(graph, call) {
  connected <- inherits(graph, "data_graph") && max(graph$components) == 1
  known <- graph$fit$joined
  if (nrow(graph$weights) < 4 || (!connected && is.null(known))) return(NULL)
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
  if (inherits(graph, "data_graph")) return(through_data(map, graph, component, call))
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
