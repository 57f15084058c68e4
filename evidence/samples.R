# Figure 1 of Wachinger and Golland (2015): rows of a Swiss roll drawn in four ways, seen on the
# unrolled rectangle. Ten minutes; finished parts are kept in build/evidence/ (delete them to start
# anew). Writes inst/evidence/samples.rds for vignettes/embedding.Rmd.
source(file.path("evidence", "tools.R"))

kept <- keep_parts("samples")

drawn <- 100
runs <- 10
sigmas <- c(2, 4)
# The approximate process with the paper's m = 20 neighbours.
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

shown <- parts[[length(parts)]]
save_evidence("samples", list(
  made = provenance("simulated Swiss rolls of 1,000 points", seq_len(runs)),
  drawn = drawn, runs = runs, sigmas = sigmas, measures = lapply(parts, `[[`, "measures"),
  samples = shown$samples, flat = ceiling(shown$flat), sigma = max(sigmas)
))
