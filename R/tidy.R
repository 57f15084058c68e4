#' @importFrom generics tidy
#' @export
generics::tidy

#' @importFrom generics glance
#' @export
generics::glance

#' @importFrom generics augment
#' @export
generics::augment

#' Landmarks as tidy data frames
#'
#' Methods for the generics of package generics (broom). `tidy()` gives a row for each landmark with the
#' columns of [summary.landmarks()] and the coordinates. `glance()` gives one row for the fit. `augment()`
#' gives the data with each row's nearest landmark and its distance.
#'
#' All columns are kept. Where a name occurs twice, the later column gets a number. For data with a column
#' `distance`, `tidy()` returns the landmarks' coordinates in this column as `distance_1`. A second
#' `augment()` of the same data adds `.landmark_1` and `.distance_1`.
#'
#' @param x An object of class `landmarks`.
#' @param data,newdata For `augment()`: data with the columns that the fit was learned from. Give one of the
#'   two. They mean the same, because a fit does not keep its data.
#' @param ... Not used; for `augment()` an argument here is an error.
#' @return A data frame.
#'
#'   `tidy()`: the columns of [summary.landmarks()], then one for each column of the data (`V1`, `V2`, ...
#'   where these have no names).
#'
#'   `glance()`: `landmarks`, `observations`, `dimensions`, `bandwidth`; `on_data`, how many landmarks are on
#'   the data (see [landmarks()]); `explained`, the share of the kernel's variance that all landmarks
#'   explain, which grows with the bandwidth and is no measure of quality; `log_det` (see [landmarks()]);
#'   `converged`, how many landmarks have converged; and `seconds`.
#'
#'   `augment()`: the columns of the data (none of a sparse matrix), `.landmark` and `.distance`.
#' @examples
#' x <- sim_circles(300)
#' fit <- landmarks(x, 6, bandwidth = 0.5)
#' tidy(fit)
#' glance(fit)
#' head(augment(fit, x))
#' @name tidy.landmarks
NULL

#' @rdname tidy.landmarks
#' @export
tidy.landmarks <- function(x, ...) {
  out <- summary(x)
  class(out) <- "data.frame"
  points <- x$landmarks
  if (is.null(colnames(points))) colnames(points) <- paste0("V", seq_len(ncol(points)))
  beside(out, as.data.frame(points, optional = TRUE))
}

#' @rdname tidy.landmarks
#' @export
glance.landmarks <- function(x, ...) {
  check_fit(x, "x")
  n <- nrow(x$landmarks)
  data.frame(
    landmarks = n, observations = x$n_rows, dimensions = ncol(x$landmarks),
    bandwidth = x$bandwidth, on_data = sum(x$on_data), explained = x$explained[n], log_det = x$log_det,
    converged = sum(has_converged(x)), seconds = x$seconds
  )
}

#' @rdname tidy.landmarks
#' @export
augment.landmarks <- function(x, data = NULL, newdata = NULL, ...) {
  check_dots(...)
  check_fit(x, "x")
  data <- augmented_data(data, newdata)
  near <- stats::predict(x, data, "nearest")
  beside_data(data, data.frame(.landmark = near$landmark, .distance = near$distance))
}

# The given one of `data` and `newdata`, two names for the same.
augmented_data <- function(data, newdata, call = rlang::caller_env()) {
  if (is.null(data) == is.null(newdata)) {
    given <- if (is.null(data)) "Neither is given." else "Both are given."
    abort_input(c("One of {.arg data} and {.arg newdata} must be given, the data to augment.", x = given),
      arg = "newdata", kind = "data", call = call
    )
  }
  data <- data %||% newdata
  if (is_experiment(data)) return(data)
  data <- in_parts(data, "newdata", call)
  if (is_parted(data)) {
    abort_input(c(
      "{.fn augment} needs all rows in memory.",
      x = "{.arg newdata} has its rows in files or on workers.",
      i = "{.code predict(fit, newdata, \"nearest\")} gives the landmarks and distances alone."
    ), arg = "newdata", kind = "parts", call = call)
  }
  data
}

# A sparse matrix stays as it is: only what is new is given. Of an experiment, what is known of its columns.
beside_data <- function(data, new) {
  if (is_experiment(data)) data <- as.data.frame(SummarizedExperiment::colData(data))
  if (methods::is(data, "sparseMatrix")) new else beside(as.data.frame(data), new)
}

# Two data frames side by side; names of the second that would come twice get a number.
beside <- function(data, new) {
  all <- c(names(data), names(new))
  unique <- make.unique(all, sep = "_")
  names(new) <- unique[length(data) + seq_along(new)]
  cbind(data, new)
}
