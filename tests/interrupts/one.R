# One kind of work, left once, in this R, which starts fresh:
#
#   Rscript tests/interrupts/one.R KIND signal|limit SECONDS
#
# Prints a line: kind, way, seconds at which it was left, seconds until R was back ("-" where the work had
# ended), and what was wrong then. With SECONDS = 0 the work is not left: prints how long it takes.

suppressPackageStartupMessages(library(landmarker))
asked <- commandArgs(TRUE)
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
source(file.path(here, "kinds.R"))
options(landmarker.threads = 2, landmarker.progress = FALSE, warn = -1)
kind <- asked[1]
after <- as.numeric(asked[3])
now <- function() as.numeric(Sys.time())

again <- function() {
  set.seed(7)
  fit <- landmarks(roll(300), 10)
  list(kinds[[kind]](TRUE)(), coef(fit), predict(fit, roll(50)))
}
# What must be as it was.
state <- function() {
  list(options(), grDevices::dev.list(), sink.number(), nrow(showConnections()), getwd(), RNGkind())
}
resident <- function() {
  invisible(gc(full = TRUE))
  if (!file.exists("/proc/self/status")) return(0)
  as.numeric(gsub("[^0-9]", "", grep("^VmRSS", readLines("/proc/self/status"), value = TRUE))) / 1024
}

want <- again()
work <- kinds[[kind]](FALSE)
if (after == 0) {
  start <- now()
  invisible(work())
  cat(kind, "ended", format(now() - start, digits = 3), "\n")
  quit("no")
}
# Seconds of processors that this R has used, by the kernel's count, or NA.
used <- function(stat = readLines("/proc/self/stat")) {
  sum(as.numeric(strsplit(sub(".*\\) ", "", stat), " ")[[1]][12:13])) / 100
}
has_proc <- file.exists("/proc/self/stat")

before <- state()
memory <- resident()
# A shell notes the moment, and what R had used by then, and may send the signal.
note <- tempfile()
pid <- Sys.getpid()
steps <- c(
  sprintf("sleep %f; date +%%s.%%N > %s", after, note),
  if (has_proc) sprintf("cat /proc/%d/stat >> %s", pid, note),
  if (asked[2] == "signal") sprintf("kill -INT %d", pid)
)
system(sprintf("(%s) >/dev/null 2>&1", paste(steps, collapse = "; ")), wait = FALSE)
left_by_limit <- function(e) {
  if (grepl("time limit", conditionMessage(e))) "left" else conditionMessage(e)
}
ended <- tryCatch({
  if (asked[2] == "limit") setTimeLimit(elapsed = after, transient = TRUE)
  work()
  "ended"
}, interrupt = function(e) "left", error = left_by_limit)
back <- now()
cpu <- if (has_proc) used()
setTimeLimit()
# A signal that comes after the end must not meet the checks.
if (ended != "left") tryCatch(Sys.sleep(after + 1), interrupt = function(e) NULL)
# On a busy machine a limit may come before the shell has written.
noted <- character()
for (look in 1:600) {
  if (file.exists(note)) noted <- readLines(note, warn = FALSE)
  if (length(noted) > has_proc) break
  Sys.sleep(0.1)
}
latency <- back - as.numeric(noted[1])
# A machine that does other work makes R wait: only what R itself has done counts.
if (has_proc && length(noted) > 1) latency <- min(latency, cpu - used(noted[2]))
wrong <- character()
if (!ended %in% c("ended", "left")) wrong <- paste("error:", ended)
if (!identical(before, state())) wrong <- c(wrong, "options, devices, sinks or connections have changed")
found <- tryCatch(again(), error = function(e) conditionMessage(e))
if (!identical(want, found)) wrong <- c(wrong, "the next call is not right")
children <- if (.Platform$OS.type == "windows") 0 else length(parallel:::children())
if (children > 0) wrong <- c(wrong, "a child process is left")
more <- resident() - memory
if (more > 300) wrong <- c(wrong, sprintf("%.0f MB are not back", more))
cat(
  kind, asked[2], format(after, digits = 3),
  if (ended == "left") format(max(latency, 0), digits = 3) else "-",
  if (length(wrong)) paste("FAILED", paste(wrong, collapse = "; ")) else "ok", "\n"
)
