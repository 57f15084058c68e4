# A model of package parsnip, so that by_response() takes part in workflows of tidymodels.

#' Radial basis function network for parsnip
#'
#' `landmark_net()` specifies a model of package \pkg{parsnip}: regression or classification by
#' [by_response()], a radial basis function network whose centers are landmarks. Use it in `workflow()`,
#' `fit_resamples()` and `tune_grid()`.
#'
#' The engine `"landmarker"` calls `fit_landmark_net()`, which calls [landmarks()] with `scale = TRUE`.
#' Factors among the predictors become indicator columns. Prediction types are `"numeric"` and `"pred_int"`
#' for regression, `"class"` and `"prob"` for classification, and `"raw"`. Case weights are used. Rows with
#' missing values or new factor levels have missing predictions.
#'
#' @param mode `"regression"` or `"classification"`.
#' @param engine `"landmarker"`.
#' @param num_landmarks Number of landmarks. Default NULL: 50, or a quarter of the rows if that is less. If it
#'   exceeds the number of training rows, that number is used, with a warning. For tuning: [num_landmarks()].
#' @param bandwidth The bandwidth of the kernel, as in [landmarks()]. Default NULL: it is estimated. For
#'   tuning: [landmark_bandwidth()].
#' @param penalty The ridge penalty, at least 0, see [by_response()]. Default NULL: it is selected on
#'   held-out rows. For tuning: `dials::penalty()`.
#' @param object A specification by `landmark_net()`.
#' @param parameters A tibble of parameters, as in the methods of \pkg{parsnip}.
#' @param fresh If `TRUE`, `update()` resets arguments that are not given to their defaults. Default `FALSE`.
#' @param x,y,weights Predictors, response and case weights, which \pkg{parsnip} supplies.
#' @param n The same as `num_landmarks`.
#' @param scale As in [landmarks()]. Default TRUE. Set it, or `kernel`, by
#'   `set_engine("landmarker", scale = "ranks")`.
#' @param ... For `fit_landmark_net()`: arguments of [by_response()], such as `iterations` or `family`, and
#'   of [landmarks()], such as `threads` or `na.action`, set by `set_engine()`. Otherwise not used.
#' @return `landmark_net()`: a model specification. `fit_landmark_net()`: a fit of class `landmarks`, the
#'   component `fit` of the fitted model.
#' @seealso [by_response()]; [step_landmarks()] for features of landmarks in a recipe
#' @examplesIf requireNamespace("parsnip", quietly = TRUE)
#' spec <- landmark_net("regression", num_landmarks = 10)
#' spec <- parsnip::set_engine(spec, "landmarker", iterations = 200)
#' set.seed(1)
#' fit <- parsnip::fit(spec, depth ~ lat + long, quakes)
#' head(predict(fit, quakes))
#' head(predict(fit, quakes, type = "pred_int", level = 0.9))
#' @export
landmark_net <- function(mode = "unknown", engine = "landmarker", num_landmarks = NULL, bandwidth = NULL,
                         penalty = NULL) {
  need_package("parsnip", "{.fn landmark_net}")
  args <- as.list(rlang::enquos(num_landmarks = num_landmarks, bandwidth = bandwidth, penalty = penalty))
  parsnip::new_model_spec(
    "landmark_net", args = args, eng_args = NULL, mode = mode, user_specified_mode = !missing(mode),
    method = NULL, engine = engine, user_specified_engine = !missing(engine)
  )
}

#' @importFrom stats update
#' @rdname landmark_net
#' @export
update.landmark_net <- function(object, parameters = NULL, num_landmarks = NULL, bandwidth = NULL,
                                penalty = NULL, fresh = FALSE, ...) {
  need_package("parsnip", "{.fn update}")
  args <- as.list(rlang::enquos(num_landmarks = num_landmarks, bandwidth = bandwidth, penalty = penalty))
  parsnip::update_spec(
    object = object, parameters = parameters, args_enquo_list = args, fresh = fresh, cls = "landmark_net", ...
  )
}

#' @rdname landmark_net
#' @export
fit_landmark_net <- function(x, y, weights = NULL, n = NULL, bandwidth = NULL, penalty = NULL, scale = TRUE,
                             ...) {
  further <- rlang::list2(...)
  # Numbers are a regression, however few they are.
  if (is.numeric(y) || is.data.frame(y)) further$family <- further$family %||% "gaussian"
  of_method <- names(further) %in% names(formals(by_response))
  method <- do.call(by_response, c(list(y = y, penalty = penalty), further[of_method]), quote = TRUE)
  n <- at_most_rows(n %||% max(2, min(50, NROW(x) %/% 4)), NROW(x), "num_landmarks", quote(landmark_net()))
  input <- list(x = x, n = n, method = method, scale = scale, weights = weights, bandwidth = bandwidth)
  landmarks_of_values(c(Filter(Negate(is.null), input), further[!of_method]))
}

# Tells parsnip of the model, once it is loaded. .onLoad() asks for it.
register_landmark_net <- function(...) {
  model <- "landmark_net"
  engine <- "landmarker"
  if (model %in% parsnip::get_model_env()$models) return(invisible())
  parsnip::set_new_model(model)
  for (mode in c("regression", "classification")) {
    parsnip::set_model_mode(model, mode)
    parsnip::set_model_engine(model, mode, engine)
    parsnip::set_dependency(model, engine, "landmarker", mode)
    parsnip::set_fit(model, mode, engine, list(
      interface = "data.frame", protect = c("x", "y", "weights"),
      func = c(pkg = "landmarker", fun = "fit_landmark_net"), defaults = list()
    ))
    parsnip::set_encoding(model, mode, engine, list(
      predictor_indicators = "none", compute_intercept = FALSE, remove_intercept = FALSE,
      allow_sparse_x = FALSE
    ))
  }
  tuned <- function(name, original, pkg, fun) {
    parsnip::set_model_arg(model, engine, name, original, list(pkg = pkg, fun = fun), has_submodel = FALSE)
  }
  tuned("num_landmarks", "n", "landmarker", "num_landmarks")
  tuned("bandwidth", "bandwidth", "landmarker", "landmark_bandwidth")
  tuned("penalty", "penalty", "dials", "penalty")
  of <- list(object = quote(object$fit), newdata = quote(new_data), na.action = quote(stats::na.pass))
  predict_as <- function(mode, as, ..., post = NULL) {
    value <- list(pre = NULL, post = post, func = c(fun = "predict"), args = c(of, list(...)))
    parsnip::set_pred(model, mode, engine, as, value)
  }
  predict_as("regression", "numeric", type = "response")
  predict_as("regression", "raw")
  predict_as("regression", "pred_int", interval = "prediction", level = quote(level),
    post = function(results, object) bounds_in_columns(results, object$fit$response$levels)
  )
  predict_as("classification", "class", type = "class")
  predict_as("classification", "raw")
  predict_as("classification", "prob", type = "prob",
    post = function(results, object) tibble::as_tibble(results, rownames = NULL)
  )
}

# Limits of intervals as parsnip names them: `.pred_lower` and `.pred_upper`, with the name of the outcome
# behind if there are several. `results`: columns fit, lwr and upr for each outcome.
bounds_in_columns <- function(results, outcomes) {
  out <- as.data.frame(unname(results))[seq_len(ncol(results)) %% 3 != 1]
  of <- if (is.null(outcomes)) "" else paste0("_", rep(outcomes, each = 2))
  tibble::as_tibble(stats::setNames(out, paste0(c(".pred_lower", ".pred_upper"), of)))
}
