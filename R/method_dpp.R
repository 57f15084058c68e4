# by_dpp() and by_dpp_exact(): diverse rows by a determinantal point process, approximate or exact.

#' Diverse random rows by an approximate determinantal point process
#'
#' The landmarks are random rows that repel each other, by the fast approximation of a determinantal point
#' process of Wachinger and Golland (2015, Algorithm 2). The method is for large data. [by_dpp_exact()]
#' samples from the exact process, for up to a few thousand rows.
#'
#' Rows are drawn one after another, with probability proportional to \eqn{D_i}, which is initially 1 or the
#' case weight. After row i was drawn, \eqn{D_j} is reduced for its `neighbors` nearest rows j:
#' \deqn{D_j \leftarrow D_j \, f(\|x_i - x_j\|), \qquad
#'   f(u) = 1 - \exp\left(-\frac{u^2}{2\sigma^2}\right) \;\textrm{or}\; \sin^2(u/\sigma).}{
#'   D_j := D_j f(||x_i - x_j||),  f(u) = 1 - exp(-u^2 / (2 sigma^2)) or sin(u / sigma)^2.}
#' The second f is 1 for \eqn{u \ge \sigma\pi/2}{u >= sigma pi / 2}. Duplicated rows are drawn at most once.
#' If fewer than `n` rows are distinct, fewer landmarks are returned, with a warning.
#'
#' Landmarks are in the order in which they were drawn, and component `rows` of the fit has their row indices.
#' They do not depend on the bandwidth, and redundant ones are kept with `variance` 0. Rows outside `space`
#' are projected on it.
#'
#' Weights only affect the initial \eqn{D_i}: they are not used for `neighbors`, `sigma` or the covariances.
#' Rows of weight 0 are neither drawn nor neighbors.
#'
#' In many dimensions all neighbors of a row are about equally far, and diverse rows tend to be outliers.
#' Compare with other methods by [cv_landmarks()] or [reconstruction_error()].
#'
#' @section Cost:
#' In up to 12 dimensions neighbors are found by a k-d tree, which is built in O(N log N) operations; the
#' cost of each landmark is then proportional to `neighbors`. In more dimensions, and for sparse data, all N
#' distances from a block of candidates are computed at once, O(N d) for each candidate. Both searches give
#' the same landmarks: distances that agree to nine digits are ties, in which the first row counts as nearer.
#' Candidates are drawn in blocks, and rejection sampling makes the result equivalent to drawing one by one.
#'
#' @param neighbors Number of nearest rows of each landmark that are down-weighted, below the number of rows
#'   with positive weight. Default NULL: 2 N / n, so that each row is a neighbor of about two landmarks. With
#'   fewer than N / n the draws are nearly independent. With many more than 2 N / n, the first landmarks
#'   down-weight all rows, and later ones may be close to each other.
#' @param update `"welsch"`, the default, or `"sin2"`: the first or the second f of Details.
#' @param sigma \eqn{\sigma}{sigma}, a positive distance after `scale`. Default NULL: twice the median
#'   distance from a row to the last of its neighbors. Then \eqn{D_j} is reduced by at least seven eighths
#'   for all neighbors of a typical row, which spreads landmarks evenly.
#' @param covariance Whether the fit has a component `covariance`: for each landmark the sample covariances,
#'   as by [cov()], of its row and the `neighbors` nearest other rows. `"none"`, the
#'   default; `"diagonal"`, an n x d matrix of variances; or `"full"`, a d x d x n array, in the units of the
#'   data. Full covariances are for few columns.
#' @param search `"auto"`, the default, `"tree"` or `"all"`: how neighbors are found, see Cost.
#' @return A method object for `landmarks(method = )`, a list of class `by_dpp`.
#' @inherit landmark_graph references
#' @seealso [by_dpp_exact()], [embed_landmarks()]
#' @examples
#' set.seed(1)
#' x <- sim_swiss_roll(5000)
#' fit <- landmarks(x, 100, by_dpp())
#' # More evenly spaced than random rows: the smallest distance between landmarks
#' apart <- function(t) min(dist(t))
#' c(dpp = apart(coef(fit)), random = apart(x[sample(5000, 100), ]))
#' landmarks(x, 100, by_dpp(neighbors = 30, update = "sin2", covariance = "full"))$covariance[, , 1]
#' @export
by_dpp <- function(neighbors = NULL, update = "welsch", sigma = NULL, covariance = "none", search = "auto") {
  new_landmark_method("by_dpp", list(
    neighbors = if (!is.null(neighbors)) check_count(neighbors, "neighbors"),
    update = check_choice(update, c("welsch", "sin2"), "update"),
    sigma = if (!is.null(sigma)) check_number(sigma, "sigma", 0),
    covariance = check_choice(covariance, c("none", "diagonal", "full"), "covariance"),
    search = check_choice(search, c("auto", "tree", "all"), "search")
  ), prefixes = !is.null(neighbors) && !is.null(sigma))
}

#' @export
format.by_dpp <- function(x, ...) {
  paste0("approximate determinantal point process",
    if (x$covariance != "none") paste0(", ", x$covariance, " covariances")
  )
}

#' @export
select_landmarks.by_dpp <- function(method, source, n, kernel, fixed, call) {
  others <- source_rows(source) - 1L
  # A single row has no neighbors.
  m <- method$neighbors %||% as.integer(min(max(ceiling(2 * (others + 1) / n), 1), others))
  check_that(m <= others, m, "neighbors", "less than the number of rows with positive weight",
    call = call, found = "It is {m}, and there {cli::qty(others + 1L)}{?is/are} {others + 1L} such row{?s}."
  )
  check_that(method$search != "tree" || !source$sparse, method$search, "search",
    "\"auto\" or \"all\" for sparse data", call = call
  )
  if (method$covariance == "full") check_covariance_memory(n + nrow(fixed), source$dim[2], call)
  options <- replace(unclass(method), "neighbors", m)
  found <- draw_dpp(source, fixed, n, options, compute_with(call))
  landmark_selection(rows_in_space(source, found$rows, kernel, call),
    ordered = TRUE, rows = found$rows, covariance = in_data_units(found$covariance, source),
    used = c(
      if (is.null(method$neighbors)) list(neighbors = m), if (is.null(method$sigma)) list(sigma = found$sigma)
    )
  )
}

# ---- the draws ------------------------------------------------------------------

# Draws rows one after another, each with probability proportional to its odds. A row that is drawn lowers the
# odds of its nearest rows, and so do the landmarks of `fixed` at the start. Rows are drawn in blocks of
# candidates, which are then taken or not: src/core/select/dpp.h describes the algorithm.
#
# `options`: list(neighbors, update, sigma, covariance, search). If `sigma` is NULL it is computed from the
# first candidates. Returns list(rows, sigma, covariance), with a covariance for each landmark, held or drawn,
# from its neighbors. R's generator is asked for two numbers for each candidate.
draw_dpp <- function(source, fixed, wanted, options, control) {
  bar <- progress_start("Drawing rows", wanted)
  found <- .Call(C_dpp, source, fixed, c(options[c("update", "search")], list(
    neighbors = as.integer(options$neighbors), sigma = options$sigma, wanted = as.integer(wanted),
    lists = options$covariance != "none", progress = progress_of(bar)
  ), control))
  if (!is.null(found$near)) {
    found$covariance <- covariances_of(source, found$near, options$covariance == "full", control)
  }
  found
}

# ---- the exact process ----------------------------------------------------------------

#' Diverse random rows by an exact determinantal point process
#'
#' The landmarks are random rows that repel each other, a draw of a determinantal point process (DPP;
#' Wachinger and Golland, 2015, Algorithm 1). The method is for up to a few thousand rows. [by_dpp()] is an
#' approximation for any number of rows.
#'
#' A set S of rows is drawn with probability \eqn{\det(L_S) / \det(L + I)}{det(L_S) / det(L + I)}, where
#' \eqn{L_S} is the submatrix for S of the N x N matrix
#' \deqn{L_{ij} = \sqrt{v_i v_j}\,\exp(-d_{ij}^2 / 2\sigma^2),}{
#' L_ij = sqrt(v_i v_j) exp(-d_ij^2 / (2 sigma^2)),}
#' with distances \eqn{d_{ij}}{d_ij} and case weights \eqn{v_i}. If `n` of [landmarks()] is given, the draw
#' is conditional on the size of S (a k-DPP; Kulesza and Taskar, 2011). If `n` is missing, the size is random
#' with mean \eqn{\sum_m \lambda_m / (1 + \lambda_m)}{sum_m lambda_m / (1 + lambda_m)}, where
#' \eqn{\lambda_m}{lambda_m} are the eigenvalues of L: a smaller `sigma` gives more rows.
#'
#' With `power` s other than 1, a set of `n` rows has probability proportional to
#' \eqn{\det(L_S)^s}{det(L_S)^s}, the annealed process (Belabbas and Wolfe, 2009; Wachinger and Golland,
#' 2015, eq. 2). Larger powers favor diversity, and powers near 0 approach uniform sampling. No exact sampler
#' is known, so a Metropolis chain starts at a draw with power 1. Each step proposes to exchange a random row
#' of the set with a random row outside, and accepts it with probability \eqn{\min(1, r^s)}{min(1, r^s)},
#' where r is the ratio of determinants. `print()` shows the acceptance rate, `fit$used$accepted`. If it is a
#' few percent or less, increase `steps`. With a large power the chain stays near a local maximum of the
#' determinant.
#'
#' The landmarks are sorted greedily, and component `rows` of the fit has their row indices. Rows outside
#' `space` are projected on it. Duplicates are never drawn together, rows of weight 0 never at all. The draw
#' is conditional on landmarks that [add_landmarks()] keeps.
#'
#' @section Cost:
#' The kernel matrix and its eigenvectors take O(N^2) memory and O(N^3) time. Data that need more than
#' `getOption("landmarker.memory", 4e9)` bytes are an error: use a subset, or [by_dpp()]. Each step of the
#' chain takes O(n^2) time.
#'
#' @section Errors and warnings:
#' * `landmarker_error_rank`: L has fewer than `n` positive eigenvalues. Eigenvalues that are negative, which
#'   geodesic distances may cause, or below N times the machine precision times the largest one, count as 0.
#'   If `n` is close to the number of positive eigenvalues, the draw is affected by rounding. For powers
#'   other than 1, the diagonal of L is increased by 1e-12 times the weight to reduce this.
#' * `landmarker_warning_empty`: a draw of random size was empty and was repeated. The probability is at most
#'   1 / (N + 1).
#'
#' @param distance `"euclidean"`, the default, or `"geodesic"`: the lengths of shortest paths in the nearest
#'   neighbor graph (package igraph), for curved surfaces whose folds are close to each other. The kernel
#'   matrix L (see Details) is 0 for rows in different components of this graph. Geodesic distances are not
#'   available for [add_landmarks()].
#' @param sigma \eqn{\sigma}{sigma}, a positive distance after `scale`. Default `NULL`:
#'   \eqn{\sqrt{\eta/2}}{sqrt(eta / 2)} for the bandwidth \eqn{\eta}{eta} of the fit, so that L is the kernel
#'   of the fit.
#' @param neighbors For geodesic distances: the number of nearest neighbors to which each row is joined
#'   (default 10, or N - 1 if that is less). Too few disconnect the graph, too many create short-circuit
#'   edges between folds.
#' @param power The power s of the determinants, positive. Default 1: an exact draw. Other powers require
#'   `n`.
#' @param steps Number of steps of the Metropolis chain, at least 1. Default `NULL`: N times `n`, so that
#'   each exchange is proposed about once. Ignored if `power` is 1.
#' @return A method object for `landmarks(method = )`, a list of class `by_dpp_exact`.
#' @references C. Wachinger and P. Golland (2015). Diverse landmark sampling from determinantal point
#'   processes for scalable manifold learning. arXiv:1503.03506.
#'
#'   M.-A. Belabbas and P. J. Wolfe (2009). Spectral methods in machine learning and new strategies for very
#'   large datasets. *Proceedings of the National Academy of Sciences* 106(2), 369-374.
#'
#'   A. Kulesza and B. Taskar (2011). k-DPPs: Fixed-size determinantal point processes. *Proceedings of the
#'   28th International Conference on Machine Learning*, 1193-1200.
#'
#'   A. Kulesza and B. Taskar (2012). Determinantal point processes for machine learning. *Foundations and
#'   Trends in Machine Learning* 5(2-3), 123-286.
#' @examples
#' set.seed(1)
#' x <- sim_circles(200)
#' fit <- landmarks(x, 10, by_dpp_exact())
#' sort(fit$rows)
#'
#' # The annealed process
#' landmarks(x, 10, by_dpp_exact(power = 4))
#'
#' # A random number of landmarks
#' landmarks(x, method = by_dpp_exact(sigma = 0.5))
#'
#' # Geodesic distances
#' if (requireNamespace("igraph", quietly = TRUE)) {
#'   x <- sim_swiss_roll(200)
#'   landmarks(x, 10, by_dpp_exact(distance = "geodesic", sigma = 3, neighbors = 6))
#' }
#' @export
by_dpp_exact <- function(distance = "euclidean", sigma = NULL, neighbors = 10, power = 1, steps = NULL) {
  new_landmark_method("by_dpp_exact", list(
    distance = check_choice(distance, c("euclidean", "geodesic"), "distance"),
    sigma = if (!is.null(sigma)) check_number(sigma, "sigma", 0),
    neighbors = check_count(neighbors, "neighbors"),
    power = check_number(power, "power", 0),
    steps = if (!is.null(steps)) check_count(steps, "steps")
  ), chooses_size = TRUE)
}

#' @export
format.by_dpp_exact <- function(x, ...) {
  paste0(
    if (x$power == 1) "exact" else "annealed", " determinantal point process",
    if (x$power != 1) paste(" with power", format(signif(x$power, 4))),
    if (x$distance == "geodesic") ", geodesic distances"
  )
}

#' @export
select_landmarks.by_dpp_exact <- function(method, source, n, kernel, fixed, call) {
  check_that(!is.null(n) || method$power == 1, method$power, "power",
    "1 if the number of landmarks, {.arg n}, is not given", call = call
  )
  rows <- draw_rows(source, source$dim[1])
  # The kernel, its eigenvectors, and distances if there are any; two copies of the rows.
  matrices <- 2 + (method$distance == "geodesic")
  check_memory(length(rows) * (matrices * as.double(length(rows)) + 2 * source$dim[2]),
    "The kernel matrix of all {length(rows)} row{?s} needs", "Use {.fn by_dpp}, or a subset of the rows.",
    "method", call
  )
  # A bandwidth out of the range of numbers: with its limits the kernel matrix is the identity, or all ones.
  bandwidth <- if (is.null(method$sigma)) kernel$bandwidth else 2 * method$sigma^2
  kernel$bandwidth <- min(max(bandwidth, .Machine$double.xmin), .Machine$double.xmax)
  sigma <- sqrt(kernel$bandwidth / 2)
  rank <- length(rows)
  if (is.null(n) || n <= rank) {
    distances <- if (method$distance == "geodesic") dpp_geodesics(method, source, rows, fixed, call)
    drawn <- draw_exact_dpp(source, rows, distances, fixed, n, kernel, compute_with(call), method)
    rank <- drawn$rank
  }
  check_that(is.null(n) || n <= rank, n, "n",
    "at most {rank}, the rank of the kernel with {.code sigma = {signif(sigma, 3)}}", "rank", call,
    "A smaller {.arg sigma} gives a larger rank, up to the number of distinct rows."
  )
  if (drawn$empty > 0) {
    warn_user(c(
      "The draw from the point process was empty and was repeated.",
      i = "Give {.arg n} to fix the number of landmarks."
    ), kind = "empty", call = call)
  }
  used <- c(if (is.null(method$sigma)) list(sigma = sigma), Filter(Negate(is.na), drawn["accepted"]))
  landmark_selection(rows_in_space(source, drawn$rows, kernel, call), rows = drawn$rows, used = used)
}

# A draw of `wanted` of some `rows`, or of a random number of them if that is NULL, conditional on the
# landmarks of `fixed`. The kernel is that of Euclidean distances, or of a matrix `distances`. The result is
# list(rows, rank, empty, accepted):
#
#   rows      none if more than the rank are wanted
#   rank      of the kernel
#   empty     how many empty draws were repeated
#   accepted  the share of steps that changed the set, NA if the power is 1
draw_exact_dpp <- function(source, rows, distances, fixed, wanted, kernel, control, method = by_dpp_exact()) {
  .Call(C_exact_dpp, source, fixed, kernel, c(list(
    rows = rows, distance = if (is.null(distances)) "euclidean" else "given", distances = distances,
    size = if (is.null(wanted)) "random" else "given", wanted = as.integer(wanted), power = method$power,
    steps = as.double(method$steps %||% (length(rows) * as.double(wanted %||% 0)))
  ), control))
}

# Lengths of shortest paths between some rows, Inf if there is no path.
dpp_geodesics <- function(method, source, rows, fixed, call) {
  check_that(nrow(fixed) == 0, "geodesic", "distance", "\"euclidean\" if landmarks are fixed", call = call)
  need_package("igraph", "{.code distance = \"geodesic\"}", call)
  k <- min(method$neighbors, length(rows) - 1L)
  near <- nearest_others(rows_of(source, rows), rows_as_points(source, rows), k, call)
  ends <- rbind(rep(seq_along(rows), each = k), as.vector(near$row))
  path_lengths(ends, as.vector(near$distance), length(rows))
}
