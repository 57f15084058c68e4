# Beside each estimate of memory the peak that was measured, on Linux: `Rscript tools/memory.R [name ...]`.
# Each case runs in a process of its own. An estimate is the largest that check_memory() was asked for. It is
# the whole of what the call needs beyond its arguments, so that the ratio is to be within 1/2 and 2.
# The functions of the package that estimate memory are found by their code. Where all cases run, those that
# none of them asks are named, and the status is 1.
source("bench/tools.R")
source("tools/memory_cases.R")

# The functions that call check_memory() or check_work(), and the methods of selection_memory().
estimators <- function() {
  ns <- asNamespace("landmarker")
  calls <- function(name) {
    f <- get(name, ns)
    is.function(f) && any(c("check_memory", "check_work") %in% all.names(body(f)))
  }
  methods <- grep("^selection_memory[.](?!default)", ls(ns), value = TRUE, perl = TRUE)
  sort(c(setdiff(Filter(calls, ls(ns)), "check_work"), methods))
}

# In the child: prints the estimate and the peak above what there was before, in MB, and who estimated.
measure <- function(name) {
  library(landmarker)
  # Steps before may need more than a user would allow.
  options(landmarker.memory = Inf)
  steps <- cases[[name]]
  here <- new.env()
  for (step in utils::head(steps, -1)) suppressWarnings(eval(parse(text = step), here))
  asked <- 0
  ns <- asNamespace("landmarker")
  used <- character()
  replace <- function(name, f) {
    unlockBinding(name, ns)
    assign(name, f, ns)
  }
  # Whoever calls the estimate is on the stack by name.
  known <- estimators()
  note <- function(bytes) {
    asked <<- max(asked, bytes)
    on_stack <- vapply(sys.calls(), function(call) deparse1(call[[1]])[1], "")
    used <<- union(used, intersect(known, on_stack))
  }
  replace("check_memory", function(bytes, ...) note(bytes))
  replace("check_work", function(numbers, ...) note(8 * numbers))
  for (name in grep("^selection_memory[.]", known, value = TRUE)) local({
    method <- get(name, ns)
    own <- name
    noted <- function(...) {
      used <<- union(used, own)
      method(...)
    }
    registerS3method("selection_memory", sub("^selection_memory[.]", "", name), noted, ns)
  })
  peak <- peak_mb(suppressWarnings(eval(parse(text = utils::tail(steps, 1)), here)))
  cat(sprintf("%.1f %.1f %s\n", asked / 2^20, peak, paste(used, collapse = " ")))
}

arguments <- commandArgs(TRUE)
if (length(arguments) == 2 && arguments[1] == "--case") {
  measure(arguments[2])
} else {
  library(landmarker)
  used <- character()
  for (name in if (length(arguments)) arguments else names(cases)) {
    child <- c("tools/memory.R", "--case", name)
    out <- system2(file.path(R.home("bin"), "Rscript"), child, stdout = TRUE, stderr = TRUE)
    words <- strsplit(utils::tail(out, 1), " ")[[1]]
    found <- suppressWarnings(as.numeric(words[1:2]))
    if (anyNA(found)) {
      cat(name, "failed:", out, sep = "\n")
    } else {
      used <- union(used, words[-(1:2)])
      cat(sprintf("%-18s estimate %8.1f MB  peak %8.1f MB  ratio %.2f\n", name, found[1], found[2],
        found[1] / found[2]
      ))
    }
  }
  left <- setdiff(estimators(), used)
  if (length(arguments) == 0 && length(left)) {
    cat("No case of tools/memory_cases.R asks these estimates:", left, sep = "\n  ")
    cat("\n")
    quit(status = 1)
  }
}
