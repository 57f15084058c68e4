# Regression on features with an L2 penalty, for a path of penalties, by Newton steps in the core. Results are
#
#   list(coefficients, converged, link)
#
# coefficients: (1 + m) x responses x lambdas, the intercept first; converged: responses x lambdas, or 1 x
# lambdas; link "logistic", "softmax" or "identity".

# The path on the first `m` columns of `features`. `y`: N x responses of 0/1, or of numbers. `type` "classes"
# is a softmax regression, all else is a regression for each column of `y`. A column that does not vary has no
# slopes. `weights`: of the rows, or NULL; a row of weight 2 counts as two rows.
ridge_path <- function(features, m, y, lambda, type, weights = NULL) {
  if (!is.null(weights)) {
    used <- weights > 0
    weights <- weights[used]
    features <- features[used, , drop = FALSE]
    y <- y[used, , drop = FALSE]
    # The core needs weights of mean 1. Weights and penalties are divided by their mean, which leaves the
    # minimum where it is. First by the largest: the sum of huge weights would overflow.
    relative <- weights / max(weights)
    lambda <- lambda / (max(weights) * mean(relative))
    weights <- if (any(relative != 1)) relative / mean(relative)
  }
  if (m <= nrow(features)) return(path_of_features(features, m, y, lambda, type, weights))
  # Coefficients lie in the span of the rows: with more features than rows, the regression is on the
  # coordinates of the rows on their principal axes, of which there are no more than rows.
  span <- row_span(features, m)
  path <- path_of_features(span$on_axes, ncol(span$on_axes), y, lambda, type, weights)
  coefficients <- array(0, c(m + 1, dim(path$coefficients)[2:3]))
  for (l in seq_along(lambda)) {
    w <- span$axes %*% matrix(path$coefficients[-1, , l], ncol(span$axes))
    coefficients[, , l] <- rbind(path$coefficients[1, , l] - colSums(w * span$middle), w)
  }
  replace(path, "coefficients", list(coefficients))
}

# The path of no more features than rows, with weights of mean 1, or NULL. The coefficients of a softmax
# regression sum to zero over the classes.
path_of_features <- function(features, m, y, lambda, type, weights) {
  softmax <- type == "classes"
  number <- type == "number"
  # A response of 0 or 1 alone: its frequency with half a count added to either side.
  share <- (colSums(times_weights(y, weights)) + 0.5) / (nrow(y) + 1)
  varies <- if (softmax) colSums(y) > 0 else apply(y, 2, function(v) any(v != v[1]))
  out <- list(
    coefficients = array(0, c(m + 1, ncol(y), length(lambda))),
    converged = matrix(TRUE, ncol(y), length(lambda)),
    link = if (softmax) "softmax" else if (number) "identity" else "logistic"
  )
  if (!softmax) out$coefficients[1, , ] <- if (number) y[1, ] else stats::qlogis(share)
  if (sum(varies) > softmax) {
    # From the strongest penalty down: each starts where the last one ended.
    down <- order(lambda, decreasing = TRUE)
    found <- newton_path(features, m, y[, varies, drop = FALSE], lambda[down], type, weights)
    out$coefficients[, varies, down] <- found$coefficients
    out$converged[varies, down] <- found$converged
  }
  if (!softmax || all(varies)) return(out)
  # A class without a row has the probability of half a row at the means of the features, and no slopes.
  middle <- c(1, colMeans(times_weights(features[, seq_len(m), drop = FALSE], weights)))
  for (l in seq_along(lambda)) {
    score <- crossprod(middle, matrix(out$coefficients[, , l], m + 1)[, varies, drop = FALSE])
    level <- max(score) + log(sum(exp(score - max(score))))
    out$coefficients[1, !varies, l] <- level + log(0.5 / (nrow(y) + 1))
  }
  out
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
  vectors <- e$vectors[, kept, drop = FALSE]
  axes <- crossprod(x, vectors) / rep(ifelse(length > 0, length, 1), each = m)
  list(middle = middle, axes = axes, on_axes = vectors * rep(length, each = nrow(x)))
}

# The path by Newton steps, in the core: list(coefficients, converged). For numbers the first step is the
# solution in closed form.
newton_path <- function(features, m, y, lambda, type, weights = NULL, tolerance = 1e-7) {
  settings <- c(list(
    terms = as.integer(m), lambda = as.double(lambda), weights = weights, tolerance = tolerance,
    max_iterations = 100L
  ), compute_with())
  if (type == "classes") {
    found <- .Call(C_softmax, features, max.col(y, "first"), c(list(classes = ncol(y)), settings))
  } else {
    storage.mode(y) <- "double"
    response <- if (type == "number") "numbers" else "chances"
    found <- .Call(C_ridge, features, y, c(list(response = response), settings))
  }
  converged <- !is.na(found$gradient) & found$gradient <= 10 * tolerance
  # Of a softmax regression one for all classes.
  if (type == "classes") converged <- matrix(converged, ncol(y), length(lambda), byrow = TRUE)
  list(coefficients = found$coefficients, converged = converged)
}
