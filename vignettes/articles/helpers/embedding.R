# What embedding-evidence.Rmd computes from inst/evidence: tables and sentences of numbers. See common.R, too.

number_se <- function(v) {
  m <- mean_se(v)
  sprintf("%.2f (%.2f)", m[["mean"]], m[["se"]])
}

# --- Table 1: errors of Nystrom's approximation ---
# For each kind of data an array: numbers of landmarks x methods x runs.

rivals <- c("uniform rows", "k-means++ seeding", "k-means from uniform", "k-means from k-means++")

# The DPP with the number of neighbors that the paper has for such data.
dpp_of <- function(e, data) paste0("DPP, m = ", e$neighbors[[data]])

error_means <- function(e) lapply(e$table1, function(t) apply(t$errors, 1:2, mean, na.rm = TRUE))

# "mean (standard error)", with more digits for small errors.
error_text <- function(m, s, plus = "") {
  wide <- abs(m) >= 100 | s >= 5
  ifelse(wide, sprintf(paste0("%", plus, ".1f (%.1f)"), m, s),
    ifelse(abs(m) >= 1 | s >= 0.05, sprintf(paste0("%", plus, ".2f (%.2f)"), m, s),
      sprintf(paste0("%", plus, ".1e (%.0e)"), m, s)))
}

titled <- function(title, table) {
  cat("\n\n", "**", title, "**", "\n\n", sep = "")
  print(knitr::kable(table, row.names = FALSE, align = c("l", rep("r", ncol(table) - 1))))
}

print_errors <- function(e) {
  for (data in names(e$table1)) {
    m <- error_means(e)[[data]]
    s <- apply(e$table1[[data]]$errors, 1:2, function(v) mean_se(v)[["se"]])
    shown <- sapply(seq_along(e$sizes), function(i) {
      text <- error_text(m[i, ], s[i, ])
      best <- which.min(m[i, ])
      text[best] <- paste0("**", text[best], "**")
      text
    })
    colnames(shown) <- e$sizes
    titled(data, cbind(method = colnames(m), shown))
  }
}

plot_errors <- function(e) {
  lines_of <- c(
    "k-means++ seeding", "DPP", "exact k-DPP", "active learning", "k-means from k-means++",
    "gp, volume", "gp, trace"
  )
  colors <- c("#999999", "#0072B2", "#56B4E9", "#E69F00", "#009E73", "#CC79A7", "#D55E00")
  layout(rbind(1:2, 3:4, 5), heights = c(1, 1, 0.35))
  par(mar = c(4, 4.5, 2, 1))
  for (data in names(e$table1)) {
    m <- error_means(e)[[data]]
    ratio <- cbind(m, DPP = m[, dpp_of(e, data)])[, lines_of] / m[, "uniform rows"]
    matplot(e$sizes, ratio,
      type = "o", pch = 16, lty = 1, lwd = 1.5, col = colors, xaxt = "n", yaxt = "n", las = 1, bty = "l",
      log = "y", xlab = "landmarks", ylab = "", main = data
    )
    if (max(ratio) / min(ratio) > 1000) {
      power <- seq(-8, 8, 2)
      axis(2, 10^power, parse(text = ifelse(power == 0, "1", paste0("10^", power))), las = 1)
    } else {
      at <- c(0.1, 0.2, 0.5, 1, 2, if (max(ratio) / min(ratio) < 4) seq(0.4, 1.3, 0.1))
      axis(2, at, las = 1)
    }
    axis(1, e$sizes)
    abline(h = 1, lty = 3)
  }
  key_below("method", lines_of, colors, rep(16, length(lines_of)), 4)
}

# A legend in a strip of its own, as the next panel.
key_below <- function(title, labels, colors, shapes, columns) {
  par(mar = rep(0, 4))
  plot.new()
  legend("center", labels,
    title = title, col = colors, pch = shapes, lwd = 1.5, bty = "n", ncol = columns, cex = 1
  )
}

# The error of `rival` minus that of `reference`, a row for each number of landmarks: mean and se over runs.
error_difference <- function(e, data, rival, reference) {
  errors <- e$table1[[data]]$errors
  t(apply(errors[, rival, ] - errors[, reference, ], 1, mean_se))
}

# Of 1,000: where two methods are both below this, the kernel is reproduced, and no difference counts.
negligible <- 0.01

# For each number of landmarks 1 where `reference` is below `rival` by two standard errors, -1 where it is above.
clear_difference <- function(e, data, rival, reference) {
  d <- error_difference(e, data, rival, reference)
  means <- apply(e$table1[[data]]$errors[, c(rival, reference), ], 1:2, mean, na.rm = TRUE)
  counts <- rowSums(means >= negligible) > 0
  unname(sign(d[, "mean"]) * (counts & abs(d[, "mean"]) > 2 * d[, "se"]))
}

# Rival minus DPP in each cell (data x number of landmarks); "less": the DPP is clearly below.
outcomes_of <- function(e) {
  do.call(rbind, lapply(c(rivals, "active learning", "exact k-DPP", "gp, trace"), function(rival) {
    do.call(rbind, lapply(names(e$table1), function(data) {
      d <- error_difference(e, data, rival, dpp_of(e, data))
      data.frame(data = data, rival = rival, n = e$sizes, mean = d[, "mean"], se = d[, "se"],
        outcome = c("more", "same", "less")[2 + clear_difference(e, data, rival, dpp_of(e, data))])
    }))
  }))
}

# "12 / 3 / 1": cells where the DPP is below, is about equal, is above.
counts_of <- function(outcome) {
  paste(sum(outcome == "less"), sum(outcome == "same"), sum(outcome == "more"), sep = " / ")
}

counts_table <- function(outcomes) {
  datasets <- unique(outcomes$data)
  of <- unique(outcomes$rival)
  counts <- sapply(datasets, function(data) {
    sapply(of, function(rival) counts_of(outcomes$outcome[outcomes$data == data & outcomes$rival == rival]))
  })
  all_cells <- sapply(of, function(rival) counts_of(outcomes$outcome[outcomes$rival == rival]))
  knitr::kable(cbind(`DPP against` = of, counts, all = all_cells), row.names = FALSE,
    align = c("l", rep("r", length(datasets) + 1)))
}

print_differences <- function(e, outcomes) {
  for (data in names(e$table1)) {
    o <- outcomes[outcomes$data == data, ]
    shown <- matrix(error_text(o$mean, o$se, "+"), ncol = length(e$sizes), byrow = TRUE,
      dimnames = list(NULL, e$sizes))
    titled(paste0(data, ", ", dpp_of(e, data)), cbind(rival = unique(o$rival), shown))
  }
}

# Cells where method `a` is clearly below method `b`.
cells_below <- function(e, a, b) {
  sum(sapply(names(e$table1), function(data) sum(clear_difference(e, data, b, a) > 0)))
}

# --- Figure 1: samples of a roll ---

plot_samples <- function(f1) {
  op <- par(mfrow = c(2, 2), mar = c(3.2, 2.5, 1.6, 0.5), mgp = c(1.9, 0.6, 0))
  on.exit(par(op))
  for (way in names(f1$samples)) {
    plot(f1$samples[[way]],
      yaxt = "n", asp = 1, pch = 16, cex = 0.7, col = "#0072B2", las = 1, main = way, ylab = "", bty = "n",
      xlab = "length along the roll", xlim = c(0, 90), ylim = c(0, 21), cex.main = 1
    )
    axis(2, c(0, 10, 20), las = 1)
    rect(0, 0, f1$flat[1], f1$flat[2], border = "gray70")
  }
}

# One measure of one method at one sigma, as text; and the difference of two methods, run by run.
sample_measure <- function(f1, way, measure, sigma) {
  number_se(f1$measures[[as.character(sigma)]][measure, way, ])
}
sample_difference <- function(f1, measure, a, b, sigma) {
  m <- f1$measures[[as.character(sigma)]]
  v <- mean_se(m[measure, a, ] - m[measure, b, ])
  sprintf("%+.2f (%.2f)", v[["mean"]], v[["se"]])
}

samples_table <- function(f1) {
  rows <- expand.grid(method = names(f1$samples), sigma = f1$sigmas, stringsAsFactors = FALSE)
  shown <- data.frame(sigma = rows$sigma, method = rows$method)
  labels <- c(mean = "to the next", hole = "hole", inner = "inner third")
  for (measure in names(labels)) {
    shown[[labels[[measure]]]] <- mapply(sample_measure, list(f1), rows$method, measure, rows$sigma)
  }
  knitr::kable(shown, row.names = FALSE, align = "rlrrr")
}

# --- Figure 6: ten million points ---

# A picture of cells: the color is the shade of the points in each.
picture <- function(cells, ...) {
  shades <- colorRampPalette(c(
    "#440154", "#482878", "#3E4989", "#31688E", "#26828E", "#1F9E89", "#35B779", "#6DCD59", "#B4DE2C",
    "#FDE725"
  ))(64)
  grid <- matrix(NA_character_, cells$size[2], cells$size[1])
  # The cells are counted along the first coordinate from the bottom up.
  column <- (cells$there - 1) %% cells$size[1] + 1
  row <- (cells$there - 1) %/% cells$size[1] + 1
  grid[cbind(cells$size[2] + 1 - row, column)] <- shades[1 + as.integer(cells$shade)]
  plot(cells$box, type = "n", asp = 1, axes = FALSE, ...)
  cell <- max(cells$box[2, ] - cells$box[1, ]) / max(cells$size)
  to <- cells$box[1, ] + cell * cells$size
  rasterImage(as.raster(grid), cells$box[1, 1], cells$box[1, 2], to[1], to[2], interpolate = FALSE)
  box(col = "gray80")
}

# The mean over draws of one measure for a kind of graph, by the number of neighbors.
mean_score <- function(f6, measure, kind) {
  s <- f6$scores[f6$scores$kind == kind, ]
  sapply(unique(s$neighbors), function(n) mean(s[[measure]][s$neighbors == n]))
}

scores_table <- function(f6) {
  s <- f6$scores[f6$scores$draw == 1, ]
  column <- function(measure) {
    mapply(function(kind, n) {
      number_se(f6$scores[[measure]][f6$scores$kind == kind & f6$scores$neighbors == n])
    }, s$kind, s$neighbors)
  }
  knitr::kable(data.frame(
    graph = s$kind, neighbors = s$neighbors, distances = column("rank"), Procrustes = column("procrustes"),
    `1 with length` = column("length"), `2 with height` = column("height"),
    `height at best` = column("height_best"), check.names = FALSE
  ), row.names = FALSE, align = "lrrrrrr")
}

plot_scores <- function(f6) {
  kinds <- unique(f6$scores$kind)
  neighbors <- unique(f6$scores$neighbors)
  paint <- c("#D55E00", "#56B4E9", "#0072B2")
  op <- par(mfrow = c(1, 2), mar = c(4, 4.2, 1.5, 1))
  on.exit(par(op))
  for (measure in c("rank", "length")) {
    lines <- sapply(kinds, mean_score, f6 = f6, measure = measure)
    matplot(neighbors, lines,
      type = "o", pch = c(16, 17, 15), lty = 1, lwd = 1.5, col = paint, log = "x", xaxt = "n", las = 1,
      bty = "l", ylim = c(0, 1), xlab = "neighbors", cex.lab = 0.9,
      ylab = if (measure == "rank") "distances: rank correlation" else "coordinate 1 with length"
    )
    axis(1, neighbors)
    if (measure == "rank") {
      legend("bottomleft", kinds, title = "graph", col = paint, pch = c(16, 17, 15), lwd = 1.5, bty = "n", cex = 0.8)
    }
  }
}

# --- Figure 7a: digits; accuracies by method, number of landmarks and repetition ---

methods_of <- function(d) unique(as.character(d$method))
numbers_of <- function(d) sort(unique(d$n))

# A statistic of each cell, methods x numbers of landmarks, in per cent.
accuracy_of <- function(d, f, methods = methods_of(d), numbers = numbers_of(d)) {
  cells <- sapply(numbers, function(n) {
    sapply(methods, function(m) f(100 * d$accuracy[d$method == m & d$n == n]))
  })
  matrix(cells, length(methods), dimnames = list(methods, numbers))
}

accuracy_table <- function(d) {
  text <- accuracy_of(d, number_se)
  knitr::kable(cbind(method = rownames(text), text), row.names = FALSE,
    align = c("l", rep("r", ncol(text))))
}

# A method minus the DPP, seed by seed, in points.
gap_table <- function(d) {
  others <- setdiff(methods_of(d), "DPP")
  text <- sapply(numbers_of(d), function(n) {
    sapply(others, function(m) {
      both <- merge(d[d$method == m & d$n == n, ], d[d$method == "DPP" & d$n == n, ], by = "repetition")
      v <- mean_se(100 * (both$accuracy.x - both$accuracy.y))
      sprintf("%+.2f (%.2f)", v[["mean"]], v[["se"]])
    })
  })
  colnames(text) <- numbers_of(d)
  knitr::kable(cbind(`against the DPP` = others, text), row.names = FALSE,
    align = c("l", rep("r", ncol(text))))
}

# At how many numbers of landmarks the mean of each of these methods is above the mean of the next.
in_this_order <- function(d, methods = c("DPP", "k-means++ seeding", "uniform")) {
  means <- accuracy_of(d, mean, methods)
  sprintf("%d of %d", sum(apply(means, 2, function(v) all(diff(v) < 0))), ncol(means))
}

plot_accuracy <- function(d, methods, colors, shapes, main) {
  ns <- numbers_of(d)
  means <- t(accuracy_of(d, mean, methods))
  se <- t(accuracy_of(d, function(v) mean_se(v)[["se"]], methods))
  range <- range(means - se, means + se)
  matplot(ns, means,
    type = "o", lty = 1, lwd = 1.5, pch = shapes, col = colors, las = 1, bty = "l", xaxt = "n", log = "x",
    main = main, cex.main = 1, xlab = "number of landmarks", ylab = "accuracy, %",
    ylim = range
  )
  axis(1, ns)
  for (k in seq_along(methods)) segments(ns, means[, k] - se[, k], ns, means[, k] + se[, k], col = colors[k])
}

plot_accuracies <- function(g) {
  methods <- methods_of(g$scores)
  colors <- c("#0072B2", "#E69F00", "#56B4E9", "#D55E00", "#CC79A7", "#009E73", "gray50", "black")
  colors <- rep(colors, length.out = length(methods))
  shapes <- rep(c(16, 17, 15, 18, 8, 3, 4, 1), length.out = length(methods))
  layout(rbind(1:2, 3), heights = c(1, 0.22))
  par(mar = c(4, 4.5, 2, 1))
  plot_accuracy(g$scores, methods, colors, shapes, "complete graph")
  plot_accuracy(g$sparse, methods, colors, shapes, "ten neighbors")
  key_below("method", methods, colors, shapes, 3)
}

# --- both graphs ---
# Mean rank correlations of coordinate 1 with the length of the roll, with the smallest in parentheses: a row for
# each graph, a column for each number of landmarks.

graph_names <- c(
  data = "through the data (default)", fewest = "smallest connected", "25" = "25 nearest", "50" = "50 nearest",
  "100" = "100 nearest", "250" = "250 nearest", "500" = "500 nearest",
  "Bhattacharyya, 25" = "Bhattacharyya, 25", "Bhattacharyya, 100" = "Bhattacharyya, 100"
)

followed_table <- function(g, method, noise, measure = "length") {
  d <- g$rolls[g$rolls$method == method & g$rolls$noise == noise, ]
  text <- tapply(d[[measure]], list(factor(d$graph, names(graph_names)), d$n), function(v) {
    sprintf("%.2f (%.2f)", mean(v, na.rm = TRUE), min(v, na.rm = TRUE))
  })
  text <- text[rowSums(!is.na(text)) > 0, , drop = FALSE]
  text[is.na(text)] <- ""
  knitr::kable(data.frame(graph = graph_names[rownames(text)], text, check.names = FALSE, row.names = NULL))
}

# The mean of one cell.
followed <- function(g, graph, n, method = "gp", noise = 0, measure = "length") {
  d <- g$rolls
  sprintf("%.2f", mean(d[[measure]][d$graph == graph & d$n == n & d$method == method & d$noise == noise]))
}

circles_table <- function(g) {
  counts <- tapply(g$turntables$circle, list(g$turntables$method, g$turntables$graph), sum)
  knitr::kable(data.frame(method = rownames(counts), counts, check.names = FALSE, row.names = NULL),
    col.names = c("method", graph_names[colnames(counts)])
  )
}
