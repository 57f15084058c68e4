#' Plots of landmarks
#'
#' `autoplot()` makes a picture of a fit with \pkg{ggplot2}, in one of eight ways, set by `type`. `plot()`
#' prints it. Change it as any other, `ggplot2::autoplot(fit, x) + ggplot2::labs(title = "Circles")`.
#'
#' * `"landmarks"`, the default: data and landmarks in two dimensions, the two columns of the data, or for
#'   more columns the first two principal components. The axes say how much of the variance each component
#'   has. Up to 100 landmarks have numbers, their order. Where there is no room for a number inside of its
#'   landmark, it stands beside, and it is left out where it would cover others. More landmarks have colors
#'   by order, except among groups. Numbers beside landmarks have more room where package \pkg{ggrepel} is
#'   installed.
#' * `"map"`: data and landmarks on a t-SNE map (van der Maaten, 2014), as Figure 3 of Liang and Paisley
#'   (2015). It shows what is near to what where two principal components are too few.
#' * `"variance"`: the variance of Liang and Paisley's process at each landmark given the landmarks before it,
#'   on a logarithmic axis, and the share of the trace of the kernel matrix that the landmarks so far explain
#'   (see [print.landmarks]). Not of a fit by [by_response()], whose landmarks have another aim.
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
#' * `"relevance"`: up to 30 columns on which distances depend most, see `tidy(fit, "columns")`.
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
#' @param type `"landmarks"` (the default), `"map"`, `"variance"`, `"surface"` (the default where `values` are
#'   given), `"words"`, `"images"`, `"fit"` or `"relevance"`.
#' @param color A value for each row of `data`. Factors, strings, logicals, and whole numbers of at
#'   most twelve different values are groups, each with its color; those of ordered factors go from dark to
#'   light. Up to seven groups have a legend beside the data. With more, shapes differ too, and names stand on
#'   the groups. Other numbers, dates and times have a bar of colors. NA is gray.
#' @param max_points The largest number of rows to draw. Of more rows, evenly spaced ones are drawn. Default
#'   5000, and 1500 for a map, whose time grows faster than its rows.
#' @param labels Whether to number the landmarks. Default `NULL`: up to 100 landmarks.
#' @param perplexity For `type = "map"`: the effective number of neighbors of a row, a number from 2 to a
#'   third of the number of other points (rows and landmarks). Default 30, which is usual, or the largest
#'   whole number allowed where that is smaller.
#' @param legend Title of the legend, a string. Default `NULL`: the name in `color`, `Species` for
#'   `color = iris$Species`, and for a surface `variance` or `mean`. `""` gives none.
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
                               labels = NULL, perplexity = NULL, legend = NULL, values = NULL, ...) {
  check_object(object, "landmarks", "object")
  type <- check_picture(type %||% if (!is.null(values)) "surface")
  check_values_of(type, values)
  title <- check_legend(legend, substitute(color))
  if (is.null(legend) && type == "surface") title <- NULL
  if (type == "words") return(autoplot_words(object, ...))
  if (type == "images") return(autoplot_images(object, ..., data = data, labels = labels %||% FALSE))
  check_dots(...)
  if (type %in% c("variance", "fit", "relevance")) {
    check_drawable(object, type)
    return(switch(type,
      variance = variance_picture(object), fit = response_picture(object),
      relevance = relevance_picture(object)
    ))
  }
  ggplot_plane(picture_of_points(object, data, type, color, max_points, perplexity, labels, title, values))
}

check_picture <- function(type, call = rlang::caller_env()) {
  types <- c("landmarks", "map", "variance", "surface", "words", "images", "fit", "relevance")
  check_choice(type %||% "landmarks", types, "type", call)
}

# The picture of data and landmarks, by itself or above a surface.
picture_of_points <- function(fit, data, type, color, max_points, perplexity, labels, title, values,
                              call = rlang::caller_env()) {
  labels <- are_numbered(labels, nrow(fit$landmarks), call)
  known <- if (type == "surface") check_surface(fit, values, color, call)
  shown <- shown_data(fit, data, color, type, max_points, call)
  plane <- in_plane(fit, shown$data, type, perplexity, call)
  picture <- picture_of_plane(plane, shown, labels, title)
  if (type == "surface") above_surface(picture, fit, known, title, compute_with(call)) else picture
}

# An error where values are given to another picture than a surface.
check_values_of <- function(type, values, call = rlang::caller_env()) {
  if (is.null(values) || type == "surface") return(invisible())
  abort_other_type("values", "surface", type, call)
}

# The picture of data and landmarks. `shown`: the color of the rows and the title, see shown_data().
picture_of_plane <- function(plane, shown, labels, title) {
  color <- shown$color
  n <- nrow(plane$landmarks)
  alone <- color$kind == "none"
  by_order <- alone && !labels && n > most_numbered
  by <- if (by_order) color_of_order(n) else list(kind = "none")
  list(
    layers = list(
      layer_points(plane$data, color),
      layer_marks(plane$landmarks, labels, by,
        plain = if (alone) landmark_color else "black", size = if (!labels && n <= most_numbered) 1.3,
        named = names_on_groups(plane$data, color)
      )
    ),
    box = plane_box(plane), axes = plane$names, title = shown$title,
    # Equal units, because the kernel depends on distances only.
    equal = plane$equal, flat = !nzchar(plane$names[2]),
    scale = list(color = if (by_order) by else color, title = if (by_order) "order" else title)
  )
}
