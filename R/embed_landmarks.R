#' Embedding of landmarks and of data
#'
#' `embed_landmarks()` gives landmarks coordinates in a few dimensions that keep neighbors together.
#' `predict()` extends the coordinates to the data, or to any other point. Use it for pictures of
#' many-dimensional data, to unroll a curved surface, or for a few features. The method is Laplacian
#' eigenmaps (Belkin and Niyogi, 2003; Wachinger and Golland, 2015, Algorithm 3). The eigenproblem has the
#' size of the number of landmarks, so that millions of points take seconds.
#'
#' Let n be the number of landmarks, and \eqn{W} the n x n matrix of edge weights of [landmark_graph()]. Let
#' \eqn{K = W + I}, where \eqn{I} is the identity matrix (each landmark is its own neighbor, with weight 1),
#' and let \eqn{D} be the diagonal matrix of the row sums of \eqn{K}. The coordinates are the eigenvectors y
#' of
#' \deqn{(D - K) y = \lambda D y}{(D - K) y = lambda D y}
#' (Wachinger and Golland, eq. 8) with the smallest eigenvalues \eqn{\lambda}{lambda}, except the first, whose
#' \eqn{y} is constant. Each coordinate has mean 0 and variance 1 over the landmarks, where landmark i has
#' weight \eqn{D_{ii}}{D_ii}. Its sign is such that the entry of largest size is positive (the first of those
#' within a millionth of the largest). Eigenvectors with equal eigenvalues, as on a circle, are determined up
#' to a rotation, and the algorithm chooses one.
#'
#' The coordinates of any point x are given by Nystrom's formula (eqs. 9 and 10; Bengio et al., 2004),
#' \deqn{y(x) = \frac{1}{1 - \lambda} \frac{\sum_j w(x, j) y_j}{\sum_j w(x, j)},}{y(x) =
#'   1 / (1 - lambda) sum_j w(x, j) y_j / sum_j w(x, j),}
#' where w is the kernel of the graph:
#' \eqn{w(x, j) = \exp(-D(x, j)/(2\sigma^2))}{w(x, j) = exp(-D(x, j) / (2 sigma^2))} for the distance
#' \eqn{D(x, j)} of x and landmark j, or 1 for binary weights. \eqn{\sigma}{sigma} and the distance are those
#' of [landmark_graph()]. w(x, j) has this value for the `neighbors + 1` landmarks nearest to x, and for the
#' landmarks that are nearer to x than to their own last neighbor. For other landmarks it is 0. For `distance
#' = "bhattacharyya"` the point has the covariance of its nearest landmark (the first of those that tie). At a
#' landmark the weights \eqn{w(x, j)} are the landmark's row of \eqn{K}, and y(x) equals its coordinates. Far
#' from all landmarks y(x) approaches the coordinates of the nearest one, divided by \eqn{1 - \lambda}{1 -
#' lambda}.
#'
#' The printed equations 9 and 10 of Wachinger and Golland (2015) differ from this in two places. They lack
#' the factor \eqn{1/(1 - \lambda)}{1/(1 - lambda)}. Without it a point in the place of a landmark would get
#' smaller coordinates than the landmark. Here the weights of each point are also divided by their sum,
#' because the eigenproblem of equation 8 divides each row of \eqn{K} by its sum. With both changes,
#' `predict()` at a landmark is exactly the landmark's row of `coordinates`.
#'
#' The first coordinates only separate parts of the graph where it has several connected components, or parts
#' that are joined only by weights near 0. A warning is given in both cases.
#'
#' @section From a fit, or from a graph:
#' `embed_landmarks(fit, ...)` makes the graph first and then embeds it, in one call.
#' `landmark_graph(fit, ...)` followed by `embed_landmarks(graph)` gives the same numbers. Use the
#' two steps for several embeddings of one graph, with different `dims`, `alpha` or `layout`: the graph is
#' computed once, and its warnings are given once.
#'
#' @section Independent coordinates:
#' The eigenvectors of a manifold are like waves, the slowest first. On a long strip the second eigenvector
#' is a function of the first (a parabola), and so is the third. The width of the strip comes later: as the
#' fourth or fifth eigenvector on the usual Swiss roll, which is four times as long as wide.
#' `independent = TRUE` leaves out eigenvectors that are functions of earlier ones. It goes through the
#' eigenvectors in order and chooses the first. It chooses a later one if a local linear regression on the
#' chosen ones leaves at least half of its variance (Dsilva et al., 2018). The regression for a landmark uses
#' the landmarks nearest to it in the chosen coordinates, ten for each coefficient, without the landmark
#' itself. The first 20 eigenvectors are examined (`2 dims`, if that is more), but at most one for every 15
#' landmarks, because faster waves are too fast for such a regression. If fewer than `dims` are
#' chosen, the first of the others are added. The columns keep the numbers of their eigenvectors, for example
#' `E1` and `E4`. `chosen` has these numbers, and `novelty` has the shares of variance that the regressions
#' leave.
#'
#' An eigenvector can be a mixture of length and width, where both change equally fast. Evenly spaced
#' landmarks, `alpha = 1` and as many neighbors as there are without shortcuts help against that. On four
#' Swiss rolls of 20,000 points and more, with 400 landmarks by `by_gp(criterion = "trace")`, bandwidth 10,
#' `neighbors = 8` and `alpha = 1`, the rank correlations of the two coordinates with length and width were
#' at least 0.999 and 0.93. A mixture shows as curved edges of the embedded strip. With other landmarks, or
#' fewer of them, the second correlation was 0.7 to 0.97.
#'
#' @section Layouts:
#' `layout = "tsne"` and `"umap"` arrange the landmarks in a plane so that clusters show. They use the
#' graph's distances from each landmark to its `3 perplexity` nearest ones (t-SNE) or to about `perplexity`
#' nearest ones (UMAP). `predict()` puts a point at a weighted mean of the `neighbors + 1` landmarks that are
#' nearest to it. The weights fall with the distance. Of these landmarks only the one with most weight and
#' those close to it in the plane are used, because the mean of two clusters would lie between them. A point
#' in the place of a landmark gets the landmark's coordinates.
#'
#' Such a picture shows only which landmarks are near each other. Distances between clusters, their sizes,
#' their densities and their shapes have no meaning. Clusters can appear where there are none, and
#' one can be torn into two. Another seed gives another picture. Points that are far from all landmarks are
#' still put among them.
#'
#' @param fit An object of class `landmarks`, of at least two landmarks; or a graph of one, by
#'   [landmark_graph()].
#' @param x Data with the columns that the fit was learned from, or NULL, the default: as in
#'   [landmark_graph()].
#' @param ... For a fit: arguments of [landmark_graph()], by name: `neighbors`, `distance`, `edge_weights`,
#'   `sigma`, `covariance`, `ridge` and `covariance_rows`. They are described there. For a graph, and for
#'   `predict()`, an argument here is an error.
#' @param dims Number of coordinates, a whole number from 1 to n - 1. The default is 2, for a picture. For
#'   features of a classifier use some tens.
#' @param independent `TRUE` leaves out eigenvectors that are functions of earlier ones (see Independent
#'   coordinates), `FALSE` takes the first ones. The default is `TRUE` for up to three dimensions, which
#'   serve for pictures, and `FALSE` for more, which serve as features.
#' @param alpha How much of the landmarks' density is divided out, a number from 0 (the default, nothing) to
#'   1 (the diffusion maps of Coifman and Lafon, 2006): \eqn{K_{ij}}{K_ij} is divided by \eqn{(q_i
#'   q_j)^\alpha}{(q_i q_j)^alpha}, where \eqn{q_i} is the sum of row i of \eqn{K}. With 1, more
#'   landmarks in a region do not make it larger in the embedding. `predict()` divides by the same densities;
#'   the density of the new point cancels.
#' @param layout `"eigenmap"`, the default; or `"tsne"` (by package Rtsne) or `"umap"` (by package uwot):
#'   see Layouts.
#' @param perplexity For t-SNE and UMAP: about how many neighbors of each landmark count, a number from 2 to
#'   (n - 1) / 3. The default is 15, or the largest whole number in this range where that is smaller.
#' @param object An object of class `landmark_embedding`.
#' @param newdata Data with the same columns as the data that the landmarks were learned from, M rows: a
#'   matrix, a sparse matrix, a data frame, or data that are not in memory (see [data_parts()]).
#' @param sink Where the coordinates go block by block, as in [predict.landmarks()]; NULL, the default,
#'   returns them.
#' @inheritParams landmarks
#' @return `embed_landmarks()`: an object of class `landmark_embedding`, a plain list that `saveRDS()` keeps
#'   whole: `coordinates` (n x dims, columns `E1`, `E2`, ...; `T1`, `T2` by t-SNE, `U1`, `U2` by UMAP; also
#'   by `coef()`), `values` (\eqn{\lambda}{lambda}, ascending; 0 for a layout), `chosen` (the numbers of the
#'   eigenvectors), `novelty` (the share of each coordinate's variance that a regression on those before it
#'   leaves; NA for a layout and with `independent = FALSE`), `layout`, `alpha`, `plane` (the width in the
#'   plane over which `predict()` averages landmarks of a layout), `graph` (the result of [landmark_graph()],
#'   which contains the fit), `seconds` and `version` (that of this package, as a string).
#'
#'   `predict()`: a numeric matrix, M x dims.
#' @section Errors and warnings:
#' For a fit: those of [landmark_graph()]. `landmarker_error_graph`: a graph is incomplete or was edited.
#' `landmarker_error_rank`: `dims` exceeds the number of smooth coordinates, which have
#' \eqn{\lambda < 1}{lambda < 1}. Others cannot be extended to new points.
#' @section Cost:
#' LAPACK computes the eigenvectors of up to 500 landmarks with \eqn{\frac43 n^3}{(4/3) n^3} operations and
#' 8 n^2 bytes. For more landmarks package RSpectra computes them on the sparse graph, where it is installed
#' and the number of eigenvectors (`dims`, or those examined for `independent = TRUE`) is at most n/5. The
#' result is checked, and LAPACK computes it where the check fails. 5,000 landmarks of a Swiss roll take less
#' than a second, and some forty seconds without RSpectra and with R's own BLAS. Both ways give the same
#' coordinates up to 1e-6. Eigenvectors with equal eigenvalues are again an exception: each way chooses its
#' own.
#'
#' `predict()` for M rows of d columns takes M n (d + 1) operations, by up to two threads, in blocks of rows.
#' @references M. Belkin and P. Niyogi (2003). Laplacian eigenmaps for dimensionality reduction and data
#' representation. *Neural Computation* 15(6), 1373-1396.
#'
#' R. R. Coifman and S. Lafon (2006). Diffusion maps. *Applied and Computational Harmonic Analysis* 21(1),
#' 5-30.
#'
#' C. J. Dsilva, R. Talmon, R. R. Coifman and I. G. Kevrekidis (2018). Parsimonious representation of
#' nonlinear dynamical systems through manifold learning: a chemotaxis case study. *Applied and
#' Computational Harmonic Analysis* 44(3), 759-773.
#'
#' Y. Bengio, J.-F. Paiement, P. Vincent, O. Delalleau, N. Le Roux and M. Ouimet (2004). Out-of-sample
#' extensions for LLE, Isomap, MDS, eigenmaps, and spectral clustering. *Advances in Neural Information
#' Processing Systems* 16.
#'
#' C. Wachinger and P. Golland (2015). Diverse landmark sampling from determinantal point processes for
#' scalable manifold learning. arXiv:1503.03506.
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
                                      layout = "eigenmap", perplexity = NULL, threads = NULL,
                                      verbose = NULL) {
  local_compute(threads, verbose)
  started <- proc.time()[["elapsed"]]
  call <- rlang::current_env()
  check_fit(fit)
  check_graph_arguments(..., own = names(formals()), call = call)
  settings <- check_map(check_vertices(fit, call), dims, independent, alpha, layout, perplexity, call)
  embed_graph(landmark_graph(fit, x, ...), settings, started, call)
}

#' @rdname embed_landmarks
#' @export
embed_landmarks.landmark_graph <- function(fit, dims = 2, ..., independent = dims <= 3, alpha = 0,
                                           layout = "eigenmap", perplexity = NULL, threads = NULL,
                                           verbose = NULL) {
  local_compute(threads, verbose)
  started <- proc.time()[["elapsed"]]
  call <- rlang::current_env()
  check_graph(fit, "fit", call)
  check_no_graph_arguments(..., own = names(formals()), call = call)
  settings <- check_map(nrow(fit$weights), dims, independent, alpha, layout, perplexity, call)
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

# Checks the arguments of landmark_graph() after `fit` and `x`. `own`: the names of those of the caller.
check_graph_arguments <- function(..., own, call) {
  given <- dot_names(...)
  graph <- setdiff(names(formals(landmark_graph)), c("fit", "x"))
  if (!all(nzchar(given))) {
    abort_input("Arguments after {.arg dims} must be given by name, as {.arg neighbors = 5}.",
      kind = "dots", call = call
    )
  }
  unknown <- given[is.na(pmatch(given, graph, duplicates.ok = TRUE))]
  if (length(unknown) == 0) return(invisible())
  meant <- alike(unknown[1], c(graph, own))
  abort_input(c(
    "Unknown argument{?s} {.arg {unknown}}.",
    i = if (length(meant)) "Did you mean {.arg {meant}}?",
    i = if ("graph" %in% unknown) "A graph is given in place of {.arg fit}: {.code embed_landmarks(graph)}."
  ), kind = "dots", call = call)
}

# An error for arguments of landmark_graph() where a graph is given: they would come too late.
check_no_graph_arguments <- function(..., own, call) {
  given <- dot_names(...)
  known <- intersect(given, names(formals(landmark_graph)))
  if (length(known)) {
    abort_input(c(
      "{.arg {known}} must be given to {.fn landmark_graph}, which makes the graph.",
      x = "{.arg fit} is already a graph."
    ), kind = "dots", call = call)
  }
  unknown <- given[nzchar(given)]
  meant <- if (length(unknown)) alike(unknown[1], own)
  if (length(given)) {
    abort_input(c(
      if (length(unknown)) "Unknown argument{?s} {.arg {unknown}}.",
      if (length(unknown) == 0) "Arguments after {.arg dims} must be given by name, as {.arg alpha = 1}.",
      i = if (length(meant)) "Did you mean {.arg {meant}}?"
    ), kind = "dots", call = call)
  }
}

# The names of `...`, "" where there is none.
dot_names <- function(...) names(rlang::exprs(...))

# Checks the arguments of the embedding of a graph of n landmarks, and returns them in a list.
check_map <- function(n, dims, independent, alpha, layout, perplexity, call) {
  dims <- check_count(dims, "dims", max = n - 1L, call = call)
  independent <- check_flag(independent, "independent", call)
  alpha <- check_number(alpha, "alpha", 0, 1, closed = TRUE, call = call)
  layout <- check_layout(layout, dims, alpha, perplexity, call)
  list(dims = dims, independent = independent, alpha = alpha, layout = layout, perplexity = perplexity)
}

# The embedding of a graph. `settings`: see check_map().
embed_graph <- function(graph, settings, started, call) {
  map <- if (settings$layout == "eigenmap") {
    c(eigenmap(graph, settings$dims, settings$independent, settings$alpha, call), plane = 0)
  } else {
    c(
      arrange(settings$layout, graph, settings$perplexity, call),
      list(values = c(0, 0), chosen = 1:2, novelty = c(NA_real_, NA_real_))
    )
  }
  letter <- layout_letters[[settings$layout]]
  dimnames(map$coordinates) <- list(landmark_names(graph$fit), paste0(letter, map$chosen))
  structure(
    c(map, list(
      layout = settings$layout, alpha = settings$alpha, graph = graph,
      seconds = as.double(proc.time()[["elapsed"]] - started), version = made_by()
    )),
    class = "landmark_embedding"
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
    print_line("values", paste(format(x$values[some], digits = 3), collapse = " "), more)
    if (!anyNA(x$novelty)) {
      new <- paste0(colnames(x$coordinates)[some], " ", round(100 * x$novelty[some]), "%")
      print_line("novelty", paste(new, collapse = ", "), more, " of the variance")
    }
    if (x$alpha > 0) print_line("alpha", format(x$alpha), ", the density of the landmarks divided out")
  } else {
    print_line("layout", switch(x$layout, tsne = "t-SNE, by Rtsne", umap = "UMAP, by uwot"))
  }
  print_line("time", format(round(x$seconds, 1)), " s")
  invisible(x)
}

#' @export
nobs.landmark_embedding <- function(object, ...) {
  check_embedding(object, "object")
  object$graph$fit$n_rows
}
