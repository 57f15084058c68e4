# Eigenvectors of a landmark graph: by LAPACK from the dense matrix or, for large graphs, by RSpectra from the
# sparse matrix.

#' Details of landmark embeddings
#'
#' Normalization, extension weights, selection of non-redundant eigenvectors and computation in
#' [embed_landmarks()]. That page has the eigenproblem and the extension formula.
#'
#' @section Normalization:
#' Each eigenvector has mean 0 and variance 1 over the landmarks, weighted by the row sums of \eqn{K}. For a
#' nearest-neighbor graph the eigenvectors are the coordinates; for the graph through the data see
#' [graph-through-data]. The entry of largest absolute value is positive. Eigenvectors with equal eigenvalues,
#' as on a circle, are determined only up to a rotation.
#'
#' @section Out-of-sample extension:
#' The weights of the extension are the edge weights between x and landmark j: \eqn{w(x, j) = \exp(-D(x,
#' j)/(2\sigma^2))}{w(x, j) = exp(-D(x, j) / (2 sigma^2))}, or 1 for binary weights, with the distance and the
#' \eqn{\sigma}{sigma} of [landmark_graph()]. They are nonzero for the `neighbors + 1` landmarks nearest to x
#' and for landmarks that are closer to x than to the most distant of their own `neighbors`. For the
#' Bhattacharyya distance, x has the covariance of its nearest landmark. If `alpha` is positive, \eqn{w(x, j)}
#' is divided by \eqn{q_j^\alpha}{q_j^alpha}.
#'
#' If x is landmark i, then \eqn{w(x, j) = K_{ij}}{w(x, j) = K_ij} and y(x) equals the coordinates of the
#' landmark, except in graphs with `join = TRUE`, because new points have no joining edges. Far from all
#' landmarks, y(x) approaches the coordinates of the nearest landmark divided by
#' \eqn{1 - \lambda}{1 - lambda}.
#'
#' Equations 9 and 10 of Wachinger and Golland (2015) as printed are
#' \deqn{y(x) = \sum_j \frac{w(x, j)}{\sqrt{\sum_l w(x, l) \sum_l K_{jl}}}\, y_j,}{y(x) = sum_j w(x, j) /
#'   sqrt(sum_l w(x, l) sum_l K_jl) y_j,}
#' without the factor \eqn{1/(1 - \lambda)}{1/(1 - lambda)} and with a symmetric normalization. They do not
#' reproduce the coordinates of landmarks, because the eigenproblem (their equation 8) divides each row of
#' \eqn{K} by its sum. `predict(extension = "printed")` computes them for comparison.
#'
#' @section Non-redundant eigenvectors:
#' Eigenvectors of a manifold resemble waves of increasing frequency. On a long strip the second eigenvector
#' is a function of the first, and several more may be, before one varies across the strip.
#'
#' `independent = TRUE` selects eigenvectors that are not functions of earlier ones, by the method of Dsilva
#' et al. (2018). Eigenvectors are examined in order. An eigenvector is selected if a local linear regression
#' on those already selected leaves at least half of its variance unexplained. This proportion is returned as
#' `novelty` (unlike `.novelty` of [augment()][tidy.landmark_embedding()]). The regression at landmark i uses
#' the nearest landmarks in the selected coordinates, ten per coefficient, with tricube weights
#' \eqn{v = (1 - u^3)^3} (Cleveland, 1979) at distance u relative to the bandwidth h, which is 1.001 times the
#' largest distance. With rows \eqn{z_j = (1, (y_j - y_i) / h)} of Z, the fitted value is the first element of
#' \deqn{(Z'VZ + \rho J)^{-1} Z'V e,}{(Z'VZ + rho J)^-1 Z'V e,}
#' with e the examined eigenvector, V the diagonal matrix of weights, J the identity matrix with 0 for the
#' intercept, and \eqn{\rho = 10^{-6} \sum v}{rho = 1e-6 sum v} to handle collinear landmarks.
#'
#' The first max(20, 2 dims) eigenvectors are examined, but no more than n / 15, because the regression cannot
#' fit higher frequencies, and no fewer than two. If fewer than `dims` are selected, the first of the others
#' are added. A warning (`landmarker_warning_novelty`) is given if these are functions of the selected ones.
#' Columns keep the numbers of their eigenvectors, for example `E1` and `E4`.
#'
#' An eigenvector can be a mixture, for example of length and width of a strip. For the graph through the
#' data, each selected coordinate is replaced by its residuals from the regression on the preceding ones,
#' rescaled to its standard deviation. In nearest-neighbor graphs mixtures appear as bent edges of the strip;
#' evenly spread landmarks, `alpha = 1` and more `neighbors` reduce them.
#'
#' @section Computation:
#' LAPACK computes the eigenvectors of up to 500 landmarks, with \eqn{\frac43 n^3}{(4/3) n^3} operations and
#' 8 n^2 bytes. For more landmarks package \pkg{RSpectra} is used, if it is installed and at most n/5
#' eigenvectors are needed; otherwise, or if it does not converge, LAPACK. Both agree to about 1e-6. If
#' RSpectra is missing and would save much time, a message (`landmarker_message_eigenmap`) suggests it.
#' `predict()` for M rows of d columns takes M n (d + 1) operations.
#' @references M. Belkin and P. Niyogi (2003). Laplacian eigenmaps for dimensionality reduction and data
#' representation. *Neural Computation* 15(6), 1373-1396.
#'
#' Y. Bengio, J.-F. Paiement, P. Vincent, O. Delalleau, N. Le Roux and M. Ouimet (2004). Out-of-sample
#' extensions for LLE, Isomap, MDS, eigenmaps, and spectral clustering. *Advances in Neural Information
#' Processing Systems* 16.
#'
#' W. S. Cleveland (1979). Robust locally weighted regression and smoothing scatterplots. *Journal of the
#' American Statistical Association* 74(368), 829-836.
#'
#' R. R. Coifman and S. Lafon (2006). Diffusion maps. *Applied and Computational Harmonic Analysis* 21(1),
#' 5-30.
#'
#' C. J. Dsilva, R. Talmon, R. R. Coifman and I. G. Kevrekidis (2018). Parsimonious representation of
#' nonlinear dynamical systems through manifold learning: a chemotaxis case study. *Applied and
#' Computational Harmonic Analysis* 44(3), 759-773.
#'
#' C. Wachinger and P. Golland (2015). Diverse landmark sampling from determinantal point processes for
#' scalable manifold learning. arXiv:1503.03506.
#' @seealso [embed_landmarks()], [embedding-layouts]
#' @examples
#' set.seed(1)
#' x <- sim_swiss_roll(1000)
#' fit <- landmarks(x, 100, bandwidth = 20)
#' e <- embed_landmarks(fit, alpha = 1)
#' # The selected eigenvectors, and the proportions of variance that earlier ones do not explain
#' e$chosen
#' round(e$novelty, 2)
#' # At the landmarks the extension reproduces their coordinates
#' max(abs(predict(e, coef(fit)) - coef(e)))
#' @name embedding-details
NULL

# list(coordinates, values, chosen, novelty): `dims` eigenvectors of the graph, either the first ones or the
# independent ones.
eigenmap <- function(graph, dims, independent, alpha, call) {
  n <- nrow(graph$weights)
  # An eigenvector that varies faster than a regression on few landmarks can follow would be taken for new.
  examined <- if (independent) max(2L, min(max(20L, 2L * dims), n %/% 15L)) else 0L
  map <- eigenvectors(graph, min(max(examined, dims), n - 1), alpha, call)
  # Eigenvalues are at least 0. Rounding may give less.
  values <- pmax(map$values, 0)
  smooth <- sum(values < 1 - 1e-6)
  if (smooth < dims) {
    abort_input(c(
      "The graph must have at least {.arg dims} = {dims} eigenvalue{?s} below 1.", x = "It has {smooth}.",
      i = paste0("Use ", if (smooth) "fewer {.arg dims}, or ", "a graph with fewer edges.")
    ), arg = "dims", kind = "rank", call = call)
  }
  connected <- max(graph$components) == 1
  # A connected graph whose parts are joined by weights near 0 has several eigenvalues near 0.
  loose <- sum(values[seq_len(dims)] < 1e-6)
  if (connected && loose > 0) {
    warn_user(c(
      "The graph is nearly disconnected: {loose} eigenvalue{?s} {?is/are} 0 up to rounding.",
      i = "Such coordinates only separate its parts. More edges, or larger weights, may help."
    ), kind = "graph", call = call)
  }
  found <- list(chosen = seq_len(dims), novelty = rep(NA_real_, dims))
  if (independent) {
    found <- choose_independent(map$coordinates[, seq_len(smooth), drop = FALSE], dims, examined, call)
    if (connected) warn_dependent(found, call)
  }
  c(list(coordinates = map$coordinates[, found$chosen, drop = FALSE], values = values[found$chosen]), found)
}

# An embedding of a graph through the data, or of one component of it, whose landmarks have the coordinates
# that rows in their places have. `basis` is what these are means of.
through_data <- function(map, basis, graph, component, call) {
  map$basis <- among_all(basis, graph, component)
  fit <- graph$fit
  places <- new_source(unname(fit$landmarks), fit$center, fit$factor, "fit", call)
  own <- rows_extension(places, graph, with_component(map$basis, graph, component), call)
  own <- in_component(own[, -ncol(own), drop = FALSE], component)
  signs <- rep(apply(own, 2, sign_of), each = nrow(own))
  map$basis <- map$basis * signs
  map$coordinates <- own * signs
  map
}

# The coordinates of a component's landmarks among those of all, which are NA.
among_all <- function(values, graph, component) {
  if (is.null(component)) return(values)
  out <- matrix(NA_real_, length(graph$components), ncol(values))
  out[graph$components == component, ] <- values
  out
}

# The sign of the entry of largest size, the first of those within a millionth.
sign_of <- function(y) {
  size <- abs(y)
  sign(y[which(size >= max(size, na.rm = TRUE) * (1 - 1e-6))[1]])
}

# ---- non-redundant eigenvectors ----------------------------------------------------------
# By the method of Dsilva, Talmon, Coifman and Kevrekidis (2018), who do not give a threshold.

# A coordinate is new where those before it leave at least this share of its variance. On strips, rolls and
# bowls functions of earlier coordinates have less than 0.35, and most new ones more than 0.8.
new_share <- 0.5

# Coordinates of which each is what a regression on those before it leaves, with the standard deviation that
# it had. An eigenvector that is new may be a mixture, as of the height of a strip and a harmonic of its
# length: of such a one the height is left. On six rolls of 5,000 points the rank correlation with the height
# was .89 (.74 at least) with 200 landmarks, and is .93 (.88). `new`: which coordinates are new; others stay
# as they are.
without_earlier <- function(y, new, call) {
  for (k in which(new)[-1]) {
    left <- novelty(y[, seq_len(k - 1), drop = FALSE], y[, k, drop = FALSE], call)$left[, 1]
    y[, k] <- left * stats::sd(y[, k]) / stats::sd(left)
  }
  y
}

# A warning where coordinates are functions of those before them.
warn_dependent <- function(found, call) {
  left <- which(found$novelty < new_share)
  if (length(left) == 0) return(invisible())
  names <- paste0("E", found$chosen[left])
  warn_user(c(
    "{.var {names}} {?is/are} nearly {?a function/functions} of the preceding coordinates.",
    x = "Only {round(100 * found$novelty[left[1]])}% of the variance of {.var {names[1]}} is unique.",
    i = "Use {.code dims = {sum(found$novelty >= new_share, na.rm = TRUE)}}, or more landmarks.",
    i = "To unroll a surface, use {.code layout = \"isomap\"}."
  ), kind = "novelty", call = call)
}

# list(share, left): the share of each column's variance that the `input` columns do not explain, and what
# they leave of each value. The regression uses the ten landmarks nearest in `input` for each coefficient.
novelty <- function(input, y, call) {
  near <- min(10 * (ncol(input) + 1), nrow(y) - 1)
  .Call(C_novelty, input, y, c(list(near = as.integer(near)), compute_with(call)))
}

# list(chosen, novelty) of `dims` columns of y, in ascending order: the first, then always the next one
# that is new given those chosen. Where there are too few, the smoothest of the others. The novelty is that
# given the chosen columns before; NA for a column after the first `examined`.
choose_independent <- function(y, dims, examined, call) {
  examined <- min(examined, ncol(y))
  share <- c(1, rep(NA_real_, ncol(y) - 1))
  chosen <- last <- 1L
  while (length(chosen) < dims && last < examined) {
    later <- (last + 1L):examined
    left <- novelty(y[, chosen, drop = FALSE], y[, later, drop = FALSE], call)$share
    new <- which(left >= new_share)[1]
    seen <- seq_len(min(new, length(later), na.rm = TRUE))
    share[later[seen]] <- left[seen]
    last <- later[length(seen)]
    if (!is.na(new)) chosen <- c(chosen, last)
  }
  chosen <- sort(c(chosen, utils::head(setdiff(seq_len(ncol(y)), chosen), dims - length(chosen))))
  list(chosen = chosen, novelty = share[chosen])
}

# ---- eigenvectors --------------------------------------------------------------------------

# From this number on LAPACK is so slow that a message suggests RSpectra.
long_dense <- 2000L

# The weight of each landmark with itself: 1, or in a graph through the data the sum that its rows give it.
own_weights <- function(graph) graph$own %||% rep(1, nrow(graph$weights))

# list(values, coordinates): the first `dims` eigenvalues and eigenvectors (see ?embed_landmarks).
eigenvectors <- function(graph, dims, alpha, call) {
  n <- nrow(graph$weights)
  # LAPACK takes a few tenths of a second for 500 landmarks, and eight times as long for twice as many. For a
  # large share of all eigenvectors it is as fast.
  sparse <- n > 500 && 5 * dims <= n
  if (sparse && has_package("RSpectra")) {
    map <- sparse_eigenvectors(graph, dims, alpha)
    if (!is.null(map)) return(map)
  } else if (sparse && n > long_dense) {
    inform_user(c(
      "LAPACK computes the eigenvectors of {n} landmarks, which takes time of order n^3.",
      i = "Package {.pkg RSpectra} is faster. Install it with {.code install.packages(\"RSpectra\")}."
    ), kind = "eigenmap", once = "LAPACK", call = call)
  }
  settings <- c(list(dims = as.integer(dims), alpha = alpha), compute_with(call))
  .Call(C_eigenmap, c(compressed(graph$weights), list(own = own_weights(graph))), settings)
}

# What eigenvectors() returns, by RSpectra, or NULL where its iterations did not converge. The eigenvalues
# near 1 of A = D^-1/2 K D^-1/2 are those near 0 of the eigenproblem. The eigenvalue 1 of A has a known
# eigenvector for each component of the graph. They are projected out.
sparse_eigenvectors <- function(graph, dims, alpha) {
  problem <- sparse_problem(graph, alpha)
  apart <- component_vectors(problem, dims)
  wanted <- dims - ncol(apart)
  found <- list(values = numeric(), vectors = apart[, 0, drop = FALSE])
  if (wanted > 0) {
    operator <- (if (is_narrow(problem)) solving_operator else products_operator)(problem)
    found <- largest_pairs(problem, operator, wanted)
    if (is.null(found)) return(NULL)
  }
  values <- c(rep(1, ncol(apart)), found$values)
  y <- cbind(apart, found$vectors) / problem$root
  list(values = 1 - values, coordinates = sweep(y, 2, apply(y, 2, sign_of), "*"))
}

# list(a, root, component, share): A; the square roots of the degrees' shares, which are its first
# eigenvector; the number of each vertex's component; and the eigenvectors of A that are 0 outside one
# component, all in one vector.
sparse_problem <- function(graph, alpha) {
  weights <- methods::as(graph$weights, "generalMatrix")
  dimnames(weights) <- list(NULL, NULL)
  kernel <- weights + Matrix::Diagonal(x = own_weights(graph))
  mass <- Matrix::Diagonal(x = Matrix::rowSums(kernel)^-alpha)
  kernel <- mass %*% kernel %*% mass
  degree <- Matrix::rowSums(kernel)
  scale <- Matrix::Diagonal(x = 1 / sqrt(degree))
  component <- match(graph$components, unique(graph$components))
  list(
    a = methods::as(scale %*% kernel %*% scale, "CsparseMatrix"), root = sqrt(degree / sum(degree)),
    component = component, share = sqrt(degree / rowsum(degree, component)[component])
  )
}

# Eigenvectors of A with the eigenvalue 1: each is `root` times a number for each component. The first one,
# `root` itself, is left out. There are as many as further components, and at most `dims` are returned. Any
# basis of them serves. This one is made of cosines, so that its first vector already differs between all
# components.
component_vectors <- function(problem, dims) {
  count <- max(problem$component)
  if (count == 1) return(matrix(0, nrow(problem$a), 0))
  weight <- sqrt(drop(rowsum(problem$root^2, problem$component)))
  waves <- cos(pi * outer(seq_len(count) - 0.5, 0:min(dims, count - 1)) / count)
  basis <- qr.Q(qr(weight * waves, tol = 0))[, -1, drop = FALSE]
  unname(problem$share * basis[problem$component, , drop = FALSE])
}

# x, a vector or a matrix of columns, without what the components' eigenvectors and `found` have of it.
project_out <- function(problem, found, x) {
  x <- as.matrix(x)
  sums <- rowsum(problem$share * x, problem$component, reorder = FALSE)
  x <- x - problem$share * sums[problem$component, , drop = FALSE]
  x - found %*% crossprod(found, x)
}

# Whether few vertices separate one side of the graph from the other: then its Cholesky decomposition has few
# entries. Counted are the vertices at 1, 2, ... steps from one vertex of each component.
is_narrow <- function(problem) {
  most <- max(500, nrow(problem$a) / 50)
  near <- !duplicated(problem$component)
  last <- as.numeric(near)
  for (steps in 1:30) {
    last <- as.numeric(as.vector(problem$a %*% last) > 0 & !near)
    if (sum(last) == 0 || sum(last) > most) return(sum(last) == 0)
    near <- near | last > 0
  }
  TRUE
}

# Lanczos' iterations find the largest eigenvalues of a symmetric operator from its products with vectors.
# There are two such operators with the eigenvectors of A, each a list: apply(x, found) multiplies x by the
# operator, from which the vectors `found` are projected out; value(v) is the eigenvalue of A that belongs to
# the operator's eigenvalue v; `most` is the number of products after which to give up; and `tolerance` is
# that of RSpectra.

# A itself. The iterations converge where the eigenvalues near 1 are well apart, as in graphs of points with
# many dimensions. Vectors that are projected out get the eigenvalue -1, below all others.
products_operator <- function(problem) {
  multiply <- function(x, found) {
    kept <- project_out(problem, found, x)
    as.vector(project_out(problem, found, as.vector(problem$a %*% kept)) - (x - kept))
  }
  list(apply = multiply, value = identity, most = 3000, tolerance = 1e-13)
}

# The inverse of (1 + shift) I - A, by a Cholesky decomposition. The iterations converge also where the
# eigenvalues near 1 are close together, as in a long strip. For such a graph the decomposition has few
# entries; for points with many dimensions it is nearly dense and may take minutes. Vectors that are projected
# out get the eigenvalue 0.
solving_operator <- function(problem) {
  shift <- 1e-5
  whole <- Matrix::forceSymmetric(Matrix::Diagonal(nrow(problem$a), 1 + shift) - problem$a)
  cholesky <- Matrix::Cholesky(whole, perm = TRUE, LDL = FALSE)
  solve <- function(x, found) {
    x <- as.vector(Matrix::solve(cholesky, project_out(problem, found, x)))
    as.vector(project_out(problem, found, x))
  }
  list(apply = solve, value = function(v) 1 + shift - 1 / v, most = 5000, tolerance = 1e-11)
}

# list(values, vectors): the `wanted` largest eigenvalues of A, descending, without those of the components.
# NULL where the iterations did not converge. Lanczos' iterations can miss some of several equal eigenvalues.
# So what was found is projected out and the iterations start again, until they find no eigenvalue above the
# last one wanted.
largest_pairs <- function(problem, operator, wanted) {
  n <- nrow(problem$a)
  found <- list(values = numeric(), vectors = matrix(0, n, 0))
  count <- wanted + 2
  for (round in seq_len(wanted + 10)) {
    new <- iterate(operator, found$vectors, n, count, round)
    if (is.null(new)) return(NULL)
    if (round > 1 && max(operator$value(new$values)) <= found$values[wanted] + 1e-12) {
      some <- seq_len(wanted)
      return(list(values = found$values[some], vectors = found$vectors[, some, drop = FALSE]))
    }
    found <- best_pairs(problem, found$vectors, new$vectors, wanted + 2)
    count <- if (round == 1) 1 else min(2 * count, wanted)
  }
}

# list(values, vectors) of one run of RSpectra from a fixed start, or NULL where it did not converge.
iterate <- function(operator, found, n, count, round) {
  size <- min(n, max(2 * count + 20, 60))
  # Numbers from -1/2 to 1/2 without a pattern, others in each round. R's random numbers are left alone.
  i <- seq_len(n) + 1000 * round
  options <- list(
    ncv = size, tol = operator$tolerance, maxitr = ceiling(operator$most / (size - count)),
    initvec = (i * i * 0.6180339887498949) %% 1 - 0.5
  )
  # RSpectra warns or stops where it did not converge.
  out <- try_default(suppressWarnings(
    RSpectra::eigs_sym(operator$apply, count, "LA", opts = options, n = n, args = found)
  ), NULL)
  if (!is.null(out) && out$nconv >= count) out[c("values", "vectors")]
}

# The largest eigenpairs of A in the space of `found` and `new`, at most `count` (Rayleigh and Ritz).
best_pairs <- function(problem, found, new, count) {
  basis <- qr.Q(qr(cbind(found, project_out(problem, found, new)), tol = 0))
  inner <- crossprod(basis, as.matrix(problem$a %*% basis))
  pairs <- eigen((inner + t(inner)) / 2, symmetric = TRUE)
  some <- seq_len(min(count, length(pairs$values)))
  list(values = pairs$values[some], vectors = basis %*% pairs$vectors[, some, drop = FALSE])
}
