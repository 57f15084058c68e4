#' Plot landmarks
#'
#' `autoplot()` draws a fit with \pkg{ggplot2}; `plot()` prints the plot.
#'
#' `type` selects one of these plots:
#'
#' * `"landmarks"` (default): data and landmarks on the two columns of the data, or on their first two
#'   principal components.
#' * `"map"`: data and landmarks on a t-SNE map (van der Maaten, 2014), as in Figure 3 of Liang and Paisley
#'   (2015).
#' * `"error"`: a scree plot of the relative trace-norm approximation error of the kernel matrix by the first
#'   landmarks, on a logarithmic axis; see [print.landmarks].
#' * `"variance"`: the posterior variance of Liang and Paisley's Gaussian process at each landmark given the
#'   preceding landmarks, on a logarithmic axis. `"error"` and `"variance"` do not apply to fits by
#'   [by_response()].
#' * `"words"`: bar plots of the top columns of each landmark, see [top_features()].
#' * `"images"`: landmarks as images, see [plot_images()].
#' * `"fit"`, for [by_response()]: predictions of held-out rows. For regression, observed against predicted
#'   values. For classes and labels, a calibration plot: observed proportions against predicted probabilities,
#'   with 95% intervals for calibrated probabilities.
#' * `"surface"`, for two columns: the posterior variance of the Gaussian process given the landmarks (see
#'   [predict.landmarks()]) over the plane. If `values` are given, the posterior mean of the process with
#'   these values at the landmarks. It is 0 far from all landmarks, so center `values` first.
#' * `"relevance"`: the 30 columns with the largest influence on distances. For fits by [by_response()]
#'   without ARD weights, the 30 columns with the largest `effect`, see `tidy(fit, "columns")`; the levels of
#'   a factor are summed.
#'
#' A fit does not store its data. Without `data`, only the landmarks are drawn; if there are more than two
#' columns, on the principal components of the landmarks.
#'
#' @section Axes and maps:
#' Both axes have the same unit length, except for fits that scale columns. Principal components are those of
#' the rows drawn, unweighted, in scaled units; the axis labels give their proportions of variance. Distances
#' in the plane are at most those in all columns. A landmark close to the data in all columns can therefore
#' appear outside the point cloud.
#'
#' A t-SNE map shows which points are close to each other. Distances between groups, and their sizes, have
#' little meaning. The map is computed by package \pkg{Rtsne} from the exact nearest neighbors among the rows
#' drawn and the landmarks. It depends on the random seed.
#'
#' @section Errors:
#' Class `landmarker_error_input`, of kind `data` (`data` are needed), `columns`, `missing`, `dots` (an
#' argument that the plot does not have) or `package`; see [landmarker-conditions].
#'
#' @param x,object An object of class `landmarks`.
#' @param data For `type = "landmarks"`, `"map"` and `"surface"`: data with the columns that the landmarks
#'   were learned from.
#' @param type The plot, see Details. The default is `"surface"` if `values` are given, and `"landmarks"`
#'   otherwise.
#' @param color A value for each row of `data`. Factors, strings, logicals, and integers with at most twelve
#'   distinct values are groups. Other numbers, dates and times have a continuous scale. `NA` is gray. The
#'   legend title is taken from the expression, for example `Species` for `color = iris$Species`.
#' @param max_points Maximum number of rows to draw. If there are more, an evenly spaced subset is drawn.
#'   Default 5000, for a map 1500.
#' @param labels Whether to number the landmarks. Default `NULL`: up to 50 landmarks; more landmarks are
#'   colored by their order. Overlapping labels are moved by package \pkg{ggrepel} if it is installed, and
#'   omitted otherwise.
#' @param perplexity For `type = "map"`: effective number of neighbors, from 2 to a third of the number of
#'   other points. Default 30, or the largest integer allowed if that is smaller.
#' @param values For `type = "surface"`: a number for each landmark. Default `NULL`: the variance is drawn.
#' @param ... `plot()`: arguments of `autoplot()`. For `"words"`: `k`, number of columns per landmark (default
#'   6), `by` as in [top_features()], and `which`, indices of the landmarks (default the first 12). For
#'   `"images"`: arguments of [plot_images()]; `dim` is required.
#' @return `autoplot()`: a `ggplot` object. `plot()`: the fit, invisibly.
#' @references D. Liang and J. Paisley (2015). Landmarking manifolds with Gaussian processes. *Proceedings of
#' the 32nd International Conference on Machine Learning*, PMLR 37, 466-474.
#'
#' L. van der Maaten (2014). Accelerating t-SNE using tree-based algorithms. *Journal of Machine Learning
#' Research* 15, 3221-3245.
#' @seealso [theme_landmarks()], [plot.landmark_graph()], [plot.landmark_embedding()].
#' @examples
#' set.seed(1)
#' x <- sim_spiral(600)
#' fit <- landmarks(x, 15, bandwidth = 0.3)
#' plot(fit, x)
#' plot(fit, type = "error")
#' plot(fit, x, type = "surface")
#'
#' fit <- landmarks(iris[1:4], 6)
#' plot(fit, iris[1:4], color = iris$Species)
#' plot(fit, type = "words", k = 4)
#' if (requireNamespace("Rtsne", quietly = TRUE)) {
#'   plot(fit, iris[1:4], type = "map", color = iris$Species)
#' }
#' @export
plot.landmarks <- function(x, ...) print_picture(x, ...)

#' @rdname plot.landmarks
#' @exportS3Method ggplot2::autoplot
autoplot.landmarks <- function(object, data = NULL, type = NULL, color = NULL, max_points = NULL,
                               labels = NULL, perplexity = NULL, values = NULL, ...) {
  check_object(object, "landmarks", "object")
  types <- c("landmarks", "map", "variance", "error", "surface", "words", "images", "fit", "relevance")
  type <- check_choice(type %||% if (is.null(values)) "landmarks" else "surface", types, "type")
  call <- rlang::current_env()
  if (!is.null(values) && type != "surface") abort_other_type("values", "surface", type, call)
  legend <- color_name(substitute(color))
  given_color(color)
  if (type == "words") return(autoplot_words(object, ...))
  if (type == "images") {
    return(with_call(plot_images(object, ..., data = data, labels = labels %||% FALSE), call, replace = TRUE))
  }
  check_dots(...)
  if (type %in% c("variance", "error", "fit", "relevance")) {
    check_drawable(object, type)
    return(switch(type,
      variance = order_picture(object$variance, "posterior variance given preceding landmarks"),
      error = order_picture(1 - object$explained, "approximation error"),
      fit = response_picture(object),
      relevance = relevance_picture(object)
    ))
  }
  labels <- are_numbered(labels, nrow(object$landmarks))
  if (type == "surface") check_surface(object, values, color, call)
  rows <- shown_data(object, data, color, type, max_points)
  plane <- in_plane(object, rows$data, type, perplexity, call)
  if (type == "surface") return(surface_picture(object, plane, labels, values, compute_with(call)))
  landmarks_picture(plane, rows, labels, legend)
}

# Data and landmarks in a plane. `rows`: the color of the rows and the title, see shown_data(). Many landmarks
# have colors by their order, except among groups.
landmarks_picture <- function(plane, rows, labels, legend) {
  n <- nrow(plane$landmarks)
  plain <- if (is.null(rows$color)) landmark_color else "black"
  order <- if (is.null(rows$color) && !labels && n > most_numbered) seq_len(n)
  plane_picture(plane, rows$title, if (is.null(order)) legend else "order") +
    points_layer(plane$data, rows$color) +
    marks_layer(plane$landmarks, labels, plain, order)
}

# ---- the rows that are drawn ---------------------------------------------------------

# The rows to draw of `data`, checked, with their color, and the title. `data`: of the user, or NULL for the
# landmarks alone.
shown_data <- function(fit, data, color, type, max_points, call = rlang::caller_env()) {
  max_points <- check_count(max_points %||% if (type == "map") 1500 else 5000, "max_points", call = call)
  title <- how_many(nrow(fit$landmarks), "landmark")
  if (is.null(data)) {
    check_that(type != "map" && is.null(color), data, "data",
      "given with {.code type = \"map\"} or {.arg color}", "data", call,
      found = "Fits do not store their data."
    )
    return(only_points(title, ncol(fit$landmarks)))
  }
  input <- forge(fit, data, "data", call)
  drawn <- kept_rows(input$omitted, nrow(input$x))
  # A value for each row that is drawn, or for all rows of the user's data.
  if (!is.null(color) && NROW(color) != length(drawn)) {
    check_color(color, nrow(data), "row{?s} of `data`", call)
    color <- color[drawn]
  }
  rows_drawn(input$x, color, title, "data", max_points, call)
}

# What is drawn of points without rows.
only_points <- function(title, columns) {
  if (columns > 2) title <- paste0(title, ", on their principal components")
  list(data = NULL, color = NULL, title = title)
}

# At most `max_points` of the rows, evenly spaced, with their colors; `arg`: the name of the rows.
rows_drawn <- function(data, color, title, arg, max_points, call) {
  check_finite(data, arg, call)
  color <- check_color(color, nrow(data), paste0("row{?s} of `", arg, "`"), call)
  if (nrow(data) > max_points) {
    rows <- unique(round(seq(1, nrow(data), length.out = max_points)))
    few <- format(length(rows), big.mark = big_mark(), scientific = FALSE)
    title <- paste0(title, ", ", few, " of ", how_many(nrow(data), "row"))
    data <- data[rows, , drop = FALSE]
    color <- color[rows]
  }
  list(data = data, color = color, title = title)
}

# ---- surfaces ------------------------------------------------------------------------

check_surface <- function(fit, values, color, call) {
  check_that(is.null(color), color, "color", "NULL with {.code type = \"surface\"}", call = call)
  n <- nrow(fit$landmarks)
  if (ncol(fit$landmarks) != 2) {
    rule <- "{.code type = \"surface\"} needs landmarks in two columns."
    abort_input(c(rule, x = "This fit has {ncol(fit$landmarks)} column{?s}."), "type", "columns", call)
  }
  check_that(is.null(values) || (NROW(values) == n && NCOL(values) == 1), values, "values",
    "have one number for each of the {n} landmark{?s}", call = call
  )
  check_known_values(values, if (is.null(values)) "variance" else "mean", n, call)
}

# Rows and landmarks above a surface over the plane of two columns: the variance that landmarks leave in the
# process with the Gaussian kernel, or the mean of that process given its `values` at the landmarks.
surface_picture <- function(fit, plane, labels, values, control) {
  box <- apply(rbind(plane$data, plane$landmarks), 2, range)
  margin <- 0.15 * (box[2, ] - box[1, ])
  margin[margin == 0] <- max(margin, 1)
  grid <- point_grid(box + rbind(-margin, margin), 150, plane$equal)
  tiles <- cell_centers(grid)
  at <- unname(as.matrix(tiles))
  if (!is.null(fit$ranks)) at <- scores_of_ranks(at, fit$ranks)
  new <- lay_out(at, NULL, fit$center, fit$factor)
  of_variance <- is.null(values)
  tiles$value <- if (of_variance) {
    variance_of_kernel(fit, new, fit_kernel(fit), control)
  } else {
    mean_of_kernel(fit, cbind(as.double(values)), new, fit_kernel(fit), control)[, 1]
  }
  what <- if (of_variance) "Posterior variance given" else "Posterior mean given values at"
  title <- paste(what, how_many(nrow(fit$landmarks), "landmark"))
  rows <- data.frame(a = plane$data[, 1], b = plane$data[, 2])
  plane_picture(plane, title, if (of_variance) "variance" else "mean") +
    tiles_layer(tiles, grid$cell) + color_scale(tiles$value) +
    # White dots with a dark ring stand out from any color below.
    ggplot2::geom_point(
      data = rows, shape = 21, fill = "white", color = "gray20", size = point_size(rows), stroke = 0.25
    ) +
    marks_layer(plane$landmarks, labels) +
    # 0 is what the mean is far from all landmarks.
    ggplot2::expand_limits(color = if (of_variance) 0:1 else c(0, values))
}

# ---- codebooks -----------------------------------------------------------------------

#' Plot a codebook
#'
#' `autoplot()` draws frames and codewords, on the two columns of the frames or on their first two principal
#' components, as [plot.landmarks()] does for a fit. `plot()` prints the plot. Codewords are numbered as in
#' [coef()][codebook]. If columns are pixels, `plot_images(coef(book), dim)` draws the codewords as images.
#'
#' @param x,object An object of class `codebook`.
#' @param frames Frames to draw, as in [codebook()]. Default `NULL`: only the codewords are drawn; if there
#'   are more than two columns, on the principal components of the codewords.
#' @param color A value for each row of `frames`, see [plot.landmarks()].
#' @param max_points Maximum number of frames to draw, default 5000. If there are more, an evenly spaced
#'   subset is drawn.
#' @param labels Whether to number the codewords. Default `NULL`: up to 100 codewords.
#' @param ... `plot()`: arguments of `autoplot()`. Otherwise not used; an argument here is an error.
#' @return `autoplot()`: a `ggplot` object. `plot()`: the codebook, invisibly.
#' @section Errors:
#' Class `landmarker_error_input`, of kind `codebook`, `data`, `columns`, `missing` or `dots`; see
#' [landmarker-conditions].
#' @seealso [codebook()], [theme_landmarks()]
#' @examples
#' book <- codebook(iris[1:4], size = 5)
#' plot(book, iris[1:4], color = iris$Species)
#' @export
plot.codebook <- function(x, ...) print_picture(x, ...)

#' @rdname plot.codebook
#' @exportS3Method ggplot2::autoplot
autoplot.codebook <- function(object, frames = NULL, color = NULL, max_points = NULL, labels = NULL, ...) {
  check_object(object, "codebook", "object")
  check_dots(...)
  call <- rlang::current_env()
  legend <- color_name(substitute(color))
  labels <- are_numbered(labels, nrow(object$centers))
  max_points <- check_count(max_points %||% 5000, "max_points")
  title <- how_many(nrow(object$centers), "codeword")
  check_that(is.null(color) || !is.null(frames), frames, "frames", "given with {.arg color}", "data")
  rows <- if (is.null(frames)) {
    only_points(title, ncol(object$centers))
  } else {
    frames <- codebook_frames(object, frames, call)
    rows_drawn(frames, color, title, "frames", max_points, call)
  }
  # The parts that make the plane of a fit.
  points <- c(list(landmarks = object$centers), object[c("center", "factor", "scaled")])
  landmarks_picture(in_plane(points, rows$data, "landmarks", call = call), rows, labels, legend)
}
