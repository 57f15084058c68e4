# The picture of the top columns of landmarks: a panel of bars for each landmark.

# What is drawn: the table of top_features() for some landmarks, with the size of each bar, and what the
# bars are in words.
words_to_draw <- function(fit, k, by, which, call) {
  by <- check_choice(by %||% if (fit$sparse) "value" else "deviation", c("deviation", "value"), "by", call)
  d <- ncol(fit$landmarks)
  k <- check_count(k %||% min(6, d), "k", max = d, call = call)
  which <- check_which(which %||% seq_len(min(nrow(fit$landmarks), 12)), nrow(fit$landmarks), call)
  table <- top_features(fit, k, by)
  table <- table[order(match(table$landmark, which), table$rank, na.last = NA), ]
  table <- table[table$landmark %in% which, ]
  table$size <- if (by == "value") table$value else table$deviation
  table$feature <- as.character(table$feature)
  what <- if (by == "value") "value" else "standard deviations from the mean"
  list(
    table = table, which = which, what = what,
    title = paste0("Top ", if (k == 1) "column" else paste(k, "columns"), " of ", shown_landmarks(fit, which))
  )
}

shown_landmarks <- function(fit, which) {
  n <- nrow(fit$landmarks)
  if (length(which) == n) return(if (n == 1) "the landmark" else "each landmark")
  first <- if (identical(which, seq_along(which))) "the first "
  paste0(first, length(which), " of ", n, " landmarks")
}

check_which <- function(which, n, call) {
  if (!is.numeric(which) || length(which) == 0 || length(which) > n || anyNA(which) || anyDuplicated(which) ||
    any(which < 1 | which > n | which != trunc(which))) {
    abort_input(
      c("{.arg which} must be different whole numbers from 1 to {n}.", x = "It is {describe(which)}."),
      arg = "which", call = call
    )
  }
  as.integer(which)
}

bar_colors <- function(size) ifelse(size < 0, okabe_ito[6], okabe_ito[1])

autoplot_words <- function(fit, k = NULL, by = NULL, which = NULL, ..., call = rlang::caller_env()) {
  check_dots(..., call = call)
  shown <- words_to_draw(fit, k, by, which, call)
  aes <- ggplot2::aes
  .data <- rlang::.data
  words <- shown$table
  # A word may stand in many panels, each time in another row.
  words$row <- paste(words$landmark, words$rank)
  words$row <- factor(words$row, rev(words$row))
  words$panel <- factor(paste("landmark", words$landmark), paste("landmark", shown$which))
  ggplot2::ggplot(words, aes(.data$size, .data$row)) +
    ggplot2::geom_col(fill = bar_colors(words$size), width = 0.7) +
    ggplot2::geom_vline(xintercept = 0, color = "gray40", linewidth = 0.3) +
    ggplot2::facet_wrap(ggplot2::vars(.data$panel), scales = "free_y", ncol = min(3, length(shown$which))) +
    ggplot2::scale_x_continuous(breaks = few_ticks) +
    ggplot2::scale_y_discrete(labels = stats::setNames(cut_middle(words$feature, 20), words$row)) +
    ggplot2::labs(x = shown$what, y = NULL, title = shown$title) +
    theme_landmarks() +
    ggplot2::theme(axis.line.y = ggplot2::element_blank(), axis.ticks.y = ggplot2::element_blank())
}

# As few ticks as there can be, at least two: panels are narrow.
few_ticks <- function(limits) {
  for (n in 2:6) {
    at <- pretty(limits, n)
    at <- at[at >= limits[1] & at <= limits[2]]
    if (length(at) > 1) break
  }
  at
}
