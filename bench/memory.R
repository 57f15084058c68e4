# Peak memory of a fit, dense and sparse: the high-water mark of the process
# above where it stood with the data loaded. Linux only.
source("bench/tools.R")
library(landmarker)

# Each in a process of its own: memory that was freed would hide what is used.
which <- commandArgs(trailingOnly = TRUE)
if (!file.exists("/proc/self/clear_refs")) quit(status = 0)
x <- if (which == "dense") mnist() else newsgroups_rows()
if (is.null(x)) quit(status = 0)
size <- as.double(object.size(x)) / 2^20
space <- if (which == "dense") "nonnegative" else "nonnegative_sphere"
# What is loaded at the first use is not the fit's.
small <- landmarks(matrix(runif(4000), 1000), 3)
set.seed(1)
used <- peak_mb(landmarks(x, if (which == "dense") 100 else 12, space = space))
if (which == "dense") heading("Peak memory of a fit, minus that of the process with the data loaded")
report(
  sprintf("%s fit of %d x %d, MB (x itself: %.1f)", which, nrow(x), ncol(x), size), round(used, 1),
  if (which == "dense") {
    sprintf("at most %.0f: a copy and 200", size + 200)
  } else {
    sprintf("at most %.1f: three times x", 3 * size)
  }
)
