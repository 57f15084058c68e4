# Functions that several vignettes use to show what evidence/*.R of the sources computed.

# The tables of inst/evidence/<name>.rds, or NULL where they are missing.
evidence <- function(name) {
  file <- system.file("evidence", paste0(name, ".rds"), package = "landmarker")
  # What only pages of the site report is not installed.
  if (!nzchar(file)) file <- file.path("..", "..", "inst", "evidence", paste0(name, ".rds"))
  if (file.exists(file)) readRDS(file)
}

# Mean and its standard error.
mean_se <- function(v) {
  c(mean = mean(v, na.rm = TRUE), se = stats::sd(v, na.rm = TRUE) / sqrt(sum(!is.na(v))))
}

# "a, b and c"
in_words <- function(v) {
  if (length(v) > 1) paste(paste(utils::head(v, -1), collapse = ", "), "and", utils::tail(v, 1)) else paste(v)
}

# Seconds for each landmark against the number of landmarks, a line for each value of the column `by`.
plot_seconds <- function(timed, by, unit, pch) {
  d <- stats::aggregate(timed["seconds"], timed[c(by, "landmarks")], mean)
  sizes <- unique(d[[by]])
  lines <- sapply(sizes, function(size) d$seconds[d[[by]] == size])
  colors <- c("#0072B2", "#E69F00", "#009E73", "#CC79A7")[seq_along(sizes)]
  op <- par(mar = c(4, 5, 0.5, 0.5))
  on.exit(par(op))
  matplot(sort(unique(d$landmarks)), lines,
    type = "o", pch = pch, lty = 1, lwd = 1.5, las = 1, bty = "l", col = colors, xlab = "landmarks",
    ylab = "", xlim = c(0, max(d$landmarks)), ylim = c(0, 1.4 * max(lines))
  )
  title(ylab = "seconds per landmark", line = 3.8)
  legend("topleft", format(sizes, big.mark = ","), title = unit, pch = pch, lwd = 1.5, bty = "n", col = colors)
}

# What a landmark costs by the paper's Algorithm 1: a sentence with seconds for each value of the column `by`, which
# are inserted in `for_values`, or nothing where it was not timed.
algorithm1_words <- function(timed, by, for_values) {
  if (is.null(timed)) return("\n")
  last <- timed[timed$landmarks == max(timed$landmarks), ]
  sprintf(
    paste0(for_values, ", the %dth landmark of Algorithm 1 as printed, `by_gp(\"sgd\", gradient = \"raw\")`, took %s seconds",
      " (timed once).\n"),
    in_words(format(last[[by]], big.mark = ",", trim = TRUE)), max(timed$landmarks), in_words(sprintf("%.1f", last$seconds))
  )
}
