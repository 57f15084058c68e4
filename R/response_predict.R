# Predictions of a response from features, by a regression that a fit or a comparison has learned.

# What is measured on held-out rows, by the type of the response.
response_measures <- c(
  classes = "accuracy", binary = "accuracy", number = "mean squared error", tags = "area under the ROC curve"
)

response_links <- c(multinomial = "softmax", binomial = "logistic", gaussian = "identity")

# `as`: "class" for a factor; "response" for a vector, or for several classes and for tags a matrix with a
# column for each. `type` and `levels` as in as_response().
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

# The same for a fit, after check_has_response().
response_of_fit <- function(fit, features, as) {
  r <- fit$response
  predict_response(features, r$coefficients, response_links[[r$family]], r$type, r$levels, as)
}

check_has_response <- function(fit, as, call) {
  if (is.null(fit$response)) {
    abort_input(c(
      "{.code type = \"{as}\"} needs a fit that has learned a response.",
      x = "This fit has none.",
      i = "Learn one with {.code method = by_response(y)}, or compare regressions with {.fn cv_landmarks}."
    ), arg = "type", kind = "fit", call = call)
  }
  r <- fit$response
  if (as == "class" && !r$type %in% c("classes", "binary")) {
    abort_input(c(
      "{.code type = \"class\"} needs a response of classes.",
      x = "The response of this fit is of {response_words[[r$type]]}.",
      i = "Use {.code type = \"response\"}."
    ), arg = "type", kind = "fit", call = call)
  }
}

# For print(): the regression in words.
describe_response <- function(fit) {
  r <- fit$response
  regression <- c(
    multinomial = "softmax regression", binomial = "logistic regression", gaussian = "least squares"
  )[[r$family]]
  of <- switch(r$type,
    classes = sprintf("%d classes", length(r$levels)), binary = "two classes", number = "a number",
    tags = sprintf("%d tag%s", length(r$levels), if (length(r$levels) == 1) "" else "s")
  )
  held <- r$held_out
  measure <- if (!is.null(held) && !is.na(held$measure)) {
    rows <- format(held$rows, big.mark = big_mark())
    # With few rows, several parts are held out one after another.
    part <- max(5, round((fit$method$held_out %||% 0.1) * fit$n_rows))
    words <- if (held$rows > part) "rows, held out in turn" else "held-out rows"
    sprintf("; %s %s on %s %s", response_measures[[r$type]], signif(held$measure, 3), rows, words)
  }
  paste0(regression, " of ", of, measure)
}
