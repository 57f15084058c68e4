# Beside each estimate of memory the peak that was measured, on Linux: `Rscript tools/memory.R [name ...]`.
# Each case runs in a process of its own. An estimate is the largest that check_memory() was asked for. It is
# the whole of what the call needs beyond its arguments, so that the ratio is to be within 1/2 and 2.
source("bench/tools.R")
source("tools/memory_cases.R")

# In the child: prints the estimate and the peak above what there was before, in MB.
measure <- function(name) {
  library(landmarker)
  # Steps before may need more than a user would allow.
  options(landmarker.memory = Inf)
  steps <- cases[[name]]
  here <- new.env()
  for (step in utils::head(steps, -1)) suppressWarnings(eval(parse(text = step), here))
  asked <- 0
  ns <- asNamespace("landmarker")
  unlockBinding("check_memory", ns)
  assign("check_memory", function(bytes, ...) asked <<- max(asked, bytes), ns)
  unlockBinding("check_work", ns)
  assign("check_work", function(numbers, ...) asked <<- max(asked, 8 * numbers), ns)
  peak <- peak_mb(suppressWarnings(eval(parse(text = utils::tail(steps, 1)), here)))
  cat(sprintf("%.1f %.1f\n", asked / 2^20, peak))
}

arguments <- commandArgs(TRUE)
if (length(arguments) == 2 && arguments[1] == "--case") {
  measure(arguments[2])
} else {
  for (name in if (length(arguments)) arguments else names(cases)) {
    child <- c("tools/memory.R", "--case", name)
    out <- system2(file.path(R.home("bin"), "Rscript"), child, stdout = TRUE, stderr = TRUE)
    found <- suppressWarnings(as.numeric(strsplit(utils::tail(out, 1), " ")[[1]]))
    if (length(found) != 2 || anyNA(found)) {
      cat(name, "failed:", out, sep = "\n")
    } else {
      cat(sprintf("%-18s estimate %8.1f MB  peak %8.1f MB  ratio %.2f\n", name, found[1], found[2],
        found[1] / found[2]
      ))
    }
  }
}
