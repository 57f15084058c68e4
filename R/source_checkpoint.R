# A checkpoint: what a fit has computed from its data so far, in a file, so that the same call can go on from
# there.
#
# A fit depends only on its arguments, on R's random numbers and on what it reads from the data: the results
# of passes over the rows, and some rows. A checkpoint is a log of these results in their order, with the
# random seed at the start. The call that goes on runs the same code from its beginning, and takes results
# from the log as long as there are any. So it returns the same landmarks to the last bit, whatever the
# method.
#
# The states that an algorithm keeps for rows (part_states()) are as large as the data, and are not in the
# log. When the log has no further results, they are made anew, and the steps that had changed them are
# repeated in one pass.
#
# `log` is an environment with
#
#   file      the path of the checkpoint
#   key       the arguments and data of the call, by which a later call is known to be the same
#   seed      the random seed at the start
#   entries   the results, a list
#   at        how many of them were taken from the log or added to it so far
#   bytes     the size of the entries; Inf once a result was not added
#   saved     the time of the last writing
#   failed    whether the file could not be written

#' Checkpoints of long fits
#'
#' `landmarks(x, n, checkpoint = "fit.checkpoint")` writes what it has computed from the data to a file. If
#' the fit is interrupted, or the machine stops, the same call goes on from there. It gives the same landmarks
#' to the last bit as a fit that was never interrupted. The file is deleted when the fit is complete.
#'
#' @section What is written, and when:
#' A checkpoint has the results of passes over the data, some rows, and R's random stream at the start of the
#' first call. It does not have the data. So `x` must be given again, with the same values. Rows on workers
#' ([on_workers()]) may come from a new cluster that divides them in the same way. With several values of
#' `scale` there is no checkpoint.
#'
#' The file is made after the first pass over the data. If that pass fails, no file is left, and the same call
#' starts anew, from the random seed of that moment. So call `set.seed()` right before the call each time.
#'
#' The file is written when a pass has ended and the last writing is half a minute ago. It is also written
#' where the fit ends by an error or an interrupt. At most 1 GB of results is written.
#'
#' @section What is not repeated:
#' Passes, drawn rows and finished stages are not repeated. Steps of [by_gp()] on random batches go on after
#' the last chunk of batches that were read together. Steps on all rows of data in memory start anew.
#'
#' @section Errors and warnings:
#' * `landmarker_error_checkpoint`: no file can be written at the path; or the file is no checkpoint, or is
#'   that of another call. The last error names the first argument that differs: `n`, `method`, `bandwidth`,
#'   `space`, `scale`, `weights` or `x`, or the version of this package. Choose another path, or delete the
#'   file to start anew.
#' * `landmarker_warning_checkpoint`: the file cannot be written any more, because the disk is full. The fit
#'   goes on without it.
#' @seealso [landmarks()]; [data_parts()] and [on_workers()] for data whose fits take long.
#' @examples
#' x <- sim_swiss_roll(2000)
#' file <- tempfile(fileext = ".checkpoint")
#'
#' # A reader that fails once, as a disk or a network may
#' reads <- 0
#' read <- function(part) {
#'   reads <<- reads + 1
#'   if (reads == 9) stop("the disk is gone")
#'   x[(part - 1) * 500 + 1:500, ]
#' }
#' set.seed(1)
#' parts <- data_parts(dim(x), read, 4)
#' fit <- try(landmarks(parts, 20, checkpoint = file), silent = TRUE)
#' inherits(fit, "try-error")
#' file.exists(file)
#'
#' # The same call goes on.
#' fit <- landmarks(parts, 20, checkpoint = file)
#' file.exists(file)
#' @name landmarker-checkpoints
NULL

# ---- the file -------------------------------------------------------------------------

# Checks the argument before any work.
check_checkpoint <- function(file, call) {
  check_path(file, "checkpoint", call)
  if (!file.exists(file)) check_writable(file, "checkpoint", call, kind = "checkpoint")
}

# The log of a call. Where the file has a log of the same call, its results are taken over, and the random
# seed is set to that of its start.
open_log <- function(file, key, call) {
  start_stream()
  seed <- get(".Random.seed", globalenv())
  log <- list2env(list(
    file = file, key = key, seed = seed, entries = list(), at = 0L, bytes = 0, saved = Sys.time(),
    failed = FALSE
  ), parent = emptyenv())
  if (!file.exists(file)) {
    # Where the disk has no room, the user is warned at the start rather than after 30 seconds.
    write_log(log, call)
    return(log)
  }
  before <- if (is_sealed(file)) or_else(tryCatch(readRDS(file), warning = function(w) NULL), NULL)
  if (!is.list(before) || !all(checkpoint_parts %in% names(before))) {
    folder <- dir.exists(file)
    abort_input(c(
      "{.arg checkpoint} must be the path of a checkpoint, or of a file that does not exist yet.",
      x = "{.path {file}} is {if (folder) 'a folder' else 'not a checkpoint'}.",
      i = if (folder) "Choose the path of a file in it." else "Choose another path, or delete the file."
    ), arg = "checkpoint", kind = "checkpoint", call = call)
  }
  refuse_other(before$key, key, file, call)
  log$seed <- before$seed
  log$entries <- before$entries
  log$bytes <- before$bytes
  assign(".Random.seed", log$seed, globalenv())
  log
}

# What must be equal for two calls to be the same: for each argument its value, where it is short enough to be
# shown in an error, else its hash.
log_key <- function(source, n, method, bandwidth, space, scale) {
  shown <- function(x) {
    if (is.atomic(x) && length(x) == 1) format(x, digits = 15) else rlang::hash(plain_value(x))
  }
  list(
    n = shown(n), method = shown(method), bandwidth = shown(bandwidth), space = shown(space),
    scale = shown(scale),
    weights = rlang::hash(source$weights),
    `version of landmarker` = as.character(utils::packageVersion("landmarker")),
    `dim(x)` = paste(source$dim, collapse = " x "),
    # Data in parts are compared by their moments alone, because another reading of all rows would take long.
    x = rlang::hash(list(source$mean, source$variance, if (in_memory(source)) unclass(source)))
  )
}

# A value whose hash is the same in another session. An environment differs between sessions, so a function is
# replaced by its text and the values that it uses.
plain_value <- function(x) {
  if (is.primitive(x)) return(deparse(x))
  if (is.function(x)) {
    frame <- environment(for_workers(x))
    used <- if (!identical(frame, topenv(frame))) mget(sort(ls(frame), method = "radix"), frame)
    return(c(deparse(x, control = NULL), lapply(used, plain_value)))
  }
  if (is.list(x)) return(lapply(unclass(x), plain_value))
  x
}

# An error where the file has the log of another call.
refuse_other <- function(before, now, file, call) {
  differs <- names(now)[!mapply(identical, before[names(now)], now)]
  if (length(differs) == 0) return(invisible())
  first <- differs[1]
  is_hash <- function(v) is.null(v) || nchar(v) == 32
  values <- if (!is_hash(before[[first]]) && !is_hash(now[[first]])) {
    sprintf(": it was %s, and is %s", before[[first]], now[[first]])
  }
  abort_input(c(
    "{.arg checkpoint} must be a file of the same call.",
    x = "{.path {file}} is of a call with another {.code {first}}{values}.",
    i = if (first == "x") {
      "The rows must be the same, and be divided in the same way into parts or among workers."
    },
    i = "Choose another path, or delete the file to start anew."
  ), arg = "checkpoint", kind = "checkpoint", call = call)
}

# What is saved of a log. After it the file has a seal, the hash of the bytes before: R may crash where it
# reads a file with a damaged byte, so the file is read only if the seal is right.
checkpoint_parts <- c("key", "seed", "entries", "bytes")

is_sealed <- function(file) {
  size <- file.size(file) - 32
  if (is.na(size) || dir.exists(file) || size <= 0) return(FALSE)
  with_file(file, "rb", function(con) {
    sum <- hash_of_bytes(con, size)
    identical(readBin(con, "raw", 33), charToRaw(sum))
  })
}

seal <- function(file) {
  sum <- with_file(file, "rb", function(con) hash_of_bytes(con, file.size(file)))
  with_file(file, "ab", function(con) writeBin(charToRaw(sum), con))
}

# The hash of the next `size` bytes, which are read in blocks.
hash_of_bytes <- function(con, size) {
  sum <- ""
  while (size > 0) {
    block <- readBin(con, "raw", min(size, 2^24))
    if (length(block) == 0) break
    sum <- rlang::hash(list(sum, block))
    size <- size - length(block)
  }
  sum
}

# Writes another file first, which then replaces the checkpoint: so a write that ends early leaves the last
# checkpoint as it was. A failure is a warning, once.
write_log <- function(log, call = NULL) {
  log$saved <- Sys.time()
  if (log$failed) return(invisible())
  part <- paste0(log$file, ".part")
  write <- function() {
    saveRDS(mget(checkpoint_parts, log), part, compress = FALSE)
    size <- file.size(part)
    seal(part)
    # Where a disk is full the file may end early without an error.
    file.size(part) == size + 32 && is_sealed(part) && file.rename(part, log$file)
  }
  # A jump out of a warning would leave a connection open.
  fine <- or_else(suppressWarnings(write()), FALSE)
  if (!fine) {
    log$failed <- TRUE
    unlink(part, expand = FALSE)
    warn_user(c(
      "The checkpoint {.path {log$file}} cannot be written. The fit goes on without it.",
      i = "Check that its folder can still be written, and that its disk has room."
    ), kind = "checkpoint", call = call)
  }
  invisible()
}

# ---- results in the log ---------------------------------------------------------------

# At most this many bytes of results are logged, and the file is written again after this many seconds.
log_limits <- list(bytes = 1e9, seconds = 30)

# The next result: taken from the log where it has one, else computed and added to the log.
logged <- function(log, compute) {
  if (is_replaying(log)) {
    log$at <- log$at + 1L
    return(log$entries[[log$at]])
  }
  value <- compute()
  size <- as.double(utils::object.size(value))
  # Results are found by their order. Once a result was not added, no later one can be.
  if (log$at < length(log$entries) || log$bytes + size > log_limits$bytes) {
    log$bytes <- Inf
    return(value)
  }
  log$at <- log$at + 1L
  log$entries[log$at] <- list(value)
  log$bytes <- log$bytes + size
  if (difftime(Sys.time(), log$saved, units = "secs") > log_limits$seconds) write_log(log)
  value
}

is_replaying <- function(log) log$at < length(log$entries)

# ---- a source with a log: methods of the generics of source.R --------------------------

with_log <- function(source, log) {
  source$log <- log
  class(source) <- c("logged_source", class(source))
  source
}

without_log <- function(source) {
  source$log <- NULL
  class(source) <- setdiff(class(source), "logged_source")
  source
}

is_logged <- function(source) inherits(source, "logged_source")

#' @export
over_parts.logged_source <- function(source, step, ..., combine = NULL, states = NULL) {
  log <- source$log
  bare <- without_log(source)
  # R evaluates arguments when they are used. They may be results of the log themselves, which come before
  # this one: so they are evaluated now.
  args <- list(...)
  if (is.null(states)) return(logged(log, function() over_parts(bare, step, ..., combine = combine)))
  # While results come from the log no step runs. Steps that change a state are noted, to be repeated later.
  if (is_replaying(log)) remember_step(states, step, args)
  logged(log, function() {
    over_parts(bare, step, ..., combine = combine, states = real_states(states, bare))
  })
}

# States that are made when they are first used, an environment: make() makes them, `missed` has the steps to
# repeat, and `real` has the states once they are made.
#' @export
part_states.logged_source <- function(source, make, ...) {
  bare <- without_log(source)
  list2env(
    list(make = function() part_states(bare, make, ...), missed = list(), real = NULL), parent = emptyenv()
  )
}

# Marks a step that changes states: it "adds" to what the states have, or "replaces" all of it. All steps that
# change a state must be marked, or a call that goes on from a checkpoint would miss them.
changes_state <- function(step, how) structure(step, changes = how)

# Notes a step that changes states. Steps before one that replaces the states need not be repeated.
remember_step <- function(states, step, args) {
  change <- attr(step, "changes")
  if (is.null(change)) return(invisible())
  if (change == "replaces") states$missed <- list()
  states$missed[[length(states$missed) + 1]] <- list(step = step, args = args)
}

# The states as they would be without a log.
real_states <- function(states, bare) {
  if (is.null(states$real)) states$real <- states$make()
  missed <- states$missed
  states$missed <- list()
  if (length(missed)) over_parts(bare, repeat_steps, missed, states = states$real)
  states$real
}

repeat_steps <- function(part, state, missed) {
  for (one in missed) do.call(one$step, c(list(part, state), one$args), quote = TRUE)
  NULL
}

# A few rows are logged. Many are read again from the data, because the log would become large.
#' @export
rows_of.logged_source <- function(source, rows) {
  most <- 1e5
  force(rows)
  bare <- without_log(source)
  if (in_memory(source) || length(rows) * as.double(source$dim[2]) > most) return(rows_of(bare, rows))
  logged(source$log, function() rows_of(bare, rows))
}

# The result of a computation of several steps, with the random seed after it. While it runs, its steps are in
# the log. When it has ended, its result replaces them in the log, as one entry of this `name`.
remember <- function(source, name, compute) {
  if (!is_logged(source)) return(compute())
  log <- source$log
  start <- log$at
  done <- if (is_replaying(log)) log$entries[[start + 1L]]
  if (inherits(done, "remembered") && identical(done$name, name)) {
    log$at <- start + 1L
    assign(".Random.seed", done$seed, globalenv())
    return(done$value)
  }
  value <- compute()
  if (is.infinite(log$bytes)) return(value)
  log$entries <- log$entries[seq_len(start)]
  log$bytes <- as.double(utils::object.size(log$entries))
  log$at <- start
  log_entry <- list(name = name, value = value, seed = get(".Random.seed", globalenv()))
  logged(log, function() structure(log_entry, class = "remembered"))
  value
}
