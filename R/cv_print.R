# print() and summary() of a cross-validation.

#' @export
print.cv_landmarks <- function(x, digits = 4, ...) {
  check_cv(x)
  table <- cv_table(x, check_count(digits, "digits", 1, 15))
  cat(cv_heading(x), "\n", sep = "")
  if (any(grepl("(", unlist(table[-1]), fixed = TRUE))) cat("Means, with standard errors in parentheses:\n")
  cat("\n")
  print(table, row.names = FALSE, ...)
  without <- if (x$lambda_per_tag) "lambda chosen for each label" else "no lambda"
  lambda <- if (is.na(x$best$lambda)) without else paste("lambda =", format_lambda(x$best$lambda))
  cat("\nbest ", x$measure, ": ", row_names_of(x, x$best), ", ", lambda, "\n", sep = "")
  near <- within_error(x)
  if (length(near)) {
    near <- paste(near, collapse = "; ")
    cat("smallest n of each method within one standard error of the best: ", near, "\n", sep = "")
  }
  for (note in cv_notes(x)) cat(strwrap(note, exdent = 2), sep = "\n")
  invisible(x)
}

cv_heading <- function(x) {
  paste0(
    "Comparison of landmarks on ", how_many(x$n_rows, if (x$weighted) "weighted row" else "row"),
    if (x$n_test) paste0(" (", how_many(x$n_test, "test row"), ")"), ": ",
    if (x$kind == "folds") paste0(x$folds, "-fold cross-validation") else "validation rows", ", ",
    how_many(length(x$seeds), "seed"), ", ",
    if (x$type == "classes") if (x$model == "classes") "softmax, " else "one-vs-rest, ",
    format_seconds(x$seconds)
  )
}

# Which rows of the table come from the regression of by_response(), which has no lambda.
own_regressions <- function(x) {
  is.na(x$summary$lambda) & is.na(x$summary$problem) & !x$lambda_per_tag
}

# Notes below the table, a sentence each.
cv_notes <- function(x) {
  s <- x$summary
  failed <- tapply(row_names_of(x, s), factor(s$problem, unique(s$problem)), paste, collapse = "; ")
  chosen <- length(x$lambda) > 1 && !all(own_regressions(x))
  c(
    if (length(x$na.action)) paste(how_many(length(x$na.action), "row"), "with missing values left out."),
    sprintf("Failed: %s. Error: %s", failed, names(failed)),
    if (chosen && !x$lambda_per_tag) edge_note(s$lambda, x$lambda),
    if (chosen && x$nested) "Lambda was selected by nested cross-validation.",
    if (chosen && !x$nested) paste(
      "Lambda was selected on the held-out rows, so their measures are slightly optimistic;",
      if (x$n_test) "the test rows were not used." else "`nested = TRUE` avoids this."
    ),
    if (x$kind == "validation" && length(x$seeds) > 1) {
      "Standard errors are over seeds, for the same validation rows."
    }
  )
}

# Notes where rows of the table have their lambda at an end of the grid.
edge_note <- function(chosen, grid) {
  count <- colSums(outer(chosen, range(grid), "=="), na.rm = TRUE)
  notes <- sprintf("In %d of %d rows lambda is the %s of its grid, %s: try %s values.",
    count, length(chosen), c("smallest", "largest"), format_lambda(range(grid)), c("smaller", "larger")
  )
  if (any(count > 0)) notes[count > 0]
}

# For each method the smallest number that is within one standard error of the best.
within_error <- function(x) {
  s <- x$summary[within_rows(x) %in% TRUE, ]
  near <- row_names_of(x, s[!duplicated(method_labels(s)), ])
  # The best alone is printed already.
  if (identical(near, row_names_of(x, x$best))) character() else near
}

# Means and standard errors as text, measures in columns. What is NA is left empty.
cv_table <- function(x, digits) {
  s <- x$summary
  text <- function(v, shown = v) ifelse(is.na(v), "", shown)
  with_error <- function(name) {
    # Squared errors depend on the unit of the response; all other measures are of order 1.
    plain <- function(v) formatC(v, digits, format = if (grepl("mse", name)) "g" else "f", flag = "#")
    error <- s[[paste0(name, "_se")]]
    text(s[[name]], paste0(plain(s[[name]]), text(error, paste0(" (", plain(error), ")"))))
  }
  out <- s[setdiff(row_columns(s), if (length(x$bandwidths) == 1) "bandwidth")]
  out[] <- lapply(out, text)
  if (!x$lambda_per_tag) out$lambda <- ifelse(own_regressions(x), "none", format_lambda(s$lambda))
  # The other measures of tags are in as.data.frame() alone.
  shown <- if (x$type == "tags") unique(c(x$measure, "auc", "map", "f")) else measure_names[[x$type]]
  out[shown] <- lapply(shown, with_error)
  if (x$n_test) out[[paste("test", x$measure)]] <- with_error(paste0("test_", x$measure))
  if (any(s$features < s$n, na.rm = TRUE)) out$features <- signif(s$features, 4)
  out$seconds <- text(s$seconds, format(signif(s$seconds, 3)))
  out
}

# ---- summary -------------------------------------------------------------------------

#' Summarize a cross-validation
#'
#' `summary()` of a [cv_landmarks()] object marks the best combination and those within one standard error of
#' the best. Measures within one standard error of each other are hardly distinguishable. By the
#' one-standard-error rule, the row among these with the fewest landmarks is chosen, and among several such
#' rows the one with the best measure.
#'
#' @param object An object of class `cv_landmarks`.
#' @param x An object of class `summary.cv_landmarks`.
#' @param digits Number of significant digits of the measures. Default 4.
#' @param ... Not used.
#' @return A list of class `summary.cv_landmarks`:
#' * `table`: the data frame `summary` of the comparison with two more columns: `best`, and `within`, whether
#'   the row is within one standard error of the best (`NA` if that is not known).
#' * `best`: index of the best row.
#' * `smallest`: index of the row chosen by the one-standard-error rule. For rows without a number of
#'   landmarks, the number of features is used. Without standard errors it is the best row.
#' * `methods`: named descriptions of the methods.
#' * `measure`: the measure by which the best row was selected.
#' * `comparison`: the `cv_landmarks` object.
#' @seealso [cv_landmarks()], [tidy.cv_landmarks()]
#' @examples
#' cv <- cv_landmarks(Species ~ ., data = iris, n = c(2, 4, 8), folds = 3, seeds = 1, scale = TRUE,
#'   methods = list(gp = by_gp(), random = by_random())
#' )
#' summary(cv)
#' summary(cv)$table[c("method", "n", "accuracy", "best", "within")]
#' @export
summary.cv_landmarks <- function(object, ...) {
  check_dots(...)
  check_cv(object, "object")
  table <- object$summary
  best <- best_row(object)
  table$best <- seq_len(nrow(table)) == best
  table$within <- within_rows(object)
  near <- which(table$within | table$best)
  size <- ifelse(is.na(table$n), table$features, table$n)[near]
  structure(list(
    table = table, best = best,
    smallest = near[order(size, -signed(table, object$measure)[near], !table$best[near])[1]],
    methods = object$compared, measure = object$measure, comparison = object
  ), class = "summary.cv_landmarks")
}

#' @rdname summary.cv_landmarks
#' @export
print.summary.cv_landmarks <- function(x, digits = 4, ...) {
  cv <- x$comparison
  print(cv, digits, ...)
  if (x$smallest != x$best) {
    cat("one-standard-error rule: ", row_names_of(cv, x$table[x$smallest, ]), "\n", sep = "")
  }
  cat("\nMethods\n", sprintf("  %s  %s\n", format(names(x$methods)), x$methods), sep = "")
  if (!is.null(cv$formula)) cat("Formula\n  ", deparse1(cv$formula), "\n", sep = "")
  invisible(x)
}
