#' Plot a codebook
#'
#' `autoplot()` draws frames and codewords, on the two columns of the frames or on their first two principal
#' components, as [plot.landmarks()] does for a fit. `plot()` prints the plot. Codewords are numbered as in
#' [coef()][codebook]. If columns are pixels, `plot_images(coef(book), dim)` draws the codewords as images.
#'
#' @param x,object An object of class `codebook`.
#' @param frames Frames to draw, as in [codebook()]. Default `NULL`: only the codewords, for more than two
#'   columns on their own principal components.
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
  if (is.null(frames) && !is.null(color)) {
    abort_input(c("{.arg frames} must be given with {.arg color}, which has a value for each frame.",
      x = "{.arg frames} is NULL."
    ), arg = "frames", kind = "data", call = call)
  }
  rows <- if (is.null(frames)) {
    only_points(title, ncol(object$centers))
  } else {
    frames <- codebook_frames(object, frames, call)
    # An error where the columns are others.
    codebook_source(object, frames, call)
    rows_drawn(frames, color, title, "frames", max_points, call)
  }
  # The parts that make the plane of a fit.
  points <- list(
    landmarks = object$centers, center = object$center, factor = object$factor, scaled = object$scaled
  )
  landmarks_picture(in_plane(points, rows$data, "landmarks", call = call), rows, labels, legend)
}
