# Independent pieces of work, one after another in this session or on the daemons of package mirai.

# Whether the user has set daemons. Package mirai can say so since version 2.3.0. Its library would crash in a
# forked process, a child of parallel::mclapply() or the like; package parallel does not export isChild().
has_daemons <- function() {
  isNamespaceLoaded("mirai") && "daemons_set" %in% getNamespaceExports("mirai") &&
    (.Platform$OS.type == "windows" || !utils::getFromNamespace("isChild", "parallel")()) &&
    mirai::daemons_set()
}

# take(f(items[[k]], ...), k) for each k in turn. The values come in this order, so that what take() adds up
# has the same bits with any number of daemons. `what`: the items in words, such as "Chunk". Each warning of
# f() is given once, and an error keeps its class. A daemon gets f(), an item and `...`, and nothing else of
# the session.
work_on <- function(items, f, ..., take, what, call) {
  given <- character()
  is_new <- function(w) {
    before <- given
    given <<- union(given, conditionMessage(w))
    length(given) > length(before)
  }
  if (has_daemons()) {
    return(work_on_daemons(items, f, list(...), what, call, function(found, k) {
      for (w in found$warnings) if (is_new(w)) warning(w)
      if (!is.null(found$error)) with_call(rlang::cnd_signal(found$error), call)
      take(found$value, k)
    }))
  }
  for (k in seq_along(items)) {
    value <- withCallingHandlers(f(items[[k]], ...), warning = function(w) {
      if (!is_new(w)) invokeRestart("muffleWarning")
    })
    take(value, k)
  }
}

# take(found, k) for each item in turn, where `found` is what run_on_daemon() has returned.
work_on_daemons <- function(items, f, dots, what, call, take) {
  # Options that can change a result.
  settings <- Filter(length, options("landmarker.memory", "landmarker.variant"))
  shared <- list(
    run_on_daemon = run_on_daemon, f = f, dots = dots, version = made_by(), settings = settings
  )
  tasks <- vector("list", length(items))
  on.exit(mirai::stop_mirai(Filter(length, tasks)))
  sent <- daemons <- 0
  started <- proc.time()[["elapsed"]]
  looked <- -Inf
  for (k in seq_along(items)) {
    repeat {
      if (proc.time()[["elapsed"]] > looked + 0.5) {
        daemons <- count_daemons(daemons, call)
        looked <- proc.time()[["elapsed"]]
        if (daemons == 0 && looked > started + 5) {
          tell_user(c(
            "No daemon of package mirai is connected yet: waiting.",
            i = "Interrupt, and {.code mirai::daemons(0)} ends this: then the session computes by itself."
          ), kind = "daemons", once = mirai::status()$daemons, call = call)
        }
      }
      # Not all items at once: they, or their values, may be too large.
      while (sent < min(length(items), k + 4 * max(1, daemons))) {
        sent <- sent + 1
        item <- items[[sent]]
        tasks[[sent]] <- mirai::mirai(
          run_on_daemon(item, f, dots, version, settings), .args = c(shared, list(item = item))
        )
      }
      done <- k - 1 + which(!vapply(tasks[k:sent], mirai::unresolved, NA))
      # A failure ends the work, also if an item before it takes long.
      for (j in done) check_done(tasks[[j]]$data, what, j, call)
      if (k %in% done) break
      Sys.sleep(0.002)
    }
    found <- tasks[[k]]$data
    tasks[k] <- list(NULL)
    take(found, k)
  }
}

# What a daemon does: list(value, warnings, error), or list(refused), why it cannot. The daemon may lack this
# package or have another version, so this is code of base R that calls the daemon's own package.
run_on_daemon <- function(item, f, dots, version, settings) {
  if (!requireNamespace("landmarker", quietly = TRUE)) {
    return(list(refused = "It cannot load package landmarker."))
  }
  here <- getNamespaceVersion("landmarker")
  if (here != version) {
    return(list(refused = paste0("It has version ", here, " of landmarker, and this session ", version, ".")))
  }
  getNamespace("landmarker")$answer_item(item, f, dots, settings)
}
environment(run_on_daemon) <- baseenv()

answer_item <- function(item, f, dots, settings) {
  # One thread, as there are other daemons on the machine.
  rlang::local_options(
    landmarker.threads = getOption("landmarker.threads", 1L), landmarker.progress = FALSE, !!!settings
  )
  # The user's next draws on this daemon must not be those that a seed of ours gives.
  restore <- keep_stream()
  on.exit(restore(), add = TRUE)
  warnings <- list()
  value <- error <- NULL
  withCallingHandlers(
    tryCatch(value <- do.call(f, c(list(item), dots), quote = TRUE), error = function(e) error <<- e),
    warning = function(w) {
      warnings <<- c(warnings, list(light_condition(w)))
      invokeRestart("muffleWarning")
    }
  )
  list(value = value, warnings = warnings, error = light_condition(error))
}

# A condition without what may hold the data: calls, and the traces of rlang.
light_condition <- function(e) {
  if (is.null(e)) return(NULL)
  e["call"] <- list(NULL)
  e$trace <- NULL
  if (!is.null(e$parent)) e$parent <- light_condition(e$parent)
  e
}

# How many daemons are connected, where `before` were. mirai::daemons(n) waits for its daemons, while those
# that dial in over a network may still come.
count_daemons <- function(before, call) {
  status <- mirai::status()
  is_local <- any(grepl("^(abstract|ipc)://", status$daemons))
  if (status$connections == 0 && (before > 0 || is_local)) {
    abort_input(c(
      "The daemons of package mirai must keep running.", x = "None is connected any more.",
      i = "Start new ones: {.code mirai::daemons(0)}, then {.code mirai::daemons(n)}."
    ), kind = "daemon", call = call)
  }
  status$connections
}

# An error where a daemon has not computed an item. `found`: what it gave, or an error of mirai.
check_done <- function(found, what, k, call) {
  if (is.null(found) || !(mirai::is_error_value(found) || !is.null(found$refused))) return(invisible())
  reason <- if (is.list(found)) {
    found$refused
  } else if (identical(as.character(found), "19")) {
    "Its daemon has stopped."
  } else {
    trimws(paste("Package mirai gives", class(found)[1], found))
  }
  abort_input(c(
    "{what} {k} was not computed by a daemon of package mirai.", x = "{reason}",
    i = if (is.list(found)) "Install the same version where the daemon finds it, see {.code .libPaths()}.",
    i = "{.code mirai::daemons(0)}, then {.code mirai::daemons(n)} start new daemons."
  ), kind = "daemon", call = call)
}

# ---- R's stream of random numbers ----------------------------------------------------

# Starts the session's random numbers, if it has drawn none yet.
start_stream <- function() {
  if (is.null(globalenv()$.Random.seed)) stats::runif(1)
}

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
