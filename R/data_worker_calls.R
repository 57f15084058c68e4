# Calls to the workers of a cluster that have the rows of one data set, and what the workers do with them.
#
# Every call goes to all workers and waits for all answers. Some clusters give a call to any worker that is
# idle: one worker may get a call twice, and another none. So calls are numbered, a worker answers a call that
# it knows with its answer of before, and the session repeats the call until each worker has answered. Workers
# are numbered too: a call has a share for each of them, and a worker finds its own by its number.
#
# `workers` is an environment of the session with
#
#   cl, id    the cluster, and the name of the data on the workers
#   facts     of each worker, as worker_open() returns them
#   calls     how many calls were made
#   free      names of sources and states that the workers may forget
#   bytes     NULL, or how many calls and bytes were sent and received
#   owing     the numbers of the workers whose answers have not come yet
#   midway    whether a message is being sent or received
#   lost      what ended the connection: list(words, parent)
#   names     how many names were given to sources and states of the workers
#
# `store` is an environment of a worker (in worker_store, by `id`) with its number `worker`, its `data`,
# `kept`, its sources and states by name, and the `number` and `answer` of the last call.

# ---- the session that owns the cluster ----------------------------------------------

# The values of task(store, share, ...) on all workers, in their order. `task`: a function of this package,
# whose first arguments are the worker's store and its element of `share`, a list with an element for each
# worker, or NULL.
ask_workers <- function(workers, task, ..., share = NULL) {
  if (isTRUE(workers$midway) && is.null(workers$lost)) {
    lose_workers(workers, NULL, words = "An interrupt came in the middle of a message.")
  }
  if (!is.null(workers$lost)) abort_lost(workers, workers$lost$words, workers$lost$parent)
  workers$calls <- workers$calls + 1L
  # The number of the call, and the time. `workers` that were saved in a file and read again count on from the
  # same number as the original: without the time a worker would take a call of theirs for one that it knows.
  number <- sprintf("%d at %.6f", workers$calls, as.numeric(Sys.time()))
  message <- list(
    id = workers$id, number = number, task = for_workers(task), share = share, args = list(...),
    free = workers$free
  )
  workers$free <- NULL
  answers <- vector("list", length(workers$cl))
  for (attempt in 1:5) {
    found <- on_failure(call_cluster(workers, message), identity)
    if (inherits(found, "error")) lose_workers(workers, found)
    for (answer in found) if (is_answer(answer, message$number)) answers[[answer$worker]] <- answer
    if (!any(vapply(answers, is.null, NA))) break
  }
  silent <- which(vapply(answers, is.null, NA))
  if (length(silent)) lose_workers(workers, NULL, silent)
  count_bytes(workers, message, answers)
  failed <- which(vapply(answers, function(answer) !is.null(answer$error), NA))
  if (length(failed)) abort_worker(workers, failed[1], answers[[failed[1]]]$error)
  lapply(answers, `[[`, "value")
}

is_answer <- function(answer, number) inherits(answer, "worker_answer") && identical(answer$number, number)

# Sends a message to all workers and returns their answers. Clusters of sockets and of MPI use the protocol of
# package parallel. For these the message is first sent to all, then the answers are awaited. A user's
# interrupt comes while they are awaited, and the connection stays in order: the next call takes the answers
# that are still owed before it sends its message.
call_cluster <- function(workers, message) {
  if (!inherits(workers$cl[[1]], c(socket_nodes, "MPInode"))) {
    return(parallel::clusterCall(workers$cl, answer_call, message))
  }
  take_owed(workers)
  for (w in seq_along(workers$cl)) {
    workers$midway <- TRUE
    send_to(workers$cl[[w]], message)
    workers$owing <- c(workers$owing, w)
    workers$midway <- FALSE
  }
  take_owed(workers, progress_start("Waiting for workers", length(workers$cl)))
}

socket_nodes <- c("SOCKnode", "SOCK0node")

# A function of package snow, which is loaded where there are nodes of MPI: it has made them.
of_snow <- function(name) getExportedValue("snow", name)

send_to <- function(node, message) {
  if (inherits(node, "MPInode")) return(of_snow("sendCall")(node, answer_call, list(message)))
  task <- list(fun = answer_call, args = list(message), return = TRUE, tag = NULL)
  serialize(list(type = "EXEC", data = task, tag = NULL), node$con, xdr = !inherits(node, "SOCK0node"))
}

receive_from <- function(node) {
  if (inherits(node, "MPInode")) of_snow("recvResult")(node) else unserialize(node$con)$value
}

# Waits for the answers that are owed, and returns them in the places of their workers.
take_owed <- function(workers, bar = NULL) {
  found <- vector("list", length(workers$cl))
  while (length(workers$owing)) {
    for (w in ready_workers(workers)) {
      workers$midway <- TRUE
      found[w] <- list(receive_from(workers$cl[[w]]))
      workers$owing <- setdiff(workers$owing, w)
      workers$midway <- FALSE
      progress_step(bar)
    }
  }
  found
}

# The owing workers whose answers have come, or whose connection has failed. For sockets it waits a second at
# most, and then returns none, so that R can react to an interrupt.
ready_workers <- function(workers) {
  nodes <- workers$cl[workers$owing]
  if (!inherits(nodes[[1]], "MPInode")) {
    return(workers$owing[socketSelect(lapply(nodes, `[[`, "con"), FALSE, timeout = 1)])
  }
  # MPI would wait for ever for a process that has died.
  pause <- 1e-4
  repeat {
    here <- vapply(
      nodes, function(node) isTRUE(as.logical(mpi_probe(node$rank, node$RECVTAG, node$comm))), NA
    )
    if (any(here)) return(workers$owing[here])
    Sys.sleep(pause)
    pause <- min(2 * pause, 0.05)
    if (pause == 0.05 && any(vapply(workers$facts[workers$owing], has_died, NA))) {
      stop("the process has ended")
    }
  }
}

# Whether the process of a worker on this machine has ended. That of another machine is not known.
has_died <- function(facts) {
  if (is.null(facts) || !identical(facts$host, Sys.info()[["nodename"]])) return(FALSE)
  status <- file.path("/proc", facts$pid, "stat")
  if (!dir.exists("/proc/self")) return(!isTRUE(tools::pskill(facts$pid, 0)))
  line <- or_else(suppressWarnings(readLines(status, n = 1)), "")
  !nzchar(line) || grepl("^[0-9]+ \\(.*\\) [ZX]", line)
}

# Ends the connection to all workers after an error, with an error that says which worker has stopped, as far
# as that can be found. It stays ended.
lose_workers <- function(workers, error, silent = NULL, words = NULL) {
  words <- words %||% lost_words(workers, silent)
  stop_workers(workers$cl)
  workers$lost <- list(words = words, parent = error)
  abort_lost(workers, words, error)
}

# Which worker has stopped, in words: one whose process has ended, one of those that gave no answer
# (`silent`), or one that does not answer a further call.
lost_words <- function(workers, silent) {
  # The connection of a process may be gone before the process is.
  for (attempt in 1:20) {
    gone <- which(vapply(workers$facts, has_died, NA))
    if (length(gone) || length(silent)) break
    Sys.sleep(0.05)
  }
  if (length(gone) == 0) gone <- silent
  if (length(gone) == 0 && inherits(workers$cl[[1]], socket_nodes)) {
    alive <- function(w) or_else(is.list(parallel::clusterCall(workers$cl[w], Sys.getpid)), FALSE)
    gone <- which(!vapply(seq_along(workers$cl), alive, NA))
  }
  if (length(gone)) paste(worker_words(workers, gone[1]), "has stopped.") else "A worker has stopped."
}

# Stops a cluster of which a worker is gone. Answers of the other workers may still be on their way, so that
# it cannot be used any more. Workers at sockets are stopped one by one: stopCluster() would fail at the
# worker that is gone, and leave the connections to the others open. A cluster of MPI is left as it is,
# because MPI might wait for the lost worker for ever.
stop_workers <- function(cl) {
  quietly <- function(code) try(suppressWarnings(code), silent = TRUE)
  if (inherits(cl[[1]], socket_nodes)) {
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

# Raises an error that a worker has sent. The error for a missing value names its row, and is raised as it is.
# Others are raised with the worker's name, and become the parent of the new error.
abort_worker <- function(workers, w, error) {
  if (inherits(error, "landmarker_error_missing")) rlang::cnd_signal(error)
  kind <- sub("^landmarker_error_", "", grep("^landmarker_error_", class(error), value = TRUE))
  absent <- grepl("object .* not found|could not find function", conditionMessage(error))
  abort_input(c(
    "{worker_words(workers, w)} could not do its work.",
    i = if (absent) {
      "Define {.arg read} inside a function or {.code local()}: what it uses there travels with it."
    }
  ), arg = "x", kind = c("worker", kind), call = NULL, parent = error
  )
}

# For tests and benchmarks: adds up the bytes of a call, where `workers$bytes` is not NULL.
count_bytes <- function(workers, message, answers) {
  if (is.null(workers$bytes)) return(invisible())
  size <- function(object) length(serialize(object, NULL))
  workers$bytes <- workers$bytes + c(
    calls = 1, sent = size(message) * length(workers$cl), received = sum(vapply(answers, size, 0))
  )
}

# A copy of a function to send to workers. A function of this package is sent as it is. Another one, that was
# made inside a function, would take all variables of that frame with it, perhaps the data: the copy has only
# those whose names occur in its code.
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

# The answer of this worker to a call. It never fails: an error is part of the answer.
answer_call <- function(message) {
  store <- worker_store[[message$id]]
  if (is.null(store)) return(NULL)
  if (identical(store$number, message$number)) return(store$answer)
  rm(list = intersect(message$free, ls(store$kept)), envir = store$kept)
  answer <- tryCatch(
    list(
      value = do.call(message$task, c(list(store, message$share[[store$worker]]), message$args), quote = TRUE)
    ),
    error = function(e) list(error = light_error(e))
  )
  store$number <- message$number
  store$answer <- structure(
    c(answer, worker = store$worker, number = message$number), class = "worker_answer"
  )
  store$answer
}

# An error without its trace and call, which hold the frames that it was raised in, and so the data.
light_error <- function(error) {
  error["trace"] <- NULL
  error["call"] <- list(NULL)
  if (inherits(error$parent, "condition")) error$parent <- light_error(error$parent)
  error
}

# A call by `::` would let R CMD check load Rmpi, which starts MPI and leaves its files behind.
mpi_probe <- function(...) getExportedValue("Rmpi", "mpi.iprobe")(...)
