#' Plots of a comparison
#'
#' `autoplot()` draws the measures of [cv_landmarks()] against the number of landmarks: a panel for each
#' measure, a line for each method, or for each method and bandwidth where there are several, and bars of one
#' standard error (as Figure 5 of Liang and Paisley, 2015). A ring marks the best row by held-out rows.
#' Methods without a number of landmarks are dashed horizontal lines. `plot()` prints the picture.
#'
#' @param x,object An object of class `cv_landmarks`.
#' @param measure The measures to draw, one or several names (see [cv-measures]). `NULL`, the
#'   default, draws all that belong to such a response.
#' @param part `"held"` for the held-out rows, or `"test"` for the test rows, which is the default where
#'   there are some.
#' @param ... `plot()`: the arguments of `autoplot()`. Otherwise an argument here is an error.
#' @return `autoplot()`: an object of class `ggplot`. `plot()`: the object, invisibly.
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
  measure <- check_measures(measure, object$type)
  part <- check_part(object, part)
  ggplot_panels(cv_picture(object, measure, part))
}

# The picture: a panel for each measure.
cv_picture <- function(x, measure, part) {
  s <- x$summary
  lines <- plot_lines(x)
  many <- axis_sizes(x)
  reach <- range(many)
  margin <- max(diff(reach), 1) * 0.05
  beside <- lines_beside(lines, reach)
  style <- integer(nrow(s))
  for (i in seq_along(lines$rows)) style[lines$rows[[i]]] <- i
  best <- best_place(x, lines, beside, many)
  parts <- lapply(seq_along(measure), function(panel) {
    value <- shown_values(x, measure[panel], part)
    rows <- data.frame(
      panel = panel, style = style, x = s$n + beside[style], y = value$mean,
      low = value$mean - value$error, high = value$mean + value$error
    )
    ring <- data.frame(panel = panel, style = style[best$row], x = best$n, y = value$mean[best$row])
    rows <- rows[!is.na(rows$y), ]
    # Where no row has this measure the panel is empty.
    y <- if (nrow(rows)) range(rows$low, rows$high) else 0:1
    list(
      rows = rows, ring = ring[!is.na(ring$y), ],
      panel = list(
        name = measure_label(measure[panel], TRUE), x = reach + c(-margin, margin), y = y, log = FALSE
      )
    )
  })
  rows <- do.call(rbind, lapply(parts, `[[`, "rows"))
  flat <- lines$flat[rows$style]
  curves <- rows[!flat, ]
  ring <- if (part == "test") "ring: chosen by held-out rows" else paste("ring: best", x$measure)
  panels_picture(
    panels = lapply(parts, `[[`, "panel"), title = part_titles[[part]],
    axes = list("number of landmarks", if (length(measure) == 1) measure_label(measure)),
    note = if (any(curves$high > curves$low)) paste0("bars: one standard error; ", ring) else ring,
    styles = mark_styles(lines$color, ifelse(lines$flat, NA, lines$shape), ifelse(lines$flat, 2, lines$type),
      label = lines$label
    ),
    key = if (length(x$bandwidths) > 1) "method, bandwidth" else "method",
    levels = rows[flat, ], ranges = curves, paths = curves,
    points = cbind(curves, size = rep(1, nrow(curves))),
    rings = do.call(rbind, lapply(parts, `[[`, "ring")), places = function(limits) many
  )
}

part_titles <- c(test = "Test rows", held = "Held-out rows")

check_measures <- function(measure, type, call = rlang::caller_env()) {
  choices <- measure_names[[type]]
  if (is.null(measure)) return(choices)
  if (!is.character(measure) || length(measure) == 0 || !all(measure %in% choices)) {
    shown <- paste0("\"", choices, "\"")
    other <- if (is.character(measure)) setdiff(measure, choices)
    abort_input(c(
      "{.arg measure} must be one or several of {.or {shown}}, or NULL for all of them.",
      x = if (length(other)) "It contains {.val {other[1]}}." else "It is {describe(measure)}."
    ), arg = "measure", call = call)
  }
  unique(measure)
}

check_part <- function(x, part, call = rlang::caller_env()) {
  parts <- c(if (x$n_test) "test", "held")
  check_choice(part %||% parts[1], parts, "part", call)
}

# The means of a measure and their standard errors, 0 where there is none.
shown_values <- function(x, measure, part) {
  name <- paste0(if (part == "test") "test_", measure)
  error <- x$summary[[paste0(name, "_se")]]
  list(mean = x$summary[[name]], error = ifelse(is.na(error), 0, error))
}

# The numbers of landmarks on the axis.
axis_sizes <- function(x) {
  many <- sort(unique(x$summary$n[!is.na(x$summary$n)]))
  if (length(many)) many else 1
}

# Lines stand beside each other, so that no bar hides another.
lines_beside <- function(lines, reach) {
  (seq_along(lines$label) - (length(lines$label) + 1) / 2) * max(diff(reach), 1) * 0.008
}

# Where the ring of the best row stands: on its line, in the middle of a line without numbers.
best_place <- function(x, lines, beside, many) {
  row <- best_row(x)
  line <- which(vapply(lines$rows, function(rows) row %in% rows, NA))
  n <- x$summary$n[row]
  list(row = row, n = if (is.na(n)) mean(range(many)) else n + beside[line])
}

# The lines of the picture, each with the numbers of its rows in the table: one for each method or, with
# several bandwidths, for each method and bandwidth. Methods differ by color. Bandwidths, where there are
# several, differ by shape and type of line.
plot_lines <- function(x) {
  s <- x$summary
  several <- length(x$bandwidths) > 1
  key <- if (several) paste(s$method, s$bandwidth) else s$method
  first <- which(!duplicated(key))
  method <- match(s$method[first], unique(s$method))
  bandwidth <- match(s$bandwidth[first], x$bandwidths)
  kind <- if (several) ifelse(is.na(bandwidth), 1L, bandwidth) else method
  list(
    label = paste0(
      s$method[first], ifelse(several & !is.na(bandwidth), paste0(", ", s$bandwidth[first]), "")
    ),
    rows = lapply(key[first], function(k) which(key == k)),
    color = method_colors()[(method - 1) %% 9 + 1],
    shape = line_shapes[(kind - 1) %% 9 + 1],
    type = if (several) c(1, 2, 4, 5, 3, 6)[(kind - 1) %% 6 + 1] else rep(1, length(first)),
    flat = is.na(s$n[first])
  )
}

# `short`: for a title, above one of many panels.
measure_label <- function(measure, short = FALSE) {
  shorter <- list(auc = "area under ROC", map = "average precision", mse = "squared error")
  if (short && measure %in% names(shorter)) return(shorter[[measure]])
  switch(measure,
    auc = "area under the ROC curve", map = "mean average precision", f = "F", mse = "mean squared error",
    r_squared = "R squared", measure
  )
}
