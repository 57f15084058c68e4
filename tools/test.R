# All the tests: those of the installed package, then those of the C core without R.
#
#   Rscript tools/test.R          from the top of the repository; `make test` does
#
# The last line is `N passed, N failed, N skipped`, of expectations that ran. The status is 1 if
# anything failed or if nothing ran. LANDMARKER_DATA may name a folder with the real data.

# The tests of the package, in a process of their own: compiled code that crashes must fail the
# run, not end it.
run_r_tests <- function(counts_file) {
  library(testthat)
  results <- test_dir(
    "tests/testthat",
    package = "landmarker",
    load_package = "installed",
    reporter = SummaryReporter$new(show_praise = FALSE, max_reports = Inf),
    stop_on_failure = FALSE
  )
  outcomes <- unlist(lapply(results, `[[`, "results"), recursive = FALSE)
  is <- function(class) vapply(outcomes, inherits, logical(1), class)
  text <- vapply(outcomes, function(outcome) paste(conditionMessage(outcome), collapse = " "), "")

  # A snapshot that was not there passes beside a warning, or since version 3.3 a failure.
  failed <- is("expectation_failure") | is("expectation_error")
  new <- (is("expectation_warning") | failed) & grepl("^Adding new (file )?snapshot", text)
  if (any(new)) {
    cat("\nThe new snapshots above count as failed. They are in tests/testthat/_snaps now:\n",
        "read them, and commit them if they are right.\n", sep = "")
  }
  counts <- c(
    passed = sum(is("expectation_success")) - sum(new),
    failed = sum(failed | new),
    skipped = sum(is("expectation_skip"))
  )
  dput(counts, counts_file)
}

r_counts <- function() {
  file <- tempfile()
  # On CI testthat neither deletes snapshots that are not used nor draws a moving picture.
  env <- c("NOT_CRAN=true", "CI=true")
  rscript <- file.path(R.home("bin"), "Rscript")
  status <- system2(rscript, c("tools/test.R", "--r-tests", shQuote(file)), env = env)
  if (status == 0 && file.exists(file)) {
    return(dget(file))
  }
  cat("The tests of the package did not come to their end (status ", status, ").\n", sep = "")
  c(passed = 0, failed = 1, skipped = 0)
}

core_counts <- function() {
  cat("\n== The C core ", strrep("=", 60), "\n", sep = "")
  make <- Sys.getenv("MAKE", "make")
  args <- c("--no-print-directory", "-C", "tests/core", "test")
  lines <- suppressWarnings(system2(make, args, stdout = TRUE, stderr = TRUE, env = "MAKEFLAGS="))
  writeLines(lines)
  status <- attr(lines, "status")
  said <- regmatches(lines, regexec("^core: ([0-9]+) passed, ([0-9]+) failed$", lines))
  said <- do.call(rbind, said[lengths(said) > 0])
  counts <- c(
    passed = sum(as.numeric(said[, 2])),
    failed = sum(as.numeric(said[, 3])),
    skipped = 0
  )
  # A core that did not compile, crashed or tested nothing has failed.
  if (counts[["failed"]] == 0 && (!is.null(status) || counts[["passed"]] == 0)) {
    cat("The tests of the C core did not come to their end.\n")
    counts[["failed"]] <- 1
  }
  counts
}

args <- commandArgs(TRUE)
if (length(args) == 2 && args[1] == "--r-tests") {
  run_r_tests(args[2])
} else {
  counts <- r_counts() + core_counts()
  cat(sprintf("\n%d passed, %d failed, %d skipped\n",
              as.integer(counts[["passed"]]), as.integer(counts[["failed"]]),
              as.integer(counts[["skipped"]])))
  quit(status = if (counts[["failed"]] > 0 || counts[["passed"]] == 0) 1 else 0)
}
