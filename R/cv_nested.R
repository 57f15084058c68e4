# Penalties chosen by inner folds.

#' Regressions and penalties in cross-validation
#'
#' [cv_landmarks()] compares methods by ridge-penalized regressions of the response on landmark features. This
#' page describes the regressions and the choice of their penalty. [cv-measures] describes the measures.
#'
#' @section Regressions:
#' With features \eqn{\phi(x)}{phi(x)}, the coefficients w and the unpenalized intercept b minimize
#' \deqn{\sum_i \mathrm{loss}(y_i, f(x_i)) + \frac{\lambda}{2}\|w\|^2, \quad f(x) = b + w'\phi(x),}{
#'   sum_i loss(y_i, f(x_i)) + lambda/2 ||w||^2,  f(x) = b + w'phi(x),}
#' as in Liang and Paisley (2015).
#'
#' * Three or more classes: multinomial (softmax) regression with \eqn{w_k} and \eqn{b_k} for each class and
#'   the loss \eqn{\log \sum_k e^{f_k} - f_y}{log(sum_k exp(f_k)) - f_y}. `classes = "one_vs_rest"` fits one
#'   logistic regression per class instead, as Liang and Paisley do, and normalizes the probabilities.
#' * Two classes, and each label (tag) of a multilabel response: logistic regression with the loss
#'   \eqn{\log(1 + e^f) - yf}{log(1 + e^f) - y f}.
#' * Numeric responses: ridge regression with the loss \eqn{(y - f)^2/2}.
#'
#' The loss is a sum over rows and y is not standardized. The equivalent \pkg{glmnet} call is `alpha = 0,
#' standardize = FALSE` with its lambda equal to \eqn{\lambda / N}{lambda / N}, times the standard deviation
#' of y for numeric responses.
#'
#' Newton's method is used until the norm of the gradient is 1e-7 of its value at w = 0, with warm starts
#' along the path. Fits that do not converge give a warning (`landmarker_warning_convergence`) and are
#' excluded from the means.
#'
#' @section Grid of penalties:
#' The default grid has the powers of ten from about 10 T, at which w is nearly 0, to about
#' \eqn{10^{-9} T}{1e-9 T} (for numeric responses \eqn{10^{-13} T}{1e-13 T}), at which the penalty has nearly
#' no effect. T is N times the total variance of the features, the trace of their centered Gram matrix. T is
#' computed once, from up to 1,000 training rows, for the features of random rows as landmarks and, if
#' [raw_features()] is compared, for the data; the grid covers both. All methods, numbers of landmarks and
#' bandwidths share one grid. Liang and Paisley (2015) use `lambda = 10^(-3:3)`.
#'
#' @section Choice of the penalty:
#' For each method, `n`, bandwidth and seed, the penalty with the best mean out-of-fold `lambda_measure` is
#' chosen: by default the deviance, or the mean squared error for numeric responses. Other measures use the
#' deviance to break ties. Among remaining ties (losses within 0.1%) the larger penalty is chosen. `print()`
#' reports penalties at an end of the grid.
#'
#' Because the penalty is selected and evaluated on the same rows, the measures are slightly optimistic. Two
#' arguments avoid this:
#' * `test`: these rows are set aside first.
#' * `nested = TRUE`: the penalty is chosen by five inner folds in each training set. The inner folds share
#'   the landmarks of the training set. This takes six regressions instead of one.
#'
#' `lambda_per_tag = TRUE` is nested as well, with a penalty for each label, as in Liang and Paisley (2015).
#' For [by_response()] neither option is needed, because the penalty is chosen within the training rows;
#' `lambda` is `NA`. The measures of the best of many combinations remain slightly optimistic, because it was
#' selected by these measures.
#'
#' @references D. Liang and J. Paisley (2015). Landmarking manifolds with Gaussian processes. *Proceedings of
#'   the 32nd International Conference on Machine Learning*, PMLR 37, 466-474.
#' @seealso [cv_landmarks()], [cv-measures]
#' @examples
#' # Penalty chosen by the evaluated rows, and by inner folds
#' both <- lapply(c(FALSE, TRUE), function(nested) {
#'   cv_landmarks(mag ~ lat + long + depth,
#'     data = quakes, n = 10, methods = "kmeans", folds = 3, seeds = 1,
#'     nested = nested, scale = TRUE
#'   )$best[c("lambda", "mse", "mse_se")]
#' })
#' do.call(rbind, both)
#'
#' # The lasso on landmark features
#' if (requireNamespace("glmnet", quietly = TRUE)) {
#'   fit <- landmarks(~ lat + long + depth, quakes, 30, scale = TRUE)
#'   lasso <- glmnet::cv.glmnet(predict(fit, quakes), quakes$mag)
#'   predict(lasso, predict(fit, quakes[1:3, ]))
#' }
#' @name cv-regressions
NULL

# ---- lambda inside each training part ------------------------------------------------
# With `nested = TRUE` lambda is chosen by folds of the training rows, so that the rows that are measured have
# no part in the choice. The inner folds use the landmarks of the whole training part, which do not depend on
# the response, unless the method uses it.

# The inner fold of each training row, the same for all methods.
draw_inner <- function(train, response, seed, fold) {
  seed <- (abs(as.double(seed)) + 15485863 * fold) %% .Machine$integer.max
  draw_folds(min(5, length(unique(response$groups[train] %||% train))), train, response, seed)
}

# list(p, converged): predictions for each training row by regressions that did not see it, a list of rows x
# responses for each lambda; and whether each regression of a response and lambda converged in all folds.
# `train`: list(y, weights, inner).
inner_predictions <- function(features, m, train, cv) {
  y <- train$y
  p <- rep(list(0 * y), length(cv$lambda))
  converged <- matrix(TRUE, ncol(y), length(cv$lambda))
  for (k in sort(unique(train$inner))) {
    out <- train$inner == k
    of <- features[!out, , drop = FALSE]
    path <- ridge_path(of, m, y[!out, , drop = FALSE], cv$lambda, cv$model, train$weights[!out])
    converged <- converged & path$converged
    predicted <- predict_path(path, features[out, , drop = FALSE])
    for (l in seq_along(p)) p[[l]][out, ] <- predicted[[l]]
  }
  list(p = p, converged = converged)
}

# For each tag the lambda that is best for this tag alone: by the area under the ROC curve or the average
# precision where that is the user's measure, else by the deviance.
tag_lambdas <- function(inner, train, cv) {
  measure <- if (cv$lambda_measure %in% c("auc", "map")) cv$lambda_measure else "deviance"
  vapply(seq_len(ncol(train$y)), function(j) {
    y <- train$y[, j]
    of_tag <- lapply(seq_along(cv$lambda), function(l) {
      if (!inner$converged[j, l]) return(c(auc = NA, map = NA, deviance = NA))
      p <- inner$p[[l]][, j]
      ranked <- score_ranking(p, y, train$weights)
      c(auc = ranked[["auc"]], map = ranked[["ap"]], deviance = bernoulli_deviance(p, y, train$weights))
    })
    best_lambda(data.frame(lambda = cv$lambda, do.call(rbind, of_tag)), measure)
  }, 0)
}

# A path of one penalty, made of a path of several: each tag has its coefficients at its own lambda.
path_of_tags <- function(path, lambda, chosen) {
  at <- cbind(seq_along(chosen), match(chosen, lambda))
  coefficients <- apply(at, 1, function(k) path$coefficients[, k[1], k[2]])
  list(
    coefficients = array(coefficients, c(dim(path$coefficients)[1:2], 1)),
    converged = matrix(path$converged[at]), link = path$link
  )
}
