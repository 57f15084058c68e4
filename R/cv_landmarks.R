#' Compare methods and numbers of landmarks by what they predict
#'
#' Learns landmarks by several methods and of several numbers, maps the data to their features, fits
#' L2-penalized regressions of `y` on these, and measures the predictions on rows that were held
#' out. Landmarks are learned from the training rows of each fold alone.
#'
#' @section Regressions:
#' With features \eqn{\phi(x)} and N training rows the regression minimizes
#' \deqn{\sum_i \mathrm{loss}(y_i, f(x_i)) + \frac{\lambda}{2}\|w\|^2, \quad f(x) = b + w'\phi(x),}{
#'   sum_i loss(y_i, f(x_i)) + lambda/2 ||w||^2,  f(x) = b + w'phi(x),}
#' where the intercept b is not penalized. This is the convention of Liang and Paisley (2015).
#' * Three or more classes: by default one softmax (multinomial) regression, with a \eqn{w_k} and \eqn{b_k}
#'   for each class, the loss \eqn{\log \sum_k e^{f_k} - f_y}{log(sum_k exp(f_k)) - f_y}, and the sum of all
#'   \eqn{\|w_k\|^2}{||w_k||^2} in the penalty. `classes = "one_vs_rest"` fits one logistic regression
#'   for each class against all others, as the paper does, and divides the probabilities by their sum.
#' * Two classes, and each tag by itself: logistic regression, the loss \eqn{\log(1 + e^f) - yf}{log(1 +
#'   e^f) - y f}.
#' * Numbers: ridge regression, the loss \eqn{(y - f)^2/2}.
#'
#' @section Lambda:
#' By default lambda is chosen from a grid that is made for the data. Let T be N times the sum of the
#' variances of the features, which is the trace of their centered Gram matrix. The grid has the powers of
#' ten from about 10 T, where next to nothing is left of w, down to about \eqn{10^{-9} T}{1e-9 T} (for
#' numbers \eqn{10^{-13} T}{1e-13 T}), where the penalty does next to nothing. T is computed once, on up to
#' 1,000 rows of the first training part, with random rows as landmarks, as many as the largest `n`, and of
#' the data themselves where [raw_features()] is among the methods. All methods, numbers and bandwidths
#' share one grid, so that their rows compare. Liang and Paisley (2015) use `lambda = 10^(-3:3)`.
#'
#' For each method, `n`, bandwidth and seed the lambda is taken whose mean `measure` over the held-out
#' parts is best. Ties, which are frequent for accuracy and the area under the ROC curve, are broken by the
#' deviance (for numbers the mean squared error), then by the larger lambda. Losses that differ by less
#' than a thousandth count as ties. `print()` says where the chosen lambda is at an end of the grid.
#'
#' The measures of the chosen lambda are on the same rows that chose it, and so flatter a little. There are
#' two ways to measure on rows that chose nothing:
#' * `test` rows are set aside from the start.
#' * `nested = TRUE` chooses lambda inside each training part, by five folds of its own rows. The
#'   inner folds share the landmarks of their training part, because landmarks are learned
#'   without `y`. The rows that are measured have no part in landmarks or lambda. It costs five more
#'   regressions for each one.
#'
#' Both make the measures of each row of the table honest. The best of many rows still flatters a little,
#' because it is the best on the rows that are measured. `lambda_per_tag = TRUE` is nested too, and
#' chooses the lambda of each tag by itself, as Liang and Paisley (2015) do: by the tag's area under
#' the ROC curve or average precision where `measure` is `"auc"` or `"map"`, otherwise by its deviance.
#'
#' @section Engines:
#' `"newton"` takes Newton steps until the gradient has fallen to 1e-7 of its size at `w = 0`. The softmax
#' finds its steps by conjugate gradients. Each lambda starts from the answer of the next larger one.
#' `"glmnet"` uses \pkg{glmnet} with `alpha = 0` and our lambda / N as its lambda (for numbers times
#' their standard deviation, by which it divides), on the features turned to their principal
#' axes. Coordinate descent is slow on such features, and may give up at weak penalties. Regressions
#' that have not converged are named in a warning and left out of the means, whatever the engine.
#'
#' @section Measures:
#' * Classes: `"accuracy"` (default) and `"deviance"`, -2 times the mean log-likelihood. Two classes also
#'   have `"auc"`, the area under the ROC curve.
#' * Numbers: `"mse"` (default) and `"r_squared"`.
#' * Tags: `"auc"` (default), `"map"`, `"precision"`, `"recall"`, `"f"` (means over tags, see
#'   [tagging_scores()]) and `"deviance"`.
#'
#' A standard error is the standard deviation over all folds and seeds divided by the square root of their
#' number. Folds share training rows, so that it is a guide only. With `validation` the rows are the
#' same for every seed: the standard error is then about the landmarks' chance, not about the rows'.
#'
#' @section Methods that fail:
#' Where a method raises an error for one number or fold, its row of the table has no measures and the
#' message in column `problem`. `print()` shows it, and a warning names it. The others are
#' compared all the same. Only where every method fails is there an error.
#'
#' @section Reproducible:
#' Each fit has a random seed of its own, made of `seeds`. The results do not depend on the number of
#' workers, nor on which other methods or bandwidths there are. The caller's random stream
#' moves on where `seeds` is `NULL`, and otherwise not at all.
#'
#' @param x The data, as in [landmarks()]: a matrix, a sparse matrix or a data frame, N x d.
#' @param y What is to be predicted, N values: a factor (or strings), numbers, 0/1 or
#'   logical, or a 0/1 matrix with a column for each tag.
#' @param n Numbers of landmarks, whole numbers (default 50, 75 and 100).
#' @param methods A named list of ways to choose landmarks: method objects such as [by_gp()], their
#'   names, or functions(x, n) whose result has a [predict()] method that gives a matrix of at least
#'   n features ([nmf_features()]; [raw_features()] may give any number). [with_data()] gives a method data
#'   of its own. The default compares Liang and Paisley's two with random rows.
#' @param lambda Penalties, numbers above 0, or `NULL` (default) for a grid made for the data (see Lambda).
#' @param engine `"newton"` (default) or `"glmnet"`.
#' @param classes For three or more classes: `"softmax"` (default) or `"one_vs_rest"`.
#' @param bandwidth One or several bandwidths, as in [landmarks()]: numbers, or rules such as
#'   `c("variance", "2 * variance")`, or a list of both. Each has a row of the table. Functions among the
#'   methods have none.
#' @param folds Number of folds (default 5, since each costs a fit of landmarks), or the
#'   fold of each row. Folds are drawn anew for each seed, evenly in each class.
#' @param validation Instead of folds: the rows to be held out, as numbers or `TRUE`.
#' @param test Rows that are set aside: neither landmarks nor lambda see them, and
#'   the measures are reported on them too.
#' @param train With `validation`: rows to learn from, by default all others.
#' @param seeds Whole numbers: one repetition for each, or `NULL` for one whose seed is
#'   drawn from R's stream.
#' @param measure What chooses lambda and the best row (see Measures); `NULL` for
#'   the first for such a `y`.
#' @param top For tags: how many each row is annotated with; by default 10, as in the paper, or where there
#'   are no more tags than that as many as a row has on average.
#' @param nested `TRUE` chooses lambda inside each training part, so that the measured rows have no part in
#'   the choice. Default `FALSE`.
#' @param lambda_per_tag For tags: `TRUE` chooses a lambda for each of them, inside each training part.
#'   Default `FALSE`, one for all.
#' @param refit Whether to learn the best again from all rows but `test`, for
#'   `predict()` and `coef()`. Default `TRUE`.
#' @param cl `NULL`, a cluster of [parallel::makeCluster()], or (where R can fork) a number
#'   of processes. Each has a copy of the data, and computes with one thread. There is a progress bar, in
#'   interactive sessions, only without workers.
#' @param ... Further arguments of [landmarks()] that hold for all methods: `space`, `scale`.
#'   `raw_features` and `nmf_features` obey `scale`; functions of your own do not see them.
#' @return An object of class `cv_landmarks`, a plain list:
#' * `summary`: a data frame with a row for each method, number and bandwidth: `lambda`; for each measure
#'   its mean and standard error `_se`, and on `test` rows `test_`; `features`, how many there were on
#'   average, fewer than `n` where a fit found fewer; `seconds` to learn, the mean over fits, of all the
#'   numbers (and for k-means and random rows all the bandwidths) together where one fit serves them;
#'   `problem`, the message of a method that failed, otherwise NA.
#' * `units`: the same for each seed, fold and lambda, on the held-out rows (`part` is `"held"`), the
#'   `"test"` rows, and where nested the rows of the `"inner"` folds.
#' * `best`: the row of `summary` with the best `measure`. `fit`, `coefficients` and for `lambda_per_tag`
#'   `tag_lambda` are of the best, learned again.
#' * `lambda`: the grid. `seconds`: in all.
#'
#' It has `print()`, [plot()][plot.cv_landmarks()], `as.data.frame()` (`type = "units"` for the long one),
#' `coef()` and [predict()][plot.cv_landmarks()].
#' @references D. Liang and J. Paisley (2015). Landmarking manifolds with
#'   Gaussian processes. *Proceedings of the 32nd International Conference on
#'   Machine Learning*, PMLR 37, 466-474.
#' @examples
#' pixels <- digits$images[1:600, ] / 255
#' cv <- cv_landmarks(pixels, digits$labels[1:600],
#'   n = c(10, 20), methods = list(gp = by_gp(), random = by_random()),
#'   folds = 2, seeds = 1, space = "nonnegative"
#' )
#' cv
#' plot(cv)
#' table(predict(cv, pixels[1:50, ]), digits$labels[1:50])
#'
#' # Numbers, several bandwidths, lambda chosen inside each training part
#' cv_landmarks(quakes[c("lat", "long", "depth", "stations")], quakes$mag,
#'   n = 20, methods = by_gp(), bandwidth = c("variance", "3 * variance"), folds = 3, seeds = 1,
#'   nested = TRUE, scale = TRUE
#' )
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
  bare <- lapply(methods, bare_method)
  if (any(vapply(bare, identical, NA, nmf_features))) need_package("NMF", "nmf_features()")
  bandwidths <- check_bandwidths(bandwidth, call)
  measure <- check_measure(measure, response$type, call)
  top <- if (response$type == "tags") check_top(top, response$y, call)
  nested <- check_flag(nested, "nested")
  lambda_per_tag <- check_lambda_per_tag(lambda_per_tag, response$type, call)
  refit <- check_flag(refit, "refit")
  check_cl(cl, call)
  dots <- check_landmark_dots(..., call = call)
  source <- ready_data(x, dots$scale %||% FALSE)$source
  if (is.null(dots$scale)) tell_units(source, dots$space %||% "euclidean", call)
  seeds <- check_seeds(seeds, call)
  old <- keep_stream()
  on.exit(old())
  split <- cv_splits(nrow(x), folds, train, validation, test, response, seeds, call)
  data <- list(
    x = x, response = response, splits = split$splits, test = split$test, methods = methods,
    bandwidths = bandwidths,
    lambda = lambda, engine = engine, model = cv_model(response$type, classes), top = top, dots = dots,
    seeds = seeds, measure = measure, nested = nested || lambda_per_tag, lambda_per_tag = lambda_per_tag
  )
  if (is.null(lambda)) data$lambda <- lambda_grid(data, n)
  tasks <- cv_tasks(methods, n, split$splits, seeds, same_bandwidths(source, bandwidths, n))
  rm(source)
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
    nested = data$nested, lambda_per_tag = lambda_per_tag, folds = length(split$splits[[1]]),
    n_rows = nrow(x), n_test = length(split$test),
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
  if (inherits(method, "method_with_data")) {
    x <- method$x
    data$dots <- utils::modifyList(data$dots, method$dots)
    method <- method$method
  }
  if (length(rows) < nrow(x) || is_parted(x)) x <- x[rows, , drop = FALSE]
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
