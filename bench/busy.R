# Two threads beside one, on two cores that are quiet and on the same two while another process spins on each:
# what a user's machine that does other things makes of the parallel regions. One process, pinned on the two
# cores, runs each use with one thread and with two in turn. BENCH_CORES=a,b chooses the cores, else the last
# two that this process may use. Linux with taskset only; BENCH_SHORT=1 tries each line on few rows.
source("bench/tools.R")

# The cores of "0-3,7".
allowed_cores <- function() {
  line <- grep("^Cpus_allowed_list", readLines("/proc/self/status"), value = TRUE)
  ranges <- strsplit(strsplit(sub(".*:\\s*", "", line), ",")[[1]], "-")
  unlist(lapply(ranges, function(range) seq(as.integer(range[1]), as.integer(range[length(range)]))))
}

skipped <- function(why) {
  message("skipped: ", why)
  quit(status = 0)
}

if (!nzchar(Sys.which("taskset"))) skipped("two threads on busy cores are measured by taskset (Linux)")
chosen <- as.integer(strsplit(Sys.getenv("BENCH_CORES"), ",")[[1]])
cores <- if (length(chosen)) chosen else utils::tail(allowed_cores(), 2)
if (length(cores) != 2) skipped("two threads on busy cores need two cores")
# Pinned before it starts, so that all threads, and those who count the cores, see two.
if (!setequal(cores, allowed_cores())) {
  if ("pinned" %in% commandArgs(trailingOnly = TRUE)) stop("taskset did not pin this process")
  again <- c("-c", paste(cores, collapse = ","), "Rscript", "bench/busy.R", "pinned")
  quit(status = system2("taskset", again))
}

library(landmarker)
short <- nzchar(Sys.getenv("BENCH_SHORT"))
runs <- if (short) 2 else 7

# A process that keeps one core busy, and its id. It ends by itself when this process has ended.
spin <- function(core) {
  alive <- sprintf("file.exists(\"/proc/%d\")", Sys.getpid())
  endless <- sprintf("while (%s) for (i in 1:1e7) NULL", alive)
  command <- sprintf("taskset -c %s Rscript -e '%s' >/dev/null 2>&1 & echo $!", core, endless)
  as.integer(system(command, intern = TRUE))
}

# Seconds that a process has computed, in hundredths.
worked <- function(id) {
  fields <- strsplit(sub(".*[)] ", "", readLines(sprintf("/proc/%d/stat", id))), " ")[[1]]
  sum(as.numeric(fields[12:13]))
}

# Seconds, an array of runs x ("one", "two") threads x ("wall", "processor"), in the order 1 2 2 1 ...
by_threads <- function(run) {
  out <- array(NA_real_, c(runs, 2, 2), list(NULL, c("one", "two"), c("wall", "processor")))
  for (r in seq_len(runs)) {
    for (threads in if (r %% 2 == 1) 1:2 else 2:1) {
      options(landmarker.threads = threads)
      set.seed(r)
      time <- system.time(run())
      out[r, threads, ] <- c(time[["elapsed"]], time[["user.self"]] + time[["sys.self"]])
    }
  }
  out
}

busy <- function(expr) {
  spinners <- integer()
  on.exit(for (id in spinners) tools::pskill(id, tools::SIGKILL))
  for (core in cores) spinners <- c(spinners, spin(core))
  # They are to compute, and not to start any more.
  Sys.sleep(2)
  before <- vapply(spinners, worked, 0)
  out <- expr
  if (any(vapply(spinners, worked, 0) <= before)) stop("a process that was to keep a core busy did not run")
  out
}

x <- mnist(if (short) 3000 else 50000)
if (is.null(x)) quit(status = 0)
points <- landmarks(x, 100, by_random(), space = "nonnegative")
part <- x[seq_len(min(20000, nrow(x))), ]
table <- withr::with_seed(1, matrix(stats::rnorm(160000), 8000))
response <- sin(table[, 1]) + table[, 2]^2
options(landmarker.announce = Inf)
uses <- list(
  "100 landmarks of 50,000 x 784 by the trace (default)" = function() {
    landmarks(x, 100, space = "nonnegative")
  },
  "100 landmarks by the volume" = function() {
    landmarks(x, 100, by_gp(criterion = "volume"), space = "nonnegative")
  },
  "their features, predict()" = function() predict(points, x, "features"),
  "300 diverse rows of 20,000 x 784, by_dpp()" = function() {
    landmarks(part, 300, by_dpp(neighbors = 500, sigma = 5))
  },
  "100 landmarks, by_kmeans()" = function() landmarks(x, 100, by_kmeans(), space = "nonnegative"),
  "50 landmarks of MASS::Boston, by_response()" = function() {
    landmarks(medv ~ ., MASS::Boston, 50, by_response(), scale = TRUE)
  },
  "50 landmarks of 8,000 x 20, by_response()" = function() landmarks(table, 50, by_response(response)),
  "cv_landmarks() of iris" = function() cv_landmarks(iris[1:4], iris$Species)
)
invisible(uses[[1]]())
heading("Two threads on two cores, quiet and kept busy by two other processes")
policy <- Sys.getenv("OMP_WAIT_POLICY")
if (nzchar(policy)) report("OMP_WAIT_POLICY, which a package cannot set", policy)
for (use in names(uses)) {
  quiet <- by_threads(uses[[use]])
  full <- busy(by_threads(uses[[use]]))
  row <- function(state, t, target = "") {
    ratio <- t[, "two", ] / t[, "one", ]
    report(paste0(use, ", ", state), sprintf("one thread %s s, two %s s; two / one %s, of processor time %s",
      spread(t[, "one", "wall"]), spread(t[, "two", "wall"]), spread(ratio[, "wall"]),
      spread(ratio[, "processor"])
    ), target)
  }
  row("quiet", quiet)
  row("busy", full, "two / one at most 1.2")
}
