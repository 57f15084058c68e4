#' Scores of automatic tagging
#'
#' `tagging_scores()` measures how well predicted probabilities of tags agree with the true tags. Each item
#' (for example a song) has some of T tags. Two tasks are scored, tag by tag, as
#' Turnbull et al. (2008) and Liang and Paisley (2015, section 5.3) do:
#'
#' * *Annotation*: every item gets its `top` most probable tags. A tag that was
#'   given \eqn{A} times, \eqn{C} of them to one of the \eqn{P} items that have it,
#'   has precision \eqn{C / A}, recall \eqn{C / P}, and F, their harmonic mean.
#' * *Retrieval*: the items are ranked by their probability of the tag. The area
#'   under the ROC curve is the probability that an item with the tag ranks above one
#'   without it; a tie counts one half. With the ranks \eqn{r_i} (ties share their mean rank) it is
#'   \deqn{\mathrm{AUC} = \frac{\sum_{i \in P} r_i - P(P + 1)/2}{P (N - P)},}{
#'   AUC = (sum of r_i - P (P + 1) / 2) / (P (N - P)),}
#'   with the sum over the P items that have the tag, of N items.
#'   Average precision (AP) uses the recall \eqn{R_k} and the precision \eqn{P_k} of all items down to
#'   threshold \eqn{k} of the ranking (tied items have one threshold):
#'   \deqn{\mathrm{AP} = \sum_k (R_k - R_{k-1}) P_k.}{AP = sum over k of (R_k - R_(k-1)) P_k.}
#'
#' @param prob Numeric matrix, N items x T tags, of probabilities in \[0, 1\].
#' @param truth Matrix of 0 and 1, or logical, N x T: whether the item has the
#'   tag. Row i is the same item as row i of `prob`. Columns are matched by name
#'   where both have names.
#' @param top How many tags each item is annotated with, a count from 1 to T.
#'   Default 10, as in both papers.
#'
#' @details
#' *Ties at the last place.* Where several tags of an item are tied for the last
#' places, each tied tag
#' counts with its fraction of the remaining places: with two places for
#' three tied tags, each counts 2/3. This is the mean of `predicted`, C and recall over
#' random orders of the tied tags. It is the same for any
#' order of the columns, and `predicted` may be a fraction. Precision and F are computed from these
#' means.
#'
#' *Tags that are never given.* Precision would be 0/0. As in Turnbull et al. (2008) it is
#' then the share of items that have the tag, the precision of random annotation.
#' Recall and F are 0. Such tags have `predicted` 0, and `print()` shows how many there are.
#'
#' *Tags that cannot be scored.* A tag that no item has, or that all have, has no
#' ROC curve. Its scores are NA, `print()` names it, and it is left out of all means.
#' It can still take one of the `top` places of an item.
#'
#' *Means.* F is averaged over the tags, so it usually differs from the harmonic mean of the
#' mean precision and the mean recall. The standard error is the standard deviation over the tags divided by
#' the square root of their number. It describes the variation between tags, for the same items.
#'
#' @return A list of class `tagging_scores`:
#' * `tags`: a data frame, a row for each tag in order: `tag` (the column's name, or its
#'   number where it has none); `positives`, the items that have it; `predicted`, how many items
#'   it was given to; `precision`, `recall`, `f`, `auc` and `ap`, in \[0, 1\].
#' * `items`: N; `top`: as given; `version`: that of this package, as a string.
#'
#' `as.data.frame()` gives `tags`. `summary()` gives a list of class
#' `summary.tagging_scores` with `means`, a data frame with `measure` (`precision`, `recall`, `f`,
#' `auc`, and `map`, mean average precision), `mean` and `se`, its standard error (NA for a single
#' tag); `averaged`, the number of tags that were averaged; `left_out`, the tags that cannot be
#' scored; and `never`, those averaged that were never given. `print()` shows that.
#'
#' @section Errors:
#' All are of class `landmarker_error_input`, and of
#' * `landmarker_error_data`: `prob` or `truth` is not a numeric or logical matrix with
#'   rows and columns; they differ in rows; a value breaks the rule above; or no
#'   tag at all can be scored;
#' * `landmarker_error_columns`: they differ in columns, by number or by name;
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
  prob <- check_tagging(prob, "prob")
  truth <- check_tagging(truth, "truth")
  if (nrow(prob) != nrow(truth)) {
    abort_input(c(
      "{.arg prob} and {.arg truth} must have the same items as rows.",
      x = "They have {nrow(prob)} and {nrow(truth)} rows."
    ), arg = "truth", kind = "data")
  }
  truth <- match_tags(truth, prob)
  refuse_values(prob, prob < 0 | prob > 1, "probabilities, from 0 to 1", "prob")
  refuse_values(truth, truth != 0 & truth != 1, "0 or 1, or TRUE or FALSE", "truth")
  top <- check_count(top, "top", max = ncol(prob))
  scores <- tag_scores(prob, truth, top)
  if (all(is.na(scores[, "auc"]))) {
    abort_input(c(
      paste0(
        "{.arg truth} must have at least one tag that some items have and others lack: ",
        "only such tags can be scored."
      ),
      x = paste0(
        "Of its {ncol(truth)} tag{?s}, no item has {sum(!colSums(truth))}, ",
        "and all have {sum(colSums(!truth) == 0)}."
      )
    ), arg = "truth", kind = "data")
  }
  tag <- colnames(prob) %||% colnames(truth) %||% seq_len(ncol(prob))
  tags <- data.frame(tag = tag, scores, row.names = NULL)
  structure(list(tags = tags, items = nrow(prob), top = top, version = made_by()), class = "tagging_scores")
}

# ---- what a user gives ---------------------------------------------------------------

check_tagging <- function(x, arg, call = rlang::caller_env()) {
  check_given(x, arg, call)
  if (!is.matrix(x) || !(is.numeric(x) || is.logical(x)) || is.object(x) || length(x) == 0) {
    abort_input(c(
      "{.arg {arg}} must be a numeric or logical matrix, items by tags, with at least one of each.",
      x = "It is {describe(x)}.",
      i = if (is.data.frame(x) || methods::is(x, "Matrix")) "Convert it with {.code as.matrix({arg})}."
    ), arg = arg, kind = "data", call = call)
  }
  check_finite(x, arg, call)
}

# The columns of `truth` in the order of those of `prob`.
match_tags <- function(truth, prob, call = rlang::caller_env()) {
  if (ncol(truth) != ncol(prob)) {
    abort_input(c(
      "{.arg prob} and {.arg truth} must have the same tags as columns.",
      x = "They have {ncol(prob)} and {ncol(truth)} columns."
    ), arg = "truth", kind = "columns", call = call)
  }
  absent <- if (!is.null(colnames(truth))) setdiff(colnames(prob), colnames(truth))
  if (length(absent)) {
    abort_input(c(
      "{.arg truth} must have every tag that {.arg prob} has.",
      x = "Missing: {.field {if (length(absent) > 5) c(absent[1:5], '...') else absent}}."
    ), arg = "truth", kind = "columns", call = call)
  }
  match_columns(truth, colnames(prob), "truth", call)
}

refuse_values <- function(x, bad, rule, arg, call = rlang::caller_env()) {
  at <- which(bad, arr.ind = TRUE, useNames = FALSE)
  if (length(at) == 0) return(invisible())
  name <- if (!is.null(colnames(x))) paste0(" (", colnames(x)[at[1, 2]], ")")
  abort_input(c(
    paste0("All values of {.arg {arg}} must be ", rule, "."),
    x = "The first other value is {x[at[1, , drop = FALSE]]}, in row {at[1, 1]}, column {at[1, 2]}{name}."
  ), arg = arg, kind = "data", call = call)
}

# ---- print() and summary() ---------------------------------------------------

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
  means <- data.frame(
    measure = c("precision", "recall", "f", "auc", "map"), mean = unname(colMeans(measures)),
    se = unname(apply(measures, 2, stats::sd)) / sqrt(sum(scored))
  )
  structure(list(
    means = means, averaged = sum(scored), left_out = tags$tag[!scored],
    never = tags$tag[scored & tags$predicted == 0], items = object$items, top = object$top
  ), class = "summary.tagging_scores")
}

#' @export
print.tagging_scores <- function(x, ...) {
  check_object(x, "tagging_scores", "x")
  print(summary(x), ...)
  invisible(x)
}

#' @export
print.summary.tagging_scores <- function(x, digits = 3, ...) {
  digits <- check_digits(digits)
  cat(sprintf("Tagging of %s with %s each: means over %s\n\n",
    how_many(x$items, "item"), how_many(x$top, "tag"), how_many(x$averaged, "tag")
  ))
  shown <- x$means
  shown$measure <- c("precision", "recall", "F", "area under ROC", "mean average precision")
  print(shown, digits = digits, row.names = FALSE, right = FALSE, ...)
  name_tags <- function(tags, what) {
    if (length(tags) == 0) return()
    named <- paste(c(utils::head(tags, 10), if (length(tags) > 10) "..."), collapse = ", ")
    said <- paste0(how_many(length(tags), "tag"), " ", what, ": ", named)
    cat("", strwrap(said, exdent = 2), sep = "\n")
  }
  name_tags(x$left_out, "left out, because no item has them or all have")
  name_tags(x$never, "never given; their precision is the share of items that have them")
  invisible(x)
}
