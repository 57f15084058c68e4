# The process and others: child processes for code that cannot be interrupted, R's stream of random numbers,
# and clusters of workers.

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
  child <- parallel::mcparallel(work(), mc.set.seed = FALSE, silent = TRUE)
  done <- FALSE
  on.exit({
    if (!done) tools::pskill(child$pid, tools::SIGKILL)
    reap(child)
  })
  found <- NULL
  while (is.null(found)) found <- parallel::mccollect(child, wait = FALSE, timeout = 0.05)
  done <- TRUE
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

# The argument `cl`: NULL, a cluster, or the number of processes to fork.
check_cl <- function(cl, call) {
  if (is.null(cl) || (inherits(cl, "cluster") && length(cl) > 0)) return(invisible())
  if (!is_number(cl) || cl < 1 || cl > 1e4 || cl != trunc(cl) || (cl > 1 && .Platform$OS.type == "windows")) {
    abort_input(c(
      paste(
        "{.arg cl} must be NULL, a cluster made by {.fn parallel::makeCluster}, or,",
        "where R can fork, a number of processes."
      ),
      x = "It is {describe(cl)}."
    ), arg = "cl", call = call)
  }
}

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

# Workers use the library paths of this session, and must find this package there.
check_workers <- function(cl, call) {
  parallel::clusterCall(cl, eval, bquote(.libPaths(.(.libPaths()))))
  there <- unlist(parallel::clusterCall(cl, requireNamespace, "landmarker", quietly = TRUE))
  if (!all(there)) {
    abort_input(c(
      "Every worker of {.arg cl} must have the package {.pkg landmarker}.",
      x = "{sum(!there)} of {length(there)} cannot load it."
    ), arg = "cl", kind = "worker", call = call)
  }
}

# Evaluates code that calls workers. Package parallel reports a lost worker as an error about connections: the
# user gets one that says what it means.
with_workers <- function(call, code) {
  on_failure(code, function(e) {
    if (inherits(e, "landmarker_error")) stop(e)
    abort_input(
      c("The workers of {.arg cl} must keep running.", i = "Start another cluster."),
      arg = "cl", kind = "worker", call = call, parent = e
    )
  })
}

# Evaluates code of a user that reads data, and puts R's random numbers back to where they were. How often
# data are read must not change later draws.
keep_seed <- function(code) {
  restore <- keep_stream()
  on.exit(restore())
  code
}

# What this process keeps as a worker: the store of each data set (data_worker_calls.R), by the id of the
# data, and the data of a comparison (cv_workers.R).
worker_store <- new.env(parent = emptyenv())
