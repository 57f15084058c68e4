# Methods for a comparison: plots, coefficients, predictions.

#' Plots, coefficients and predictions of a comparison
#'
#' Methods for the result of [cv_landmarks()]. `plot()` draws a measure against the number of landmarks, with
#' a line for each method, or for each method and bandwidth where there are several, and bars of one standard
#' error (as Figure 5 of Liang and Paisley, 2015). Methods without a number of landmarks are horizontal
#' lines. `coef()` gives the coefficients of the best row of the table, learned again from all rows except
#' the test rows, and `predict()` its predictions. For three or more classes the coefficients have a column
#' for each class: of the softmax regression, where they sum to zero over the classes, or of each class
#' against the rest. `as.data.frame()` gives the table, or the long table with a row for each seed, fold and
#' lambda.
#'
#' @param x,object An object of class `cv_landmarks`.
#' @param measure The measure to draw. The default is the measure that chose lambda.
#' @param part `"held"` for the held-out rows, or `"test"` for the test rows, which is the default where
#'   there are some.
#' @param main,xlab,ylab Title and axis labels.
#' @param newdata Data with the same columns as the data of the comparison, M rows.
#' @param type For `predict()`: `"class"` (default for classes), `"response"` (default otherwise:
#'   probabilities, or numbers), or `"features"`. For `as.data.frame()`: `"summary"` (default) or `"units"`.
#' @param ... For `plot()` further arguments of [plot.default()].
#' @return `plot()`: the object, invisibly. `coef()`: a matrix, features + 1 x responses. `predict()`: for
#'   `"class"` a factor of length M; for `"response"` a matrix with a column for each class or tag, or for
#'   two classes and for numbers a vector; for `"features"` a matrix. `as.data.frame()`: a data frame, see
#'   [cv_landmarks()].
#' @seealso [cv_landmarks()]
#' @examples
#' cv <- cv_landmarks(iris[1:4], iris$Species,
#'   n = c(3, 6), methods = list(gp = by_gp(), random = by_random()), folds = 3, seeds = 1, scale = TRUE
#' )
#' plot(cv)
#' plot(cv, measure = "deviance")
#' head(predict(cv, iris, type = "response"), 3)
#' as.data.frame(cv, type = "units")[1:3, ]
#' @export
plot.cv_landmarks <- function(x, measure = x$measure, part = NULL, main = NULL, xlab = NULL, ylab = NULL,
                              ...) {
  check_measure(measure, x$type)
  parts <- c(if (x$n_test) "test", "held")
  part <- check_choice(part %||% parts[1], parts, "part")
  s <- x$summary
  name <- paste0(if (part == "test") "test_", measure)
  mean <- s[[name]]
  error <- ifelse(is.na(s[[paste0(name, "_se")]]), 0, s[[paste0(name, "_se")]])
  lines <- plot_lines(x)
  many <- sort(unique(s$n[!is.na(s$n)]))
  if (length(many) == 0) many <- 1
  reach <- range(many)
  # Room for the names, beside the lines.
  right <- reach[2] + max(diff(reach), 1) * 0.35
  # Lines stand beside each other, so that no bar hides another.
  beside <- (seq_along(lines$label) - (length(lines$label) + 1) / 2) * max(diff(reach), 1) * 0.006
  cex <- graphics::par("cex")
  old <- graphics::par(mar = c(4.2, 5.6, 2.6, 0.8), las = 1)
  on.exit(graphics::par(c(old, cex = cex)))
  pars <- list(
    xlim = c(reach[1], right), ylim = range(c(mean - error, mean + error), na.rm = TRUE),
    xaxt = "n", bty = "n",
    main = main %||% paste(if (part == "test") "Test rows:" else "Held-out rows:", measure_label(measure)),
    xlab = xlab %||% "number of landmarks", ylab = ""
  )
  given <- list(...)
  pars[names(given)] <- given
  do.call(graphics::plot, c(list(x = NA, y = NA), pars))
  graphics::title(ylab = ylab %||% measure_label(measure), line = 4.4)
  if (is.null(given$xaxt)) graphics::axis(1, at = many)
  for (i in seq_along(lines$label)) {
    at <- lines$rows[[i]]
    if (anyNA(s$n[at])) {
      graphics::segments(reach[1], mean[at], reach[2], mean[at], lty = 2, col = lines$color[i], lwd = 1.5)
      next
    }
    where <- s$n[at] + beside[i]
    graphics::segments(where, mean[at] - error[at], where, mean[at] + error[at], col = lines$color[i])
    graphics::lines(where, mean[at], col = lines$color[i], lty = lines$type[i], lwd = 1.5)
    graphics::points(where, mean[at], pch = lines$shape[i], col = lines$color[i])
  }
  flat <- vapply(lines$rows, function(at) anyNA(s$n[at]), NA)
  # In the order in which the lines end.
  last <- vapply(lines$rows, function(at) mean[max(at)], 0)
  order <- order(last, decreasing = TRUE)
  graphics::legend("right",
    legend = lines$label[order], col = lines$color[order], pch = ifelse(flat, NA, lines$shape)[order],
    lty = ifelse(flat, 2, lines$type)[order], bty = "n", cex = 0.9
  )
  invisible(x)
}

# A line for each method, of a color of its own, and where there are several bandwidths for each
# of them, which then have the shape and the type of line.
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
    color = c(okabe_ito, "black", "gray50")[(method - 1) %% 9 + 1],
    shape = c(16, 17, 15, 18, 1, 2, 0, 5, 8)[(kind - 1) %% 9 + 1],
    type = if (several) c(1, 2, 4, 5, 3, 6)[(kind - 1) %% 6 + 1] else rep(1, length(first))
  )
}

measure_label <- function(measure) {
  switch(measure,
    auc = "area under the ROC curve", map = "mean average precision", f = "F", mse = "mean squared error",
    r_squared = "R squared", measure
  )
}

#' @rdname plot.cv_landmarks
#' @export
coef.cv_landmarks <- function(object, ...) {
  check_refitted(object)
  object$coefficients
}

#' @rdname plot.cv_landmarks
#' @export
predict.cv_landmarks <- function(object, newdata, type = NULL, ...) {
  check_dots(...)
  check_refitted(object)
  check_given(newdata, "newdata")
  has_classes <- object$type %in% c("classes", "binary")
  type <- check_choice(type %||% if (has_classes) "class" else "response",
    c(if (has_classes) "class", "response", "features"), "type"
  )
  features <- stats::predict(object$fit, newdata)
  if (type == "features") return(features)
  predict_response(features, object$coefficients, object$link, object$type, object$levels, type)
}

check_refitted <- function(object, call = rlang::caller_env()) {
  if (is.null(object$coefficients)) {
    abort_input(c(
      "{.arg object} must come from {.fn cv_landmarks} with {.code refit = TRUE}.",
      x = "It has no fit to all rows."
    ), arg = "object", kind = "fit", call = call)
  }
}
