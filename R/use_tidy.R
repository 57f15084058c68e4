# Fits as tidy tables: tidy(), glance() and augment().

#' @importFrom generics tidy
#' @export
generics::tidy

#' @importFrom generics glance
#' @export
generics::glance

#' @importFrom generics augment
#' @export
generics::augment

#' Landmarks as tidy tables
#'
#' Methods for the generics of package generics (broom). `tidy()` gives a row for each landmark with the
#' columns of [summary.landmarks()] and the coordinates. `glance()` gives one row for the fit. `augment()`
#' gives the data with each row's nearest landmark and its distance, and with its predicted response where
#' the fit has learned one.
#'
#' The tables are tibbles. Package tibble prints them where it is installed, and R's own functions for data
#' frames work with them where it is not.
#'
#' All columns are kept. Where a name occurs twice, the later column gets a number. For data with a column
#' `distance`, `tidy()` returns the landmarks' coordinates in this column as `distance_1`. A second
#' `augment()` of the same data adds `.landmark_1` and `.distance_1`. Tibbles have no row names: `augment()`
#' gives those of the data as the first column, `.rownames`.
#'
#' @param x An object of class `landmarks`.
#' @param type For `tidy()`: `"landmarks"`, the default; `"columns"` for a row for each column of the data; or
#'   `"coefficients"` for the regression of a fit that has learned a response ([by_response()]).
#' @param data,newdata For `augment()`: data with the columns that the fit was learned from. Give one of the
#'   two. They mean the same, because a fit does not keep its data.
#' @param ... Not used; an argument here is an error.
#' @return A tibble.
#'
#'   `tidy()`: the columns of [summary.landmarks()], then one for each column of the data (`V1`, `V2`, ...
#'   where these have no names). With `type = "coefficients"`: `term`, which is `(Intercept)` or a landmark
#'   (`L1`, `L2`, ...), and `estimate`; for several classes and for tags also `y.level`, the class or tag.
#'   For two classes the coefficients are those of the second. Where there is a trend, its slopes follow, by
#'   the columns in the data's units.
#'
#'   With `type = "columns"`: `column`, its name; `sd`, its standard deviation; `relevance`, which
#'   [by_response()] has learned, 1 for other fits; `distance`, its standard deviation after `scale` and
#'   relevance, relative to the largest: how much distances depend on the column. With a response also
#'   `slope`, the root of the mean squared derivative of the scores by the column, over the rows and summed
#'   over the outputs, in units of the response by units of the column (of several numbers, each in its
#'   standard deviations); and `effect`, the slope times `sd`. With `scale = "ranks"` the columns are those of
#'   normal scores.
#'
#'   `glance()`: `landmarks`, `dimensions`, `kernel`, `bandwidth`; `on_data`, how many landmarks are on the
#'   data; `explained`, the share of the trace of the kernel matrix that all landmarks explain; `between`, the
#'   share of the data's variance that each row's nearest landmark explains; `log_det`, see
#'   [landmarks-object]
#'   (`explained` and `log_det` are NA for a fit by [by_response()]); `converged`, how many landmarks have
#'   converged, NA where no step was measured (see [print.landmarks] for these); `seconds`; and `nobs`, the
#'   number of rows of the data. A fit that has learned a response also has `family`; `penalty`; `steps`;
#'   `held_out`, the number of rows that were held out; `loss`, the mean loss of these rows; and their
#'   `measure`: the name and in `value` the number. Without held-out rows these are 0 and NA.
#'
#'   `augment()`: the columns of the data (none of a sparse matrix), `.landmark` and `.distance`. With a
#'   response the predictions follow, by the names that package parsnip uses: `.pred` for a number;
#'   `.pred_class` and a probability for each class, such as `.pred_virginica`, for classes (of a class named
#'   `class` it is `.pred_class_1`); a probability for each tag for tags; and at last `.novelty`, the variance
#'   that the landmarks leave, near 0 at a landmark and 1 far from all of them (`type = "variance"` of
#'   [predict.landmarks()]).
#' @section Errors:
#' All are of class `landmarker_error_input`. `landmarker_error_fit`: `x` is not a complete fit, or
#' `type = "coefficients"` and the fit has no response. `landmarker_error_data` and
#' `landmarker_error_columns`: data that are missing, given twice, or without the columns of the fit.
#' `landmarker_error_chunks`: data in chunks.
#' @seealso [tidy.landmark_graph()], [tidy.landmark_embedding()], [tidy.codebook()]
#' @examples
#' x <- sim_circles(300)
#' fit <- landmarks(x, 6, bandwidth = 0.5)
#' tidy(fit)
#' glance(fit)
#' head(augment(fit, x))
#' # With a response
#' set.seed(1)
#' fit <- landmarks(Species ~ ., data = iris, n = 4, method = by_response())
#' tidy(fit, "coefficients")
#' with <- augment(fit, iris)
#' head(with[c("Species", ".pred_class", ".pred_setosa")])
#' table(with$.pred_class, with$Species)
#' @name tidy.landmarks
NULL

#' @rdname tidy.landmarks
#' @export
tidy.landmarks <- function(x, type = "landmarks", ...) {
  check_dots(...)
  check_object(x, "landmarks", "x")
  type <- check_choice(type, c("landmarks", "coefficients", "columns"), "type")
  if (type == "columns") return(tidy_columns(x))
  if (type == "coefficients") {
    check_has_response(x, type, rlang::current_env())
    return(tidy_coefficients(x))
  }
  out <- summary(x)
  class(out) <- "data.frame"
  as_tibble_frame(beside(out, coordinate_frame(landmarks_in_units(x))))
}

#' @rdname tidy.landmarks
#' @export
glance.landmarks <- function(x, ...) {
  check_dots(...)
  check_object(x, "landmarks", "x")
  n <- nrow(x$landmarks)
  shown <- without_criteria(x)
  out <- data.frame(
    landmarks = n, dimensions = ncol(x$landmarks), kernel = x$kernel,
    bandwidth = x$bandwidth, on_data = sum(x$on_data), explained = shown$explained[n],
    between = x$between %||% NA_real_, log_det = shown$log_det,
    converged = if (all(is.na(x$moved))) NA_integer_ else sum(has_converged(x)),
    seconds = x$seconds, nobs = x$n_rows
  )
  as_tibble_frame(if (is.null(x$response)) out else cbind(out, glance_response(x$response)))
}

#' @rdname tidy.landmarks
#' @export
augment.landmarks <- function(x, data = NULL, newdata = NULL, ...) {
  check_dots(...)
  call <- rlang::current_env()
  check_object(x, "landmarks", "x")
  input <- augmented_data(data, newdata, call)
  whole <- forge(x, input$data, input$arg, call, incomplete_action(x), new = TRUE)
  new <- new_source(whole$x, x$center, x$factor, input$arg, call)
  near <- with_call(predicted(x, new, list(type = "nearest"), NULL, call), call)
  out <- data.frame(.landmark = near$landmark, .distance = near$distance)
  if (!is.null(x$response)) {
    left <- with_call(predicted(x, new, list(type = "variance"), NULL, call), call)
    check_values_memory(new, 6 * ncol(x$response$coefficients), call)
    predictions <- with_call(predictions_in_columns(x, new, compute_with(call), input$arg, call), call)
    out <- cbind(out, predictions, .novelty = left)
  }
  beside_data(input$data, padded(out, whole))
}

# How far rows are from all landmarks: the variance that these leave, one number for each row.
novelty_of_rows <- function(fit, data, arg, call) {
  whole <- forge(fit, data, arg, call, incomplete_action(fit), new = TRUE)
  new <- new_source(whole$x, fit$center, fit$factor, arg, call)
  padded(with_call(predicted(fit, new, list(type = "variance"), NULL, call), call), whole)
}

# Of a fit that left out rows with missing values, augment() gives such rows missing values.
incomplete_action <- function(fit) if (length(fit$na.action)) "na.exclude" else "na.fail"

# list(data, arg): the given one of `data` and `newdata`, two names for the same, and its name.
augmented_data <- function(data, newdata, call) {
  if (is.null(data) == is.null(newdata)) {
    input <- if (is.null(data)) "Neither is given." else "Both are given."
    abort_input(c("One of {.arg data} and {.arg newdata} must be given, the data to augment.", x = input),
      arg = "data", kind = "data", call = call
    )
  }
  arg <- if (is.null(data)) "newdata" else "data"
  data <- data %||% newdata
  if (methods::is(data, "denseMatrix")) data <- as.matrix(data)
  if (is_experiment(data)) return(list(data = data, arg = arg))
  data <- as_rows(data, arg, call)
  refuse_chunks(data, arg, call)
  list(data = data, arg = arg)
}

# A tibble of the data and of what was computed for each row. Of a sparse matrix only what was computed is
# returned; of an experiment also the data of its columns, which are the observations.
beside_data <- function(data, new) {
  if (is_experiment(data)) data <- as.data.frame(SummarizedExperiment::colData(data))
  names <- row_names(data)
  if (methods::is(data, "sparseMatrix")) {
    out <- new
  } else {
    out <- beside(as.data.frame(data), new)
  }
  if (!is.null(names)) out <- beside(data.frame(.rownames = names), out)
  as_tibble_frame(out)
}
