# Beside each estimate of memory the peak that was measured, on Linux: `Rscript tools/memory.R [name ...]`.
# Each case runs in a process of its own. An estimate is the largest that check_memory() was asked for. It is
# the whole of what the call needs beyond its arguments, so that the ratio is to be within 1/2 and 2.

cases <- list(
  gp = c("x <- matrix(rnorm(4e4), 8000)", "landmarks(x, 1000, bandwidth = 0.3)"),
  gp_wide = c("x <- matrix(rnorm(2e6), 2000)", "landmarks(x, 500)"),
  gp_volume = c(
    "x <- matrix(rnorm(4e4), 8000)", "landmarks(x, 1000, by_gp(criterion = 'volume'), bandwidth = 0.3)"
  ),
  gp_sequential = c(
    "x <- matrix(rnorm(4e4), 8000)", "landmarks(x, 300, by_gp('sequential'), bandwidth = 0.3)"
  ),
  gp_rows = c("x <- matrix(rnorm(1e7), 1e6)", "landmarks(x, 50)"),
  random = c("x <- matrix(rnorm(4e4), 8000)", "landmarks(x, 2000, 'random', bandwidth = 0.3)"),
  kmeans = c("x <- matrix(rnorm(4e4), 8000)", "landmarks(x, 2000, 'kmeans', bandwidth = 0.3)"),
  dpp = c("x <- matrix(rnorm(4e4), 8000)", "landmarks(x, 2000, 'dpp', bandwidth = 0.3)"),
  active = c("x <- matrix(rnorm(1e6), 2e5)", "landmarks(x, 300, 'active', bandwidth = 0.3)"),
  dpp_exact = c("x <- matrix(rnorm(15000), 3000)", "landmarks(x, 20, by_dpp_exact(), bandwidth = 0.3)"),
  response = c(
    "x <- matrix(rnorm(1e6), 1e5); y <- rnorm(1e5)",
    "landmarks(x, 300, by_response(y, iterations = 50), bandwidth = 10)"
  ),
  own = c("x <- matrix(rnorm(4e4), 8000)", "as_landmarks(x[1:2000, ], x, bandwidth = 0.3)"),
  graph = c(
    "x <- matrix(rnorm(4e4), 8000); f <- as_landmarks(x[1:2000, ], x, bandwidth = 0.3)", "landmark_graph(f)"
  ),
  graph_full = c(
    "x <- matrix(rnorm(4e5), 8000); f <- as_landmarks(x[1:2000, ], x)",
    "landmark_graph(f, x, distance = 'bhattacharyya', covariance = 'full')"
  ),
  embed_dense = c(
    "x <- matrix(rnorm(4e4), 8000); f <- as_landmarks(x[1:1500, ], x, bandwidth = 0.3)",
    "g <- landmark_graph(f); gc()", "embed_landmarks(g, dims = 400, independent = FALSE)"
  ),
  features = c(
    "x <- matrix(rnorm(1e6), 1e5); f <- as_landmarks(x[1:500, ], x)", "predict(f, x)"
  ),
  error = c("x <- matrix(rnorm(4e4), 8000); f <- as_landmarks(x[1:1500, ], x, bandwidth = 0.3)",
    "reconstruction_error(f, x)"
  ),
  sketch = c("x <- matrix(rnorm(2e6), 2e5); f <- as_landmarks(x[1:50, ], x, bandwidth = 0.3)",
    "sketch_rows(f, x, 200)"
  ),
  codebook = c("x <- matrix(rnorm(2e6), 2e4)", "codebook(x, 500, max_iterations = 2)"),
  codebook_sparse = c(
    "x <- Matrix::rsparsematrix(5000, 20000, 0.002)", "codebook(x, 500, max_iterations = 2)"
  ),
  landmarks_sparse = c("x <- Matrix::rsparsematrix(5000, 20000, 0.002)", "landmarks(x, 200, 'random')"),
  gp_sparse = c("x <- Matrix::rsparsematrix(5000, 20000, 0.002)", "landmarks(x, 100)"),
  histograms = c(
    "x <- matrix(rnorm(1e6), 2e5); b <- codebook(x, 100, max_iterations = 1)",
    "predict(b, x, rep(seq_len(1e5), 2))"
  ),
  strings = c("x <- data.frame(a = rnorm(4000), b = sprintf('s%04d', 1:4000))", "landmarks(x, 5, 'random')"),
  levels = c(
    "x <- data.frame(a = rnorm(5e4), b = sprintf('s%03d', sample(500, 5e4, TRUE)))",
    "landmarks(x, 5, 'random')"
  ),
  cv = c(
    "x <- matrix(rnorm(1e6), 5e4); y <- rnorm(5e4)",
    "cv_landmarks(x, y, n = 200, folds = 3, seeds = 1, methods = 'random')"
  ),
  hellinger = c("x <- matrix(rpois(2e7, 1), 2e5)", "hellinger(x)"),
  idx = c(
    "file <- tempfile(); con <- gzfile(file, 'wb'); n <- 50000L",
    "writeBin(as.raw(c(0, 0, 8, 3)), con); writeBin(c(n, 28L, 28L), con, endian = 'big')",
    "for (i in 1:50) writeBin(raw(784000), con); close(con)",
    "read_idx(file)"
  )
)

kilobytes <- function(key) {
  line <- grep(key, readLines("/proc/self/status"), value = TRUE)
  as.numeric(gsub("[^0-9]", "", line))
}

# In the child: prints the estimate and the peak above what there was before, in bytes.
measure <- function(name) {
  library(landmarker)
  steps <- cases[[name]]
  here <- new.env()
  for (step in utils::head(steps, -1)) eval(parse(text = step), here)
  asked <- 0
  ns <- asNamespace("landmarker")
  unlockBinding("check_memory", ns)
  assign("check_memory", function(bytes, ...) asked <<- max(asked, bytes), ns)
  unlockBinding("check_work", ns)
  assign("check_work", function(numbers, ...) asked <<- max(asked, 8 * numbers), ns)
  gc()
  writeLines("5", "/proc/self/clear_refs")
  before <- kilobytes("VmRSS")
  suppressWarnings(eval(parse(text = utils::tail(steps, 1)), here))
  cat(sprintf("%.0f %.0f\n", asked, 1024 * (kilobytes("VmHWM") - before)))
}

arguments <- commandArgs(TRUE)
if (length(arguments) == 2 && arguments[1] == "--case") {
  measure(arguments[2])
} else {
  file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
  for (name in if (length(arguments)) arguments else names(cases)) {
    out <- system2(file.path(R.home("bin"), "Rscript"), c(file, "--case", name), stdout = TRUE, stderr = TRUE)
    found <- suppressWarnings(as.numeric(strsplit(utils::tail(out, 1), " ")[[1]]))
    if (length(found) != 2 || anyNA(found)) {
      cat(name, "failed:", out, sep = "\n")
    } else {
      cat(sprintf("%-18s estimate %8.1f MB  peak %8.1f MB  ratio %.2f\n", name,
        found[1] / 1e6, found[2] / 1e6, found[1] / found[2]
      ))
    }
  }
}
