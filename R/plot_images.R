#' Plot landmarks as images
#'
#' `plot_images()` draws landmarks, or rows of a matrix, as images, in order from left to right and top to
#' bottom. `autoplot(fit, type = "images", dim = )` gives the same plot.
#'
#' Landmarks of [by_response()] are trained to predict, so their images exaggerate differences between
#' classes. A caption states this.
#'
#' @param x An object of class `landmarks`, or a numeric matrix with one image per row.
#' @param dim Height and width in pixels, for example `c(28, 28)`.
#' @param which Indices of the rows to draw. Default all.
#' @param byrow Whether images are stored row by row, as in idx files (`TRUE`, the default), or column by
#'   column, as R stores matrices.
#' @param columns Number of images per row of the plot. By default the plot is approximately square.
#' @param labels A label for each image, `TRUE` for numbers, or `FALSE` (default).
#' @param range Values drawn as the lowest and the highest color. Default: the range of all images drawn.
#' @param col Colors from low to high. Default `NULL`: white to black if most of the border of the images has
#'   the lowest value (ink on paper), and black to white otherwise (photographs).
#' @param nearest For a fit: number of nearest rows of `data` to draw below each landmark. Default 0.
#' @param data For `nearest`: the data that the landmarks were learned from.
#' @param ... Not used; an argument here is an error.
#' @return A `ggplot` object.
#' @examples
#' plot_images(digits$images[1:20, ], dim = c(28, 28))
#' pixels <- digits$images[1:500, ] / 255
#' fit <- landmarks(pixels, 8, space = "nonnegative")
#' plot_images(fit, c(28, 28), nearest = 3, data = pixels)
#' @export
plot_images <- function(x, dim, which = NULL, byrow = TRUE, columns = NULL, labels = FALSE,
                        range = NULL, col = NULL, nearest = 0, data = NULL, ...) {
  call <- rlang::current_env()
  check_dots(...)
  check_given(x, "x")
  check_given(dim, "dim")
  of_fit <- inherits(x, "landmarks")
  if (of_fit) check_object(x, "landmarks", "x")
  images <- if (of_fit) landmarks_in_units(x) else x
  check_images(images, dim, call)
  which <- which %||% seq_len(nrow(images))
  check_that(is.numeric(which) && length(which) && all(which %in% seq_len(nrow(images))), which, "which",
    paste("integers from 1 to", nrow(images))
  )
  check_flag(byrow, "byrow")
  images <- images[which, , drop = FALSE]
  check_finite(images, "x", call)
  page <- grDevices::gray(0:255 / 255)
  col <- col %||% if (is_ink(images, dim, byrow)) rev(page) else page
  n <- nrow(images)
  check_shades(range, col, labels, n, call)
  check_count(nearest, "nearest", min = 0)
  # Lines of about as many landmarks each, in a picture that is about square.
  about <- min(n, ceiling(sqrt(n * (nearest + 1) * dim[1] / dim[2])))
  if (nearest > 0) about <- ceiling(n / ceiling(n / about))
  columns <- min(n, check_count(columns %||% about, "columns"))
  if (nearest > 0) images <- rbind(images, nearest_images(x, which, nearest, data, call))
  label <- character(nrow(images))
  if (!identical(labels, FALSE)) label[seq_len(n)] <- as.character(if (isTRUE(labels)) which else labels)
  frames <- image_frames(n, columns, dim[1] / dim[2], label)
  border <- if (nearest > 0) rep(c("gray25", "gray85"), c(n, n * nearest)) else "gray85"
  # `range` has the values of the first and the last color.
  ends <- range %||% base::range(images)
  share <- pmin(pmax((images - ends[1]) / (if (ends[1] < ends[2]) ends[2] - ends[1] else 1), 0), 1)
  shades <- matrix(col[1 + floor(share * (length(col) - 1e-9))], nrow(images))
  rasters <- lapply(seq_len(nrow(images)), function(i) {
    picture <- grDevices::as.raster(matrix(shades[i, ], dim[1], dim[2], byrow = byrow))
    with(frames[i, ], ggplot2::annotation_raster(picture, left, left + 1, bottom, top))
  })
  none <- ggplot2::element_blank()
  edges <- ggplot2::aes(xmin = .data$left, xmax = .data$left + 1, ymin = .data$bottom, ymax = .data$top)
  place <- ggplot2::aes(.data$left + 0.5, .data$top + 0.1 * dim[1] / dim[2], label = .data$label)
  ggplot2::ggplot(frames, ggplot2::aes(.data$left, .data$top)) +
    rasters +
    ggplot2::geom_rect(edges, fill = NA, color = border, linewidth = 0.25) +
    ggplot2::geom_text(place, size = 2.8) +
    ggplot2::coord_equal(expand = FALSE, clip = "off") +
    # Landmarks that predict leave the rows: their images would look wrong.
    ggplot2::labs(caption = if (of_fit && !is.null(x$response)) {
      "Supervised landmarks exaggerate differences between responses."
    }) +
    theme_landmarks() +
    ggplot2::theme(axis.text = none, axis.title = none, axis.ticks = none, axis.line = none)
}

# Whether images are ink on an empty page: most pixels at their borders have nearly the lowest value.
is_ink <- function(images, dim, byrow) {
  pixel <- matrix(seq_len(prod(dim)), dim[1], dim[2], byrow = byrow)
  border <- images[, unique(c(pixel[c(1, dim[1]), ], pixel[, c(1, dim[2])]))]
  ends <- range(images)
  mean(border <= ends[1] + 0.05 * diff(ends)) > 0.5
}

# An error unless there are images in rows, and `dim` is their size.
check_images <- function(x, dim, call) {
  check_that(is.matrix(x) && (is.numeric(x) || is.logical(x)) && nrow(x) > 0, x, "x",
    "an object of class {.cls landmarks} or a numeric matrix with one image per row", "data", call
  )
  side <- sqrt(ncol(x))
  whole <- is.numeric(dim) && length(dim) == 2 && all(dim %in% seq_len(ncol(x)))
  check_that(whole && prod(dim) == ncol(x), dim, "dim",
    paste("height and width, two integers with the product", ncol(x)),
    call = call, remedy = if (side == trunc(side)) "For square images use {.code dim = c({side}, {side})}."
  )
}

# The edges of each image in a plane in which they are one unit wide, with gaps. Images beyond the first n
# belong to these: the nearest rows of each, then the second nearest. They stand below them.
image_frames <- function(n, columns, height, label) {
  gap <- 0.06
  first <- rep_len(seq_len(n), length(label)) - 1
  below <- (seq_along(label) - 1) %/% n
  line <- (first %/% columns) * (max(below) + 1) + below + 1
  # Only lines with labels have room for them.
  bottom <- -cumsum(height + gap + 0.2 * height * tapply(nzchar(label), line, any))
  top <- unname(bottom[line]) + gap + height
  data.frame(left = first %% columns * (1 + gap), top = top, bottom = top - height, label = label)
}

# The images of the rows nearest to some landmarks: the nearest of all, then the second nearest, and so on.
nearest_images <- function(fit, which, nearest, data, call) {
  check_that(inherits(fit, "landmarks"), fit, "x", "a fit if {.arg nearest} is above 0", call = call)
  check_that(!is.null(data), data, "data", "given if {.arg nearest} is above 0", "data", call,
    found = "Fits do not store their data."
  )
  rows <- forge(fit, data, "data", call)$x
  source <- new_source(rows, fit$center, fit$factor, "data", call)
  check_count(nearest, "nearest", max = nrow(rows), call = call)
  found <- nearest_rows(source, fit$landmarks[which, , drop = FALSE], nearest, compute_with(call))
  below <- as.matrix(rows[as.vector(t(found$observation)), , drop = FALSE])
  if (is.null(fit$ranks)) below else values_of_ranks(below, fit$ranks)
}

check_shades <- function(range, col, labels, n, call) {
  of_numbers <- is.numeric(range) && length(range) == 2 && all(is.finite(range)) && !is.unsorted(range)
  check_that(is.null(range) || of_numbers, range, "range", "two finite numbers, the lower first", call = call)
  known <- length(col) > 0 && is.atomic(col) && !is.null(try_default(grDevices::col2rgb(col), NULL))
  check_that(known, col, "col", "one or more valid colors", call = call)
  check_that(rlang::is_bool(labels) || (is.atomic(labels) && length(labels) == n), labels, "labels",
    "TRUE, FALSE, or a vector with one label for each of the {n} image{?s}", call = call
  )
}
