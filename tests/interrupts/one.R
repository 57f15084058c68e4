# One kind of work, left once, in this R, which starts fresh:
#
#   Rscript tests/interrupts/one.R KIND signal|limit SECONDS
#
# Prints a line: kind, way, seconds at which it was left, seconds until R was back ("-" where the work had ended),
# and what was wrong then. With SECONDS = 0 the work is not left: prints how long it takes.

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
  list(kinds[[kind]](TRUE)(), coef(landmarks(roll(300), 10)), predict(landmarks(roll(300), 5, "random"), roll(50)))
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
before <- state()
memory <- resident()
ended <- "ended"
if (asked[2] == "signal") {
  note <- tempfile()
  system(sprintf("(sleep %f; date +%%s.%%N > %s; kill -INT %d) >/dev/null 2>&1", after, note, Sys.getpid()), wait = FALSE)
  # The shell's start counts: the moment is the one it notes.
  ended <- tryCatch({ work(); "ended" }, interrupt = function(e) "left", error = function(e) conditionMessage(e))
  back <- now()
  # A signal that comes after the end must not meet the checks.
  if (ended != "left") tryCatch(Sys.sleep(60), interrupt = function(e) NULL)
  latency <- back - as.numeric(readLines(note))
} else {
  start <- now()
  ended <- tryCatch({
    setTimeLimit(elapsed = after, transient = TRUE)
    work()
    "ended"
  }, error = function(e) if (grepl("reached elapsed time limit", conditionMessage(e))) "left" else conditionMessage(e))
  back <- now()
  setTimeLimit()
  latency <- back - start - after
}
wrong <- character()
if (!ended %in% c("ended", "left")) wrong <- paste("error:", ended)
if (!identical(before, state())) wrong <- c(wrong, "options, devices, sinks, connections or the folder have changed")
found <- tryCatch(again(), error = function(e) conditionMessage(e))
if (!identical(want, found)) wrong <- c(wrong, "the next call is not right")
children <- if (.Platform$OS.type == "windows") 0 else length(parallel:::children())
if (children > 0) wrong <- c(wrong, "a child process is left")
more <- resident() - memory
if (more > 300) wrong <- c(wrong, sprintf("%.0f MB are not back", more))
cat(
  kind, asked[2], format(after, digits = 3), if (ended == "left") format(max(latency, 0), digits = 3) else "-",
  if (length(wrong)) paste("FAILED", paste(wrong, collapse = "; ")) else "ok", "\n"
)
