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
