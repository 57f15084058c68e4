# print() and summary() of a comparison.

#' @export
print.cv_landmarks <- function(x, digits = 4, ...) {
  check_cv(x)
  digits <- check_digits(digits)
  cat(cv_heading(x), "\n", sep = "")
  table <- cv_table(x, digits)
  if (any(grepl("(", unlist(table[-1]), fixed = TRUE))) cat("Means, with standard errors in parentheses:\n")
  cat("\n")
  print(table, row.names = FALSE, ...)
  cat("\nbest ", x$measure, ": ", row_names_of(x, x$best), best_lambda_words(x), "\n", sep = "")
  near <- within_error(x)
  if (length(near)) cat("within one standard error of it: ", paste(near, collapse = "; "), "\n", sep = "")
  for (note in cv_notes(x)) cat(strwrap(note, width = 100, exdent = 2), sep = "\n")
  invisible(x)
}

cv_heading <- function(x) {
  design <- if (x$kind == "folds") paste(x$folds, "folds") else "validation rows"
  model <- if (x$model == "classes") ", softmax" else ", one class against the rest"
  sprintf("Landmarks compared on %s %srows%s: %s, %d seed%s%s, %s",
    format(x$n_rows, big.mark = big_mark()), if (isTRUE(x$weighted)) "weighted " else "",
    if (x$n_test) paste0(" (", format(x$n_test, big.mark = big_mark()), " of them for the test)") else "",
    design, length(x$seeds), if (length(x$seeds) == 1) "" else "s", if (x$type == "classes") model else "",
    format_seconds(x$seconds)
  )
}

best_lambda_words <- function(x) {
  if (own_regressions(x)[best_row(x)]) return(", by its own regression")
  if (x$lambda_per_tag) return(", lambda chosen for each tag")
  paste0(", lambda = ", format_lambda(x$best$lambda))
}

# Which rows of the table were measured by a regression of the fit's own, which has no lambda.
own_regressions <- function(x) {
  of_row <- function(d) paste(d$method, d$n, d$bandwidth)
  own <- is.na(x$units$lambda) & is.na(x$units$problem) & !is.na(x$units$n)
  if (x$lambda_per_tag) own <- own & FALSE
  of_row(x$summary) %in% of_row(x$units[own, ])
}

# Notes below the table, a sentence each.
cv_notes <- function(x) {
  s <- x$summary
  wrong <- s[!is.na(s$problem), , drop = FALSE]
  rule <- if (x$nested) {
    "Lambda was chosen inside each training part, without the rows that are measured."
  } else {
    paste(
      "Lambda was chosen by the held-out rows that are measured, so their measures are slightly too good.",
      if (x$n_test) "The test rows were not used to choose it." else "nested = TRUE avoids that."
    )
  }
  c(
    if (length(x$na.action)) paste(how_many(length(x$na.action), "row"), "with missing values left out."),
    unlist(lapply(unique(wrong$problem), function(problem) {
      rows <- row_names_of(x, wrong[wrong$problem == problem, , drop = FALSE])
      sprintf("Not measured: %s. The error was: %s", paste(rows, collapse = "; "), problem)
    })),
    if (length(x$lambda) > 1 && !all(own_regressions(x))) {
      c(if (!x$lambda_per_tag) edge_note(s$lambda, x$lambda), rule)
    },
    if (x$kind == "validation" && length(x$seeds) > 1) {
      "Standard errors are over seeds, on the same rows. They leave out the variation between rows."
    }
  )
}

# Notes where rows of the table have their lambda at an end of the grid.
edge_note <- function(chosen, grid) {
  at <- function(end, word, other) {
    some <- sum(chosen == end, na.rm = TRUE)
    if (some == 0) return(NULL)
    sprintf("In %d of %d rows lambda is the %s of its grid, %s: a %s one may be better.", some,
      length(chosen),
      word, format_lambda(end), other)
  }
  c(at(min(grid), "smallest", "smaller"), at(max(grid), "largest", "larger"))
}

# For each method the smallest number that is within one standard error of the best.
within_error <- function(x) {
  s <- x$summary
  fine <- within_rows(x) %in% TRUE
  if (!any(fine)) return(character())
  s <- s[fine & !duplicated(ifelse(fine, s$method, paste("not", seq_len(nrow(s))))), , drop = FALSE]
  setdiff(row_names_of(x, s), row_names_of(x, x$best))
}

# Means and standard errors as text, measures in columns.
cv_table <- function(x, digits) {
  s <- x$summary
  out <- data.frame(method = s$method, n = ifelse(is.na(s$n), "", s$n))
  if (length(x$bandwidths) > 1) out$bandwidth <- ifelse(is.na(s$bandwidth), "", s$bandwidth)
  own <- own_regressions(x)
  if (!x$lambda_per_tag) out$lambda <- ifelse(own, "its own", format_lambda(s$lambda))
  with_error <- function(name) {
    # A squared error may have any size; all else is of the size of 1.
    plain <- function(v) formatC(v, digits, format = if (grepl("mse", name)) "g" else "f", flag = "#")
    error <- s[[paste0(name, "_se")]]
    shown <- ifelse(is.na(error), plain(s[[name]]), paste0(plain(s[[name]]), " (", plain(error), ")"))
    ifelse(is.na(s[[name]]), "", shown)
  }
  # The other measures of tags are in as.data.frame() alone.
  shown <- if (x$type == "tags") unique(c(x$measure, "auc", "map", "f")) else measure_names[[x$type]]
  for (m in shown) out[[m]] <- with_error(m)
  if (x$n_test) out[[paste("test", x$measure)]] <- with_error(paste0("test_", x$measure))
  if (any(!is.na(s$n) & s$features < s$n, na.rm = TRUE)) out$features <- signif(s$features, 4)
  out$seconds <- signif(s$seconds, 3)
  if (anyNA(s$seconds)) out$seconds <- ifelse(is.na(s$seconds), "", format(out$seconds))
  out
}

#' @rdname predict.cv_landmarks
#' @param row.names,optional Not used.
#' @export
as.data.frame.cv_landmarks <- function(x, row.names = NULL, optional = FALSE, type = "summary", ...) {
  check_dots(...)
  check_cv(x)
  # In as.data.frame(cv, "units") the string is the second argument of the generic, `row.names`.
  if (is.character(row.names) && length(row.names) == 1) type <- row.names
  x[[check_choice(type, c("summary", "units"), "type")]]
}

# ---- summary -------------------------------------------------------------------------

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
