# Calls to the workers of a cluster that hold rows of one data set, and what the workers do with them.
#
# Every call goes to all workers and waits for all answers. Calls are numbered: a worker that gets the same
# call twice gives the same answer again, because some clusters hand a call to any worker that is idle. A
# worker finds its own share of a call by its number.
#
# `workers`: an environment with `cl`, the cluster; `id`, the name of the data on the workers; `facts`, of
# each worker as worker_open() gives them; `calls`, how many were made; `free`, names of what the workers may
# forget; `bytes`, what the calls have moved, counted where it is not NULL; `owing`, the workers whose answers
# have not come; `midway`, whether a message is being sent or received; and `lost`, the error that ended the
# connection.

# ---- the session that owns the cluster ----------------------------------------------

# The values of task(held, share, ...) on each worker, in their order. `task`: a function of this package.
# `share`: a list with an element for each worker, or NULL.
ask_workers <- function(workers, task, ..., share = NULL) {
  if (isTRUE(workers$midway) && is.null(workers$lost)) {
    lose_workers(workers, NULL, words = "An interrupt came in the middle of a message.")
  }
  if (!is.null(workers$lost)) abort_lost(workers, workers$lost$words, workers$lost$parent)
  workers$calls <- workers$calls + 1L
  # A copy of the data, as a file keeps it, counts for itself: the time tells its calls apart.
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

# The answers of all workers. For sockets and MPI sending and receiving are apart: an interrupt comes while
# the answers are awaited, and the next call takes those that were owed before it sends. Both speak the
# protocol of package parallel.
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

# Package snow has made a node of MPI, so it is loaded.
of_snow <- function(name) getExportedValue("snow", name)

send_to <- function(node, message) {
  if (inherits(node, "MPInode")) return(of_snow("sendCall")(node, answer_call, list(message)))
  task <- list(fun = answer_call, args = list(message), return = TRUE, tag = NULL)
  serialize(list(type = "EXEC", data = task, tag = NULL), node$con, xdr = !inherits(node, "SOCK0node"))
}

receive_from <- function(node) {
  if (inherits(node, "MPInode")) of_snow("recvResult")(node) else unserialize(node$con)$value
}

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

# Those whose answers have come, or whose connection has failed; none after a while.
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

# A connection that failed stays closed. The worker that ended is found by its process, or by a further call
# to each.
lose_workers <- function(workers, error, silent = NULL, words = NULL) {
  words <- words %||% lost_words(workers, silent)
  stop_workers(workers$cl)
  workers$lost <- list(words = words, parent = error)
  abort_lost(workers, words, error)
}

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

# Answers of the other workers may still be on their way, so that the cluster cannot be used any more.
# stopCluster() would end at the worker that is gone, and leave connections open. MPI might wait for the
# worker.
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

# An error on a worker. One for a missing value says where it is, the others get the worker's name.
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

# The answer of this worker to a call. It never fails: an error is part of the answer.
answer_call <- function(message) {
  held <- worker_store[[message$id]]
  if (is.null(held)) return(NULL)
  if (identical(held$number, message$number)) return(held$answer)
  rm(list = intersect(message$free, ls(held$kept)), envir = held$kept)
  answer <- tryCatch(
    list(
      value = do.call(message$task, c(list(held, message$share[[held$worker]]), message$args), quote = TRUE)
    ),
    error = function(e) list(error = light_error(e))
  )
  held$number <- message$number
  held$answer <- structure(c(answer, worker = held$worker, number = message$number), class = "worker_answer")
  held$answer
}

# An error without the frames that it was raised in.
light_error <- function(error) {
  error["trace"] <- NULL
  error["call"] <- list(NULL)
  if (inherits(error$parent, "condition")) error$parent <- light_error(error$parent)
  error
}

# A call by `::` would let R CMD check load Rmpi, which starts MPI and leaves its files behind.
mpi_probe <- function(...) getExportedValue("Rmpi", "mpi.iprobe")(...)
