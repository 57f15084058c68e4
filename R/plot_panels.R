# Plots of a fit: variances, held-out predictions, ARD weights, top columns of landmarks.

# An error where a fit lacks what a picture shows.
check_drawable <- function(fit, type, call = rlang::caller_env()) {
  if (type %in% c("variance", "error")) {
    check_that(is.null(fit$response), fit, "object", "a fit without a response for {.code type = \"{type}\"}",
      "fit", call, "{.code type = \"fit\"} shows predictions of held-out rows.", "It has a response."
    )
    check_known_variance(fit, "object", call)
  }
  check_that(type != "fit" || !is.null(fit$response$held_out$index), fit, "object",
    "a fit by {.fn by_response} with held-out rows for {.code type = \"fit\"}", "fit", call,
    found = "It has no {if (is.null(fit$response)) 'response' else 'held-out rows'}."
  )
}

# ---- variances and errors -----------------------------------------------------------------------

# A number for each landmark, in their order, on a logarithmic axis. Those that are 0 up to rounding are left
# out, unless all are.
order_picture <- function(y, name) {
  seen <- y > 1e-12
  log <- any(seen, na.rm = TRUE)
  marks <- data.frame(x = seq_along(y), y = if (log) replace(y, !seen, NA) else y)
  ggplot2::ggplot(marks, ggplot2::aes(.data$x, .data$y)) +
    (if (nrow(marks) > 1) ggplot2::geom_line(color = okabe_ito[1], na.rm = TRUE)) +
    ggplot2::geom_point(color = okabe_ito[1], size = 1.4, shape = 16, na.rm = TRUE) +
    ggplot2::scale_x_continuous(breaks = function(limits) unique(round(pretty(limits)))) +
    (if (log) ggplot2::scale_y_log10()) +
    ggplot2::labs(x = "landmark", y = name, caption = if (log && !all(seen)) "Not shown: 0 up to rounding.") +
    theme_landmarks()
}

# ---- held-out rows -------------------------------------------------------------------

# What is drawn of held-out rows: of numbers each row, with the `output` that it belongs to; of classes and
# tags the `rows` with about the same probability, and between which limits the share with the class would be,
# in 95 of 100 cases, if the probabilities were right.
held_out_points <- function(fit) {
  type <- fit$response$type
  report <- fit$response$held_out
  p <- report$fitted
  if (type %in% c("number", "numbers")) {
    output <- factor(rep(colnames(p), each = nrow(p)), colnames(p))
    return(data.frame(fitted = as.vector(p), observed = as.vector(report$observed), output = output))
  }
  classes <- if (type == "binary") 1 else seq_len(ncol(p))
  truth <- if (type == "tags") report$observed else outer(report$observed, classes, "==")
  bin <- droplevels(probability_bins(as.vector(p)))
  mean_of <- function(v) as.vector(tapply(as.vector(v), bin, mean))
  rows <- as.vector(table(bin))
  shown <- data.frame(fitted = mean_of(p), observed = mean_of(truth), rows = rows)
  limit <- function(share) stats::qbinom(share, rows, shown$fitted) / rows
  cbind(shown, low = limit(0.025), high = limit(0.975))
}

response_picture <- function(fit) {
  points <- held_out_points(fit)
  plot <- ggplot2::ggplot(points, ggplot2::aes(.data$fitted, .data$observed)) +
    ggplot2::geom_abline(intercept = 0, slope = 1, color = data_color) +
    theme_landmarks()
  if (is.null(points$rows)) {
    # Both axes have the range of both numbers.
    plot <- plot + ggplot2::geom_blank(ggplot2::aes(.data$observed, .data$fitted)) +
      ggplot2::geom_point(color = okabe_ito[1], shape = 16, size = 1.2) +
      ggplot2::labs(x = "predicted", y = "observed", title = "Held-out rows")
    if (nlevels(points$output) == 1) return(plot)
    return(plot + ggplot2::facet_wrap(ggplot2::vars(.data$output), scales = "free"))
  }
  bars <- ggplot2::aes(ymin = .data$low, ymax = .data$high)
  # Areas grow with the number of rows.
  size <- 1.6 + 3.4 * sqrt(points$rows / max(points$rows))
  plot + ggplot2::expand_limits(x = 0:1, y = 0:1) +
    ggplot2::geom_linerange(bars, color = "gray85", linewidth = 2.5) +
    ggplot2::geom_point(color = okabe_ito[1], shape = 16, size = size) +
    ggplot2::coord_equal() +
    ggplot2::labs(
      x = "predicted probability", y = "observed proportion", title = "Calibration on held-out rows",
      subtitle = "area: number of predictions; bars: 95% range if calibrated"
    )
}

# ---- relevances ----------------------------------------------------------------------

# The columns on which distances depend most, or without learned relevances those along which the response
# changes most, the largest last. Effects of a factor's levels and of several outputs are added up.
most_relevant <- function(fit, most = 30) {
  columns <- as.data.frame(tidy_columns(fit))
  by_effect <- is.null(fit$relevance) && !is.null(columns$effect)
  value <- if (by_effect) abs(columns$effect) else columns$distance
  name <- columns$column
  if (by_effect) {
    factors <- names(fit$blueprint$levels)
    for (f in factors[order(nchar(factors))]) name[startsWith(columns$column, f)] <- f
    value <- rowsum(value, name, reorder = FALSE)[, 1]
    name <- unique(name)
  }
  first <- utils::head(order(-value), most)
  shown <- data.frame(column = name, value = unname(value), row.names = NULL)[rev(first), ]
  structure(shown, by_effect = by_effect)
}

relevance_picture <- function(fit) {
  shown <- most_relevant(fit)
  by_effect <- attr(shown, "by_effect")
  rows <- seq_len(nrow(shown))
  title <- if (by_effect) "Effects of columns" else "ARD weights of columns"
  if (!by_effect && is.null(fit$relevance)) title <- "Standard deviations of columns (no ARD weights)"
  ggplot2::ggplot(shown, ggplot2::aes(.data$value, rows)) +
    ggplot2::expand_limits(x = if (by_effect) 0 else 0:1, y = c(0.5, nrow(shown) + 0.5)) +
    ggplot2::geom_segment(ggplot2::aes(xend = 0, yend = rows), color = data_color) +
    ggplot2::geom_point(color = okabe_ito[1], shape = 16, size = 2) +
    ggplot2::scale_y_continuous(breaks = rows, labels = cut_middle(shown$column, 30)) +
    ggplot2::labs(
      x = if (by_effect) "change of the response per standard deviation" else "relative to the largest",
      y = NULL, title = title
    ) +
    theme_landmarks()
}

# Labels of more than `most` letters have an ellipsis in the middle: the columns of one factor
# begin alike, and differ at their ends.
cut_middle <- function(text, most) {
  half <- (most - 1) %/% 2
  short <- paste0(substr(text, 1, half), cli::symbol$ellipsis, substring(text, nchar(text) - half + 1))
  ifelse(nchar(text) > most, short, text)
}

# ---- top columns ---------------------------------------------------------------------

# A panel of bars for each landmark.
autoplot_words <- function(fit, k = NULL, by = NULL, which = NULL, ..., call = rlang::caller_env()) {
  check_dots(..., call = call)
  by <- check_choice(by %||% if (fit$sparse) "value" else "deviation", c("deviation", "value"), "by", call)
  k <- check_count(k %||% min(6, ncol(fit$landmarks)), "k", max = ncol(fit$landmarks), call = call)
  n <- nrow(fit$landmarks)
  which <- which %||% seq_len(min(n, 12))
  known <- is.numeric(which) && length(which) && all(which %in% seq_len(n)) && !anyDuplicated(which)
  check_that(known, which, "which", paste("distinct integers from 1 to", n), call = call)
  words <- top_features(fit, k, by)
  words <- words[order(match(words$landmark, which), words$rank, na.last = NA), ]
  # A word may stand in many panels, each time in another row.
  words$row <- paste(words$landmark, words$rank)
  words$row <- factor(words$row, rev(words$row))
  words$panel <- factor(paste("landmark", words$landmark), paste("landmark", which))
  more <- n - length(which)
  texts <- stats::setNames(cut_middle(as.character(words$feature), 20), words$row)
  none <- ggplot2::element_blank()
  ggplot2::ggplot(words, ggplot2::aes(.data[[by]], .data$row)) +
    ggplot2::geom_col(fill = okabe_ito[ifelse(words[[by]] < 0, 6, 1)], width = 0.7) +
    ggplot2::geom_vline(xintercept = 0, color = "gray40", linewidth = 0.3) +
    ggplot2::facet_wrap(ggplot2::vars(.data$panel), scales = "free_y", ncol = min(3, length(which))) +
    ggplot2::scale_x_continuous(n.breaks = 3) +
    ggplot2::scale_y_discrete(labels = texts) +
    ggplot2::labs(
      x = if (by == "value") "value" else "standard deviations from the mean", y = NULL,
      title = paste("Top", if (k == 1) "column" else paste(k, "columns"), "of each landmark"),
      caption = if (more) paste0(how_many(more, "more landmark"), ": select with `which`.")
    ) +
    theme_landmarks() + ggplot2::theme(axis.line.y = none, axis.ticks.y = none)
}
