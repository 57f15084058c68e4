# The fit of 100 landmarks of 50,000 digits: the default (trace) against the volume and Algorithm 1, each
# with what it leaves of the kernel; and how the cost grows with N and n. k-means: rivals.R.
source("bench/tools.R")
source("bench/algorithm1.R")
library(landmarker)

x <- mnist()
if (is.null(x)) quit(status = 0)
heading("Fit: MNIST, 50,000 x 784, 100 landmarks, nonnegative")
fit <- function(n = 100, data = x, method = by_gp(), ...) {
  landmarks(data, n, method, space = "nonnegative", ...)
}
volume <- by_gp(criterion = "volume")
left <- function(fit) reconstruction_error(fit, x) / nrow(x)

set.seed(1)
first <- fit(method = volume)
runs <- 3
by_trace <- by_volume <- theirs <- numeric(runs)
for (r in seq_len(runs)) {
  set.seed(r)
  by_trace[r] <- elapsed(fit())
  set.seed(r)
  by_volume[r] <- elapsed(fit(method = volume))
  theirs[r] <- algorithm1_seconds(x, coef(first), first$bandwidth)
}
report("seconds of the fit (default: trace)", spread(by_trace))
report("seconds of the fit by the volume", spread(by_volume))
report("trace / volume, seconds", spread(by_trace / by_volume), "at most 1")
report("seconds of Algorithm 1 in plain R (summed)", spread(theirs))
report(
  "Algorithm 1 / fit by the volume", spread(theirs / by_volume),
  if (blas_name() == "OpenBLAS") "1,500 (aim 2,500)" else ""
)

over_seeds <- function(method) {
  lapply(1:5, function(seed) {
    set.seed(seed)
    fit(method = method)
  })
}
traces <- over_seeds(by_gp())
report(
  "approximation error, seeds 1 to 5", paste(sprintf("%.4f", vapply(traces, left, 0)), collapse = ", "),
  "0.500 each"
)
volumes <- over_seeds(volume)
report("log det of Phi'Phi by the volume, seeds 1 to 5",
  paste(sprintf("%.1f", vapply(volumes, `[[`, 0, "log_det")), collapse = ", "), "400 each"
)
report(
  "approximation error, volume, seeds 1 to 5",
  paste(sprintf("%.4f", vapply(volumes, left, 0)), collapse = ", ")
)

if (nzchar(Sys.getenv("BENCH_SHORT"))) quit(status = 0)

t <- in_turn(
  fit = function() fit(),
  volume = function() fit(method = volume),
  sequential = function() sequential <<- fit(method = by_gp("sequential")),
  n400 = function() many <<- fit(400)
)
report("sequential / joint by the volume, seconds", spread(t[, "sequential"] / t[, "volume"]), "at most 8")
report("sequential: log det", round(sequential$log_det, 1), "at least 370")
report("400 landmarks / 100, seconds", spread(t[, "n400"] / t[, "fit"]), "at most 6")
report("400 landmarks: approximation error", sprintf("%.4f", left(many)))
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
    as_landmarks(coef(first), big, bandwidth = first$bandwidth, space = "nonnegative")
  })
}
report("500,000 rows: seconds", spread(big_seconds))
report(
  "500,000 rows: (fit - fit of 50,000) / one pass over the rows",
  spread((big_seconds - small_seconds) / pass), "about 1"
)
