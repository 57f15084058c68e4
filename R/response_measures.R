# Measures of predictions, for each kind of response, and scores of tagging.

# For each kind of response the measures that are reported. The first one chooses the best row unless the user
# names another.
measure_names <- list(
  classes = c("accuracy", "deviance"),
  binary = c("accuracy", "deviance", "auc"),
  number = c("mse", "r_squared"),
  tags = c("auc", "map", "precision", "recall", "f", "deviance")
)

is_loss <- function(measure) measure %in% c("deviance", "mse")

# Names of other packages for a measure that chooses the same row.
other_names <- c(
  rmse = "mse", RMSE = "mse", rsq = "r_squared", Rsquared = "r_squared", r2 = "r_squared", R2 = "r_squared",
  logloss = "deviance", logLoss = "deviance", mn_log_loss = "deviance", roc_auc = "auc", ROC = "auc",
  Accuracy = "accuracy", f_meas = "f"
)

check_measure <- function(measure, type, call = rlang::caller_env(), arg = "measure") {
  choices <- measure_names[[type]]
  other <- if (rlang::is_string(measure, names(other_names))) other_names[[measure]]
  if (rlang::is_string(other, choices)) return(other)
  remedy <- paste0("These are the measures of ", response_words[[type]], ".")
  check_choice(measure %||% choices[1], choices, arg, call, remedy)
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
  part <- y / largest
  large <- !is.finite(4 * length(y) * largest^2)
  small <- sum((part - mean(part))^2) * largest^2 < .Machine$double.xmin
  rule <- paste("not have values that are too", if (large) "large" else "small")
  found <- paste("Sums of squares", if (large) "overflow." else "underflow.")
  check_response(!large && !small, y, rule, call, found, "Rescale {.arg y}.")
}

# Each row of a matrix, or each entry of a vector, times the weight of its row.
times_weights <- function(v, weights) if (is.null(weights)) v else v * weights

# The means over the tags that can be scored, nothing checked; NaN where there is none. `weights`: of the
# items, all above 0, or NULL.
tagging_means <- function(prob, truth, top, weights = NULL) {
  scores <- tag_scores(prob, truth, top, weights)
  stats::setNames(colMeans(scores[!is.na(scores[, "auc"]), tag_measures, drop = FALSE]), names(tag_measures))
}

# The measures of a tag, by the names of their means.
tag_measures <- c(precision = "precision", recall = "recall", f = "f", auc = "auc", map = "ap")

# A numeric matrix with a row for each tag. An item of weight 2 counts as two items.
tag_scores <- function(prob, truth, top, weights = NULL) {
  annotated <- times_weights(annotation(prob, top), weights)
  positives <- colSums(times_weights(truth, weights))
  predicted <- colSums(annotated)
  correct <- colSums(annotated * truth)
  prior <- positives / if (is.null(weights)) nrow(truth) else sum(weights)
  precision <- ifelse(predicted > 0, correct / predicted, prior)
  recall <- correct / positives
  f <- ifelse(correct > 0, 2 * precision * recall / (precision + recall), 0)
  rank <- function(j) score_ranking(prob[, j], truth[, j], weights)
  scores <- cbind(precision, recall, f, t(vapply(seq_len(ncol(prob)), rank, c(auc = 0, ap = 0))))
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
  misses <- cumsum(times_weights(1 - truth, weights)[order])[last]
  so_far <- if (is.null(weights)) last else cumsum(weights[order])[last]
  new <- diff(c(0, hits))
  positives <- sum(new)
  negatives <- misses[length(misses)]
  # Where all items have the tag, or none has it, neither is defined.
  if (positives == 0 || negatives == 0) return(c(auc = NA_real_, ap = NA_real_))
  area <- sum(diff(c(0, misses)) * (hits - new / 2)) / (positives * negatives)
  c(auc = area, ap = sum(new * hits / so_far) / positives)
}

# ---- scores of tagging ---------------------------------------------------------------

#' Scores of automatic tagging
#'
#' `tagging_scores()` measures how well predicted probabilities of tags (labels) agree with the true tags.
#' Each item (for example a song) has some of T tags. Two tasks, annotation and retrieval, are scored for each
#' tag, as in Turnbull et al. (2008) and Liang and Paisley (2015, section 5.3).
#'
#' @details
#' * *Annotation*: every item is assigned its `top` most probable tags. If a tag is assigned to \eqn{A} items,
#'   \eqn{P} items have it, and \eqn{C} of the assignments are correct, its precision is \eqn{C / A}, its
#'   recall is \eqn{C / P}, and F is their harmonic mean.
#' * *Retrieval*: the items are ranked by their probability of the tag. The area under the ROC curve is the
#'   probability that an item with the tag ranks above one without it; a tie counts one half. With the ranks
#'   \eqn{r_i} (ties share their mean rank) it is
#'   \deqn{\mathrm{AUC} = \frac{\sum_{i \in P} r_i - P(P + 1)/2}{P (N - P)},}{
#'   AUC = (sum of r_i - P (P + 1) / 2) / (P (N - P)),}
#'   with the sum over the P items that have the tag, of N items. Average precision (AP) uses the recall
#'   \eqn{R_k} and the precision \eqn{P_k} of all items down to threshold \eqn{k} of the ranking (tied items
#'   have one threshold):
#'   \deqn{\mathrm{AP} = \sum_k (R_k - R_{k-1}) P_k.}{AP = sum over k of (R_k - R_(k-1)) P_k.}
#'
#' If tags of an item are tied for the last places, the remaining places are divided equally among them: with
#' two places for three tied tags, each is assigned with weight 2/3. This is the mean of `predicted`, C and
#' recall over random orders of the tied tags. Results therefore do not depend on the order of the columns,
#' and `predicted` may be a fraction. Precision and F are computed from these means.
#'
#' If a tag is assigned to no item, its precision 0/0 is replaced by the proportion of items that have the
#' tag, which is the precision of random annotation (Turnbull et al., 2008). Recall and F are 0. `print()`
#' shows these tags.
#'
#' A tag that no item has, or that all have, has no ROC curve. Its scores are NA, `print()` names it, and it
#' is left out of all means. It can still take one of the `top` places of an item.
#'
#' F is averaged over the tags, so it usually differs from the harmonic mean of the mean precision and the
#' mean recall. The standard error is the standard deviation over the tags divided by the square root of their
#' number. It describes the variation between tags, for the same items.
#'
#' @param prob Numeric matrix, N items x T tags, of probabilities in \[0, 1\].
#' @param truth Matrix of 0 and 1, or logical, N x T: whether the item has the tag. Row i is the same item as
#'   row i of `prob`. Columns are matched by name if both matrices have column names.
#' @param top Number of tags that are assigned to each item, from 1 to T. Default 10, as in both papers.
#' @return A list of class `tagging_scores`:
#' * `tags`: a data frame with a row for each tag, in order: `tag` (the column's name, or its index if it has
#'   no name); `positives`, the number of items that have it; `predicted`, the number of items to which it is
#'   assigned; `precision`, `recall`, `f`, `auc` and `ap`, in \[0, 1\].
#' * `items`: N. `top`: as given. `version`: the version of the package.
#'
#' `as.data.frame()` returns `tags`. `summary()` returns a list of class `summary.tagging_scores`, which
#' `print()` shows: `means`, a data frame with `measure` (`precision`, `recall`, `f`, `auc`, and `map`, the
#' mean average precision), `mean` and `se`, its standard error (NA for a single tag); `averaged`, the number
#' of tags in the means; `left_out`, the tags that cannot be scored; and `never`, the scored tags that are
#' assigned to no item.
#'
#' @section Errors:
#' All are of class `landmarker_error_input`, and of
#' * `landmarker_error_data`: `prob` or `truth` is not a numeric or logical matrix with rows and columns; they
#'   have different numbers of rows; `prob` has values outside \[0, 1\], or `truth` has values other than 0
#'   and 1; or no tag can be scored;
#' * `landmarker_error_columns`: they differ in the number or the names of their columns;
#' * `landmarker_error_missing`: a value is missing or infinite.
#'
#' @references
#' Turnbull, D., Barrington, L., Torres, D. and Lanckriet, G. (2008). Semantic
#' Annotation and Retrieval of Music and Sound Effects. *IEEE Transactions on
#' Audio, Speech, and Language Processing*, 16(2), 467--476.
#'
#' Liang, D. and Paisley, J. (2015). Landmarking Manifolds with Gaussian
#' Processes. *Proceedings of the 32nd International Conference on Machine
#' Learning*, PMLR 37. <https://proceedings.mlr.press/v37/liang15.html>
#'
#' @examples
#' set.seed(1)
#' truth <- matrix(rbinom(600, 1, 0.3), 100, 6, dimnames = list(NULL, letters[1:6]))
#' prob <- plogis(2 * truth - 1 + matrix(rnorm(600), 100))
#' scores <- tagging_scores(prob, truth, top = 2)
#' scores
#' as.data.frame(scores)
#' @export
tagging_scores <- function(prob, truth, top = 10) {
  call <- rlang::current_env()
  prob <- check_tagging(prob, "prob", "probabilities, from 0 to 1", function(v) v >= 0 & v <= 1, call)
  truth <- check_tagging(truth, "truth", "0 or 1, or TRUE or FALSE", function(v) v == 0 | v == 1, call)
  rule <- "have the dimensions of {.arg prob}, {nrow(prob)} x {ncol(prob)}"
  kind <- if (nrow(prob) == nrow(truth)) "columns" else "data"
  check_that(identical(dim(prob), dim(truth)), truth, "truth", rule, kind)
  if (!is.null(colnames(truth)) && !is.null(colnames(prob))) {
    check_has_columns(colnames(prob), colnames(truth), "truth", call, "tag that `prob` has")
    truth <- match_columns(truth, colnames(prob), "truth", call)
  }
  top <- check_count(top, "top", max = ncol(prob))
  scores <- tag_scores(prob, truth, top)
  rule <- "have at least one tag that some items have and others lack"
  check_that(!all(is.na(scores[, "auc"])), truth, "truth", rule, "data")
  tag <- colnames(prob) %||% colnames(truth) %||% seq_len(ncol(prob))
  tags <- data.frame(tag = tag, scores, row.names = NULL)
  structure(list(tags = tags, items = nrow(prob), top = top, version = made_by()), class = "tagging_scores")
}

# A matrix of items by tags whose values fit a rule.
check_tagging <- function(x, arg, rule, fits, call) {
  check_given(x, arg, call)
  check_that(
    is.matrix(x) && (is.numeric(x) || is.logical(x)) && !is.object(x) && length(x) > 0, x, arg,
    "a numeric or logical matrix, items by tags, with at least one of each", "data", call
  )
  bad <- which(!fits(check_finite(x, arg, call)))[1]
  found <- "The value in row {row(x)[bad]}, {name_column(col(x)[bad], colnames(x))}, is {x[bad]}."
  check_that(is.na(bad), x, arg, rule, "data", call, found = found)
}

#' @export
as.data.frame.tagging_scores <- function(x, ...) {
  check_object(x, "tagging_scores", "x")
  x$tags
}

#' @export
summary.tagging_scores <- function(object, ...) {
  check_object(object, "tagging_scores", "object")
  tags <- object$tags
  scored <- !is.na(tags$auc)
  measures <- as.matrix(tags[scored, tag_measures])
  se <- apply(measures, 2, stats::sd) / sqrt(sum(scored))
  structure(list(
    means = data.frame(measure = names(tag_measures), mean = unname(colMeans(measures)), se = unname(se)),
    averaged = sum(scored), left_out = tags$tag[!scored], never = tags$tag[scored & tags$predicted == 0],
    items = object$items, top = object$top
  ), class = "summary.tagging_scores")
}

#' @export
print.tagging_scores <- function(x, ...) {
  print(summary(x), ...)
  invisible(x)
}

#' @export
print.summary.tagging_scores <- function(x, digits = 3, ...) {
  digits <- check_count(digits, "digits", 1, 15)
  cat("Tagging of ", how_many(x$items, "item"), " with ", how_many(x$top, "tag"), " each: means over ",
    how_many(x$averaged, "tag"), "\n\n", sep = ""
  )
  shown <- x$means
  shown$measure <- c("precision", "recall", "F", "area under ROC", "mean average precision")
  print(shown, digits = digits, row.names = FALSE, right = FALSE, ...)
  name_tags <- function(tags, what) {
    if (length(tags) == 0) return()
    named <- toString(c(utils::head(tags, 10), if (length(tags) > 10) "..."))
    cat("", strwrap(paste0(how_many(length(tags), "tag"), " ", what, ": ", named), exdent = 2), sep = "\n")
  }
  name_tags(x$left_out, "excluded (in no item, or in all)")
  name_tags(x$never, "never predicted, with the proportion of items that have it as precision")
  invisible(x)
}
