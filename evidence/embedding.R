# Wachinger and Golland (2015) again: their Table 1 (what landmarks leave of a kernel), Figure 1
# (samples of an unrolled Swiss roll) and Figure 6 (ten million points embedded). Three quarters
# of an hour; finished parts are kept in build/evidence/ (delete them to start anew).
# Writes inst/evidence/embedding.rds for vignettes/embedding.Rmd.
source(file.path("evidence", "tools.R"))

kept <- keep_parts("embedding")

# ---- Table 1: what is left of the kernel -----------------------------------------------

# The exact process, which takes longest, in the first ten runs.
exact_runs <- 10
sizes <- c(25, 50, 75, 100)
samples <- list(
  "Swiss roll" = function() sim_swiss_roll(1000),
  "Swiss roll, a fifth" = function() sim_swiss_roll(1000, scale = 0.2),
  "fish bowl, radius 5" = function() 5 * sim_fish_bowl(1000),
  "fish bowl" = function() sim_fish_bowl(1000)
)
# Runs, in blocks of ten.
runs <- c("Swiss roll" = 50, "Swiss roll, a fifth" = 50, "fish bowl, radius 5" = 50, "fish bowl" = 50)
# Of these the first m landmarks are what asking for m gives.
nested <- list(
  "uniform rows" = by_random(), "k-means++ seeding" = by_kmeans(iterations = 0),
  "DPP, m = 30" = by_dpp(30, sigma = 1), "DPP, m = 150" = by_dpp(150, sigma = 1),
  "DPP, m = 150, sin2" = by_dpp(150, "sin2", sigma = 1),
  "active learning" = by_active(), "active, random pivots" = by_active(pivot = "random")
)
each <- list(
  "k-means" = by_kmeans("uniform"), "k-means++" = by_kmeans(), "DPP, defaults" = by_dpp(),
  "exact k-DPP" = by_dpp_exact(sigma = 1),
  "gp, volume" = by_gp(), "gp, trace" = by_gp(criterion = "trace")
)
methods <- names(c(nested, each))

# sizes x methods: the errors of one run, and how many landmarks there were (fewer than asked
# for where the kernel's rank is used up).
one_run <- function(run, sample) {
  set.seed(run)
  x <- sample()
  errors <- found <- matrix(NA_real_, length(sizes), length(methods), dimnames = list(sizes, methods))
  for (name in methods) {
    if (name == "exact k-DPP" && run > exact_runs) next
    # Each method's draws are its own, whatever those before it drew.
    set.seed(1000 * match(name, methods) + run)
    asked <- if (name %in% names(nested)) max(sizes) else sizes
    fits <- lapply(asked, function(n) {
      withCallingHandlers(landmarks(x, n, c(nested, each)[[name]], bandwidth = 2),
        landmarker_warning = function(w) invokeRestart("muffleWarning")
      )
    })
    for (i in seq_along(sizes)) {
      fit <- fits[[min(i, length(fits))]]
      found[i, name] <- min(sizes[i], nrow(coef(fit)))
      errors[i, name] <- reconstruction_error(fit, x, sigma = 1, m = found[i, name])
    }
  }
  list(errors = errors, found = found)
}
run_block <- function(data, block) {
  kept(gsub("[^a-z0-9]+", "-", paste("table1", tolower(data), block)), {
    spare <- options(landmarker.threads = 1)
    done <- lapply(10 * (block - 1) + 1:10, one_run, sample = samples[[data]])
    options(spare)
    list(
      errors = simplify2array(lapply(done, `[[`, "errors")),
      found = simplify2array(lapply(done, `[[`, "found"))
    )
  })
}
table1 <- lapply(stats::setNames(nm = names(samples)), function(data) {
  blocks <- lapply(seq_len(runs[[data]] / 10), run_block, data = data)
  joined <- function(part) {
    array(unlist(lapply(blocks, `[[`, part)), c(length(sizes), length(methods), runs[[data]]))
  }
  errors <- joined("errors")
  dimnames(errors) <- list(sizes, methods, NULL)
  print(signif(apply(errors, 2:1, mean, na.rm = TRUE), 4))
  found <- apply(joined("found"), 1:2, mean, na.rm = TRUE)
  dimnames(found) <- dimnames(errors)[1:2]
  list(errors = errors, found = found)
})
print(lapply(table1, function(t) signif(t(t$found), 4)))

# ---- Figure 1: samples of the unrolled roll ---------------------------------------------

drawn <- 100
draws <- c("uniform" = 20, "approximate DPP" = 20, "exact DPP, Euclidean" = 10, "exact DPP, geodesic" = 10)
sampler <- function(name, sigma) {
  switch(name,
    "uniform" = by_random(), "approximate DPP" = by_dpp(30, sigma = sigma),
    "exact DPP, Euclidean" = by_dpp_exact(sigma = sigma),
    "exact DPP, geodesic" = by_dpp_exact(distance = "geodesic", sigma = sigma)
  )
}
distances <- function(a, b) sqrt(pmax(outer(rowSums(a^2), rowSums(b^2), "+") - 2 * tcrossprod(a, b), 0))

# On the flat rectangle: from each landmark to the next, and the farthest that a point is from all.
spread_of <- function(position, rows) {
  apart <- distances(position[rows, ], position[rows, ])
  diag(apart) <- Inf
  nearest <- apply(apart, 1, min)
  c(
    smallest = min(nearest), mean = mean(nearest),
    hole = max(apply(distances(position, position[rows, ]), 1, min))
  )
}
figure1 <- kept("figure1", {
  spare <- options(landmarker.threads = 1)
  one <- function(run, name, sigma) {
    set.seed(run)
    x <- sim_swiss_roll(1000)
    position <- attr(x, "position")
    rows <- landmarks(x, drawn, sampler(name, sigma), bandwidth = 2 * sigma^2)$rows
    list(position = position[rows, ], spread = spread_of(position, rows))
  }
  out <- do.call(rbind, lapply(c(2, 4), function(sigma) {
    do.call(rbind, lapply(names(draws), function(name) {
      done <- lapply(seq_len(draws[[name]]), one, name = name, sigma = sigma)
      spread <- t(vapply(done, `[[`, c(0, 0, 0), "spread"))
      table <- data.frame(
        sigma = sigma, method = name, draws = nrow(spread),
        measure = colnames(spread), value = colMeans(spread), se = apply(spread, 2, sd) / sqrt(nrow(spread))
      )
      table$sample <- rep(list(done[[1]]$position), nrow(table))
      table
    }))
  }))
  options(spare)
  print(out[setdiff(names(out), "sample")], row.names = FALSE)
  shown <- out$measure == "mean" & out$sigma == 4
  list(
    measures = out[setdiff(names(out), "sample")],
    samples = stats::setNames(out$sample[shown], out$method[shown]), sigma = 4
  )
})

# ---- Figure 6: ten million points -----------------------------------------------------------

points <- 1e7
shown <- 1e6
neighbors <- c(25, 50, 100, 250, 500)
set.seed(1)
x <- sim_swiss_roll(points)
position <- attr(x, "position")
scored <- sample(points, 2000)
flat <- position[scored, ]

fits <- kept("fits", {
  one <- function(covariance) {
    set.seed(2)
    landmarks(x, 2500, by_dpp(covariance = covariance), bandwidth = 20)
  }
  list(diagonal = one("diagonal"), full = one("full"))
})
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

# Mean length of the points in each cell of a grid, as one of 64 colours.
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
embed <- function(i) {
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
    embedding <- embed(i)
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
scores <- do.call(rbind, lapply(figure6, `[[`, "scores"))
print(scores, row.names = FALSE, digits = 3)
# Three of which to see the coordinate that has the height as well.
turned <- c(3, 8, 13)

# All ten million through two of the graphs.
whole <- c("Euclidean" = 3, "Bhattacharyya, diagonal" = 8)
all_points <- lapply(whole, function(i) {
  kept(paste0("all-", i), {
    embedding <- embed(i)
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
  made = provenance("simulated Swiss rolls and fish bowls", seq_len(max(runs))),
  table1 = table1, runs = runs, exact_runs = exact_runs, sizes = sizes,
  figure1 = c(figure1, list(drawn = drawn, flat = ceiling(apply(position, 2, max)))),
  figure6 = list(
    scores = scores, standard = standard, points = points, shown = shown,
    landmarks = nrow(coef(fits$diagonal)), seconds = vapply(fits, function(f) f$seconds, 0),
    cells = lapply(figure6, `[[`, "cells"), tall = lapply(figure6[turned], `[[`, "tall"),
    turned = graphs[turned, ], all = all_points
  )
))
