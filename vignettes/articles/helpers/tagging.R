# What tagging.Rmd computes from inst/evidence/tagging.rds: tables, panels and sentences of numbers.

measures <- c(
  precision = "precision", recall = "recall", f = "F", auc = "area under ROC", map = "mean average precision"
)
colors <- c(
  "gp, trace" = "#0072B2", "gp, volume" = "#56B4E9", "gp, sequential" = "#009E73",
  "active, 5,000 rows" = "#D55E00", "random rows" = "gray50", "k-means" = "#E69F00", nmf = "#CC79A7",
  raw = "black"
)
shapes <- c(16, 17, 15, 18, 4, 8, 6, NA)

# "mean (standard error)" of a measure.
cell <- function(d, m) {
  se <- d[[paste0(m, "_se")]]
  ifelse(is.na(se), sprintf("%.3f", d[[m]]), sprintf("%.3f (%.3f)", d[[m]], se))
}

in_order <- function(d) d[order(match(d$method, names(colors)), d$n), ]

tabulate_scores <- function(d) {
  d <- in_order(d)
  out <- data.frame(method = d$method, n = ifelse(is.na(d$n), "", d$n))
  for (m in names(measures)) out[[measures[[m]]]] <- cell(d, m)
  names(out)[names(out) == "mean average precision"] <- "average precision"
  knitr::kable(out, row.names = FALSE, align = c("l", rep("r", ncol(out) - 1)))
}

# One panel: a measure against the number of features, a line for each method, bars of one standard error.
panel <- function(d, m, main, reach) {
  known <- names(colors)[names(colors) %in% d$method]
  n <- sort(unique(d$n[!is.na(d$n)]))
  plot(NA,
    xlim = range(n) * c(0.93, 1.07), ylim = reach, log = "x", las = 1, bty = "l", xaxt = "n", xlab = "",
    ylab = "", main = main, cex.main = 0.95
  )
  axis(1, n, gap.axis = 0)
  for (k in seq_along(known)) {
    of <- d[d$method == known[k], ]
    color <- colors[[known[k]]]
    if (anyNA(of$n)) {
      abline(h = of[[m]], lty = 2, col = color)
      next
    }
    of <- of[order(of$n), ]
    at <- of$n * (1 + (k - 4) * 0.012)
    bar <- of[[paste0(m, "_se")]]
    segments(at, of[[m]] - bar, at, of[[m]] + bar, col = color)
    lines(at, of[[m]], type = "o", pch = shapes[match(known[k], names(colors))], col = color)
  }
}

key <- function(d, ...) {
  known <- names(colors)[names(colors) %in% d$method]
  legend("center", known,
    title = "method", col = colors[known], pch = shapes[match(known, names(colors))],
    lty = ifelse(known == "raw", 2, 1), bty = "n", ...
  )
}

# The range of a measure with its standard errors.
reach_of <- function(d, m) {
  se <- d[[paste0(m, "_se")]]
  range(d[[m]] - se, d[[m]] + se, na.rm = TRUE)
}

# For one of our methods against each rival: in how many cells it is ahead, and in how many it is ahead or
# behind by more than two standard errors of the difference.
outcome <- function(d, gp) {
  d <- d[d$gp == gp, ]
  rivals <- names(colors)[names(colors) %in% d$rival]
  do.call(rbind, lapply(rivals, function(r) {
    of <- d[d$rival == r & !is.na(d$difference), ]
    data.frame(
      rival = r, cells = nrow(of), ahead = sum(of$difference > 0),
      clearly_ahead = sum(of$difference > 2 * of$se), clearly_behind = sum(of$difference < -2 * of$se)
    )
  }))
}

# Whether it is ahead in every cell of every rival that is neither a Gaussian process nor the raw data.
holds <- function(d, gp) {
  o <- outcome(d, gp)
  o <- o[!grepl("^gp", o$rival) & o$rival != "raw", ]
  if (all(o$ahead == o$cells)) return("The claim holds in every cell.")
  "The claim does not hold in general here."
}

outcome_table <- function(d, gp) {
  knitr::kable(outcome(d, gp), row.names = FALSE,
    col.names = c(
      paste(gp, "compared with"), "cells", "better", "by more than two standard errors", "worse by more than two"
    ))
}

say <- function(d, gp, rival) {
  o <- outcome(d, gp)
  o <- o[o$rival == rival, ]
  sprintf("better in %d of %d cells (by more than two standard errors in %d, worse by more than two in %d)",
    o$ahead, o$cells, o$clearly_ahead, o$clearly_behind)
}

# The same against one rival, by the number of landmarks.
by_number <- function(d, gp, rival) {
  d <- d[d$gp == gp & d$rival == rival, ]
  n <- sort(unique(d$n))
  in_words(sapply(n, function(n) {
    sprintf("%d of %d with %d landmarks", sum(d$difference[d$n == n] > 0), sum(d$n == n), n)
  }))
}
