# The pictures of a fit by by_response(): how well held-out rows are predicted, and on which columns distances
# depend.

# ---- held-out rows -------------------------------------------------------------------

# An error where a fit has no held-out rows to draw.
check_drawable_response <- function(fit, arg, call = rlang::caller_env()) {
  if (!is.null(fit$response$held_out$index)) return(invisible())
  abort_input(c(
    "{.code type = \"fit\"} needs a fit by {.fn by_response} with held-out rows.",
    x = if (is.null(fit$response)) "This fit has no response." else "No rows of this fit were held out."
  ), arg = arg, kind = "fit", call = call)
}

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
  if (is.null(points$rows)) {
    panels <- lapply(levels(points$output), function(name) {
      at <- range(points[points$output == name, c("fitted", "observed")])
      list(name = name, x = at, y = at, log = FALSE)
    })
    return(panels_picture(panels, "Held-out rows", list("predicted", "observed"), mark_styles(okabe_ito[1]),
      points = data.frame(
        panel = as.integer(points$output), style = 1L, x = points$fitted, y = points$observed, size = 0.6
      ), diagonal = TRUE
    ))
  }
  panels_picture(
    panels = list(list(name = NULL, x = 0:1, y = 0:1, log = FALSE)),
    title = "Held-out rows: are probabilities right?",
    note = "areas: numbers of probabilities; bars: 95% if they are",
    axes = list("predicted probability", "observed share"),
    styles = mark_styles(c(okabe_ito[1], "gray85"), width = c(1, 5)), diagonal = TRUE, square = TRUE,
    ranges = data.frame(panel = 1L, style = 2L, x = points$fitted, low = points$low, high = points$high),
    points = data.frame(
      panel = 1L, style = 1L, x = points$fitted, y = points$observed, size = point_sizes(points$rows)
    )
  )
}

# Sizes of points whose areas grow with the number of rows.
point_sizes <- function(rows) 0.8 + 1.7 * sqrt(rows / max(rows))

# ---- relevances ----------------------------------------------------------------------

# The columns on which distances depend most, the largest last: columns and shares of the largest.
most_relevant <- function(fit, most = 30) {
  columns <- tidy_columns(fit)
  first <- utils::head(order(-columns$distance), most)
  columns[rev(first), c("column", "distance")]
}

relevance_title <- function(fit) {
  if (is.null(fit$relevance)) "Spread of columns: no relevances were learned" else "Relevance of columns"
}

relevance_picture <- function(fit) {
  shown <- as.data.frame(most_relevant(fit))
  marks <- data.frame(panel = 1L, style = 1L, x = shown$distance, y = seq_len(nrow(shown)))
  panels_picture(
    panels = list(list(name = NULL, x = c(0, 1), y = c(0.5, nrow(shown) + 0.5), log = FALSE)),
    title = relevance_title(fit), axes = list("relative to the largest", NULL),
    styles = mark_styles(okabe_ito[1]), sticks = marks, points = cbind(marks, size = 1), names = shown$column
  )
}
