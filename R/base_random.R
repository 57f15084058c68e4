# The process: child processes for code that cannot be interrupted, and R's stream of random numbers.

# The value of code(). It is for long work of other packages, whose C code does not ask for a user's
# interrupt. Where R can fork, a child process does the work: an interrupt or a time limit ends the child, and
# the session is at its prompt at once. Random numbers, warnings and errors are the same as of a call in this
# process. There is no child on Windows, nor for work of few `operations`, which takes a few tenths of a
# second.
in_child <- function(code, operations = Inf) {
  if (.Platform$OS.type == "windows" || operations < 5e8) return(code())
  seed <- function() get0(".Random.seed", globalenv(), inherits = FALSE)
  # Without one, the session would get one in the child only, and another one later.
  start_stream()
  work <- function() {
    warnings <- list()
    value <- withCallingHandlers(code(), warning = function(w) {
      warnings <<- c(warnings, list(w))
      invokeRestart("muffleWarning")
    })
    list(value = value, seed = seed(), warnings = warnings)
  }
  before_fork()
  here <- Sys.getpid()
  child <- NULL
  done <- FALSE
  on.exit({
    # A child that leaves the call below by an error would go on with the work of this process.
    if (Sys.getpid() != here) tools::pskill(Sys.getpid(), tools::SIGKILL)
    if (!is.null(child)) {
      if (!done) tools::pskill(child$pid, tools::SIGKILL)
      reap(child)
    }
  })
  # An interrupt between the fork and the work would be the child's too.
  suspendInterrupts({
    child <- parallel::mcparallel(allowInterrupts(work()), mc.set.seed = FALSE, silent = TRUE)
  })
  found <- NULL
  while (is.null(found)) found <- parallel::mccollect(child, wait = FALSE, timeout = 0.05)
  done <- TRUE
  after_fork()
  found <- found[[1]]
  if (inherits(found, "try-error")) stop(attr(found, "condition"))
  # The child gave no answer: something has ended it, as the system does where memory is short.
  if (is.null(found)) return(code())
  assign(".Random.seed", found$seed, envir = globalenv())
  for (w in found$warnings) warning(w)
  found$value
}

# Lets the system forget a child that has ended. A child of package parallel sends its value first, then NULL
# when it ends, and both must be collected. mccollect() warns where the child was collected before.
reap <- function(child) suppressWarnings(parallel::mccollect(child, wait = FALSE, timeout = 1))

# To be called before a process is forked. What package mirai has left is garbage that has to be finalized in
# this process: its library refuses to work in a child, and ends it by a crash. Without mirai nobody waits for
# the collector.
before_fork <- function() if (isNamespaceLoaded("nanonext")) gc(verbose = FALSE)

# To be called when forked processes have ended. R deletes the folder of temporary files in a child that
# crashes, and it is this session's too.
after_fork <- function() invisible(tempdir(check = TRUE))

# Whether this session has drawn random numbers, or has set a seed.
has_stream <- function() exists(".Random.seed", globalenv(), inherits = FALSE)

# Starts the session's random numbers, where it has drawn none yet.
start_stream <- function() {
  if (!has_stream()) stats::runif(1)
}

# A function that puts the caller's random numbers back to where they are now.
keep_stream <- function() {
  kind <- RNGkind()
  seed <- if (has_stream()) get(".Random.seed", globalenv())
  function() {
    # R warns of samplers that it keeps for old results only.
    suppressWarnings(do.call(RNGkind, as.list(kind)))
    if (is.null(seed)) rm(".Random.seed", envir = globalenv()) else assign(".Random.seed", seed, globalenv())
  }
}

# Sets the seed and the generator, so that draws are the same in any session and on any worker.
set_seed <- function(seed) {
  set.seed(seed, kind = "Mersenne-Twister", normal.kind = "Inversion", sample.kind = "Rejection")
}

# Evaluates code of a user that reads data, and puts R's random numbers back to where they were. How often
# data are read must not change later draws.
keep_seed <- function(code) {
  restore <- keep_stream()
  on.exit(restore())
  code
}
