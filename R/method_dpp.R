# by_dpp(): diverse rows by an approximate determinantal point process.

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
select_landmarks.by_dpp <- function(method, source, n, kernel, held, call) {
  m <- dpp_neighbors(method, source, n, call)
  search <- dpp_search(method, source, call)
  if (method$covariance == "full") check_covariance_memory(n + nrow(held), source$dim[2], call)
  options <- c(unclass(method)[c("update", "sigma", "covariance")], list(neighbors = m, search = search))
  found <- draw_dpp(source, held, n, options, compute_with(call))
  selection(project_points(rows_as_points(source, found$rows), kernel$space, call),
    ordered = TRUE, rows = found$rows, covariance = in_data_units(found$covariance, source),
    used = c(
      if (is.null(method$neighbors)) list(neighbors = m), if (is.null(method$sigma)) list(sigma = found$sigma)
    )
  )
}

# ---- the draws ------------------------------------------------------------------

# Draws rows one after another, each with probability proportional to its odds. A row that is drawn lowers the
# odds of its nearest rows, and so do the landmarks of `held` at the start. Rows are drawn in blocks of
# candidates, which are then taken or not: src/core/select/dpp.h describes the algorithm.
#
# `options`: list(neighbors, update, sigma, covariance, search). If `sigma` is NULL it is computed from the
# first candidates. Returns list(rows, sigma, covariance), with a covariance for each landmark, held or drawn,
# from its neighbors. R's generator is asked for two numbers for each candidate.
draw_dpp <- function(source, held, wanted, options, how) {
  bar <- progress_start("Drawing rows", wanted)
  found <- .Call(C_dpp, source, held, c(options[c("update", "search")], list(
    neighbors = as.integer(options$neighbors),
    sigma = options$sigma, wanted = as.integer(wanted), lists = options$covariance != "none",
    progress = progress_of(bar)
  ), how))
  covariance <- if (!is.null(found$near)) {
    covariances_of(source, found$near, options$covariance == "full", how)
  }
  list(rows = found$rows, sigma = found$sigma, covariance = covariance)
}

# ---- options that depend on the data -------------------------------------------------

# How many neighbors of a drawn row get lower odds.
dpp_neighbors <- function(method, source, n, call) {
  most <- source_rows(source) - 1L
  m <- method$neighbors
  # A single row has no neighbors.
  if (is.null(m)) return(as.integer(min(max(ceiling(2 * (most + 1) / n), 1), most)))
  if (m > most) {
    abort_input(c(
      "{.arg neighbors} must be smaller than the number of rows of {.arg x} (of weight above 0), {most + 1}.",
      x = "It is {m}."
    ), arg = "neighbors", call = call)
  }
  m
}

# How neighbors are found: by a "tree", by distances to "all" rows, or by whichever the core expects to be
# quicker, "auto".
dpp_search <- function(method, source, call) {
  if (method$search == "tree" && source$sparse) {
    abort_input(c(
      "{.arg search} must be \"auto\" or \"all\" for sparse data.",
      x = "It is \"tree\"."
    ), arg = "search", call = call)
  }
  method$search
}
