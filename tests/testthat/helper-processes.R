# What code returns in a new R session, for tests of what one session cannot show: another locale, a limit to
# the size of files. `code`: a function without variables of its own frame. `env`: environment variables,
# c("LC_ALL=C"). `before`: commands of the shell that come first.
in_fresh_r <- function(code, ..., env = character(), before = NULL) {
  skip_on_cran()
  file <- withr::local_tempfile(fileext = ".rds")
  environment(code) <- globalenv()
  task <- list(paths = .libPaths(), code = utils::removeSource(code), args = list(...))
  saveRDS(task, paste0(file, ".in"))
  withr::defer(unlink(paste0(file, ".in")))
  run <- sprintf(paste(
    "f <- '%s'; task <- readRDS(paste0(f, '.in')); .libPaths(task$paths);",
    "suppressPackageStartupMessages(library(landmarker));",
    "found <- do.call(task$code, task$args); saveRDS(found, f)"
  ), file)
  rscript <- shQuote(file.path(R.home("bin"), "Rscript"))
  session <- paste(c("env", env, rscript, "--vanilla", "-e", shQuote(run)), collapse = " ")
  line <- paste(c(before, session), collapse = "; ")
  log <- withr::local_tempfile()
  ended <- system2("sh", c("-c", shQuote(line)), stdout = log, stderr = log)
  if (ended != 0) stop("the session ended with ", ended, ":\n", paste(readLines(log), collapse = "\n"))
  readRDS(file)
}

# To be called before a process is forked. What package mirai has left is garbage that must be finalized in
# this process: its library refuses to work in a child, and ends it by a crash.
before_fork <- function() if (isNamespaceLoaded("nanonext")) gc(verbose = FALSE)
