# Tables and pictures of evidence/response.R.

response_colors <- c(
  response = "#D55E00", default = "#0072B2", "k-means" = "#009E73", random = "gray50",
  linear = "gray30", "support vectors" = "#CC79A7", "random forest" = "#E69F00"
)

# A panel for each set of data.
plot_response <- function(cells) {
  old <- par(mar = c(3.6, 5, 2, 0.5), mgp = c(2.4, 0.7, 0), las = 1)
  on.exit(par(old))
  layout(rbind(1:2, 3:4, 5:6, 7), heights = c(1, 1, 1, 0.3))
  for (set in unique(cells$set)) {
    d <- cells[cells$set == set, ]
    d$method <- factor(d$method, names(response_colors))
    accuracy <- max(d$score) <= 1 && set != "diamonds"
    mean_of <- tapply(d$score, list(d$method, d$n), mean)
    flat <- tapply(d$score[is.na(d$n)], d$method[is.na(d$n)], mean)
    plot(NA,
      xlim = range(d$n, na.rm = TRUE), ylim = range(mean_of[!is.na(mean_of)], flat, na.rm = TRUE),
      log = "x", xaxt = "n", bty = "l", main = set, xlab = "landmarks",
      ylab = ""
    )
    title(ylab = if (accuracy) "accuracy" else "mean squared error", line = 3.8)
    n <- as.numeric(colnames(mean_of))
    axis(1, n)
    for (m in levels(d$method)) {
      if (any(!is.na(mean_of[m, ]))) {
        lines(n, mean_of[m, ], type = "o", pch = 16, col = response_colors[[m]], lwd = 1.5)
      } else if (isTRUE(!is.na(flat[m]))) {
        abline(h = flat[m], lty = 2, col = response_colors[[m]], lwd = 1.5)
      }
    }
  }
  par(mar = rep(0, 4))
  plot.new()
  legend("center", names(response_colors),
    title = "model", col = response_colors, lty = rep(c(1, 2), c(4, 3)), pch = rep(c(16, NA), c(4, 3)),
    bty = "n", ncol = 4, cex = 1.1
  )
}

# "mean (se)" with so many digits.
mean_text <- function(v, digits) {
  v <- v[!is.na(v)]
  if (length(v) == 0) return("")
  if (length(v) == 1) return(sprintf("%.*f", digits, v))
  m <- mean_se(v)
  sprintf("%.*f (%.*f)", digits, m[["mean"]], digits, m[["se"]])
}

# Digits of the scores of a set: squared errors above 2 have one.
score_digits <- function(d) if (max(d$score) > 2) 1 else 4

response_table <- function(cells, n = c(25, 100)) {
  rows <- expand.grid(n = n, set = unique(cells$set), stringsAsFactors = FALSE)
  text <- function(method, column) {
    mapply(function(set, n) {
      d <- cells[cells$set == set & cells$method == method & cells$n %in% n, ]
      mean_text(d[[column]], score_digits(d))
    }, rows$set, rows$n)
  }
  methods <- c("response", "default", "k-means", "random")
  out <- data.frame(
    set = rows$set, n = rows$n, own = text("response", "own"), lapply(methods, text, column = "score")
  )
  knitr::kable(out, col.names = c("", "n", "own", methods), align = "lrrrrrr", row.names = FALSE)
}

# The models beside them, a row for each set.
rivals_table <- function(cells) {
  rivals <- intersect(c("linear", "support vectors", "random forest"), cells$method)
  sets <- unique(cells$set)
  text <- lapply(rivals, function(method) {
    vapply(sets, function(set) {
      d <- cells[cells$set == set, ]
      mean_text(d$score[d$method == method], score_digits(d))
    }, "")
  })
  knitr::kable(data.frame(sets, text), col.names = c("", rivals), align = "lrrr", row.names = FALSE)
}

# Which models learned from a part of the 50,000 images, the largest set of rows.
some_rows <- function(most_rows) {
  part <- most_rows[most_rows < 50000]
  if (length(part) == 0) return("All models were fitted to all training rows.")
  sprintf(
    "Some models were fitted to a random subset of the training rows: %s. All others were fitted to all training rows.",
    in_words(sprintf("%s (at most %s rows)", names(part), format(part, big.mark = ",", trim = TRUE)))
  )
}

two_digits <- function(v) format(signif(v, 2), big.mark = ",", scientific = FALSE, drop0trailing = TRUE)

# Seconds to learn, and seconds and bytes to predict a million rows, of the first set.
cost_table <- function(cells) {
  d <- cells[cells$set == cells$set[1] & (is.na(cells$n) | cells$n == 100), ]
  each <- split(d, factor(d$method, intersect(names(response_colors), d$method)))
  knitr::kable(data.frame(
    model = ifelse(vapply(each, function(e) is.na(e$n[1]), NA), names(each), paste0("100 landmarks, ", names(each))),
    learn = vapply(each, function(e) two_digits(mean(e$seconds)), ""),
    predict = vapply(each, function(e) two_digits(mean(e$predict)), ""),
    size = vapply(each, function(e) sprintf("%.2f", mean(e$bytes) / 1e6), "")
  ), col.names = c("", "seconds to fit", "seconds to predict a million rows", "size in MB"),
  align = "lrrr", row.names = FALSE)
}
