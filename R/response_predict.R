# Predictions of a response from features, by a regression that a fit or a comparison has learned.

# What by_response() measures on held-out rows, in words, by the type of the response.
response_measures <- c(
  classes = "accuracy", binary = "accuracy", number = "mean squared error",
  numbers = "mean squared error, in variances",
  tags = "area under the ROC curve"
)

# The measure of a response that was learned by a family.
measure_words <- function(type, family) {
  switch(family, huber = "mean absolute error", poisson = "mean deviance", response_measures[[type]])
}

response_links <- c(
  multinomial = "softmax", binomial = "logistic", gaussian = "identity", huber = "identity", poisson = "log"
)

# Predictions in the form that users get them, from `p`, those of link_response(). `as`: "class" for a factor;
# "response" for a vector, or for several classes, numbers or tags a matrix with a column for each. `of`: what
# has the parts `type`, `levels` and `ordered` of as_response(), a comparison or the response of a fit.
predict_response <- function(p, of, as) {
  type <- of$type
  # Least squares of 0 and 1 may leave the range of probabilities.
  if (type == "binary") p[] <- pmin(pmax(p, 0), 1)
  if (as == "prob" && type == "binary") {
    p <- cbind(1 - p, p)
    colnames(p) <- of$levels
    return(with_all_levels(p, of))
  }
  if (as %in% c("response", "prob")) {
    if (type == "classes") p <- with_all_levels(p / rowSums(p), of)
    return(if (type %in% c("binary", "number")) stats::setNames(p[, 1], rownames(p)) else p)
  }
  chosen <- if (type == "binary") 1L + (p[, 1] > 0.5) else max.col(p, "first")
  levels <- if (type == "binary") of$levels else colnames(p)
  factor(levels[chosen], of$all_levels %||% of$levels, ordered = isTRUE(of$ordered))
}

# A matrix with a column for each class that has been seen, with columns of 0 (or FALSE) for other levels of
# the factor.
with_all_levels <- function(p, of) {
  if (is.null(of$all_levels) || ncol(p) == length(of$all_levels)) return(p)
  out <- array(vector(typeof(p), 1), c(nrow(p), length(of$all_levels)), list(rownames(p), of$all_levels))
  out[, of$levels] <- p
  out
}

# The families that suit a response of a type, the usual one first.
response_families <- list(
  classes = "multinomial", binary = c("binomial", "multinomial", "gaussian"),
  number = c("gaussian", "huber", "poisson"), numbers = c("gaussian", "huber", "poisson"),
  tags = c("binomial", "gaussian")
)

# Predictions for new features by the coefficients of one penalty: M x responses, as
# probabilities for classes and tags.
ridge_response <- function(features, coefficients, link) {
  m <- nrow(coefficients) - 1
  f <- features[, seq_len(m), drop = FALSE] %*% coefficients[-1, , drop = FALSE]
  link_response(f + rep(coefficients[1, ], each = nrow(f)), link)
}

# The same for each penalty of a path of ridge_path(), a list.
predict_path <- function(path, features) {
  size <- dim(path$coefficients)
  lapply(seq_len(size[3]), function(l) {
    ridge_response(features, matrix(path$coefficients[, , l], size[1]), path$link)
  })
}

# Predictions from scores, the linear predictors.
link_response <- function(f, link) {
  switch(link,
    identity = f,
    log = exp(f),
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
