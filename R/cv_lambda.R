# Penalties that are chosen inside each training part.

#' Regressions of cv_landmarks(), and the choice of lambda
#'
#' [cv_landmarks()] measures landmarks by regressions of a response on their features. This page has the
#' regressions, how they are computed, and the choice of their penalty. [cv-measures] has the measures.
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
#'   for each class k, the loss \eqn{\log \sum_k e^{f_k} - f_y}{log(sum_k exp(f_k)) - f_y}, and the sum of all
#'   \eqn{\|w_k\|^2}{||w_k||^2} in the penalty. `classes = "one_vs_rest"` fits one logistic regression for
#'   each class against all others, as the paper does, and divides the probabilities by their sum.
#' * Two classes, and each tag by itself: logistic regression with y equal to 0 or 1 and the loss
#'   \eqn{\log(1 + e^f) - yf}{log(1 + e^f) - y f}.
#' * Numbers: ridge regression, the loss \eqn{(y - f)^2/2}.
#'
#' @section The grid of lambda:
#' By default lambda is chosen from a grid that is made for the data. Let N be the number of training rows,
#' and T be N times the sum of the variances of the features. (T is the trace of their centered Gram matrix.)
#' The grid has the powers of ten from about 10 T, where w is nearly 0, down to about \eqn{10^{-9} T}{1e-9 T}
#' (for numbers \eqn{10^{-13} T}{1e-13 T}), where the penalty has nearly no effect.
#'
#' T is computed once, from up to 1,000 rows of the first training part, with as many random rows as landmarks
#' as the largest `n`. If [raw_features()] is among the methods, T is computed from the data themselves too.
#' All methods, numbers and bandwidths share one grid, so that their results can be compared. Liang and
#' Paisley (2015) use `lambda = 10^(-3:3)`.
#'
#' @section The choice of lambda:
#' For each method, `n`, bandwidth and seed the chosen lambda is the one with the best mean `lambda_measure`
#' over the held-out parts: by default the smallest deviance (for numbers the mean squared error). With
#' another measure, such as the accuracy of Liang and Paisley (2015), ties are broken by the deviance. Then
#' the larger lambda is chosen. Losses that differ by less
#' than a thousandth count as ties. `print()` reports where the chosen lambda is at an end of the grid.
#'
#' The chosen lambda is measured on the same rows that chose it, so its measures are slightly too good. Two
#' options measure on other rows:
#'
#' * `test` rows are set aside from the start.
#' * `nested = TRUE` chooses lambda inside each training part, by five folds of its own rows. The inner folds
#'   share the landmarks of their training part. The measured rows are used neither for landmarks nor for
#'   lambda. It fits five more regressions for each one.
#'
#' Both measure on rows that chose nothing, by models of fewer rows than the final one. Landmarks of
#' [by_response()] need neither: their own regression is measured, which chooses its penalty by rows that it
#' holds out of the training rows. Their `lambda` is NA.
#'
#' The best row of a long table is still slightly too
#' good, because it was selected by the measured rows. `lambda_per_tag = TRUE` is nested too, and chooses a
#' lambda for each tag, as Liang and Paisley (2015) do: by its deviance, or by the tag's area under the ROC
#' curve or average precision where `lambda_measure` is `"auc"` or `"map"`.
#'
#' @section Computation:
#' Newton steps are taken until the gradient has fallen to 1e-7 of its size at `w = 0`. The softmax regression
#' computes its steps by conjugate gradients. Each lambda starts from the solution for the next larger one.
#' Regressions that have not converged are named in a warning (`landmarker_warning_convergence`) and left out
#' of the means. The solution is that of \pkg{glmnet} with `alpha = 0`, `standardize = FALSE` and lambda / N
#' as its lambda (for numbers times their standard deviation, because glmnet divides by it), whose coordinate
#' descent is slow on such features, and may stop early at weak penalties. For other penalties, such as the
#' lasso, use glmnet on the features: see the example.
#'
#' @references D. Liang and J. Paisley (2015). Landmarking manifolds with Gaussian processes. *Proceedings of
#'   the 32nd International Conference on Machine Learning*, PMLR 37, 466-474.
#' @seealso [cv_landmarks()], [cv-measures]
#' @examples
#' # Lambda chosen inside each training part, beside lambda chosen by the measured rows
#' both <- lapply(c(FALSE, TRUE), function(nested) {
#'   cv_landmarks(mag ~ lat + long + depth,
#'     data = quakes, n = 10, methods = "kmeans", folds = 3, seeds = 1,
#'     nested = nested, scale = TRUE
#'   )$best[c("lambda", "mse", "mse_se")]
#' })
#' do.call(rbind, both)
#'
#' # The lasso on features, by package glmnet
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

inner_folds <- 5L

# The inner fold of each training row, the same for all methods.
draw_inner <- function(train, response, seed, fold) {
  seed <- (abs(as.double(seed)) + 15485863 * fold) %% .Machine$integer.max
  draw_folds(min(inner_folds, length(unique(response$groups[train] %||% train))), train, response, seed)
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
    path <- ridge_path(
      features[!out, , drop = FALSE], m, y[!out, , drop = FALSE], cv$lambda, cv$model, train$weights[!out]
    )
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
