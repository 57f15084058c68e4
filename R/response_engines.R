# The two engines of penalized regression: Newton steps in the core, and package glmnet.

# The path by Newton steps, in the core. For numbers the first step is the solution in closed form.
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

# The settings of the core's regressions: coefficients of the first `m` features, for one penalty after
# another.
newton_settings <- function(m, lambda, weights, tolerance) {
  path <- list(
    terms = as.integer(m), lambda = as.double(lambda), weights = weights, tolerance = tolerance,
    max_iterations = 100L
  )
  c(path, compute_with())
}

# The same for softmax.
softmax_newton <- function(features, m, y, lambda, weights = NULL, tolerance = 1e-7) {
  settings <- c(list(classes = ncol(y)), newton_settings(m, lambda, weights, tolerance))
  found <- .Call(C_softmax, features, max.col(y, "first"), settings)
  converged <- found$gradient <= 10 * tolerance
  converged[is.na(converged)] <- FALSE
  list(
    coefficients = found$coefficients, link = "softmax",
    converged = matrix(converged, ncol(y), length(lambda), byrow = TRUE)
  )
}

# The path by glmnet's coordinate descent. It is run on the principal components of the features, on which
# ridge regression has the same solution and the descent takes far fewer steps.
ridge_glmnet <- function(features, m, y, lambda, type, weights = NULL, thresh = 1e-7) {
  x <- features[, seq_len(m), drop = FALSE]
  middle <- colMeans(times_weights(x, weights))
  x <- x - rep(middle, each = nrow(x))
  # glmnet wants two columns.
  axes <- cbind(eigen(crossprod(times_weights(x, weights), x), symmetric = TRUE)$vectors, if (m == 1) 0)
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
    error <- times_weights(error, weights)
    rbind(colSums(error), crossprod(f, error) + lambda * w)
  }
  size <- function(g) sqrt(colSums(g^2))
  left <- size(slope(ridge_response(f, coefficients, link) - y, coefficients[-1, , drop = FALSE]))
  start <- size(slope(rep(colMeans(times_weights(y, weights)), each = nrow(y)) - y, 0))
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

# The arguments of glmnet() for our penalties. It minimizes the mean loss + lambda / 2 ||w||^2, so that
# its lambda is ours over N. It fits numbers after dividing them by their
# standard deviation (of denominator N), and divides lambda by it once, where
# the ridge penalty would need no change: so it is multiplied back here.
glmnet_arguments <- function(x, y, lambda, family, thresh, weights = NULL) {
  middle <- if (family == "gaussian") mean(times_weights(y, weights))
  unit <- if (family == "gaussian") sqrt(mean(times_weights((y - middle)^2, weights))) else 1
  arguments <- list(
    x = x, y = y, family = family, alpha = 0, lambda = lambda / length(y) * unit,
    standardize = FALSE, intercept = TRUE, thresh = thresh, maxit = 1e6
  )
  arguments$weights <- weights
  arguments
}

# list(slopes, intercepts, converged) of glmnet's path without its first `ahead` penalties: the slopes of each
# response are features x lambdas, the intercepts responses x lambdas. Where glmnet has given up, the rest of
# the path is NA and has not converged.
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
