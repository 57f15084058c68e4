# How to compute: threads, and the variant of the products.

#' Options: threads, memory, progress bars, messages
#'
#' Options set how this package computes in a session: with how many threads, in how much memory, and what it
#' shows meanwhile. Set them with [options()], for example in the file `.Rprofile`. They change no result
#' beyond rounding.
#'
#' | option | default | what it sets |
#' |---|---|---|
#' | `landmarker.threads` | at most 2 | how many threads compute |
#' | `landmarker.memory` | `4e9` | the most bytes that a computation may need |
#' | `landmarker.progress` | `interactive()` | whether progress bars are shown |
#' | `landmarker.verbose` | `TRUE` | whether messages are shown |
#' | `landmarker.variant` | `"best"` | which instructions of the processor are used |
#'
#' @section Threads:
#' `threads = 4` in a call, or `options(landmarker.threads = 4)` for the session, computes with four threads.
#' The argument comes first where both are given. The number is a whole number of at least 1. The result is
#' the same to the last bit with any number.
#'
#' Without them at most two threads are used, as CRAN requires. There are fewer where the machine has fewer
#' processors or the environment variable `OMP_NUM_THREADS` is smaller. A fit uses one thread where two would
#' wait for each other, as they do on a busy machine.
#'
#' No call uses more than 64 threads, or more than the environment variable `OMP_THREAD_LIMIT`, or more than
#' two where `R CMD check` sets `_R_CHECK_LIMIT_CORES_`. In a process that was forked, as by
#' `parallel::mclapply()`, one thread computes. A process that loads this package only after the fork cannot
#' know that it was forked: where another package has used threads before, set
#' `options(landmarker.threads = 1)` there, or it may wait for threads that are gone. Daemons of package
#' \pkg{mirai} use one thread each, whatever `threads` says, unless their own option `landmarker.threads` is
#' another number: `mirai::everywhere(options(landmarker.threads = 2))`. The session's options
#' `landmarker.memory` and `landmarker.variant` hold on daemons too. A package that was built without OpenMP
#' uses one thread.
#'
#' On x86-64 processors the core uses the wide registers of AVX2 and AVX-512 where there are any. On Windows
#' it does not: the compiler there stores them at addresses that they must not have, and the session would
#' crash (GCC bug 54412). Results are the same, and take longer.
#'
#' @section Progress bars and messages:
#' `verbose` in a call sets bars and messages together: `TRUE` shows both, also in a script, and `FALSE` shows
#' neither. NULL, the default, leaves it to the options, which set them apart:
#'
#' * `options(landmarker.progress = )`, `TRUE` or `FALSE`, is for bars alone. Without it bars are shown in
#'   interactive sessions only. A bar appears after two seconds
#'   (`options(cli.progress_show_after = )`). That of [cv_landmarks()] moves with each regression, and on
#'   daemons with each method on a fold.
#' * `options(landmarker.verbose = FALSE)` turns off messages alone. A message that is shown once in a session
#'   is shown later if it was turned off at first.
#'
#' Warnings are always given. So is the message that `fit[i]` leaves out a response
#' (`landmarker_message_response`).
#'
#' @section Memory:
#' Before work that may need much memory, its largest matrices are estimated: the kernel of n landmarks, which
#' takes \eqn{88 n^2}{88 n^2} bytes with its factors; that of all rows in [by_dpp_exact()]; the factor of
#' [by_active()], \eqn{8 N n}{8 N n} bytes for N rows; columns of factors with many levels; sparse rows made
#' dense; predictions; distances and full covariances of landmarks. If this is more than
#' `getOption("landmarker.memory")`, one number above 0 in bytes, the call ends with an error of class
#' `landmarker_error_memory`, which says what is needed, and what would need less. For 16 GB write
#' `options(landmarker.memory = 16e9)`. Set it lower on a machine or in a container that has less than 4 GB
#' free. Less than 100 MB are never an error.
#'
#' The sample of data in chunks takes at most a sixteenth of the option (see [chunked()]).
#'
#' @section Processor:
#' Products of matrices have variants for processors: `"plain"`, `"avx2"` and `"avx512"`. `"best"`, the
#' default, is the fastest that the processor has. The last digits of results may differ between variants. Use
#' `options(landmarker.variant = "plain")` to have the same digits on different machines of one kind, or for
#' tools that lack newer instructions.
#'
#' @section Errors:
#' An option that breaks its rule is an error of class `landmarker_error_option`, which names the option.
#' @seealso [landmarker-conditions], `vignette("scale")`
#' @examples
#' x <- sim_swiss_roll(2000)
#' set.seed(1)
#' one <- landmarks(x, 20, threads = 1)
#' old <- options(landmarker.threads = 2, landmarker.progress = FALSE, landmarker.memory = 1e8)
#' set.seed(1)
#' two <- landmarks(x, 20)
#' identical(coef(one), coef(two))
#' # Too little memory is an error before any work.
#' tryCatch(landmarks(x, 1500), landmarker_error_memory = function(e) cat(conditionMessage(e), "\n"))
#' options(old)
#' @name landmarker-options
NULL

# list(threads, variant) for the core. Results are the same for any number of threads.
compute_with <- function(call = rlang::caller_env()) {
  threads <- getOption("landmarker.threads")
  if (is.null(threads)) {
    threads <- default_threads()
  } else if (!is_number(threads) || threads < 1 || threads != trunc(threads)) {
    abort_input(c(
      "{.code getOption(\"landmarker.threads\")} must be one whole number of at least 1.",
      x = "It is {describe(threads)}."
    ), kind = "option", call = call)
  }
  variant <- getOption("landmarker.variant", "best")
  if (!is.character(variant) || length(variant) != 1 || !variant %in% c("best", .Call(C_variants))) {
    abort_input(c(
      "{.code getOption(\"landmarker.variant\")} must be one of {quoted_or(c('best', .Call(C_variants)))}.",
      x = "It is {describe(variant)}."
    ), kind = "option", call = call)
  }
  list(threads = as.integer(min(threads, most_threads())), variant = variant)
}

# The arguments `threads` and `verbose` of a function: until it ends they stand in the place of the options.
# NULL leaves the options as they are. An on.exit() of that function must have `add = TRUE`.
local_compute <- function(threads, verbose, frame = rlang::caller_env()) {
  if (!is.null(threads)) {
    rlang::local_options(landmarker.threads = check_count(threads, "threads", call = frame), .frame = frame)
  }
  if (!is.null(verbose)) {
    verbose <- check_flag(verbose, "verbose", frame)
    rlang::local_options(landmarker.progress = verbose, landmarker.verbose = verbose, .frame = frame)
  }
}

# A progress bar for long work: in an interactive session, never in a script,
# unless the argument `verbose` or the option landmarker.progress says otherwise.
progress_start <- function(label, total, .envir = parent.frame()) {
  if (!isTRUE(getOption("landmarker.progress", interactive()))) return(NULL)
  # The bar ends with the calling function, not when its total is reached: the parts of steps add up with
  # rounding errors, and may reach the total before the end.
  cli::cli_progress_bar(label, total = total, clear = TRUE, auto_terminate = FALSE, .envir = .envir)
}

# The function that the core calls with how much was done, or NULL where there is no bar. `each`: how far the
# bar moves for a unit of that.
progress_of <- function(bar, each = 1) if (!is.null(bar)) function(done) progress_step(bar, done * each)

progress_step <- function(bar, by = 1, .envir = parent.frame()) {
  if (!is.null(bar)) cli::cli_progress_update(inc = by, id = bar, .envir = .envir)
}

# The number of threads where neither an argument nor the option says it: at most two, as CRAN requires.
# C_threads gives the numbers of OpenMP, which are 1 in a forked process.
default_threads <- function() min(2L, .Call(C_threads)[1])

# The most threads of any call. R CMD check sets _R_CHECK_LIMIT_CORES_ where two is the limit.
most_threads <- function() {
  limited <- Sys.getenv("_R_CHECK_LIMIT_CORES_")
  checked <- nzchar(limited) && !tolower(limited) %in% c("false", "no", "0")
  min(64L, if (checked) 2L, .Call(C_threads)[2])
}

# ---- memory ------------------------------------------------------------------------
# An error for work that would need more than the option allows. Work of less than 100 MB is never
# refused. The estimates are of the largest matrices of a call, where few rows or landmarks can mean much.

# An error where `bytes` are too many. `what` begins the sentence "<what> about 5 GB of memory." and ends in
# its verb. It and `remedy`, one sentence or several, are templates, which cli evaluates in `.envir`.
check_memory <- function(bytes, what, remedy, arg, call, .envir = parent.frame()) {
  limit <- memory_limit(call)
  if (bytes <= limit) return(invisible())
  words <- rlang::env(.envir,
    needed = show_bytes(bytes), limit = show_bytes(limit),
    more = format(signif(1.1 * bytes, 2), scientific = 0)
  )
  abort_input(c(
    paste(what, "about {needed} of memory."),
    x = "{.code getOption(\"landmarker.memory\")} allows {limit}.",
    stats::setNames(remedy, rep("i", length(remedy))),
    i = "To allow it, set {.code options(landmarker.memory = {more})}, in bytes."
  ), arg = arg, kind = "memory", call = call, .envir = words)
}

# The same for work on so many numbers of 8 bytes.
check_work <- function(numbers, what, remedy, arg, call, .envir = parent.frame()) {
  bytes <- 8 * numbers
  if (!is.na(bytes) && bytes > 1e8) check_memory(bytes, what, remedy, arg, call, .envir)
}

show_bytes <- function(bytes) {
  unit <- min(log10(max(bytes, 1)) %/% 3, 4)
  paste(signif(bytes / 1000^unit, 3), c("bytes", "kB", "MB", "GB", "TB")[unit + 1])
}

memory_limit <- function(call = NULL) {
  limit <- getOption("landmarker.memory", 4e9)
  if (is_number(limit) && limit > 0) return(limit)
  abort_input(c(
    "{.code getOption(\"landmarker.memory\")} must be one number above 0, in bytes.",
    x = "It is {describe(limit)}."
  ), kind = "option", call = call)
}

# How many bytes of rows are brought to memory at a time.
chunk_bytes <- function() memory_limit() / 16
