# Interrupts at random moments, each in a fresh R: back at the prompt within a second (of R's own work, where
# the system counts it), the next call right, memory back.
#
#   Rscript tests/interrupts/run.R [MOMENTS [KIND ...]]
#
# MOMENTS for each kind of kinds.R, default 50; half of them signals, half time limits. Writes a table, and
# ends with an error where something failed. INTERRUPT_SECONDS is the most that is allowed, default 1.

asked <- commandArgs(TRUE)
moments <- if (length(asked)) as.integer(asked[1]) else 50L
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
source(file.path(here, "kinds.R"))
chosen <- if (length(asked) > 1) asked[-1] else names(kinds)
most <- as.numeric(Sys.getenv("INTERRUPT_SECONDS", "1"))

run_one <- function(kind, way, after) {
  one <- c(file.path(here, "one.R"), kind, way, format(after))
  out <- suppressWarnings(system2(file.path(R.home("bin"), "Rscript"), one, stdout = TRUE, stderr = TRUE))
  last <- utils::tail(out, 1)
  # An R that has died has no last line.
  if (length(last) && startsWith(last, kind)) return(last)
  paste(kind, way, after, "- FAILED", paste(out, collapse = " "))
}

seed <- as.integer(Sys.getenv("INTERRUPT_SEED", "1"))
failed <- 0
for (kind in chosen) {
  set.seed(seed)
  takes <- suppressWarnings(as.numeric(strsplit(run_one(kind, "signal", 0), " ")[[1]][3]))
  if (is.na(takes)) takes <- 1
  # Later moments are much like those before them, and take long.
  after <- stats::runif(moments, 0.02, max(min(0.9 * takes, 10), 0.05))
  lines <- mapply(run_one, kind, rep_len(c("signal", "limit"), moments), after)
  parts <- strsplit(lines, " ")
  seconds <- suppressWarnings(as.numeric(vapply(parts, `[`, "", 4)))
  bad <- !grepl(" ok *$", lines) | (!is.na(seconds) & seconds > most)
  failed <- failed + sum(bad)
  cat(sprintf(
    "%-16s takes %5.1f s; left %2d of %2d times, back after %.2f s (median), %.2f s (most); %d failed\n",
    kind, takes, sum(!is.na(seconds)), moments, stats::median(seconds, na.rm = TRUE),
    max(seconds, 0, na.rm = TRUE), sum(bad)
  ))
  if (any(bad)) writeLines(paste("   ", lines[bad]))
}
if (failed > 0) quit("no", 1)
