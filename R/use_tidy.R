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

#' Tidy landmarks
#'
#' Methods for the generics of package generics (broom): `tidy()` gives a row for each landmark, each column
#' of the data, or each coefficient, `glance()` one row for the fit, and `augment()` the data with the
#' nearest landmark and the predicted response of each row.
#'
#' Duplicated column names are made unique by a number: a column `distance` of the data becomes `distance_1`
#' in `tidy()`. `augment()` returns row names as a first column `.rownames`.
#'
#' @param x An object of class `landmarks`.
#' @param type For `tidy()`: `"landmarks"`, the default, `"columns"` of the data, or `"coefficients"` of the
#'   regression of [by_response()].
#' @param data,newdata For `augment()`: data with the columns of the fit. Supply one of the two. They are
#'   equivalent, because a fit does not store its data.
#' @param ... Not used; further arguments are an error.
#' @return A tibble, which can be used as a data frame without package tibble.
#'
#'   `tidy()`: the columns of [summary.landmarks()], then the coordinates, named as the columns of the data
#'   (`V1`, `V2`, ... if unnamed).
#'
#'   `tidy(type = "coefficients")`: `term`, which is `(Intercept)`, a landmark (`L1`, `L2`, ...), or a column
#'   of the data in the linear term; `estimate`; and for several classes, labels or responses `y.level`. For
#'   two classes the coefficients are those of the second.
#'
#'   `tidy(type = "columns")`, in normal scores with `scale = "ranks"`:
#'   * `column`: the name of the column. `sd`: its standard deviation.
#'   * `relevance`: its relevance weight (ARD weight) from [by_response()], else 1.
#'   * `distance`: its standard deviation after scaling and weighting, relative to the largest, which
#'     measures its influence on distances.
#'   * `slope`, for [by_response()] with dense data: the root mean squared derivative of the linear predictor
#'     with respect to the column, in units of the response per unit of the column. Squares are summed over
#'     several classes, labels or (standardized) numeric responses.
#'   * `effect`: `slope` times `sd`.
#'
#'   `glance()`: `landmarks`, `dimensions`, `kernel`, `bandwidth`; `on_data`, `explained`, `between` and
#'   `converged` (a number of landmarks, or NA), see [print.landmarks]; `log_det`, see [landmarks-object];
#'   `seconds`; and `nobs`, the number of rows. `explained` and `log_det` are NA for [by_response()], for
#'   which further columns are: `family`; `penalty`; `steps`; `held_out`, the number of held-out rows; their
#'   mean `loss`; and `measure`, `value` and `baseline`, the performance measure (RMSE for least
#'   squares), its value, and that of the null model.
#'
#'   `augment()`: the columns of the data (unless sparse), `.landmark` and `.distance`. For [by_response()]
#'   also the predictions, named as in parsnip: `.pred` for a number; `.pred_class` and probabilities such as
#'   `.pred_virginica` for classes; probabilities for labels; and `.novelty`, the posterior variance
#'   (`type = "variance"` of [predict.landmarks()]), 0 at a landmark and 1 far from all.
#' @section Errors:
#' All are of class `landmarker_error_input`. `landmarker_error_fit`: `x` is not a valid fit, or
#' `type = "coefficients"` without a response. `landmarker_error_data` and `landmarker_error_columns`: data
#' that are missing, given twice, or lack columns of the fit. `landmarker_error_chunks`: data in chunks.
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
  check_choice(type, c("landmarks", "coefficients", "columns"), "type")
  if (type == "columns") return(tidy_columns(x))
  if (type == "coefficients") {
    check_has_response(x, type, rlang::current_env())
    return(tidy_coefficients(x))
  }
  table <- summary(x)
  class(table) <- "data.frame"
  as_tibble_frame(beside(table, coordinate_frame(landmarks_in_units(x))))
}

#' @rdname tidy.landmarks
#' @export
glance.landmarks <- function(x, ...) {
  check_dots(...)
  check_object(x, "landmarks", "x")
  n <- nrow(x$landmarks)
  shown <- without_criteria(x)
  out <- data.frame(
    landmarks = n, dimensions = ncol(x$landmarks), kernel = x$kernel, bandwidth = x$bandwidth,
    on_data = sum(x$on_data), explained = shown$explained[n], between = x$between %||% NA_real_,
    log_det = shown$log_det, converged = if (all(is.na(x$moved))) NA_integer_ else sum(has_converged(x)),
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
  values <- function(type) predicted(x, new, list(type = type), NULL, call)
  near <- values("nearest")
  out <- data.frame(.landmark = near$landmark, .distance = near$distance)
  if (!is.null(x$response)) {
    check_values_memory(new, 6 * ncol(x$response$coefficients), call)
    predictions <- predictions_in_columns(x, new, compute_with(call), input$arg, call)
    out <- cbind(out, predictions, .novelty = values("variance"))
  }
  beside_data(input$data, padded(out, whole))
}

# Of a fit that left out rows with missing values, augment() gives such rows missing values.
incomplete_action <- function(fit) if (length(fit$na.action)) "na.exclude" else "na.fail"

# list(data, arg): the given one of `data` and `newdata`, two names for the same, and its name.
augmented_data <- function(data, newdata, call) {
  if (is.null(data) == is.null(newdata)) {
    found <- if (is.null(data)) "Neither is given." else "Both are given."
    rule <- "Exactly one of {.arg data} and {.arg newdata} must be given."
    abort_input(c(rule, x = found), "data", "data", call)
  }
  arg <- if (is.null(data)) "newdata" else "data"
  data <- data %||% newdata
  if (is_experiment(data)) return(list(data = data, arg = arg))
  data <- as_rows(if (methods::is(data, "denseMatrix")) as.matrix(data) else data, arg, call)
  refuse_chunks(data, arg, call)
  list(data = data, arg = arg)
}

# A tibble of the data and of what was computed for each row. Of a sparse matrix only what was computed is
# returned; of an experiment also the data of its columns, which are the observations.
beside_data <- function(data, new) {
  if (is_experiment(data)) data <- as.data.frame(SummarizedExperiment::colData(data))
  # Numbers of rows are no column.
  names <- if (!is.integer(attr(data, "row.names"))) rownames(data)
  if (!methods::is(data, "sparseMatrix")) new <- beside(as.data.frame(data), new)
  as_tibble_frame(if (is.null(names)) new else beside(data.frame(.rownames = names), new))
}
