#' Embedding of landmarks, and of data through them
#'
#' `embed_landmarks()` gives landmarks coordinates in a few dimensions that keep neighbors together.
#' `predict()` extends the coordinates to the data, or to any other point. Use it for pictures of
#' many-dimensional data, to unroll a curved surface, or for a few features. The method is Laplacian
#' eigenmaps (Belkin and Niyogi, 2003; Wachinger and Golland, 2015, Algorithm 3). The eigenproblem has the
#' size of the number of landmarks, so that millions of points take seconds.
#'
#' Let n be the number of landmarks, \eqn{W} the n x n matrix of edge weights of [landmark_graph()],
#' \eqn{K = W + I} (each landmark is its own neighbor, with weight 1), and \eqn{D} the diagonal matrix of the
#' row sums of \eqn{K}. The coordinates are the eigenvectors y of
#' \deqn{(D - K) y = \lambda D y}{(D - K) y = lambda D y}
#' (eq. 8) with the smallest eigenvalues \eqn{\lambda}{lambda}, except the first, whose \eqn{y} is constant.
#' Each coordinate has mean 0 and variance 1 if landmark i has weight \eqn{D_{ii}}{D_ii}. Its sign makes the
#' entry of largest size positive (the first of those within a millionth of the largest). Eigenvectors with
#' equal eigenvalues, as on a circle, are determined up to a rotation, and LAPACK chooses one.
#'
#' A point x is extended by Nystrom's formula (eqs. 9 and 10; Bengio et al., 2004),
#' \deqn{y(x) = \frac{1}{1 - \lambda} \frac{\sum_j w(x, j) y_j}{\sum_j w(x, j)},}{y(x) =
#'   1 / (1 - lambda) sum_j w(x, j) y_j / sum_j w(x, j),}
#' where w is the kernel of the graph:
#' \eqn{w(x, j) = \exp(-D(x, j)/(2\sigma^2))}{w(x, j) = exp(-D(x, j) / (2 sigma^2))} for the distance
#' \eqn{D(x, j)} of x and landmark j, or 1 for binary weights. It is above 0 for the `neighbors + 1`
#' landmarks nearest to x, and for those landmarks that are nearer to x than to their own last neighbor;
#' otherwise it is 0. For `distance = "bhattacharyya"` the point has the covariance of its nearest landmark
#' (the first of those that tie). At a landmark \eqn{w(x, j)} is the landmark's row of \eqn{K}, and y(x)
#' equals its coordinates. Far from all landmarks y(x) approaches the coordinates of the nearest one, divided
#' by \eqn{1 - \lambda}{1 - lambda}.
#'
#' This formula differs from the printed equations 9 and 10 of Wachinger and Golland (2015) in two places. It
#' has the factor \eqn{1/(1 - \lambda)}{1/(1 - lambda)}: without the factor, a point in the place of a
#' landmark would get smaller coordinates than the landmark. And it divides the weights by their sum for each
#' point, because the eigenproblem of equation 8 divides each row of \eqn{K} by its sum. With both changes
#' `predict()` at a landmark gives exactly the landmark's row of `coordinates`.
#'
#' Where the graph has several components, or parts that are joined by weights near 0 (both give a warning),
#' the first coordinates only separate these parts.
#'
#' @section Coordinates that say something new:
#' The eigenvectors of a manifold are like waves, the slowest first. On a long strip the second eigenvector
#' is a function of the first (a parabola), and so is the third. The width of the strip comes later: as the
#' fourth or fifth eigenvector on the usual Swiss roll, which is four times as long as wide.
#' `independent = TRUE` leaves out eigenvectors that are functions of earlier ones. It goes through the
#' eigenvectors in order and chooses the first. It chooses a later one if a local linear regression on the
#' chosen ones leaves at least half of its variance (Dsilva et al., 2018). The regression for a landmark uses
#' the landmarks nearest to it in the chosen coordinates, ten for each coefficient, without the landmark
#' itself. The first 20 eigenvectors are examined (`2 dims`, if that is more), but at most one for every 15
#' landmarks, because faster waves are too fast for such a regression. If fewer than `dims` are new, the
#' first of the others are added. The columns keep the numbers of their eigenvectors, for example `E1` and
#' `E4`. `chosen` has these numbers and `novelty` the shares of variance.
#'
#' An eigenvector can be a mixture of length and width, where both vary equally fast. Evenly spaced
#' landmarks, `alpha = 1`, and as many neighbors as possible without shortcuts reduce such mixtures. On four
#' Swiss rolls of 20,000 points and more, with 400 landmarks by `by_gp(criterion = "trace")`, bandwidth 10,
#' `neighbors = 8` and `alpha = 1`, the rank correlations of the two coordinates with length and width were
#' at least 0.999 and 0.93. A mixture shows as edges that are curved. With other landmarks, or fewer of them,
#' the second correlation was 0.7 to 0.97.
#'
#' @section Layouts:
#' `layout = "tsne"` and `"umap"` arrange the landmarks in a plane so that clusters show. They use the
#' distances of the graph, to the `3 perplexity` nearest landmarks (t-SNE) or about `perplexity` nearest
#' landmarks (UMAP). `predict()` puts a point at a weighted mean of the `neighbors + 1` landmarks that are
#' nearest to it. The weights fall with the distance. Only landmarks count that lie close together in the
#' plane, around the one with most weight, because the mean of two clusters would lie in neither. A point in
#' the place of a landmark gets the landmark's coordinates.
#'
#' Such a picture shows which landmarks are near each other, and little else. Distances between clusters,
#' their sizes, densities and shapes have no meaning. Clusters can appear in data without clusters, and one
#' cluster can be split in two. Another seed gives another picture. Points that are far from all landmarks
#' are still put among them.
#'
#' A measurement on MNIST, 60,000 images through 2,000 landmarks: five nearest neighbors in the plane
#' classify the digits of the 10,000 test images with an accuracy of .94 where the landmarks are k-means
#' centers, and .91 with random rows or `by_dpp()`. The landmarks set the limit: with the 2,000 of `by_dpp()`
#' the five nearest landmarks in all 784 dimensions reach .91 too.
#'
#' @inheritParams landmark_graph
#' @param dims Number of coordinates, from 1 to one less than the number of landmarks. Default 2, for a
#'   picture. Features for a classifier need more, some tens.
#' @param independent Whether to leave out eigenvectors that are functions of earlier ones. By default `TRUE`
#'   for up to three dimensions, for pictures, and `FALSE` for more, where the first eigenvectors are taken.
#' @param alpha How far the density of the landmarks is divided out, from 0 (the default: it stays in) to 1
#'   (the diffusion maps of Coifman and Lafon, 2006): \eqn{K_{ij}}{K_ij} is divided by
#'   \eqn{(q_i q_j)^\alpha}{(q_i q_j)^alpha}, where \eqn{q} has the row sums of K. With 1, the number of
#'   landmarks in a place does not affect its size in the embedding. `predict()` divides by the densities of
#'   the landmarks; the density of the new point cancels.
#' @param layout `"eigenmap"`, the default; or `"tsne"` (by package Rtsne) or `"umap"` (by package uwot): see
#'   Layouts.
#' @param perplexity For layouts: about how many neighbors each landmark is arranged by, from 2 to (n - 1) /
#'   3. Default 15, or the largest allowed number where that is smaller.
#' @param object An object of class `landmark_embedding`.
#' @param newdata Data with the same columns as the data that the landmarks were learned from, M rows: a
#'   matrix, a sparse matrix, or a data frame.
#' @param ... Not used; an argument here is an error.
#' @return `embed_landmarks()`: an object of class `landmark_embedding`, a plain list that `saveRDS()` keeps
#'   whole:
#'   * `coordinates`: n x dims, also by `coef()`. The columns are `E1`, `E2`, ...; `T1`, `T2` by t-SNE; `U1`,
#'     `U2` by UMAP.
#'   * `values`: \eqn{\lambda}{lambda}, ascending; 0 for a layout.
#'   * `chosen`: the numbers of the eigenvectors.
#'   * `novelty`: the share of each eigenvector's variance that the ones before leave; NA with
#'     `independent = FALSE`.
#'   * `layout` and `alpha`: as given. `plane`: for a layout, how close landmarks must lie in the plane for
#'     their mean.
#'   * `graph`: the edge weights, as [landmark_graph()] gives them. `fit`: the landmarks.
#'   * The options of the graph: `distance`, `kind`, `sigma`, `neighbors`, `reach` (D to the last neighbor of
#'     each landmark), `covariance` (NULL, or the local covariances with their ridge, in units of the kernel:
#'     of data that `scale` has divided).
#'
#'   `predict()`: a numeric matrix, M x dims.
#' @section Errors and warnings:
#' Those of [landmark_graph()], and `landmarker_error_rank` where there are fewer than `dims` smooth
#' coordinates: an eigenvector with \eqn{\lambda}{lambda} of 1 or more has no extension.
#' @section Cost:
#' Eigenpairs by LAPACK: \eqn{\frac43 n^3}{(4/3) n^3} operations and 8 n^2 bytes (2,500 landmarks take some
#' ten seconds with R's own BLAS). Extension: M n (d + 1) operations by up to two threads, in blocks of rows.
#' @references M. Belkin and P. Niyogi (2003). Laplacian eigenmaps for dimensionality reduction and data
#' representation. *Neural Computation* 15(6), 1373-1396.
#'
#' R. R. Coifman and S. Lafon (2006). Diffusion maps. *Applied and Computational Harmonic Analysis* 21(1),
#' 5-30.
#'
#' C. J. Dsilva, R. Talmon, R. R. Coifman and I. G. Kevrekidis (2018). Parsimonious representation of
#' nonlinear dynamical systems through manifold learning: a chemotaxis case study. *Applied and Computational
#' Harmonic Analysis* 44(3), 759-773.
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
#' y <- predict(e, x)
#' # The first coordinate follows the roll, and the second its width.
#' abs(diag(cor(y, attr(x, "position"), method = "spearman")))
#' @export
embed_landmarks <- function(fit, x = NULL, dims = 2, neighbors = NULL,
                            distance = if (is.null(fit$covariance)) "euclidean" else "bhattacharyya",
                            weights = "heat", sigma = NULL, covariance = "diagonal", ridge = 0.001, observations = NULL,
                            independent = dims <= 3, alpha = 0, layout = "eigenmap", perplexity = NULL) {
  # A fit that is made in the call is not part of the embedding's time.
  check_fit(fit)
  started <- proc.time()[["elapsed"]]
  call <- rlang::current_env()
  n <- check_vertices(fit, call)
  dims <- check_count(dims, "dims", max = n - 1L)
  independent <- check_flag(independent, "independent")
  alpha <- check_number(alpha, "alpha", 0, 1, closed = TRUE)
  layout <- check_layout(layout, dims, alpha, perplexity, call)
  graph <- local_graph(fit, x, neighbors, distance, weights, sigma, covariance, ridge, observations, call)
  map <- if (layout == "eigenmap") {
    c(eigenmap(graph$weights, dims, independent, alpha, call), plane = 0)
  } else {
    c(
      arrange(layout, graph$lists, n, graph$neighbors, perplexity, call),
      list(values = c(0, 0), chosen = 1:2, novelty = c(NA_real_, NA_real_))
    )
  }
  dimnames(map$coordinates) <- list(landmark_names(fit), paste0(layout_letters[[layout]], map$chosen))
  structure(
    c(map, list(layout = layout, alpha = alpha, graph = graph$weights, fit = fit),
      graph[c("distance", "kind", "sigma", "neighbors", "reach", "covariance")],
      list(seconds = as.double(proc.time()[["elapsed"]] - started))
    ),
    class = "landmark_embedding"
  )
}

# list(coordinates, values, chosen, novelty): `dims` eigenvectors of the graph, the first ones or those that
# say something new.
eigenmap <- function(weights, dims, independent, alpha, call) {
  whole <- methods::as(weights, "generalMatrix")
  looked_at <- if (independent) eigenvectors_looked_at(nrow(whole), dims) else dims
  map <- .Call(C_eigenmap, whole@p, whole@i, whole@x, alpha, looked_at)
  smooth <- sum(map$values < 1 - 1e-6)
  if (smooth < dims) {
    abort_input(c(
      "{.arg dims} must be at most the number of smooth coordinates, {smooth}.",
      x = "It is {dims}, and coordinate {smooth + 1} has the eigenvalue {signif(map$values[smooth + 1], 4)}.",
      i = "Fewer {.arg neighbors} may give more of them."
    ), arg = "dims", kind = "rank", call = call)
  }
  warn_loose(map$values[seq_len(dims)], weights, call)
  found <- list(chosen = seq_len(dims), novelty = rep(NA_real_, dims))
  if (independent) found <- choose_independent(map$coordinates[, seq_len(smooth), drop = FALSE], dims, call)
  c(list(coordinates = map$coordinates[, found$chosen, drop = FALSE], values = map$values[found$chosen]), found)
}

# A connected graph whose parts are joined by weights near 0 has several eigenvalues near 0.
warn_loose <- function(values, weights, call) {
  loose <- sum(values < 1e-6)
  if (loose == 0) return(invisible())
  pieces <- max(.Call(C_pieces, nrow(weights), weights@i + 1L, rep(seq_len(ncol(weights)), diff(weights@p))))
  if (pieces > 1) return(invisible())
  warn_user(c(
    "Parts of the landmarks' graph are nearly separate: {loose} eigenvalue{?s} {?is/are} 0 up to rounding.",
    i = "Such coordinates only tell these parts apart. A larger {.arg sigma}, more {.arg neighbors} or {.code weights = \"binary\"} may help."
  ), kind = "graph", call = call)
}

#' @rdname embed_landmarks
#' @export
predict.landmark_embedding <- function(object, newdata, ...) {
  check_dots(...)
  check_embedding(object, "object", extends = TRUE)
  if (missing(newdata)) {
    abort_input("{.arg newdata} must be given: an embedding does not keep the data.", arg = "newdata", kind = "data")
  }
  call <- rlang::current_env()
  fit <- object$fit
  new <- new_source(fit_data(fit, newdata, "newdata", call), fit$center, fit$factor, call = call)
  check_reachable(new, fit, call)
  check_extension_memory(object, call)
  names <- rownames(newdata)
  if (is.data.frame(newdata) && is.integer(attr(newdata, "row.names"))) names <- NULL
  graph <- methods::as(object$graph, "generalMatrix")
  rate <- if (object$kind == "heat") 1 / (2 * object$sigma^2) else 0
  # By what the weights of the graph were divided at each landmark.
  mass <- unname((1 + Matrix::rowSums(object$graph))^-object$alpha)
  step <- function(part, ...) .Call(C_extend, part, ...)
  y <- over_parts(
    new, step, fit$landmarks, list(graph@p, graph@i), object$reach, object$covariance, rate, object$neighbors,
    mass, object$plane, object$coordinates, object$values, compute_with(), combine = rbind
  )
  dimnames(y) <- list(names, colnames(object$coordinates))
  y
}

# Squared distances to the landmarks must not overflow.
check_reachable <- function(new, fit, call) {
  if (all(unlist(over_parts(new, is_reachable, fit$center, fit$factor)))) return(invisible())
  abort_input(c(
    "{.arg newdata} must have values whose squares are within a computer's range.",
    x = "They are too large: a squared distance overflows.",
    i = "Check that {.arg newdata} has the unit of the data that the landmarks were learned from."
  ), arg = "newdata", kind = "data", call = call)
}

# Whether that is so for a part. `center`, `factor`: those of the fit.
is_reachable <- function(part, center, factor) {
  if (part$dim[1] == 0) return(TRUE)
  is_fine <- function(far) is.finite(part$dim[2] * (2 * far)^2)
  if (part$sparse) return(is_fine(max(abs(part$value), 0)))
  # First all columns at once, which is quick: more than any of them reaches.
  if (is_fine((max(-min(part$x), max(part$x)) + max(abs(center))) * max(factor))) return(TRUE)
  reach <- function(j) max(abs(range(part$x[, j]) - center[j])) * factor[j]
  is_fine(max(vapply(seq_len(part$dim[2]), reach, 0)))
}

# Each thread has the inverses around one landmark.
check_extension_memory <- function(object, call) {
  if (length(dim(object$covariance)) != 3) return(invisible())
  n <- nrow(object$coordinates)
  d <- dim(object$covariance)[1]
  check_memory(8 * compute_with(call)$threads * n * d * (d + 1) / 2, c(
    "What full covariances need must fit within {.code getOption(\"landmarker.memory\")}.",
    x = "For {n} landmarks and {d} column{?s} it would take {needed}, and the option allows {limit}.",
    i = "Embed by {.code covariance = \"diagonal\"}."
  ), "object", call)
}

#' @importFrom stats coef
#' @export
coef.landmark_embedding <- function(object, ...) object$coordinates

#' @export
print.landmark_embedding <- function(x, ...) {
  check_embedding(x, "x", extends = TRUE)
  line <- function(label, ...) cat("  ", formatC(label, width = -10), ..., "\n", sep = "")
  count <- function(v) format(v, big.mark = ",")
  n <- nrow(x$coordinates)
  dims <- ncol(x$coordinates)
  cat(count(n), " landmarks of ", count(x$fit$n_rows), " observations, embedded in ", dims,
    if (dims == 1) " dimension\n" else " dimensions\n", sep = "")
  edges <- count_edges(x)
  line("graph", count(edges), " edges, at least ", x$neighbors, " neighbors each, by ", x$distance, " distance",
    if (!is.null(x$covariance)) paste0(", ", covariance_kind(x$covariance), " covariances")
  )
  line("weights", x$kind, if (x$kind == "heat") paste0(", sigma ", format(signif(x$sigma, 4))))
  if (x$layout == "eigenmap") {
    some <- seq_len(min(dims, 5))
    more <- if (dims > 5) " ..."
    line("values", paste(format(x$values[some], digits = 3), collapse = " "), more)
    if (!anyNA(x$novelty)) {
      new <- paste0(colnames(x$coordinates)[some], " ", round(100 * x$novelty[some]), "%")
      line("novelty", paste(new, collapse = ", "), more, " of the variance")
    }
    if (x$alpha > 0) line("alpha", format(x$alpha), ", the density of the landmarks divided out")
  } else {
    line("layout", switch(x$layout, tsne = "t-SNE, by Rtsne", umap = "UMAP, by uwot"))
  }
  line("time", format(round(x$seconds, 1)), " s")
  invisible(x)
}
