#' Plots of a codebook
#'
#' `autoplot()` draws frames and codewords in two dimensions: the two columns of the frames, or for more
#' columns their first two principal components, as [plot.landmarks()] draws data and landmarks. `plot()`
#' prints the same picture. Codewords are numbered as in [coef()][codebook]: number 3 is `W3`.
#'
#' Codewords whose columns are pixels can be drawn as images, by `plot_images(coef(book), dim)`.
#'
#' @param x,object An object of class `codebook`.
#' @param frames The frames to draw, with the columns of the codebook: as in [codebook()]. Default `NULL`:
#'   only the codewords are drawn, for more than two columns on their own principal components.
#' @param color A value for each row of `frames`, such as its song: see [plot.landmarks()].
#' @param max_points The largest number of frames to draw, 5000 by default. Of more frames, evenly spaced ones
#'   are drawn.
#' @param labels Whether to number the codewords. Default `NULL`: up to 100 codewords.
#' @param legend Title of the legend, a string. Default `NULL`: the name in `color`. `""` gives none.
#' @param ... `plot()`: the arguments of `autoplot()`. Otherwise an argument here is an error.
#' @return `autoplot()`: an object of class `ggplot`. `plot()`: the codebook, invisibly.
#' @section Errors:
#' All are of class `landmarker_error_input`, and of kind `codebook`, `data`, `columns`, `missing` or `dots`.
#' See [landmarker-conditions].
#' @seealso [codebook()], [theme_landmarks()]
#' @examples
#' book <- codebook(iris[1:4], size = 5)
#' plot(book, iris[1:4], color = iris$Species)
#' @export
plot.codebook <- function(x, ...) print_picture(x, ...)

#' @rdname plot.codebook
#' @exportS3Method ggplot2::autoplot
autoplot.codebook <- function(object, frames = NULL, color = NULL, max_points = NULL, labels = NULL,
                              legend = NULL, ...) {
  check_object(object, "codebook", "object")
  check_dots(...)
  title <- check_legend(legend, substitute(color))
  ggplot_plane(codebook_picture(object, frames, color, max_points, labels, title))
}

codebook_picture <- function(book, frames, color, max_points, labels, title, call = rlang::caller_env()) {
  labels <- are_numbered(labels, nrow(book$centers), call)
  max_points <- check_count(max_points %||% 5000, "max_points", call = call)
  named <- how_many(nrow(book$centers), "codeword")
  if (is.null(frames) && !is.null(color)) {
    abort_input(c("{.arg frames} must be given with {.arg color}, which has a value for each frame.",
      x = "{.arg frames} is NULL."
    ), arg = "frames", kind = "data", call = call)
  }
  shown <- if (is.null(frames)) {
    only_points(named, ncol(book$centers))
  } else {
    frames <- codebook_frames(book, frames, call)
    # An error where the columns are others.
    codebook_source(book, frames, call)
    rows_drawn(frames, color, named, "frames", FALSE, max_points, call)
  }
  # What the plane of a fit is made of.
  points <- list(
    landmarks = book$centers, center = book$center, factor = book$factor, scaled = book$scaled
  )
  picture_of_plane(in_plane(points, shown$data, "landmarks"), shown, labels, title)
}
