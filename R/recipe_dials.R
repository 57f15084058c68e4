# Parameters of package dials, for tuning.

#' Tuning parameters for landmarks
#'
#' Parameter objects of package \pkg{dials} for the arguments `num_landmarks`, `bandwidth` and `method` of
#' [step_landmarks()]. tidymodels uses them automatically for arguments that are `tune()`. Call them to
#' change the range: `update(parameters, num_landmarks = num_landmarks(c(10L, 50L)))`.
#'
#' `landmark_bandwidth()` tunes over multiples of the sum of the columns' variances instead of numbers,
#' because the bandwidth is a squared distance and depends on the units. The multiples are approximately
#' evenly spaced on the log scale. Those near 1 come first, because `dials::grid_regular()` uses the first
#' values only. `"variance"` is reduced if it is too wide for the number of landmarks (see
#' [landmarks-kernel]). Other multiples are used as given, and may give fewer landmarks, with a warning.
#'
#' @param range Smallest and largest number of landmarks, two integers. Default: 5 to 100, for data of up to a
#'   few thousand rows. A number that exceeds the number of training rows is reduced to it, with a warning.
#' @param trans NULL, the default, or a transformation of package \pkg{scales}, such as
#'   `scales::transform_log2()`. The range is then on the transformed scale.
#' @param values For `landmark_bandwidth()`: bandwidth rules, strings as in [landmarks()]. Default: multiples
#'   of the variance from 0.1 to 10. For `landmark_method()`: names of methods. Default: methods that take
#'   seconds for thousands of rows and need no response.
#' @return A parameter object of \pkg{dials}: quantitative for `num_landmarks()`, qualitative for
#'   `landmark_bandwidth()` and `landmark_method()`.
#' @seealso [step_landmarks()], [landmark_net()]
#' @examplesIf requireNamespace("dials", quietly = TRUE)
#' num_landmarks(c(10L, 40L))
#' dials::grid_regular(num_landmarks(c(10L, 40L)), landmark_bandwidth(), levels = c(2, 3))
#' @export
num_landmarks <- function(range = c(5L, 100L), trans = NULL) {
  need_package("dials", "{.fn num_landmarks}")
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
  need_package("dials", "{.fn landmark_bandwidth}")
  check_values(values, "bandwidth rules, as strings", bandwidth_rule)
  dials::new_qual_param(type = "character", values = values, label = c(bandwidth = "Bandwidth"))
}

#' @rdname num_landmarks
#' @export
landmark_method <- function(values = c("gp", "kmeans", "dpp", "active", "random")) {
  need_package("dials", "{.fn landmark_method}")
  check_values(values, "names of methods, as strings", match_method)
  dials::new_qual_param(type = "character", values = values, label = c(method = "Method"))
}

# Strings that `check()` accepts, each by itself.
check_values <- function(values, what, check, call = rlang::caller_env()) {
  fails <- function(value) inherits(tryCatch(check(value), landmarker_error = identity), "landmarker_error")
  strings <- is.character(values) && length(values) > 0
  bad <- if (strings) Find(fails, values)
  check_that(strings && is.null(bad), values, "values", what, call = call,
    found = if (strings) "One of them is {describe(bad)}." else "It is {describe(values)}."
  )
}
