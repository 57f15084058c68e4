#' Plots of landmarks
#'
#' `plot()` draws a fit in one of three ways, set by `type`:
#'
#' * `"landmarks"` draws the data and the landmarks, with their numbers, in two dimensions: the two columns
#'   of the data, or for more columns the first two principal components of the data.
#' * `"map"` draws data and landmarks on a t-SNE map (van der Maaten, 2014), as Figure 3 of Liang and Paisley
#'   (2015) does. It shows what is near to what where two principal components are too few.
#' * `"variance"` draws the variance of the process at each landmark given the landmarks before it, on a
#'   logarithmic axis. Below it draws the share of the kernel's variance that the landmarks so far explain.
#'   This share grows with the bandwidth and is no measure of quality.
#'
#' The colors can be told apart with any kind of color vision. Both axes have the same unit length, because
#' the kernel depends on distances only. Fits that scaled their columns are the exception. `asp = NA` lets
#' each axis fill the window.
#'
#' @details A t-SNE map shows which points are neighbors. The distances between groups and the sizes of
#' groups on it mean little. The map uses the distances of the kernel (with columns scaled where the fit
#' scaled them), among all the rows shown and the landmarks, which are treated as further rows. The neighbors
#' are found exactly, and rows may be repeated. The map starts from R's random numbers: the same seed gives
#' the same map. It takes seconds for 1,500 rows and needs package Rtsne.
#'
#' @param x An object of class `landmarks`.
#' @param data For `type = "landmarks"` and `"map"`: the data, with the columns that the fit was learned
#'   from. Sparse data are projected as they are; for a map the rows shown are made dense.
#' @param type `"landmarks"`, `"map"` or `"variance"`. The default is `"landmarks"` where `data` are given,
#'   else `"variance"`.
#' @param color,colour A factor, or a vector that [factor()] accepts, with one value for each row of `data`:
#'   each level has its color, and a legend stands beside the data. With more than seven levels their shapes
#'   differ too. Both spellings work.
#' @param max_points The largest number of rows to draw. Of more rows, evenly spaced ones are drawn. Default
#'   5000, and 1500 for a map, whose time grows faster than its rows.
#' @param labels Whether to number the landmarks (default `TRUE`).
#' @param main,xlab,ylab Title and axis labels.
#' @param perplexity For `type = "map"`: the effective number of neighbors of a row, a number from 2 to a
#'   third of the number of other points (rows and landmarks). Default 30, which is usual, or the largest
#'   whole number allowed where that is smaller.
#' @param ... Further arguments of [plot.default()], for example `xlim` or `asp`.
#' @return The fit, invisibly.
#' @references van der Maaten, L. (2014). Accelerating t-SNE using Tree-Based Algorithms. *Journal of Machine
#' Learning Research*, 15, 3221--3245.
#' @examples
#' set.seed(1)
#' x <- sim_spiral(600)
#' fit <- landmarks(x, 15, bandwidth = 0.3)
#' plot(fit, x)
#' plot(fit, type = "variance")
#' if (requireNamespace("Rtsne", quietly = TRUE)) {
#'   fit <- landmarks(iris[1:4], 6)
#'   plot(fit, iris[1:4], type = "map", color = iris$Species)
#' }
#' @export
plot.landmarks <- function(x, data = NULL, type = NULL, color = NULL, max_points = NULL,
                           labels = TRUE, main = NULL, xlab = NULL, ylab = NULL, perplexity = NULL, ...,
                           colour = color) {
  check_fit(x, "x")
  check_plot_args(list(...))
  type <- check_picture(type, data)
  if (type == "variance") {
    plot_variance(x, main, xlab, ylab, ...)
  } else {
    labels <- check_flag(labels, "labels")
    shown <- shown_data(x, data, colour, type, max_points)
    plane <- in_plane(x, shown$data, type, perplexity)
    plot_plane(x, plane, shown$groups, labels, main, xlab, ylab, ...)
  }
  invisible(x)
}

check_picture <- function(type, data, call = rlang::caller_env()) {
  type <- type %||% if (is.null(data)) "variance" else "landmarks"
  check_choice(type, c("landmarks", "map", "variance"), "type", call)
  if (type != "variance" && is.null(data)) {
    abort_input("{.arg data} must be given to plot landmarks among them: a fit does not keep its data.",
      arg = "data", kind = "data", call = call
    )
  }
  type
}

# The rows to draw, checked, with their groups.
shown_data <- function(fit, data, color, type, max_points, call = rlang::caller_env()) {
  max_points <- check_count(max_points %||% if (type == "map") 1500 else 5000, "max_points", call = call)
  given <- fit_rows(fit, data, "data", call)
  data <- given$x
  # Groups of rows that are left out go with them.
  if (NROW(color) == nrow(data) + length(given$omitted)) color <- without_rows(color, given$omitted)
  if (!is_parted(data)) check_finite(data, "data", call)
  groups <- check_groups(color, nrow(data), call)
  if (nrow(data) > max_points || is_parted(data)) {
    rows <- unique(round(seq(1, nrow(data), length.out = min(nrow(data), max_points))))
    data <- check_finite(data[rows, , drop = FALSE], "data", call)
    groups <- groups[rows]
  }
  list(data = data, groups = groups)
}

check_groups <- function(color, n, call = rlang::caller_env()) {
  if (is.null(color)) return(NULL)
  if (!is.atomic(color) || length(color) != n) {
    abort_input(c(
      paste0(
        "{.arg color} must be a factor, or a vector to make one of, ",
        "with a value for each of the {n} rows of {.arg data}."
      ),
      x = "It is {describe(color)}."
    ), arg = "color", call = call)
  }
  groups <- as.factor(color)
  if (nlevels(groups) == 0) {
    abort_input(c("{.arg color} must have a value for some row of {.arg data}.", x = "All are missing."),
      arg = "color", call = call
    )
  }
  groups
}

plot_variance <- function(fit, main, xlab, ylab, ...) {
  n <- seq_len(nrow(fit$landmarks))
  # Setting mfrow resets cex, both here and when it is restored.
  cex <- graphics::par("cex")
  old <- graphics::par(mfrow = c(2, 1), mar = c(4, 5.2, 2.2, 1), las = 1)
  on.exit(graphics::par(c(old, cex = cex)))
  # Landmarks given by the user may all have variance 0, which a logarithmic axis cannot show.
  shown <- fit$variance > 0 | all(fit$variance <= 0)
  graphics::plot(n[shown], fit$variance[shown],
    log = if (any(fit$variance > 0)) "y" else "", type = "o", pch = 16, cex = 0.7, col = okabe_ito[1],
    xlim = range(n),
    xlab = "", ylab = "", main = main %||% "Variance left when each landmark was found", ...
  )
  graphics::title(ylab = ylab %||% "variance", line = 4)
  graphics::plot(n, 100 * fit$explained,
    type = "o", pch = 16, cex = 0.7, col = okabe_ito[6], ylim = c(0, 100),
    xlab = "", ylab = "", main = "Variance explained so far"
  )
  graphics::title(xlab = xlab %||% "landmark", line = 2.5)
  graphics::title(ylab = "% of the kernel's", line = 4)
}

plot_plane <- function(fit, plane, groups, labels, main, xlab, ylab, ...) {
  both <- rbind(plane$data, plane$landmarks)
  pars <- list(xlab = xlab %||% plane$names[1], ylab = ylab %||% plane$names[2], las = 1,
    main = main %||% paste(nrow(fit$landmarks), if (nrow(fit$landmarks) == 1) "landmark" else "landmarks"),
    asp = if (plane$equal) 1 else NA
  )
  given <- list(...)
  pars[names(given)] <- given
  shapes <- if (!is.null(groups)) group_shapes(groups)
  key <- if (!is.null(groups)) group_key(levels(groups), group_colors(groups), shapes)
  draw_key <- open_plane(range(both[, 1]), range(both[, 2]), pars, key)
  if (is.null(groups)) {
    graphics::points(plane$data, pch = 16, cex = 0.6, col = grDevices::adjustcolor("gray55", 0.5))
  } else {
    graphics::points(plane$data,
      pch = shapes[groups], cex = 0.7, col = grDevices::adjustcolor(group_colors(groups), 0.6)[groups]
    )
  }
  draw_key()
  mark_landmarks(plane$landmarks, labels, if (is.null(groups)) okabe_ito[6] else "black")
}

# Data and landmarks in two dimensions, the names of the axes, and whether a unit
# is as long on both.
in_plane <- function(fit, data, type, perplexity = NULL, call = rlang::caller_env()) {
  if (type == "map") return(c(to_map(fit, data, perplexity, call), equal = TRUE))
  c(to_plane(fit, data), equal = !fit$scaled && ncol(fit$landmarks) > 1)
}

to_plane <- function(fit, data) {
  points <- fit$landmarks
  names <- colnames(points) %||% colnames(data) %||% paste0("x", seq_len(ncol(points)))
  if (ncol(points) == 1) {
    return(list(
      data = cbind(data[, 1], 0), landmarks = cbind(points[, 1], 0), names = c(names[1], "")
    ))
  }
  if (ncol(points) == 2) {
    return(list(data = as.matrix(data), landmarks = points, names = names))
  }
  axes <- principal_axes(data, fit$factor)
  turn <- function(z) {
    as.matrix(z %*% (fit$factor * axes$axes)) - rep(colSums(axes$mean * axes$axes), each = nrow(z))
  }
  list(
    data = turn(data), landmarks = turn(points), names = c("principal component 1", "principal component 2")
  )
}

# The first two principal axes, in scaled units, by power iteration: the data are
# never centered, so that sparse ones stay sparse. The largest entry of each is positive.
principal_axes <- function(data, factor) {
  n <- nrow(data)
  d <- ncol(data)
  if (!methods::is(data, "sparseMatrix")) storage.mode(data) <- "double"
  mean <- Matrix::colMeans(data) * factor
  apply_centered <- function(v) as.vector(data %*% (factor * v)) - sum(mean * v)
  apply_transposed <- function(u) factor * as.vector(Matrix::crossprod(data, u)) - mean * sum(u)
  axes <- matrix(0, d, 2)
  for (k in 1:2) {
    v <- factor * as.vector(Matrix::crossprod(data, seq_len(n) / n)) + 1 / seq_len(d)
    for (iteration in 1:60) {
      if (k == 2) v <- v - axes[, 1] * sum(axes[, 1] * v)
      norm <- sqrt(sum(v^2))
      if (norm == 0) break
      before <- v / norm
      v <- apply_transposed(apply_centered(before))
      if (k == 2) v <- v - axes[, 1] * sum(axes[, 1] * v)
      norm <- sqrt(sum(v^2))
      if (norm == 0 || sqrt(sum((v / norm - before)^2)) < 1e-6) break
    }
    if (norm > 0) axes[, k] <- v / norm * sign(v[which.max(abs(v))])
  }
  list(axes = axes, mean = mean)
}
