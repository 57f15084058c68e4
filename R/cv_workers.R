# The tasks of a comparison on the workers of a cluster.

# The same on a worker, one thread each.
run_on_worker <- function(tasks, data, key) {
  old <- options(landmarker.threads = getOption("landmarker.threads", 1L))
  on.exit(options(old))
  if (!is.null(data)) assign(key, data, worker_store)
  data <- worker_store[[key]]
  # Another worker has the data: some clusters hand calls to any worker that is idle.
  if (is.null(data)) return(NULL)
  tryCatch(run_tasks(tasks, data), error = function(e) e)
}

forget_on_worker <- function(key) suppressWarnings(rm(list = key, envir = worker_store))

# What each worker finds of its chunk of the tasks. With a progress bar in ten rounds, else in one. The data
# travel in the first.
run_in_rounds <- function(tasks, data, chunks, cl) {
  bar <- progress_start("Cross-validating", length(tasks))
  key <- paste0("tasks-", Sys.getpid(), "-", as.numeric(Sys.time()))
  on.exit(try(parallel::clusterCall(cl, forget_on_worker, key), silent = TRUE))
  rounds <- if (is.null(bar)) 1 else 10
  cut <- lapply(chunks, function(chunk) split(chunk, ceiling(seq_along(chunk) * rounds / length(chunk))))
  found <- vector("list", length(chunks))
  for (r in seq_len(max(lengths(cut)))) {
    some <- which(lengths(cut) >= r)
    shares <- lapply(cut[some], function(parts) tasks[parts[[r]]])
    here <- parallel::clusterApply(cl, shares, run_on_worker, data = if (r == 1) data, key = key)
    absent <- which(vapply(here, is.null, NA))
    if (length(absent)) {
      here[absent] <- parallel::clusterApply(cl, shares[absent], run_on_worker, data = data, key = key)
    }
    for (k in seq_along(some)) {
      if (inherits(here[[k]], "condition")) return(list(here[[k]]))
      found[[some[k]]] <- c(found[[some[k]]], here[[k]])
    }
    progress_step(bar, sum(lengths(shares)))
  }
  found
}

# All tasks, here or on workers: the numbers are the same, since each task sets
# its own seed.
distribute_tasks <- function(tasks, data, cl, call) {
  if (is.null(cl)) {
    bar <- progress_start("Cross-validating", length(tasks))
    # The bar belongs to this call, whoever tells of its steps. Fits have no bars of their own.
    here <- environment()
    rlang::local_options(landmarker.progress = FALSE)
    return(run_tasks(tasks, data, function(share) progress_step(bar, share, here)))
  }
  workers <- if (inherits(cl, "cluster")) length(cl) else cl
  # Assigned in turn, so that each worker gets fast and slow tasks.
  turn <- (seq_along(tasks) - 1) %% workers + 1
  chunks <- split(seq_along(tasks), turn)
  found <- if (inherits(cl, "cluster")) {
    with_workers(call, {
      check_workers(cl, call)
      run_in_rounds(tasks, data, chunks, cl)
    })
  } else {
    shares <- lapply(chunks, function(chunk) tasks[chunk])
    key <- "forked"
    parallel::mclapply(
      shares, run_on_worker, data = data, key = key, mc.cores = workers, mc.preschedule = FALSE
    )
  }
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
