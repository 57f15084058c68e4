# The tasks of a comparison on the workers of a cluster.

# run_tasks() on a worker, with one thread. `data`: NULL where the worker has them from an earlier call.
run_on_worker <- function(tasks, data, key) {
  old <- options(landmarker.threads = getOption("landmarker.threads", 1L))
  on.exit(options(old))
  if (!is.null(data)) assign(key, data, worker_store)
  data <- worker_store[[key]]
  # It was another worker that got the data: some clusters give a call to any worker that is idle. NULL asks
  # for the call again, with the data.
  if (is.null(data)) return(NULL)
  tryCatch(run_tasks(tasks, data), error = function(e) e)
}

forget_on_worker <- function(key) suppressWarnings(rm(list = key, envir = worker_store))

# The results of the tasks of each chunk, a list by chunk. `chunks`: the numbers of the tasks of each worker.
# With a progress bar the work is cut into ten rounds, after each of which the bar moves. The data are sent in
# the first round.
run_in_rounds <- function(tasks, data, chunks, cl, facts) {
  bar <- progress_start("Cross-validating", length(tasks))
  key <- paste0("tasks-", Sys.getpid(), "-", as.numeric(Sys.time()))
  on.exit(or_else(call_nodes(cl, forget_on_worker, rep(list(key), length(cl)), facts = facts), NULL))
  # The line above takes the place of cli's own on.exit(), which ends a bar.
  on.exit(progress_done(bar), add = TRUE)
  rounds <- if (is.null(bar)) 1 else 10
  cut <- lapply(chunks, function(chunk) split(chunk, ceiling(seq_along(chunk) * rounds / length(chunk))))
  found <- vector("list", length(chunks))
  for (r in seq_len(max(lengths(cut)))) {
    some <- which(lengths(cut) >= r)
    shares <- lapply(cut[some], function(parts) tasks[parts[[r]]])
    here <- call_nodes(cl, run_on_worker, shares, data = if (r == 1) data, key = key, facts = facts)
    absent <- which(vapply(here, is.null, NA))
    if (length(absent)) {
      here[absent] <- call_nodes(cl, run_on_worker, shares[absent], data = data, key = key, facts = facts)
    }
    for (k in seq_along(some)) {
      if (inherits(here[[k]], "condition")) return(list(here[[k]]))
      found[[some[k]]] <- c(found[[some[k]]], here[[k]])
    }
    progress_step(bar, sum(lengths(shares)))
  }
  found
}

# The results of all tasks, computed here or by workers. They are the same, because each task sets its own
# seed.
distribute_tasks <- function(tasks, data, cl, call) {
  if (is.null(cl)) {
    bar <- progress_start("Cross-validating", length(tasks))
    # cli ends a bar with the function that it belongs to: this one, not the one that moves the bar.
    here <- environment()
    rlang::local_options(landmarker.progress = FALSE)
    return(run_tasks(tasks, data, function(share) progress_step(bar, share, here)))
  }
  workers <- if (inherits(cl, "cluster")) length(cl) else cl
  # Tasks go to the workers in turn, so that each worker gets fast and slow ones.
  turn <- (seq_along(tasks) - 1) %% workers + 1
  chunks <- split(seq_along(tasks), turn)
  found <- if (inherits(cl, "cluster")) {
    with_workers(call, {
      facts <- check_workers(cl, call)
      run_in_rounds(tasks, data, chunks, cl, facts)
    })
  } else {
    shares <- lapply(chunks, function(chunk) tasks[chunk])
    key <- "forked"
    before_fork()
    parallel::mclapply(
      shares, run_on_worker, data = data, key = key, mc.cores = workers, mc.preschedule = FALSE
    )
  }
  after_fork()
  for (worker in found) if (inherits(worker, "condition")) rlang::cnd_signal(worker)
  lost <- !vapply(found, is.list, NA)
  if (any(lost)) {
    abort_input(c("The workers of {.arg cl} must keep running.", x = "One stopped before its work was done."),
      arg = "cl", kind = "worker", call = call
    )
  }
  out <- vector("list", length(tasks))
  out[unlist(chunks)] <- unlist(found, recursive = FALSE)
  out
}
