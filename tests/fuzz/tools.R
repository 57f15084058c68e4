# What the targets of the fuzz share: one call and what it ended in, processes, totals.

# ---- one call --------------------------------------------------------------------

# Vectors of more elements are long sequences, which are not in memory.
has_nan <- function(value) {
  if (is.double(value)) return(length(unclass(value)) < 1e7 && any(is.nan(unclass(value))))
  if (methods::is(value, "dMatrix")) return(any(is.nan(attr(value, "x"))))
  is.list(value) && any(vapply(unclass(value), has_nan, NA))
}

# What is wrong with a fit, or NULL.
flaw_of <- function(value) {
  if (!inherits(value, "landmarks")) return(NULL)
  tryCatch({
    asNamespace("landmarker")$validate_landmarks(value)
    NULL
  }, error = conditionMessage)
}

# The arguments stand in variables, as a user has them: calls with values inside are copied on the way to
# messages.
call_by_name <- function(fun, arguments) {
  at <- sprintf("value%d", seq_along(arguments))
  frame <- list2env(stats::setNames(arguments, at), parent = globalenv())
  frame$fun <- fun
  eval(as.call(c(quote(fun), stats::setNames(lapply(at, as.name), names(arguments)))), frame)
}

# c(end, message, call) of one call. `end` is "value", "refused" (a landmarker_error), "theirs" (an error of
# the fuzz's own code), or a fault: "bare" (another error), "NaN", "invalid", "slow".
attempt <- function(fun, arguments, check = NULL) {
  warned <- FALSE
  # On a busy machine a call takes several times the time that it computes.
  setTimeLimit(cpu = 20, elapsed = 100, transient = TRUE)
  on.exit(setTimeLimit())
  tryCatch(
    {
      value <- withCallingHandlers(
        call_by_name(fun, arguments),
        warning = function(w) {
          warned <<- TRUE
          invokeRestart("muffleWarning")
        },
        message = function(m) if (!inherits(m, "error")) invokeRestart("muffleMessage")
      )
      flaw <- flaw_of(value)
      if (is.null(flaw) && !is.null(check) && !isTRUE(check(value, arguments))) flaw <- "of another shape"
      if (!is.null(flaw)) {
        c("invalid", flaw)
      } else if (!warned && !has_nan(arguments) && has_nan(value)) {
        c("NaN", "a value has NaN")
      } else {
        "value"
      }
    },
    landmarker_error = function(e) c("refused", class(e)[1], conditionMessage(e)),
    error = function(e) {
      text <- tryCatch(conditionMessage(e), error = function(e) "a message that cannot be made")
      if (any(grepl("(elapsed|CPU) time limit", text))) return(c("slow", text))
      # R itself refuses arguments that a function does not have.
      if (any(grepl("^unused argument|matched by multiple actual arguments$", text))) return("refused")
      # It cannot write the call with such an argument where this is longer than 2^31.
      if (any(grepl("^long vectors not supported yet.*Rinlinedfuns", text))) return("refused")
      # So it does what needs more memory than there is.
      if (any(grepl("^(cannot allocate|not enough memory|vector memory)", text))) return("refused")
      if (any(grepl("theirs", text, fixed = TRUE))) return("theirs")
      # recipes passes on the error of a step.
      if (inherits(e, "recipes_error_step") && inherits(e$parent, "landmarker_error")) return("refused")
      call <- paste(deparse(conditionCall(e))[1], collapse = " ")
      c("bare", paste(class(e)[1], text[1], sep = ": "), substr(call, 1, 100))
    }
  )
}

faults <- c("bare", "NaN", "invalid", "slow", "crash", "hang")

# ---- processes -------------------------------------------------------------------

# `calls`: one number, or a number for each name.
#
# Calls `call(name, k)` for k = 0, ..., calls of each name, each name in a process of its own. A process that
# ends is a crash, one that says nothing for `patience` seconds hangs and is ended; both go on at the next
# call. Returns list(ends, found): what the calls ended in, and a line for each fault.
run_targets <- function(names, calls, call, processes = as.numeric(Sys.getenv("FUZZ_JOBS", "2")),
  patience = 120) {
  folder <- tempfile("fuzz-", tmpdir = dirname(tempdir()))
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  calls <- rep_len(calls, length(names))
  waiting <- Map(function(name, calls) list(name = name, from = 0, calls = calls), unname(names), calls)
  running <- list()
  ends <- character()
  found <- list()
  note <- function(target, k, end) {
    ends <<- c(ends, end[1])
    if (end[1] %in% faults) found[[length(found) + 1]] <<- c(target$name, k, end)
    if (end[1] %in% faults && nzchar(Sys.getenv("FUZZ_SHOW"))) {
      cat(target$name, k, substr(paste(end, collapse = " | "), 1, 300), "\n")
    }
  }
  go_on <- function(target, k, end, message = NULL) {
    note(target, k, c(end, readLines(target$log, warn = FALSE)[-1], message))
    target$crashes <- (target$crashes %||% 0) + 1
    target$from <- k + 1
    if (k < target$calls && target$crashes < 10) waiting <<- c(waiting, list(target))
  }
  while (length(waiting) + length(running)) {
    while (length(waiting) && length(running) < processes) {
      target <- waiting[[1]]
      waiting <- waiting[-1]
      target$log <- tempfile("log-", folder)
      target$out <- tempfile("out-", folder)
      writeLines(as.character(target$from - 1), target$log)
      target$job <- parallel::mcparallel(one_target(target, target$calls, call), silent = TRUE)
      running[[as.character(target$job$pid)]] <- target
    }
    ended <- parallel::mccollect(lapply(running, `[[`, "job"), wait = FALSE, timeout = 0.2)
    for (pid in names(running)) {
      target <- running[[pid]]
      if (pid %in% names(ended) || target$job$pid %in% names(ended)) {
        running[[pid]] <- NULL
        k <- as.numeric(readLines(target$log, warn = FALSE)[1])
        done <- if (file.exists(target$out)) readRDS(target$out) else list()
        for (i in seq_along(done)) note(target, done[[i]][1], done[[i]][-1])
        if (!file.exists(paste0(target$out, ".whole"))) go_on(target, k, "crash", why(ended, pid))
      } else if (difftime(Sys.time(), file.mtime(target$log), units = "secs") > patience) {
        tools::pskill(target$job$pid, tools::SIGKILL)
        parallel::mccollect(target$job, wait = FALSE, timeout = 1)
        running[[pid]] <- NULL
        go_on(target, as.numeric(readLines(target$log, warn = FALSE)[1]), "hang")
      }
    }
  }
  list(ends = ends, found = found)
}

# The error that ended a process, if it was one.
why <- function(ended, pid) {
  last <- ended[[pid]]
  if (inherits(last, "try-error")) as.character(last)
}

# In the process of a target. What stood before a crash is kept every 20 calls; the log has the last call.
one_target <- function(target, calls, call) {
  grDevices::pdf(NULL)
  sink(nullfile())
  # Files of targets that run at the same time have a folder each.
  folder <- tempfile(paste0(target$name, Sys.getpid()))
  dir.create(folder)
  setwd(folder)
  done <- list()
  for (k in seq(target$from, length.out = calls + 1 - target$from)) {
    done[[length(done) + 1]] <- c(k,
      call(target$name, k, function(words) writeLines(c(k, words), target$log)))
    if (k %% 20 == 0) saveRDS(done, target$out)
  }
  saveRDS(done, target$out)
  file.create(paste0(target$out, ".whole"))
  TRUE
}

# Prints each kind of fault once, and the totals. Returns the number of faults.
report <- function(result) {
  key <- vapply(result$found, function(f) paste(c(f[1], f[-(1:2)]), collapse = " | "), "")
  for (k in which(!duplicated(key))) {
    f <- result$found[[k]]
    words <- substr(gsub("[[:space:]]+", " ", key[k], useBytes = TRUE), 1, 300)
    cat(words, " [call ", f[2], if (sum(key == key[k]) > 1) paste0(", ", sum(key == key[k]), " times"), "]\n",
      sep = "")
  }
  print(table(result$ends))
  bad <- sum(result$ends %in% faults)
  cat(length(result$ends), "calls,", bad, "faults\n")
  bad
}

`%||%` <- function(a, b) if (is.null(a)) b else a
