#' Diverse rows as landmarks, for any number of rows
#'
#' The fast approximation of a determinantal point process by Wachinger and Golland (2015,
#' Algorithm 2): rows drawn one after another, each with probability in proportion to odds
#' \eqn{D_i} that are 1 at first (or the weights) and fall around every row that is drawn: for the
#' `neighbors` rows \eqn{j} nearest to row \eqn{i}
#' \deqn{D_j \leftarrow D_j \, f(\|x_i - x_j\|), \qquad
#'   f(u) = 1 - \exp\left(-\frac{u^2}{2\sigma^2}\right) \;\textrm{or}\; \sin^2(u/\sigma),}{D_j := D_j
#'   f(||x_i - x_j||),
#'   f(u) = 1 - exp(-u^2 / (2 sigma^2)) or sin(u / sigma)^2,}
#' the sine being 1 from \eqn{u = \sigma\pi/2}{u = sigma pi / 2} on. A row that is drawn has no odds left, nor
#' those of its neighbours that are equal to it.
#'
#' Landmarks are rows, in the order drawn; `rows` of the fit has their numbers. All of them are kept,
#' also those that add nothing to the Gaussian process's kernel: their `variance` is 0. The bandwidth of
#' that kernel does not change which rows are drawn. In a `space` that the data do not lie in the rows drawn
#' are projected. [embed_landmarks()] uses the local covariances. [by_dpp_exact()] draws from the process
#' itself, for some thousand rows.
#'
#' Weights are the odds that rows start with: a row of weight 2 is drawn as often as two equal rows would
#' be, of which at most one is taken. Weights count nowhere else: `neighbors` is a number of rows, whatever
#' their weights, and neighbours count alike in `sigma` and in the covariances. Rows of weight 0 are neither
#' drawn nor neighbours.
#'
#' In many dimensions all neighbours of a row are about equally far from it, and diverse rows tend to be
#' unusual ones: compare with random rows, k-means and the Gaussian process, as `vignette("embedding")` does
#' for digits.
#'
#' @section Cost:
#' In up to 12 dimensions neighbours are found by a k-d tree: N log N operations for the tree and then a
#' landmark costs about as many as it has neighbours, whatever N: 2,500 landmarks of 10 million rows
#' take seconds. In more dimensions, and for sparse data, all distances to a block of candidates are
#' made at once, N d operations each. Which it is changes nothing but the time: distances that agree to
#' nine digits tie, and the row that comes first is the nearer one. Candidates are drawn in blocks and then
#' kept with the probability that makes the result that of drawing one by one (rejection sampling), so that
#' threads and matrix products have work.
#'
#' @param neighbors How many rows' odds fall around a landmark, a whole number below the number of rows N
#'   (of weight above 0). NULL, the default, is 2 N / n: each row is in the neighbourhoods of about two
#'   landmarks. Fewer than N / n leave the draws nearly independent; with many more the first
#'   landmarks thin out everything, and the last ones come close again.
#' @param update `"welsch"`, the default, or `"sin2"`: which f.
#' @param sigma A number above 0, in units of the data (after `scale`). NULL, the default, is twice the
#'   median distance from a row to the last of its neighbours: odds fall by seven eighths and more in the
#'   whole
#'   neighbourhood, which spreads landmarks most evenly (measured on rolls and bowls by
#'   [reconstruction_error()]).
#' @param covariance `"none"`, the default, `"diagonal"` or `"full"`: whether the fit gets the covariance of
#'   each landmark's neighbours (itself among them, about their mean, denominator `neighbors`) as part
#'   `covariance`: an n x d matrix of variances or a d x d x n array, in the data's units. Full ones are
#'   for few columns.
#' @param search `"auto"`, the default, `"tree"` or `"all"`: how neighbours are found, see Cost.
#' @return A method object for `landmarks(method = )`, a list of class `by_dpp`.
#' @inherit landmark_graph references
#' @seealso [by_dpp_exact()], [embed_landmarks()]
#' @examples
#' set.seed(1)
#' x <- sim_swiss_roll(5000)
#' fit <- landmarks(x, 100, by_dpp())
#' # Spread more evenly than at random: the nearest other landmark is farther.
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
  ))
}

#' @export
format.by_dpp <- function(x, ...) {
  what <- if (x$covariance != "none") paste0(", ", x$covariance, " covariances")
  paste0("approximate determinantal point process", what)
}

select_landmarks.by_dpp <- function(method, source, n, kernel, held, call) {
  m <- dpp_neighbors(method, source, n, call)
  check_dpp_search(method, source, n + nrow(held), call)
  found <- .Call(
    C_dpp, source, held, n, m, match(method$update, c("welsch", "sin2")) - 1L, method$sigma,
    match(method$covariance, c("none", "diagonal", "full")) - 1L,
    switch(method$search, auto = NA, tree = TRUE, all = FALSE), compute_with(call)
  )
  selection(project_points(rows_as_points(source, found$rows), kernel$space, call),
    ordered = TRUE, rows = found$rows, covariance = dpp_covariance(method, found$covariance, source),
    used = c(if (is.null(method$neighbors)) list(neighbors = m), if (is.null(method$sigma)) list(sigma = found$sigma))
  )
}

dpp_neighbors <- function(method, source, n, call) {
  most <- source_rows(source) - 1L
  m <- method$neighbors
  # A lone row has no neighbours.
  if (is.null(m)) return(as.integer(min(max(ceiling(2 * (most + 1) / n), 1), most)))
  if (m > most) {
    abort_input(c(
      "{.arg neighbors} must be smaller than the number of rows of {.arg x} (of weight above 0), {most + 1}.",
      x = "It is {m}."
    ), arg = "neighbors", call = call)
  }
  m
}

check_dpp_search <- function(method, source, n, call) {
  if (method$search == "tree" && source$sparse) {
    abort_input(c(
      "{.arg search} must be \"auto\" or \"all\" for sparse data.",
      x = "It is \"tree\"."
    ), arg = "search", call = call)
  }
  if (method$covariance == "full") check_covariance_memory(n, source$dim[2], call)
}

# In the data's units: n x d, or d x d x n.
dpp_covariance <- function(method, covariance, source) {
  d <- source$dim[2]
  if (method$covariance == "none") return(NULL)
  if (method$covariance == "diagonal") {
    names <- if (!is.null(source$names)) list(NULL, source$names)
    return(matrix(covariance / source$factor^2, ncol = d, byrow = TRUE, dimnames = names))
  }
  array(covariance / as.vector(outer(source$factor, source$factor)), c(d, d, length(covariance) / d^2),
    dimnames = if (!is.null(source$names)) list(source$names, source$names, NULL)
  )
}
