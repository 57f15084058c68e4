# From the units of cv_landmarks() to what it says.

# list(units, summary, best).
cv_summary <- function(units, measure, methods, call) {
  measures <- intersect(unique(unlist(measure_names)), names(units))
  key <- paste(match(units$method, methods), units$n)
  keys <- unique(key[order(match(units$method, methods), units$n)])
  summary <- do.call(rbind, lapply(keys, function(k) summarise_units(units[key == k, , drop = FALSE], measure, measures)))
  rownames(summary) <- NULL
  signed <- function(name) if (is_loss(name)) -summary[[name]] else summary[[name]]
  top <- best_of(signed(measure), signed(tie_measure(measures)))
  if (length(top) == 0) {
    held <- units[units$part == "held" & is.na(units$problem), , drop = FALSE]
    why <- if (anyNA(held[[tie_measure(measures)]])) {
      "No regression converged, so there is nothing to compare."
    } else {
      "No held-out part has a {.arg measure} of {.val {measure}}: each has one value of {.arg y} only."
    }
    abort_input(why, arg = "lambda", kind = "convergence", call = call)
  }
  rownames(units) <- NULL
  list(units = units, summary = summary, best = summary[top[1], , drop = FALSE])
}

# One row of the summary, from the units of one method and number. Where one of its fits
# failed, nothing of it is compared: a mean over other folds would be another measure.
summarise_units <- function(units, measure, measures) {
  problem <- summarise_problems(units[units$part == "held", , drop = FALSE])
  if (!is.na(problem)) units[measures] <- NA_real_
  held <- units[units$part == "held", , drop = FALSE]
  tests <- units[units$part == "test", , drop = FALSE]
  picked <- do.call(rbind, lapply(split(held, held$seed), function(of_seed) {
    of_seed[of_seed$lambda == best_lambda(of_seed, measure), , drop = FALSE]
  }))
  lambda <- if (is.na(problem)) best_lambda(held, measure) else NA_real_
  out <- data.frame(held[1, c("method", "n")], lambda = lambda)
  out <- cbind(out, means(picked, measures, ""))
  if (nrow(tests)) {
    at <- paste(tests$seed, tests$fold, tests$lambda) %in% paste(picked$seed, picked$fold, picked$lambda)
    out <- cbind(out, means(tests[at, , drop = FALSE], measures, "test_"))
  }
  out$features <- mean_known(picked$features)
  out$seconds <- mean_known(picked$seconds_learn)
  out$problem <- problem
  out
}

# What went wrong in one row's fits, in words; NA where nothing did.
summarise_problems <- function(held) {
  fits <- held[!duplicated(held[c("seed", "fold")]), , drop = FALSE]
  failed <- fits$problem[!is.na(fits$problem)]
  if (length(failed) == 0) return(NA_character_)
  if (length(failed) == nrow(fits)) return(failed[1])
  sprintf("in %d of %d fits: %s", length(failed), nrow(fits), failed[1])
}

mean_known <- function(v) if (all(is.na(v))) NA_real_ else mean(v, na.rm = TRUE)

# For each measure its mean and the standard error of that.
means <- function(units, measures, prefix) {
  out <- list()
  for (m in measures) {
    v <- units[[m]][!is.na(units[[m]])]
    out[[paste0(prefix, m)]] <- mean_known(v)
    out[[paste0(prefix, m, "_se")]] <- if (length(v) > 1) stats::sd(v) / sqrt(length(v)) else NA_real_
  }
  as.data.frame(out)
}

#' @export
print.cv_landmarks <- function(x, digits = 4, ...) {
  design <- if (x$kind == "folds") paste(x$folds, "folds") else "validation rows"
  engine <- switch(x$type, classes = if (x$model == "classes") ", softmax" else ", one class against the rest", "")
  cat(sprintf("Landmarks compared on %s rows%s: %s, %d seed%s, engine %s%s, %s\n\n",
    format(x$n_rows, big.mark = ","),
    if (x$n_test) paste0(" (", format(x$n_test, big.mark = ","), " of them for the test)") else "",
    design, length(x$seeds), if (length(x$seeds) == 1) "" else "s", x$engine, engine, format_seconds(x$seconds)
  ))
  print(cv_table(x, digits), row.names = FALSE, ...)
  best <- x$best
  cat(sprintf("\nbest %s: %s%s, lambda = %s\n", x$measure, best$method, of_size(best$n), format_lambda(best$lambda)))
  near <- within_error(x)
  if (length(near)) cat("within one standard error of it: ", paste(near, collapse = "; "), "\n", sep = "")
  for (note in cv_notes(x)) cat(strwrap(note, width = 100, exdent = 2), sep = "\n")
  invisible(x)
}

# What a reader of the table has to know, a sentence each.
cv_notes <- function(x) {
  s <- x$summary
  wrong <- s[!is.na(s$problem), , drop = FALSE]
  rule <- "The measures are on the held-out rows that also chose lambda, so they flatter a little"
  c(
    sprintf("%s%s failed and was not measured: %s", wrong$method, of_size(wrong$n), wrong$problem),
    if (length(x$lambda) > 1) {
      c(edge_note(s$lambda, x$lambda), paste0(rule, if (x$n_test) "; the test rows chose nothing", "."))
    },
    if (x$kind == "validation" && length(x$seeds) > 1) {
      "Standard errors are over seeds, on the same rows: what other rows would change is not in them."
    }
  )
}

# Which rows of the table have their lambda at an end of the grid.
edge_note <- function(chosen, grid) {
  at <- function(end, word, other) {
    some <- sum(chosen == end, na.rm = TRUE)
    if (some == 0) return(NULL)
    sprintf("In %d of %d rows lambda is the %s of its grid, %s: a %s one may do better.", some, length(chosen),
      word, format_lambda(end), other)
  }
  c(at(min(grid), "smallest", "smaller"), at(max(grid), "largest", "larger"))
}

format_lambda <- function(lambda) {
  vapply(lambda, function(l) if (is.na(l)) "" else format(signif(l, 3)), "")
}

of_size <- function(n) ifelse(is.na(n), "", paste0(", n = ", n))

# For each method the smallest number that is within one standard error of the best.
within_error <- function(x) {
  error <- x$best[[paste0(x$measure, "_se")]]
  if (is.na(error)) return(character())
  sign <- if (is_loss(x$measure)) -1 else 1
  s <- x$summary
  fine <- !is.na(s[[x$measure]]) & sign * s[[x$measure]] >= sign * x$best[[x$measure]] - error
  s <- s[fine & !duplicated(ifelse(fine, s$method, paste("not", seq_len(nrow(s))))), , drop = FALSE]
  s <- s[!(s$method == x$best$method & s$n %in% x$best$n), , drop = FALSE]
  paste0(s$method, of_size(s$n))
}

# Means and standard errors as text, measures in columns.
cv_table <- function(x, digits) {
  s <- x$summary
  out <- data.frame(
    method = s$method, n = ifelse(is.na(s$n), "", s$n),
    lambda = format_lambda(s$lambda)
  )
  with_error <- function(name) {
    # A squared error may have any size; all else is of the size of 1.
    plain <- function(v) formatC(v, digits, format = if (grepl("mse", name)) "g" else "f", flag = "#")
    error <- s[[paste0(name, "_se")]]
    shown <- ifelse(is.na(error), plain(s[[name]]), paste0(plain(s[[name]]), " (", plain(error), ")"))
    ifelse(is.na(s[[name]]), "", shown)
  }
  # What there is no room for is in as.data.frame().
  shown <- if (x$type == "tags") unique(c(x$measure, "auc", "map", "f")) else measure_names[[x$type]]
  for (m in shown) out[[m]] <- with_error(m)
  if (x$n_test) out[[paste("test", x$measure)]] <- with_error(paste0("test_", x$measure))
  if (any(!is.na(s$n) & s$features < s$n, na.rm = TRUE)) out$features <- signif(s$features, 4)
  out$seconds <- ifelse(is.na(s$seconds), "", signif(s$seconds, 3))
  out
}

#' @rdname plot.cv_landmarks
#' @param row.names,optional Not used.
#' @param what `"summary"` (default) or `"units"`.
#' @export
as.data.frame.cv_landmarks <- function(x, row.names = NULL, optional = FALSE, what = "summary", ...) {
  # The generic's second argument, which a bare "units" would reach.
  if (is.character(row.names) && length(row.names) == 1) what <- row.names
  x[[check_choice(what, c("summary", "units"), "what")]]
}

#' Use a comparison of landmarks
#'
#' `plot()` draws the measure against the number of landmarks, a line for each
#' method with bars of one standard error (Figure 5 of Liang and Paisley, 2015);
#' methods that have no number of landmarks are level lines. `coef()` gives the coefficients of
#' the best, learned again from all rows but the test's, and `predict()` its predictions.
#'
#' @param x,object An object of class `cv_landmarks`.
#' @param measure What to draw; by default what picked lambda.
#' @param part `"held"` for the held-out rows, or `"test"`; by default the test rows where there are some.
#' @param main,xlab,ylab Title and axis labels.
#' @param newdata Data with the columns of those learned from, M rows.
#' @param type `"class"` (default for classes), `"response"` (default otherwise: probabilities, or
#'   numbers), `"features"`.
#' @param ... For `plot()` further arguments of [plot.default()].
#' @return `plot()`: the object, invisibly. `coef()`: a matrix, features + 1 x responses.
#'   `predict()`: for `"class"` a factor of length M; for `"response"` a matrix with a column for
#'   each class or tag, or for two classes and for numbers a vector; for `"features"` a matrix.
#' @seealso [cv_landmarks()]
#' @examples
#' cv <- cv_landmarks(iris[1:4], iris$Species,
#'   n = c(3, 6), methods = list(gp = by_gp(), random = by_random()), folds = 3, seeds = 1, scale = TRUE
#' )
#' plot(cv)
#' plot(cv, measure = "deviance")
#' head(predict(cv, iris, type = "response"), 3)
#' as.data.frame(cv, what = "units")[1:3, ]
#' @export
plot.cv_landmarks <- function(x, measure = x$measure, part = NULL, main = NULL, xlab = NULL, ylab = NULL, ...) {
  check_measure(measure, x$type)
  parts <- c(if (x$n_test) "test", "held")
  part <- check_choice(part %||% parts[1], parts, "part")
  s <- x$summary
  name <- paste0(if (part == "test") "test_", measure)
  mean <- s[[name]]
  error <- ifelse(is.na(s[[paste0(name, "_se")]]), 0, s[[paste0(name, "_se")]])
  methods <- unique(s$method)
  colours <- c(okabe_ito, "black", "grey50")[(seq_along(methods) - 1) %% 9 + 1]
  shapes <- c(16, 17, 15, 18, 1, 2, 0, 5, 8)[(seq_along(methods) - 1) %% 9 + 1]
  many <- sort(unique(s$n[!is.na(s$n)]))
  if (length(many) == 0) many <- 1
  reach <- range(many)
  # Room for the names, beside the lines.
  right <- reach[2] + max(diff(reach), 1) * 0.35
  # Methods stand beside each other, so that no bar hides another.
  beside <- (seq_along(methods) - (length(methods) + 1) / 2) * max(diff(reach), 1) * 0.006
  cex <- graphics::par("cex")
  old <- graphics::par(mar = c(4.2, 5.6, 2.6, 0.8), las = 1)
  on.exit(graphics::par(c(old, cex = cex)))
  look <- list(
    xlim = c(reach[1], right), ylim = range(c(mean - error, mean + error), na.rm = TRUE),
    xaxt = "n", bty = "n",
    main = main %||% paste(if (part == "test") "Test rows:" else "Held-out rows:", measure_label(measure)),
    xlab = xlab %||% "number of landmarks", ylab = ""
  )
  given <- list(...)
  look[names(given)] <- given
  do.call(graphics::plot, c(list(x = NA, y = NA), look))
  graphics::title(ylab = ylab %||% measure_label(measure), line = 4.4)
  if (is.null(given$xaxt)) graphics::axis(1, at = many)
  for (m in seq_along(methods)) {
    at <- which(s$method == methods[m])
    if (anyNA(s$n[at])) {
      graphics::segments(reach[1], mean[at], reach[2], mean[at], lty = 2, col = colours[m], lwd = 1.5)
      next
    }
    where <- s$n[at] + beside[m]
    graphics::segments(where, mean[at] - error[at], where, mean[at] + error[at], col = colours[m])
    graphics::lines(where, mean[at], col = colours[m], lwd = 1.5)
    graphics::points(where, mean[at], pch = shapes[m], col = colours[m])
  }
  flat <- vapply(methods, function(m) anyNA(s$n[s$method == m]), NA)
  # In the order in which the lines end.
  last <- vapply(methods, function(m) mean[max(which(s$method == m))], 0)
  order <- order(last, decreasing = TRUE)
  graphics::legend("right", legend = methods[order], col = colours[order], pch = ifelse(flat, NA, shapes)[order],
    lty = ifelse(flat, 2, 1)[order], bty = "n", cex = 0.9
  )
  invisible(x)
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
  p <- ridge_response(features, object$coefficients, object$link)
  dimnames(p) <- list(rownames(features), colnames(object$coefficients))
  if (type == "response") {
    if (object$type == "classes") p <- p / rowSums(p)
    return(if (object$type %in% c("binary", "number")) stats::setNames(p[, 1], rownames(p)) else p)
  }
  chosen <- if (object$type == "binary") 1L + (p[, 1] > 0.5) else max.col(p, "first")
  factor(object$levels[chosen], object$levels)
}

check_refitted <- function(object, call = rlang::caller_env()) {
  if (is.null(object$coefficients)) {
    abort_input("{.fn cv_landmarks} was called with {.code refit = FALSE}: nothing was learned from all rows.",
      arg = "object", kind = "fit", call = call
    )
  }
}
