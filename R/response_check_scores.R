# Tagging scores may have been edited, or read from a file that was cut.
check_scores <- function(scores, arg, call = rlang::caller_env()) {
  check_class(scores, "tagging_scores", "scores", arg, call)
  check_whole(scores_flaw(scores), "scores", "tagging_scores", arg, call, scores, "object of tagging scores")
  invisible(scores)
}

# The first flaw of tagging scores, in words, or NULL.
scores_flaw <- function(scores) {
  scores <- unclass(scores)
  absent_part(scores, scores_rules) %||%
    broken_part(scores, scores_rules, scores_words, other_than, scores) %||%
    broken_option(scores, list(version = function(v) is_version(v)), NULL, "not a string")
}

scores_rules <- list(
  tags = function(v, s) {
    numbers <- c("positives", "predicted", tag_measures)
    is_sound_frame(v) && all(c("tag", numbers) %in% names(v)) && (is.character(v$tag) || is.numeric(v$tag)) &&
      !anyNA(v$tag) && all(vapply(v[numbers], is.double, NA)) && all(v$positives >= 0) &&
      all(v$predicted >= 0) &&
      are_shares(as.matrix(v[tag_measures])) && !all(is.na(v$auc))
  },
  items = function(v, s) is_whole(v, 1),
  top = function(v, s) is_whole(v, 1) && v <= nrow(s$tags)
)

scores_words <- list(tags = "is not a data frame with a row for each tag, and its measures from 0 to 1.")

# Numbers from 0 to 1, up to rounding; rows of tags that cannot be scored are NA.
are_shares <- function(v) {
  known <- !is.na(v[, 1])
  all(v[known, ] >= 0 & v[known, ] <= 1 + 1e-8) && all(is.na(v[!known, ])) && !any(is.nan(v))
}

# What summary() makes of them.
check_scores_summary <- function(x, arg, call = rlang::caller_env()) {
  check_class(x, "summary.tagging_scores", "scores", arg, call)
  rules <- scores_summary_rules
  flaw <- absent_part(unclass(x), rules) %||%
    broken_part(unclass(x), rules, scores_words, other_than)
  check_whole(flaw, "scores", "summary", arg, call, x, "summary of tagging scores")
}

scores_summary_rules <- list(
  means = function(v) is_sound_frame(v) && nrow(v) == 5 && identical(names(v), c("measure", "mean", "se")),
  averaged = function(v) is_whole(v, 1), left_out = function(v) is.atomic(v) && !is.object(v),
  never = function(v) is.atomic(v) && !is.object(v), items = function(v) is_whole(v, 1),
  top = function(v) is_whole(v, 1)
)
