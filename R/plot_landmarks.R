#' Plots of landmarks
#'
#' `autoplot()` makes a picture of a fit with \pkg{ggplot2}, in one of nine ways, set by `type`. `plot()`
#' prints it. Change it as any other, `ggplot2::autoplot(fit, x) + ggplot2::labs(title = "Circles")`.
#'
#' * `"landmarks"`, the default: data and landmarks in two dimensions, the two columns of the data, or for
#'   more columns the first two principal components. The axes say how much of the variance each component
#'   has. Up to 100 landmarks have numbers, their order. Numbers that would cover others are moved by
#'   package \pkg{ggrepel}, or without it left out. More landmarks have colors by order, except among groups.
#' * `"map"`: data and landmarks on a t-SNE map (van der Maaten, 2014), as Figure 3 of Liang and Paisley
#'   (2015). It shows what is near to what where two principal components are too few.
#' * `"variance"`: the variance of Liang and Paisley's process at each landmark given the landmarks before it,
#'   on a logarithmic axis.
#' * `"error"`: the share of the trace of the kernel matrix that the first landmarks leave unexplained, the
#'   error of their approximation in the trace norm, on a logarithmic axis (see [print.landmarks]). Neither is
#'   drawn of a fit by [by_response()], whose landmarks have another aim.
#' * `"words"`: the top columns of each landmark as bars, by [top_features()]: the words of topics, or the
#'   columns in which a landmark deviates most from the mean. All bars have one scale, shown below them.
#' * `"images"`: landmarks whose columns are pixels as images, by [plot_images()].
#' * `"fit"`, of a fit by [by_response()]: how well held-out rows are predicted. Of numbers, what was observed
#'   against the prediction. Of classes and tags, the observed share among rows of about the same predicted
#'   probability, with the range of 95% that it would have if the probabilities were right.
#' * `"surface"`, for landmarks in two columns: the variance that they leave in the process with the Gaussian
#'   kernel, from 0 at a landmark to 1 far away ([predict][predict.landmarks()] with `type = "variance"`), as
#'   colors over the plane. Given `values` at the landmarks, the mean of the process (`type = "mean"`), which
#'   is 0 far from all landmarks. Where 0 is no sensible value, subtract one that is, such as the mean, from
#'   `values`.
#' * `"relevance"`: the 30 columns on which distances depend most. Of a fit by [by_response()] that has
#'   learned no relevances, those with the largest `effect`, the mean change of the response over a standard
#'   deviation of the column; those of a factor's levels are added up. See `tidy(fit, "columns")`.
#'
#' The colors can be told apart with any kind of color vision. Both axes have the same unit length, because
#' the kernel depends on distances only, except for fits that scaled their columns. A fit does not keep its
#' data: without `data` only the landmarks are drawn, for more than two columns on their own principal
#' components.
#'
#' @section Errors:
#' All are of class `landmarker_error_input`, and of kind `data` (a map, or `color`, without `data`),
#' `columns`, `missing`, `dots` (an argument that the picture does not have) or `package`. See
#' [landmarker-conditions].
#'
#' @section Components and maps:
#' Principal components and their shares of the variance are those of the rows that are drawn, all with weight
#' 1, in the units of the kernel (after `scale`).
#'
#' A distance in the plane is at most that over all columns, and in many columns it is much shorter. A
#' landmark is on the data if it is as near to a row as rows are to each other (see [print.landmarks()]). This
#' spacing is counted over all columns and can be as wide as the whole cloud in the plane, so a landmark may
#' be on the data and yet stand outside the cloud.
#'
#' A t-SNE map shows which points are neighbors. Distances between groups and their sizes mean little. The
#' map uses the distances of the kernel, among all the rows shown and the landmarks, which are treated as
#' further rows. The neighbors are found exactly, and rows may be repeated. The map starts from R's random
#' numbers: the same seed gives the same map. It takes seconds for 1,500 rows and needs package Rtsne.
#'
#' @param x,object An object of class `landmarks`.
#' @param data For `type = "landmarks"`, `"map"` and `"surface"`: the data, with the columns that the fit was
#'   learned from. Sparse data are projected as they are; for a map the rows shown are made dense. Default
#'   `NULL`: only the landmarks are drawn.
#' @param type `"landmarks"` (the default), `"map"`, `"variance"`, `"error"`, `"surface"` (the default where
#'   `values` are given), `"words"`, `"images"`, `"fit"` or `"relevance"`.
#' @param color A value for each row of `data`. Factors, strings, logicals, and whole numbers of at
#'   most twelve different values are groups, each with its color; those of ordered factors go from dark to
#'   light. Other numbers, dates and times have a bar of colors. NA is gray. The title of the legend is the
#'   name in `color`, `Species` for `color = iris$Species`; change it by `ggplot2::labs(color = )`.
#' @param max_points The largest number of rows to draw. Of more rows, evenly spaced ones are drawn. Default
#'   5000, and 1500 for a map, whose time grows faster than its rows.
#' @param labels Whether to number the landmarks. Default `NULL`: up to 100 landmarks.
#' @param perplexity For `type = "map"`: the effective number of neighbors of a row, a number from 2 to a
#'   third of the number of other points (rows and landmarks). Default 30, which is usual, or the largest
#'   whole number allowed where that is smaller.
#' @param values For `type = "surface"`: a number for each landmark. Default NULL: the variance is drawn.
#' @param ... `plot()`: the arguments of `autoplot()`. For `"words"`: `k`, how many columns of each landmark
#'   (default 6), `by` as in [top_features()], and `which`, the numbers of the landmarks (default the first
#'   12). For `"images"`: `dim`, height and width in pixels, which must be given, and the other arguments of
#'   [plot_images()].
#' @return `autoplot()`: an object of class `ggplot`. `plot()`: the fit, invisibly.
#' @references van der Maaten, L. (2014). Accelerating t-SNE using Tree-Based Algorithms. *Journal of Machine
#' Learning Research*, 15, 3221--3245.
#' @seealso [theme_landmarks()], [plot.landmark_graph()], [plot.landmark_embedding()].
#' @examples
#' set.seed(1)
#' x <- sim_spiral(600)
#' fit <- landmarks(x, 15, bandwidth = 0.3)
#' plot(fit, x)
#' plot(fit, type = "variance")
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
  if (type == "words") return(autoplot_words(object, ...))
  if (type == "images") {
    return(with_call(plot_images(object, ..., data = data, labels = labels %||% FALSE), call, replace = TRUE))
  }
  check_dots(...)
  if (type %in% c("variance", "error", "fit", "relevance")) {
    check_drawable(object, type)
    return(switch(type,
      variance = order_picture(object$variance, "variance given those before it"),
      error = order_picture(1 - object$explained, "unexplained share of the kernel's trace"),
      fit = response_picture(object),
      relevance = relevance_picture(object)
    ))
  }
  labels <- are_numbered(labels, nrow(object$landmarks))
  if (type == "surface") check_surface(object, values, color)
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
    if (type == "map" || !is.null(color)) {
      abort_no_data(if (type == "map") "for a map" else "with {.arg color}", call)
    }
    return(only_points(title, ncol(fit$landmarks)))
  }
  input <- forge(fit, data, "data", call)
  drawn <- kept_rows(input$omitted, nrow(input$x))
  # A value for each row that is drawn, or for all rows of the user's data.
  if (!is.null(color) && NROW(color) != length(drawn)) {
    check_color(color, nrow(data), "row of `data`", call)
    color <- color[drawn]
  }
  rows_drawn(input$x, color, title, "data", max_points, call)
}

# What is drawn of points without rows.
only_points <- function(title, columns) {
  if (columns > 2) title <- paste0(title, ", on their own components")
  list(data = NULL, color = NULL, title = title)
}

# At most `max_points` of the rows, evenly spaced, with their colors; `arg`: the name of the rows.
rows_drawn <- function(data, color, title, arg, max_points, call) {
  check_finite(data, arg, call)
  color <- check_color(color, nrow(data), paste0("row of `", arg, "`"), call)
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

check_surface <- function(fit, values, color, call = rlang::caller_env()) {
  if (!is.null(color)) {
    abort_input(c(
      "{.arg color} is not for {.code type = \"surface\"}, whose colors are those of the surface.",
      x = "It is {describe(color)}.",
      i = "Leave it out, or draw {.code type = \"landmarks\"}."
    ), arg = "color", call = call)
  }
  if (ncol(fit$landmarks) != 2) {
    abort_input(c(
      "A surface ({.code type = \"surface\"}) needs landmarks in two columns.",
      x = "These have {ncol(fit$landmarks)}.",
      i = if (is.null(values)) {
        "{.code predict(fit, newdata, type = \"variance\")} has the variance at any place."
      } else {
        "{.code predict(fit, newdata, values = values)} has the mean at any place."
      }
    ), arg = "type", kind = "columns", call = call)
  }
  n <- nrow(fit$landmarks)
  if (!is.null(values) && (NROW(values) != n || NCOL(values) != 1)) {
    each <- if (n == 1) "one number" else "one number for each of the {n} landmarks"
    abort_input(c(
      paste0("{.arg values} must be ", each, "."),
      x = "It is {describe(values)}.",
      i = if (NCOL(values) > 1 && NROW(values) == n) "Draw one column at a time."
    ), arg = "values", call = call)
  }
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
  kernel <- fit_kernel(fit)
  if (is.null(values)) {
    tiles$value <- variance_of_kernel(fit, new, kernel, control)
  } else {
    tiles$value <- mean_of_kernel(fit, cbind(as.double(values)), new, kernel, control)[, 1]
  }
  what <- if (is.null(values)) "Variance given" else "Mean given values at"
  title <- paste(what, how_many(nrow(fit$landmarks), "landmark"))
  picture <- plane_picture(plane, title, if (is.null(values)) "variance" else "mean") +
    tiles_layer(tiles, grid$cell) + color_scale(tiles$value)
  if (nrow(plane$data)) {
    # White dots with a dark ring stand out from any color below.
    picture <- picture + ggplot2::geom_point(
      data = data.frame(a = plane$data[, 1], b = plane$data[, 2]), shape = 21, fill = "white",
      color = "gray20", size = if (nrow(plane$data) > 5000) 0.4 else 0.9, stroke = 0.25
    )
  }
  # 0 is what the mean is far from all landmarks.
  picture + marks_layer(plane$landmarks, labels) +
    ggplot2::expand_limits(color = if (is.null(values)) 0:1 else c(0, values))
}
