# Penalties: the default grid, and lambdas that are chosen inside each training part.

# The default grid: powers of ten from 10 T down to 1e-9 T, or 1e-13 T for numbers. T is N times the sum of
# the features' variances, the trace of their centered Gram matrix: a penalty above it shrinks all slopes to
# nearly 0. The features are those of random rows as landmarks, as many as the largest n, so that the grid is
# the same for all methods and numbers. With several bandwidths it goes from the largest T to the smallest.
# Only the first training part is used.
lambda_grid <- function(data, n) {
  train <- data$splits[[1]][[1]]$train
  set_seed(data$seeds[1])
  rows <- if (length(train) > 1000) sample(train, 1000) else train
  x <- data$x[rows, , drop = FALSE]
  v <- data$weights[rows]
  total <- unlist(lapply(data$bandwidths, function(b) feature_variance(x, max(n), b, data$dots, v)))
  total <- c(total, unlist(lapply(data$methods, raw_variance, rows, x, data$dots, v)))
  count <- if (is.null(v)) length(train) else sum(data$weights[train])
  total <- count * total[is.finite(total) & total > 0]
  # No landmarks can be learned from these data. The error comes later, with the fits.
  if (length(total) == 0) total <- count
  reach <- if (data$response$type == "number") -13 else -9
  10^(seq(floor(log10(min(total))) + reach, ceiling(log10(max(total))) + 1))
}

# The sum of the variances of the features by random rows.
feature_variance <- function(x, n, bandwidth, dots, weights = NULL) {
  or_else(
    suppressWarnings({
      given <- c(list(bandwidth = bandwidth), if (!is.null(weights)) list(weights = weights), dots)
      fit <- do.call(landmarks, c(list(x, min(n, nrow(x)), by_random()), given))
      total_variance(stats::predict(fit, x), weights)
    }),
    NULL
  )
}

# The sum of the variances of the data themselves, where they are features.
raw_variance <- function(method, rows, x, dots, weights = NULL) {
  if (!identical(bare_method(method), raw_features)) return(NULL)
  if (inherits(method, "method_with_data")) {
    x <- method$x[rows, , drop = FALSE]
    dots <- utils::modifyList(dots, method$dots)
  }
  or_else(
    total_variance(
      stats::predict(raw_features(x, scale = isTRUE(dots$scale), weights = weights), x), weights
    ),
    NULL
  )
}

total_variance <- function(w, weights = NULL) {
  means <- function(v) if (is.null(weights)) colMeans(v) else colSums(v * weights) / sum(weights)
  sum(means(w^2) - means(w)^2)
}

# ---- lambda inside each training part ------------------------------------------------
# With `nested = TRUE` lambda is chosen by folds of the training rows, so that the rows that are measured have
# no part in the choice. The inner folds use the landmarks of the whole training part, which do not depend on
# the response, unless the method uses it.

inner_folds <- 5L

# The inner fold of each training row, the same for all methods.
draw_inner <- function(train, response, seed, fold) {
  seed <- (abs(as.double(seed)) + 15485863 * fold) %% .Machine$integer.max
  draw_folds(min(inner_folds, length(train)), train, response, seed)
}

# Predictions for each training row by regressions that did not see it: rows x responses x
# lambdas; and whether each regression of a response and lambda converged in all folds.
inner_predictions <- function(features, m, y, folds, data, weights = NULL) {
  p <- array(NA_real_, c(nrow(y), ncol(y), length(data$lambda)))
  converged <- matrix(TRUE, ncol(y), length(data$lambda))
  for (k in sort(unique(folds))) {
    out <- folds == k
    learned <- features[!out, , drop = FALSE]
    path <- ridge_path(
      learned, m, y[!out, , drop = FALSE], data$lambda, data$model, data$engine, weights[!out]
    )
    converged <- converged & path$converged[rep_len(seq_len(nrow(path$converged)), ncol(y)), , drop = FALSE]
    for (l in seq_along(data$lambda)) {
      coefficients <- matrix(path$coefficients[, , l], dim(path$coefficients)[1])
      p[out, , l] <- ridge_response(features[out, , drop = FALSE], coefficients, path$link)
    }
  }
  list(p = p, converged = converged)
}

# For each lambda the measures of the inner folds, all their predictions taken together: rows
# of results like those of cv_measures(), of the part "inner".
inner_measures <- function(inner, y, data, weights = NULL) {
  names <- measure_names[[data$response$type]]
  rows <- lapply(seq_along(data$lambda), function(l) {
    value <- if (all(inner$converged[, l])) {
      measure_response(matrix(inner$p[, , l], nrow(y)), y, data$response$type, data$top, weights)
    } else {
      stats::setNames(rep(NA_real_, length(names)), names)
    }
    data.frame(part = "inner", lambda = data$lambda[l], t(value[names]))
  })
  do.call(rbind, rows)
}

# For each tag the lambda that is best for this tag alone: by the area under the ROC curve or the average
# precision where that is the user's measure, else by the deviance.
tag_lambdas <- function(inner, y, measure, data, weights = NULL) {
  vapply(seq_len(ncol(y)), function(j) {
    of_tag <- lapply(seq_along(data$lambda), function(l) {
      if (!inner$converged[j, l]) return(c(auc = NA, map = NA, deviance = NA))
      p <- inner$p[, j, l]
      ranked <- score_ranking(p, y[, j], weights)
      c(auc = ranked[["auc"]], map = ranked[["ap"]], deviance = bernoulli_deviance(p, y[, j], weights))
    })
    units <- data.frame(lambda = data$lambda, do.call(rbind, of_tag))
    best_lambda(units, if (measure %in% c("auc", "map")) measure else "deviance")
  }, 0)
}

# A path of one penalty, made of a path of several: each tag has its coefficients at its own lambda.
path_of_tags <- function(path, lambda, chosen) {
  at <- cbind(seq_along(chosen), match(chosen, lambda))
  of_tag <- function(j) path$coefficients[, j, at[j, 2]]
  coefficients <- vapply(seq_along(chosen), of_tag, path$coefficients[, 1, 1])
  list(
    coefficients = array(coefficients, c(dim(path$coefficients)[1:2], 1)),
    converged = matrix(path$converged[at]), link = path$link
  )
}
