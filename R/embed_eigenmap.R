# The eigenvectors of a graph of landmarks: by LAPACK on the dense matrix of the eigenproblem or, for a large
# graph, by package RSpectra on the sparse one.

#' How landmarks are embedded, and points among them
#'
#' The details of [embed_landmarks()]: the coordinates of landmarks, their extension to any point, the choice
#' of independent eigenvectors, and the cost.
#'
#' Let n be the number of landmarks, and \eqn{W} the n x n matrix of edge weights of [landmark_graph()]. Let
#' \eqn{K = W + I}, where \eqn{I} is the identity matrix: each landmark is its own neighbor, with weight 1.
#' Let \eqn{D} be the diagonal matrix of the row sums of \eqn{K}. The coordinates solve
#' \eqn{(D - K) y = \lambda D y}{(D - K) y = lambda D y} (Wachinger and Golland, 2015, eq. 8).
#'
#' Each solution has mean 0 and variance 1 over the landmarks, where landmark i has weight
#' \eqn{D_{ii}}{D_ii}. They are the coordinates for a graph of nearest neighbors. For a graph through the data
#' the coordinates of a landmark are those of a row in its place ([graph-through-data]), whose variance is
#' near 1. The sign of a coordinate is such that the entry of largest size is positive (the first of those
#' within a millionth of the largest). Eigenvectors with equal eigenvalues, as on a circle, are determined up
#' to a rotation, and the algorithm chooses one.
#'
#' @section Extension to any point:
#' The coordinates of a point x are (eqs. 9 and 10; Bengio et al., 2004)
#' \deqn{y(x) = \frac{1}{1 - \lambda} \frac{\sum_j w(x, j) y_j}{\sum_j w(x, j)},}{y(x) =
#'   1 / (1 - lambda) sum_j w(x, j) y_j / sum_j w(x, j),}
#' where w is the kernel of the graph:
#' \eqn{w(x, j) = \exp(-D(x, j)/(2\sigma^2))}{w(x, j) = exp(-D(x, j) / (2 sigma^2))} for the distance
#' \eqn{D(x, j)} of x and landmark j, or 1 for binary weights. \eqn{\sigma}{sigma} and the distance are those
#' of [landmark_graph()]. w(x, j) has this value for the `neighbors + 1` landmarks nearest to x, and for the
#' landmarks that are nearer to x than to their own last neighbor. For other landmarks it is 0. For
#' `distance = "bhattacharyya"` the point has the covariance of its nearest landmark (the first of those that
#' tie). With `alpha` above 0, landmarks are divided by the same densities as in the eigenproblem; the
#' density of the new point cancels.
#'
#' At a landmark the weights \eqn{w(x, j)} are the landmark's row of \eqn{K}, and y(x) equals its coordinates.
#' (Not quite in a graph with `join = TRUE`: a new point has no part in the edges that join components.)
#' Far from all landmarks y(x) approaches the coordinates of the nearest one, divided by
#' \eqn{1 - \lambda}{1 - lambda}.
#'
#' The printed equations 9 and 10 of Wachinger and Golland (2015) differ from this in two places: they lack
#' the factor \eqn{1/(1 - \lambda)}{1/(1 - lambda)}, and they divide w(x, j) by the root of the product of the
#' sums of weights of x and of landmark j:
#' \deqn{y(x) = \sum_j \frac{w(x, j)}{\sqrt{\sum_l w(x, l) \sum_l K_{jl}}}\, y_j.}{y(x) = sum_j w(x, j) /
#'   sqrt(sum_l w(x, l) sum_l K_jl) y_j.} A point in the place of a landmark then has other coordinates than
#'   the landmark, because the eigenproblem of equation 8 divides each row of \eqn{K} by its sum.
#'   `predict(extension = "printed")` computes this formula, for graphs of nearest neighbors with `alpha = 0`,
#'   so that it can be compared. The default is exactly the landmark's row of `coordinates` at a landmark.
#'
#' @section Independent coordinates:
#' The eigenvectors of a manifold are like waves, the slowest first. On a long strip the second eigenvector is
#' a function of the first (a parabola), and so is the third. The width of the strip comes later: as the
#' fourth or fifth eigenvector on the usual Swiss roll, which is four times as long as wide.
#'
#' `independent = TRUE` leaves out eigenvectors that are functions of earlier ones. It goes through the
#' eigenvectors in order and chooses the first. It chooses a later one if a local linear regression on the
#' chosen ones leaves at least half of its variance (Dsilva et al., 2018). The regression for a landmark uses
#' the landmarks nearest to it in the chosen coordinates, ten for each coefficient, without the landmark
#' itself. The weights are the tricube function of Cleveland (1979): \eqn{v = (1 - u^3)^3}{v = (1 - u^3)^3} at
#' the distance u, relative to h, 1.001 times that of the farthest of them. With the rows
#' \eqn{z_j = (1, (y_j - y_i) / h)} of Z for landmark i, the value predicted there is the first entry of
#' \deqn{(Z'VZ + \rho J)^{-1} Z'V e,}{(Z'VZ + rho J)^-1 Z'V e,}
#' where e has the values of the examined eigenvector, V the weights, and J is the identity with 0 for the
#' constant. The ridge \eqn{\rho = 10^{-6} \sum v}{rho = 1e-6 sum v} keeps the regression determined where
#' landmarks lie on a line.
#'
#' The first 20 eigenvectors are examined (`2 dims`, if that is more), but at most one for every 15 landmarks,
#' because faster waves are too fast for such a regression; with fewer than 45 landmarks the first two. If
#' fewer than `dims` are chosen, the first of the others are added, with a warning
#' (`landmarker_warning_novelty`) where the regression shows that they are functions of those before. The
#' columns keep the numbers of their eigenvectors, for example `E1` and `E4`. `chosen` has these numbers, and
#' `novelty` has the shares of variance that the regressions leave, NA where none was made.
#'
#' An eigenvector can be a mixture of length and width, where both change equally fast. In a graph through the
#' data a chosen coordinate is replaced by what the regression on those before it leaves: of a mixture that is
#' the width. In a graph of nearest neighbors a mixture shows as curved edges of the embedded strip. Evenly
#' spaced landmarks, `alpha = 1` and as many neighbors as there are without shortcuts help against that. On
#' four Swiss rolls of 20,000 points and more, with 400 landmarks by `by_gp(criterion = "trace")`, bandwidth
#' 10, `neighbors = 8` and `alpha = 1`, the rank correlations of the two coordinates with length and width
#' were at least 0.999 and 0.93. With other landmarks, or fewer of them, the second correlation was 0.7 to
#' 0.97.
#'
#' @section Cost:
#' LAPACK computes the eigenvectors of up to 500 landmarks with \eqn{\frac43 n^3}{(4/3) n^3} operations and
#' 8 n^2 bytes. For more landmarks package RSpectra computes them on the sparse graph, where it is installed
#' and the number of eigenvectors (`dims`, or those examined for `independent = TRUE`) is at most n/5.
#' LAPACK computes them where its iterations do not converge. 5,000 landmarks of a Swiss roll take 1.5
#' seconds, and some forty times that without RSpectra and with R's own BLAS. Both ways give the same
#' coordinates up to 1e-6. Eigenvectors with equal eigenvalues are again an exception: each way chooses its
#' own. A message (`landmarker_message_eigenmap`) says where RSpectra is missing and would save much time.
#'
#' `predict()` for M rows of d columns takes M n (d + 1) operations, in blocks of rows, by as many threads as
#' [landmarker-options] allow.
#' @references M. Belkin and P. Niyogi (2003). Laplacian eigenmaps for dimensionality reduction and data
#' representation. *Neural Computation* 15(6), 1373-1396.
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
#' Y. Bengio, J.-F. Paiement, P. Vincent, O. Delalleau, N. Le Roux and M. Ouimet (2004). Out-of-sample
#' extensions for LLE, Isomap, MDS, eigenmaps, and spectral clustering. *Advances in Neural Information
#' Processing Systems* 16.
#'
#' C. Wachinger and P. Golland (2015). Diverse landmark sampling from determinantal point processes for
#' scalable manifold learning. arXiv:1503.03506.
#' @seealso [embed_landmarks()], [embedding-layouts]
#' @examples
#' set.seed(1)
#' x <- sim_swiss_roll(1000)
#' fit <- landmarks(x, 100, bandwidth = 20)
#' e <- embed_landmarks(fit, alpha = 1)
#' # Which eigenvectors were chosen, and how much of each is new
#' e$chosen
#' round(e$novelty, 2)
#' # At the landmarks the extension equals their coordinates.
#' max(abs(predict(e, coef(fit)) - coef(e)))
#' @name embedding-details
NULL

# list(coordinates, values, chosen, novelty): `dims` eigenvectors of the graph, either the first ones or the
# independent ones.
eigenmap <- function(graph, dims, independent, alpha, call) {
  examined <- if (independent) eigenvectors_examined(nrow(graph$weights), dims)
  wanted <- min(max(examined, dims), nrow(graph$weights) - 1)
  map <- eigenvectors(graph, wanted, alpha, call)
  # Eigenvalues are at least 0. Rounding may give less.
  map$values <- pmax(map$values, 0)
  smooth <- sum(map$values < 1 - 1e-6)
  if (smooth < dims) {
    abort_input(c(
      "{.arg dims} must be at most the number of smooth coordinates, {smooth}.",
      x = "It is {dims}, and coordinate {smooth + 1} has the eigenvalue {signif(map$values[smooth + 1], 4)}.",
      i = if (is.null(graph$radius)) {
        "Fewer {.arg neighbors} may give more of them."
      } else {
        "A smaller {.arg radius} may give more of them."
      }
    ), arg = "dims", kind = "rank", call = call)
  }
  warn_loose(map$values[seq_len(dims)], graph, call)
  found <- list(chosen = seq_len(dims), novelty = rep(NA_real_, dims))
  if (independent) {
    found <- choose_independent(map$coordinates[, seq_len(smooth), drop = FALSE], dims, examined, call)
    if (max(graph$components) == 1) warn_dependent(found, call)
  }
  coordinates <- map$coordinates[, found$chosen, drop = FALSE]
  values <- map$values[found$chosen]
  c(list(coordinates = coordinates, values = values), found)
}

# An eigenmap of a graph through the data, or of one component of it, whose landmarks have the coordinates
# that rows in their places have. `basis` is what these are means of.
through_data <- function(map, graph, component, call) {
  basis <- map$coordinates / rep(sqrt(1 - map$values), each = nrow(map$coordinates))
  basis <- without_earlier(basis, map$novelty >= new_share, call)
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

# A connected graph whose parts are joined by weights near 0 has several eigenvalues near 0.
warn_loose <- function(values, graph, call) {
  loose <- sum(values < 1e-6)
  if (loose == 0 || max(graph$components) > 1) return(invisible())
  warn_user(c(
    "Parts of the landmarks' graph are nearly separate: {loose} eigenvalue{?s} {?is/are} 0 up to rounding.",
    i = paste0("Such coordinates only tell these parts apart.", if (!inherits(graph, "data_graph")) paste(
      " A larger {.arg sigma},",
      if (is.null(graph$radius)) "more {.arg neighbors}" else "a larger {.arg radius}",
      "or {.code edge_weights = \"binary\"} may help."
    ))
  ), kind = "graph", call = call)
}

# LAPACK takes a few tenths of a second for this many landmarks, and eight times as long for twice as many.
most_dense <- 500L

# From this number on LAPACK takes so long that a message says so.
long_dense <- 2000L

# The weight of each landmark with itself: 1, or in a graph through the data the sum that its rows give it.
own_weights <- function(graph) graph$own %||% rep(1, nrow(graph$weights))

# list(values, coordinates): the first `dims` eigenvalues and eigenvectors (see ?embed_landmarks).
eigenvectors <- function(graph, dims, alpha, call) {
  n <- nrow(graph$weights)
  # For a large share of all eigenvectors LAPACK is as fast.
  if (n > most_dense && 5 * dims <= n) {
    if (has_package("RSpectra")) {
      map <- sparse_eigenvectors(graph, dims, alpha)
      if (!is.null(map)) return(map)
    } else if (n > long_dense) {
      inform_user(c(
        "LAPACK computes the eigenvectors of {n} landmarks, in a time that grows as the third power of {n}.",
        i = "Package {.pkg RSpectra} is faster. Install it with {.code install.packages(\"RSpectra\")}."
      ), kind = "eigenmap", once = "LAPACK", call = call)
    }
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
  found <- list(values = numeric(), vectors = problem$root[, 0, drop = FALSE])
  if (wanted > 0) {
    operator <- if (is_narrow(problem)) solving_operator(problem) else products_operator(problem)
    found <- largest_pairs(problem, operator, wanted)
    if (is.null(found)) return(NULL)
  }
  values <- c(rep(1, ncol(apart)), found$values)
  y <- cbind(apart, found$vectors) / drop(problem$root)
  list(values = 1 - values, coordinates = sweep(y, 2, apply(y, 2, sign_of), "*"))
}

# list(a, root, component, share): A; the square roots of the degrees' shares, n x 1, which are its first
# eigenvector; the number of each vertex's component; and the eigenvectors of A that are 0 outside one
# component, all in one vector.
sparse_problem <- function(graph, alpha) {
  weights <- methods::as(graph$weights, "generalMatrix")
  n <- nrow(weights)
  dimnames(weights) <- list(NULL, NULL)
  kernel <- weights + Matrix::Diagonal(x = own_weights(graph))
  mass <- Matrix::Diagonal(x = Matrix::rowSums(kernel)^-alpha)
  kernel <- mass %*% kernel %*% mass
  degree <- Matrix::rowSums(kernel)
  scale <- Matrix::Diagonal(x = 1 / sqrt(degree))
  component <- match(graph$components, unique(graph$components))
  of_component <- rowsum(degree, component)[component]
  list(
    a = methods::as(scale %*% kernel %*% scale, "CsparseMatrix"), root = cbind(sqrt(degree / sum(degree))),
    component = component, share = sqrt(degree / of_component)
  )
}

# Eigenvectors of A with the eigenvalue 1: each is `root` times a number for each component. The first one,
# `root` itself, is left out. There are as many as further components, and at most `dims` are returned. Any
# basis of them serves. This one is made of cosines, so that its first vector already differs between all
# components.
component_vectors <- function(problem, dims) {
  count <- max(problem$component)
  if (count == 1) return(problem$root[, 0, drop = FALSE])
  weight <- sqrt(drop(rowsum(drop(problem$root)^2, problem$component)))
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
    if (sum(last) == 0) return(TRUE)
    if (sum(last) > most) return(FALSE)
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
  list(
    apply = function(x, found) {
      kept <- project_out(problem, found, x)
      out <- project_out(problem, found, as.vector(problem$a %*% kept))
      as.vector(out - (x - kept))
    },
    value = identity, most = 3000, tolerance = 1e-13
  )
}

# The inverse of (1 + shift) I - A, by a Cholesky decomposition. The iterations converge also where the
# eigenvalues near 1 are close together, as in a long strip. For such a graph the decomposition has few
# entries; for points with many dimensions it is nearly dense and may take minutes. Vectors that are projected
# out get the eigenvalue 0.
solving_operator <- function(problem) {
  shift <- 1e-5
  n <- nrow(problem$a)
  whole <- Matrix::forceSymmetric(Matrix::Diagonal(n, 1 + shift) - problem$a)
  cholesky <- Matrix::Cholesky(whole, perm = TRUE, LDL = FALSE)
  list(
    apply = function(x, found) {
      x <- project_out(problem, found, x)
      as.vector(project_out(problem, found, as.vector(Matrix::solve(cholesky, x))))
    },
    value = function(v) 1 + shift - 1 / v, most = 5000, tolerance = 1e-11
  )
}

# list(values, vectors): the `wanted` largest eigenvalues of A, descending, without those of the components.
# NULL where the iterations did not converge. Lanczos' iterations can miss some of
# several equal eigenvalues. So what was found is projected out and the iterations start again, until they
# find no eigenvalue above the last one wanted.
largest_pairs <- function(problem, operator, wanted) {
  found <- list(values = numeric(), vectors = problem$root[, 0, drop = FALSE])
  count <- wanted + 2
  for (round in seq_len(wanted + 10)) {
    new <- iterate(operator, found$vectors, nrow(problem$a), count, round)
    if (is.null(new)) return(NULL)
    if (round > 1 && max(operator$value(new$values)) <= found$values[wanted] + 1e-12) {
      some <- seq_len(wanted)
      return(list(values = found$values[some], vectors = found$vectors[, some, drop = FALSE]))
    }
    found <- best_pairs(problem, found$vectors, new$vectors, wanted + 2)
    count <- if (round == 1) 1 else min(2 * count, wanted)
  }
  NULL
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
  out <- try_default(
    suppressWarnings(
      RSpectra::eigs_sym(operator$apply, count, "LA", opts = options, n = n, args = found)
    ),
    NULL
  )
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

# The sign of the entry of largest size, the first of those within a millionth.
sign_of <- function(y) {
  size <- abs(y)
  sign(y[which(size >= max(size, na.rm = TRUE) * (1 - 1e-6))[1]])
}
