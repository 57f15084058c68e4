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
#' `tidy()` gives a row for each landmark: what [summary.landmarks()] gives and
#' the coordinates. `glance()` gives one row for the fit. `augment()` gives the
#' data with each row's nearest landmark and its distance.
#'
#' @param x An object of class `landmarks`.
#' @param data For `augment()`: data with the columns that the fit was learned from.
#' @param ... Not used.
#' @return A data frame.
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
  cbind(out, as.data.frame(points, optional = TRUE))
}

#' @rdname tidy.landmarks
#' @export
glance.landmarks <- function(x, ...) {
  check_fit(x, "x")
  n <- nrow(x$landmarks)
  data.frame(
    landmarks = n, observations = x$n_rows, dimensions = ncol(x$landmarks),
    bandwidth = x$bandwidth, explained = x$explained[n], log_det = x$log_det,
    converged = sum(has_converged(x)), seconds = x$seconds
  )
}

#' @rdname tidy.landmarks
#' @export
augment.landmarks <- function(x, data, ...) {
  near <- stats::predict(x, data, "nearest")
  beside_data(data, data.frame(.landmark = near$landmark, .distance = near$distance))
}

# New columns take the place of those of the same names. A sparse matrix stays as it
# is: only what is new is given.
beside_data <- function(data, new) {
  if (methods::is(data, "sparseMatrix")) return(new)
  data <- as.data.frame(data)
  cbind(data[setdiff(names(data), names(new))], new)
}
