# Data in chunks: 10,000,000 rows of 20 columns that are made on the fly, in the session and on two daemons,
# beside the package at the commit that had data in parts and on workers; an HDF5 file of 2,000,000 x 200
# numbers, 3.2 GB (HDF5Array, and as much room in the temporary folder); and with BENCH_LONG=1 100,000,000
# rows on two daemons. Two threads in the session, one in each daemon.
#   Rscript bench/chunks.R
source("bench/tools.R")
library(landmarker)

short <- nzchar(Sys.getenv("BENCH_SHORT"))
few <- function(usual, tried) if (short) tried else usual
n <- 100
d <- 20
size <- few(1e5, 1e4)
runs <- few(3, 1)
daemons <- requireNamespace("mirai", quietly = TRUE)
if (!daemons) message("skipped: package mirai is not here")
options(landmarker.threads = 2)
whole <- function(count) format(count, big.mark = ",", scientific = FALSE)

# The rows of a chunk, a curved sheet, the same wherever they are made. As text, for processes without this
# script.
set.seed(0)
basis <- matrix(rnorm(5 * d), 5)
rows_code <- bquote(function(k) {
  set.seed(k)
  z <- matrix(stats::runif(.(4 * size)), ncol = 4)
  cbind(sin(5 * z[, 1]), cos(5 * z[, 1]), z[, 2], 0.5 * z[, 3], 0.3 * z[, 4]) %*% .(basis)
})
made <- function(count) {
  read <- eval(rows_code)
  environment(read) <- baseenv()
  chunked(seq_len(count), read)
}
fit_of <- function(data) {
  set.seed(1)
  landmarks(data, n)
}

# ---- rows that are made on the fly ---------------------------------------------------

# The same fits by what data in chunks have replaced, in a process with that package.
old <- before_library("99ba4d2")
fit_before <- function(count) {
  if (is.null(old)) return(list())
  process <- start_worker(old, bquote({
    options(landmarker.threads = 2, socketOptions = "no-delay")
    rows <- .(rows_code)
    parts <- data_parts(c(.(count * size), .(d)), rows, .(count))
    start <- function() {
      cl <- parallel::makeCluster(2, rscript_args = c("-e", shQuote("options(socketOptions='no-delay')")))
      read <- eval(.(bquote(function(worker, workers) {
        options(landmarker.threads = 1)
        rows <- .(rows_code)
        one <- function(k) rows(2 * k - 2 + worker)
        landmarker::data_parts(c(.(count * size / 2), .(d)), one, .(count / 2))
      })))
      environment(read) <- baseenv()
      list(cl = cl, x = on_workers(cl, read))
    }
    two <- start()
    fit_of <- function(data) {
      set.seed(1)
      landmarks(data, .(n))
    }
  }))
  list(
    session = function() in_worker(process, quote(fit_of(parts)$log_det)),
    workers = function() in_worker(process, quote(fit_of(two$x)$log_det)),
    stop = function() {
      in_worker(process, quote(parallel::stopCluster(two$cl)))
      stop_worker(process)
    }
  )
}

count <- 100
x <- made(count)
heading(sprintf("%s rows of %d columns made on the fly, %d landmarks", whole(count * size), d, n))
before <- fit_before(count)
seconds <- do.call(in_turn, c(
  list(make = function() for (k in seq_len(count)) x$read(k), session = function() fit_of(x)),
  before["session"[!is.null(old)]], runs = runs
))
colnames(seconds) <- c("make", "now", if (!is.null(old)) "before")
report("the rows made once, s", spread(seconds[, "make"]))
report("in the session", compared(seconds[, -1, drop = FALSE]))
report("peak memory of the session above what it held, MB", round(peak_mb(fit <- fit_of(x))))
if (daemons) {
  mirai::daemons(2)
  fit_of(made(2))
  seconds <- do.call(in_turn, c(
    list(now = function() two <<- fit_of(x)), list(before = before$workers)[!is.null(old)], runs = runs
  ))
  report("on two daemons (before: two workers)", compared(seconds))
  report("the same bits in the session and on daemons", identical(two$landmarks, fit$landmarks), "TRUE")
  if (nzchar(Sys.getenv("BENCH_LONG"))) {
    report(sprintf("%s rows on two daemons, s", whole(10 * count * size)),
      signif(elapsed(fit_of(made(10 * count))), 3))
  }
  mirai::daemons(0)
}
if (!is.null(old)) before$stop()

# ---- an HDF5 file --------------------------------------------------------------------

if (!requireNamespace("HDF5Array", quietly = TRUE)) {
  message("skipped: package HDF5Array is not here")
  quit(status = 0)
}
rows <- few(2000000L, 200000L)
block <- 50000L
d <- 200L
path <- tempfile(fileext = ".h5")

# A curved sheet of five dimensions, with noise, in chunks of 10,000 rows, not compressed.
set.seed(1)
basis <- matrix(rnorm(5 * d), 5)
sheet <- function() {
  z <- matrix(rnorm(block * 4), block)
  cbind(sin(z[, 1]), cos(z[, 1]), 0.3 * z[, 2], 0.2 * z[, 3], 0.1 * z[, 4]) %*% basis +
    rnorm(block * d, sd = 0.05)
}
sink <- HDF5Array::HDF5RealizationSink(
  c(rows, d), filepath = path, name = "x", level = 0, chunkdim = c(10000L, d)
)
grid <- DelayedArray::RegularArrayGrid(dim(sink), c(block, d))
for (k in seq_along(grid)) sink <- DelayedArray::write_block(sink, grid[[k]], sheet())
DelayedArray::close(sink)
x <- HDF5Array::HDF5Array(path, "x")
chunks <- as_chunks(x)

heading(sprintf("An HDF5 file, %s x %d (%.1f GB)", whole(rows), d, 8e-9 * rows * d))
process <- start_worker(dirname(find.package("landmarker")), bquote(x <- HDF5Array::HDF5Array(.(path), "x")))
peak <- in_worker(process, bquote({
  options(landmarker.threads = 2)
  landmarks(x, .(n))
  process_mb("VmHWM")
}))
stop_worker(process)
report("most memory of a process that makes a fit alone, MB", round(peak), "below 1000")
seconds <- in_turn(
  read = function() for (k in chunks$x) chunks$read(k), fit = function() fit_of(x), runs = runs
)
report("one reading, s", spread(seconds[, "read"]))
report("fit of 100 landmarks, s", spread(seconds[, "fit"]))
report("fit over two readings", spread(seconds[, "fit"] / (2 * seconds[, "read"])), "at most 1.5")
if (daemons) {
  mirai::daemons(2)
  fit_of(x)
  report("fit of 100 landmarks on two daemons, s", spread(in_turn(fit = function() fit_of(x), runs = runs)))
  mirai::daemons(0)
}
unlink(path)
