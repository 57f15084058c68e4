# The process: child processes for code that does not listen to the user, random streams, clusters.

# Code of other packages that runs for long and does not listen to the user.

# The value of `code`, a function without arguments. Where R can fork it is computed by a child process: an
# interrupt or a time limit ends the child, and the session is at its prompt at once. Random numbers, warnings
# and errors are those of a call in this process, which is what is done elsewhere, and where `operations` says
# that the work is a matter of a few tenths of a second.
in_child <- function(code, operations = Inf) {
  if (.Platform$OS.type == "windows" || operations < 5e8) return(code())
  seed <- function() get0(".Random.seed", globalenv(), inherits = FALSE)
  # Without a stream the child would make one, and so would the next call.
  if (is.null(seed())) stats::runif(1)
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
  # A child that something else has ended gives no answer.
  if (is.null(found)) return(code())
  assign(".Random.seed", found$seed, envir = globalenv())
  for (w in found$warnings) warning(w)
  found$value
}

# The second answer of a child is that it has ended. R warns where it knows that already.
reap <- function(child) suppressWarnings(parallel::mccollect(child, wait = FALSE, timeout = 1))

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

# A function that puts the caller's random numbers back to where they are now.
keep_stream <- function() {
  kind <- RNGkind()
  seed <- if (exists(".Random.seed", globalenv(), inherits = FALSE)) get(".Random.seed", globalenv())
  function() {
    # R warns of samplers that it keeps for old results only.
    suppressWarnings(do.call(RNGkind, as.list(kind)))
    if (is.null(seed)) rm(".Random.seed", envir = globalenv()) else assign(".Random.seed", seed, globalenv())
  }
}

# The same draws whatever generator the session, or a worker, has chosen.
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

# parallel reports a lost worker as an error about connections.
with_workers <- function(call, code) {
  on_failure(code, function(e) {
    if (inherits(e, "landmarker_error")) stop(e)
    abort_input(
      c("The workers of {.arg cl} must keep running.", i = "Start another cluster."),
      arg = "cl", kind = "worker", call = call, parent = e
    )
  })
}

# Random numbers that a reader draws do not count: it may be called more often for some data than for others.
keep_seed <- function(code) {
  restore <- keep_stream()
  on.exit(restore())
  code
}

# What this process holds as a worker: an environment for each data set, by its id.
worker_store <- new.env(parent = emptyenv())
