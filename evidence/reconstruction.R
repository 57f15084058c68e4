# Table 1 of Wachinger and Golland (2015): what landmarks leave of a Gaussian kernel, on a Swiss roll
# and on a fish bowl that is sparse at the bottom and dense at the top. Ten minutes with two
# processes; finished blocks of ten runs are kept in build/evidence/ (delete them to start anew).
# Writes inst/evidence/reconstruction.rds for vignettes/articles/embedding-evidence.Rmd.
source(file.path("evidence", "tools.R"))

kept <- keep_parts("reconstruction")

runs <- 50
# The exact process, which takes longest, in the first ten runs.
exact_runs <- 10
sizes <- c(25, 50, 75, 100)
# The paper has sigma = 1; how large its data are is not known, so each has two sizes here.
bowl <- function(radius) radius * sim_fish_bowl(1000, uniform = "disc")
samples <- list(
  "Swiss roll" = function() sim_swiss_roll(1000),
  "Swiss roll, a fifth" = function() sim_swiss_roll(1000, size = 0.2),
  "fish bowl, radius 5" = function() bowl(5),
  "fish bowl" = function() bowl(1)
)
# The paper's number of neighbors for each kind of data.
neighbors <- c("Swiss roll" = 30, "Swiss roll, a fifth" = 30, "fish bowl, radius 5" = 150, "fish bowl" = 150)

# Of these the first landmarks of a fit are what asking for fewer gives.
nested <- list(
  "uniform rows" = by_random(), "k-means++ seeding" = by_kmeans(max_iterations = 0),
  "DPP, m = 30" = by_dpp(30, sigma = 1), "DPP, m = 150" = by_dpp(150, sigma = 1),
  "DPP, m = 150, sin2" = by_dpp(150, "sin2", sigma = 1),
  "active learning" = by_active(), "active, random pivots" = by_active(pivot = "random")
)
# The rows of greatest remaining variance in the kernel itself, by another package: kernlab's incomplete
# Cholesky factor of it.
cholesky_rows <- function(x, n) {
  found <- kernlab::inchol(x, kernlab::rbfdot(sigma = 1 / 2), tol = 0, maxiter = n)
  as_landmarks(x[utils::head(kernlab::pivots(found), n), ], x, bandwidth = 2)
}
# As many iterations as k-means needs to settle: how many the paper has is not known.
each <- list(
  "k-means from uniform" = by_kmeans("uniform", max_iterations = 100),
  "k-means from k-means++" = by_kmeans(max_iterations = 100),
  "DPP, defaults" = by_dpp(), "exact k-DPP" = by_dpp_exact(sigma = 1),
  "gp, volume" = by_gp(criterion = "volume"), "gp, trace" = by_gp(criterion = "trace")
)
methods <- c(names(c(nested, each)), "kernlab::inchol")

# sizes x methods: the errors of one run, and how many landmarks there were (fewer than asked
# for where the kernel's rank is used up). All methods of a run see the same points.
one_run <- function(run, sample) {
  set.seed(run)
  x <- sample()
  errors <- found <- matrix(NA_real_, length(sizes), length(methods), dimnames = list(sizes, methods))
  for (name in methods) {
    if (name == "exact k-DPP" && run > exact_runs) next
    # Each method's draws are its own, whatever those before it drew.
    set.seed(1000 * match(name, methods) + run)
    asked <- if (name %in% names(each)) sizes else max(sizes)
    fits <- lapply(asked, function(n) {
      if (name == "kernlab::inchol") return(cholesky_rows(x, n))
      withCallingHandlers(landmarks(x, n, c(nested, each)[[name]], bandwidth = 2),
        landmarker_warning = function(w) invokeRestart("muffleWarning")
      )
    })
    for (i in seq_along(sizes)) {
      fit <- fits[[min(i, length(fits))]]
      found[i, name] <- min(sizes[i], nrow(coef(fit)))
      errors[i, name] <- reconstruction_error(fit, x, sigma = 1, n = found[i, name])
    }
  }
  list(errors = errors, found = found)
}

# Blocks of ten runs, two at a time with one thread each: most fits are too small for two threads.
run_block <- function(data, block) {
  kept(gsub("[^a-z0-9]+", "-", paste(tolower(data), block)), {
    spare <- options(landmarker.threads = 1)
    on.exit(options(spare))
    done <- lapply(10 * (block - 1) + 1:10, one_run, sample = samples[[data]])
    list(
      errors = simplify2array(lapply(done, `[[`, "errors")),
      found = simplify2array(lapply(done, `[[`, "found"))
    )
  })
}
work <- expand.grid(data = names(samples), block = seq_len(runs / 10), stringsAsFactors = FALSE)
processes <- if (.Platform$OS.type == "windows") 1 else 2
blocks <- parallel::mclapply(seq_len(nrow(work)), function(i) run_block(work$data[i], work$block[i]),
  mc.cores = processes, mc.preschedule = FALSE
)
failed <- vapply(blocks, inherits, NA, "try-error")
if (any(failed)) stop(blocks[[which(failed)[1]]])

table1 <- lapply(stats::setNames(nm = names(samples)), function(data) {
  joined <- function(part) {
    array(unlist(lapply(blocks[work$data == data], `[[`, part)), c(length(sizes), length(methods), runs))
  }
  errors <- joined("errors")
  dimnames(errors) <- list(sizes, methods, NULL)
  print(signif(apply(errors, 2:1, mean, na.rm = TRUE), 4))
  found <- apply(joined("found"), 1:2, mean, na.rm = TRUE)
  dimnames(found) <- dimnames(errors)[1:2]
  list(errors = errors, found = found)
})
print(lapply(table1, function(t) signif(t(t$found), 4)))

save_evidence("reconstruction", list(
  made = provenance("simulated Swiss rolls and fish bowls", seq_len(runs)),
  table1 = table1, runs = runs, exact_runs = exact_runs, sizes = sizes, neighbors = neighbors
))
