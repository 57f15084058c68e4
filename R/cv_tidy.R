#' Comparisons as tidy tables
#'
#' Methods for the result of [cv_landmarks()] and the generics of package generics (broom). `tidy()` gives the
#' measures of all rows of the comparison, `glance()` one row for its best, and `augment()` predictions of the
#' best beside the data.
#'
#' @param x An object of class `cv_landmarks`.
#' @param data,newdata For `augment()`: data with the columns of the comparison, or of the right-hand side of
#'   its formula. Give one of the two. They mean the same, because a comparison does not keep its data.
#' @param ... Not used; an argument here is an error.
#' @return A tibble.
#'
#'   `tidy()`: a row for each method, number of landmarks, bandwidth, part and measure. Columns: `method`,
#'   `n`, `bandwidth`, `lambda`; `part`, `"held"` for held-out rows or `"test"` for test rows; `measure`;
#'   `estimate`, its mean over folds and seeds; `std.error`; `parts`, the number of held-out parts in the
#'   mean; and `best`, whether it is the best row of the comparison.
#'
#'   `glance()`: `method`, `n`, `bandwidth` and `lambda` of the best; `measure`, the one that chose it, with
#'   its `estimate` and `std.error`; `compared`, the number of rows in the table; `nobs`, the number of rows
#'   of the data without test rows and rows of weight 0, and `test`, the number of test rows; `folds` (1 for
#'   `validation` rows), `seeds`, and `seconds`.
#'
#'   `augment()`: the columns of the data (none of a sparse matrix); for classes `.pred_class`, a factor, and
#'   a column of probabilities for each class, `.pred_` with its name; for tags a column of probabilities
#'   for each; for numbers `.pred`.
#' @section Errors:
#' `augment()` needs a comparison with `refit = TRUE`. Its data are checked as `predict()` does.
#' @seealso [cv_landmarks()], [predict.cv_landmarks()], [summary.cv_landmarks()]
#' @examples
#' cv <- cv_landmarks(Species ~ ., data = iris, n = c(4, 8), folds = 3, seeds = 1, scale = TRUE,
#'   methods = list(gp = by_gp(), random = by_random())
#' )
#' as.data.frame(tidy(cv))
#' as.data.frame(glance(cv))
#' head(as.data.frame(augment(cv, iris)), 3)
#' @export
tidy.cv_landmarks <- function(x, ...) {
  check_dots(...)
  check_cv(x)
  parts <- c("held", if (x$n_test) "test")
  best <- best_row(x)
  rows <- lapply(seq_len(nrow(x$summary)), function(r) tidy_row(x, x$summary[r, ], parts, r == best))
  as_tibble_frame(do.call(rbind, rows))
}

# A row of the summary as a row for each part and measure.
tidy_row <- function(x, row, parts, best) {
  measures <- measure_names[[x$type]]
  units <- units_of_row(x, row)
  picked <- picked_units(units, x$measure)
  each <- lapply(parts, function(part) {
    names <- paste0(if (part == "test") "test_", measures)
    mine <- if (part == "test") tests_of(units, picked) else picked
    data.frame(
      row[c("method", "n", "bandwidth", "lambda")],
      part = part, measure = measures,
      estimate = unlist(row[names], use.names = FALSE),
      std.error = unlist(row[paste0(names, "_se")], use.names = FALSE),
      parts = vapply(measures, function(m) sum(!is.na(mine[[m]])), 0L),
      best = best, row.names = NULL
    )
  })
  do.call(rbind, each)
}

#' @rdname tidy.cv_landmarks
#' @export
glance.cv_landmarks <- function(x, ...) {
  check_dots(...)
  check_cv(x)
  best <- x$best
  as_tibble_frame(data.frame(
    best[c("method", "n", "bandwidth", "lambda")],
    measure = x$measure, estimate = best[[x$measure]], std.error = best[[paste0(x$measure, "_se")]],
    compared = nrow(x$summary), nobs = x$n_rows - x$n_test, test = x$n_test, folds = x$folds,
    seeds = length(x$seeds), seconds = x$seconds
  ))
}

#' @rdname tidy.cv_landmarks
#' @export
augment.cv_landmarks <- function(x, data = NULL, newdata = NULL, ...) {
  check_dots(...)
  check_cv(x, refitted = TRUE)
  call <- rlang::current_env()
  data <- augmented_data(data, newdata, call, "{.code predict(cv, {arg})} gives the predictions alone.")$data
  features <- stats::predict(x, data, "features")
  as_of <- function(as) predict_response(features, x$coefficients, x$link, x$type, x$levels, as)
  beside_data(data, prediction_columns(as_of, x$type, x$levels))
}
