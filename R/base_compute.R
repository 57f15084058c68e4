# How to compute: threads, and the variant of the products.

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
    known <- paste0("\"", c("best", .Call(C_variants)), "\"")
    abort_input(c(
      "{.code getOption(\"landmarker.variant\")} must be one of {.or {known}}.",
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

# ---- threads that the environment allows ---------------------------------------------
# OpenMP reads its variables when it starts. They are read again here, so that Sys.setenv() in a session has
# an effect too.

# The number of threads where neither an argument nor the option says it: at most two, as CRAN requires.
# C_threads gives the numbers of OpenMP, which are 1 in a forked process.
default_threads <- function() min(2L, .Call(C_threads)[1], thread_variable("OMP_NUM_THREADS"))

# The most threads of any call. R CMD check sets _R_CHECK_LIMIT_CORES_ where two is the limit.
most_threads <- function() {
  limited <- Sys.getenv("_R_CHECK_LIMIT_CORES_")
  checked <- nzchar(limited) && !tolower(limited) %in% c("false", "no", "0")
  min(64L, if (checked) 2L, .Call(C_threads)[2], thread_variable("OMP_THREAD_LIMIT"))
}

# The number in a variable of OpenMP, the first of a list such as "4,2"; NULL where it has no such number.
thread_variable <- function(name) {
  value <- trimws(sub(",.*", "", Sys.getenv(name)))
  if (!grepl("^[0-9]{1,9}$", value) || as.integer(value) < 1) return(NULL)
  as.integer(value)
}
