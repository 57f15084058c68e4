#' Plots of landmarks as images
#'
#' `plot_images()` draws each landmark, or each row of a matrix, as a small image, in order, row by row. Use
#' it for data whose columns are pixels. `autoplot(fit, type = "images", dim = )` is the same picture.
#'
#' Landmarks of [by_response()] serve to predict: their images exaggerate the strokes that tell one class from
#' another, and a caption says so.
#'
#' @param x An object of class `landmarks`, or a numeric matrix with an image in each row.
#' @param dim Height and width in pixels, for example `c(28, 28)`. Their product is the number of columns.
#' @param which Which rows to draw (default all).
#' @param byrow Whether a row of `x` holds its image row by row, as idx files do (`TRUE`, the default), or
#'   column by column, as R's matrices do.
#' @param columns How many images to draw side by side. The default makes the picture about square.
#' @param labels A label for each image, `TRUE` for their numbers, or `FALSE`, the default.
#' @param range The values drawn as lightest and darkest. The default is the range over all the images that
#'   are drawn.
#' @param col Colors from low to high: by default white to black.
#' @param nearest Of landmarks: how many of the rows nearest to each to draw below it, a whole number. Default
#'   0. Landmarks have a dark border then. They are means of many rows: the rows show what they stand for.
#' @param data With `nearest`: the data that the landmarks were learned from.
#' @return An object of class `ggplot`.
#' @examples
#' plot_images(digits$images[1:20, ], dim = c(28, 28))
#' pixels <- digits$images[1:500, ] / 255
#' fit <- landmarks(pixels, 8, space = "nonnegative")
#' plot_images(fit, c(28, 28), nearest = 3, data = pixels)
#' @export
plot_images <- function(x, dim, which = NULL, byrow = TRUE, columns = NULL, labels = FALSE,
                        range = NULL, col = grDevices::gray.colors(256, 1, 0), nearest = 0, data = NULL) {
  check_given(x, "x")
  if (inherits(x, "landmarks")) check_object(x, "landmarks", "x")
  settings <- image_settings(which, byrow, columns, labels, range, col, nearest, data)
  ggplot_images(images_to_draw(x, dim, settings, rlang::current_env()))
}

autoplot_images <- function(object, dim, ..., call = rlang::caller_env()) {
  ggplot_images(images_to_draw(object, dim, image_settings(...), call))
}

# How images are drawn: the arguments of plot_images() in a list. Further ones are an error.
image_settings <- function(which = NULL, byrow = TRUE, columns = NULL, labels = FALSE, range = NULL,
                           col = grDevices::gray.colors(256, 1, 0), nearest = 0, data = NULL, ...) {
  check_dots(..., .known = c("dim", names(formals())), call = rlang::caller_env(2))
  list(
    which = which, byrow = byrow, columns = columns, labels = labels, range = range, col = col,
    nearest = nearest, data = data
  )
}

# What is drawn, checked: images in rows, NA for an empty place, with their settings.
images_to_draw <- function(x, dim, settings, call) {
  images <- if (inherits(x, "landmarks")) landmarks_in_units(x) else x
  if (!is.matrix(images) || !(is.numeric(images) || is.logical(images)) || nrow(images) == 0) {
    abort_input(c(
      "{.arg x} must be an object of class {.cls landmarks} or a numeric matrix with an image a row.",
      x = "It is {describe(x)}."
    ), arg = "x", kind = "data", call = call)
  }
  if (missing(dim) || !is.numeric(dim) || length(dim) != 2 || anyNA(dim) ||
    any(dim < 1 | dim != trunc(dim)) || prod(dim) != ncol(images)) {
    given <- if (missing(dim)) {
      "missing"
    } else if (is.numeric(dim) && length(dim) == 2) {
      paste(dim, collapse = " x ")
    } else {
      describe(dim)
    }
    side <- sqrt(ncol(images))
    abort_input(c(
      paste0(
        "{.arg dim} must be height and width, two whole numbers whose product is the number of columns, ",
        "{ncol(images)}."
      ),
      x = "It is {given}.",
      i = if (side == trunc(side)) "For square images it is {.code dim = c({side}, {side})}."
    ), arg = "dim", call = call)
  }
  which <- settings$which %||% seq_len(nrow(images))
  if (!is.numeric(which) || length(which) == 0 || anyNA(which) ||
    any(which < 1 | which > nrow(images) | which != trunc(which))) {
    abort_input(
      c("{.arg which} must be whole numbers from 1 to {nrow(images)}.", x = "It is {describe(which)}."),
      arg = "which", call = call
    )
  }
  check_flag(settings$byrow, "byrow", call)
  check_shades(settings$range, settings$col, settings$labels, length(which), call)
  images <- images[which, , drop = FALSE]
  check_finite(images, "x", call)
  nearest <- check_count(settings$nearest, "nearest", min = 0, call = call)
  each <- nearest + 1
  columns <- if (is.null(settings$columns)) {
    ceiling(sqrt(nrow(images) * each * dim[1] / dim[2]))
  } else {
    check_count(settings$columns, "columns", call = call)
  }
  columns <- min(columns, nrow(images))
  # Lines of about as many landmarks each.
  if (nearest > 0 && is.null(settings$columns)) {
    columns <- ceiling(nrow(images) / ceiling(nrow(images) / columns))
  }
  labels <- if (isTRUE(settings$labels)) which else settings$labels
  first <- rep(TRUE, nrow(images))
  if (nearest > 0) {
    below <- nearest_images(x, which, nearest, settings$data, call)
    place <- places_below(nrow(images), nearest, columns)
    images <- rbind(images, below)[place, , drop = FALSE]
    first <- !is.na(place) & place <= length(first)
    if (!identical(labels, FALSE)) labels <- ifelse(first, as.character(labels)[place], "")
  }
  shades <- settings$range %||% range(images, na.rm = TRUE)
  if (shades[1] == shades[2]) shades[2] <- shades[1] + 1
  list(
    images = images, dim = dim, byrow = settings$byrow, columns = columns, range = shades,
    col = settings$col, labels = labels, caption = caption_of(x),
    border = ifelse(first & nearest > 0, "gray25", "gray85")
  )
}

# What is said below images that would look wrong: landmarks by the response leave the rows.
caption_of <- function(x) {
  if (!inherits(x, "landmarks") || is.null(x$response)) return(NULL)
  "Landmarks that predict exaggerate what tells responses apart."
}

# The images of the rows nearest to some landmarks: the nearest of all, then the second nearest, and so on.
nearest_images <- function(fit, which, nearest, data, call) {
  if (!inherits(fit, "landmarks")) {
    abort_input(c(
      "{.arg nearest} is for landmarks.", x = "{.arg x} is {describe(fit)}.",
      i = "Give a fit as {.arg x}, or leave {.arg nearest} out."
    ), arg = "nearest", call = call)
  }
  if (is.null(data)) abort_no_data("with {.arg nearest}", call)
  rows <- forge(fit, data, "data", call)$x
  source <- new_source(rows, fit$center, fit$factor, "data", call)
  nearest <- check_count(nearest, "nearest", max = nrow(rows), call = call)
  found <- nearest_rows(source, fit$landmarks[which, , drop = FALSE], nearest, compute_with(call))
  below <- as.matrix(rows[as.vector(t(found$observation)), , drop = FALSE])
  if (is.null(fit$ranks)) below else values_of_ranks(below, fit$ranks)
}

# The places of a picture of landmarks with their nearest rows below, in lines of so many `columns`: numbers
# of images among the landmarks and then `nearest` times as many rows; NA for an empty place.
places_below <- function(n, nearest, columns) {
  lines <- split(seq_len(n), (seq_len(n) - 1) %/% columns)
  unlist(lapply(lines, function(some) {
    some <- some[seq_len(columns)]
    as.vector(outer(some, n * (0:nearest), `+`))
  }), use.names = FALSE)
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

# All images in one plane, each one unit wide, with a gap between them.
ggplot_images <- function(shown) {
  n <- nrow(shown$images)
  named <- !identical(shown$labels, FALSE)
  height <- shown$dim[1] / shown$dim[2]
  gap <- 0.06
  line <- (seq_len(n) - 1) %/% shown$columns
  # Only lines with labels have room for them.
  has_labels <- if (named) tapply(nzchar(as.character(shown$labels)), line, any) else logical(max(line) + 1)
  bottom <- -cumsum(height + gap + 0.2 * height * has_labels)
  left <- (seq_len(n) - 1) %% shown$columns * (1 + gap)
  top <- bottom[line + 1] + gap + height
  there <- which(!is.na(shown$images[, 1]))
  frames <- data.frame(left = left, top = top, label = if (named) as.character(shown$labels) else "")
  level <- (pmin(pmax(shown$images, shown$range[1]), shown$range[2]) - shown$range[1]) / diff(shown$range)
  rasters <- lapply(there, function(i) {
    shade <- shown$col[1 + floor(level[i, ] * (length(shown$col) - 1e-9))]
    picture <- grDevices::as.raster(matrix(shade, shown$dim[1], shown$dim[2], byrow = shown$byrow))
    ggplot2::annotation_raster(picture, left[i], left[i] + 1, top[i] - height, top[i])
  })
  .data <- rlang::.data
  ggplot2::ggplot(frames[there, ], ggplot2::aes(.data$left, .data$top)) +
    rasters +
    ggplot2::geom_rect(
      ggplot2::aes(xmin = .data$left, xmax = .data$left + 1, ymin = .data$top - height, ymax = .data$top),
      fill = NA, color = shown$border[there], linewidth = 0.25
    ) +
    (if (named) {
      ggplot2::geom_text(ggplot2::aes(.data$left + 0.5, .data$top + 0.1 * height, label = .data$label),
        size = 2.8
      )
    }) +
    ggplot2::coord_equal(
      xlim = c(-gap, shown$columns * (1 + gap)), ylim = c(min(bottom), gap), expand = FALSE
    ) +
    ggplot2::labs(caption = shown$caption) +
    theme_landmarks() +
    ggplot2::theme(
      axis.text = ggplot2::element_blank(), axis.title = ggplot2::element_blank(),
      axis.ticks = ggplot2::element_blank(), axis.line = ggplot2::element_blank()
    )
}
