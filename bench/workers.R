# Data on workers: 500,000 x 200 numbers made there, one thread each, on 1, 2 and 4 workers of this machine.
# Steps on all rows; and what each method moves in bytes, counted.
#   Rscript bench/workers.R
source("bench/tools.R")
library(landmarker)

short <- nzchar(Sys.getenv("BENCH_SHORT"))
rows <- if (short) 40000 else 500000
d <- 200
n <- 100
runs <- if (short) 2 else 5
cores <- parallel::detectCores()
options(landmarker.threads = 1, socketOptions = "no-delay")

start <- function(workers) {
  cl <- parallel::makeCluster(workers, rscript_args = c("-e", shQuote("options(socketOptions=\"no-delay\")")))
  make <- local({
    rows <- rows
    d <- d
    # 20 blocks with a seed each, so that any number of workers has the same rows.
    function(worker, workers) {
      blocks <- which((seq_len(20) - 1) %/% (20 / workers) + 1 == worker)
      set.seed(0)
      basis <- matrix(rnorm(5 * d), 5)
      do.call(rbind, lapply(blocks, function(block) {
        set.seed(block)
        z <- matrix(rnorm(rows / 20 * 4), ncol = 4)
        sheet <- cbind(sin(z[, 1]), cos(z[, 1]), 0.3 * z[, 2], 0.2 * z[, 3], 0.1 * z[, 4])
        sheet %*% basis + rnorm(rows / 20 * d, sd = 0.05)
      }))
    }
  })
  list(cl = cl, x = on_workers(cl, make))
}
all_rows <- by_gp(batch_size = Inf, max_iterations = 10)
fit_of <- function(x, method) {
  set.seed(1)
  suppressWarnings(landmarks(x, n, method))
}

heading(sprintf("Data on workers of one machine, %s x %d, %d landmarks, one thread each",
  format(rows, big.mark = ","), d, n))
counts <- c(1, 2, if (cores >= 4) 4)
clusters <- lapply(counts, start)
names(clusters) <- counts
fits <- lapply(clusters, function(one) function() fit_of(one$x, all_rows))
seconds <- do.call(in_turn, c(fits, list(runs = runs)))
report("10 steps on all rows, one worker, s", spread(seconds[, "1"]))
for (count in counts[-1]) {
  report(sprintf("the same, one worker over %d", count),
    spread(seconds[, "1"] / seconds[, as.character(count)]),
    if (count == 2) "at least 1.6" else "")
}
logs <- vapply(fits, function(fit) fit()$log_det, 0)
report("log det of 1, 2 (and 4) workers, largest difference", signif(max(abs(logs - logs[1])), 2), "1e-6")
for (one in clusters[names(clusters) != "2"]) parallel::stopCluster(one$cl)

x <- clusters[["2"]]$x
shares <- function(fit) reconstruction_error(fit, x) / rows
heading(
  "Random batches and all rows in each step, on two workers: share of the trace that is left, and seconds"
)
for (method in list(by_gp(), by_gp(batch_size = Inf, max_iterations = 10), by_gp(batch_size = Inf))) {
  took <- elapsed(fit <- fit_of(x, method))
  what <- if (is.null(method$batch_size)) {
    "random batches"
  } else {
    sprintf("all rows, %d steps", max(fit$iterations))
  }
  report(what, sprintf("left %.5f, log det %.3f, %s s", shares(fit), fit$log_det, signif(took, 3)))
}

heading(
  sprintf("What travels for %d landmarks on two workers, with the rows %s MB", n, round(8e-6 * rows * d))
)
methods <- list(
  `by_gp()` = by_gp(), `by_gp(batch_size = Inf), a step` = all_rows, `by_active()` = by_active(),
  `by_dpp()` = by_dpp(), `by_kmeans(), 20 iterations` = by_kmeans(max_iterations = 20),
  `by_random()` = by_random()
)
moved <- function(method) {
  x$workers$bytes <- c(calls = 0, sent = 0, received = 0)
  fit_of(x, method)
  x$workers$bytes
}
for (name in names(methods)) {
  bytes <- moved(methods[[name]])
  if (grepl("a step", name)) bytes <- (bytes - moved(by_gp(batch_size = Inf, max_iterations = 5))) / 5
  report(name, sprintf("%.0f calls, %.2f MB sent, %.2f MB received", bytes[["calls"]], bytes[["sent"]] / 1e6,
    bytes[["received"]] / 1e6))
}
parallel::stopCluster(clusters[["2"]]$cl)
