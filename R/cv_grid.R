# The default grid of penalties: powers of ten from 10 T down to 1e-9 T, or 1e-13 T for numbers. T is N
# times the sum of the features' variances, the trace of their centered Gram matrix: a penalty above it
# shrinks all slopes to nearly 0. The features are those of random rows as landmarks, as many as the largest
# n, so that the grid is the same for all methods and numbers. With several bandwidths it goes from the
# largest T to the smallest. Only the first training part is used. `random`: the method of random rows.
lambda_grid <- function(cv, n, random) {
  train <- cv$splits[[1]][[1]]$train
  set_seed(cv$seeds[1])
  rows <- if (length(train) > 1000) sample(train, 1000) else train
  v <- cv$weights[rows]
  # The sum of the variances of features, without those that cannot be learned.
  variance_of <- function(spec, bandwidth = NULL) {
    part <- cv_part(rows, spec, cv)
    learn <- function() cv_learn(spec, "grid", min(max(n), length(rows)), bandwidth, part)
    try_default(suppressWarnings(total_variance(features_of(learn(), part$x), v)), NULL)
  }
  raw <- Filter(function(spec) identical(spec$method, raw_features), cv$methods)
  total <- c(unlist(lapply(cv$bandwidth, variance_of, spec = random)), unlist(lapply(raw, variance_of)))
  count <- if (is.null(v)) length(train) else sum(cv$weights[train])
  total <- count * total[is.finite(total) & total > 0]
  # No landmarks can be learned from these data. The error comes later, with the fits.
  if (length(total) == 0) total <- count
  reach <- if (cv$type == "number") -13 else -9
  10^(seq(floor(log10(min(total))) + reach, ceiling(log10(max(total))) + 1))
}

total_variance <- function(w, weights = NULL) {
  means <- function(v) if (is.null(weights)) colMeans(v) else colSums(v * weights) / sum(weights)
  sum(means(w^2) - means(w)^2)
}
