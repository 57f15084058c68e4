# The default grid of penalties, on the scale of the features.

# Powers of ten from 10 T down to 1e-9 T (numbers: 1e-13 T), T = N times the sum of the
# features' variances: the trace of their centered Gram matrix, above which a penalty leaves next
# to nothing. The features are of random rows as landmarks, as many as the largest n, so that
# the grid is the same for all methods and numbers; with several bandwidths it goes from the
# largest T to the smallest. It is computed from the first training part alone.
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
  # Data on which no landmarks can be learned: their own error comes later.
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
