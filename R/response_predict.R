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

# The regression of a fit by by_response(), for n landmarks in d columns, learned from so many `rows`.
is_fit_response <- function(r, n, d, rows) {
  fine <- function(w, rows) is.matrix(w) && is.double(w) && nrow(w) == rows && all(is.finite(w))
  w <- if (is.list(r)) r$coefficients
  if (!fine(w, n + 1) || ncol(w) < 1 || lengths(list(dimnames(w)[[1]])) != n + 1) return(FALSE)
  if (!is_number(r$penalty) || r$penalty < 0) return(FALSE)
  has_trend <- !is.null(r$trend)
  if (has_trend && !(fine(r$trend, d) && ncol(r$trend) == ncol(w) && sound_vector(r$trend_unit, d))) {
    return(FALSE)
  }
  size <- n + 1 + if (has_trend) d else 0
  if (!is.null(r$interval) && !is_interval_model(r$interval, size, ncol(w))) return(FALSE)
  type <- if (is_word(r$type, names(response_families))) r$type else ""
  levels <- switch(type, binary = 2, number = 0, ncol(w))
  if (!is.null(r$slopes) && !(sound_vector(r$slopes, d) && all(r$slopes >= 0))) return(FALSE)
  if (!is.null(r$reach) && !(is_number(r$reach) && r$reach >= 0 && r$reach <= 1)) return(FALSE)
  report <- r$held_out
  fine_report <- is.null(report) || (is.list(report) && is_number(report$rows) && is_number(report$loss) &&
    is_one_double(report$measure) && is_fit_report(report, ncol(w), type, r$family, rows))
  links <- setdiff(response_families[[type]], if (type == "binary") "multinomial")
  is_word(r$family, links) && (is.null(r$levels) || is_text(r$levels)) &&
    length(r$levels) == levels && !anyDuplicated(r$levels) && is_level_list(r$all_levels, r$levels) &&
    (is.null(r$ordered) || is_flag(r$ordered)) &&
    fine_report &&
    (type %in% c("classes", "tags", "numbers") || ncol(w) == 1) && is_number(r$iterations) &&
    is_number(r$of)
}

is_level_list <- function(all, levels) {
  if (is.null(all)) return(TRUE)
  is_text(all) && !anyDuplicated(all) && length(all) > length(levels) && all(levels %in% all)
}

# The parts of response$held_out that fits before version 0.2 do not have. `most`: the largest number of a
# row.
is_fit_report <- function(report, outputs, type, family, most) {
  if (is.null(report$index)) return(TRUE)
  rows <- length(report$index)
  is_one_double(report$baseline) && (is.null(report$groups) || is_whole(report$groups, 1)) &&
    is_numbers(report$index) && rows == report$rows &&
    !is.unsorted(report$index) && all(report$index >= 1 & report$index <= most) &&
    (is.null(report$usual_loss) || is_one_double(report$usual_loss)) &&
    is.matrix(report$fitted) && is.double(report$fitted) &&
    identical(dim(report$fitted), c(rows, outputs)) && all(is.finite(report$fitted)) &&
    is_numbers(report$observed) && all(is.finite(report$observed)) && NROW(report$observed) == rows &&
    is_numbers(report$weights) && length(report$weights) == rows && all(report$weights >= 0) &&
    sum(report$weights) > 0 && fits_type(report, type, outputs, family)
}

# Whether what was observed and predicted is of a response of this type.
fits_type <- function(report, type, outputs, family) {
  chances <- function() {
    identical(family, "gaussian") || all(report$fitted >= -1e-9 & report$fitted <= 1 + 1e-9)
  }
  switch(type,
    classes = chances() && NCOL(report$observed) == 1 && all(report$observed %in% seq_len(outputs)),
    binary = chances() && NCOL(report$observed) == 1 && all(report$observed %in% 0:1),
    tags = chances() && NCOL(report$observed) == outputs && all(report$observed %in% 0:1),
    NCOL(report$observed) == outputs
  )
}

# Predictions for new features by the coefficients of one penalty: M x responses, as
# probabilities for classes and tags.
ridge_response <- function(features, coefficients, link) {
  m <- nrow(coefficients) - 1
  f <- features[, seq_len(m), drop = FALSE] %*% coefficients[-1, , drop = FALSE]
  link_response(f + rep(coefficients[1, ], each = nrow(f)), link)
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
