# Independent pieces of work, one after another in this session or on the daemons of package mirai.

# Whether the user has set daemons.
has_daemons <- function() isNamespaceLoaded("mirai") && mirai::daemons_set()

# take(f(items[[k]], ...), k) for each k in turn. The values come in this order, so that what take() adds up has
# the same bits with any number of daemons. `what`: the items in words, such as "Chunk". Each warning of f() is
# given once.
work_on <- function(items, f, ..., take, what, call) {
  given <- character()
  warn_once <- function(w) {
    if (!conditionMessage(w) %in% given) warning(w)
    given <<- c(given, conditionMessage(w))
  }
  if (!has_daemons()) {
    for (k in seq_along(items)) {
      value <- withCallingHandlers(f(items[[k]], ...), warning = function(w) {
        if (conditionMessage(w) %in% given) invokeRestart("muffleWarning")
        given <<- c(given, conditionMessage(w))
      })
      take(value, k)
    }
    return(invisible())
  }
  tasks <- mirai::mirai_map(items, run_on_daemon, .args = list(f = f, dots = list(...), version = made_by()))
  # Tasks that are done are not touched.
  on.exit(mirai::stop_mirai(tasks))
  for (k in seq_along(tasks)) {
    wait_for(tasks[[k]], call)
    found <- tasks[[k]]$data
    if (mirai::is_error_value(found)) abort_daemon(found, what, k, call)
    for (w in found$warnings) warn_once(w)
    if (!is.null(found$error)) rlang::cnd_signal(found$error)
    take(found$value, k)
  }
}

# What a daemon does: list(value, warnings, error). It begins without this package, which may be missing there.
run_on_daemon <- function(item, f, dots, version) {
  if (!requireNamespace("landmarker", quietly = TRUE)) stop("package landmarker is not installed on this daemon")
  here <- as.character(utils::packageVersion("landmarker"))
  if (here != version) stop("this daemon has version ", here, " of landmarker, and the session ", version)
  # One thread, as there are other daemons on the machine.
  old <- options(landmarker.threads = getOption("landmarker.threads", 1L), landmarker.progress = FALSE)
  on.exit(options(old))
  warnings <- list()
  value <- error <- NULL
  withCallingHandlers(
    tryCatch(value <- do.call(f, c(list(item), dots), quote = TRUE), error = function(e) error <<- e),
    warning = function(w) {
      warnings <<- c(warnings, list(w))
      invokeRestart("muffleWarning")
    }
  )
  # Calls and traces may hold the data.
  bare <- function(e) {
    if (is.null(e)) return(NULL)
    e[c("call", "trace")] <- list(NULL)
    e["parent"] <- list(bare(e$parent))
    e
  }
  list(value = value, warnings = lapply(warnings, bare), error = bare(error))
}
environment(run_on_daemon) <- baseenv()

# Waits for a task, and looks now and then whether any daemon is left.
wait_for <- function(task, call) {
  pause <- 0.001
  had <- FALSE
  seen <- proc.time()[["elapsed"]]
  while (mirai::unresolved(task)) {
    Sys.sleep(pause)
    pause <- min(2 * pause, 0.05)
    now <- proc.time()[["elapsed"]]
    if (now - seen < 1) next
    seen <- now
    some <- mirai::status()$connections > 0
    if (had && !some) abort_no_daemon(call)
    had <- some
  }
}

abort_no_daemon <- function(call) {
  abort_input(c(
    "The daemons must keep running.", x = "None is connected any more.",
    i = "Start new ones: {.code mirai::daemons(0)}, then {.code mirai::daemons(n)}."
  ), kind = "daemon", call = call)
}

# `found`: an error of mirai, in place of a value.
abort_daemon <- function(found, what, k, call) {
  stopped <- inherits(found, "errorValue") && is.numeric(found)
  abort_input(c(
    if (stopped) "{what} {k} was not computed: its daemon has stopped." else "{what} {k} was not computed.",
    x = if (!stopped) "{trimws(as.character(found))}",
    i = "{.code mirai::status()} shows the daemons, {.code mirai::daemons(n)} starts new ones."
  ), kind = "daemon", call = call)
}
