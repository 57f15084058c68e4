#' Predictions and features from landmarks
#'
#' Predictions of a fit by [by_response()], with intervals; and for every fit, kernel features for other
#' models, the nearest landmark of each row, the posterior variance at each row, and interpolation of values
#' that are known at the landmarks.
#'
#' @param object An object of class `landmarks`.
#' @param newdata Data with the columns of the fit, M rows: a matrix, a sparse matrix, a data frame, or data
#'   in chunks (see [chunked()] and `vignette("scale")`).
#' @param type The default NULL is `"class"` for a fit by [by_response()] to classes, `"response"` for other
#'   responses, and `"nystrom"` for other methods. k(x) is the vector of kernel values \eqn{K(x, t_l)} at the
#'   landmarks \eqn{t_1, \ldots, t_n}{t_1 .. t_n}, and W the n x n matrix of \eqn{K(t_k, t_l)}.
#'   * `"nystrom"`: Nystrom features \eqn{z(x) = L^{-1} k(x)}{z(x) = L^-1 k(x)}, where
#'     \eqn{W = LL'}{W = L L'} is the Cholesky factorization. Inner products \eqn{z(x)'z(x') =
#'     k(x)'W^{-1}k(x')}{z(x)'z(x') = k(x)' W^-1 k(x')} approximate the kernel, so linear models of z are
#'     kernel models. The features of `fit[1:m]` are the first m columns. There is a column for each landmark,
#'     except for those that are redundant up to rounding.
#'   * `"features"`: the kernel values k(x), in \[0, 1\], also known as RBF features. If all are 0, the new
#'     data are far from every landmark: check their units.
#'   * `"response"`: the predicted response of [by_response()]: a number, or probabilities.
#'   * `"class"`: the most probable class; for multilabel responses, the labels above their thresholds (see
#'     [summary.landmarks()]).
#'   * `"prob"`: the probabilities of all classes or labels.
#'   * `"set"`: a prediction set: classes that include the true one with probability about `level`. Not for
#'     multilabel responses.
#'   * `"nearest"`: the nearest landmark and its distance.
#'   * `"variance"`: the posterior variance \eqn{1 - k(x)'W^{-1}k(x)}{1 - k(x)' W^-1 k(x)} of a Gaussian
#'     process with kernel K that is observed at the landmarks: 0 at a landmark, 1 far from all. It is a
#'     novelty score. If `x` is given, it is the posterior variance \eqn{V_n} of Liang and Paisley (2015), for
#'     a Gaussian process whose kernel is a sum over the rows of `x`; see [gp-criteria].
#'   * `"mean"`: the posterior mean \eqn{k(x)'W^{-1}y}{k(x)' W^-1 y} (the simple kriging predictor) given the
#'     `values` y at the landmarks. It is 0 far from all landmarks, so subtract the mean of y first if 0 is
#'     not plausible. It is unstable if landmarks are much closer to each other than the length scale, the
#'     square root of the bandwidth.
#' @param x,weights For `type = "variance"`: NULL, or the training data and their case weights. If `x` is data
#'   in chunks, a sample of the rows is used.
#' @param na.action How rows of `newdata` with missing values are handled: [na.fail][stats::na.fail()], the
#'   default, stops with an error; `na.pass` and `na.exclude` give missing results; `na.omit` drops the rows.
#'   Infinite values are always an error.
#' @param values For `type = "mean"`: the values at the landmarks, a numeric vector of length n, or a matrix
#'   with n rows and a column for each of several variables. If given, `type` defaults to `"mean"`. Drop
#'   landmarks with missing values: `predict(fit[-3], newdata, values = values[-3])`.
#' @param interval `"none"`, the default, or `"prediction"` for prediction intervals of a numeric response
#'   with family `"gaussian"` or `"huber"`.
#' @param level Nominal coverage of intervals and sets, above 0 and at most 1. Default 0.95.
#' @inheritParams landmarks
#' @param ... Not used; further arguments are an error.
#' @return Depending on `type`, for n landmarks and M rows:
#'   * `"nystrom"`, `"features"`: a numeric matrix with M rows and columns `L1`, `L2`, ...
#'   * `"response"`: a numeric vector of length M for a single numeric response or for two classes (the
#'     probability of the second); otherwise a matrix with a column for each class, label or numeric response.
#'     With `interval = "prediction"`, a matrix with columns `fit`, `lwr` and `upr`; for several responses,
#'     such as `a` and `b`, columns `a.fit`, `a.lwr`, `a.upr`, `b.fit` and so on.
#'   * `"class"`: a factor of length M; for multilabel responses a logical matrix.
#'   * `"prob"`, `"set"`: a numeric or logical matrix with a column for each class or label.
#'   * `"nearest"`: a data frame with M rows and columns `landmark` and `distance`, the distance
#'     after the columns are scaled (see `scale` in [landmarks()]).
#'   * `"variance"`, `"mean"`: a numeric vector of length M, or a matrix if `values` is a matrix.
#' @section Features and penalties:
#' Both `"nystrom"` and `"features"` give the same least-squares fit. Kernel values are nearly collinear, so
#' that a penalized model of them needs a very small penalty, such as those that [cv_landmarks()] tries. Ridge
#' regression on Nystrom features z is kernel ridge regression if z is not standardized:
#' `glmnet::cv.glmnet(z, y, alpha = 0, standardize = FALSE, lambda.min.ratio = 1e-6)`. The default grid
#' of penalties ends too early. Principal components
#' of the Nystrom features, `pc <- prcomp(predict(fit, x))`, are an approximate kernel PCA;
#' `predict(pc, predict(fit, newdata))` gives the scores of new rows.
#' @section Intervals:
#' The variance of the prediction error at x is modeled as
#' \deqn{s(x)^2 = s^2 (1 + F(x) (F'F + \Lambda)^{-1} F(x)') + c\, (1 - k(x)'W^{-1}k(x)),}{
#' s(x)^2 = s2 (1 + F(x) (F'F + Lambda)^-1 F(x)') + c (1 - k(x)' W^-1 k(x)),}
#' with the design matrix F (intercept, kernel features, linear term), the penalties \eqn{\Lambda}{Lambda},
#' the mean squared residual \eqn{s^2}{s2}, and c estimated by maximum likelihood from out-of-fold residuals.
#' The interval is \eqn{f(x) \pm q\, s(x)}{f(x) -+ q s(x)}, where q is the
#' \eqn{\lceil (m + 1)\, level \rceil}{ceiling((m + 1) level)}-th smallest of the m absolute out-of-fold
#' residuals, each divided by s at its row. With more than 10,000 rows this is split-conformal
#' prediction, except that the fold is also used for early stopping; with fewer, the final model is refitted
#' to all rows, as in a K-fold jackknife. A
#' prediction set consists of the most probable class and all classes whose probability is at least p, where p
#' is chosen so that the out-of-fold probability of the true class is at least p for a proportion `level` of
#' the held-out rows.
#'
#' Coverage is about `level` for new rows of the same population, whatever the error distribution. It is not
#' guaranteed, because the final model is tuned on all folds. With many irrelevant columns the coverage may be
#' too low.
#' If there are too few held-out rows for `level`, intervals are infinite (`landmarker_warning_interval`).
#' Far from all landmarks the prediction is the intercept plus the linear term, if there is one, and a warning
#' is given (`landmarker_warning_far`).
#' @references D. Liang and J. Paisley (2015). Landmarking manifolds with Gaussian processes. *Proceedings of
#'   the 32nd International Conference on Machine Learning*, PMLR 37, 466-474.
#' @examples
#' x <- sim_circles(400)
#' fit <- landmarks(x[1:300, ], 10, bandwidth = 0.3)
#' z <- predict(fit, x[301:400, ])
#' dim(z)
#' head(predict(fit, x[301:400, ], "nearest"))
#' summary(predict(fit, x[301:400, ], "variance"))
#' # Interpolate values at the landmarks: their distance from the origin
#' known <- sqrt(rowSums(coef(fit)^2))
#' head(predict(fit, x[301:400, ], values = known))
#' # A regression by by_response(), with prediction intervals
#' set.seed(1)
#' fit <- landmarks(dist ~ speed, cars, 4, by_response(iterations = 300))
#' predict(fit, data.frame(speed = c(5, 15, 25)), interval = "prediction", level = 0.9)
#' @export
predict.landmarks <- function(object, newdata, type = NULL, x = NULL, weights = NULL,
                              na.action = stats::na.fail, ..., values = NULL, interval = "none",
                              level = 0.95, threads = NULL, verbose = NULL) {
  check_dots(...)
  local_compute(threads, verbose)
  check_object(object, "landmarks", "object")
  call <- rlang::current_env()
  check_choice(interval, c("none", "prediction"), "interval")
  usual <- switch(object$response$type %||% "none",
    none = "nystrom", classes = , binary = "class", "response"
  )
  if (!is.null(values)) usual <- "mean"
  if (interval == "prediction") usual <- "response"
  type <- type %||% usual
  types <- c("features", "nystrom", response_types, "nearest", "variance", "mean")
  check_choice(type, types, "type", remedy = response_remedy)
  check_that(!missing(newdata), NULL, "newdata", "given", "data", found = "Fits do not store their data.")
  action <- check_na_action(na.action, call, pass = TRUE)
  if (type %in% response_types && interval == "none") check_has_response(object, type, call)
  level <- check_number(level, "level", 0, 1)
  check_options_of_type(type, x, weights, values, interval, level, call)
  if (interval == "none" && type != "set") level <- NULL
  if (!is.null(level)) check_covers(object, if (type == "set") "set" else "interval", call)
  wanted <- list(
    type = type, level = level, known = check_known_values(values, type, nrow(object$landmarks), call),
    as_vector = length(dim(values)) < 2, data = if (!is.null(x)) fit_source(object, x, weights)
  )
  newdata <- as_rows(newdata, "newdata", call, object$experiment)
  if (!is_chunked(newdata)) return(predict_rows(object, newdata, wanted, action, call))
  join_values(user_chunks(newdata, call), predict_chunk, object, wanted, action,
    call = call, names = rownames(newdata)
  )
}

# An error for an argument that the type of a prediction does not use. A `level` of 0.95, the default, says
# nothing.
check_options_of_type <- function(type, x, weights, values, interval, level, call) {
  if (!is.null(x) && type != "variance") abort_other_type("x", "variance", type, call)
  if (!is.null(values) && type != "mean") abort_other_type("values", "mean", type, call)
  if (interval == "prediction" && type != "response") abort_other_type("interval", "response", type, call)
  rule <- "NULL without {.arg x}, whose rows they weight"
  check_that(is.null(weights) || !is.null(x), weights, "weights", rule, call = call)
  used <- level == 0.95 || interval == "prediction" || type == "set"
  rule <- "left out unless {.code interval = \"prediction\"} or {.code type = \"set\"}"
  check_that(used, level, "level", rule, call = call)
}

predict_chunk <- function(rows, item, object, wanted, action) {
  value_of_chunk(predict_rows(object, rows, wanted, action, quote(predict())), rows)
}

# Predictions for rows in memory. `wanted`: list(type, level, known, as_vector, data), `known` what
# check_known_values() gives, and `data` the source of `x`, for the variance of the process over these data.
predict_rows <- function(object, rows, wanted, action, call, arg = "newdata") {
  input <- forge(object, rows, arg, call, action, new = TRUE)
  new <- new_source(input$x, object$center, object$factor, arg, call)
  columns <- switch(wanted$type,
    features = , nystrom = nrow(object$landmarks), nearest = , variance = 2, mean = ncol(wanted$known),
    6 * ncol(object$response$coefficients)
  )
  check_values_memory(new, columns, call)
  names <- without_rows(input$names, input$omitted)
  padded(predicted(object, new, wanted, names, call), input)
}

# An error if the values of all new rows need too much memory. `columns`: how many numbers of a row are in
# memory at once.
check_values_memory <- function(new, columns, call) {
  rows <- new$dim[1]
  check_memory(as.double(rows) * columns, "The predictions for {rows} row{?s} need",
    "Predict some of the rows at a time, or use {.fn map_chunks}.", "newdata", call
  )
}

# The types that need a response.
response_types <- c("response", "class", "prob", "set")

# The values at n landmarks as a matrix if the type is "mean"; else NULL.
check_known_values <- function(values, type, n, call) {
  if (type != "mean") return(NULL)
  values <- plain_vector(values)
  numbers <- is.numeric(values) || (is.logical(values) && all(is.na(values)))
  shape <- length(dim(values)) %in% c(0, 2) && NROW(values) == n && NCOL(values) > 0
  rule <- "one number for each of the {n} landmark{?s}, or a matrix with a row for each"
  check_that(numbers && !is.object(values) && shape, values, "values", rule, call = call)
  known <- if (is.matrix(values)) values + 0 else matrix(as.double(values), n, 1)
  bad <- which(rowSums(is.na(known)) > 0)
  check_that(length(bad) == 0, values, "values", "not have missing values", "missing", call,
    "Leave these out: {.code fit[known]} and {.code values[known]}, with {.code known <- !is.na(values)}.",
    "{first_of_landmarks(bad)} {cli::qty(length(bad))}{?has/have} no value."
  )
  # Sums over many landmarks near to each other are up to n 1e8 times as large.
  rule <- "at most 1e290 in absolute value"
  found <- "The largest is {signif(max(abs(known)), 4)}."
  check_that(max(abs(known)) <= 1e290, values, "values", rule, call = call, found = found)
  known
}

# The values of the rows of a source. `wanted`: see predict_rows(); some types need its `type` alone.
predicted <- function(object, new, wanted, names, call) {
  control <- compute_with()
  kernel <- fit_kernel(object)
  columns <- landmark_names(object)
  out <- switch(wanted$type,
    features = features_over(new, object$landmarks, kernel, control),
    nystrom = {
      root <- kernel_root(object$landmarks, object, kernel, control, nrow(object$landmarks))
      columns <- columns[root$pivot]
      nystrom_features(new, object$landmarks, root, kernel, control)
    },
    mean = {
      columns <- colnames(wanted$known)
      mean_of_kernel(object, wanted$known, new, kernel, control)
    },
    nearest = {
      near <- nearest_landmark(new, object$landmarks, control)
      if (anyDuplicated(names) || anyNA(names)) names <- NULL
      return(data.frame(landmark = near$landmark, distance = near$distance, row.names = names))
    },
    variance = cbind(if (is.null(wanted$data)) {
      variance_of_kernel(object, new, kernel, control)
    } else {
      variance_left(wanted$data, object$landmarks, new, kernel, control)
    }),
    return(response_of_fit(object, new, names, control, wanted$type, wanted$level, call))
  )
  vector <- wanted$type == "variance" || (wanted$type == "mean" && wanted$as_vector)
  if (vector) return(stats::setNames(out[, 1], names))
  dimnames(out) <- list(names, columns)
  out
}

# The mean of the process with the Gaussian kernel given its values at the landmarks, b(x)'z with z = R'^-1
# values, a column for each of theirs.
mean_of_kernel <- function(fit, known, new, kernel, control) {
  root <- kernel_root(fit$landmarks, fit, kernel, control)
  z <- backsolve(root$factor, known[root$pivot, , drop = FALSE], transpose = TRUE)
  in_row_blocks(new, nrow(fit$landmarks), function(some) {
    nystrom_features(some, fit$landmarks, root, kernel, control) %*% z
  })
}

# The posterior variance of the process with the Gaussian kernel itself.
variance_of_kernel <- function(fit, new, kernel, control) {
  root <- kernel_root(fit$landmarks, fit, kernel, control)
  as.double(in_row_blocks(new, nrow(fit$landmarks), function(some) {
    cbind(kernel_variance(some, fit$landmarks, root, kernel, control))
  }))
}
