# Pictures of a fit in panels: variances, held-out rows, relevances of columns, top columns of landmarks.

# An error where a fit lacks what a picture shows.
check_drawable <- function(fit, type, call = rlang::caller_env()) {
  if (type == "variance" && !is.null(fit$response)) {
    abort_input(c(
      "{.arg object} must have landmarks that were learned to explain the data.",
      x = "They were learned to predict a response.",
      i = "{.code type = \"fit\"} and {.code type = \"relevance\"} show how they do."
    ), arg = "object", kind = "fit", call = call)
  }
  if (type == "variance") check_known_variance(fit, "object", call)
  if (type == "fit" && is.null(fit$response$held_out$index)) {
    abort_input(c(
      "{.code type = \"fit\"} needs a fit by {.fn by_response} with held-out rows.",
      x = if (is.null(fit$response)) "This fit has no response." else "No rows of this fit were held out."
    ), arg = "object", kind = "fit", call = call)
  }
}

# Rows of lines with two points or more: ggplot2 has a message about others. `marks`: panel, key, y.
several_of_each <- function(marks) {
  known <- stats::ave(as.double(!is.na(marks$y)), marks$panel, marks$key, FUN = sum)
  marks[known > 1, , drop = FALSE]
}

# ---- variances -----------------------------------------------------------------------

# Two panels: Liang and Paisley's variance at each landmark, and the share of the kernel's trace that is
# explained.
variance_picture <- function(fit) {
  n <- seq_len(nrow(fit$landmarks))
  # Landmarks given by the user may all have variance 0, which a logarithmic axis cannot show.
  log <- any(fit$variance > 0)
  variance <- if (log) log10(ifelse(fit$variance > 0, fit$variance, NA)) else fit$variance
  names <- c(
    paste0(
      "Variance at each landmark given those before it",
      if (log) paste0(" (log scale", if (anyNA(variance)) "; gaps are 0", ")")
    ),
    "Trace of the kernel matrix explained so far (%)"
  )
  marks <- data.frame(
    panel = factor(rep(names, each = length(n)), names), key = 1, x = n,
    y = c(variance, 100 * fit$explained)
  )
  ends <- range(variance, na.rm = TRUE)
  if (log && ends[1] == ends[2]) ends <- ends + log10(c(0.5, 2))
  corners <- data.frame(panel = factor(names[c(1, 1, 2, 2)], names), x = n[1], y = c(ends, 0, 100))
  ggplot2::ggplot(marks, ggplot2::aes(.data$x, .data$y, color = .data$panel)) +
    ggplot2::geom_blank(data = corners) +
    ggplot2::geom_line(data = several_of_each(marks), na.rm = TRUE) +
    ggplot2::geom_point(size = 1.4, shape = 16, na.rm = TRUE) +
    ggplot2::facet_wrap(ggplot2::vars(.data$panel), scales = "free_y", ncol = 1) +
    ggplot2::scale_colour_manual(values = okabe_ito[c(1, 6)], guide = "none") +
    ggplot2::scale_x_continuous(breaks = whole_places, guide = ggplot2::guide_axis(check.overlap = TRUE)) +
    (if (log) ggplot2::scale_y_continuous(breaks = variance_places, labels = variance_labels)) +
    ggplot2::labs(x = "landmark", y = NULL, title = NULL) +
    theme_landmarks()
}

whole_places <- function(limits) unique(round(pretty(limits)))

# The scale of y is shared by both panels. Logarithms of variances are below 1, percentages reach 100.
is_percent <- function(at) max(at, na.rm = TRUE) > 50

variance_places <- function(limits) {
  if (is_percent(limits)) return(pretty(limits))
  at <- pretty(limits, 4)
  whole <- unique(round(at))
  if (sum(whole >= limits[1] & whole <= limits[2]) >= 2) whole else at
}

variance_labels <- function(at) {
  ifelse(is.na(at), "", if (is_percent(at)) format(at) else formatC(10^at, digits = 2, format = "g"))
}

# ---- held-out rows -------------------------------------------------------------------

# What is drawn of held-out rows: of numbers each row, with the `output` that it belongs to; of classes and
# tags the `rows` with about the same probability, and between which limits the share with the class would be,
# in 95 of 100 cases, if the probabilities were right.
held_out_points <- function(fit) {
  r <- fit$response
  report <- r$held_out
  if (r$type %in% c("number", "numbers")) {
    outputs <- colnames(report$fitted)
    return(data.frame(
      fitted = as.vector(report$fitted), observed = as.vector(report$observed),
      output = factor(rep(outputs, each = nrow(report$fitted)), outputs)
    ))
  }
  p <- report$fitted
  classes <- if (r$type == "binary") 1 else seq_len(ncol(p))
  truth <- if (r$type == "tags") report$observed else outer(report$observed, classes, "==")
  bin <- probability_bins(as.vector(p))
  mean_of <- function(v) as.vector(tapply(as.vector(v), bin, mean))
  rows <- as.vector(table(bin))
  some <- rows > 0
  expected <- mean_of(p)[some]
  data.frame(
    fitted = expected, observed = mean_of(truth)[some], rows = rows[some],
    low = stats::qbinom(0.025, rows[some], expected) / rows[some],
    high = stats::qbinom(0.975, rows[some], expected) / rows[some]
  )
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
  plot + ggplot2::expand_limits(x = 0:1, y = 0:1) +
    ggplot2::geom_linerange(ggplot2::aes(ymin = .data$low, ymax = .data$high),
      color = "gray85", linewidth = 2.5
    ) +
    # Areas grow with the number of rows.
    ggplot2::geom_point(
      color = okabe_ito[1], shape = 16, size = 1.6 + 3.4 * sqrt(points$rows / max(points$rows))
    ) +
    ggplot2::coord_equal() +
    ggplot2::labs(
      x = "predicted probability", y = "observed share", title = "Held-out rows: are probabilities right?",
      subtitle = "areas: numbers of probabilities; bars: 95% if they are"
    )
}

# ---- relevances ----------------------------------------------------------------------

# The columns on which distances depend most, the largest last: columns and shares of the largest.
most_relevant <- function(fit, most = 30) {
  columns <- tidy_columns(fit)
  first <- utils::head(order(-columns$distance), most)
  columns[rev(first), c("column", "distance")]
}

relevance_picture <- function(fit) {
  shown <- as.data.frame(most_relevant(fit))
  rows <- seq_len(nrow(shown))
  ggplot2::ggplot(shown, ggplot2::aes(.data$distance, rows)) +
    ggplot2::expand_limits(x = 0:1, y = c(0.5, nrow(shown) + 0.5)) +
    ggplot2::geom_segment(ggplot2::aes(xend = 0, yend = rows), color = data_color) +
    ggplot2::geom_point(color = okabe_ito[1], shape = 16, size = 2) +
    ggplot2::scale_y_continuous(breaks = rows, labels = cut_middle(shown$column, 30)) +
    ggplot2::labs(
      x = "relative to the largest", y = NULL,
      title = if (is.null(fit$relevance)) {
        "Spread of columns: no relevances were learned"
      } else {
        "Relevance of columns"
      }
    ) +
    theme_landmarks()
}

# Labels of more than `most` letters, dots in the place of their middle: the columns of one factor begin
# alike, and differ at their ends.
cut_middle <- function(text, most) {
  long <- which(nchar(text) > most)
  last <- (most - 2) %/% 2
  text[long] <- paste0(
    substr(text[long], 1, most - 2 - last), "..", substring(text[long], nchar(text[long]) - last + 1)
  )
  text
}

# ---- top columns ---------------------------------------------------------------------

# A panel of bars for each landmark.
autoplot_words <- function(fit, k = NULL, by = NULL, which = NULL, ..., call = rlang::caller_env()) {
  check_dots(..., call = call)
  by <- check_choice(by %||% if (fit$sparse) "value" else "deviation", c("deviation", "value"), "by", call)
  k <- check_count(k %||% min(6, ncol(fit$landmarks)), "k", max = ncol(fit$landmarks), call = call)
  n <- nrow(fit$landmarks)
  which <- check_which(which %||% seq_len(min(n, 12)), n, call)
  words <- top_features(fit, k, by)
  words <- words[order(match(words$landmark, which), words$rank, na.last = NA), ]
  words <- words[words$landmark %in% which, ]
  # A word may stand in many panels, each time in another row.
  words$row <- paste(words$landmark, words$rank)
  words$row <- factor(words$row, rev(words$row))
  words$panel <- factor(paste("landmark", words$landmark), paste("landmark", which))
  ggplot2::ggplot(words, ggplot2::aes(.data[[by]], .data$row)) +
    ggplot2::geom_col(fill = okabe_ito[ifelse(words[[by]] < 0, 6, 1)], width = 0.7) +
    ggplot2::geom_vline(xintercept = 0, color = "gray40", linewidth = 0.3) +
    ggplot2::facet_wrap(ggplot2::vars(.data$panel), scales = "free_y", ncol = min(3, length(which))) +
    ggplot2::scale_x_continuous(breaks = few_ticks) +
    ggplot2::scale_y_discrete(
      labels = stats::setNames(cut_middle(as.character(words$feature), 20), words$row)
    ) +
    ggplot2::labs(
      x = if (by == "value") "value" else "standard deviations from the mean", y = NULL,
      title = paste0(
        "Top ", if (k == 1) "column" else paste(k, "columns"), " of ", words_for_landmarks(which, n)
      )
    ) +
    theme_landmarks() +
    ggplot2::theme(axis.line.y = ggplot2::element_blank(), axis.ticks.y = ggplot2::element_blank())
}

words_for_landmarks <- function(which, n) {
  if (length(which) == n) return(if (n == 1) "the landmark" else "each landmark")
  first <- if (identical(which, seq_along(which))) "the first "
  paste0(first, length(which), " of ", n, " landmarks")
}

check_which <- function(which, n, call) {
  if (!is.numeric(which) || length(which) > n || !all(which %in% seq_len(n)) || anyDuplicated(which) ||
    length(which) == 0) {
    abort_input(
      c("{.arg which} must be different whole numbers from 1 to {n}.", x = "It is {describe(which)}."),
      arg = "which", call = call
    )
  }
  as.integer(which)
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
