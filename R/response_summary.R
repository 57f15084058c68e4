# What held-out rows say of a regression: the figures that summary() prints, from the part `held_out` of a
# response, and the thresholds of tags.

# list(rows, measures, confusion, thresholds), or NULL where there are no held-out rows. `measures`: a data
# frame of `measure`, `value`, and `baseline`, that of a prediction which is the same for all rows.
# `confusion`: of classes a matrix, observed x predicted, of sums of weights; else NULL. `thresholds`: of tags
# the probability from which on each is given; else NULL.
response_summary <- function(r) {
  if (is.null(r$held_out$index)) return(NULL)
  rows <- r$held_out$rows
  if (r$type %in% c("number", "numbers")) return(list(rows = rows, measures = measures_of_numbers(r)))
  p <- chances_of(r)
  list(
    rows = rows, measures = measures_of_chances(r, p), confusion = if (r$type != "tags") confusion_of(r, p),
    thresholds = if (r$type == "tags") stats::setNames(tag_thresholds(r), r$levels)
  )
}

# The chances of held-out rows, and what was observed as 0/1, both rows x classes (or tags): list(p, y).
chances_of <- function(r) {
  p <- r$held_out$fitted
  if (r$type == "tags") return(list(p = p, y = as.matrix(r$held_out$observed)))
  binary <- r$type == "binary"
  if (binary) p <- cbind(1 - p, p)
  list(p = p, y = outer(r$held_out$observed + binary, seq_len(ncol(p)), "==") + 0)
}

measures_of_chances <- function(r, of) {
  report <- r$held_out
  v <- report$weights
  each <- of$y * log_safe(of$p)
  if (r$type == "tags") each <- each + (1 - of$y) * log_safe(1 - of$p)
  # How far the observed shares are from the predicted chances, in the mean over bins of about equal chances.
  all <- rep(v, ncol(of$p))
  gaps <- tapply(all * as.vector(of$y - of$p), probability_bins(as.vector(of$p)), sum)
  calibration <- sum(abs(gaps), na.rm = TRUE) / sum(all)
  data.frame(
    measure = c(measure_words(r), "log loss", "calibration error"),
    value = c(report$measure, -sum(v * rowSums(each)) / sum(v), calibration),
    baseline = c(report$baseline, report$usual_loss, NA)
  )
}

# Probabilities by tenths, as a factor: tenths of few rows are joined with the next one.
probability_bins <- function(p, least = 10) {
  tenth <- pmin(pmax(ceiling(10 * p), 1), 10)
  rows <- tabulate(tenth, 10)
  bin <- integer(10)
  for (k in 2:10) bin[k] <- bin[k - 1] + (sum(rows[1:(k - 1)][bin[1:(k - 1)] == bin[k - 1]]) >= least)
  # What is left at the end belongs to the bin before it.
  last <- bin == max(bin)
  if (sum(rows[last]) < least && max(bin) > 0) bin[last] <- max(bin) - 1L
  factor(bin[tenth])
}

confusion_of <- function(r, of) {
  chosen <- if (r$type == "binary") 1L + (of$p[, 2] > 0.5) else max.col(of$p, "first")
  out <- crossprod(r$held_out$weights * of$y, outer(chosen, seq_along(r$levels), "=="))
  dimnames(out) <- list(observed = r$levels, predicted = r$levels)
  out
}

# The measures of each number. The calibration slope is that of a line through the observed values by the
# predicted ones: 1 where predictions vary as much as they should, below 1 where they vary too much.
measures_of_numbers <- function(r) {
  report <- r$held_out
  v <- report$weights
  y <- as.matrix(report$observed)
  each <- lapply(seq_len(ncol(y)), function(k) {
    f <- report$fitted[, k]
    centered <- f - mean_over(f, v)
    apart <- y[, k] - mean_over(y[, k], v)
    error <- mean_over((y[, k] - f)^2, v)
    # As print() has it: the error of the mean of the rows that were learned from.
    usual <- if (r$type == "number" && r$family == "gaussian") report$baseline else mean_over(apart^2, v)
    slope <- sum(v * centered * apart) / sum(v * centered^2)
    data.frame(
      measure = c("RMSE", "R2", "calibration slope"), value = c(sqrt(error), 1 - error / usual, slope),
      baseline = c(sqrt(usual), 0, NA)
    )
  })
  if (r$type == "numbers") {
    each <- Map(function(name, d) cbind(output = name, d), r$levels, each)
  } else if (r$family != "gaussian") {
    own <- data.frame(measure = measure_words(r), value = report$measure, baseline = report$baseline)
    each <- c(list(own), each)
  }
  do.call(rbind, c(unname(each), list(make.row.names = FALSE)))
}

# Lines of print(summary(fit)).
print_response_summary <- function(s, digits, most = 15) {
  cat("\nResponse, on ", how_many(s$rows, "held-out row"), "\n", sep = "")
  shown <- s$measures
  shown$baseline <- ifelse(is.na(shown$baseline), "", format(signif(shown$baseline, digits)))
  shown$value <- format(signif(shown$value, digits))
  names(shown)[names(shown) == "baseline"] <- "null model"
  print(shown, row.names = FALSE)
  if (is.null(s$confusion)) return(invisible())
  recall <- diag(s$confusion) / rowSums(s$confusion)
  worst <- sort(utils::head(order(recall), most))
  cat("\nobserved (rows) and predicted (columns)")
  if (length(recall) > most) cat(":", most, "of", length(recall), "classes, with the smallest recall")
  cat("\n")
  table <- format(signif(s$confusion[worst, worst, drop = FALSE], digits))
  recall <- ifelse(is.nan(recall[worst]), "", sprintf("%.3f", recall[worst]))
  print(cbind(table, recall = recall), quote = FALSE, right = TRUE)
}

# ---- tags ----------------------------------------------------------------------------

# The chance from which on each tag is given: the one with the largest F of held-out rows, one half for tags
# that fewer than `least` of these have, or all of them.
tag_thresholds <- function(r, least = 3) {
  report <- r$held_out
  vapply(seq_along(r$levels), function(k) {
    y <- report$observed[, k]
    if (is.null(report$index) || min(sum(y), sum(1 - y)) < least) return(0.5)
    best_threshold(report$fitted[, k], y, report$weights)
  }, 0)
}

# The threshold with the largest F, the harmonic mean of precision and recall, between two values of `p`.
best_threshold <- function(p, y, v) {
  order <- order(p, decreasing = TRUE)
  p <- p[order]
  last <- which(c(p[-1] != p[-length(p)], TRUE))
  hits <- cumsum((v * y)[order])[last]
  f <- 2 * hits / (cumsum(v[order])[last] + sum(v * y))
  best <- which.max(f)
  below <- if (best < length(last)) p[last[best + 1]] else 0
  (p[last[best]] + below) / 2
}
