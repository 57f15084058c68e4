# Test files with the package that tools/sanitize.sh has built:
#
#   tools/sanitize.sh tools/sanitized_tests.R          some files
#   tools/sanitize.sh tools/sanitized_tests.R all      all files but those that cannot hold there
#   tools/sanitize.sh tools/sanitized_tests.R NAME...  those of these names
#
# An error of a sanitizer ends R. The last line says how many expectations and how many entry points
# there were (tests/fuzz/gctorture.R calls all of them); the status is 1 if a test failed.

# Slow files too.
Sys.setenv(NOT_CRAN = "true", CI = "true", TESTTHAT_PARALLEL = "false")
library(testthat)
grDevices::pdf(NULL)
library(landmarker)

if ("all" %in% commandArgs(TRUE)) Sys.setenv(LANDMARKER_TESTS = "all")

# Chosen by what they call, and because they take seconds.
some <- c(
  "base-compute-memory-lent", "kernel-passes", "method-rows", "method-dpp-exact",
  "method-gp-climb", "method-gp-solvers", "method-kmeans", "response-path"
)
# The bits of golden.csv are those of a build without sanitizers.
unsuited <- "package-golden"

asked <- commandArgs(TRUE)
every <- sub("^test-(.*)\\.R$", "\\1", list.files("tests/testthat", "^test-.*\\.R$"))
files <- if (length(asked) == 0) some else if (identical(asked, "all")) setdiff(every, unsuited) else asked
stopifnot(files %in% every)

called <- getFromNamespace("called", "landmarker")
counts <- c(passed = 0, failed = 0)
for (file in files) {
  before <- ls(called)
  results <- test_dir("tests/testthat",
    filter = paste0("^", file, "$"), package = "landmarker", load_package = "installed",
    reporter = SilentReporter$new(), stop_on_failure = FALSE
  )
  outcomes <- unlist(lapply(results, `[[`, "results"), recursive = FALSE)
  is <- function(class) vapply(outcomes, inherits, TRUE, class)
  bad <- outcomes[is("expectation_failure") | is("expectation_error")]
  passed <- sum(is("expectation_success"))
  counts <- counts + c(passed, length(bad))
  cat(sprintf("%s: %d passed, %d failed; new entries:", file, passed, length(bad)))
  cat("", setdiff(ls(called), before), "\n")
  for (one in bad) cat(format(one), "", sep = "\n")
}
registered <- names(getDLLRegisteredRoutines("landmarker")$.Call)
missed <- setdiff(registered, ls(called))
if (length(missed)) cat("not called:", missed, "\n")
cat(sprintf(
  "sanitized: %d passed, %d failed; %d of %d entry points called\n",
  counts[["passed"]], counts[["failed"]], length(registered) - length(missed), length(registered)
))
if (counts[["passed"]] < 10 * length(files)) cat("Most files were skipped.\n")
quit(status = counts[["failed"]] > 0 || counts[["passed"]] < 10 * length(files))
