# Figure 1 of Wachinger and Golland (2015): rows of a Swiss roll drawn in four ways, seen on the
# unrolled rectangle. Ten minutes; finished parts are kept in build/evidence/ (delete them to start
# anew). Writes inst/evidence/samples.rds for vignettes/articles/embedding-evidence.Rmd.
source(file.path("evidence", "tools.R"))

kept <- keep_parts("samples")

drawn <- 100
runs <- 10
sigmas <- c(2, 4)
# The approximate process with the paper's m = 20 neighbors.
samplers <- function(sigma) {
  list(
    "uniform" = by_random(), "exact DPP, Euclidean" = by_dpp_exact(sigma = sigma),
    "exact DPP, geodesic" = by_dpp_exact(distance = "geodesic", sigma = sigma),
    "approximate DPP, m = 20" = by_dpp(20, sigma = sigma)
  )
}
distances <- function(a, b) sqrt(pmax(outer(rowSums(a^2), rowSums(b^2), "+") - 2 * tcrossprod(a, b), 0))

# On the flat rectangle: from each landmark to the next one, the farthest that a point is from all
# landmarks, and the share of landmarks in the inner third of the length, beside that of all points.
measure <- function(position, rows) {
  apart <- distances(position[rows, ], position[rows, ])
  diag(apart) <- Inf
  nearest <- apply(apart, 1, min)
  inner <- position[, 1] < max(position[, 1]) / 3
  c(
    smallest = min(nearest), mean = mean(nearest),
    hole = max(apply(distances(position, position[rows, ]), 1, min)),
    inner = mean(inner[rows]), inner_all = mean(inner)
  )
}

# All methods of a run draw from the same roll.
one_run <- function(run, sigma) {
  set.seed(run)
  x <- sim_swiss_roll(1000)
  position <- attr(x, "position")
  methods <- samplers(sigma)
  done <- lapply(seq_along(methods), function(i) {
    set.seed(1000 * i + run)
    rows <- landmarks(x, drawn, methods[[i]], bandwidth = 2 * sigma^2)$rows
    list(position = position[rows, ], measures = measure(position, rows))
  })
  names(done) <- names(methods)
  list(
    measures = vapply(done, `[[`, numeric(5), "measures"),
    samples = if (run == 1) lapply(done, `[[`, "position"), flat = apply(position, 2, max)
  )
}
parts <- lapply(stats::setNames(nm = sigmas), function(sigma) {
  kept(paste0("sigma-", sigma), {
    spare <- options(landmarker.threads = 1)
    done <- lapply(seq_len(runs), one_run, sigma = sigma)
    options(spare)
    list(
      measures = simplify2array(lapply(done, `[[`, "measures")),
      samples = done[[1]]$samples, flat = done[[1]]$flat
    )
  })
})
for (part in parts) print(round(t(apply(part$measures, 1:2, mean)), 3))

# How likely the exact process is to take points of the inner third, without the chance of draws: the
# mean number of rows there over the mean number of all, where that is `drawn`. The eigenvalues of the
# process are scaled for that, as its own size is another one with every sigma.
inner_share <- function(distance, inner, sigma) {
  e <- eigen(exp(-distance^2 / (2 * sigma^2)), symmetric = TRUE)
  values <- pmax(e$values, 0)
  odds <- function(scale) values * exp(scale) / (1 + values * exp(scale))
  scale <- stats::uniroot(function(scale) sum(odds(scale)) - drawn, c(-20, 60))$root
  taken <- as.vector(e$vectors^2 %*% odds(scale))
  sum(taken[inner]) / sum(taken)
}
# Lengths of the shortest paths in the graph of the ten nearest neighbors.
geodesic <- function(x) {
  between <- distances(x, x)
  near <- t(apply(between, 1, order))[, 2:11]
  edges <- cbind(rep(seq_len(nrow(x)), 10), as.vector(near))
  graph <- igraph::simplify(igraph::graph_from_edgelist(edges, directed = FALSE))
  igraph::E(graph)$weight <- between[igraph::as_edgelist(graph)]
  igraph::distances(graph)
}
inner <- kept("inner", {
  do.call(rbind, lapply(1:5, function(run) {
    set.seed(run)
    x <- sim_swiss_roll(1000)
    length <- attr(x, "position")[, "length"]
    inside <- length < max(length) / 3
    kinds <- list(Euclidean = distances(x, x), geodesic = geodesic(x))
    rows <- expand.grid(sigma = c(1, 2, 4, 8, 12), distance = names(kinds), stringsAsFactors = FALSE)
    rows$share <- mapply(rows$sigma, rows$distance, FUN = function(sigma, kind) {
      inner_share(kinds[[kind]], inside, sigma)
    })
    cbind(run = run, all = mean(inside), rows)
  }))
})
print(stats::aggregate(cbind(share, all) ~ sigma + distance, inner, mean), digits = 3)

shown <- parts[[length(parts)]]
save_evidence("samples", list(
  made = provenance("simulated Swiss rolls of 1,000 points", seq_len(runs)),
  drawn = drawn, runs = runs, sigmas = sigmas, measures = lapply(parts, `[[`, "measures"), inner = inner,
  samples = shown$samples, flat = ceiling(shown$flat), sigma = max(sigmas)
))
