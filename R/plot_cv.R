#' Plot a cross-validation
#'
#' `autoplot()` draws the measures of [cv_landmarks()] against the number of landmarks, with one panel per
#' measure, one line per method (and bandwidth), and bars of one standard error. A circle marks the best
#' combination. Methods without landmarks are dashed horizontal lines. `plot()` prints the plot.
#'
#' @param x,object An object of class `cv_landmarks`.
#' @param measure Measures to draw, see [cv-measures]. Default `NULL`: all that apply to the response.
#' @param part `"held_out"` for out-of-fold measures, or `"test"` for test measures, the default if there are
#'   test rows.
#' @param ... `plot()`: arguments of `autoplot()`. Otherwise not used; an argument here is an error.
#' @return `autoplot()`: a `ggplot` object. `plot()`: the object, invisibly.
#' @seealso [cv_landmarks()], [summary.cv_landmarks()]
#' @examples
#' cv <- cv_landmarks(iris[1:4], iris$Species,
#'   n = c(3, 6, 12), methods = list(gp = by_gp(), random = by_random()),
#'   folds = 3, seeds = 1, scale = TRUE
#' )
#' plot(cv)
#' plot(cv, measure = "deviance")
#' @export
plot.cv_landmarks <- function(x, ...) print_picture(x, ...)

#' @rdname plot.cv_landmarks
#' @exportS3Method ggplot2::autoplot
autoplot.cv_landmarks <- function(object, measure = NULL, part = NULL, ...) {
  check_dots(...)
  check_cv(object, "object")
  choices <- measure_names[[object$type]]
  measure <- measure %||% choices
  if (rlang::is_string(measure, names(other_names))) measure <- check_measure(measure, object$type)
  check_that(is.character(measure) && length(measure) && all(measure %in% choices), measure, "measure",
    paste("one or more of", quoted_or(choices))
  )
  parts <- c(if (object$n_test) "test", "held_out")
  remedy <- if (!object$n_test) "The comparison has no {.arg test} rows."
  part <- check_choice(part %||% parts[1], parts, "part", remedy = remedy)
  cv_picture(object, cv_marks(object, unique(measure), part), part)
}

# All that is drawn: `rows`, each row of the comparison for each measure, with its panel, its line (`key`)
# and whether it is drawn across (`flat`); `ring`, the best row; `lines`, see plot_lines(); and `sizes`, the
# numbers of landmarks.
cv_marks <- function(x, measure, part) {
  s <- x$summary
  lines <- plot_lines(x)
  sizes <- sort(unique(s$n[!is.na(s$n)]))
  if (!length(sizes)) sizes <- 1
  # Lines are dodged, so that bars do not overlap.
  beside <- (lines$row - (length(lines$label) + 1) / 2) * max(diff(range(sizes)), 1) * 0.008
  rows <- do.call(rbind, lapply(measure, function(one) {
    name <- paste0(if (part == "test") "test_", one)
    y <- s[[name]]
    error <- s[[paste0(name, "_se")]]
    error[is.na(error)] <- 0
    data.frame(
      panel = factor(one, measure), key = factor(lines$label[lines$row], lines$label),
      x = s$n + beside, y = y, low = y - error, high = y + error, flat = is.na(s$n),
      best = seq_len(nrow(s)) == best_row(x), row.names = NULL
    )
  }))
  rows <- rows[!is.na(rows$y), ]
  ring <- rows[rows$best, ]
  # On a line across, the ring stands in its middle.
  ring$x[ring$flat] <- mean(range(sizes))
  list(rows = rows, ring = ring, lines = lines, sizes = sizes)
}

cv_picture <- function(x, marks, part) {
  rows <- marks$rows
  lines <- marks$lines
  curves <- rows[!rows$flat, ]
  # ggplot2 has a message about lines of one point.
  of_several <- curves[stats::ave(curves$y, curves$panel, curves$key, FUN = length) > 1, ]
  panels <- levels(rows$panel)
  ends <- range(marks$sizes)
  caption <- if (part == "test") "circle: selected on held-out rows" else paste("circle: best", x$measure)
  if (any(curves$high > curves$low)) caption <- paste0("bars: one standard error; ", caption)
  key <- if (length(x$bandwidths) > 1) "method, bandwidth" else "method"
  scale <- function(of, values) {
    of(key, values = stats::setNames(values, lines$label), limits = lines$label)
  }
  plot <- ggplot2::ggplot(curves, ggplot2::aes(.data$x, .data$y, color = .data$key)) +
    ggplot2::geom_blank(ggplot2::aes(ymin = .data$low, ymax = .data$high), rows) +
    ggplot2::geom_hline(
      ggplot2::aes(yintercept = .data$y, color = .data$key), rows[rows$flat, ], linetype = 2
    ) +
    ggplot2::geom_linerange(ggplot2::aes(ymin = .data$low, ymax = .data$high), show.legend = FALSE) +
    ggplot2::geom_line(ggplot2::aes(linetype = .data$key), of_several) +
    ggplot2::geom_point(ggplot2::aes(shape = .data$key, size = I(2))) +
    ggplot2::geom_point(ggplot2::aes(color = NULL), marks$ring,
      shape = 1, size = 4.5, stroke = 1.1, show.legend = FALSE
    ) +
    ggplot2::expand_limits(x = ends + c(-0.05, 0.05) * max(diff(ends), 1)) +
    scale(ggplot2::scale_colour_manual, lines$color) +
    scale(ggplot2::scale_shape_manual, ifelse(lines$flat, NA, lines$shape)) +
    scale(ggplot2::scale_linetype_manual, ifelse(lines$flat, 2, lines$type)) +
    ggplot2::scale_x_continuous(breaks = marks$sizes, guide = ggplot2::guide_axis(check.overlap = TRUE)) +
    ggplot2::labs(
      x = "number of landmarks", y = if (length(panels) == 1) panels,
      title = if (part == "test") "Test rows" else "Held-out rows", subtitle = caption
    ) +
    theme_landmarks()
  if (length(panels) == 1) return(plot)
  plot + ggplot2::facet_wrap(ggplot2::vars(.data$panel), scales = "free_y", drop = FALSE)
}

# The lines of the picture, one for each method or, with several bandwidths, for each method and bandwidth,
# and the line of each `row` of the table. Methods differ by color. Bandwidths, where there are several,
# differ by shape and type of line.
plot_lines <- function(x) {
  s <- x$summary
  s$method <- method_labels(s)
  several <- length(x$bandwidths) > 1
  key <- if (several) paste(s$method, s$bandwidth) else s$method
  first <- s[!duplicated(key), ]
  method <- match(first$method, unique(s$method))
  bandwidth <- match(first$bandwidth, x$bandwidths, 1L)
  shown <- several & !is.na(first$bandwidth)
  kind <- if (several) bandwidth else method
  list(
    label = paste0(first$method, ifelse(shown, paste0(", ", first$bandwidth), "")),
    row = match(key, unique(key)), color = unname(group_colors(max(method)))[method],
    shape = c(16, 17, 15, 18, 1, 2, 0, 5, 8)[(kind - 1) %% 9 + 1],
    type = if (several) c(1, 2, 4, 5, 3, 6)[(kind - 1) %% 6 + 1] else rep(1, nrow(first)),
    flat = is.na(first$n)
  )
}
