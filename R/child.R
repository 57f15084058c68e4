# Code of other packages that runs for long and does not listen to the user.

# The value of `code`, a function without arguments, computed by a child process where R can fork: an interrupt
# or a time limit stops the child, and the session is at its prompt at once. The child starts from the stream of
# random numbers and leaves it as the code alone would do. Elsewhere the code runs in this process.
in_child <- function(code) {
  if (.Platform$OS.type == "windows") return(code())
  work <- function() {
    value <- code()
    list(value = value, seed = get0(".Random.seed", globalenv(), inherits = FALSE))
  }
  # Without a stream the child would make one, and so would the next call.
  if (is.null(get0(".Random.seed", globalenv(), inherits = FALSE))) stats::runif(1)
  child <- parallel::mcparallel(work(), mc.set.seed = FALSE, silent = TRUE)
  done <- FALSE
  on.exit(if (!done) end_child(child))
  found <- NULL
  while (is.null(found)) found <- parallel::mccollect(child, wait = FALSE, timeout = 0.05)
  done <- TRUE
  reap(child)
  found <- found[[1]]
  if (inherits(found, "try-error")) stop(attr(found, "condition"))
  # A child that was killed has no answer.
  if (!is.list(found)) return(code())
  if (!is.null(found$seed)) assign(".Random.seed", found$seed, envir = globalenv())
  found$value
}

end_child <- function(child) {
  tools::pskill(child$pid, tools::SIGKILL)
  reap(child)
}

# Its second answer is that it has ended; R warns where it knows that already.
reap <- function(child) suppressWarnings(parallel::mccollect(child, wait = FALSE, timeout = 1))
