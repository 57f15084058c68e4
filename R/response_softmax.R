# Multinomial regression (softmax): one model of all classes, whose coefficients sum to zero
# over the classes. The same kind of result as ridge_path().

# `y`: N x classes of 0/1, each row with one 1. A class without a row has the probability of half a
# row at the means of the features, and no slopes. `weights`: of mean 1, or NULL.
softmax_path <- function(features, m, y, lambda, engine, weights = NULL) {
  there <- colSums(y) > 0
  out <- list(
    coefficients = array(0, c(m + 1, ncol(y), length(lambda))),
    converged = matrix(TRUE, ncol(y), length(lambda)),
    link = "softmax"
  )
  # From the strongest penalty down: each starts where the last one ended.
  down <- order(lambda, decreasing = TRUE)
  if (sum(there) > 1) {
    found <- switch(engine,
      newton = softmax_newton(features, m, y[, there, drop = FALSE], lambda[down], weights),
      glmnet = ridge_glmnet(features, m, y[, there, drop = FALSE], lambda[down], "classes", weights)
    )
    out$coefficients[, there, down] <- found$coefficients
    out$converged[there, down] <- found$converged
  }
  if (all(there)) return(out)
  middle <- c(1, colMeans(by_weight(features[, seq_len(m), drop = FALSE], weights)))
  for (l in seq_along(lambda)) {
    score <- crossprod(middle, matrix(out$coefficients[, , l], m + 1)[, there, drop = FALSE])
    level <- max(score) + log(sum(exp(score - max(score))))
    out$coefficients[1, !there, l] <- level + log(0.5 / (nrow(y) + 1))
  }
  out
}
