#' Features, nearest landmarks and variances of new data
#'
#' @param object An object of class `landmarks`.
#' @param newdata Data with the columns of those that the landmarks were learned
#'   from, M rows: a matrix, a sparse matrix, or a data frame.
#' @param type
#'   * `"features"`, the default: \eqn{w(x) = [\phi_{t_1}(x) \ldots \phi_{t_n}(x)]}{w(x) = [phi_t1(x) ..
#'     phi_tn(x)]},
#'     \eqn{\phi_t(x) = \exp(-\|x - t\|^2/\eta)}{phi_t(x) = exp(-||x - t||^2 / eta)}.
#'     All 0 says that the new data are far from every landmark: in other units, perhaps.
#'   * `"nearest"`: the nearest landmark and its distance.
#'   * `"variance"`: what variance the process has left at the new points given
#'     the landmarks, \eqn{V_n(x) = \frac1N \|(I - P_n)\phi(x)\|^2}{V_n(x) = (1/N) ||(I - P_n) phi(x)||^2}
#'     (Liang and Paisley, 2015, eq. 7, over N). It needs `x`.
#' @param x For `type = "variance"`: the data that the kernel is made of, those
#'   that the landmarks were learned from.
#' @param weights For `type = "variance"`: their weights, where the fit had some.
#' @param ... Not used; an argument here is an error.
#' @return For `"features"` a numeric matrix, M x n, of values in \[0, 1\] with
#'   columns `L1`, `L2`, ...; for `"nearest"` a data frame with `landmark` (the
#'   index) and `distance`, M rows, the distance in the data's units (after
#'   `scale`); for `"variance"` a numeric vector of length M.
#' @examples
#' x <- sim_circles(400)
#' fit <- landmarks(x[1:300, ], 10, bandwidth = 0.3)
#' w <- predict(fit, x[301:400, ])
#' dim(w)
#' head(predict(fit, x[301:400, ], "nearest"))
#' summary(predict(fit, x[301:400, ], "variance", x = x[1:300, ]))
#' @export
predict.landmarks <- function(object, newdata, type = "features", x = NULL, weights = NULL, ...) {
  check_dots(...)
  check_fit(object, "object")
  type <- check_choice(type, c("features", "nearest", "variance"), "type")
  if (missing(newdata)) {
    abort_input("{.arg newdata} must be given: a fit does not keep its data.", arg = "newdata", kind = "data")
  }
  call <- rlang::current_env()
  names <- rownames(newdata)
  new <- new_source(fit_data(object, newdata, "newdata", call), object$center, object$factor, call = call)
  how <- compute_with()
  if (is.data.frame(newdata) && is.integer(attr(newdata, "row.names"))) names <- NULL
  switch(type,
    features = {
      w <- features_over(new, object$landmarks, object$bandwidth, how)
      dimnames(w) <- list(names, landmark_names(object))
      w
    },
    nearest = {
      near <- nearest_landmark(new, object$landmarks, how)
      if (anyDuplicated(names) || anyNA(names)) names <- NULL
      data.frame(landmark = near$landmark, distance = near$distance, row.names = names)
    },
    variance = {
      if (is.null(x)) {
        abort_input(c(
          "{.code type = \"variance\"} needs {.arg x}, the data that the kernel is made of.",
          i = paste0(
            "Give the data that the landmarks were learned from: ",
            "{.code predict(fit, newdata, \"variance\", x = x)}."
          )
        ), arg = "x", kind = "data")
      }
      data <- fit_source(object, x, weights, call = call)
      variance <- variance_left(data, object$landmarks, new, object$bandwidth, how)$left
      stats::setNames(variance, names)
    }
  )
}

landmark_names <- function(fit) paste0("L", seq_len(nrow(fit$landmarks)))
