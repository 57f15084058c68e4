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
                        range = NULL, col = NULL, nearest = 0, data = NULL,
                        ...) {
  call <- rlang::current_env()
  check_dots(...)
  check_given(x, "x")
  if (inherits(x, "landmarks")) check_object(x, "landmarks", "x")
  images <- if (inherits(x, "landmarks")) landmarks_in_units(x) else x
  check_images(images, dim, call)
  which <- which %||% seq_len(nrow(images))
  if (!is.numeric(which) || length(which) == 0 || anyNA(which) ||
    any(which < 1 | which > nrow(images) | which != trunc(which))) {
    abort_input(
      c("{.arg which} must be integers from 1 to {nrow(images)}.", x = "It is {describe(which)}."),
      arg = "which"
    )
  }
  check_flag(byrow, "byrow")
  images <- images[which, , drop = FALSE]
  check_finite(images, "x", call)
  page <- grDevices::gray(0:255 / 255)
  col <- col %||% if (is_ink(images, dim, byrow)) rev(page) else page
  check_shades(range, col, labels, length(which))
  check_count(nearest, "nearest", min = 0)
  n <- nrow(images)
  if (is.null(columns)) {
    columns <- min(n, ceiling(sqrt(n * (nearest + 1) * dim[1] / dim[2])))
    # Lines of about as many landmarks each.
    if (nearest > 0) columns <- ceiling(n / ceiling(n / columns))
  } else {
    columns <- min(n, check_count(columns, "columns"))
  }
  if (nearest > 0) images <- rbind(images, nearest_images(x, which, nearest, data, call))
  label <- character(nrow(images))
  if (!identical(labels, FALSE)) label[seq_len(n)] <- as.character(if (isTRUE(labels)) which else labels)
  frames <- image_frames(n, columns, dim[1] / dim[2], label)
  frames$border <- if (nearest > 0) rep(c("gray25", "gray85"), c(n, n * nearest)) else "gray85"
  ends <- range %||% base::range(images)
  share <- (images - ends[1]) / (if (ends[1] < ends[2]) ends[2] - ends[1] else 1)
  shades <- matrix(col[1 + floor(pmin(pmax(share, 0), 1) * (length(col) - 1e-9))], nrow(images))
  rasters <- lapply(seq_len(nrow(images)), function(i) {
    picture <- grDevices::as.raster(matrix(shades[i, ], dim[1], dim[2], byrow = byrow))
    with(frames[i, ], ggplot2::annotation_raster(picture, left, left + 1, top - height, top))
  })
  none <- ggplot2::element_blank()
  ggplot2::ggplot(frames, ggplot2::aes(.data$left, .data$top)) +
    rasters +
    ggplot2::geom_rect(
      ggplot2::aes(
        xmin = .data$left, xmax = .data$left + 1, ymin = .data$top - .data$height, ymax = .data$top
      ),
      fill = NA, color = frames$border, linewidth = 0.25
    ) +
    ggplot2::geom_text(
      ggplot2::aes(.data$left + 0.5, .data$top + 0.1 * .data$height, label = .data$label), size = 2.8
    ) +
    ggplot2::coord_equal(expand = FALSE, clip = "off") +
    ggplot2::labs(
      # Landmarks that predict leave the rows: their images would look wrong.
      caption = if (inherits(x, "landmarks") && !is.null(x$response)) {
        "Supervised landmarks exaggerate differences between responses."
      }
    ) +
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
  if (!is.matrix(x) || !(is.numeric(x) || is.logical(x)) || nrow(x) == 0) {
    abort_input(c(
      "{.arg x} must be an object of class {.cls landmarks} or a numeric matrix with one image per row.",
      x = "It is {describe(x)}."
    ), arg = "x", kind = "data", call = call)
  }
  if (missing(dim) || !is.numeric(dim) || length(dim) != 2 || anyNA(dim) ||
    any(dim < 1 | dim != trunc(dim)) || prod(dim) != ncol(x)) {
    found <- if (missing(dim)) {
      "missing"
    } else if (is.numeric(dim) && length(dim) == 2) {
      paste(dim, collapse = " x ")
    } else {
      describe(dim)
    }
    side <- sqrt(ncol(x))
    abort_input(c(
      paste0(
        "{.arg dim} must be height and width, two integers whose product is the number of columns, ",
        "{ncol(x)}."
      ),
      x = "It is {found}.",
      i = if (side == trunc(side)) "For square images it is {.code dim = c({side}, {side})}."
    ), arg = "dim", call = call)
  }
}

# The left and upper edge of each image in a plane in which they are one unit wide, with gaps. Images beyond
# the first n belong to these: the nearest rows of each, then the second nearest. They stand below them.
image_frames <- function(n, columns, height, label) {
  gap <- 0.06
  first <- rep_len(seq_len(n), length(label)) - 1
  below <- (seq_along(label) - 1) %/% n
  line <- (first %/% columns) * (max(below) + 1) + below + 1
  # Only lines with labels have room for them.
  bottom <- -cumsum(height + gap + 0.2 * height * tapply(nzchar(label), line, any))
  data.frame(
    left = first %% columns * (1 + gap), top = unname(bottom[line]) + gap + height, height = height,
    label = label
  )
}

# The images of the rows nearest to some landmarks: the nearest of all, then the second nearest, and so on.
nearest_images <- function(fit, which, nearest, data, call) {
  if (!inherits(fit, "landmarks")) {
    abort_input(c(
      "{.arg nearest} needs a fit as {.arg x}.", x = "{.arg x} is {describe(fit)}."
    ), arg = "nearest", call = call)
  }
  if (is.null(data)) abort_no_data("with {.arg nearest}", call)
  rows <- forge(fit, data, "data", call)$x
  source <- new_source(rows, fit$center, fit$factor, "data", call)
  check_count(nearest, "nearest", max = nrow(rows), call = call)
  found <- nearest_rows(source, fit$landmarks[which, , drop = FALSE], nearest, compute_with(call))
  below <- as.matrix(rows[as.vector(t(found$observation)), , drop = FALSE])
  if (is.null(fit$ranks)) below else values_of_ranks(below, fit$ranks)
}

check_shades <- function(range, col, labels, n, call = rlang::caller_env()) {
  if (!is.null(range) &&
    (!is.numeric(range) || length(range) != 2 || !all(is.finite(range)) || range[1] > range[2])) {
    abort_input(c(
      "{.arg range} must be two finite numbers, the lower first.",
      x = "It is {describe(range)}."
    ), arg = "range", call = call)
  }
  known <- length(col) > 0 && is.atomic(col) && !(is.numeric(col) && any(abs(col) > 1e6, na.rm = TRUE))
  known <- known && !inherits(try(grDevices::col2rgb(col), silent = TRUE), "try-error")
  if (!known) {
    abort_input(c("{.arg col} must be at least one color that R knows.", x = "It is {describe(col)}."),
      arg = "col", call = call
    )
  }
  if (!is_flag(labels) && (!is.atomic(labels) || length(labels) != n)) {
    abort_input(c(
      "{.arg labels} must be TRUE, FALSE, or one label for each of {n} image{?s}.",
      x = "It is {describe(labels)}."
    ), arg = "labels", call = call)
  }
}
