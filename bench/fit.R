# The fit of 100 landmarks of 50,000 digits against Algorithm 1 and k-means,
# and how its cost grows with N and n.
source("bench/tools.R")
source("bench/algorithm1.R")
library(landmarker)

x <- mnist()
if (is.null(x)) quit(status = 0)
heading("Fit: MNIST, 50,000 x 784, 100 landmarks, nonnegative")
fit <- function(n = 100, data = x, ...) landmarks(data, n, space = "nonnegative", ...)

set.seed(1)
first <- fit()
runs <- 3
ours <- theirs <- numeric(runs)
for (r in seq_len(runs)) {
  set.seed(r)
  ours[r] <- elapsed(fit())
  theirs[r] <- algorithm1_seconds(x, coef(first), first$bandwidth)
}
report("seconds of the fit", spread(ours))
report("seconds of Algorithm 1 in plain R (summed)", spread(theirs))
report("Algorithm 1 / fit", spread(theirs / ours), if (blas_name() == "OpenBLAS") "1,500 (aim 2,500)" else "")

log_det <- vapply(1:5, function(seed) {
  set.seed(seed)
  fit()$log_det
}, 0)
report("log det of Phi'Phi, seeds 1 to 5", paste(round(log_det, 1), collapse = ", "), "400 each")

if (nzchar(Sys.getenv("BENCH_SHORT"))) quit(status = 0)

t <- in_turn(
  fit = function() fit(),
  sequential = function() sequential <<- fit(method = by_gp("sequential")),
  n400 = function() many <<- fit(400)
)
report("sequential / joint, seconds", spread(t[, "sequential"] / t[, "fit"]), "at most 8")
report("sequential: log det", round(sequential$log_det, 1), "at least 370")
report("400 landmarks / 100, seconds", spread(t[, "n400"] / t[, "fit"]), "at most 6")
report("400 landmarks: log det", round(many$log_det, 1))

kmeans_seconds <- vapply(1:3, function(r) {
  set.seed(r)
  elapsed(suppressWarnings(stats::kmeans(x, 100, iter.max = 10, algorithm = "Lloyd")))
}, 0)
report("kmeans(Lloyd, 10 iterations) / fit, seconds", spread(kmeans_seconds / t[, "fit"]), "at least 30 (aim 60)")

# Ten times the rows: what is above the fit of one tenth should be the passes alone.
set.seed(1)
big <- x[rep(seq_len(nrow(x)), 10), ]
big[] <- big + stats::runif(length(big), 0, 1e-3)
small_seconds <- big_seconds <- pass <- numeric(3)
for (r in 1:3) {
  set.seed(r)
  small_seconds[r] <- elapsed(fit())
  big_seconds[r] <- elapsed(fit(data = big))
  # One pass over all rows onto the landmarks, and the look for bad values.
  pass[r] <- elapsed({
    landmarker:::as_source(big)
    .Call(landmarker:::C_gram, landmarker:::as_source(big[1:2, ]), coef(first), 1, landmarker:::compute_with())
    as_landmarks(coef(first), big, bandwidth = first$bandwidth, space = "nonnegative")
  })
}
report("500,000 rows: seconds", spread(big_seconds))
report("500,000 rows: (fit - fit of 50,000) / one pass over the rows", spread((big_seconds - small_seconds) / pass), "about 1")
