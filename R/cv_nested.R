# Lambda chosen inside each training part, by folds of its own rows, without the rows that are
# measured. The inner folds share the landmarks of their training
# part: landmarks never see the response.

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

# For each tag the lambda that is best for it by itself: by the area under the ROC curve or the
# average precision where that is the measure, else by the deviance.
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

# Of a path the coefficients of each tag at its own lambda, as a path of one penalty.
path_of_tags <- function(path, lambda, chosen) {
  at <- cbind(seq_along(chosen), match(chosen, lambda))
  of_tag <- function(j) path$coefficients[, j, at[j, 2]]
  coefficients <- vapply(seq_along(chosen), of_tag, path$coefficients[, 1, 1])
  list(
    coefficients = array(coefficients, c(dim(path$coefficients)[1:2], 1)),
    converged = matrix(path$converged[at]), link = path$link
  )
}
