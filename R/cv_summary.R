#' Summary of a comparison
#'
#' `summary()` of the result of [cv_landmarks()] gives the table of the comparison with its best row marked,
#' the rows within one standard error of the best, and the methods in words.
#'
#' The measures of two rows that are within one standard error of each other say little of which is better.
#' Among the rows within one standard error of the best, the one with the fewest landmarks is often preferred,
#' because it is the simplest.
#'
#' @param object An object of class `cv_landmarks`.
#' @param x An object of class `summary.cv_landmarks`.
#' @param digits How many digits of the measures to print (default 4).
#' @param ... Not used.
#' @return A list of class `summary.cv_landmarks`:
#' * `table`: a data frame, `summary` of the comparison with two more columns: `best`, and `within`, whether
#'   the row is within one standard error of the best by the measure that chose it (NA where that measure or
#'   its standard error is missing).
#' * `best`: the number of the best row. `smallest`: of the rows within one standard error the one with the
#'   fewest landmarks (features where a row has no number of landmarks; the best row itself where there is no
#'   standard error).
#' * `methods`: the methods in words, named. `measure`: the measure that chose the best row.
#' * `comparison`: the object itself, for `print()`.
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
    table = table, best = best, smallest = near[order(size, !table$best[near])[1]],
    methods = object$compared, measure = object$measure, comparison = object
  ), class = "summary.cv_landmarks")
}

#' @rdname summary.cv_landmarks
#' @export
print.summary.cv_landmarks <- function(x, digits = 4, ...) {
  check_cv_summary(x)
  digits <- check_digits(digits)
  cv <- x$comparison
  cat(cv_heading(cv), "\n\nMethods\n", sep = "")
  cat(sprintf("  %s  %s\n", format(names(x$methods)), x$methods), sep = "")
  if (!is.null(cv$formula)) cat("Formula\n  ", deparse1(cv$formula), "\n", sep = "")
  cat("\n")
  mark <- ifelse(x$table$best, "*", ifelse(x$table$within %in% TRUE, "+", ""))
  shown <- cbind(mark, cv_table(cv, digits))
  names(shown)[1] <- " "
  print(shown, row.names = FALSE)
  cat("\n* best ", cv$measure, ": ", row_names_of(cv, cv$best), best_lambda_words(cv), "\n", sep = "")
  if (any(mark == "+")) {
    cat("+ within one standard error of it")
    if (x$smallest != x$best) {
      cat("; the smallest: ", row_names_of(cv, x$table[x$smallest, , drop = FALSE]), sep = "")
    }
    cat("\n")
  }
  for (note in cv_notes(cv)) cat(strwrap(note, width = 100, exdent = 2), sep = "\n")
  invisible(x)
}
