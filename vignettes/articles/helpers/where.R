# Tables and sentences of the page on where landmarks help: of results of evidence/*.R.

# Means over seeds, a row for each method and a column for each of `by`.
means_of <- function(units, score, by) {
  tapply(units[[score]], list(factor(units$method, unique(units$method)), by), mean)
}

# A matrix of means as a table, the best of each column in bold.
best_table <- function(m, digits, least = FALSE, ...) {
  shown <- apply(m, 2, function(v) {
    best <- if (least) min(v, na.rm = TRUE) else max(v, na.rm = TRUE)
    text <- formatC(v, digits = digits, format = "f", big.mark = ",")
    text[is.na(v)] <- ""
    ifelse(!is.na(v) & abs(v - best) < 0.5 * 10^-digits, paste0("**", text, "**"), text)
  })
  rownames(shown) <- rownames(m)
  knitr::kable(shown, align = "r", ...)
}

# In how many cells (`by`) one method is above another by two standard errors over seeds, and below:
# "3 (worse in 1)".
clearly <- function(units, score, by, a, b) {
  d <- vapply(split(units, by, drop = TRUE), function(u) {
    of <- function(m) u[[score]][u$method == m][order(u$seed[u$method == m])]
    v <- mean_se(of(a) - of(b))
    v[["mean"]] / v[["se"]]
  }, 0)
  d <- d[!is.na(d)]
  sprintf("%d (worse in %d)", sum(d > 2), sum(d < -2))
}

# In how many columns the first row is above the second, of how many.
beside <- function(m, a, b, least = FALSE) {
  d <- (m[a, ] - m[b, ]) * (if (least) -1 else 1)
  d <- d[!is.na(d)]
  c(better = sum(d > 0), of = length(d))
}

# When and where the results of a page were computed.
computed_on <- function(...) {
  made <- Filter(length, lapply(list(...), `[[`, "made"))
  each <- function(what) sort(unique(vapply(made, function(m) paste(m[[what]]), "")))
  sprintf("The results were computed on %s (%s).", in_words(each("date")), paste(each("machine"), collapse = "; "))
}

# Mean ranks of 50 landmarks, their scale chosen, and of their rivals among each other.
rival_ranks <- function(units, own = "landmarks, 50, chosen") {
  ranked <- ranks_of(units[units$model == own | !startsWith(units$model, "landmarks"), ])
  by_table <- tapply(ranked$rank, list(ranked$table, ranked$model), mean)
  sort(colMeans(by_table, na.rm = TRUE))
}

# A regression on features of landmarks beside a penalized linear model on the data themselves.
features_words <- function(cells, n = 200) {
  mean_of <- function(some) tapply(cells$score[some], cells$set[some], mean)
  features <- mean_of(cells$method == "default" & cells$n %in% n)
  linear <- mean_of(cells$method == "linear")[names(features)]
  # Squared errors of numbers, accuracy of classes.
  better <- ifelse(names(features) %in% c("Boston", "diamonds"), features < linear, features > linear)
  sprintf(
    paste(
      "With %d landmarks of the default method, such a model is better than a penalized linear model on the data",
      "themselves on %d of %d data sets (test accuracy on MNIST %.1f%%, and %.1f%% on the pixels)."
    ), n, sum(better), length(better), 100 * features[["MNIST"]], 100 * linear[["MNIST"]]
  )
}
