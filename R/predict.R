#' Features, nearest landmarks and variances of new data
#'
#' @param object An object of class `landmarks`.
#' @param newdata Data with the columns of those that the landmarks were learned
#'   from, M rows: a matrix, a sparse matrix, or a data frame.
#' @param type
#'   * `"features"`, the default: \eqn{w(x) = [\phi_{t_1}(x) \ldots \phi_{t_n}(x)]}{w(x) = [phi_t1(x) .. phi_tn(x)]},
#'     \eqn{\phi_t(x) = \exp(-\|x - t\|^2/\eta)}{phi_t(x) = exp(-||x - t||^2 / eta)}.
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
  rlang::check_dots_empty()
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
      w <- .Call(C_features, new, object$landmarks, object$bandwidth, how)
      dimnames(w) <- list(names, landmark_names(object))
      w
    },
    nearest = {
      near <- .Call(C_nearest_landmark, new, object$landmarks, how)
      data.frame(landmark = near$landmark, distance = near$distance, row.names = names)
    },
    variance = {
      if (is.null(x)) {
        abort_input(c(
          "{.code type = \"variance\"} needs {.arg x}, the data that the kernel is made of.",
          i = "Give the data that the landmarks were learned from: {.code predict(fit, newdata, \"variance\", x = x)}."
        ), arg = "x", kind = "data")
      }
      data <- fit_source(object, x, weights, call = call)
      variance <- variance_left(data, object$landmarks, new, object$bandwidth, how)$left
      stats::setNames(variance, names)
    }
  )
}

landmark_names <- function(fit) paste0("L", seq_len(nrow(fit$landmarks)))

# A fit may have been edited, or read from a file that was cut.
check_fit <- function(fit, arg = "fit", call = rlang::caller_env()) {
  if (!inherits(fit, "landmarks") || !is.list(fit)) {
    abort_input(c(
      "{.arg {arg}} must be an object of class {.cls landmarks}.",
      x = "It is {describe(fit)}."
    ), arg = arg, kind = "fit", call = call)
  }
  need <- c("landmarks", "variance", "bandwidth", "space", "method", "center", "factor", "n_rows", "steps", "moved")
  absent <- setdiff(need, names(fit))
  wrong <- if (length(absent)) {
    "It has no {.field {absent}}."
  } else if (!is.matrix(fit$landmarks) || !is.double(fit$landmarks) || !all(is.finite(fit$landmarks)) || nrow(fit$landmarks) == 0) {
    "{.field landmarks} is not a matrix of finite numbers."
  } else if (!is_number(fit$bandwidth) || !is.finite(fit$bandwidth) || fit$bandwidth <= 0) {
    "{.field bandwidth} is not a number above 0."
  } else if (!sound_vector(fit$center, ncol(fit$landmarks)) || !sound_vector(fit$factor, ncol(fit$landmarks)) ||
    any(fit$factor <= 0)) {
    "{.field center} or {.field factor} does not fit its {ncol(fit$landmarks)} columns."
  } else if (length(fit$variance) != nrow(fit$landmarks) || length(fit$steps) != nrow(fit$landmarks) ||
    length(fit$moved) != nrow(fit$landmarks)) {
    "{.field variance}, {.field steps} or {.field moved} does not fit its {nrow(fit$landmarks)} landmarks."
  }
  if (!is.null(wrong)) {
    abort_input(c("{.arg {arg}} must be a whole fit, as {.fn landmarks} made it.", x = wrong),
      arg = arg, kind = "fit", call = call
    )
  }
  invisible(fit)
}

sound_vector <- function(v, length) is.double(v) && length(v) == length && all(is.finite(v))
