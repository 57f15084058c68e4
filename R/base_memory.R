# Memory: an error for work that would need more than the option allows. Work of less than 100 MB is never
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
