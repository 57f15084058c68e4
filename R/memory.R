# An error for work that would need more memory than the option allows.

# `message` may contain {needed} and {limit}, which are formatted here. `share`: of the option's memory.
check_memory <- function(bytes, message, arg, call, share = 1, .envir = parent.frame()) {
  limit <- memory_limit(call) * share
  if (bytes <= limit) return(invisible())
  words <- rlang::env(.envir, needed = show_bytes(bytes), limit = show_bytes(limit))
  abort_input(message, arg = arg, kind = "memory", call = call, .envir = words)
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
