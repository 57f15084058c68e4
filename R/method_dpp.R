# by_dpp() and by_dpp_exact(): diverse rows by a determinantal point process, approximate or exact.

#' Diverse rows as landmarks, for any number of rows
#'
#' Landmarks are random rows of the data that keep away from each other. Use this method for large data, and
#' for embeddings ([embed_landmarks()]). It is the fast approximation of a determinantal point process by
#' Wachinger and Golland (2015, Algorithm 2). [by_dpp_exact()] draws from the exact process, for up to some
#' thousand rows.
#'
#' Rows are drawn one after another, each with probability proportional to a number \eqn{D_i}. At first this
#' number is 1 for every row (or the weight of the row). After row \eqn{i} was drawn, it falls for the
#' `neighbors` rows \eqn{j} nearest to row \eqn{i}:
#' \deqn{D_j \leftarrow D_j \, f(\|x_i - x_j\|), \qquad
#'   f(u) = 1 - \exp\left(-\frac{u^2}{2\sigma^2}\right) \;\textrm{or}\; \sin^2(u/\sigma),}{D_j := D_j
#'   f(||x_i - x_j||),
#'   f(u) = 1 - exp(-u^2 / (2 sigma^2)) or sin(u / sigma)^2,}
#' where the sine counts as 1 from \eqn{u = \sigma\pi/2}{u = sigma pi / 2} on. A row is drawn at most once,
#' and so is each set of equal rows: if fewer than `n` rows differ, there are fewer landmarks, and a warning.
#'
#' Landmarks are in the order drawn. `rows` of the fit has their row numbers. The bandwidth does not affect
#' which rows are drawn. All drawn rows are kept: a row that adds nothing to the Gaussian process's kernel
#' has `variance` 0. Where the data lie outside `space`, the drawn rows are projected on it.
#'
#' Weights are the initial \eqn{D_i}: a row of weight 2 is drawn as often as two equal rows, of which at most
#' one is taken. Weights have no other effect: `neighbors` is a number of rows of any weight, and neighbors
#' count equally in `sigma` and in the covariances. Rows of weight 0 are neither drawn nor neighbors.
#'
#' In many dimensions all neighbors of a row are about equally far from it, and diverse rows tend to be
#' unusual ones. Compare them with random rows, k-means and the Gaussian process by [cv_landmarks()] or
#' [reconstruction_error()].
#'
#' @section Cost:
#' In up to 12 dimensions a k-d tree finds the neighbors. The tree takes N log N operations, and then each
#' landmark takes about as many operations as it has neighbors, for any N: 2,500 landmarks of 10 million rows
#' take seconds. In more dimensions, and for sparse data, all distances from the data to a block of
#' candidates are computed at once, N d operations for each candidate. Both searches give the same landmarks:
#' distances that agree to nine digits tie, and the row that comes first counts as the nearer one. Candidates
#' are drawn in blocks and accepted with the probability that makes the result equal to drawing one by one
#' (rejection sampling). Blocks are faster, because they use threads and matrix products.
#'
#' @param neighbors For how many rows around a landmark the probability falls: a whole number below the
#'   number of rows N (of weight above 0). NULL, the default, is 2 N / n for n landmarks: then each row is a
#'   neighbor of about two landmarks. With fewer than N / n the draws are nearly independent. With many more
#'   the first landmarks reduce the probability of all rows, and the last landmarks lie close together again.
#' @param update `"welsch"`, the default, or `"sin2"`: the first or the second f.
#' @param sigma \eqn{\sigma}{sigma}, a number above 0 in units of the data (after `scale`). NULL, the
#'   default, is twice the median distance from a row to the last of its neighbors. Then \eqn{D_j} falls by
#'   seven eighths or more for all neighbors of a typical row, which gives the most even landmarks (measured
#'   on rolls and bowls by [reconstruction_error()]).
#' @param covariance `"none"`, the default, `"diagonal"` or `"full"`: whether the fit has a part `covariance`
#'   with the covariance of each landmark's neighbors. A landmark is one of its own neighbors; deviations are
#'   from their mean, and the denominator is `neighbors`. `"diagonal"` gives an n x d matrix of variances,
#'   `"full"` a d x d x n array, in the data's units. Full covariances are for few columns.
#' @param search `"auto"`, the default, `"tree"` or `"all"`: how neighbors are found, see Cost.
#' @return A method object for `landmarks(method = )`, a list of class `by_dpp`.
#' @inherit landmark_graph references
#' @seealso [by_dpp_exact()], [embed_landmarks()]
#' @examples
#' set.seed(1)
#' x <- sim_swiss_roll(5000)
#' fit <- landmarks(x, 100, by_dpp())
#' # More even than random rows: the two closest landmarks are farther apart.
#' apart <- function(t) min(dist(t))
#' c(dpp = apart(coef(fit)), random = apart(x[sample(5000, 100), ]))
#' landmarks(x, 100, by_dpp(neighbors = 30, update = "sin2", covariance = "full"))$covariance[, , 1]
#' @export
by_dpp <- function(neighbors = NULL, update = "welsch", sigma = NULL, covariance = "none", search = "auto") {
  new_method("by_dpp", list(
    neighbors = if (!is.null(neighbors)) check_count(neighbors, "neighbors"),
    update = check_choice(update, c("welsch", "sin2"), "update"),
    sigma = if (!is.null(sigma)) check_number(sigma, "sigma", 0),
    covariance = check_choice(covariance, c("none", "diagonal", "full"), "covariance"),
    search = check_choice(search, c("auto", "tree", "all"), "search")
  ), prefixes = !is.null(neighbors) && !is.null(sigma))
}

#' @export
format.by_dpp <- function(x, ...) {
  what <- if (x$covariance != "none") paste0(", ", x$covariance, " covariances")
  paste0("approximate determinantal point process", what)
}

#' @export
select_landmarks.by_dpp <- function(method, source, n, kernel, fixed, call) {
  others <- source_rows(source) - 1L
  # A single row has no neighbors.
  m <- method$neighbors %||% as.integer(min(max(ceiling(2 * (others + 1) / n), 1), others))
  if (m > others) {
    abort_input(c(
      paste(
        "{.arg neighbors} must be smaller than the number of rows of {.arg x} (of weight above 0),",
        "{others + 1}."
      ),
      x = "It is {m}."
    ), arg = "neighbors", call = call)
  }
  if (method$search == "tree" && source$sparse) {
    abort_input(c("{.arg search} must be \"auto\" or \"all\" for sparse data.", x = "It is \"tree\"."),
      arg = "search", call = call
    )
  }
  if (method$covariance == "full") check_covariance_memory(n + nrow(fixed), source$dim[2], call)
  options <- replace(unclass(method), "neighbors", m)
  found <- draw_dpp(source, fixed, n, options, compute_with(call))
  selection(rows_in_space(source, found$rows, kernel, call),
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
    neighbors = as.integer(options$neighbors),
    sigma = options$sigma, wanted = as.integer(wanted), lists = options$covariance != "none",
    progress = progress_of(bar)
  ), control))
  covariance <- if (!is.null(found$near)) {
    covariances_of(source, found$near, options$covariance == "full", control)
  }
  list(rows = found$rows, sigma = found$sigma, covariance = covariance)
}

# ---- the exact process ----------------------------------------------------------------

#' Landmarks by an exact determinantal point process
#'
#' Landmarks are random rows that are unlike each other. Use this method for up to some thousand rows, where
#' the exact distribution matters. [by_dpp()] is its fast approximation for any number of rows.
#'
#' A set \eqn{S} of rows is drawn with probability \eqn{\det(L_S) / \det(L + I)}{det(L_S) / det(L + I)}.
#' \eqn{L_S} has the entries of S, of the N x N matrix
#' \deqn{L_{ij} = \sqrt{v_i v_j}\,\exp(-d_{ij}^2 / 2\sigma^2),}{
#' L_ij = sqrt(v_i v_j) exp(-d_ij^2 / (2 sigma^2)),}
#' where \eqn{d_{ij}}{d_ij} is the distance of rows i and j, \eqn{v_i} the weight of row i, and \eqn{I} the
#' identity matrix (Wachinger and Golland, 2015, Algorithm 1). A set with two equal rows has probability 0.
#' The number of rows in \eqn{S} is random. Its mean is
#' \eqn{\sum_m \lambda_m / (1 + \lambda_m)}{sum_m lambda_m / (1 + lambda_m)}, where \eqn{\lambda_m}{lambda_m}
#' are the eigenvalues of \eqn{L}: a smaller `sigma` gives more rows. Where the number is given, by `n` of
#' [landmarks()], the draw is from the same process conditional on this number of rows (the
#' k-DPP of Kulesza and Taskar, 2011).
#'
#' With another `power` \eqn{s} than 1, a set of the given number of rows has a probability proportional to
#' \eqn{\det(L_S)^s}{det(L_S)^s}, the annealed process (Wachinger and Golland, 2015, eq. 2; Belabbas and
#' Wolfe, 2009). A larger power prefers diverse rows more; a power near 0 is uniform sampling. No exact draw
#' is known. A Markov chain starts at a draw with power 1. In each of its `steps`, a row of the set and
#' another row, both chosen at random, change places with the probability \eqn{\min(1, r^s)}{min(1, r^s)},
#' where
#' \eqn{r} is the ratio of the two determinants. The last set is the draw. The fit keeps the share of steps
#' that changed the set: `fit$used$accepted`, which `print()` shows. Where it is a few percent or less, more
#' steps bring the draw nearer to its distribution. For a large power the chain stays near a local maximum of
#' the determinant.
#'
#' Landmarks are put in greedy order; `rows` of the fit has their row numbers. Where the data lie outside
#' `space`, the drawn rows are projected on it. Rows of weight 0 are never drawn. A row of weight 2 is as
#' likely as two equal rows, of which at most one is drawn. Landmarks that [add_landmarks()] holds are
#' conditioned on: the new rows complete a draw that contains the held landmarks.
#'
#' @section Cost: The kernel matrix of all rows and its eigenvectors take O(N^2) memory and O(N^3) time, about
#' 20 s for 2,500 rows with the reference LAPACK. Data that need more than `getOption("landmarker.memory",
#' 4e9)` bytes are an error. For more rows use a subset of them, or [by_dpp()]. With another `power`, each
#' step takes O(n^2) time: 20,000 steps for 50 of 400 rows take a tenth of a second.
#'
#' @section Errors and warnings:
#' * `landmarker_error_rank`: there are fewer eigenvalues above 0 than landmarks wanted. Eigenvalues below N
#'   times the machine's precision times the largest count as 0. If `n` is close to the number of the others,
#'   rounding affects which rows are drawn. A Gaussian of geodesic distances may have negative eigenvalues.
#'   They count as 0 too. With another `power` than 1, the diagonal of \eqn{L} has 1e-12 of a row's weight
#'   added, so that rounding decides less: with a wide kernel, rows may depend on each other up to rounding.
#' * `landmarker_warning_empty`: a draw of random size was empty, which has probability 1 / (N + 1) or less.
#'   It was repeated.
#'
#' @param distance `"euclidean"`, the default, or `"geodesic"`: lengths of shortest paths along the graph
#'   that joins each row to its nearest rows (package igraph). Use it for data on a curved surface whose
#'   folds come near each other. Rows without a path between them have \eqn{L_{ij} = 0}{L_ij = 0}. Geodesic
#'   distances are not available where landmarks are held, because these are no vertices of the graph.
#' @param sigma \eqn{\sigma}{sigma}, in units of the data (after `scale`), a number above 0. `NULL`, the
#'   default, is \eqn{\sqrt{\eta/2}}{sqrt(eta / 2)} for the bandwidth \eqn{\eta}{eta} of the fit. Then
#'   \eqn{L} is the kernel of the features, \eqn{\exp(-d_{ij}^2/\eta)}{exp(-d_ij^2 / eta)}.
#' @param neighbors For geodesic distances: to how many of its nearest rows each row is joined (default 10;
#'   all other rows where there are fewer). With too few neighbors the graph is in several components; with
#'   too many its edges lead across folds.
#' @param power \eqn{s}, the power of the determinants, a number above 0. Default 1, the process itself, by an
#'   exact draw. Any other power needs a given number of landmarks.
#' @param steps For another `power` than 1: the number of steps of the Markov chain, a whole number of at
#'   least 1. `NULL`, the default, is N times the number of landmarks, so that each pair of a row inside and
#'   a row outside of the set is tried about once. With power 1 there is no chain, and `steps` has no effect.
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
#' # The annealed process prefers diverse rows more
#' landmarks(x, 10, by_dpp_exact(power = 4))
#'
#' # A random number of landmarks
#' landmarks(x, method = by_dpp_exact(sigma = 0.5))
#'
#' # Distances along a curled surface
#' if (requireNamespace("igraph", quietly = TRUE)) {
#'   x <- sim_swiss_roll(200)
#'   landmarks(x, 10, by_dpp_exact(distance = "geodesic", sigma = 3, neighbors = 6))
#' }
#' @export
by_dpp_exact <- function(distance = "euclidean", sigma = NULL, neighbors = 10, power = 1, steps = NULL) {
  new_method("by_dpp_exact", list(
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
    if (x$power != 1) paste(" of power", format(signif(x$power, 4))),
    if (x$distance == "geodesic") " by geodesic distances"
  )
}

#' @export
select_landmarks.by_dpp_exact <- function(method, source, n, kernel, fixed, call) {
  if (is.null(n) && method$power != 1) {
    abort_input(c(
      "{.arg power} must be 1 where the number of landmarks is random.",
      x = "It is {signif(method$power, 4)}.", i = "Give the number of landmarks, {.arg n}."
    ), arg = "power", call = call)
  }
  rows <- draw_rows(source, source$dim[1])
  check_dpp_memory(method, source, length(rows), nrow(fixed), n, call)
  # A bandwidth that is still smaller gives the same kernel matrix, the identity; one that is still larger
  # gives a matrix of ones.
  bandwidth <- if (is.null(method$sigma)) kernel$bandwidth else 2 * method$sigma^2
  kernel$bandwidth <- min(max(bandwidth, .Machine$double.xmin), .Machine$double.xmax)
  rank <- length(rows)
  if (is.null(n) || n <= rank) {
    distances <- if (method$distance == "geodesic") dpp_geodesics(method, source, rows, fixed, call)
    drawn <- draw_exact_dpp(source, rows, distances, fixed, n, kernel, compute_with(call), method)
    rank <- drawn$rank
  }
  sigma <- sqrt(kernel$bandwidth / 2)
  if (!is.null(n) && n > rank) {
    abort_input(c(
      "{.arg n} must be at most the rank of the point process's kernel.",
      x = "It is {n}, and the rank with {.arg sigma} = {signif(sigma, 3)} is {rank}.",
      i = "A smaller {.arg sigma} gives a larger rank, up to the number of rows that differ."
    ), arg = "n", kind = "rank", call = call)
  }
  if (drawn$empty > 0) {
    warn_user(c(
      "The draw from the point process was empty and was repeated.",
      i = "Give {.arg n} to fix the number of landmarks."
    ), kind = "empty", call = call)
  }
  points <- rows_in_space(source, drawn$rows, kernel, call)
  used <- c(
    if (is.null(method$sigma)) list(sigma = sigma),
    if (!is.na(drawn$accepted)) list(accepted = drawn$accepted)
  )
  selection(points, rows = drawn$rows, used = used)
}

# Memory for the kernel, its eigenvectors and, where there is one, the matrix of distances; for the rows and
# their copies as points; for the held landmarks; for blocks of rows and LAPACK's workspace; for the chain.
check_dpp_memory <- function(method, source, rows, fixed, n, call) {
  geodesic <- method$distance == "geodesic"
  copies <- if (geodesic) 3 else !source$sparse
  bytes <- 8 * rows * ((2 + geodesic) * as.double(rows) + copies * source$dim[2] + fixed + 350)
  if (method$power != 1) bytes <- bytes + 8 * as.double(n)^2
  check_memory(bytes, "The kernel of all {rows} row{?s} needs",
    "Use {.fn by_dpp}, which has no such matrix, or give {.fn by_dpp_exact} a subset of the rows.",
    "method", call
  )
}

# A draw of `wanted` of the given rows, or of a random number of them where that is NULL, given landmarks that
# are held: list(rows, rank, empty, accepted), with the rank of the kernel, how many empty draws were
# repeated, and for another power than 1 the share of steps that changed the set, else NA. The kernel is that
# of Euclidean distances, or of a matrix `distances`. There are no rows where more than the rank are wanted.
draw_exact_dpp <- function(source, rows, distances, fixed, wanted, kernel, control, method = by_dpp_exact()) {
  .Call(C_exact_dpp, source, fixed, kernel, c(list(
    rows = rows, distance = if (is.null(distances)) "euclidean" else "given", distances = distances,
    size = if (is.null(wanted)) "random" else "given", wanted = as.integer(wanted), power = method$power,
    steps = as.double(method$steps %||% (length(rows) * as.double(wanted %||% 0)))
  ), control))
}

# Lengths of shortest paths between some rows, Inf where there is no path.
dpp_geodesics <- function(method, source, rows, fixed, call) {
  if (nrow(fixed) > 0) {
    abort_input(c(
      "{.arg distance} must be \"euclidean\" where landmarks are held: the graph has only rows as vertices.",
      x = "It is \"geodesic\", and {nrow(fixed)} {cli::qty(nrow(fixed))}{?is/are} held."
    ), arg = "distance", call = call)
  }
  need_package("igraph", "distance = \"geodesic\"", call)
  k <- min(method$neighbors, length(rows) - 1L)
  near <- nearest_others(rows_of(source, rows), rows_as_points(source, rows), k, call)
  ends <- rbind(rep(seq_along(rows), each = k), as.vector(near$row))
  path_lengths(ends, as.vector(near$distance), length(rows))
}
