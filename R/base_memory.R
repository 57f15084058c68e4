# Memory: an error for work that would need more than the option allows, or than the machine has free. Work of
# less than 100 MB is never refused. The estimates, functions check_*_memory(), stand beside the work. They
# are of the peak beyond the memory that is in use before, and tools/memory.R measures that they are at most
# twice or half of it.

# An error where `bytes` are too many. `what` begins the sentence "<what> about 5 GB of memory." and ends in
# its verb. It and `remedy`, one sentence or several, are templates, which cli evaluates in `.envir`.
# `free_bytes`: for tests.
check_memory <- function(bytes, what, remedy, arg, call, .envir = parent.frame(), free_bytes = free_memory) {
  option <- memory_limit(call)
  # For small work the machine is not asked.
  free <- if (bytes > 1e8 && bytes <= option) free_bytes() else Inf
  if (bytes <= min(option, free)) return(invisible())
  words <- rlang::env(.envir,
    needed = show_bytes(bytes), limit = show_bytes(min(option, free)),
    more = format(signif(1.1 * bytes, 2), scientific = 0)
  )
  abort_input(c(
    paste(what, "about {needed} of memory."),
    x = if (bytes > option) {
      "{.code getOption(\"landmarker.memory\")} allows {limit}."
    } else {
      "The machine has {limit} free."
    },
    stats::setNames(remedy, rep("i", length(remedy))),
    i = if (bytes > option) "To allow it, set {.code options(landmarker.memory = {more})}, in bytes."
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

# The bytes that new work can have: on Linux what the kernel says, and what the control groups of this process
# leave, as a container or a scheduler limits them. Inf where this is unknown. `root`: for tests.
free_memory <- function(root = "") {
  info <- number_in(file.path(root, "proc/meminfo"), "MemAvailable:")
  if (is.na(info)) return(Inf)
  min(1024 * info, unlist(lapply(memory_groups(root), left_in_group)))
}

# The directories of the memory groups of this process, and of those above them. Within a container the path
# may be that of the host: then only the topmost directory is there.
memory_groups <- function(root) {
  lines <- strsplit(lines_of(file.path(root, "proc/self/cgroup")), ":", fixed = TRUE)
  dirs <- lapply(lines, function(line) {
    version_2 <- line[2] == ""
    if (length(line) < 3 || !(version_2 || "memory" %in% strsplit(line[2], ",")[[1]])) return(NULL)
    steps <- Filter(nzchar, strsplit(line[3], "/", fixed = TRUE)[[1]])
    top <- file.path(root, if (version_2) "sys/fs/cgroup" else "sys/fs/cgroup/memory")
    Reduce(file.path, steps, top, accumulate = TRUE)
  })
  Filter(dir.exists, unlist(dirs))
}

# The memory that a group has left: its limit less what counts toward it. Pages of files that were not used
# lately are given back when they are needed. Inf without a limit.
left_in_group <- function(dir) {
  read <- function(name, key = "") number_in(file.path(dir, name), key)
  limit <- c(read("memory.max"), read("memory.limit_in_bytes"))
  used <- c(read("memory.current"), read("memory.usage_in_bytes"))
  pages <- c(read("memory.stat", "inactive_file "), read("memory.stat", "total_inactive_file "))
  first <- function(x) x[!is.na(x)][1]
  left <- first(limit) - first(used) + max(0, first(rev(pages)), na.rm = TRUE)
  if (is.na(left)) Inf else max(left, 0)
}

# The number after `key` at the beginning of a line of a file, or NA.
number_in <- function(file, key) {
  line <- lines_of(file)
  line <- line[startsWith(line, key)]
  if (length(line) == 0) return(NA_real_)
  suppressWarnings(as.numeric(sub("^ *([0-9]+).*", "\\1", substring(line[1], nchar(key) + 1))))
}

lines_of <- function(file) {
  if (!file.exists(file)) return(character())
  tryCatch(readLines(file, warn = FALSE), error = function(e) character(), warning = function(w) character())
}

# How many bytes of rows are brought to memory at a time.
chunk_bytes <- function() memory_limit() / 16
