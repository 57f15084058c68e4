# A session that is killed at random moments while it works with workers and a sink:
#
#   Rscript tests/interrupts/killed.R [MOMENTS]       default 50; some minutes
#
# Its workers must end, and a file of the sink's name must be whole. Ends with an error where something failed.

suppressPackageStartupMessages(library(landmarker))
moments <- as.integer(c(commandArgs(TRUE), 50)[1])
folder <- tempfile()
dir.create(folder)
path <- function(name) file.path(folder, name)
writeLines(c(
  "suppressPackageStartupMessages(library(landmarker))",
  "set.seed(1)",
  "x <- unclass(sim_swiss_roll(60000))",
  "cl <- parallel::makeCluster(2, rscript_args = c('-e', shQuote(\"options(socketOptions = 'no-delay')\")))",
  sprintf("cat(unlist(parallel::clusterCall(cl, Sys.getpid)), Sys.getpid(), file = '%s')", path("pids")),
  "rows <- local({ x <- x; function(worker, workers) x[(worker - 1) * 30000 + 1:30000, ] })",
  "on <- on_workers(cl, rows)",
  "set.seed(2)",
  "fit <- landmarks(on, 40, by_gp(batch_size = Inf), bandwidth = 60)",
  sprintf("for (i in 1:3) { unlink('%1$s'); done <- predict(fit, on, sink = '%1$s') }", path("values.h5")),
  sprintf("file.create('%s')", path("ended")),
  "parallel::stopCluster(cl)"
), path("work.R"))

rscript <- file.path(R.home("bin"), "Rscript")
start <- function() system2(rscript, path("work.R"), stdout = path("log"), stderr = path("log"), wait = FALSE)
clear <- function(...) unlink(path(c("ended", "pids", ...)))
wait_for <- function(file, seconds = 120) {
  for (i in seq_len(10 * seconds)) {
    if (file.exists(path(file))) return(TRUE)
    Sys.sleep(0.1)
  }
  FALSE
}
lives <- function(pid) {
  line <- suppressWarnings(tryCatch(readLines(file.path("/proc", pid, "stat"), 1), error = function(e) ""))
  nzchar(line) && !grepl("\\) [ZX]", line)
}

clear()
began <- proc.time()[["elapsed"]]
start()
stopifnot(wait_for("ended"))
takes <- proc.time()[["elapsed"]] - began
values <- as.matrix(HDF5Array::HDF5Array(path("values.h5"), "values"))
cat(sprintf("the work takes %.1f s\n", takes))

set.seed(as.integer(Sys.getenv("INTERRUPT_SEED", "3")))
failed <- character()
for (k in seq_len(moments)) {
  clear("values.h5", "values.h5.part")
  start()
  if (!wait_for("pids")) stop("the session did not start")
  Sys.sleep(0.05)
  pids <- scan(path("pids"), quiet = TRUE)
  Sys.sleep(stats::runif(1, 0, 0.9 * takes))
  tools::pskill(pids[3], tools::SIGKILL)
  for (i in 1:150) {
    if (!any(vapply(pids, lives, NA))) break
    Sys.sleep(0.1)
  }
  wrong <- character()
  if (any(vapply(pids, lives, NA))) wrong <- "a worker lives 15 s later"
  if (file.exists(path("values.h5")) && !file.exists(path("ended"))) {
    found <- tryCatch(as.matrix(HDF5Array::HDF5Array(path("values.h5"), "values")), error = function(e) NULL)
    if (!identical(found, values)) wrong <- c(wrong, "the sink is not whole")
  }
  if (length(wrong)) failed <- c(failed, paste(k, wrong))
}
cat(sprintf("%d moments, %d failed\n", moments, length(failed)))
writeLines(failed)
if (length(failed)) quit("no", 1)
