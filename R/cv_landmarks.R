#' Comparison of landmarks by what they predict
#'
#' `cv_landmarks()` compares methods, numbers of landmarks and bandwidths by cross-validation. It learns
#' landmarks, maps the data to their features, fits L2-penalized regressions of `y` on the features, and
#' measures the predictions on rows that were held out. Landmarks are learned from the training rows of each
#' fold alone. Use it to choose a method, `n` and `bandwidth` for prediction, and to estimate how well they
#' predict.
#'
#' @section Regressions:
#' Let \eqn{\phi(x)}{phi(x)} be the features of an observation x, and \eqn{y_i} the response of training row
#' \eqn{x_i}. The regression has coefficients w and an intercept b, and minimizes
#' \deqn{\sum_i \mathrm{loss}(y_i, f(x_i)) + \frac{\lambda}{2}\|w\|^2, \quad f(x) = b + w'\phi(x),}{
#'   sum_i loss(y_i, f(x_i)) + lambda/2 ||w||^2,  f(x) = b + w'phi(x),}
#' where the penalty \eqn{\lambda}{lambda} applies to w only. This is the convention of Liang and Paisley
#' (2015).
#'
#' * Three or more classes: by default one softmax (multinomial) regression, with a \eqn{w_k} and \eqn{b_k}
#'   for each class k, the loss \eqn{\log \sum_k e^{f_k} - f_y}{log(sum_k exp(f_k)) - f_y}, and the sum of
#'   all \eqn{\|w_k\|^2}{||w_k||^2} in the penalty. `classes = "one_vs_rest"` fits one logistic regression
#'   for each class against all others, as the paper does, and divides the probabilities by their sum.
#' * Two classes, and each tag by itself: logistic regression with y equal to 0 or 1 and the loss
#'   \eqn{\log(1 + e^f) - yf}{log(1 + e^f) - y f}.
#' * Numbers: ridge regression, the loss \eqn{(y - f)^2/2}.
#'
#' @section Lambda:
#' By default lambda is chosen from a grid that is made for the data. Let N be the number of training rows,
#' and T be N times the sum of the variances of the features. (T is the trace of their centered Gram matrix.)
#' The grid has the powers of ten from about 10 T, where w is nearly 0, down to about \eqn{10^{-9} T}{1e-9 T}
#' (for numbers \eqn{10^{-13} T}{1e-13 T}), where the penalty has nearly no effect. T is computed once, from
#' up to 1,000 rows of the first training part, with as many random rows as landmarks as the largest `n`. If
#' [raw_features()] is among the methods, T is computed from the data themselves too. All methods, numbers
#' and bandwidths share one grid, so that their results can be compared. Liang and Paisley (2015) use
#' `lambda = 10^(-3:3)`.
#'
#' For each method, `n`, bandwidth and seed the chosen lambda is the one with the best mean `measure` over
#' the held-out parts. Ties, which are frequent for accuracy and the area under the ROC curve, are broken by
#' the deviance (for numbers by the mean squared error), then by the larger lambda. Losses that differ by
#' less than a thousandth count as ties. `print()` reports where the chosen lambda is at an end of the grid.
#'
#' The chosen lambda is measured on the same rows that chose it, so its measures are slightly too good. Two
#' options measure on other rows:
#' * `test` rows are set aside from the start.
#' * `nested = TRUE` chooses lambda inside each training part, by five folds of its own rows. The inner folds
#'   share the landmarks of their training part. (Landmarks of [by_response()] have seen the response of the
#'   inner folds too, so that the lambda chosen by these is somewhat too small.) The measured rows are used
#'   neither for landmarks nor for lambda. It fits five more regressions for each one.
#'
#' Both give unbiased measures for each row of the table. The best row of a long table is still slightly too
#' good, because it was selected by the measured rows. `lambda_per_tag = TRUE` is nested too, and chooses a
#' lambda for each tag, as Liang and Paisley (2015) do: by the tag's area under the ROC curve or average
#' precision where `measure` is `"auc"` or `"map"`, otherwise by its deviance.
#'
#' @section Engines:
#' `"newton"` takes Newton steps until the gradient has fallen to 1e-7 of its size at `w = 0`. The softmax
#' regression computes its steps by conjugate gradients. Each lambda starts from the solution for the next
#' larger one. `"glmnet"` uses \pkg{glmnet} with `alpha = 0` and lambda / N as its lambda (for numbers times
#' their standard deviation, because glmnet divides by it), on the principal components of the features.
#' Coordinate descent, the algorithm of glmnet, is slow on such features, and may stop early at weak
#' penalties. With either engine, regressions that have not converged are named in a warning and left out of
#' the means.
#'
#' @section Measures:
#' * Classes: `"accuracy"` (default) and `"deviance"`, -2 times the mean log-likelihood. Two classes also
#'   have `"auc"`, the area under the ROC curve.
#' * Numbers: `"mse"` (default), the mean squared error, and `"r_squared"`.
#' * Tags: `"auc"` (default), `"map"`, `"precision"`, `"recall"`, `"f"` (means over tags, see
#'   [tagging_scores()]) and `"deviance"`.
#'
#' A standard error is the standard deviation over all folds and seeds divided by the square root of their
#' number. It is a rough guide, because folds share training rows. With `validation` the rows are the same
#' for every seed, so the standard error describes the randomness of the landmarks alone.
#'
#' @section Methods that fail:
#' If a method raises an error for one number or fold, its row of the table has no measures, and column
#' `problem` has the message. `print()` shows it, and a warning names it. The comparison of the other methods
#' goes on. If every method fails, the result is an error.
#'
#' @section Reproducible:
#' Each fit has its own random seed, made from `seeds`. The results are the same for any number of workers,
#' and for any other methods and bandwidths in the comparison. With `seeds = NULL` one seed is drawn from the
#' caller's random stream; otherwise the stream is left unchanged.
#'
#' @section Weights:
#' `weights` take part in all steps: the fits of landmarks and the standard deviations of `scale` (see
#' [landmarks()]), the loss of each row in the regressions, the measures (means over rows with these
#' weights; each pair of rows has the product of their weights in the area under the ROC curve), and the fit
#' to all rows. In regressions and measures a row of weight 2 counts as two rows, so that N becomes the sum of
#' the weights. Rows of weight 0 are left out. Folds are drawn, and means over folds are taken, without
#' weights. A function(x, n) among the methods gets the training rows' weights where it has an argument
#' `weights`; [nmf_features()] has none.
#'
#' @section Formulas:
#' `cv_landmarks(y ~ a + b, data)` predicts the left-hand side from the columns of the right-hand side, and
#' `y ~ .` from all other columns. Each level of a factor becomes a column, and all methods get one numeric
#' matrix. For tags write `cbind(tag1, tag2) ~ .`. The formula is evaluated once, for all rows, so `poly()` or
#' `scale()` in it would see the rows that are held out. Use the argument `scale` instead, which learns from
#' the training rows. `predict()` and `augment()` take new data with the columns of the right-hand side.
#'
#' @param x The data, as in [landmarks()]: a matrix, a sparse matrix or a data frame, N x d; or a formula with
#'   the response on its left-hand side.
#' @param data For a formula: a data frame with its variables, N rows.
#' @param y The response to predict, N values: a factor (or strings), numbers, 0/1 or logical, or a 0/1
#'   matrix with a column for each tag. A formula has it on its left-hand side. A warning
#'   (`landmarker_warning_response`) is given where a column of `x` has the values of the response.
#' @param n Numbers of landmarks, whole numbers (default 50, 75 and 100).
#' @param methods A named list of ways to choose landmarks: method objects such as [by_gp()], their names, or
#'   functions(x, n) whose result has a [predict()] method that returns a matrix of at least n features
#'   ([nmf_features()]; [raw_features()] may return any number). [with_data()] gives a method data of its
#'   own. [by_response()] and [by_class()] get the response of each fold's training rows: leave their `y` out.
#'   The default compares Liang and Paisley's two methods (active learning among 5,000 rows) with random rows.
#' @param lambda Penalties, numbers above 0, or `NULL` (default) for a grid made for the data (see Lambda).
#' @param engine `"newton"` (default) or `"glmnet"`.
#' @param classes For three or more classes: `"softmax"` (default) or `"one_vs_rest"`.
#' @param bandwidth One or several bandwidths, as in [landmarks()]: numbers, or rules such as
#'   `c("variance", "2 * variance")`, or a list of both. Each has a row of the table. Methods that are
#'   functions use no bandwidth. If `bandwidth` is missing, [by_response()] learns its own.
#' @param folds Number of folds (default 5, because each costs a fit of landmarks), or the fold of each row.
#'   Folds are drawn anew for each seed, evenly in each class.
#' @param validation Instead of folds: the rows to hold out, as numbers or `TRUE`.
#' @param test Rows that are set aside, as numbers or `TRUE`. They are used neither for landmarks nor for
#'   lambda, and the result has measures on them too.
#' @param train With `validation`: the rows to learn from, by default all others.
#' @param seeds Whole numbers, one repetition for each; or `NULL` for one repetition whose seed is drawn from
#'   R's stream.
#' @param measure The measure that chooses lambda and the best row (see Measures). `NULL` takes the first one
#'   listed for such a `y`.
#' @param top For tags: how many tags each row is annotated with. Default 10, as in the paper; with 10 or
#'   fewer tags, the mean number of tags of a row.
#' @param nested `TRUE` chooses lambda inside each training part, so that the measured rows take no part in
#'   the choice. Default `FALSE`.
#' @param lambda_per_tag For tags: `TRUE` chooses a lambda for each of them, inside each training part.
#'   Default `FALSE`, one lambda for all.
#' @param refit Whether to learn the best row again from all rows except `test`, for `predict()` and
#'   `coef()`. Default `TRUE`.
#' @param cl `NULL`, a cluster of [parallel::makeCluster()], or (where R can fork) a number of processes.
#'   Each has a copy of the data, and computes with one thread. A progress bar is shown in interactive
#'   sessions: without workers it moves with each regression, on a cluster in ten steps.
#' @param weights Weights of the rows, N numbers of at least 0, or `NULL` (default) for equal ones (see
#'   Weights). For a formula they are looked up in `data` first, so that a column's name is enough.
#' @param threads,verbose As in [landmarks()], for this session and for processes that it forks. Workers of a
#'   cluster use their own options, and one thread without them.
#' @param na.action For a formula: what becomes of rows with missing values, as in [landmarks()]. The default
#'   is an error. With `na.omit`, `folds`, `validation`, `test` and `train` cannot number the rows.
#' @param ... Further arguments of [landmarks()] for all methods: `space`, `scale`. `raw_features` and
#'   `nmf_features` use `scale`; functions of your own receive neither. For a formula also all arguments from
#'   `n` to `cl`.
#' @return An object of class `cv_landmarks`, a plain list:
#' * `summary`: a data frame with a row for each method, number and bandwidth. Its columns are `lambda`; the
#'   mean of each measure, its standard error `_se`, and both on `test` rows with prefix `test_`; `features`,
#'   the mean number of features (smaller than `n` where a fit found fewer landmarks); `seconds` to learn,
#'   the mean over fits, where a fit that serves several numbers or bandwidths counts whole for each of them;
#'   `problem`, the message of a method that failed, otherwise NA.
#' * `units`: the same for each seed, fold and lambda. Column `part` is `"held"` for the held-out rows,
#'   `"test"` for the test rows, and where nested `"inner"` for the rows of the inner folds.
#' * `best`: the row of `summary` with the best `measure`. `fit`, `coefficients` and (for `lambda_per_tag`)
#'   `tag_lambda` belong to this row, learned again from all rows except `test`.
#' * `lambda`: the grid. `compared`: the methods in words. `seconds`: the time of the whole comparison.
#'   `version`: that of this package, as a string.
#'
#' It has methods `print()`, [summary()][summary.cv_landmarks()], [plot()][plot.cv_landmarks()], `autoplot()`,
#' `as.data.frame()` (`type = "units"` for the long table), `coef()`, [predict()][predict.cv_landmarks()],
#' and [tidy()][tidy.cv_landmarks()], `glance()` and `augment()`.
#' @references D. Liang and J. Paisley (2015). Landmarking manifolds with Gaussian processes. *Proceedings of
#'   the 32nd International Conference on Machine Learning*, PMLR 37, 466-474.
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
cv_landmarks.default <- function(x, y, n = c(50, 75, 100),
                                 methods = list(gp = by_gp(), active = by_active(5000), random = by_random()),
                                 lambda = NULL, engine = "newton", classes = "softmax",
                                 bandwidth = "variance", folds = NULL, validation = NULL, test = NULL,
                                 train = NULL, seeds = NULL, measure = NULL, top = NULL, nested = FALSE,
                                 lambda_per_tag = FALSE, refit = TRUE, cl = NULL, weights = NULL, ...,
                                 threads = NULL, verbose = NULL) {
  local_compute(threads, verbose)
  started <- proc.time()[["elapsed"]]
  call <- rlang::current_env()
  x <- cv_data(x, call)
  weights <- cv_weights(weights, nrow(x), call)
  idle <- which(weights == 0)
  response <- weighted_response(y, nrow(x), idle, call)
  warn_response_column(x, y, call)
  n <- check_sizes(n, call)
  methods <- check_methods(methods, call)
  check_own_data(methods, nrow(x), call)
  for (method in methods) with_response(bare_method(method), response, "cv_landmarks()", call)
  lambda <- check_lambda(lambda, call)
  engine <- check_choice(engine, c("newton", "glmnet"), "engine")
  classes <- check_choice(classes, c("softmax", "one_vs_rest"), "classes")
  if (engine == "glmnet") need_package("glmnet", "engine = \"glmnet\"")
  bare <- lapply(methods, bare_method)
  if (any(vapply(bare, identical, NA, nmf_features))) need_package("NMF", "nmf_features()")
  bandwidths <- check_bandwidths(bandwidth, call)
  measure <- check_measure(measure, response$type, call)
  top <- if (response$type == "tags") check_top(top, response$y, call, weights)
  nested <- check_flag(nested, "nested")
  lambda_per_tag <- check_lambda_per_tag(lambda_per_tag, response$type, call)
  refit <- check_flag(refit, "refit")
  check_cl(cl, call)
  dots <- check_landmark_dots(..., call = call)
  source <- ready_data(x, dots$scale %||% FALSE, weights)$source
  workers <- if (is.null(cl)) 1 else if (inherits(cl, "cluster")) length(cl) else cl
  check_cv_memory(source, methods, n, ncol(response$y), workers, call)
  if (is.null(dots$scale)) tell_units(source, dots$space %||% "euclidean", call)
  seeds <- check_seeds(seeds, call)
  old <- keep_stream()
  on.exit(old(), add = TRUE)
  design <- list(folds = folds, train = train, validation = validation, test = test)
  split <- cv_splits(nrow(x), design, response, seeds, call, idle)
  data <- list(
    x = x, response = response, weights = weights, splits = split$splits, test = split$test,
    methods = methods, bandwidths = bandwidths, free = missing(bandwidth),
    lambda = lambda, engine = engine, model = cv_model(response$type, classes), top = top, dots = dots,
    seeds = seeds, measure = measure, nested = nested || lambda_per_tag, lambda_per_tag = lambda_per_tag
  )
  if (is.null(lambda)) data$lambda <- lambda_grid(data, n)
  tasks <- cv_tasks(methods, n, split$splits, seeds, same_bandwidths(source, bandwidths, n))
  rm(source)
  found <- distribute_tasks(tasks, data, cl, call)
  check_some_worked(found, call)
  warn_tasks(found, tasks, call)
  units <- do.call(rbind, lapply(found, `[[`, "rows"))
  # Features of a method that ignores n may have been measured once for each n, with n missing in the table.
  units <- units[!duplicated(units[c("seed", "fold", "method", "n", "bandwidth", "part", "lambda")]), ]
  warn_failed(units, call)
  warn_unconverged(units, engine, call)
  out <- cv_summary(units, measure, names(methods), bandwidth_labels(bandwidths), call)
  if (refit) out <- c(out, cv_refit(data, out$best, setdiff(seq_len(nrow(x)), c(split$test, idle)), call))
  structure(c(out, list(
    type = response$type, measure = measure, levels = response$levels, engine = engine, model = data$model,
    bandwidths = bandwidth_labels(bandwidths), lambda = data$lambda, seeds = seeds, kind = split$kind,
    nested = data$nested, lambda_per_tag = lambda_per_tag, folds = length(split$splits[[1]]),
    n_rows = nrow(x) - length(idle), n_test = length(split$test), weighted = !is.null(weights),
    compared = vapply(methods, method_words, ""),
    own_data = vapply(methods, inherits, NA, "method_with_data"),
    call = light_call(generic_call(match.call())), seconds = as.double(proc.time()[["elapsed"]] - started),
    version = made_by()
  )), class = "cv_landmarks")
}

# The call of the generic, in the place of that of a method.
generic_call <- function(call) {
  call[[1]] <- quote(cv_landmarks)
  call
}

# The memory of the method that needs the most, on each of `workers` processes of this machine. `outputs`: the
# columns of the response.
check_cv_memory <- function(source, methods, n, outputs, workers, call) {
  most <- max(n)
  numbers <- vapply(methods, function(method) cv_needs(method, source, most, outputs), 0)
  check_work(workers * max(numbers), "A comparison with up to {most} landmarks needs",
    if (workers > 1) "Use fewer landmarks, rows or workers." else "Use fewer landmarks or rows.", "n", call
  )
}

# How many numbers a method needs for `most` landmarks: a fit on the rows of a split, copies of these rows,
# features for all of them, and predictions.
cv_needs <- function(method, source, most, outputs) {
  rows <- as.double(source$dim[1])
  own <- if (inherits(method, "method_with_data")) method$x
  columns <- if (is.null(own)) source$dim[2] else ncol(own)
  sparse <- if (is.null(own)) source$sparse else methods::is(own, "sparseMatrix")
  each <- if (is.null(own)) {
    stored_columns(source)
  } else {
    if (sparse) 1.5 * Matrix::nnzero(own) / rows else columns
  }
  method <- bare_method(method)
  is_fit <- inherits(method, "landmark_method")
  width <- as.double(if (identical(method, raw_features)) columns else most)
  # Functions of the user make sparse rows dense. With more features than rows, slopes are found in the span
  # of the rows, which takes copies (path_in_span()).
  dense <- if (is_fit || !sparse) 0 else 2 * columns
  span <- if (width > rows) 4 * rows else 0
  fit <- if (is_fit) fit_needs(method, source, most, 0) else 0
  fit + rows * (3 * each + 4 * width + dense + span + 6 * outputs)
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
  if (length(rows) < nrow(x) || !in_memory(x)) x <- x[rows, , drop = FALSE]
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
  if (!data$lambda_per_tag) return(ridge_path(w, m, y, lambda, data$model, data$engine, v))
  inner <- inner_predictions(w, m, y, draw_inner(rows, data$response, data$seeds[1], 0), data, v)
  chosen <- tag_lambdas(inner, y, data$measure, data, v)
  path <- path_of_tags(ridge_path(w, m, y, data$lambda, data$model, data$engine, v), data$lambda, chosen)
  c(path, list(chosen = chosen))
}
