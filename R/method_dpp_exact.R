# by_dpp_exact(): diverse rows by an exact determinantal point process, which needs the kernel matrix of all
# rows.

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
#' [landmarks()] or by `size`, the draw is from the same process conditional on this number of rows (the
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
#' @param size Number of landmarks, a whole number of at least 1. `NULL`, the default, takes `n` of
#'   [landmarks()], and a random number where `n` is missing too. If both are given they must be equal.
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
by_dpp_exact <- function(size = NULL, distance = "euclidean", sigma = NULL, neighbors = 10, power = 1,
                         steps = NULL) {
  power <- check_number(power %||% 1, "power", 0)
  new_method("by_dpp_exact", list(
    size = if (!is.null(size)) check_count(size, "size"),
    distance = check_choice(distance, c("euclidean", "geodesic"), "distance"),
    sigma = if (!is.null(sigma)) check_number(sigma, "sigma", 0),
    neighbors = check_count(neighbors, "neighbors"),
    # NULL for the process itself, whose method objects are then as they were before there was a power.
    power = if (power != 1) power,
    steps = if (!is.null(steps)) check_count(steps, "steps")
  ), chooses_size = TRUE)
}

# The size is that of the first landmarks alone.
#' @export
continued_method.by_dpp_exact <- function(method) {
  method["size"] <- list(NULL)
  method
}

#' @export
format.by_dpp_exact <- function(x, ...) {
  paste0(
    if (is.null(x$power)) "exact" else "annealed", " determinantal point process",
    if (!is.null(x$power)) paste(" of power", format(signif(x$power, 4))),
    if (x$distance == "geodesic") " by geodesic distances"
  )
}

#' @export
select_landmarks.by_dpp_exact <- function(method, source, n, kernel, held, call) {
  arg <- if (is.null(n)) "size" else "n"
  n <- dpp_size(method, n, call)
  if (!is.null(method$power)) check_power_size(method, n, call)
  rows <- draw_rows(source, source$dim[1])
  check_dpp_memory(method, source, length(rows), nrow(held), n, call)
  # A bandwidth that is still smaller gives the same kernel matrix, the identity; one that is still larger
  # gives a matrix of ones.
  bandwidth <- if (is.null(method$sigma)) kernel$bandwidth else 2 * method$sigma^2
  kernel$bandwidth <- min(max(bandwidth, .Machine$double.xmin), .Machine$double.xmax)
  rank <- length(rows)
  if (is.null(n) || n <= rank) {
    distances <- if (method$distance == "geodesic") dpp_geodesics(method, source, rows, held, call)
    drawn <- draw_exact_dpp(source, rows, distances, held, n, kernel, compute_with(call), method)
    rank <- drawn$rank
  }
  if (!is.null(n) && n > rank) abort_dpp_rank(arg, n, rank, kernel_sigma(kernel), call)
  if (drawn$empty > 0) {
    warn_user(c(
      "The draw from the point process was empty and was repeated.",
      i = "Give {.arg n} to fix the number of landmarks."
    ), kind = "empty", call = call)
  }
  points <- project_points(rows_as_points(source, drawn$rows), kernel$space, call)
  used <- c(
    if (is.null(method$sigma)) list(sigma = kernel_sigma(kernel)),
    if (!is.na(drawn$accepted)) list(accepted = drawn$accepted)
  )
  selection(points, rows = drawn$rows, used = used)
}

# Memory for the kernel, its eigenvectors and, where there is one, the matrix of distances; for the rows and
# their copies as points; for the held landmarks; for blocks of rows and LAPACK's workspace; for the chain.
check_dpp_memory <- function(method, source, rows, held, n, call) {
  geodesic <- method$distance == "geodesic"
  copies <- if (geodesic) 3 else !source$sparse
  bytes <- 8 * rows * ((2 + geodesic) * as.double(rows) + copies * source$dim[2] + held + 350)
  if (!is.null(method$power)) bytes <- bytes + 8 * as.double(n)^2
  check_memory(bytes, "The kernel of all {rows} row{?s} needs",
    "Use {.fn by_dpp}, which has no such matrix, or give {.fn by_dpp_exact} a subset of the rows.",
    "method", call
  )
}

# A draw of `wanted` of the given rows, or of a random number of them where that is NULL, given landmarks that
# are held: list(rows, rank, empty, accepted), with the rank of the kernel, how many empty draws were
# repeated, and for another power than 1 the share of steps that changed the set, else NA. The kernel is that
# of Euclidean distances, or of a matrix `distances`. There are no rows where more than the rank are wanted.
draw_exact_dpp <- function(source, rows, distances, held, wanted, kernel, how, method = by_dpp_exact()) {
  apart <- list(distance = "euclidean")
  if (!is.null(distances)) apart <- list(distance = "given", distances = distances)
  size <- if (is.null(wanted)) list(size = "random") else list(size = "given", wanted = as.integer(wanted))
  steps <- as.double(method$steps %||% (length(rows) * as.double(wanted %||% 0)))
  chain <- list(power = as.double(method$power %||% 1), steps = steps)
  .Call(C_exact_dpp, source, held, kernel, c(list(rows = rows), apart, size, chain, how))
}

# How many rows to draw, NULL for a random number.
dpp_size <- function(method, n, call) {
  if (!is.null(n) && !is.null(method$size) && n != method$size) {
    abort_input(c(
      "{.arg size} must equal {.arg n} where both are given.",
      x = "{.arg size} is {method$size}, and {.arg n} is {n}."
    ), arg = "size", call = call)
  }
  n %||% method$size
}

check_power_size <- function(method, n, call) {
  if (!is.null(n)) return(invisible())
  abort_input(c(
    "{.arg power} must be 1 where the number of landmarks is random.",
    x = "It is {signif(method$power, 4)}.",
    i = "Give the number of landmarks, by {.arg n} or {.arg size}."
  ), arg = "power", call = call)
}

abort_dpp_rank <- function(arg, n, rank, sigma, call) {
  abort_input(c(
    "{.arg {arg}} must be at most the rank of the point process's kernel.",
    x = "It is {n}, and the rank with {.arg sigma} = {signif(sigma, 3)} is {rank}.",
    i = "A smaller {.arg sigma} gives a larger rank, up to the number of rows that differ."
  ), arg = arg, kind = "rank", call = call)
}

# Lengths of shortest paths between some rows, Inf where there is no path.
dpp_geodesics <- function(method, source, rows, held, call) {
  if (nrow(held) > 0) {
    abort_input(c(
      "{.arg distance} must be \"euclidean\" where landmarks are held: the graph has only rows as vertices.",
      x = "It is \"geodesic\", and {nrow(held)} {cli::qty(nrow(held))}{?is/are} held."
    ), arg = "distance", call = call)
  }
  need_package("igraph", "distance = \"geodesic\"", call)
  k <- min(method$neighbors, length(rows) - 1L)
  near <- nearest_others(rows_of(source, rows), rows_as_points(source, rows), k, call)
  ends <- rbind(rep(seq_along(rows), each = k), as.vector(near$row))
  path_lengths(ends, as.vector(near$distance), length(rows))
}
