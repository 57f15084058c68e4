# Independent pieces of work, one after another in this session or on the daemons of package mirai.

# Whether the user has set daemons. Package mirai can say so since version 2.3.0. Its library would crash in a
# forked process, a child of parallel::mclapply() or the like; package parallel does not export isChild().
has_daemons <- function() {
  isNamespaceLoaded("mirai") && "daemons_set" %in% getNamespaceExports("mirai") &&
    (.Platform$OS.type == "windows" || !utils::getFromNamespace("isChild", "parallel")()) &&
    mirai::daemons_set()
}

# take(f(items[[k]], ...), k) for each k in turn. The values come in this order, so that what take() adds up
# has the same bits with any number of daemons. `what`: an item in an error, such as "Chunk {k}". Each warning
# of f() is given once, and an error keeps its class. A daemon gets f(), an item and `...`, and nothing else
# of the session.
work_on <- function(items, f, ..., take, what, call) {
  seen <- character()
  is_new <- function(w) {
    before <- seen
    seen <<- union(seen, conditionMessage(w))
    length(seen) > length(before)
  }
  compute <- function(k) {
    withCallingHandlers(f(items[[k]], ...), warning = function(w) {
      if (!is_new(w)) invokeRestart("muffleWarning")
    })
  }
  if (has_daemons()) {
    # Options that can change a result.
    settings <- Filter(length, options("landmarker.memory", "landmarker.variant"))
    shared <- list(f = f, dots = list(...), version = made_by(), settings = settings)
    tasks <- unclass(mirai::mirai_map(items, run_on_daemon, .args = shared))
    on.exit(mirai::stop_mirai(Filter(length, tasks)))
    compute <- function(k) {
      found <- value_of_task(tasks[[k]], what, k, call)
      tasks[k] <<- list(NULL)
      for (w in found$warnings) if (is_new(w)) warning(w)
      if (!is.null(found$error)) with_call(rlang::cnd_signal(found$error), call)
      found$value
    }
  }
  for (k in seq_along(items)) take(compute(k), k)
}

# What run_on_daemon() has returned. Local daemons that have all stopped would never return it.
value_of_task <- function(task, what, k, call) {
  while (mirai::unresolved(task)) {
    status <- mirai::status()
    if (status$connections == 0 && any(grepl("^(abstract|ipc)://", status$daemons))) break
    Sys.sleep(0.002)
  }
  found <- task$data
  if (is.list(found)) return(found)
  stopped <- mirai::unresolved(task) || identical(as.character(found), "19")
  reported <- trimws(paste(class(found)[1], found))
  abort_input(c(
    paste(what, "failed on a daemon of package mirai."),
    x = if (stopped) "Its daemon has stopped." else "Package mirai reports: {reported}",
    i = "Restart the daemons, with this version of landmarker: {.code mirai::daemons(0); mirai::daemons(n)}."
  ), kind = "daemon", call = call)
}

# What a daemon does: list(value, warnings, error). The daemon may lack this package or have another version,
# so this is code of base R that calls the daemon's own package.
run_on_daemon <- function(item, f, dots, version, settings) {
  here <- getNamespaceVersion("landmarker")
  said <- paste0("It has version ", here, " of landmarker, and this session ", version, ".")
  if (here != version) stop(said, call. = FALSE)
  getNamespace("landmarker")$answer_item(item, f, dots, settings)
}
environment(run_on_daemon) <- baseenv()

answer_item <- function(item, f, dots, settings) {
  # One thread, as there are other daemons on the machine.
  threads <- getOption("landmarker.threads", 1L)
  rlang::local_options(landmarker.threads = threads, landmarker.progress = FALSE, !!!settings)
  # The user's next draws on this daemon must not be those that a seed of ours gives.
  restore <- keep_stream()
  on.exit(restore(), add = TRUE)
  warnings <- list()
  keep <- function(w) {
    warnings <<- c(warnings, list(light_condition(w)))
    invokeRestart("muffleWarning")
  }
  run <- function() list(value = do.call(f, c(list(item), dots), quote = TRUE))
  fail <- function(e) list(error = light_condition(e))
  out <- withCallingHandlers(tryCatch(run(), error = fail), warning = keep)
  c(out, list(warnings = warnings))
}

# A condition without what may hold the data: calls, and the traces of rlang.
light_condition <- function(e) {
  if (is.null(e)) return(NULL)
  e["call"] <- list(NULL)
  e["trace"] <- NULL
  if (!is.null(e$parent)) e$parent <- light_condition(e$parent)
  e
}

# ---- R's stream of random numbers ----------------------------------------------------

# A function that puts the caller's random numbers back to where they are now.
keep_stream <- function() {
  kind <- RNGkind()
  seed <- globalenv()$.Random.seed
  function() {
    # R warns of samplers that it keeps for old results only.
    suppressWarnings(do.call(RNGkind, as.list(kind)))
    if (is.null(seed)) rm(".Random.seed", envir = globalenv()) else assign(".Random.seed", seed, globalenv())
  }
}

# Sets the seed and the generator, so that draws are the same in any session and on any worker.
set_seed <- function(seed) {
  set.seed(seed, kind = "Mersenne-Twister", normal.kind = "Inversion", sample.kind = "Rejection")
}

# Evaluates code of a user that reads data, and puts R's random numbers back to where they were. How often
# data are read must not change later draws.
keep_seed <- function(code) {
  restore <- keep_stream()
  on.exit(restore())
  code
}
