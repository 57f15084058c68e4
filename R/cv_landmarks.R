#' How many landmarks, chosen how, predict best?
#'
#' Learns landmarks by several methods and of several numbers, maps the data to
#' their features, fits L2-penalised regressions on them, and measures on rows
#' that had no part in it. Landmarks are learned inside each fold, never from
#' rows that are held out.
#'
#' The regression minimises, for each class against the rest, each tag, or the
#' numbers,
#' \deqn{\sum_i \mathrm{loss}(y_i, b + w'\phi(x_i)) + \frac{\lambda}{2}\|w\|^2,}{
#'   sum_i loss(y_i, b + w'phi(x_i)) + lambda/2 ||w||^2,}
#' the loss \eqn{\log(1 + e^f) - yf}{log(1 + e^f) - y f} or \eqn{(y - f)^2/2}, the intercept free:
#' the convention of Liang and Paisley (2015). For each
#' method, number of landmarks and seed the lambda is taken whose mean `measure`
#' over the held-out parts is best (the largest such lambda where several are).
#'
#' @section Engines:
#' `"newton"` takes Newton steps until the gradient has fallen to 1e-7 of its
#' size at `w = 0`, warm-started from the stronger penalty; classes one against
#' the rest. `"glmnet"` uses \pkg{glmnet} with `alpha = 0` and its lambda our lambda / N
#' (for numbers times their standard deviation, by which it divides), classes by a
#' softmax, on the features turned to their principal axes. Coordinate descent is slow on
#' such features, and may give up at weak penalties. Regressions that have not converged are
#' named in a warning and left out of the means, whatever the engine.
#'
#' @section Measures:
#' Classes: `"accuracy"` (default), `"deviance"` (-2 mean log-likelihood, one-against-the-rest
#' probabilities scaled to sum 1); two classes also `"auc"`, the area
#' under the ROC curve. Numbers: `"mse"` (default), `"r_squared"`. Tags: `"auc"` (default), `"map"`, `"precision"`,
#' `"recall"`, `"f"` (means over tags, see [tagging_scores()]) and `"deviance"`. A
#' standard error is the standard deviation over all folds and seeds over the
#' square root of their number. Folds share rows, so that it is a guide; and with `validation` the
#' rows are the same for every seed, so that it tells of the landmarks' chance and not of the rows'.
#'
#' @section Reproducible:
#' Each fit has a random seed of its own, made of `seeds`: the numbers do not
#' depend on how many workers there are, or what other methods. The caller's random stream
#' moves on where `seeds` is `NULL`, and else not at all.
#'
#' @param x The data, as in [landmarks()]: a matrix, a sparse matrix or a data frame. N x d.
#' @param y What is to be predicted, N values: a factor (or strings), numbers, 0/1 or
#'   logical, or a 0/1 matrix with a column for each tag.
#' @param n Numbers of landmarks, whole numbers (default 50, 75 and 100).
#' @param methods A named list of ways to choose landmarks: method objects such as [by_gp()], their
#'   names, or functions(x, n) whose result has a [predict()] method that gives a matrix of at least
#'   n features ([nmf_features()]; [raw_features()] may give any number). The default compares
#'   Liang and Paisley's two with random rows.
#' @param lambda Penalties, numbers above 0 (default \eqn{10^{-3}, \ldots, 10^3}{10^-3 .. 10^3}).
#' @param engine `"newton"` (default) or `"glmnet"`.
#' @param folds Number of folds (default 5, since each costs a fit of landmarks), or the
#'   fold of each row. Folds are drawn anew for each seed, evenly in each class.
#' @param validation Instead of folds: the rows to be held out, as numbers or `TRUE`.
#' @param test Rows that are set aside: neither landmarks nor lambda see them, and
#'   the measures are reported on them too.
#' @param train With `validation`: rows to learn from, by default all others.
#' @param seeds Whole numbers: one repetition for each, or `NULL` for one whose seed is
#'   drawn from R's stream.
#' @param measure What picks lambda and the best method (see Measures); `NULL` for
#'   the first for such a `y`.
#' @param top For tags: how many each row is annotated with; by default 10, as in the paper, or where there
#'   are no more tags than that as many as a row has on average.
#' @param refit Whether to learn the best again from all rows but `test`, for
#'   `predict()` and `coef()`. Default `TRUE`.
#' @param cl `NULL`, a cluster of [parallel::makeCluster()], or (where R can fork) a number
#'   of processes. Each has a copy of the data, and computes with one thread. There is a progress bar, in
#'   interactive sessions, only without workers.
#' @param ... Further arguments of [landmarks()]: `bandwidth`, `space`, `scale`. They do not reach functions
#'   of your own, which is how to compare bandwidths: `function(x, n) landmarks(x, n, bandwidth = 2)`.
#' @return An object of class `cv_landmarks`, a plain list: `summary`, a data frame with a row
#'   for each method and number of landmarks (`lambda`; for each measure its mean and standard error
#'   `_se`, and on `test` rows `test_`; `features`, how many there were on average, fewer than `n` where
#'   a fit found fewer; `seconds` to learn, mean over fits, of all the numbers together where one fit
#'   serves them); `units`, the
#'   same for each seed, fold and lambda; `best`, a row of `summary`; `fit` and `coefficients`
#'   of the best learned again; `seconds` in all. It has `print()`, [plot()][plot.cv_landmarks()],
#'   `as.data.frame()` (`what = "units"` for the long one), `coef()` and [predict()][plot.cv_landmarks()].
#' @references D. Liang and J. Paisley (2015). Landmarking manifolds with
#'   Gaussian processes. *Proceedings of the 32nd International Conference on
#'   Machine Learning*, PMLR 37, 466-474.
#' @examples
#' pixels <- digits$images[1:600, ] / 255
#' cv <- cv_landmarks(pixels, digits$labels[1:600],
#'   n = c(10, 20), methods = list(gp = by_gp(), random = by_random()),
#'   lambda = 10^(-2:1), folds = 2, seeds = 1, space = "nonnegative"
#' )
#' cv
#' plot(cv)
#' table(predict(cv, pixels[1:50, ]), digits$labels[1:50])
#' @export
cv_landmarks <- function(x, y, n = c(50, 75, 100),
                         methods = list(gp = by_gp(), act5k = by_active(5000), random = by_random()),
                         lambda = NULL, engine = "newton", classes = "softmax", bandwidth = "variance",
                         folds = NULL, validation = NULL, test = NULL, train = NULL, seeds = NULL,
                         measure = NULL, top = NULL, nested = FALSE, lambda_per_tag = FALSE, refit = TRUE,
                         cl = NULL, ...) {
  started <- proc.time()[["elapsed"]]
  call <- rlang::current_env()
  x <- cv_data(x, call)
  response <- as_response(y, nrow(x), call)
  n <- check_sizes(n, call)
  methods <- check_methods(methods, call)
  check_own_data(methods, nrow(x), call)
  lambda <- check_lambda(lambda, call)
  engine <- check_choice(engine, c("newton", "glmnet"), "engine")
  classes <- check_choice(classes, c("softmax", "one_vs_rest"), "classes")
  if (engine == "glmnet") need_package("glmnet", "engine = \"glmnet\"")
  if (any(vapply(lapply(methods, bare_method), identical, NA, nmf_features))) need_package("NMF", "nmf_features()")
  bandwidths <- check_bandwidths(bandwidth, call)
  measure <- check_measure(measure, response$type, call)
  top <- if (response$type == "tags") check_top(top, response$y, call)
  nested <- check_flag(nested, "nested")
  lambda_per_tag <- check_lambda_per_tag(lambda_per_tag, response$type, call)
  refit <- check_flag(refit, "refit")
  check_cl(cl, call)
  dots <- check_landmark_dots(..., call = call)
  seeds <- check_seeds(seeds, call)
  old <- keep_stream()
  on.exit(old())
  split <- cv_splits(nrow(x), folds, train, validation, test, response, seeds, call)
  data <- list(
    x = x, response = response, splits = split$splits, test = split$test, methods = methods, bandwidths = bandwidths,
    lambda = lambda, engine = engine, model = cv_model(response$type, classes), top = top, dots = dots,
    seeds = seeds, measure = measure, nested = nested || lambda_per_tag, lambda_per_tag = lambda_per_tag
  )
  if (is.null(lambda)) data$lambda <- lambda_grid(data, n)
  tasks <- cv_tasks(methods, n, split$splits, seeds)
  found <- spread_tasks(tasks, data, cl, call)
  check_some_worked(found, call)
  warn_tasks(found, tasks, call)
  units <- do.call(rbind, lapply(found, `[[`, "rows"))
  # Features that have no number of landmarks were the same for each n.
  units <- units[!duplicated(units[c("seed", "fold", "method", "n", "bandwidth", "part", "lambda")]), ]
  warn_failed(units, call)
  warn_unconverged(units, engine, call)
  out <- cv_summary(units, measure, names(methods), bandwidth_labels(bandwidths), call)
  if (refit) out <- c(out, cv_refit(data, out$best, setdiff(seq_len(nrow(x)), split$test), call))
  structure(c(out, list(
    type = response$type, measure = measure, levels = response$levels, engine = engine, model = data$model,
    bandwidths = bandwidth_labels(bandwidths), lambda = data$lambda, seeds = seeds, kind = split$kind,
    nested = data$nested, lambda_per_tag = lambda_per_tag, folds = length(split$splits[[1]]), n_rows = nrow(x),
    n_test = length(split$test),
    call = light_call(match.call()), seconds = as.double(proc.time()[["elapsed"]] - started)
  )), class = "cv_landmarks")
}

# What ridge_path() is asked for: one class against the rest is a regression for each column,
# as tags are.
cv_model <- function(type, classes) if (type == "classes" && classes == "one_vs_rest") "tags" else type

# The best again, from all rows that are not set aside.
cv_refit <- function(data, best, rows, call) {
  set_seed(data$seeds[1])
  n <- if (is.na(best$n)) 1L else best$n
  method <- data$methods[[best$method]]
  x <- data$x
  if (inherits(method, "method_on_data")) {
    x <- method$x
    data$dots <- utils::modifyList(data$dots, method$dots)
    method <- method$method
  }
  if (length(rows) < nrow(x)) x <- x[rows, , drop = FALSE]
  bandwidth <- data$bandwidths[match(best$bandwidth, bandwidth_labels(data$bandwidths))][[1]]
  fit <- withCallingHandlers(
    cv_learn(method, x, n, best$method, bandwidth, data$dots),
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
    warn_user("The regression of the best, learned again from all rows, did not converge.", "convergence", call)
  }
  coefficients <- matrix(path$coefficients, m + 1)
  responses <- switch(data$response$type, binary = data$response$levels[2], number = "y", data$response$levels)
  terms <- (colnames(w) %||% paste0("F", seq_len(ncol(w))))[seq_len(m)]
  dimnames(coefficients) <- list(c("(Intercept)", terms), responses)
  out <- list(fit = fit, coefficients = coefficients, link = path$link)
  if (data$lambda_per_tag) out$tag_lambda <- stats::setNames(path$chosen, responses)
  out
}

# Its regression at the best lambda, or for each tag at its own.
refit_path <- function(w, m, y, rows, lambda, data) {
  if (!data$lambda_per_tag) return(ridge_path(w, m, y, lambda, data$model, data$engine))
  inner <- inner_predictions(w, m, y, draw_inner(rows, data$response, data$seeds[1], 0), data)
  chosen <- tag_lambdas(inner, y, data$measure, data)
  path <- path_of_tags(ridge_path(w, m, y, data$lambda, data$model, data$engine), data$lambda, chosen)
  c(path, list(chosen = chosen))
}
