# From 100,000 to 100,000,000 rows of 20 columns that are made on the fly, as data_parts() and on two workers:
# seconds by part of the work, and what travels. Then the same on more workers and rows, by arithmetic.
#   Rscript bench/scale.R
source("bench/tools.R")
library(landmarker)

short <- nzchar(Sys.getenv("BENCH_SHORT"))
d <- 20
n <- 100
sizes <- if (short) c(1e5, 5e5) else 10^(5:8)
most <- 250000 # rows of a part

# The rows of part `i`: a curved sheet. The same number gives the same rows, wherever they are made.
# A reader leaves the session's random numbers as they are.
set.seed(0)
sheet <- local({
  basis <- matrix(rnorm(5 * d), 5)
  function(i, rows) {
    kept <- get0(".Random.seed", globalenv())
    if (!is.null(kept)) on.exit(assign(".Random.seed", kept, globalenv()))
    set.seed(i)
    z <- matrix(stats::runif(4 * rows), rows)
    cbind(sin(5 * z[, 1]), cos(5 * z[, 1]), z[, 2], 0.5 * z[, 3], 0.3 * z[, 4]) %*% basis
  }
})

parts_of <- function(rows) max(1, rows / most)

# A fit of data in parts, with the times at which each part was asked for and was there.
fit_parts <- function(rows) {
  parts <- parts_of(rows)
  log <- new.env()
  log$asked <- log$there <- numeric()
  now <- function() proc.time()[["elapsed"]]
  read <- function(i) {
    log$asked <- c(log$asked, now())
    x <- sheet(i, rows / parts)
    log$there <- c(log$there, now())
    x
  }
  x <- data_parts(c(rows, d), read, parts)
  log$asked <- log$there <- numeric()
  set.seed(1)
  began <- now()
  landmarks(x, n)
  ended <- now()
  # Parts are asked for in two rounds. Learning is between them.
  second <- log$asked[length(log$asked) - parts + 1]
  first_end <- log$there[length(log$there) - parts]
  reading <- log$there - log$asked
  list(seconds = ended - began, making = sum(reading),
    first = first_end - began, learning = second - first_end, last = ended - second
  )
}

fit_workers <- function(cl, rows) {
  read <- local({
    sheet <- sheet
    rows <- rows
    d <- d
    parts <- max(2, parts_of(rows))
    function(worker, workers) {
      mine <- parts / workers
      each <- rows / parts
      read_part <- function(i) sheet((worker - 1) * mine + i, each)
      landmarker::data_parts(c(mine * each, d), read_part, mine)
    }
  })
  x <- on_workers(cl, read)
  x$workers$bytes <- c(calls = 0, sent = 0, received = 0)
  set.seed(1)
  c(seconds = elapsed(landmarks(x, n)), x$workers$bytes)
}

show <- function(v) {
  format(signif(v, 3), big.mark = ",", scientific = FALSE, drop0trailing = TRUE, trim = TRUE)
}
rows_name <- function(rows) format(rows, big.mark = ",", scientific = FALSE, trim = TRUE)

invisible(fit_parts(1e5))
table_heading(
  sprintf("Rows of %d columns made on the fly, %d landmarks, by data_parts(), two threads", d, n),
  c("rows", "seconds", "of these making the rows", "first reading", "learning", "last reading", "ns a row")
)
found <- list()
for (rows in sizes) {
  one <- fit_parts(rows)
  found[[rows_name(rows)]] <- one
  table_row(rows_name(rows), show(one$seconds), show(one$making), show(one$first), show(one$learning),
    show(one$last), show(1e9 * one$seconds / rows)
  )
}

options(landmarker.threads = 1, socketOptions = "no-delay")
kinds <- list(
  "PSOCK, two workers of one thread" = function() {
    quick <- c("-e", shQuote("options(socketOptions = \"no-delay\")"))
    parallel::makeCluster(2, rscript_args = quick)
  },
  "mirai, two workers of one thread" = function() {
    if (requireNamespace("mirai", quietly = TRUE)) mirai::make_cluster(2)
  },
  "MPI, two workers of one thread" = function() {
    here <- nzchar(system.file(package = "Rmpi")) && nzchar(Sys.which("orted"))
    if (here && nzchar(Sys.getenv("BENCH_MPI"))) parallel::makeCluster(2, type = "MPI")
  }
)
table_heading(
  "The same rows, made by workers", c("workers", "rows", "seconds", "calls", "MB sent", "MB received")
)
by_workers <- list()
for (kind in names(kinds)) {
  cl <- kinds[[kind]]()
  if (is.null(cl)) next
  invisible(fit_workers(cl, 1e5))
  for (rows in if (startsWith(kind, "PSOCK")) sizes else sizes[sizes <= 1e6]) {
    one <- fit_workers(cl, rows)
    if (startsWith(kind, "PSOCK")) by_workers[[rows_name(rows)]] <- one
    table_row(kind, rows_name(rows), show(one[["seconds"]]), show(one[["calls"]]),
      show(one[["sent"]] / 1e6), show(one[["received"]] / 1e6)
    )
  }
  parallel::stopCluster(cl)
}

# What a row costs a thread, from the two largest sizes, without making it; what learning costs whatever the
# rows; and what one more worker costs, by the bytes of each at 1 Gbit a second and a millisecond a call.
large <- utils::tail(by_workers, 2)
slope <- (large[[2]][["seconds"]] - large[[1]][["seconds"]]) / diff(utils::tail(sizes, 2)) * 2
making <- elapsed(for (i in 1:4) sheet(i, most)) / (4 * most)
compute <- slope - 2 * making
last <- large[[2]]
constant <- found[[1]]$learning
per_worker <- last[["sent"]] / 2 / 125e6 + 1e-3 * last[["calls"]] / 2
drawn <- last[["received"]] / 125e6
table_heading(
  sprintf(paste(
    "Estimated, not measured: seconds of a default fit, rows of %d columns read twice at 0.5 GB a second by",
    "each worker, %s ns of computing a row and thread, two threads a worker"), d, show(1e9 * compute)),
  c("rows", "workers", "reading", "computing", "learning", "messages", "seconds", "most of it")
)
for (rows in c(1e9, 1e10)) {
  for (workers in c(10, 100, 1000)) {
    cost <- c(
      reading = 2 * 8 * d * rows / workers / 0.5e9, computing = compute * rows / workers / 2,
      learning = constant, messages = per_worker * workers + drawn
    )
    table_row(rows_name(rows), rows_name(workers), show(cost[[1]]), show(cost[[2]]), show(cost[[3]]),
      show(cost[[4]]), show(sum(cost)), names(which.max(cost))
    )
  }
}
