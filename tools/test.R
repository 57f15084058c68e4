# The tests of the C core, and those of the installed package in two processes, by testthat.
#
#   Rscript tools/test.R                  from the top of the repository; `make test` does
#   Rscript tools/test.R only NAME ...    the files test-NAME.R
#
# LANDMARKER_TESTS=all runs what takes long too (tests/testthat/helper-slow.R): `make test-all`.
# The last line is `N passed, N failed, N skipped`, of expectations that ran. The status is 1 if anything
# failed or if nothing ran. LANDMARKER_DATA may name a folder with the real data.

# On CI testthat deletes no snapshots that are not used. Each of two processes has one thread by default: two
# threads that wait for each other beside other work take several times as long.
Sys.setenv(TESTTHAT_CPUS = "2", NOT_CRAN = "true", CI = "true", OMP_NUM_THREADS = "1")
# R asks the system for the time zone, which warns in a container.
if (!nzchar(Sys.getenv("TZ"))) Sys.setenv(TZ = "UTC")

# c(passed, failed) of the C core. One that does not compile, crashes or tests nothing has failed.
core_counts <- function() {
  args <- c("--no-print-directory", "-j2", "-C", "tests/core", "test")
  lines <- suppressWarnings(system2(Sys.getenv("MAKE", "make"), args, stdout = TRUE, stderr = TRUE,
    env = "MAKEFLAGS="))
  writeLines(lines)
  found <- do.call(rbind, regmatches(lines, regexec("^core: ([0-9]+) passed, ([0-9]+) failed$", lines)))
  counts <- c(sum(as.numeric(found[, 2])), sum(as.numeric(found[, 3])))
  if (!is.null(attr(lines, "status")) || counts[1] == 0) counts[2] <- max(1, counts[2])
  counts
}

# The results of test files, a data frame with a row for each test.
package_results <- function(names) {
  filter <- if (length(names)) paste0("^(", paste(names, collapse = "|"), ")$")
  testthat::test_dir("tests/testthat",
    filter = filter, package = "landmarker", load_package = "installed", stop_on_failure = FALSE,
    reporter = testthat::SummaryReporter$new(show_praise = FALSE, omit_dots = TRUE, max_reports = Inf)
  )
}

# c(passed, failed, skipped). A snapshot that was not there passes beside a warning, or fails since version
# 3.3 of testthat: it has to be read first.
package_counts <- function(results) {
  outcomes <- unlist(lapply(results, `[[`, "results"), recursive = FALSE)
  is <- function(class) vapply(outcomes, inherits, NA, class)
  failed <- is("expectation_failure") | is("expectation_error")
  text <- vapply(outcomes, function(outcome) paste(conditionMessage(outcome), collapse = " "), "")
  new <- (failed | is("expectation_warning")) & grepl("^Adding new (file )?snapshot", text)
  if (any(new)) cat("New snapshots count as failed: read them in tests/testthat/_snaps, and commit them.\n")
  c(sum(is("expectation_success")) - sum(new), sum(failed | new), sum(is("expectation_skip")))
}

args <- commandArgs(TRUE)
only <- length(args) > 0 && args[1] == "only"
if (length(args) && !only) stop("Give nothing, or `only NAME ...`.")
core <- if (only) c(0, 0) else core_counts()
results <- tryCatch(package_results(args[-1]), error = function(e) {
  cat("The tests of the package did not come to their end:", conditionMessage(e), "\n")
})
package <- if (is.null(results)) c(0, 1, 0) else package_counts(results)
total <- c(core, 0) + package
cat(sprintf("\n%.0f passed, %.0f failed, %.0f skipped\n", total[1], total[2], total[3]))
quit(status = if (total[2] > 0 || total[1] == 0) 1 else 0)
