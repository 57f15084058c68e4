# Calls on the workers of a cluster of package parallel.
#
# A worker of a socket or of MPI answers calls in their order, and nothing but the order tells package
# parallel which answer is of which call. So a call that ends early, by an interrupt or a time limit, must not
# leave an answer behind: the user's next call would take it for its own. call_nodes() gives each call a tag,
# which the worker sends back, and takes all that is owed before control is back.

# fun(share, ...) on a worker for each of `shares`, at most one for each worker; the values in their order.
# `facts`: of each worker as check_workers() returns them, or NULL. An error on a worker is an error here.
call_nodes <- function(cl, fun, shares, ..., facts = NULL, bar = NULL) {
  # They may be the answers to another call, which has to end before this one begins.
  list(shares, facts, ...)
  # Others, such as those of mirai, know which answer is of which call.
  if (!inherits(cl[[1]], tagged_nodes)) return(parallel::clusterApply(cl, shares, fun, ...))
  if (!all(vapply(cl, is_connected, NA))) stop(gone_condition())
  # The state of the calls: whose answers are owed, and whether a message is being sent or received.
  calls <- list2env(list(tag = new_tag(), owing = integer(), midway = FALSE), parent = emptyenv())
  failed <- FALSE
  on.exit(if (!failed && (calls$midway || length(calls$owing))) settle(cl, calls, facts))
  found <- on_failure({
    for (w in seq_along(shares)) send_to(cl, w, calls, fun, list(shares[[w]], ...))
    take_answers(cl, calls, facts, bar = bar)
  }, function(e) {
    # A worker has ended: with it, the order of answers is of no more use.
    failed <<- TRUE
    stop(e)
  })
  for (answer in found) if (inherits(answer$value, "try-error")) stop(as.character(answer$value))
  lapply(found[seq_along(shares)], `[[`, "value")
}

socket_nodes <- c("SOCKnode", "SOCK0node")
tagged_nodes <- c(socket_nodes, "MPInode")

new_tag <- function() sprintf("landmarker %d %.6f", Sys.getpid(), as.numeric(Sys.time()))

seconds_now <- function() proc.time()[["elapsed"]]

# ---- messages -------------------------------------------------------------------------

# A function of package snow, which is loaded where there are nodes of MPI: it has made them.
of_snow <- function(name) getExportedValue("snow", name)

send_to <- function(cl, w, calls, fun, args) {
  node <- cl[[w]]
  in_one_piece(calls, {
    if (inherits(node, "MPInode")) {
      of_snow("sendCall")(node, fun, args, tag = calls$tag)
    } else {
      task <- list(fun = fun, args = args, return = TRUE, tag = calls$tag)
      serialize(list(type = "EXEC", data = task, tag = NULL), node$con, xdr = !inherits(node, "SOCK0node"))
    }
    calls$owing <- c(calls$owing, w)
  })
}

receive_from <- function(cl, w, calls) {
  node <- cl[[w]]
  in_one_piece(calls, if (inherits(node, "MPInode")) of_snow("recvData")(node) else unserialize(node$con))
}

# Sends or receives a message. An interrupt comes before or after it. A limit of time may come within: R's
# sockets look at the time themselves. Then the message is cut, and the cluster is lost.
in_one_piece <- function(calls, code) {
  # R looks at the time here.
  Sys.sleep(0)
  suspendInterrupts({
    calls$midway <- TRUE
    value <- code
    calls$midway <- FALSE
  })
  value
}

# Waits until the time `until` for the answers that are owed, and returns them in the places of their workers.
# Answers to other calls are of calls that ended early, and nobody waits for them.
take_answers <- function(cl, calls, facts, until = Inf, bar = NULL) {
  found <- vector("list", length(cl))
  while (length(calls$owing) && seconds_now() < until) {
    for (w in ready_nodes(cl, calls$owing, facts, min(1, until - seconds_now()))) {
      answer <- receive_from(cl, w, calls)
      if (!identical(answer$tag, calls$tag)) next
      found[w] <- list(answer)
      calls$owing <- setdiff(calls$owing, w)
      progress_step(bar)
    }
  }
  found
}

# The owing workers whose answers have come, or whose connection has failed. It waits for so many `seconds`,
# at most 1, and then returns none, so that R can react to an interrupt.
ready_nodes <- function(cl, owing, facts, seconds) {
  nodes <- cl[owing]
  if (!inherits(nodes[[1]], "MPInode")) {
    return(owing[socketSelect(lapply(nodes, `[[`, "con"), FALSE, timeout = max(0, seconds))])
  }
  # MPI would wait for ever for a process that has died.
  until <- seconds_now() + seconds
  pause <- 1e-4
  repeat {
    here <- vapply(
      nodes, function(node) isTRUE(as.logical(mpi_probe(node$rank, node$RECVTAG, node$comm))), NA
    )
    if (any(here) || seconds_now() >= until) return(owing[here])
    Sys.sleep(pause)
    pause <- min(2 * pause, 0.05)
    if (pause == 0.05 && any(vapply(facts[owing], has_died, NA))) stop("the process has ended")
  }
}

# A call by `::` would let R CMD check load Rmpi, which starts MPI and leaves its files behind.
mpi_probe <- function(...) getExportedValue("Rmpi", "mpi.iprobe")(...)

# ---- a call that ends early -------------------------------------------------------------

# Takes the answers that are still owed. Where that takes more than a second, or a message was cut, the
# cluster is closed with a warning: it would give old answers to the user's next calls.
settle <- function(cl, calls, facts) {
  # A second interrupt waits until this is done.
  fine <- suspendInterrupts(!calls$midway && or_else(drain(cl, calls, facts), FALSE))
  if (fine) return(invisible())
  close_nodes(cl)
  words <- if (calls$midway) {
    "A message was cut"
  } else {
    sprintf("%s was still at work a second later", node_words(facts, calls$owing[1]))
  }
  warn_user(c(
    "The cluster {.arg cl} is closed after an interrupt or a time limit.",
    x = "{words}: the next calls would have got old answers.",
    i = "Start another cluster. This one needs no {.fn stopCluster}."
  ), kind = "worker", call = NULL)
}

# Whether all that is owed was taken. Workers on this machine are interrupted too. An interrupted worker gives
# no answer, so a short call comes after: once it is answered, nothing is owed.
drain <- function(cl, calls, facts) {
  take_answers(cl, calls, facts, until = seconds_now() + 0.2)
  busy <- calls$owing
  if (length(busy) == 0) return(TRUE)
  for (w in busy) interrupt_process(facts[[w]])
  calls$tag <- new_tag()
  calls$owing <- integer()
  for (w in busy) send_to(cl, w, calls, Sys.getpid, list())
  take_answers(cl, calls, facts, until = seconds_now() + 0.8)
  length(calls$owing) == 0
}

interrupt_process <- function(facts) {
  # On Windows a signal would end the process.
  if (.Platform$OS.type == "windows" || is.null(facts)) return(invisible())
  if (is_on_this_machine(facts) && !has_died(facts)) tools::pskill(facts$pid, tools::SIGINT)
}

# Closes the connections to workers at sockets, one by one: stopCluster() would fail at a worker that is gone,
# and leave the connections to the others open. R gives the number of a closed connection to the next one, so
# only connections that are still those of the cluster are closed. A cluster of MPI is left as it is, because
# MPI might wait for a lost worker for ever.
close_nodes <- function(cl) {
  quietly <- function(code) try(suppressWarnings(code), silent = TRUE)
  if (inherits(cl[[1]], "MPInode")) return(invisible())
  if (!inherits(cl[[1]], socket_nodes)) return(invisible(quietly(parallel::stopCluster(cl))))
  for (w in seq_along(cl)) {
    if (!is_connected(cl[[w]])) next
    quietly(parallel::stopCluster(cl[w]))
    if (is_connected(cl[[w]])) quietly(close(cl[[w]]$con))
  }
}

# Whether the connection of a node is still its own. Its number may be that of another one by now.
is_connected <- function(node) {
  if (!inherits(node, socket_nodes)) return(TRUE)
  own <- attr(node$con, "conn_id")
  now <- or_else(attr(getConnection(as.integer(node$con)), "conn_id"), "none")
  identical(own, now)
}

gone_words <- "The cluster was stopped, or closed after an interrupt, or is of another session."

gone_condition <- function() {
  structure(class = c("nodes_gone", "error", "condition"), list(message = gone_words, call = NULL))
}

# ---- the processes ------------------------------------------------------------------------

is_on_this_machine <- function(facts) identical(facts$host, Sys.info()[["nodename"]])

# Whether the process of a worker on this machine has ended. That of another machine is not known.
has_died <- function(facts) {
  if (is.null(facts) || !is_on_this_machine(facts)) return(FALSE)
  status <- file.path("/proc", facts$pid, "stat")
  if (!dir.exists("/proc/self")) return(!isTRUE(tools::pskill(facts$pid, 0)))
  line <- or_else(suppressWarnings(readLines(status, n = 1)), "")
  !nzchar(line) || grepl("^[0-9]+ \\(.*\\) [ZX]", line)
}

node_words <- function(facts, w) {
  if (is.null(facts[[w]])) return(paste("Worker", w))
  sprintf("Worker %d (process %d on %s)", w, facts[[w]]$pid, facts[[w]]$host)
}

# ---- a cluster as an argument ----------------------------------------------------------------

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

# Workers use the library paths of this session, and must find this package there. Returns the process and the
# machine of each.
check_workers <- function(cl, call) {
  # It runs on workers that may not have this package.
  look <- function(paths) {
    .libPaths(paths)
    list(
      has = requireNamespace("landmarker", quietly = TRUE), pid = Sys.getpid(),
      host = Sys.info()[["nodename"]]
    )
  }
  environment(look) <- baseenv()
  facts <- call_nodes(cl, look, rep(list(.libPaths()), length(cl)))
  there <- vapply(facts, `[[`, NA, "has")
  if (!all(there)) {
    abort_input(c(
      "Every worker of {.arg cl} must have the package {.pkg landmarker}.",
      x = "{sum(!there)} of {length(there)} cannot load it."
    ), arg = "cl", kind = "worker", call = call)
  }
  facts
}

# Evaluates code that calls workers. Package parallel reports a lost worker as an error about connections: the
# user gets one that says what it means.
with_workers <- function(call, code) {
  on_failure(code, function(e) {
    if (inherits(e, "landmarker_error")) stop(e)
    gone <- inherits(e, "nodes_gone")
    abort_input(
      c(
        "The workers of {.arg cl} must keep running.",
        x = if (gone) gone_words, i = "Start another cluster."
      ),
      arg = "cl", kind = "worker", call = call, parent = if (!gone) e
    )
  })
}

# What this process keeps as a worker: the store of each data set (data_worker_calls.R), by the id of the
# data, and the data of a comparison (cv_workers.R).
worker_store <- new.env(parent = emptyenv())
