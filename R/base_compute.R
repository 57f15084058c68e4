# How to compute: threads, and the variant of the products.

#' Options for threads, memory, progress bars and messages
#'
#' Set these with [options()], for example in `.Rprofile`. They do not affect results beyond rounding error,
#' except that the sample of data in chunks depends on `landmarker.memory`.
#'
#' | option | default | meaning |
#' |---|---|---|
#' | `landmarker.threads` | at most 2 | number of threads |
#' | `landmarker.memory` | `4e9` | maximum memory of a computation, in bytes |
#' | `landmarker.progress` | `interactive()` | whether to show progress bars |
#' | `landmarker.verbose` | `TRUE` | whether to show messages |
#' | `landmarker.announce` | `5` | expected duration in seconds above which a message reports it |
#' | `landmarker.variant` | `"best"` | instruction set of the processor |
#'
#' @section Threads:
#' The argument `threads` of a call overrides `options(landmarker.threads = 4)`. Results are identical for
#' any number of threads. The default is two threads, as CRAN requires, or fewer if the machine has fewer
#' processors or the environment variable `OMP_NUM_THREADS` is smaller. A fit may use only one thread on a
#' busy machine.
#'
#' The number of threads is at most 64, at most the environment variable `OMP_THREAD_LIMIT`, and at most two
#' if `R CMD check` sets `_R_CHECK_LIMIT_CORES_`. Without OpenMP, and in forked processes such as those of
#' `parallel::mclapply()`, it is one. A process that loads the package after the fork cannot be recognized: it
#' may hang if other packages used threads before the fork, unless it sets `options(landmarker.threads = 1)`.
#'
#' Daemons of package \pkg{mirai} use one thread each by default. Change this by
#' `mirai::everywhere(options(landmarker.threads = 2))`. The session's options `landmarker.memory` and
#' `landmarker.variant` apply to daemons too.
#'
#' @section Progress bars and messages:
#' The argument `verbose` of a call controls both: `TRUE` shows and `FALSE` hides progress bars and messages.
#' With NULL, the default, the options apply:
#'
#' * `landmarker.progress` controls progress bars. By default they are shown in interactive sessions, after
#'   two seconds (`options(cli.progress_show_after = )`).
#' * `landmarker.verbose` controls messages. A message that is shown once per session does not count as shown
#'   if it was hidden.
#'
#' Warnings are always shown.
#'
#' @section Memory:
#' The largest matrices of a computation are estimated in advance. If they exceed `landmarker.memory`, a
#' positive number of bytes, the call fails with an error of class `landmarker_error_memory` that states the
#' requirement and alternatives. The largest are usually
#'
#' * the kernel matrix of n landmarks and its factors, \eqn{88 n^2}{88 n^2} bytes;
#' * the kernel matrix of all rows in [by_dpp_exact()];
#' * the Cholesky factor of [by_active()], \eqn{8 N n}{8 N n} bytes for N rows;
#' * indicator columns of factors with many levels, sparse data made dense by [raw_features()] or
#'   [nmf_features()], predictions, and full covariances.
#'
#' Use `options(landmarker.memory = 16e9)` on a machine with 16 GB to spare, and a lower value if less than 4
#' GB are free. The sample of data in chunks uses at most a sixteenth of the option (see [chunked()]).
#'
#' @section Processor:
#' Matrix products are compiled for `"plain"`, `"avx2"` and `"avx512"` instructions; `"best"` is the fastest
#' that the processor supports. The last digits of results may differ between them. Use
#' `options(landmarker.variant = "plain")` for identical digits on machines with the same system and
#' architecture, or for tools such as valgrind. On Windows AVX2 and AVX-512 are not used because of GCC
#' bug 54412.
#'
#' @section Errors:
#' An invalid option is an error of class `landmarker_error_option`.
#' @seealso [landmarker-conditions], `vignette("scale")`
#' @examples
#' x <- sim_swiss_roll(2000)
#' set.seed(1)
#' one <- landmarks(x, 20, threads = 1)
#' old <- options(landmarker.threads = 2, landmarker.progress = FALSE, landmarker.memory = 1e8)
#' set.seed(1)
#' two <- landmarks(x, 20)
#' identical(coef(one), coef(two))
#' # Too little memory is an error before any computation.
#' tryCatch(landmarks(x, 1500), landmarker_error_memory = function(e) cat(conditionMessage(e), "\n"))
#' options(old)
#' @name landmarker-options
NULL

# list(threads, variant) for the core. Results are the same for any number of threads.
compute_with <- function(call = rlang::caller_env()) {
  # The numbers of OpenMP, which are 1 in a forked process.
  of_system <- .Call(C_threads)
  # At most two by default, as CRAN requires.
  usual <- min(2L, of_system[1])
  threads <- package_option("threads", usual, "an integer of at least 1", call, function(v) {
    is_number(v) && v >= 1 && v == trunc(v)
  })
  # R CMD check sets this variable where two is the limit.
  checked <- !tolower(Sys.getenv("_R_CHECK_LIMIT_CORES_")) %in% c("", "false", "no", "0")
  known <- c("best", .Call(C_variants))
  is_known <- function(v) rlang::is_string(v, known)
  variant <- package_option("variant", "best", "one of {quoted_or(known)}", call, is_known)
  list(threads = as.integer(min(threads, 64L, if (checked) 2L, of_system[2])), variant = variant)
}

# An option of the package, or an error unless it `fits` the rule.
package_option <- function(name, default, rule, call, fits) {
  name <- paste0("landmarker.", name)
  value <- getOption(name) %||% default
  if (fits(value)) return(value)
  abort_input(c(paste0("Option {.code {name}} must be ", rule, "."), x = "It is {describe(value)}."),
    kind = "option", call = call, .envir = rlang::env(parent.frame(), name = name, value = value)
  )
}

# The arguments `threads` and `verbose` of a function: until it ends they replace the options.
# NULL leaves the options as they are. An on.exit() of that function must have `add = TRUE`.
local_compute <- function(threads, verbose, frame = rlang::caller_env()) {
  if (!is.null(threads)) {
    rlang::local_options(landmarker.threads = check_count(threads, "threads", call = frame), .frame = frame)
  }
  if (is.null(verbose)) return(invisible())
  check_flag(verbose, "verbose", frame)
  rlang::local_options(landmarker.progress = verbose, landmarker.verbose = verbose, .frame = frame)
}

# A progress bar for long work: in an interactive session, never in a script,
# unless the argument `verbose` or the option landmarker.progress says otherwise.
progress_start <- function(label, total, .envir = parent.frame()) {
  if (!isTRUE(getOption("landmarker.progress", interactive()))) return(NULL)
  # The bar ends with the calling function, not when its total is reached: the parts of steps add up with
  # rounding errors, and may reach the total before the end.
  cli::cli_progress_bar(label, total = total, clear = TRUE, auto_terminate = FALSE, .envir = .envir)
}

# A message that a call will take long, if `seconds` were needed for a `share` of its work. The fits of a
# comparison are silent, as their progress is. `faster`: what is quicker.
announce_time <- function(seconds, share, faster, call) {
  needed <- seconds / share
  silent <- isFALSE(getOption("landmarker.progress"))
  if (silent || needed <= getOption("landmarker.announce", 5)) return(invisible())
  words <- if (needed < 100) paste(signif(needed, 1), "seconds") else paste(ceiling(needed / 60), "minutes")
  inform_user(c("This will take about {words}.", i = faster), kind = "time", once = NULL, call = call)
}

# The function that the core calls with how much was done, or NULL if there is no bar. `each`: how far the
# bar moves for a unit of that.
progress_of <- function(bar, each = 1) if (!is.null(bar)) function(done) progress_step(bar, done * each)

progress_step <- function(bar, by = 1, .envir = parent.frame()) {
  if (!is.null(bar)) cli::cli_progress_update(inc = by, id = bar, .envir = .envir)
}

# ---- memory ------------------------------------------------------------------------

# An error for work on so many numbers of 8 bytes that it would need more memory than the option allows. The
# estimates are of the largest matrices of a call, where few rows or landmarks can mean much. `what` begins
# the sentence "<what> about 5 GB of memory." and ends in its verb. It and `remedy`, one sentence or several,
# are templates, which cli evaluates in `.envir`.
check_memory <- function(numbers, what, remedy, arg, call, .envir = parent.frame()) {
  bytes <- 8 * numbers
  limit <- memory_limit(call)
  if (!isTRUE(bytes > limit)) return(invisible())
  show <- function(v) format(structure(signif(v, 3), class = "object_size"), "auto", "SI", digits = 2)
  more <- format(signif(1.1 * bytes, 2), scientific = 0)
  words <- rlang::env(.envir, needed = show(bytes), limit = show(limit), more = more)
  names(remedy) <- rep("i", length(remedy))
  abort_input(c(
    paste(what, "about {needed} of memory."), x = "Option {.code landmarker.memory} allows {limit}.",
    remedy, i = "Or raise the limit, in bytes: {.code options(landmarker.memory = {more})}."
  ), arg = arg, kind = "memory", call = call, .envir = words)
}

memory_limit <- function(call = NULL) {
  package_option("memory", 4e9, "a number above 0, in bytes", call, function(v) is_number(v) && v > 0)
}
