# L2-penalized regression on features, for a path of penalties: two engines
# with one kind of result,
#
#   list(coefficients, converged, link)
#
# coefficients: (1 + m) x responses x lambdas, the intercept first; converged:
# responses x lambdas, or 1 x lambdas; link "logistic", "softmax" or "identity".

# `y`: N x responses of 0/1, or of numbers; the first `m` columns of `features`
# are used. `type` "classes" is a softmax, all else one regression a column; columns that do
# not vary have no slope. `weights`: of the rows, or NULL; a row of weight 2 counts as two rows.
ridge_path <- function(features, m, y, lambda, type, engine, weights = NULL) {
  if (!is.null(weights)) return(weighted_path(features, m, y, lambda, type, engine, weights))
  unit_path(features, m, y, lambda, type, engine)
}

# The same minimum with weights of mean 1, for the core, and the penalty divided by as much as they.
weighted_path <- function(features, m, y, lambda, type, engine, weights) {
  there <- weights > 0
  if (!all(there)) {
    weights <- weights[there]
    features <- features[there, , drop = FALSE]
    y <- y[there, , drop = FALSE]
  }
  # First by the largest: the sum of huge weights would overflow.
  relative <- weights / max(weights)
  unit <- max(weights) * mean(relative)
  weights <- if (any(relative != 1)) relative / mean(relative)
  unit_path(features, m, y, lambda / unit, type, engine, weights)
}

# With weights of mean 1, or NULL.
unit_path <- function(features, m, y, lambda, type, engine, weights = NULL) {
  # Coefficients lie in the span of the rows: with more features than rows, fewer axes are enough.
  find <- if (m > nrow(features)) path_in_span else path_of_features
  find(features, m, y, lambda, type, engine, weights)
}

path_of_features <- function(features, m, y, lambda, type, engine, weights) {
  if (type == "classes") return(softmax_path(features, m, y, lambda, engine, weights))
  # glmnet needs at least two rows of each class.
  least <- if (engine == "glmnet" && type %in% c("binary", "tags")) 2 else 1
  varies <- if (type == "number") {
    apply(y, 2, function(v) any(v != v[1]))
  } else {
    pmin(colSums(y), colSums(1 - y)) >= least
  }
  out <- list(
    coefficients = array(0, c(m + 1, ncol(y), length(lambda))),
    converged = matrix(TRUE, ncol(y), length(lambda)),
    link = if (type == "number") "identity" else "logistic"
  )
  # A response of 0 or 1 only: its frequency with half a count added to either side.
  share <- (colSums(by_weight(y, weights)) + 0.5) / (nrow(y) + 1)
  out$coefficients[1, , ] <- if (type == "number") y[1, ] else stats::qlogis(share)
  if (!any(varies)) return(out)
  fit <- switch(engine, newton = ridge_newton, glmnet = ridge_glmnet)
  # From the strongest penalty down: each starts where the last one ended.
  down <- order(lambda, decreasing = TRUE)
  found <- fit(features, m, y[, varies, drop = FALSE], lambda[down], type, weights)
  out$coefficients[, varies, down] <- found$coefficients
  out$converged[varies, down] <- found$converged
  out$link <- found$link
  out
}

# The same by the principal axes of the rows, no more than there are rows.
path_in_span <- function(features, m, y, lambda, type, engine, weights) {
  n <- nrow(features)
  span <- in_child(function() row_span(features, m), n^2 * (3 * m + 9 * n))
  path <- path_of_features(span$on_axes, ncol(span$on_axes), y, lambda, type, engine, weights)
  coefficients <- array(0, c(m + 1, dim(path$coefficients)[2:3]))
  for (l in seq_along(lambda)) {
    w <- span$axes %*% matrix(path$coefficients[-1, , l], ncol(span$axes))
    coefficients[, , l] <- rbind(path$coefficients[1, , l] - colSums(w * span$middle), w)
  }
  path$coefficients <- coefficients
  path
}

# list(middle, axes, on_axes): the means of the first `m` features, the principal axes of the rows around
# them, and the rows' coordinates on these.
row_span <- function(features, m) {
  x <- features[, seq_len(m), drop = FALSE]
  middle <- colMeans(x)
  x <- x - rep(middle, each = nrow(x))
  e <- eigen(tcrossprod(x), symmetric = TRUE)
  kept <- which(e$values > 1e-14 * max(e$values[1], 0))
  if (length(kept) == 0) kept <- 1L
  length <- sqrt(pmax(e$values[kept], 0))
  list(
    middle = middle,
    axes = crossprod(x, e$vectors[, kept, drop = FALSE]) / rep(ifelse(length > 0, length, 1), each = m),
    on_axes = e$vectors[, kept, drop = FALSE] * rep(length, each = nrow(x))
  )
}

# Newton steps, in the core; for numbers a single one is the closed form.
ridge_newton <- function(features, m, y, lambda, type, weights = NULL, tolerance = 1e-7) {
  storage.mode(y) <- "double"
  numbers <- type == "number"
  settings <- newton_settings(m, lambda, weights, tolerance)
  found <- .Call(C_ridge, features, y, c(list(response = if (numbers) "numbers" else "chances"), settings))
  converged <- found$gradient <= 10 * tolerance
  converged[is.na(converged)] <- FALSE
  list(
    coefficients = found$coefficients, converged = converged, link = if (numbers) "identity" else "logistic"
  )
}

# What the core's regressions are asked for: coefficients of the first `m` features for these penalties, in
# turn.
newton_settings <- function(m, lambda, weights, tolerance) {
  path <- list(
    terms = as.integer(m), lambda = as.double(lambda), weights = weights, tolerance = tolerance,
    max_iterations = 100L
  )
  c(path, compute_with())
}

# glmnet's coordinate descent, on the principal components of the features,
# where ridge regression has the same solution and the descent takes far fewer steps.
ridge_glmnet <- function(features, m, y, lambda, type, weights = NULL, thresh = 1e-7) {
  # An estimate: the axes, the rows on them, and the descent.
  operations <- nrow(features) * m * (3 * m + 50 * ncol(y) * length(lambda)) + 9 * m^3
  in_child(function() descend(features, m, y, lambda, type, weights, thresh), operations)
}

descend <- function(features, m, y, lambda, type, weights, thresh) {
  x <- features[, seq_len(m), drop = FALSE]
  middle <- colMeans(by_weight(x, weights))
  x <- x - rep(middle, each = nrow(x))
  # glmnet wants two columns.
  axes <- cbind(eigen(crossprod(by_weight(x, weights), x), symmetric = TRUE)$vectors, if (m == 1) 0)
  turned <- x %*% axes
  runs <- glmnet_responses(y, type)
  # Without a path down from strong penalties its softmax regression may diverge silently.
  ahead <- lambda[1] * 10^(3:1)
  path <- lapply(runs, function(response) {
    arguments <- glmnet_arguments(turned, response$y, c(ahead, lambda), response$family, thresh, weights)
    glmnet_path(arguments, length(lambda), length(ahead))
  })
  slopes <- array(0, c(m + 1, ncol(y), length(lambda)))
  converged <- matrix(TRUE, ncol(y), length(lambda))
  for (r in seq_along(runs)) {
    for (k in seq_along(runs[[r]]$columns)) {
      column <- runs[[r]]$columns[k]
      w <- axes %*% path[[r]]$slopes[[k]]
      slopes[, column, ] <- rbind(path[[r]]$intercepts[k, ] - colSums(w * middle), w)
      converged[column, ] <- path[[r]]$converged
    }
  }
  link <- c(classes = "softmax", binary = "logistic", tags = "logistic", number = "identity")[[type]]
  for (l in seq_along(lambda)) {
    left <- relative_gradient(features, y, lambda[l], matrix(slopes[, , l], m + 1), link, weights)
    converged[, l] <- converged[, l] & left < 0.01
  }
  list(coefficients = slopes, converged = converged, link = link)
}

# The gradient's norm for each response, relative to that of the best intercepts alone: the
# test of convergence.
relative_gradient <- function(features, y, lambda, coefficients, link, weights = NULL) {
  m <- nrow(coefficients) - 1
  f <- features[, seq_len(m), drop = FALSE]
  slope <- function(error, w) {
    error <- by_weight(error, weights)
    rbind(colSums(error), crossprod(f, error) + lambda * w)
  }
  size <- function(g) sqrt(colSums(g^2))
  left <- size(slope(ridge_response(f, coefficients, link) - y, coefficients[-1, , drop = FALSE]))
  start <- size(slope(rep(colMeans(by_weight(y, weights)), each = nrow(y)) - y, 0))
  ifelse(is.na(left), Inf, left / pmax(start, 1e-12 * nrow(y)))
}

# One softmax for classes, else one regression a column.
glmnet_responses <- function(y, type) {
  if (type == "classes") {
    all <- seq_len(ncol(y))
    return(list(list(y = factor(max.col(y), all), family = "multinomial", columns = all)))
  }
  family <- if (type == "number") "gaussian" else "binomial"
  lapply(seq_len(ncol(y)), function(k) list(y = y[, k], family = family, columns = k))
}

# The correspondence: glmnet minimizes the mean loss + lambda / 2 ||w||^2, so that
# its lambda is ours over N. It fits numbers after dividing them by their
# standard deviation (of denominator N), and divides lambda by it once, where
# the ridge penalty would need no change: so it is multiplied back here.
glmnet_arguments <- function(x, y, lambda, family, thresh, weights = NULL) {
  middle <- if (family == "gaussian") mean(by_weight(y, weights))
  unit <- if (family == "gaussian") sqrt(mean(by_weight((y - middle)^2, weights))) else 1
  arguments <- list(
    x = x, y = y, family = family, alpha = 0, lambda = lambda / length(y) * unit,
    standardize = FALSE, intercept = TRUE, thresh = thresh, maxit = 1e6
  )
  arguments$weights <- weights
  arguments
}

# Each row times its weight.
by_weight <- function(v, weights) if (is.null(weights)) v else v * weights

# Slopes of each response, features x lambdas; intercepts, responses x lambdas; without the
# first `ahead` of the path. Where glmnet gave up, the rest of its path is missing: NA, not
# converged.
glmnet_path <- function(arguments, lambdas, ahead = 0L) {
  fit <- suppressWarnings(or_else(do.call(glmnet::glmnet, arguments), NULL))
  reached <- if (is.null(fit) || fit$jerr > 0) 0 else max(min(length(fit$lambda) - ahead, lambdas), 0)
  responses <- if (arguments$family == "multinomial") nlevels(arguments$y) else 1L
  full <- function(part) {
    cbind(
      as.matrix(part)[, ahead + seq_len(reached), drop = FALSE],
      matrix(NA_real_, NROW(part), lambdas - reached)
    )
  }
  if (reached == 0) {
    nothing <- matrix(NA_real_, ncol(arguments$x), lambdas)
    return(list(
      slopes = rep(list(nothing), responses), intercepts = matrix(NA_real_, responses, lambdas),
      converged = rep(FALSE, lambdas)
    ))
  }
  list(
    slopes = if (is.list(fit$beta)) lapply(fit$beta, full) else list(full(fit$beta)),
    intercepts = full(rbind(fit$a0)),
    converged = seq_len(lambdas) <= reached
  )
}

# Predictions for new features by the coefficients of one penalty: M x responses, as
# probabilities for classes and tags.
ridge_response <- function(features, coefficients, link) {
  m <- nrow(coefficients) - 1
  f <- features[, seq_len(m), drop = FALSE] %*% coefficients[-1, , drop = FALSE]
  f <- f + rep(coefficients[1, ], each = nrow(f))
  switch(link,
    identity = f,
    logistic = {
      f[] <- stats::plogis(f)
      f
    },
    softmax = {
      e <- exp(f - f[cbind(seq_len(nrow(f)), max.col(f))])
      e / rowSums(e)
    }
  )
}
