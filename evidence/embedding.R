# Figure 6 of Wachinger and Golland (2015): ten million points of a Swiss roll embedded through 2,500
# landmarks, three times. Three quarters of an hour; finished parts are kept in build/evidence/ (delete them
# to start anew).
# Their Table 1 and Figure 1 are in reconstruction.R and samples.R.
# Writes inst/evidence/embedding.rds for vignettes/articles/embedding-evidence.Rmd.
source(file.path("evidence", "tools.R"))

kept <- keep_parts("embedding")

# ---- Figure 6: ten million points -----------------------------------------------------------

points <- 1e7
shown <- 1e6
neighbors <- c(25, 50, 100, 250, 500)
set.seed(1)
x <- sim_swiss_roll(points)
position <- attr(x, "position")
scored <- sample(points, 2000)
flat <- position[scored, ]

# Every draw has landmarks of its own; the pictures are of the first.
draws <- 3
draw_landmarks <- function(draw) {
  one <- function(covariance) {
    set.seed(1 + draw)
    landmarks(x, 2500, by_dpp(covariance = covariance), bandwidth = 20)
  }
  list(diagonal = one("diagonal"), full = one("full"))
}
fits <- kept("fits", draw_landmarks(1))
graphs <- rbind(
  data.frame(kind = "Euclidean", neighbors = neighbors),
  data.frame(kind = "Bhattacharyya, diagonal", neighbors = neighbors),
  data.frame(kind = "Bhattacharyya, full", neighbors = neighbors)
)

# 0 for the same shape up to shift, turn, mirror and one scale; 1 for nothing in common.
procrustes <- function(a, b) {
  unit <- function(m) {
    m <- scale(m, scale = FALSE)
    m / sqrt(sum(m^2))
  }
  1 - sum(svd(crossprod(unit(a), unit(b)))$d)^2
}
ranks <- function(a, b) abs(stats::cor(a, b, method = "spearman"))
score <- function(y) {
  length <- ranks(y, flat[, 1])
  height <- ranks(y, flat[, 2])
  tall <- which.max(height)
  data.frame(
    rank = stats::cor(stats::dist(y[, 1:2]), stats::dist(flat), method = "spearman"),
    procrustes = procrustes(y[, 1:2], flat), length = length[1], height = height[2],
    tallest = tall, height_best = height[tall], procrustes_best = procrustes(y[, unique(c(1, tall))], flat)
  )
}

# Mean length of the points in each cell of a grid, as one of 64 colors.
cells <- function(y, length, side) {
  box <- apply(y, 2, range)
  cell <- max(box[2, ] - box[1, ]) / side * (1 + 1e-9)
  size <- ceiling((box[2, ] - box[1, ]) / cell + 1e-9)
  at <- 1 + floor((y[, 1] - box[1, 1]) / cell) + size[1] * floor((y[, 2] - box[1, 2]) / cell)
  counts <- tabulate(at, prod(size))
  there <- which(counts > 0)
  # In parts, whose sums are added: millions at once are slow.
  sums <- numeric(prod(size))
  for (first in seq(1, length(at), by = 1e6)) {
    part <- first:min(first + 1e6 - 1, length(at))
    total <- rowsum(length[part], at[part], reorder = FALSE)
    where <- as.integer(rownames(total))
    sums[where] <- sums[where] + total[, 1]
  }
  shade <- round(63 * pmin(pmax(sums[there] / counts[there] / ceiling(max(position[, 1])), 0), 1))
  list(there = as.integer(there), shade = as.raw(shade), size = as.integer(size), box = box, points = nrow(y))
}
embed <- function(i, fits) {
  fit <- fits[[if (graphs$kind[i] == "Bhattacharyya, full") "full" else "diagonal"]]
  withCallingHandlers(
    embed_landmarks(fit,
      dims = 6, neighbors = graphs$neighbors[i],
      distance = if (graphs$kind[i] == "Euclidean") "euclidean" else "bhattacharyya"
    ),
    landmarker_warning_graph = function(w) print(conditionMessage(w))
  )
}
pictured <- sample(points, shown)
figure6 <- lapply(seq_len(nrow(graphs)), function(i) {
  kept(paste0("figure6-", i), {
    embedding <- embed(i, fits)
    y <- predict(embedding, x[scored, ])
    all <- predict(embedding, x[pictured, ])
    scores <- cbind(graphs[i, ], score(y))
    print(scores, row.names = FALSE, digits = 3)
    list(
      scores = scores, cells = cells(all[, 1:2], position[pictured, 1], 110),
      tall = cells(all[, c(1, scores$tallest)], position[pictured, 1], 110)
    )
  })
})
others <- lapply(setdiff(seq_len(draws), 1), function(draw) {
  kept(paste0("scores-", draw), {
    fits <- draw_landmarks(draw)
    rows <- lapply(seq_len(nrow(graphs)), function(i) {
      cbind(graphs[i, ], score(predict(embed(i, fits), x[scored, ])))
    })
    cbind(draw = draw, do.call(rbind, rows))
  })
})
scores <- rbind(cbind(draw = 1, do.call(rbind, lapply(figure6, `[[`, "scores"))), do.call(rbind, others))
print(scores, row.names = FALSE, digits = 3)
# Three of which to see the coordinate that has the height as well.
turned <- c(3, 8, 13)

# All ten million through two of the graphs.
whole <- c("Euclidean" = 3, "Bhattacharyya, diagonal" = 8)
all_points <- lapply(whole, function(i) {
  kept(paste0("all-", i), {
    embedding <- embed(i, fits)
    seconds <- elapsed(y <- predict(embedding, x))
    list(
      seconds = seconds, neighbors = graphs$neighbors[i],
      cells = cells(y[, 1:2], position[, 1], 160)
    )
  })
})
# What the Procrustes error is of the length and the height themselves where both have variance
# 1, as coordinates of an embedding have, and of the length with a coordinate that adds nothing.
standard <- c(
  both = procrustes(scale(flat), flat),
  length = procrustes(scale(cbind(flat[, 1], stats::residuals(stats::lm(flat[, 1]^2 ~ flat)))), flat)
)

save_evidence("embedding", list(
  made = provenance("a simulated Swiss roll of ten million points", seq_len(draws)),
  figure6 = list(
    scores = scores, standard = standard, points = points, shown = shown,
    landmarks = nrow(coef(fits$diagonal)), seconds = vapply(fits, function(f) f$seconds, 0),
    cells = lapply(figure6, `[[`, "cells"), tall = lapply(figure6[turned], `[[`, "tall"),
    turned = graphs[turned, ], all = all_points
  )
))
