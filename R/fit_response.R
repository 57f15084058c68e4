# The response of a fit: its predictions for new features, and how it is described in words and in tables.

# A line of errors about predictions of another type.
response_remedy <- "Predicted values, of classes their probabilities, are {.code type = \"response\"}."

# The predictions of a fit's response from features, of the type `as`. The fit has passed
# check_has_response().
response_of_fit <- function(fit, features, as) {
  r <- fit$response
  predict_response(features, r$coefficients, response_links[[r$family]], r$type, r$levels, as)
}

# An error where a fit has no response, or none of the type `as`.
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
  tested <- r$held_out
  measure <- if (!is.null(tested) && !is.na(tested$measure)) {
    rows <- format(tested$rows, big.mark = big_mark())
    # With few rows, several parts of the rows are held out one after another, together more than `part`.
    part <- max(5, round((fit$method$held_out %||% 0.1) * fit$n_rows))
    words <- if (tested$rows > part) "rows, held out in turn" else "held-out rows"
    sprintf("; %s %s on %s %s", response_measures[[r$type]], signif(tested$measure, 3), rows, words)
  }
  paste0(regression, " of ", of, measure)
}

# The regression as tables: its coefficients for tidy(), and one row for glance().
tidy_coefficients <- function(response) {
  w <- response$coefficients
  out <- data.frame(term = rep(rownames(w), ncol(w)), estimate = as.vector(w))
  if (response$type %in% c("classes", "tags")) out <- cbind(y.level = rep(colnames(w), each = nrow(w)), out)
  as_tibble_frame(out)
}

glance_response <- function(response) {
  tested <- response$held_out %||% list(rows = 0L, loss = NA_real_, measure = NA_real_)
  measure <- if (is.na(tested$measure)) NA_character_ else response_measures[[response$type]]
  data.frame(
    family = response$family, penalty = response$penalty, steps = response$iterations,
    held_out = as.integer(tested$rows), loss = tested$loss, measure = measure, value = tested$measure
  )
}

# Predictions of a fit or of a comparison as a data frame, with columns named as those of tidymodels. `as_of`:
# a function that returns the predictions as "response" or as "class". `type`: the type of the response.
prediction_columns <- function(as_of, type, levels) {
  response <- as_of("response")
  if (type == "number") return(data.frame(.pred = response))
  if (type == "binary") response <- cbind(1 - response, response)
  out <- as.data.frame(unname(response))
  names(out) <- paste0(".pred_", levels)
  if (type == "tags") return(out)
  cbind(data.frame(.pred_class = as_of("class")), out)
}
