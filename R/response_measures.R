# Measures of predictions, for each kind of response.

# For each kind of response the measures that are reported. The first one chooses the best row unless the user
# names another.
measure_names <- list(
  classes = c("accuracy", "deviance"),
  binary = c("accuracy", "deviance", "auc"),
  number = c("mse", "r_squared"),
  tags = c("auc", "map", "precision", "recall", "f", "deviance")
)

is_loss <- function(measure) measure %in% c("deviance", "mse")

check_measure <- function(measure, type, call = rlang::caller_env(), arg = "measure") {
  choices <- measure_names[[type]]
  check_choice(measure %||% choices[1], choices, arg, call, "Other kinds of {.arg y} have other measures.")
}

# All measures of predictions. `p`: the predictions, M x responses; `y`: the truth, of the same shape;
# `weights`: of the rows, or NULL; `variance`: of numbers, that of all rows of a comparison. A fold of few
# rows has another, by chance.
measure_response <- function(p, y, type, top, weights = NULL, variance = NULL) {
  over_rows <- function(v) mean_over(v, weights)
  switch(type,
    classes = {
      of_truth <- (p / rowSums(p))[cbind(seq_len(nrow(y)), max.col(y))]
      right <- max.col(p, "first") == max.col(y)
      c(accuracy = over_rows(right), deviance = -2 * over_rows(log_safe(of_truth)))
    },
    binary = c(
      accuracy = over_rows((p[, 1] > 0.5) == y[, 1]), deviance = bernoulli_deviance(p, y, weights),
      auc = score_ranking(p[, 1], y[, 1], weights)[["auc"]]
    ),
    number = {
      error <- over_rows((p[, 1] - y[, 1])^2)
      variance <- variance %||% over_rows((y[, 1] - over_rows(y[, 1]))^2)
      c(mse = error, r_squared = if (variance > 0) 1 - error / variance else NA)
    },
    tags = c(tagging_means(p, y, top, weights), deviance = bernoulli_deviance(p, y, weights))
  )
}

# The mean of a vector, or of all entries of a matrix, with a weight for each row.
mean_over <- function(v, weights) if (is.null(weights)) mean(v) else sum(v * weights) / sum(weights) / NCOL(v)

# The median of numbers of which each counts as often as its weight says: the mean of the two in the middle
# where they differ, as stats::median() has it.
weighted_median <- function(y, v) {
  order <- order(y)
  below <- cumsum(v[order])
  half <- below[length(below)] / 2
  off <- 1e-12 * half
  mean(y[order][c(which(below >= half - off)[1], which(below > half + off)[1])])
}

# The logarithm of chances of at least 1e-5, as in glmnet: the deviance of a wrong prediction with chance 0
# would be infinite.
log_safe <- function(p) log(pmax(p, 1e-5))

# Twice the mean negative log-likelihood, over rows and responses.
bernoulli_deviance <- function(p, y, weights = NULL) {
  -2 * mean_over(y * log_safe(p) + (1 - y) * log_safe(1 - p), weights)
}

# An error for numbers whose squared differences would overflow or underflow, because measures add these up.
check_squares_of_response <- function(y, call) {
  largest <- max(abs(y))
  large <- !is.finite(4 * length(y) * largest^2)
  part <- y / largest
  if (!large && sum((part - mean(part))^2) * largest^2 >= .Machine$double.xmin) return(invisible())
  abort_input(c(
    "{.arg y} must have values whose squares are within a computer's range.",
    x = if (large) "They are too large: a sum of squares overflows.",
    x = if (!large) "They are too small: a sum of squares underflows.",
    i = "Change the unit of {.arg y}."
  ), arg = "y", kind = "response", call = call)
}

# Each row of a matrix, or each entry of a vector, times the weight of its row.
times_weights <- function(v, weights) if (is.null(weights)) v else v * weights

# The means over the tags that can be scored, nothing checked; NaN where there is none. `weights`: of the
# items, all above 0, or NULL.
tagging_means <- function(prob, truth, top, weights = NULL) {
  scores <- tag_scores(prob, truth, top, weights)
  means <- colMeans(scores[!is.na(scores[, "auc"]), tag_measures, drop = FALSE])
  stats::setNames(means, c("precision", "recall", "f", "auc", "map"))
}

tag_measures <- c("precision", "recall", "f", "auc", "ap")

# A numeric matrix with a row for each tag. An item of weight 2 counts as two items.
tag_scores <- function(prob, truth, top, weights = NULL) {
  given <- times_weights(annotation(prob, top), weights)
  positives <- colSums(times_weights(truth, weights))
  predicted <- colSums(given)
  correct <- colSums(given * truth)
  prior <- positives / if (is.null(weights)) nrow(truth) else sum(weights)
  precision <- ifelse(predicted > 0, correct / predicted, prior)
  recall <- correct / positives
  f <- ifelse(correct > 0, 2 * precision * recall / (precision + recall), 0)
  ranked <- vapply(
    seq_len(ncol(prob)), function(j) score_ranking(prob[, j], truth[, j], weights), c(auc = 0, ap = 0)
  )
  scores <- cbind(precision, recall, f, t(ranked))
  scores[colSums(truth) %in% c(0, nrow(truth)), ] <- NA
  cbind(positives, predicted, scores)
}

# Which tags each item is given, those with the `top` largest chances: 1 or 0. Where several tags tie for the
# last places, each gets an equal share of these, so that rows sum to `top`.
annotation <- function(prob, top) {
  # All rows at once: the sorted values of item i stand in column i.
  order <- order(row(prob), -prob, method = "radix")
  last <- matrix(prob[order], ncol(prob))[top, ]
  above <- prob > last
  tied <- prob == last
  above + tied * ((top - rowSums(above)) / rowSums(tied))
}

# c(auc, ap): the area under the ROC curve and the average precision of one tag. They are summed up down the
# ranking of the items by their chances. Tied items have one threshold: there the ROC curve is straight, and
# half of the product of its two steps belongs to the area.
score_ranking <- function(prob, truth, weights = NULL) {
  order <- order(prob, decreasing = TRUE, method = "radix")
  prob <- prob[order]
  last <- which(c(prob[-1] != prob[-length(prob)], TRUE))
  hits <- cumsum(times_weights(truth, weights)[order])[last]
  so_far <- if (is.null(weights)) last else cumsum(weights[order])[last]
  misses <- if (is.null(weights)) so_far - hits else cumsum((weights * (1 - truth))[order])[last]
  new <- diff(c(0, hits))
  positives <- sum(new)
  # Where all items have the tag, or none has it, neither is defined.
  if (positives == 0 || misses[length(misses)] == 0) return(c(auc = NA_real_, ap = NA_real_))
  c(
    auc = sum(diff(c(0, misses)) * (hits - new / 2)) / (positives * misses[length(misses)]),
    ap = sum(new * hits / so_far) / positives
  )
}
