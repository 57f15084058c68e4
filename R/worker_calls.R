# Calls to the workers of a cluster that hold rows of one data set, and what the workers do with them.
#
# Every call goes to all workers and waits for all answers. Calls are numbered: a worker that gets the same call
# twice gives the same answer again, because some clusters hand a call to any worker that is idle. A worker finds its
# own share of a call by its number.
#
# `workers`: an environment with `cl`, the cluster; `id`, the name of the data on the workers; `facts`, of each worker
# as worker_facts() gives them; `calls`, how many were made; `free`, names of what the workers may forget; `bytes`,
# what the calls have moved, counted where it is not NULL; and `lost`, the error that ended the connection.

# ---- the session that owns the cluster ----------------------------------------------

# The values of task(held, share, ...) on each worker, in their order. `task`: a function of this package.
# `share`: a list with an element for each worker, or NULL.
ask_workers <- function(workers, task, ..., share = NULL) {
  if (!is.null(workers$lost)) abort_lost(workers, workers$lost$words, workers$lost$parent)
  workers$calls <- workers$calls + 1L
  message <- list(
    id = workers$id, number = workers$calls, task = for_workers(task), share = share, args = list(...),
    free = workers$free
  )
  workers$free <- NULL
  answers <- vector("list", length(workers$cl))
  for (attempt in 1:5) {
    # An interrupt waits until all workers are idle again.
    found <- tryCatch(suspendInterrupts(call_cluster(workers, message)), error = identity)
    if (inherits(found, "error")) lose_workers(workers, found)
    for (answer in found) if (inherits(answer, "worker_answer")) answers[[answer$worker]] <- answer
    if (!any(vapply(answers, is.null, NA))) break
  }
  silent <- which(vapply(answers, is.null, NA))
  if (length(silent)) lose_workers(workers, NULL, silent)
  count_bytes(workers, message, answers)
  failed <- which(vapply(answers, function(answer) !is.null(answer$error), NA))
  if (length(failed)) abort_worker(workers, failed[1], answers[[failed[1]]]$error)
  lapply(answers, `[[`, "value")
}

call_cluster <- function(workers, message) {
  if (!inherits(workers$cl[[1]], "MPInode")) return(parallel::clusterCall(workers$cl, answer_call, message))
  for (node in workers$cl) snow::sendCall(node, answer_call, list(message))
  lapply(seq_along(workers$cl), function(w) {
    wait_for_mpi(workers, w)
    snow::recvResult(workers$cl[[w]])
  })
}

# MPI waits for ever for a process that has died: its answer is received only once it is there.
wait_for_mpi <- function(workers, w) {
  node <- workers$cl[[w]]
  pause <- 1e-4
  while (!Rmpi::mpi.iprobe(node$rank, node$RECVTAG, node$comm)) {
    Sys.sleep(pause)
    pause <- min(2 * pause, 0.05)
    if (pause == 0.05 && has_died(workers$facts[[w]])) stop("the process has ended")
  }
}

# Whether the process of a worker on this machine has ended. That of another machine is not known.
has_died <- function(facts) {
  if (is.null(facts) || !identical(facts$host, Sys.info()[["nodename"]])) return(FALSE)
  status <- file.path("/proc", facts$pid, "stat")
  if (!dir.exists("/proc/self")) return(!isTRUE(tools::pskill(facts$pid, 0)))
  line <- tryCatch(suppressWarnings(readLines(status, n = 1)), error = function(e) "")
  !nzchar(line) || grepl("^[0-9]+ \\(.*\\) [ZX]", line)
}

# A connection that failed stays closed. The worker that ended is found by its process, or by a further call to each.
lose_workers <- function(workers, error, silent = NULL) {
  gone <- which(vapply(workers$facts, has_died, NA))
  if (length(gone) == 0) gone <- silent
  if (length(gone) == 0 && inherits(workers$cl[[1]], c("SOCKnode", "SOCK0node"))) {
    alive <- function(w) {
      tryCatch(is.list(parallel::clusterCall(workers$cl[w], Sys.getpid)), error = function(e) FALSE)
    }
    gone <- which(!vapply(seq_along(workers$cl), alive, NA))
  }
  stop_workers(workers$cl)
  words <- if (length(gone)) paste(worker_words(workers, gone[1]), "has stopped.") else "A worker has stopped."
  workers$lost <- list(words = words, parent = error)
  abort_lost(workers, words, error)
}

# Answers of the other workers may still be on their way, so that the cluster cannot be used any more. stopCluster()
# would end at the worker that is gone, and leave connections open. MPI might wait for the worker.
stop_workers <- function(cl) {
  quietly <- function(code) try(suppressWarnings(code), silent = TRUE)
  if (inherits(cl[[1]], c("SOCKnode", "SOCK0node"))) {
    for (w in seq_along(cl)) {
      quietly(parallel::stopCluster(cl[w]))
      quietly(close(cl[[w]]$con))
    }
  } else if (!inherits(cl[[1]], "MPInode")) {
    quietly(parallel::stopCluster(cl))
  }
}

worker_words <- function(workers, w) {
  facts <- workers$facts[[w]]
  if (is.null(facts)) return(paste("Worker", w))
  sprintf("Worker %d (process %d on %s)", w, facts$pid, facts$host)
}

abort_lost <- function(workers, words, parent) {
  abort_input(c(
    "The workers of {.arg cl} must keep running.",
    x = "{words}",
    i = "The cluster cannot be used any more. Start another, and call {.fn on_workers} again."
  ), arg = "cl", kind = "worker", call = NULL, parent = parent)
}

# An error on a worker. One for a missing value says where it is, the others get the worker's name.
abort_worker <- function(workers, w, error) {
  if (inherits(error, "landmarker_error_missing")) rlang::cnd_signal(error)
  kind <- sub("^landmarker_error_", "", grep("^landmarker_error_", class(error), value = TRUE))
  abort_input("{worker_words(workers, w)} could not do its work.",
    arg = "x", kind = c("worker", kind), call = NULL, parent = error
  )
}

count_bytes <- function(workers, message, answers) {
  if (is.null(workers$bytes)) return(invisible())
  size <- function(object) length(serialize(object, NULL))
  workers$bytes <- workers$bytes + c(
    calls = 1, sent = size(message) * length(workers$cl), received = sum(vapply(answers, size, 0))
  )
}

# A function as it travels: without the frame that it was made in, except for the values that it uses.
for_workers <- function(f) {
  if (is.primitive(f) || identical(environment(f), topenv(environment(f)))) return(f)
  words <- setdiff(c(all.names(body(f)), unlist(lapply(formals(f), all.names))), names(formals(f)))
  used <- list()
  frame <- environment(f)
  while (!identical(frame, topenv(frame)) && !identical(frame, emptyenv())) {
    for (name in setdiff(intersect(words, ls(frame, all.names = TRUE)), names(used))) {
      value <- get(name, frame)
      used[name] <- list(if (is.function(value)) for_workers(value) else value)
    }
    frame <- parent.env(frame)
  }
  environment(f) <- list2env(used, parent = topenv(environment(f)))
  utils::removeSource(f)
}

# ---- a worker ---------------------------------------------------------------

# What this process holds as a worker: an environment for each data set, by its id.
worker_store <- new.env(parent = emptyenv())

# The answer of this worker to a call. It never fails: an error is part of the answer.
answer_call <- function(message) {
  held <- worker_store[[message$id]]
  if (is.null(held)) return(NULL)
  if (identical(held$number, message$number)) return(held$answer)
  rm(list = intersect(message$free, ls(held$kept)), envir = held$kept)
  answer <- tryCatch(
    list(value = do.call(message$task, c(list(held, message$share[[held$worker]]), message$args), quote = TRUE)),
    error = function(e) list(error = light_error(e))
  )
  held$number <- message$number
  held$answer <- structure(c(answer, worker = held$worker), class = "worker_answer")
  held$answer
}

# An error without the frames that it was raised in.
light_error <- function(error) {
  error["trace"] <- NULL
  error["call"] <- list(NULL)
  if (inherits(error$parent, "condition")) error$parent <- light_error(error$parent)
  error
}
