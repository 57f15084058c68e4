# Data in an HDF5 file: 2,000,000 x 200 numbers, 3.2 GB, in chunks of 10,000 rows, not compressed. A fit
# against one reading of the file and the same fit in memory; features into a file against reading and
# writing. Needs HDF5Array, 5 GB of disk in the temporary folder, and 6 GB of memory for the fit in memory.
# Two threads.
#   Rscript bench/files.R
source("bench/tools.R")
library(landmarker)

for (package in c("HDF5Array", "DelayedArray")) {
  if (requireNamespace(package, quietly = TRUE)) next
  message("skipped: package ", package, " is not here")
  quit(status = 0)
}
short <- nzchar(Sys.getenv("BENCH_SHORT"))
rows <- if (short) 200000L else 2000000L
block <- 50000L
d <- 200L
n <- 100
runs <- 3
folder <- tempfile("bench")
dir.create(folder)
path <- file.path(folder, "x.h5")

# A curved sheet of five dimensions, with noise.
set.seed(1)
basis <- matrix(rnorm(5 * d), 5)
part <- function() {
  z <- matrix(rnorm(block * 4), block)
  sheet <- cbind(sin(z[, 1]), cos(z[, 1]), 0.3 * z[, 2], 0.2 * z[, 3], 0.1 * z[, 4])
  sheet %*% basis + rnorm(block * d, sd = 0.05)
}
write_rows <- function(sink, first, values) {
  ends <- unique(c(if (first > 0) first, first + nrow(values), dim(sink)[1]))
  grid <- DelayedArray::ArbitraryArrayGrid(list(as.integer(ends), ncol(values)))
  DelayedArray::write_block(sink, grid[[if (first > 0) 2L else 1L]], values)
}
sink <- HDF5Array::HDF5RealizationSink(
  c(rows, d), filepath = path, name = "x", level = 0, chunkdim = c(10000L, d)
)
for (first in seq(0L, rows - block, by = block)) sink <- write_rows(sink, first, part())
DelayedArray::close(sink)
x <- HDF5Array::HDF5Array(path, "x")

# One reading, chunk by chunk, which is the fastest of the ways that were tried; and in the blocks that
# DelayedArray chooses by itself.
read_all <- function(size) {
  grid <- DelayedArray::RegularArrayGrid(dim(x), c(as.integer(size), d))
  for (i in seq_along(grid)) DelayedArray::read_block(x, grid[[i]])
}
fit_of <- function(data) {
  set.seed(1)
  landmarks(data, n)
}
n_file <- 0
features <- function() {
  n_file <<- n_file + 1
  out <- predict(fit, x, sink = file.path(folder, paste0(n_file, ".h5")))
  unlink(file.path(folder, paste0(n_file, ".h5")))
}
# What predict() must do at least: read blocks, and write as many features to a file of the same kind.
read_and_write <- function() {
  n_file <<- n_file + 1
  path <- file.path(folder, paste0(n_file, ".h5"))
  out <- HDF5Array::HDF5RealizationSink(c(rows, as.integer(n)), filepath = path, name = "values", level = 0,
    chunkdim = c(1250L, as.integer(n))
  )
  values <- matrix(runif(10000 * n), 10000)
  grid <- DelayedArray::RegularArrayGrid(dim(x), c(10000L, d))
  for (i in seq_along(grid)) {
    DelayedArray::read_block(x, grid[[i]])
    out <- write_rows(out, (i - 1L) * 10000L, values)
  }
  DelayedArray::close(out)
  unlink(path)
}

heading(sprintf("Data in an HDF5 file, %s x %d (%.1f GB)", format(rows, big.mark = ","), d, 8e-9 * rows * d))
read_all(10000)
gc()
reset_peak()
fit <- fit_of(x)
report("peak memory of the process after a fit from the file, MB", round(process_mb("VmHWM")), "below 1000")
seconds <- in_turn(
  read = function() read_all(10000), blocks = function() read_all(1e8 / (8 * d)), fit = function() fit_of(x),
  copy = read_and_write, features = features, runs = runs
)
here <- as.matrix(x)
memory <- in_turn(fit = function() fit_of(here), runs = runs)[, "fit"]
report("one reading by chunks, s", spread(seconds[, "read"]))
report("one reading in blocks of 100 MB, DelayedArray's default, s", spread(seconds[, "blocks"]))
report("fit of 100 landmarks in memory, s", spread(memory))
report("fit of 100 landmarks from the file, s", spread(seconds[, "fit"]))
report("fit from the file over one reading by chunks and the fit in memory",
  spread(seconds[, "fit"] / (seconds[, "read"] + memory)), "at most 1.5")
report("the same over one reading by DelayedArray's blocks",
  spread(seconds[, "fit"] / (seconds[, "blocks"] + memory)))
report("features into a file over reading and writing as much",
  spread(seconds[, "features"] / seconds[, "copy"]), "at most 1.5")
report("log det, from the file and in memory", sprintf("%.8f, %.8f", fit$log_det, fit_of(here)$log_det))
unlink(folder, recursive = TRUE)
