# Parameters of package dials, for tuning.

#' Parameters for tuning landmarks
#'
#' These functions make parameter objects of package \pkg{dials} for the arguments `num_landmarks`,
#' `bandwidth` and `method` of [step_landmarks()]. tidymodels finds them by itself where these arguments are
#' `tune()`. Call them to change the range: `update(parameters, num_landmarks = num_landmarks(c(10L, 50L)))`.
#'
#' The bandwidth is a squared distance, so a good number depends on the units of the columns and on how many
#' there are. The parameter therefore has rules and no numbers: multiples of the sum of the columns'
#' variances, which hold for any data. Each value can be given to [landmarks()] as it is. The multiples are
#' about evenly spaced on the log scale. Those near 1 come first, because `dials::grid_regular()` takes the
#' first values. The multiple 1 stands as `"variance"`, the default of [landmarks()], which is narrowed where
#' it is too wide for the number of landmarks. The other multiples are used as given. Where one is too wide
#' for the number of landmarks, fewer landmarks are found, with a warning.
#'
#' @param range The smallest and the largest number of landmarks, two whole numbers. Default 5 to 100:
#'   fewer separate few groups only, and the gain of more is small for the tables of a few thousand rows that
#'   recipes are made for. Where there are fewer training rows, as many landmarks as rows are used, with a
#'   warning.
#' @param trans NULL, the default, or a transformation of package \pkg{scales}, such as
#'   `scales::transform_log2()`. The range is then given after the transformation.
#' @param values For `landmark_bandwidth()` the rules to choose from, strings as in [landmarks()]. Default:
#'   multiples from 0.1 to 10 of the variance. For `landmark_method()` the names of methods to choose from.
#'   Default: the methods that take seconds for thousands of rows and need no response.
#' @return A parameter object of \pkg{dials}: quantitative for `num_landmarks()`, qualitative for
#'   `landmark_bandwidth()` and `landmark_method()`.
#' @seealso [step_landmarks()]
#' @examplesIf requireNamespace("dials", quietly = TRUE)
#' num_landmarks(c(10L, 40L))
#' dials::grid_regular(num_landmarks(c(10L, 40L)), landmark_bandwidth(), levels = c(2, 3))
#' @export
num_landmarks <- function(range = c(5L, 100L), trans = NULL) {
  need_package("dials", "num_landmarks()")
  dials::new_quant_param(
    type = "integer", range = range, inclusive = c(TRUE, TRUE), trans = trans,
    label = c(num_landmarks = "# Landmarks"), finalize = NULL
  )
}

#' @rdname num_landmarks
#' @export
landmark_bandwidth <- function(values = c(
                                 "variance", "0.5 * variance", "2 * variance", "0.2 * variance",
                                 "5 * variance", "0.1 * variance", "10 * variance"
                               )) {
  need_package("dials", "landmark_bandwidth()")
  check_values(values, "rules of the bandwidth", bandwidth_rule)
  dials::new_qual_param(type = "character", values = values, label = c(bandwidth = "Bandwidth"))
}

#' @rdname num_landmarks
#' @export
landmark_method <- function(values = c("gp", "kmeans", "dpp", "active", "random")) {
  need_package("dials", "landmark_method()")
  check_values(values, "names of methods", match_method)
  dials::new_qual_param(type = "character", values = values, label = c(method = "Method"))
}

# Strings that `check()` accepts, each by itself.
check_values <- function(values, what, check, call = rlang::caller_env()) {
  refuse <- function(found, value, cause = NULL) {
    abort_input(c("{.arg values} must be strings, {what}.", x = "{found} {describe(value)}."),
      arg = "values", call = call, parent = cause
    )
  }
  if (!is.character(values) || length(values) == 0) refuse("It is", values)
  for (value in values) {
    tryCatch(check(value), landmarker_error = function(e) refuse("One of them is", value, e))
  }
}
