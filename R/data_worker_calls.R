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
  if (!is.null(workers$lost)) abort_lost(workers, workers$lost$words, workers$lost$parent)
  find_again(workers)
  workers$calls <- workers$calls + 1L
  # The number of the call, and the time: a copy of `workers` counts on from the same number, and a worker
  # must not take a call of it for one that it knows.
  number <- sprintf("%d at %.6f", workers$calls, as.numeric(Sys.time()))
  message <- list(
    id = workers$id, number = number, task = for_workers(task), share = share, args = list(...),
    free = workers$free
  )
  answers <- vector("list", length(workers$cl))
  bar <- progress_start("Waiting for workers", length(answers))
  everywhere <- rep(list(message), length(answers))
  for (attempt in 1:5) {
    found <- on_failure(
      call_nodes(workers$cl, answer_call, everywhere, facts = workers$facts, bar = bar), identity
    )
    if (inherits(found, "error")) lose_workers(workers, found)
    strange <- which(vapply(found, inherits, NA, "unknown_data"))
    if (length(strange)) refuse_workers(workers, strange[1])
    for (answer in found) if (is_answer(answer, message$number)) answers[[answer$worker]] <- answer
    if (!any(vapply(answers, is.null, NA))) break
  }
  silent <- which(vapply(answers, is.null, NA))
  if (length(silent)) lose_workers(workers, NULL, silent)
  workers$free <- setdiff(workers$free, message$free)
  count_bytes(workers, message, answers)
  for (answer in answers) {
    for (text in answer$warnings) {
      warning(worker_words(workers, answer$worker), ": ", text, call. = FALSE)
    }
  }
  failed <- which(vapply(answers, function(answer) !is.null(answer$error), NA))
  if (length(failed)) abort_worker(workers, failed[1], answers[[failed[1]]]$error)
  lapply(answers, `[[`, "value")
}

is_answer <- function(answer, number) inherits(answer, "worker_answer") && identical(answer$number, number)

# A copy of `workers` that was read from a file has the numbers of the connections only. They may be those of
# another cluster by now, so the workers are asked first, by a function of R that has no need of this package.
find_again <- function(workers) {
  is_copy <- function(node) identical(attr(node$con, "conn_id"), methods::new("externalptr"))
  if (!inherits(workers$cl[[1]], socket_nodes) || !is_copy(workers$cl[[1]])) return(invisible())
  cl <- workers$cl
  know <- function(id) {
    "landmarker" %in% loadedNamespaces() && exists(id, get("worker_store", asNamespace("landmarker")))
  }
  environment(know) <- baseenv()
  found <- or_else({
    for (w in seq_along(cl)) cl[[w]]$con <- getConnection(as.integer(cl[[w]]$con))
    all(vapply(cl, function(node) inherits(node$con, "sockconn"), NA)) &&
      all(unlist(call_nodes(cl, know, rep(list(workers$id), length(cl)))))
  }, FALSE)
  if (!isTRUE(found)) lose_workers(workers, gone_condition())
  workers$cl <- cl
}

# Ends the connection to all workers after an error, with an error that says which worker has stopped, as far
# as that can be found. It stays ended: answers of the other workers may still be on their way.
lose_workers <- function(workers, error, silent = NULL) {
  gone <- inherits(error, "nodes_gone")
  words <- if (gone) gone_words else lost_words(workers, silent)
  close_nodes(workers$cl)
  workers$lost <- list(words = words, parent = if (!gone) error)
  abort_lost(workers, words, workers$lost$parent)
}

# An error where a worker does not know the data. It may be one of another cluster, and is left alone.
refuse_workers <- function(workers, w) {
  abort_input(c(
    "The workers of {.arg cl} must have the data that {.fn on_workers} gave them.",
    x = "{worker_words(workers, w)} does not have them any more. It may have unloaded {.pkg landmarker}.",
    i = "Call {.fn on_workers} again. The cluster is left as it is."
  ), arg = "cl", kind = "worker", call = NULL)
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

worker_words <- function(workers, w) node_words(workers$facts, w)

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
  if (is.null(store)) return(structure(list(), class = "unknown_data"))
  if (identical(store$number, message$number)) return(store$answer)
  rm(list = intersect(message$free, ls(store$kept)), envir = store$kept)
  told <- character()
  answer <- withCallingHandlers(
    tryCatch(
      list(
        value = do.call(message$task, c(list(store, message$share[[store$worker]]), message$args),
          quote = TRUE
        )
      ),
      error = function(e) list(error = light_error(e))
    ),
    warning = function(w) {
      told <<- unique(c(told, conditionMessage(w)))
      tryInvokeRestart("muffleWarning")
    }
  )
  answer$warnings <- utils::head(told, 5)
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
