# Sketches of simulated cells with rare types: how much of the rare types is kept, and how far a cell is from
# the nearest kept cell. Ten minutes; finished parts are kept in build/evidence/ (delete them to start anew).
# Writes inst/evidence/cells.rds, whose table is in vignettes/articles/where.Rmd.
source(file.path("evidence", "tools.R"))

kept <- keep_parts("cells")

cells <- 20000
genes <- 2000
types <- 20
markers <- 50
seeds <- 1:5
sizes <- c(200, 1000)
# Each type has the same part of the one before it: from 26 % to 0.09 %.
shares <- proportions(300^-seq(0, 1, length.out = types))
rare <- which(shares < 0.005)

# Counts of a Poisson law. Each type has a few genes of its own that are raised, by a factor of its own.
simulate <- function(seed) {
  set.seed(seed)
  type <- sample(types, cells, TRUE, shares)
  base <- exp(stats::rnorm(genes, -1.5, 1.2))
  rate <- matrix(base, genes, types)
  for (t in seq_len(types)) {
    up <- sample(genes, markers)
    rate[up, t] <- rate[up, t] * exp(stats::rnorm(markers, 2, 0.5)) + 1
  }
  depth <- exp(stats::rnorm(cells, 0, 0.35))
  counts <- do.call(rbind, lapply(split(seq_len(cells), (seq_len(cells) - 1) %/% 2000), function(rows) {
    mean <- t(rate[, type[rows]]) * depth[rows]
    Matrix::Matrix(matrix(stats::rpois(length(mean), mean), length(rows)), sparse = TRUE)
  }))
  total <- Matrix::rowSums(counts)
  normal <- log1p(counts / total * stats::median(total))
  parts <- RSpectra::svds(normal, 20, opts = list(center = TRUE))
  list(pcs = parts$u %*% diag(parts$d), leverage = rowSums(parts$u^2), type = type)
}

# One row of each box of a grid, as geometric sketching does: the largest boxes of which at least `size` have
# cells.
by_grid <- function(x, size) {
  box <- function(width) {
    apply(floor(sweep(x, 2, apply(x, 2, min)) / width), 1, paste, collapse = " ")
  }
  low <- 0
  high <- max(apply(x, 2, function(v) diff(range(v))))
  for (i in 1:25) {
    width <- (low + high) / 2
    if (length(unique(box(width))) >= size) low <- width else high <- width
  }
  boxes <- split(seq_len(nrow(x)), box(low))
  some <- boxes[sample(length(boxes), size)]
  unname(vapply(some, function(rows) rows[sample.int(length(rows), 1)], 0L))
}

# The next row is the one that is farthest from those before it.
farthest_first <- function(x, size, rows = sample.int(nrow(x), 1)) {
  apart <- rep(Inf, nrow(x))
  for (row in rows) apart <- pmin(apart, colSums((t(x) - x[row, ])^2))
  while (length(rows) < size) {
    rows <- c(rows, which.max(apart))
    apart <- pmin(apart, colSums((t(x) - x[rows[length(rows)], ])^2))
  }
  rows
}

# After each landmark's nearest row, the landmarks' next nearest rows.
next_nearest <- function(fit, x, size) {
  near <- matrix(nearest_observations(fit, x, k = 40)$observation, nrow = 40)
  rows <- sketch_rows(fit, x)
  for (row in as.vector(t(near))) {
    if (length(rows) == size) break
    if (!row %in% rows) rows <- c(rows, row)
  }
  rows
}

sketches <- function(size) {
  rows_of <- function(method) function(x, data) landmarks(x, size, method, scale = FALSE)$rows
  sketch_of <- function(n, method, use = sketch_rows) {
    function(x, data) use(landmarks(x, n, method, scale = FALSE), x, size)
  }
  few <- size / 5
  list(
    "uniform" = rows_of("random"),
    "leverage scores" = function(x, data) sample.int(cells, size, prob = data$leverage),
    "grid" = function(x, data) by_grid(x, size),
    "farthest first" = function(x, data) farthest_first(x, size),
    "by_dpp()" = rows_of("dpp"), "by_active()" = rows_of("active"),
    "k-means" = sketch_of(size, "kmeans"), "all gp" = sketch_of(size, "gp"),
    "few gp, next nearest" = sketch_of(few, "gp", next_nearest),
    "few gp, farthest" = sketch_of(few, "gp", function(fit, x, size) {
      farthest_first(x, size, sketch_rows(fit, x))
    }),
    "few gp" = sketch_of(few, "gp")
  )
}

measure <- function(data, rows) {
  apart <- rep(Inf, cells)
  for (row in rows) apart <- pmin(apart, colSums((t(data$pcs) - data$pcs[row, ])^2))
  of_rare <- data$type %in% rare
  each <- tabulate(data$type[rows], types)
  c(
    rows = length(unique(rows)), kept = mean(which(of_rare) %in% rows), types = sum(each > 0),
    rarest = each[types], quantile = unname(sqrt(stats::quantile(apart, 0.99))), largest = sqrt(max(apart))
  )
}

labels <- c(
  "uniform" = "uniform draws", "leverage scores" = "leverage scores", "grid" = "grid",
  "farthest first" = "farthest row first", "by_dpp()" = "by_dpp()", "by_active()" = "by_active()",
  "k-means" = "sketch_rows(), by_kmeans()", "all gp" = "sketch_rows(), by_gp()",
  "few gp, next nearest" = "a fifth by_gp(), next nearest", "few gp, farthest" = "a fifth by_gp(), farthest",
  "few gp" = "sketch_rows(), a fifth by_gp()"
)
found <- lapply(stats::setNames(nm = sizes), function(size) {
  lapply(seeds, function(seed) {
    kept(paste(size, seed, sep = "-"), {
      data <- kept(paste0("data-", seed), simulate(seed))
      vapply(sketches(size), function(sketch) {
        set.seed(1000 + seed)
        measure(data, suppressMessages(suppressWarnings(sketch(data$pcs, data))))
      }, numeric(6))
    })
  })
})
means <- lapply(found, function(runs) t(apply(simplify2array(runs), 1:2, mean)))
for (size in names(means)) {
  cat(size, "of", cells, "cells\n")
  print(signif(means[[size]], 3))
}
save_evidence("cells", list(
  made = provenance(sprintf("%d simulated cells of %d types", cells, types), seeds), cells = cells,
  labels = labels, sizes = sizes, shares = shares, rare = rare, means = means, runs = found
))
