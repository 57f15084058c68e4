#' Predictions, features, nearest landmarks and variances of new data
#'
#' `predict()` compares new data with the landmarks of a fit. A fit by [by_response()] predicts its response,
#' with intervals on request. Every fit gives features for other models (Nystrom features, or the kernel
#' itself), the nearest landmark of each row, the posterior variance at each row, or the mean of a Gaussian
#' process whose values at the landmarks you give. Use the nearest landmark to group rows, the variance to
#' find rows that the landmarks represent poorly, and the mean to interpolate what is known at the landmarks
#' alone.
#'
#' @param object An object of class `landmarks`.
#' @param newdata Data with the same columns as the data that the landmarks were learned from, M rows: a
#'   matrix, a sparse matrix, a data frame, or data in chunks (see [chunked()]).
#' @param type NULL, the default, is `"class"` for a fit that has learned classes, `"response"` for one that
#'   has learned another response, and `"nystrom"` for all other fits.
#'   * `"features"`:
#'     \eqn{w(x) = [\phi_{t_1}(x) \ldots \phi_{t_n}(x)]}{w(x) = [phi_t1(x) .. phi_tn(x)]} with
#'     \eqn{\phi_t(x) = \exp(-\|x - t\|^2/\eta)}{phi_t(x) = exp(-||x - t||^2 / eta)}. Here
#'     \eqn{t_1, \ldots, t_n}{t_1 .. t_n} are the landmarks and \eqn{\eta}{eta} is the bandwidth. Features
#'     that are all 0 show that the new data are far from every landmark. Check their units.
#'   * `"nystrom"`: the Nystrom features \eqn{z(x) = L^{-1} k(x)}{z(x) = L^-1 k(x)}, where \eqn{k(x)} are the
#'     features and \eqn{W = LL'}{W = L L'} is the Cholesky factorization of the kernel of the landmarks with
#'     each other, in their order. So \eqn{z(x)'z(x') = k(x)'W^{-1}k(x')}{z(x)'z(x') = k(x)' W^-1 k(x')} is
#'     Nystrom's approximation of \eqn{K(x, x')}: linear methods on z are kernel methods. The features are
#'     nested: those of the first m landmarks are the first m columns. A landmark that depends on those before
#'     it up to rounding (2e-14 of the kernel's diagonal) has no column, so that the number of columns is the
#'     numerical rank of W.
#'   * `"response"`, `"class"` and `"prob"`: for a fit by [by_response()], the predicted response:
#'     probabilities of classes or tags, or numbers; the class with the largest probability, or the tags
#'     above their thresholds (for each tag the one with the largest F of held-out rows, see
#'     [summary.landmarks()]); and the probabilities of all classes or tags, also of two classes. For other
#'     thresholds compare the probabilities with yours.
#'   * `"set"`: the classes that contain the true one with the probability `level`, see "Intervals".
#'   * `"nearest"`: the nearest landmark and its distance.
#'   * `"variance"`: without `x`, the variance that the landmarks leave in the process with the Gaussian
#'     kernel itself (Liang and Paisley, 2015, eqs. 2 and 3), \eqn{1 - k(x)'W^{-1}k(x)}{1 - k(x)' W^-1 k(x)}.
#'     Here \eqn{k(x)} are the features and W the kernel of the landmarks with each other. It is 0 at a
#'     landmark and 1 far from all. [by_active()] takes the row where it is largest. It comes from the
#'     pivoted Cholesky factor of W: landmarks that depend on others up to rounding (2e-14) are left out.
#'     With `x`, the variance of their process over the data (eq. 7), given the
#'     landmarks, \eqn{V_n(x) = \frac1N \|(I - P_n)\phi(x)\|^2}{V_n(x) = (1/N) ||(I - P_n) phi(x)||^2}. Here
#'     \eqn{\phi(x)}{phi(x)} has the N values \eqn{\exp(-\|x - x_i\|^2/\eta)}{exp(-||x - x_i||^2 / eta)}, one
#'     for each row \eqn{x_i} of the argument `x`, and \eqn{P_n} projects on the span of
#'     \eqn{\phi(t_1), \ldots, \phi(t_n)}{phi(t_1) .. phi(t_n)}. With weights, entry i of each vector is
#'     multiplied by the square root of the weight of \eqn{x_i}.
#'   * `"mean"`: the mean of the process with the Gaussian kernel given its `values` y at the landmarks
#'     (eq. 2), \eqn{k(x)'W^{-1}y}{k(x)' W^-1 y}, with k(x) and W as above. It goes
#'     to 0 far from all landmarks: subtract the mean of the values first where 0 is not a likely value. Its
#'     variance, for a process of variance 1, is `"variance"` without `x`. At landmarks that are not near to
#'     each other it is y. Landmarks that are much nearer to each other than the root of the bandwidth nearly
#'     depend on each other: then the mean may swing between them, and where they depend on each other up to
#'     rounding it need not be y at them. Landmarks by [by_gp()] are seldom so near, random rows often. A very
#'     wide bandwidth has the same effect for any landmarks.
#' @param x For `type = "variance"`: the data that the landmarks were learned from, or NULL. From data in
#'   chunks a sample of the rows is used, see [chunked()].
#' @param weights For `type = "variance"` with `x`: the weights of its rows, where the fit had weights.
#' @param na.action What becomes of rows of `newdata` with missing values, as in [predict.lm()]:
#'   [na.fail][stats::na.fail()], the default, is an error that names the place of the first one.
#'   `na.pass` and `na.exclude` give such a row missing values in the result. `na.omit` leaves it out of the
#'   result, and names the other rows by their numbers where they have no names. An infinite value is an error
#'   in any case.
#' @param values For `type = "mean"`: the values at the landmarks, in their order, a numeric vector of length
#'   n, or a matrix of n rows with a column for each of several functions. Where it is given, `type` is
#'   `"mean"` by default. Missing values are an error: where landmark 3 has no value, leave it out by
#'   `predict(fit[-3], newdata, values = values[-3])`.
#' @param interval `"none"`, the default, or `"prediction"` for intervals of predicted numbers.
#' @param level The probability that an interval or a set contains the true value, above 0 and at most 1.
#'   Default 0.95, as in [predict.lm()].
#' @inheritParams landmarks
#' @param ... Not used; an argument here is an error.
#' @return For `"features"` a numeric matrix, M x n, of values in \[0, 1\] with columns `L1`, `L2`, ...; for
#'   `"nystrom"` too, of values in \[-1, 1\], without the columns of landmarks that depend on others; for
#'   `"response"` a numeric vector of length M for numbers and for two classes (the probability of the
#'   second; by `family = "multinomial"` a matrix), else a matrix with a column for each class or tag, as for
#'   `"prob"`; with an interval a matrix
#'   with columns `fit`, `lwr` and `upr` (of several numbers, these for each); for `"class"` a factor of
#'   length M, of tags a logical matrix; for `"set"` a logical matrix with a column for each class; for
#'   `"nearest"` a data frame with M rows and columns `landmark` (the number of the landmark) and `distance`
#'   (in the data's units, or between scaled columns where the fit has scaled them); for `"variance"` a
#'   numeric vector of length M; for `"mean"` too, or for a matrix of `values` a matrix with its columns.
#' @section Intervals:
#' The error of a prediction at x has the variance
#' \deqn{s(x)^2 = s^2 (1 + F(x) (F'F + \Lambda)^{-1} F(x)') + c\, (1 - k(x)'W^{-1}k(x)),}{
#' s(x)^2 = s2 (1 + F(x) (F'F + Lambda)^-1 F(x)') + c (1 - k(x)' W^-1 k(x)),}
#' where F has the intercept, the features and the trend of the rows, \eqn{\Lambda}{Lambda} the penalties,
#' \eqn{s^2}{s2} is the mean squared residual. The share c is estimated by maximum likelihood from the
#' residuals of held-out rows. The second term grows with the distance from the landmarks. The interval is
#' \eqn{f(x) \pm q\, s(x)}{f(x) -+ q s(x)}, where q is the \eqn{\lceil (m + 1)\, level \rceil}{ceiling((m +
#' 1) level)}-th smallest of the m held-out residuals divided by their s, as in split-conformal prediction. So
#' it covers new rows like those learned from with about the probability `level`, and errors need not be
#' normal. It is no guarantee: the residuals are those of models of fewer rows, which held-out rows have
#' helped to choose. With 50 landmarks, intervals of 0.9 covered 0.87 to 0.94 on average on nine tables, and
#' 0.66 in the worst split of a table with 100 useless columns. An interval is infinite where there are too
#' few held-out rows for the level. A set has the classes whose probability is at least that which a share
#' `level` of the held-out rows gave to their own class, and always the most probable one.
#'
#' Where all features of a row are about 0, the prediction is the trend, or the intercept, which need not be
#' near the mean response: a warning of class `landmarker_warning_far` has the number of such rows. A warning
#' of class `landmarker_warning_interval` says that intervals have no bounds, because there are too few
#' held-out rows for their level.
#' @section Features and penalties:
#' The kernel values `"features"` are nearly collinear, so that useful directions have small variance, and
#' penalized models shrink exactly these. Their penalty must be allowed to become very small, as in
#' [cv_landmarks()]; the grid of `glmnet::cv.glmnet()` ends too early. Nystrom features span the same
#' functions without this: least squares is the same, and default penalties suit them. On 12 tables with up to
#' 100 landmarks (means of three splits, `lambda.min`), ridge regression on Nystrom features had a test error
#' within 3 % (or .01 of the accuracy) of that of `cv_landmarks()` on 9, on the kernel values on 3; the lasso
#' on 10 and 10. Ridge regression had a test RMSE of 7.03 and 7.98 for `concrete`, where least squares has
#' 6.87, and a test accuracy of .78 and .69 for `vehicle`. `lambda.1se` lost up to a tenth with either.
#' @section Memory:
#' Values that would need more than `getOption("landmarker.memory")` are an error of class
#' `landmarker_error_memory` (see [landmarker-options]). New data in chunks (see [chunked()]) are read once,
#' one chunk at a time; values of all chunks that do not fit into memory are written by a loop over the
#' chunks, as `vignette("scale")` shows.
#' @references D. Liang and J. Paisley (2015). Landmarking manifolds with Gaussian processes. *Proceedings of
#'   the 32nd International Conference on Machine Learning*, PMLR 37, 466-474.
#' @examples
#' x <- sim_circles(400)
#' fit <- landmarks(x[1:300, ], 10, bandwidth = 0.3)
#' w <- predict(fit, x[301:400, ])
#' dim(w)
#' head(predict(fit, x[301:400, ], "nearest"))
#' summary(predict(fit, x[301:400, ], "variance", x = x[1:300, ]))
#' # What is known at the landmarks: their distance from the origin
#' known <- sqrt(rowSums(coef(fit)^2))
#' head(predict(fit, x[301:400, ], values = known))
#' # A response
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
  types <- c("features", "nystrom", "response", "class", "prob", "set", "nearest", "variance", "mean")
  usual <- switch(object$response$type %||% "none",
    none = "nystrom", classes = , binary = "class", "response"
  )
  type <- type %||% if (is.null(values)) usual else "mean"
  type <- check_choice(type, types, "type", remedy = response_remedy)
  interval <- check_choice(interval, c("none", "prediction"), "interval")
  level <- check_number(level, "level", 0, 1)
  if (missing(newdata)) {
    abort_input("{.arg newdata} must be given: a fit does not keep its data.", arg = "newdata", kind = "data")
  }
  action <- check_na_action(na.action, call, pass = TRUE)
  if (!is.null(x) && type != "variance") abort_other_type("x", "variance", type, call)
  if (!is.null(weights) && is.null(x)) {
    abort_input(c(
      "{.arg weights} are those of the rows of {.arg x}, which must be given as well.",
      x = "There is no {.arg x}."
    ), arg = "weights")
  }
  if (type %in% response_types) check_has_response(object, type, call)
  if (interval == "prediction") {
    if (type != "response") {
      abort_input(c(
        "{.code interval = \"prediction\"} needs {.code type = \"response\"}.",
        x = "{.arg type} is {.val {type}}."
      ), arg = "interval")
    }
    check_covers(object, "interval", call)
  }
  if (type == "set") check_covers(object, "set", call)
  wanted <- list(
    type = type, level = if (interval == "prediction" || type == "set") level,
    known = check_known_values(values, type, nrow(object$landmarks), call), as_vector = is.null(dim(values)),
    data = if (!is.null(x)) fit_source(object, x, weights)
  )
  newdata <- as_rows(newdata, "newdata", call, object$experiment)
  if (!is_chunked(newdata)) return(predict_rows(object, newdata, wanted, action, call))
  join_values(user_chunks(newdata, call), predict_chunk, object, wanted, action,
    call = call, names = rownames(newdata)
  )
}

predict_chunk <- function(rows, item, object, wanted, action) {
  value_of_chunk(predict_rows(object, rows, wanted, action, quote(predict())), rows)
}

# Predictions for rows in memory. `wanted`: list(type, level, known, as_vector, data), `known` what
# check_known_values() gives, and `data` the source of `x`, for the variance of the process over these data.
predict_rows <- function(object, rows, wanted, action, call) {
  input <- forge(object, rows, "newdata", call, action)
  new <- new_source(input$x, object$center, object$factor, call = call)
  columns <- if (wanted$type %in% c("features", "nystrom")) {
    nrow(object$landmarks)
  } else if (wanted$type %in% response_types) {
    6 * ncol(object$response$coefficients)
  } else {
    max(2, ncol(wanted$known))
  }
  check_values_memory(new, columns, call)
  names <- without_rows(input$names, input$omitted)
  padded(with_call(predicted(object, new, wanted, names, call), call), input)
}

# An error where the values of all new rows need too much memory. `columns`: how many numbers of a row are in
# memory at once.
check_values_memory <- function(new, columns, call) {
  rows <- new$dim[1]
  check_work(as.double(rows) * columns, "The values of {rows} rows need",
    "Predict some of the rows at a time, or in chunks by {.fn map_chunks}.", "newdata", call
  )
}

# The types that need a response.
response_types <- c("response", "class", "prob", "set")

# The values at n landmarks as a matrix, where the type is "mean"; else NULL.
check_known_values <- function(values, type, n, call) {
  if (type != "mean") {
    if (is.null(values)) return(NULL)
    abort_other_type("values", "mean", type, call)
  }
  numbers <- is.numeric(values) || (is.logical(values) && all(is.na(values)))
  shape <- length(dim(values)) %in% c(0, 2) && NROW(values) == n && NCOL(values) > 0
  if (!numbers || is.object(values) || !shape) {
    each <- if (n == 1) "a number for the one landmark" else "a number for each of the {n} landmarks"
    abort_input(c(
      paste0("{.arg values} must be ", each, ", or a matrix with a row for each."),
      x = "It is {describe(values)}."
    ), arg = "values", call = call)
  }
  unknown <- which(rowSums(is.na(as.matrix(values))) > 0)
  if (length(unknown)) {
    abort_input(c(
      "{.arg values} must have no missing values.",
      x = "{first_of_landmarks(unknown)} {cli::qty(length(unknown))}{?has/have} no value.",
      i = paste(
        "Leave landmarks without a value out of the fit and of the values:",
        "{.code fit[known]} and {.code values[known]}, with {.code known <- !is.na(values)}."
      )
    ), arg = "values", kind = "missing", call = call)
  }
  check_finite(as.matrix(values), "values", call)
  # Sums over many landmarks near to each other are up to n 1e8 times as large.
  largest <- max(abs(values))
  if (largest > 1e290) {
    abort_input(c(
      "{.arg values} must be at most 1e290 in size, so that their sums are within a computer's range.",
      x = "The largest is {signif(largest, 4)}.",
      i = "Give them in another unit."
    ), arg = "values", call = call)
  }
  if (is.matrix(values)) values + 0 else matrix(as.double(values), n, 1)
}

# The values of the rows of a source. `wanted`: see predict_rows(); some types need its `type` alone.
predicted <- function(object, new, wanted, names, call) {
  control <- compute_with()
  type <- wanted$type
  if (type %in% response_types) {
    return(response_of_fit(object, new, names, control, type, wanted$level, call))
  }
  kernel <- fit_kernel(object)
  if (type == "features") {
    w <- features_over(new, object$landmarks, kernel, control)
    dimnames(w) <- list(names, landmark_names(object))
    return(w)
  }
  if (type == "nystrom") {
    root <- kernel_root(object$landmarks, object, kernel, control, nrow(object$landmarks))
    z <- from_features(object, new, kernel, control, function(features) t(nystrom_features(features, root)))
    dimnames(z) <- list(names, landmark_names(object)[root$pivot])
    return(z)
  }
  if (type == "mean") {
    mean <- mean_of_kernel(object, wanted$known, new, kernel, control)
    dimnames(mean) <- list(names, colnames(wanted$known))
    return(if (wanted$as_vector) stats::setNames(mean[, 1], names) else mean)
  }
  if (type == "nearest") {
    near <- nearest_landmark(new, object$landmarks, control)
    if (anyDuplicated(names) || anyNA(names)) names <- NULL
    return(data.frame(landmark = near$landmark, distance = near$distance, row.names = names))
  }
  left <- if (is.null(wanted$data)) {
    variance_of_kernel(object, new, kernel, control)
  } else {
    variance_left(wanted$data, object$landmarks, new, kernel, control)
  }
  stats::setNames(left, names)
}

# The mean of the process with the Gaussian kernel given its values at the landmarks, b(x)'z with z = R'^-1
# values, a column for each of theirs.
mean_of_kernel <- function(fit, known, new, kernel, control) {
  root <- kernel_root(fit$landmarks, fit, kernel, control)
  z <- backsolve(root$factor, known[root$pivot, , drop = FALSE], transpose = TRUE)
  from_features(fit, new, kernel, control, function(features) crossprod(nystrom_features(features, root), z))
}

# The posterior variance of the process with the Gaussian kernel itself.
variance_of_kernel <- function(fit, new, kernel, control) {
  root <- kernel_root(fit$landmarks, fit, kernel, control)
  variance <- function(features) cbind(kernel_variance(features, root))
  as.double(from_features(fit, new, kernel, control, variance))
}

# What `f` makes of the features of new rows, a matrix with a row for each.
from_features <- function(fit, new, kernel, control, f) {
  in_row_blocks(new, nrow(fit$landmarks), function(some) {
    f(features_over(some, fit$landmarks, kernel, control))
  })
}
