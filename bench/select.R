# The rival selectors: active learning against kernlab's incomplete Cholesky and
# against passes over the data.
source("bench/tools.R")
library(landmarker)
heading("Active learning")

if (requireNamespace("kernlab", quietly = TRUE)) {
  set.seed(1)
  g <- matrix(stats::rnorm(20000 * 50), 20000)
  eta <- 100
  # Its tolerance stops it at the trace that it is told; 200 columns are the most.
  theirs <- ours <- numeric(3)
  for (r in 1:3) {
    set.seed(r)
    ours[r] <- elapsed(fit <- landmarks(g, 200, by_active(), bandwidth = eta))
    theirs[r] <- elapsed(
      l <- kernlab::inchol(g, kernlab::rbfdot(sigma = 1 / eta), tol = 1e-12, maxiter = 200)
    )
  }
  same <- sum(kernlab::pivots(l)[-1][1:199] %in% fit$rows)
  report("20,000 x 50, 200 pivots: seconds of landmarks(by_active())", spread(ours))
  report("kernlab::inchol / landmarks, seconds", spread(theirs / ours), "at least 5")
  report("pivots of inchol that are ours (each starts at a row of its own)", sprintf("%d of 199", same))
}

x <- mnist()
if (!is.null(x)) {
  options(matprod = "blas")
  v <- matrix(stats::rnorm(784))
  source <- landmarker:::as_source(x)
  none <- landmarker:::source_no_points(source)
  how <- landmarker:::compute_with()
  kernel <- landmarker:::new_kernel(52.7)
  select <- function() landmarker:::active_rows(source, none, 100L, kernel, how, FALSE, 1e-12)
  t <- in_turn(
    active = function() select(),
    products = function() for (i in 1:100) x %*% v,
    fit = function() landmarks(x, 100, by_active()), act5k = function() landmarks(x, 100, by_active(5000))
  )
  report(
    "50,000 x 784, 100 pivots / 100 products x %*% v", spread(t[, "active"] / t[, "products"]), "at most 1.5"
  )
  options(matprod = "default")
  usual <- elapsed(for (i in 1:100) x %*% v)
  report(
    "the same, x %*% v as R does it by default (it looks for NaN)",
    signif(stats::median(t[, "active"]) / usual, 3)
  )
  report(
    "seconds of landmarks(by_active()), of by_active(5000)",
    paste0(spread(t[, "fit"]), "; ", spread(t[, "act5k"]))
  )
}
