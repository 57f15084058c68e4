#' Cross-validation of methods, numbers of landmarks, bandwidths and kernels
#'
#' `cv_landmarks()` estimates by cross-validation how well the features of landmarks predict a response `y`,
#' for each combination of method, number of landmarks, bandwidth, `scale` and kernel. Landmarks are learned
#' from the training rows of each fold alone. A ridge regression of `y` on their features is fitted to these
#' rows, and its predictions are evaluated on the held-out rows. Fits by [by_response()] are evaluated by
#' their own predictions. In each fold, their penalty and the use of relevances and of a linear term are
#' chosen with the first value of `n` and kept for the other values of `n`. The best combination is refitted
#' to all rows except `test`.
#'
#' With features \eqn{\phi(x)}{phi(x)}, the kernel values of [predict.landmarks()], the regressions minimize
#' over coefficients w and an intercept b
#' \deqn{\sum_i \mathrm{loss}(y_i, b + w'\phi(x_i)) + \frac{\lambda}{2}\|w\|^2,}{
#'   sum_i loss(y_i, b + w'phi(x_i)) + lambda/2 ||w||^2,}
#' the parametrization of Liang and Paisley (2015): softmax or logistic regression for classes and labels,
#' least squares for a numeric response. See [cv-regressions] for the losses and the choice of lambda,
#' and [cv-measures] for the measures, methods of your own, weights and formulas.
#'
#' @param x The data, as in [landmarks()]: a matrix, a sparse matrix or a data frame, N x d; or a formula with
#'   the response on its left-hand side.
#' @param data For a formula: a data frame with its variables, N rows.
#' @param y The response, N values: a factor or strings, a numeric, 0/1 or logical vector, or a 0/1 matrix
#'   with a column for each label (multilabel classification). A warning is given if a column of `x` equals
#'   it.
#' @param n Numbers of landmarks. NULL, the default, is 50, 75 and 100, or with fewer than 500 rows 10%, 15%
#'   and 20% of the rows.
#' @param methods The methods to compare, a named list, or a single method. An element is a method object such
#'   as [by_gp()], its name, such as `"gp"`, a baseline ([nmf_features] or [raw_features], without
#'   parentheses), a method that uses other columns than `x` ([method_with_data()]), or a function that you
#'   write (see [cv-measures]). Do not set `y` in [by_response()] and [by_class()]: they use the response of
#'   the training rows. The default is [by_gp()], active learning among 5,000 rows as in Liang and Paisley
#'   (2015), random rows, and [by_response()].
#' @param lambda Ridge penalties, numbers above 0. NULL, the default, is a grid computed from the data.
#' @param bandwidth Bandwidths, as in [landmarks()]: numbers, rules such as `c("variance", "2 * variance")`,
#'   or a list of both. If it is not given, [by_response()] learns its own. Functions of your own do not use
#'   it.
#' @param folds The number of folds (default 5), or the fold of each row. Folds are drawn for each seed,
#'   stratified by class. Each class needs two rows.
#' @param test Test rows, as indices or a logical vector with a value for each row. They are used neither for
#'   fitting nor for the choice of lambda. The measures on them are reported in addition to those on the
#'   held-out rows.
#' @param seeds Integers, one repetition for each. NULL, the default, draws one from R's random number stream.
#'   Results do not depend on the number of processes.
#' @param measure The measure by which the best combination is selected, see [cv-measures]. NULL, the default,
#'   is `"accuracy"` for classes, `"mse"` for a numeric response and `"auc"` for labels. Names of equivalent
#'   measures in other packages are accepted too, such as `"rmse"` for `"mse"` and `"logloss"` for
#'   `"deviance"`.
#' @param nested `TRUE` chooses lambda by an inner cross-validation, so that the held-out rows are not used
#'   for it. Default `FALSE`.
#' @param weights Case weights, as in [landmarks()]. NULL, the default: equal weights.
#' @param groups A value for each row, such as its subject or site. Each group is kept within one fold, in
#'   inner cross-validation too. NULL, the default: rows are independent. With a formula it may be a column of
#'   `data`; exclude it from the predictors, as in `y ~ . - site`.
#' @param na.action For a formula, as in [landmarks()]. The default is an error. If `na.omit` drops
#'   rows, `folds` must be a number, and `validation` and `test` must not be given; to use them, apply
#'   `na.omit()` to the data first.
#' @param subset For a formula, as in [landmarks()]. Indices in `folds`, `validation` and `test` refer to the
#'   subset.
#' @param ... Further options, by name:
#'   * `space`, `scale` and `kernel` of [landmarks()], for all methods. Several values of `scale` or `kernel`,
#'     such as `kernel = c("gaussian", "laplace")`, are compared. The tables of results then have a
#'     column `scale` (`"none"` for `FALSE`, `"sd"` or `"ranks"`) or `kernel`, and a row for each value and
#'     each method that uses it.
#'   * `classes`, for three or more classes: `"softmax"` (default) or `"one_vs_rest"` regressions.
#'   * `validation`: held-out rows, as indices or a logical vector, in place of folds.
#'   * `top`, for labels: how many labels are predicted for each row. Default 10, as in Liang and Paisley
#'     (2015), or the mean number of labels of a row if there are at most 10 labels.
#'   * `lambda_measure`: the measure by which lambda is chosen, by default `"deviance"`, or `"mse"` for a
#'     numeric response. Liang and Paisley (2015) use the accuracy, which is often equal for many penalties.
#'   * `lambda_per_tag`: if `TRUE`, lambda is chosen for each label (tag) by an inner cross-validation.
#'     Default `FALSE`.
#'   * `refit`: whether to refit the best combination to all rows except `test`, for `predict()` and `coef()`.
#'     Default `TRUE`.
#'   * `threads`, `verbose`: as in [landmarks()].
#'
#'   In the method for formulas, the arguments `n` to `nested` of the default method are also given here, by
#'   name.
#' @return An object of class `cv_landmarks`, a plain list:
#' * `summary`: a data frame with a row for each combination of method, `scale` and `kernel` (if several are
#'   compared), number of landmarks and bandwidth. Its columns include `lambda`; the mean of each measure over
#'   folds and seeds and its standard error, such as `mse` and `mse_se` (on test rows `test_mse` and
#'   `test_mse_se`); `features`, the mean number of features (below `n` if fewer landmarks were found);
#'   `seconds`, the mean time to learn the landmarks; and `problem`, the error message of a method that
#'   failed, or NA.
#' * `units`: a data frame with the measures for each combination, seed, fold and lambda. Its column `part` is
#'   `"held_out"`, `"test"` or `"inner"`.
#' * `best`: the row of `summary` with the best `measure`.
#' * `fit`, `coefficients` and, with `lambda_per_tag`, `tag_lambda`: the landmarks, the regression
#'   coefficients and the penalties of this combination, refitted to all rows except `test`.
#' * `lambda`: the grid. `compared`: descriptions of the methods. `seconds`: the total time. `version`: the
#'   version of the package.
#'
#' `as.data.frame()` returns `summary`, or with `type = "units"` the component `units`.
#' @seealso [summary.cv_landmarks()], [plot.cv_landmarks()], [predict.cv_landmarks()] and `coef()`,
#'   [tidy.cv_landmarks()]
#' @section Several processes:
#' The fits are computed in parallel if daemons of package \pkg{mirai} (2.3.0 or later) are running. For four
#' processes, call `mirai::daemons(4)` before `cv_landmarks()`, and `mirai::daemons(0)` afterwards. If
#' they run on the same type of CPU, the results are identical to those of a single process. Each daemon needs
#' the same version of this package, and memory for a copy of the data. It uses one thread unless its option
#' `landmarker.threads` is set.
#'
#' A function of your own among the `methods` is sent to the daemons without the objects and attached packages
#' of your session. Call functions of packages as `pkg::fun()`, and keep other objects in the environment of
#' the function, as `tries` in this example:
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
#' Alternatively, define objects on all daemons by [mirai::everywhere()]. For example, if your function
#' returns an object of a class of your own, register its `predict()` method by
#' `mirai::everywhere(registerS3method("predict", "my_class", method), method = predict.my_class)`.
#'
#' @section Errors:
#' If a method fails, its measures are NA and a warning is given (`landmarker_warning_method`); if all fail,
#' there is an error (`landmarker_error_method`). See [landmarker-conditions].
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
#' # Regression by a formula, two bandwidths, lambda chosen by inner cross-validation
#' cv_landmarks(mag ~ lat + long + depth + stations, data = quakes,
#'   n = 10, methods = by_gp(), bandwidth = c("variance", "3 * variance"), folds = 3, seeds = 1,
#'   nested = TRUE, scale = TRUE
#' )
#'
#' # Case weights, a column of the data
#' models <- transform(mtcars, sold = seq_len(nrow(mtcars)))
#' cv <- cv_landmarks(mpg ~ wt + hp + factor(cyl), data = models, weights = sold,
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
  # Of a formula the name of the function is enough: the call has the data.
  call <- if (inherits(x, "cv_data")) call("cv_landmarks") else rlang::current_env()
  options <- cv_options(call, ...)
  local_compute(options$threads, options$verbose)
  input <- if (inherits(x, "cv_data")) x else cv_data(x, call)
  rows <- nrow(input$x)
  weights <- cv_weights(weights, rows, call)
  unused <- which(weights == 0)
  methods <- cv_methods(methods, options, call)
  response <- cv_response(y, rows, unused, groups, methods, call)
  warn_response_column(if (is.data.frame(x)) x else input$x, y, call)
  for (spec in methods) check_own_data(spec, response, unused, call)
  n <- check_each(n %||% usual_sizes(rows - length(unused)), "n", is_size, "integers of at least 1", call)
  n <- sort(unique(as.integer(n)))
  if (!is.null(lambda)) check_each(lambda, "lambda", is_penalty, "NULL, or finite numbers above 0", call)
  type <- response$type
  tie <- tie_measure(measure_names[[type]])
  # What fits and regressions need, and with `parts_of_comparison` the result.
  cv <- list(
    x = input$x, blueprint = input$blueprint, response = response, weights = weights, methods = methods,
    tune_bandwidth = missing(bandwidth), bandwidth = check_bandwidths(bandwidth, call),
    type = type, measure = check_measure(measure, type, call),
    lambda_measure = check_measure(options$lambda_measure %||% tie, type, call, "lambda_measure"),
    # One class against the rest is a regression of its own for each class, as for tags.
    model = if (type == "classes" && options$classes == "one_vs_rest") "tags" else type,
    top = if (type == "tags") check_top(options$top, response$y, call, weights),
    variance = if (type == "number") total_variance(response$y, weights),
    lambda_per_tag = check_lambda_per_tag(options$lambda_per_tag, type, call),
    lambda = sort(unique(lambda)), nested = check_flag(nested, "nested", call),
    seeds = check_seeds(seeds, call), n_rows = rows - length(unused), weighted = !is.null(weights)
  )
  cv$bandwidths <- bandwidth_labels(cv$bandwidth)
  cv$nested <- cv$nested || cv$lambda_per_tag
  if (is.null(options$scale)) inform_units(as_source(input$x, weights, FALSE), options$space, call)
  restore <- keep_stream()
  on.exit(restore(), add = TRUE)
  design <- list(folds = folds, validation = options$validation, test = test)
  cv <- c(cv, cv_splits(rows, design, response, cv$seeds, call, unused))
  cv$lambda <- cv$lambda %||% lambda_grid(cv, n, options)
  chosen_by <- list(best = cv$measure, lambda = cv$lambda_measure)
  out <- cv_summary(cv_units(cv, n, call), chosen_by, names(methods), cv$bandwidths, call)
  if (options$refit) out <- c(out, cv_refit(cv, out$best, setdiff(seq_len(rows), c(cv$test, unused)), call))
  structure(c(out, cv[parts_of_comparison], list(
    levels = response$levels, all_levels = response$all_levels, ordered = isTRUE(response$ordered),
    folds = length(cv$splits[[1]]), n_test = length(cv$test),
    compared = vapply(methods, `[[`, "", "words"), formula = input$formula, na.action = input$omitted,
    call = input$call %||% strip_call(match.call(), "cv_landmarks"),
    seconds = proc.time()[["elapsed"]] - started, version = made_by()
  )), class = "cv_landmarks")
}

parts_of_comparison <- c(
  "type", "measure", "lambda_measure", "model", "bandwidths", "lambda", "seeds", "kind", "nested",
  "lambda_per_tag", "n_rows", "weighted"
)

#' @rdname cv_landmarks
#' @export
cv_landmarks.formula <- function(x, data, ..., weights = NULL, groups = NULL, na.action = stats::na.fail,
                                 subset = NULL) {
  call <- rlang::current_env()
  check_frame(data, "data", call)
  rule <- "not be given with a formula, which has the response on its left-hand side"
  check_that(!"y" %in% names(rlang::exprs(...)), NULL, "y", rule, call = call, found = NULL)
  if (length(x) != 3) {
    abort_input(c(
      "The formula must have the response on its left-hand side.", x = "It is {.code {deparse1(x)}}."
    ), arg = "x", kind = "response", call = call)
  }
  # The response and the groups lose the rows that `na.action` leaves out, as those of a method do.
  method <- by_response()
  method$groups <- formula_value(rlang::enquo(groups), data,
    "{.arg groups} cannot be computed from {.arg data}.", "groups", "group", call
  )
  input <- mold_formula(x, data, method, rlang::enquo(weights), rlang::enquo(subset), na.action, call)
  # Where rows were left out, row numbers that the user gave would mean other rows. A single number as `folds`
  # is how many folds there are.
  given <- if (length(input$omitted)) lengths(list(...)[c("folds", "validation", "test")])
  numbered <- names(given)[given > c(1, 0, 0)]
  check_that(length(numbered) == 0, NULL, numbered[1],
    "not have row indices or a value for each row if {.arg na.action} leaves out rows", "na_action", call,
    "Leave out rows with missing values first: {.code data <- na.omit(data)}.", NULL
  )
  input$formula <- structure(x, .Environment = globalenv())
  input$call <- strip_call(match.call(), "cv_landmarks")
  cv_landmarks(
    structure(input, class = "cv_data"), input$method$y, ...,
    weights = input$weights, groups = input$method$groups
  )
}

# ---- the best, learned again -----------------------------------------------------------

# The parts of a comparison that predict() uses: the method of the best row of the table, learned again from
# `rows`, all rows except those for the test and those of weight 0.
cv_refit <- function(cv, best, rows, call) {
  rlang::local_options(landmarker.announce = Inf)
  set_seed(cv$seeds[1])
  name <- method_labels(best)
  spec <- cv$methods[[name]]
  n <- if (is.na(best$n)) 1L else best$n
  train <- cv_part(rows, spec, cv)
  bandwidth <- cv$bandwidth[[match(best$bandwidth, cv$bandwidths)]]
  fit <- cv_learn(spec, name, n, bandwidth, train, cv$tune_bandwidth)
  blueprint <- if (is.null(spec$x)) cv$blueprint else spec$blueprint
  regression <- if (has_own_regression(fit)) {
    # It is the model that was measured.
    list(coefficients = fit$response$coefficients)
  } else {
    w <- cv_features(fit, list(train$x), n, name)[[1]]
    best_regression(cv, w, if (is.na(best$n)) ncol(w) else min(n, ncol(w)), best$lambda, train, rows, call)
  }
  # With the blueprint the fit itself accepts data frames.
  of_columns <- inherits(fit, "landmarks") && identical(colnames(fit$landmarks), blueprint$columns)
  if (of_columns) fit$blueprint <- blueprint
  c(list(fit = fit, blueprint = blueprint), regression)
}

# The regression on the first `m` features of the rows `train`: list(coefficients, link, tag_lambda).
best_regression <- function(cv, features, m, lambda, train, rows, call) {
  lambda <- if (cv$lambda_per_tag) cv$lambda else lambda
  path <- ridge_path(features, m, train$y, lambda, cv$model, train$weights)
  responses <- output_names(cv$response)
  tag_lambda <- NULL
  if (cv$lambda_per_tag) {
    train$inner <- draw_inner(rows, cv$response, cv$seeds[1], 0)
    tag_lambda <- tag_lambdas(inner_predictions(features, m, train, cv), train, cv)
    path <- path_of_tags(path, lambda, tag_lambda)
    names(tag_lambda) <- responses
  }
  if (!all(path$converged)) {
    said <- "The final regression did not converge: its coefficients may be inaccurate."
    warn_user(said, "convergence", call)
  }
  terms <- (colnames(features) %||% paste0("F", seq_len(m)))[seq_len(m)]
  list(
    coefficients = matrix(path$coefficients, m + 1, dimnames = list(c("(Intercept)", terms), responses)),
    link = path$link, tag_lambda = tag_lambda
  )
}

# ---- what the arguments must be ----------------------------------------------------------

# The further options of cv_landmarks().
cv_options <- function(.call, ..., space = "euclidean", scale = NULL, kernel = "gaussian",
                       classes = "softmax", validation = NULL, top = NULL, lambda_per_tag = FALSE,
                       lambda_measure = NULL, refit = TRUE, threads = NULL, verbose = NULL) {
  options <- as.list(environment())
  check_dots(..., call = .call, .known = c(names(formals(cv_landmarks.default)), names(options)))
  check_choice(classes, c("softmax", "one_vs_rest"), "classes", .call)
  check_flag(refit, "refit", .call)
  check_space(space, .call)
  options$scales <- unique(lapply(as.list(scale %||% FALSE), check_scale, "euclidean", .call))
  options$kernels <- check_kernels(kernel, .call)
  options
}

# The response of all rows, with the classes that rows with a weight above 0 have. The responses of the
# `unused` rows, those of weight 0, are 0 in all columns.
cv_response <- function(y, rows, unused, groups, methods, call) {
  numbers <- any(vapply(methods, function(m) !is.function(m$method) && wants_numbers(m$method), NA))
  response <- as_response(y, rows, call, numbers = numbers)
  if (response$type == "number") check_squares_of_response(response$y, call)
  if (length(unused)) {
    response <- as_response(without_rows(y, unused), rows - length(unused), call, numbers = numbers)
    all <- matrix(0, rows, ncol(response$y))
    all[-unused, ] <- response$y
    response$y <- all
  }
  if (!numbers) tell_regression(response, call)
  response$groups <- check_groups(groups, rows, call)
  for (method in lapply(methods, `[[`, "method")) {
    with_response(method, response, "cv_landmarks()", call)
    groups <- if (!is.function(method)) method$groups
    check_that(is.null(groups), NULL, "groups", "an argument of {.fn cv_landmarks}, not of a method", "group",
      call, found = "{.fn {class(method)[1]}} has it."
    )
  }
  response
}

# The numbers of landmarks to compare by default.
usual_sizes <- function(rows) {
  unique(pmax(1, round(min(100, rows %/% 5) * c(0.5, 0.75, 1))))
}

is_size <- function(n) n >= 1 & n == trunc(n) & n <= .Machine$integer.max

is_penalty <- function(lambda) is.finite(lambda) & lambda > 0

check_seeds <- function(seeds, call) {
  if (is.null(seeds)) return(sample.int(.Machine$integer.max, 1))
  is_seed <- function(s) s == trunc(s) & abs(s) <= .Machine$integer.max & !duplicated(s)
  as.integer(check_each(seeds, "seeds", is_seed, "distinct integers, one for each repetition", call))
}

check_top <- function(top, y, call, weights = NULL) {
  if (!is.null(top)) return(check_count(top, "top", max = ncol(y), call = call))
  if (ncol(y) > 10) return(10L)
  labels <- sum(times_weights(y, weights)) / if (is.null(weights)) nrow(y) else sum(weights)
  as.integer(max(1, round(labels)))
}

check_lambda_per_tag <- function(lambda_per_tag, type, call) {
  ok <- rlang::is_bool(lambda_per_tag) && (!lambda_per_tag || type == "tags")
  rule <- "TRUE or FALSE, and FALSE unless {.arg y} is a 0/1 matrix of labels"
  check_that(ok, lambda_per_tag, "lambda_per_tag", rule, call = call)
}

# A list of bandwidths, each as landmarks() takes it, of numbers, strings, or a list of both.
check_bandwidths <- function(bandwidth, call) {
  check_few(bandwidth, "bandwidth", call)
  if (!is.vector(bandwidth) || length(bandwidth) == 0) bandwidth <- list(bandwidth)
  bandwidth <- unname(as.list(bandwidth))
  for (b in bandwidth) bandwidth_rule(b, call)
  bandwidth[!duplicated(bandwidth_labels(bandwidth))]
}

# The bandwidths as the table shows them: numbers if all are numbers, else text.
bandwidth_labels <- function(bandwidth) {
  if (all(vapply(bandwidth, is.numeric, NA))) return(as.double(unlist(bandwidth)))
  vapply(bandwidth, function(b) if (is.numeric(b)) trimws(format(b)) else bandwidth_rule(b)$words, "")
}
