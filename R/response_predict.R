# Predictions of a response from features, by a regression that a fit or a comparison has learned.

# What by_response() measures on held-out rows, in words, by the type of the response.
response_measures <- c(
  classes = "accuracy", binary = "accuracy", number = "mean squared error", tags = "area under the ROC curve"
)

response_links <- c(multinomial = "softmax", binomial = "logistic", gaussian = "identity")

# Predictions in the form that users get them. `as`: "class" for a factor; "response" for a vector, or for
# several classes and for tags a matrix with a column for each. `type` and `levels` as in as_response().
predict_response <- function(features, coefficients, link, type, levels, as) {
  p <- ridge_response(features, coefficients, link)
  dimnames(p) <- list(rownames(features), colnames(coefficients))
  if (as == "response") {
    if (type == "classes") p <- p / rowSums(p)
    return(if (type %in% c("binary", "number")) stats::setNames(p[, 1], rownames(p)) else p)
  }
  chosen <- if (type == "binary") 1L + (p[, 1] > 0.5) else max.col(p, "first")
  factor(levels[chosen], levels)
}

# The regression of a fit by by_response(), for n landmarks.
is_fit_response <- function(r, n) {
  w <- if (is.list(r)) r$coefficients
  if (!is.matrix(w) || !is.double(w) || nrow(w) != n + 1 || ncol(w) < 1 || !all(is.finite(w))) return(FALSE)
  levels <- switch(if (is_word(r$type, names(measure_names))) r$type else "", binary = 2, number = 0, ncol(w))
  report <- r$held_out
  fine_report <- is.null(report) ||
    (is.list(report) && is_number(report$rows) && is_number(report$loss) && is_one_double(report$measure))
  links <- switch(if (is_word(r$type, names(measure_names))) r$type else "",
    classes = "multinomial", number = "gaussian", binary = , tags = c("binomial", "gaussian")
  )
  is_word(r$family, links) && (is.null(r$levels) || is_text(r$levels)) &&
    length(r$levels) == levels && !anyDuplicated(r$levels) && fine_report &&
    (r$type %in% c("classes", "tags") || ncol(w) == 1) && is_number(r$iterations) && is_number(r$of)
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
