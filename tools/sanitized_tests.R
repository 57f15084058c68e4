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

results <- as.data.frame(test_dir("tests/testthat",
  filter = paste0("^(", paste(files, collapse = "|"), ")$"), package = "landmarker",
  load_package = "installed", stop_on_failure = FALSE,
  reporter = SummaryReporter$new(show_praise = FALSE, omit_dots = TRUE)
))
failed <- sum(results$failed + results$error)
registered <- names(getDLLRegisteredRoutines("landmarker")$.Call)
missed <- setdiff(registered, ls(getFromNamespace("called", "landmarker")))
if (length(missed)) cat("not called:", missed, "\n")
cat(sprintf("sanitized: %d passed, %d failed; %d of %d entry points called\n", sum(results$passed), failed,
  length(registered) - length(missed), length(registered)
))
# Files that pass nothing were skipped.
skipped <- tapply(results$passed, results$file, sum) == 0
quit(status = failed > 0 || all(skipped) || (length(files) <= length(some) && any(skipped)))
