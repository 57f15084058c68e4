#' Comparison of landmarks by what they predict
#'
#' `cv_landmarks()` compares methods, numbers of landmarks and bandwidths by cross-validation. It learns
#' landmarks from the training rows of each fold alone, maps the data to their features \eqn{\phi(x)}{phi(x)},
#' fits regressions of `y` on the features, and measures the predictions on the rows that were held out. Use
#' it to choose a method, `n` and `bandwidth` for prediction, and to estimate how well they predict. Landmarks
#' of [by_response()] have a regression of their own, with a penalty that they choose themselves: it is this
#' model that is measured.
#'
#' The regressions are L2-penalized. They minimize over coefficients w and an intercept b
#' \deqn{\sum_i \mathrm{loss}(y_i, b + w'\phi(x_i)) + \frac{\lambda}{2}\|w\|^2,}{
#'   sum_i loss(y_i, b + w'phi(x_i)) + lambda/2 ||w||^2,}
#' the convention of Liang and Paisley (2015): softmax or logistic regression for classes and tags, least
#' squares for numbers. [cv-regressions] has the losses, the grid and the choice of lambda. [cv-measures] has
#' the measures, and what weights and formulas mean.
#'
#' @param x The data, as in [landmarks()]: a matrix, a sparse matrix or a data frame, N x d; or a formula with
#'   the response on its left-hand side.
#' @param data For a formula: a data frame with its variables, N rows.
#' @param y The response, N values: a factor (or strings), numbers, 0/1 or logical, or a 0/1 matrix with a
#'   column for each tag. A warning is given where a column of `x` has its values.
#' @param n Numbers of landmarks, whole numbers. NULL, the default, is 50, 75 and 100; with fewer than 500
#'   rows a half, three quarters and all of a fifth of the rows.
#' @param methods A named list of method objects such as [by_gp()], their names, [nmf_features()],
#'   [raw_features()], [with_data()], or functions of your own (see [cv-measures]). [by_response()] and
#'   [by_class()] get the response of the training rows: leave their `y` out. The default is
#'   [by_gp()], active learning among 5,000 rows as in Liang and Paisley (2015), random rows, and
#'   [by_response()].
#' @param lambda Penalties, numbers above 0. NULL, the default, is a grid made for the data.
#' @param bandwidth Bandwidths, as in [landmarks()]: numbers, rules such as `c("variance", "2 * variance")`,
#'   or a list of both. Each has a row of the table. Functions use none. If it is missing, [by_response()]
#'   learns its own.
#' @param folds Number of folds (default 5, because each costs a fit of landmarks), or the fold of each row.
#'   Folds are drawn anew for each seed, evenly in each class. A class needs two rows.
#' @param test Rows, as numbers or `TRUE`, that are set aside: they are used neither for landmarks nor for
#'   lambda, and measured too.
#' @param seeds Whole numbers, one repetition for each; or NULL (default) for one, whose seed is drawn from
#'   R's stream. The results are the same for any number of processes.
#' @param measure The measure that chooses the best row, see [cv-measures]. NULL, the default, is `"accuracy"`
#'   for classes, `"mse"` for numbers and `"auc"` for tags.
#' @param nested `TRUE` chooses lambda inside each training part, so that the measured rows take no part in
#'   the choice. Default `FALSE`.
#' @param weights Weights of the rows, as in [landmarks()]; NULL, the default, for equal ones.
#' @param groups A value for each row: the subject, patient or place that it belongs to, or NULL (default) for
#'   independent rows. Folds have whole groups, also those inside the training rows of `nested = TRUE`, and
#'   [by_response()] gets the groups of its training rows. With a formula it may be a column of `data`.
#' @param na.action For a formula, as in [landmarks()]. The default is an error. With `na.omit`, `folds`,
#'   `validation`, `test` and `train` cannot number the rows.
#' @param subset For a formula, as in [landmarks()]. `folds`, `validation`, `test` and `train` then number the
#'   rows of the subset.
#' @param ... Further options, by name:
#'   * `space` and `scale` of [landmarks()], for all methods. Several values of `scale`, such as
#'     `scale = c("sd", "ranks")`, are compared: each method has a row of the table for each of them.
#'   * `classes`, for three or more classes: `"softmax"` (default) or `"one_vs_rest"` regressions.
#'   * `validation`, `train`: rows that are held out, instead of folds, and learned from (default all others).
#'   * `top`, for tags: how many tags each row is annotated with. Default 10, as in the paper, or the mean
#'     number of tags of a row where there are at most 10.
#'   * `lambda_measure`: the measure that chooses lambda, by default `"deviance"` for classes and tags, and
#'     `"mse"` for numbers. Accuracy, which Liang and Paisley (2015) use, is often the same for many
#'     penalties, also for some with bad probabilities.
#'   * `lambda_per_tag`: `TRUE` chooses a lambda for each tag, nested. Default `FALSE`.
#'   * `refit`: whether to learn the best row of the table again from all rows except `test`, for `predict()`
#'     and `coef()`. Default `TRUE`.
#'   * `threads`, `verbose`: as in [landmarks()]. Daemons use one thread each, see below.
#'
#'   For a formula also all arguments from `n` to `nested`.
#' @return An object of class `cv_landmarks`, a plain list:
#' * `summary`: a data frame with a row for each method, number and bandwidth: `lambda`; the mean of each
#'   measure, its standard error `_se`, and both on `test` rows with prefix `test_`; `features`, their mean
#'   number (below `n` where fewer landmarks were found); `seconds` to learn, the mean over fits (a fit that
#'   serves several rows of the table counts whole for each); `problem`, the error of a method, or NA.
#' * `units`: the same for each seed, fold and lambda. `part` is `"held"`, `"test"` or, where nested,
#'   `"inner"`.
#' * `best`: the row of `summary` with the best `measure`; `fit`, `coefficients` and (for `lambda_per_tag`)
#'   `tag_lambda` of this row, learned again from all rows except `test`.
#' * `lambda`: the grid. `compared`: the methods in words. `seconds`: in all. `version`: of this package.
#'
#' `as.data.frame()` gives `summary`, and with `type = "units"` the long table.
#' @seealso [summary.cv_landmarks()], [plot.cv_landmarks()], [predict.cv_landmarks()] and `coef()`,
#'   [tidy.cv_landmarks()]
#' @section Several processes:
#' The fits are computed by the daemons of package \pkg{mirai} (2.3.0 or later) where there are any. Call
#' `mirai::daemons(4)` before for four processes, and `mirai::daemons(0)` afterwards. Daemons may also run on
#' other machines, see [mirai::daemons()]. The results are those of one process, to the last digit on
#' processors of one kind. Each daemon needs the same version of this package in its library, and memory for a
#' copy of the data. It computes with one thread, unless its own option `landmarker.threads` is another
#' number.
#'
#' A function of your own among the `methods` gets to the daemons without the objects and the attached
#' packages of your session. Write `pkg::fun()`, and keep what else the function uses in its environment, as
#' `tries` here:
#'
#' ```r
#' mirai::daemons(4)
#' centers <- local({
#'   tries <- 5
#'   function(x, n) landmarker::as_landmarks(stats::kmeans(x, n, nstart = tries)$centers, x)
#' })
#' cv_landmarks(x, y, methods = list(centers = centers, gp = by_gp()))
#' mirai::daemons(0)
#' ```
#'
#' Or bring it to all daemons by [mirai::everywhere()], such as a `predict()` method for a class of your own:
#' `mirai::everywhere(registerS3method("predict", "my_class", method), method = predict.my_class)`.
#'
#' @section Errors:
#' A method that fails has no measures, and a warning (`landmarker_warning_method`) names it. If all fail, it
#' is an error (`landmarker_error_method`). See [landmarker-conditions].
#' @examples
#' pixels <- digits$images[1:300, ] / 255
#' cv <- cv_landmarks(pixels, digits$labels[1:300],
#'   n = c(10, 20), methods = list(gp = by_gp(), random = by_random()),
#'   folds = 2, seeds = 1, space = "nonnegative"
#' )
#' cv
#' plot(cv)
#' table(predict(cv, pixels[1:50, ]), digits$labels[1:50])
#'
#' # Numbers by a formula, several bandwidths, lambda chosen inside each training part
#' cv_landmarks(mag ~ lat + long + depth + stations, data = quakes,
#'   n = 10, methods = by_gp(), bandwidth = c("variance", "3 * variance"), folds = 3, seeds = 1,
#'   nested = TRUE, scale = TRUE
#' )
#'
#' # Weights, a column of the data
#' cars <- transform(mtcars, sold = seq_len(nrow(mtcars)))
#' cv <- cv_landmarks(mpg ~ wt + hp + factor(cyl), data = cars, weights = sold,
#'   n = c(4, 8), methods = by_kmeans(), folds = 4, seeds = 1, scale = TRUE
#' )
#' cv
#' predict(cv, data.frame(wt = 2.5, hp = 100, cyl = 4))
#' @export
cv_landmarks <- function(x, ...) UseMethod("cv_landmarks")

#' @rdname cv_landmarks
#' @export
cv_landmarks.default <- function(x, y, n = NULL,
                                 methods = list(
                                   gp = by_gp(), active = by_active(5000), random = by_random(),
                                   response = by_response()
                                 ),
                                 lambda = NULL, bandwidth = "variance", folds = NULL, test = NULL,
                                 seeds = NULL, measure = NULL, nested = FALSE, weights = NULL,
                                 groups = NULL, ...) {
  started <- proc.time()[["elapsed"]]
  call <- rlang::current_env()
  options <- cv_options(list(...))
  local_compute(options$threads, options$verbose)
  x <- cv_data(x, call)
  weights <- cv_weights(weights, nrow(x), call)
  idle <- which(weights == 0)
  methods <- check_methods(methods, call)
  bare <- lapply(methods, bare_method)
  numbers <- any(vapply(bare, function(method) is.list(method) && wants_numbers(method), NA))
  response <- weighted_response(y, nrow(x), idle, call, numbers)
  if (!numbers) tell_regression(response, call)
  response$groups <- check_groups(groups, nrow(x), call)
  warn_response_column(x, y, call)
  n <- check_sizes(n %||% usual_sizes(nrow(x) - length(idle)), call)
  check_own_data(methods, nrow(x), call)
  check_no_groups(methods, call)
  scales <- options$dots$scale
  several <- length(scales) > 1
  if (several) methods <- methods_by_scale(methods, scales, x, call)
  for (method in methods) with_response(bare_method(method), response, "cv_landmarks()", call)
  lambda <- check_lambda(lambda, call)
  classes <- check_choice(options$classes, c("softmax", "one_vs_rest"), "classes")
  if (any(vapply(bare, identical, NA, nmf_features))) need_package("NMF", "nmf_features()")
  bandwidths <- check_bandwidths(bandwidth, call)
  measure <- check_measure(measure, response$type, call)
  lambda_measure <- options$lambda_measure %||% tie_measure(measure_names[[response$type]])
  lambda_measure <- check_measure(lambda_measure, response$type, call, "lambda_measure")
  top <- if (response$type == "tags") check_top(options$top, response$y, call, weights)
  nested <- check_flag(nested, "nested")
  lambda_per_tag <- check_lambda_per_tag(options$lambda_per_tag, response$type, call)
  refit <- check_flag(options$refit, "refit")
  dots <- options$dots
  # Each method has its own scale by now.
  if (several) dots$scale <- scales[[1]]
  further <- list(call = call, options = setdiff(names(options), "dots"))
  dots <- do.call(check_landmark_dots, c(dots, further), quote = TRUE)
  source <- ready_data(x, dots$scale %||% FALSE, weights)$source
  if (is.null(scales)) tell_units(source, dots$space %||% "euclidean", call)
  seeds <- check_seeds(seeds, call)
  old <- keep_stream()
  on.exit(old(), add = TRUE)
  design <- list(folds = folds, train = options$train, validation = options$validation, test = test)
  split <- cv_splits(nrow(x), design, response, seeds, call, idle)
  data <- list(
    x = x, response = response, weights = weights, splits = split$splits, test = split$test,
    methods = methods, bandwidths = bandwidths, free = missing(bandwidth),
    lambda = lambda, model = cv_model(response$type, classes), top = top,
    variance = if (response$type == "number") total_variance(response$y, weights), dots = dots,
    seeds = seeds, lambda_measure = lambda_measure, nested = nested || lambda_per_tag,
    lambda_per_tag = lambda_per_tag
  )
  if (is.null(lambda)) data$lambda <- lambda_grid(data, n)
  tasks <- cv_tasks(methods, n, split$splits, seeds, same_bandwidths(source, bandwidths, n))
  rm(source)
  found <- run_all_tasks(tasks, data, call)
  check_some_worked(found, call)
  warn_tasks(found, tasks, call)
  units <- do.call(rbind, lapply(found, `[[`, "rows"))
  # Features of a method that ignores n may have been measured once for each n, with n missing in the table.
  units <- units[!duplicated(units[c("seed", "fold", "method", "n", "bandwidth", "part", "lambda")]), ]
  warn_failed(units, call)
  warn_unconverged(units, call)
  out <- cv_summary(
    units, list(best = measure, lambda = lambda_measure), names(methods), bandwidth_labels(bandwidths), call
  )
  if (refit) out <- c(out, cv_refit(data, out$best, setdiff(seq_len(nrow(x)), c(split$test, idle)), call))
  structure(c(out, list(
    type = response$type, measure = measure, lambda_measure = lambda_measure, levels = response$levels,
    all_levels = response$all_levels, ordered = isTRUE(response$ordered), model = data$model,
    bandwidths = bandwidth_labels(bandwidths), lambda = data$lambda, seeds = seeds, kind = split$kind,
    nested = data$nested, lambda_per_tag = lambda_per_tag, folds = length(split$splits[[1]]),
    n_rows = nrow(x) - length(idle), n_test = length(split$test), weighted = !is.null(weights),
    compared = vapply(methods, method_words, ""),
    own_data = vapply(methods, has_own_data, NA),
    call = light_call(match.call(), "cv_landmarks"), seconds = as.double(proc.time()[["elapsed"]] - started),
    version = made_by()
  )), class = "cv_landmarks")
}

# The further options of cv_landmarks() and `dots`, the arguments for landmarks().
cv_options <- function(given) {
  options <- list(
    classes = "softmax", validation = NULL, train = NULL, top = NULL, lambda_per_tag = FALSE,
    lambda_measure = NULL, refit = TRUE, threads = NULL, verbose = NULL
  )
  own <- rlang::names2(given) %in% names(options)
  options[names(given)[own]] <- given[own]
  c(options, list(dots = given[!own]))
}

# The parts of a comparison that predict() uses: the method of the best row of the table, learned again from
# `rows`, all rows except those for the test and those of weight 0.
cv_refit <- function(data, best, rows, call) {
  set_seed(data$seeds[1])
  n <- if (is.na(best$n)) 1L else best$n
  method <- data$methods[[best$method]]
  x <- data$x
  if (inherits(method, "method_with_data")) {
    x <- method$x
    data$dots <- utils::modifyList(data$dots, method$dots)
    method <- method$method
  }
  if (length(rows) < nrow(x)) x <- x[rows, , drop = FALSE]
  method <- with_response(method, part_of_response(data$response, rows), "cv_landmarks()", call)
  bandwidth <- data$bandwidths[match(best$bandwidth, bandwidth_labels(data$bandwidths))][[1]]
  fit <- withCallingHandlers(
    cv_learn(
      method, best$method, n, bandwidth, list(x = x, weights = data$weights[rows]), data$dots, data$free
    ),
    warning = function(w) {
      text <- one_line(conditionMessage(w))
      warn_user("The best, {.val {best$method}}, learned again from all rows: {text}", "fit", call)
      invokeRestart("muffleWarning")
    }
  )
  # A regression of the fit's own is the model that was measured.
  own <- if (inherits(fit, "landmarks")) fit$response
  if (!is.null(own)) {
    return(list(fit = fit, coefficients = own$coefficients, link = response_links[[own$family]]))
  }
  w <- cv_features(fit, x, n, best$method)
  y <- data$response$y[rows, , drop = FALSE]
  m <- if (is.na(best$n)) ncol(w) else min(n, ncol(w))
  path <- refit_path(w, m, y, rows, best$lambda, data)
  if (!all(path$converged)) {
    warn_user(
      "The regression of the best, learned again from all rows, did not converge.", "convergence", call
    )
  }
  coefficients <- matrix(path$coefficients, m + 1)
  responses <- output_names(data$response)
  terms <- (colnames(w) %||% paste0("F", seq_len(ncol(w))))[seq_len(m)]
  dimnames(coefficients) <- list(c("(Intercept)", terms), responses)
  out <- list(fit = fit, coefficients = coefficients, link = path$link)
  if (data$lambda_per_tag) out$tag_lambda <- stats::setNames(path$chosen, responses)
  out
}

# The regression on the features `w` at the best lambda, or for each tag at the lambda of the tag.
refit_path <- function(w, m, y, rows, lambda, data) {
  v <- data$weights[rows]
  if (!data$lambda_per_tag) return(ridge_path(w, m, y, lambda, data$model, v))
  inner <- inner_predictions(w, m, y, draw_inner(rows, data$response, data$seeds[1], 0), data, v)
  chosen <- tag_lambdas(inner, y, data, v)
  path <- path_of_tags(ridge_path(w, m, y, data$lambda, data$model, v), data$lambda, chosen)
  c(path, list(chosen = chosen))
}
