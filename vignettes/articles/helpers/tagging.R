# What tagging.Rmd computes from inst/evidence/tagging.rds: tables, panels and sentences of numbers.

measures <- c(
  precision = "precision", recall = "recall", f = "F", auc = "area under ROC", map = "mean average precision"
)
colors <- c(
  "gp, trace" = "#0072B2", "gp, volume" = "#56B4E9", "gp, sequential" = "#009E73",
  active = "#D55E00", "random rows" = "gray50", "k-means" = "#E69F00", nmf = "#CC79A7",
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

outcome_table <- function(d, gp) {
  knitr::kable(outcome(d, gp), row.names = FALSE,
    col.names = c(
      paste(gp, "compared with"), "cells", "better", "better by > 2 s.e.", "worse by > 2 s.e."
    ))
}

# A sentence that compares a method with the raw data.
raw_words <- function(d, gp) {
  o <- outcome(d, gp)
  o <- o[o$rival == "raw", ]
  sprintf("*%s* is worse than the raw features by more than two standard errors in %d of %d cells, and better by as much in %s.",
    gp, o$clearly_behind, o$cells, if (o$clearly_ahead) o$clearly_ahead else "none")
}

# In how many cells methods are better than a rival, by the number of landmarks.
by_number <- function(d, gps, rival) {
  d <- d[d$gp %in% gps & d$rival == rival, ]
  better <- tapply(d$difference > 0, list(d$n, factor(d$gp, gps)), sum)
  cells <- tapply(d$difference, list(d$n, factor(d$gp, gps)), length)
  knitr::kable(data.frame(rownames(better), cells[, 1], better),
    col.names = c("landmarks", "cells", paste0(gps, ": better")), align = "rrrr", row.names = FALSE
  )
}
