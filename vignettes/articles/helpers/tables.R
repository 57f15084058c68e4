# Tables and sentences of evidence/tables.R.

means_by <- function(units, column) {
  tapply(units[[column]], list(factor(units$table, unique(units$table)), factor(units$model, unique(units$model))), mean)
}

# Rows of a model more: of 50 landmarks, the scale that has the smaller loss of the rows held out in learning.
with_chosen <- function(units) {
  by_scale <- units[units$model == "landmarks, 50", ]
  ranks <- units[units$model == "landmarks, 50, ranks", ]
  stopifnot(identical(paste(ranks$table, ranks$seed), paste(by_scale$table, by_scale$seed)))
  taken <- ranks$told < by_scale$told
  chosen <- by_scale
  chosen[taken, ] <- ranks[taken, ]
  chosen$seconds <- by_scale$seconds + ranks$seconds
  chosen$model <- "landmarks, 50, chosen"
  models <- unique(units$model)
  models <- append(models, "landmarks, 50, chosen", match("landmarks, 50, ranks", models))
  all <- rbind(units, chosen)
  # In the order of tables, then of models.
  all[order(match(all$table, units$table), match(all$model, models)), ]
}

tables_told <- function(t) {
  sprintf(
    "The results were computed on %s (%s): %d tables of installed packages, five splits into 70%% training and 30%% test rows, one thread. Versions: %s.",
    t$made$date, t$made$machine, length(unique(t$units$table)),
    paste(names(t$versions), t$versions, collapse = ", ")
  )
}

tables_of <- function(units, column, caption, least = FALSE) {
  m <- means_by(units, column)
  first <- units[!duplicated(units$table), ]
  shown <- t(apply(m, 1, function(v) {
    best <- if (least) min(v, na.rm = TRUE) else max(v, na.rm = TRUE)
    text <- sprintf("%.3f", v)
    text[is.na(v)] <- ""
    ifelse(!is.na(v) & abs(v - best) < 5e-4, paste0("**", text, "**"), text)
  }))
  at <- match(rownames(m), first$table)
  shown <- data.frame(data = rownames(m), rows = first$rows[at], columns = first$columns[at], shown)
  names(shown)[-(1:3)] <- colnames(m)
  knitr::kable(shown, caption = caption, align = c("l", rep("r", ncol(shown) - 1)), row.names = FALSE)
}

# Ranks among the models of each table and split.
ranks_of <- function(units) {
  units$rank <- NA_real_
  for (at in split(seq_len(nrow(units)), paste(units$table, units$seed))) {
    units$rank[at] <- rank(-units$value[at])
  }
  units
}

ranks_table <- function(units) {
  units <- ranks_of(units)
  text <- function(some) {
    by_table <- tapply(units$rank[some], list(units$table[some], units$model[some]), mean)
    mean <- colMeans(by_table, na.rm = TRUE)
    se <- apply(by_table, 2, function(v) stats::sd(v, na.rm = TRUE) / sqrt(sum(!is.na(v))))
    stats::setNames(sprintf("%.1f (%.1f)", mean, se), names(mean))
  }
  models <- unique(units$model)
  all <- text(rep(TRUE, nrow(units)))
  numbers <- text(is.na(units$classes))
  classes <- text(!is.na(units$classes))
  order <- order(as.numeric(sub(" .*", "", all[models])))
  knitr::kable(data.frame(
    model = models, all = all[models], regression = numbers[models], classification = classes[models]
  )[order, ], caption = "Mean ranks, with standard errors over data sets", row.names = FALSE, align = "lrrr")
}

# 50 landmarks, their scale chosen, beside the best rival of each table, split by split: a row for each table.
beside_best <- function(units, own = "landmarks, 50, chosen") {
  m <- means_by(units, "value")
  rivals <- m[, !startsWith(colnames(m), "landmarks"), drop = FALSE]
  best <- colnames(rivals)[apply(rivals, 1, which.max)]
  of <- function(table, model) {
    some <- units[units$table == table & units$model == model, ]
    some$value[order(some$seed)]
  }
  d <- vapply(seq_along(best), function(i) {
    mean_se(of(rownames(m)[i], own) - of(rownames(m)[i], best[i]))
  }, c(mean = 0, se = 0))
  clear <- sign(d["mean", ]) * (abs(d["mean", ]) > 2 * d["se", ])
  data.frame(
    table = rownames(m), rival = best, mean = d["mean", ], outcome = c("behind", "open", "ahead")[2 + clear]
  )
}
tables_words <- function(units) {
  b <- beside_best(units)
  named <- function(outcome) {
    some <- b[b$outcome == outcome, ]
    some <- some[order(-abs(some$mean)), ]
    if (nrow(some) == 0) return("none")
    in_words(sprintf("*%s* (%+.3f, %s)", some$table, some$mean, some$rival))
  }
  sprintf(
    paste(
      "Compared with the best other model of each data set, 50 landmarks with the scaling chosen on held-out rows are",
      "better by more than two standard errors over the splits on %d of %d data sets: %s. They are worse by more than two",
      "standard errors on %d: %s. (Differences are in accuracy or R2. The best other model is selected by the same splits,",
      "which favors it. *+ 100* denotes 100 additional columns of noise.)"
    ), sum(b$outcome == "ahead"), nrow(b), named("ahead"), sum(b$outcome == "behind"), named("behind")
  )
}

intervals_table <- function(units, caption) {
  some <- units[is.na(units$classes) & !is.na(units$coverage), ]
  cover <- means_by(some, "coverage")
  width <- means_by(some, "width")
  text <- matrix(sprintf("%.3f / %.2f", cover, width), nrow(cover))
  text[is.na(cover)] <- ""
  shown <- data.frame(data = rownames(cover), text)
  names(shown)[-1] <- colnames(cover)
  knitr::kable(shown, align = c("l", rep("r", ncol(text))), row.names = FALSE, caption = caption)
}

costs_of_models <- function(units, caption) {
  median_of <- function(v) tapply(v, factor(units$model, unique(units$model)), stats::median)
  knitr::kable(data.frame(
    model = unique(units$model), seconds = signif(as.numeric(median_of(units$seconds)), 2),
    kB = round(as.numeric(median_of(units$bytes)) / 1024)
  ), align = "lrr", row.names = FALSE, caption = caption)
}
