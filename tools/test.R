# The tests of the installed package, and those of the C core without R.
#
#   Rscript tools/test.R                     from the top of the repository; `make test` does
#   Rscript tools/test.R quick [FILE ...]    the core, and the tests of what changed (tools/test_files.R)
#   Rscript tools/test.R only NAME ...       the files test-NAME.R
#
# LANDMARKER_TESTS=all runs what takes long too (tests/testthat/helper-slow.R): `make test-all`.
# Two processes take test files from one queue, the longest first. Where LANDMARKER_TEST_SECOND names a file,
# the second process starts when that file is there: until then a core is left to other work.
# The last line is `N passed, N failed, N skipped`, of expectations that ran. The status is 1 if anything
# failed or if nothing ran. LANDMARKER_DATA may name a folder with the real data.

source("tools/test_files.R")

the_core <- "the C core"
started <- "@@ test.R started "
record <- file.path("build", "tests", "seconds")

# ---- a process that takes jobs from the queue ------------------------------------------------------------

# Whoever makes a job's folder has the job. What a job gave is a file in its folder.
take_jobs <- function(queue, quick) {
  suppressPackageStartupMessages(library(testthat))
  here <- Sys.getpid()
  for (job in readLines(file.path(queue, "jobs"))) {
    own <- file.path(queue, job)
    if (!dir.create(own, showWarnings = FALSE)) next
    cat(started, job, "\n", sep = "")
    before <- proc.time()
    given <- own_options()
    counts <- if (job == the_core) core_counts(quick) else file_counts(job)
    counts <- keep_folder(keep_options(counts, given))
    # A forked process that came back from a test must not take jobs as well.
    if (Sys.getpid() != here) {
      file.create(file.path(queue, paste0("forked-", job)))
      tools::pskill(Sys.getpid(), tools::SIGKILL)
    }
    spent <- proc.time() - before
    # With the processes that it started.
    counts <- c(counts, cpu = sum(spent[-3]), clock = spent[[3]])
    saveRDS(counts, file.path(own, "unfinished"))
    file.rename(file.path(own, "unfinished"), file.path(own, "counts"))
  }
}

file_counts <- function(file) {
  results <- test_dir(
    "tests/testthat",
    filter = paste0("^", gsub(".", "[.]", sub("^test-(.*)\\.R$", "\\1", file), fixed = TRUE), "$"),
    package = "landmarker",
    load_package = "installed",
    reporter = SummaryReporter$new(show_praise = FALSE, omit_dots = TRUE, max_reports = Inf),
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
  later <- is("expectation_skip") & grepl("only in `make test-all`", text, fixed = TRUE)
  c(
    passed = sum(is("expectation_success")) - sum(new),
    failed = sum(failed | new),
    skipped = sum(is("expectation_skip")),
    later = sum(later),
    shown = sum(failed | is("expectation_warning")) + sum(is("expectation_skip") & !later)
  )
}

# A failure of the job that no expectation has told.
one_more_failed <- function(counts) {
  counts[c("failed", "shown")] <- counts[c("failed", "shown")] + 1
  counts
}

# A child process of R that crashes deletes the folder of temporary files, which it shares with this one. That
# is a failure of the job, and no other job fails for want of a folder.
keep_folder <- function(counts) {
  if (dir.exists(tempdir())) return(counts)
  cat("The folder of temporary files is gone: a child process may have crashed.\n")
  tempdir(check = TRUE)
  one_more_failed(counts)
}

# The options of the package, and of cli, that a file has set must be back: they are in the session of others.
own_options <- function() options()[grep("^(landmarker|cli)[.]", names(options()))]
keep_options <- function(counts, before) {
  after <- own_options()
  names <- union(names(before), names(after))
  left <- names[!vapply(names, function(name) identical(before[[name]], after[[name]]), NA)]
  if (length(left) == 0) return(counts)
  cat("Options that were not put back:", toString(left), "\n")
  options(stats::setNames(before[left], left))
  one_more_failed(counts)
}

core_counts <- function(quick) {
  make <- Sys.getenv("MAKE", "make")
  args <- c("--no-print-directory", "-j2", "-C", "tests/core", if (quick) "passed" else "test")
  lines <- suppressWarnings(system2(make, args, stdout = TRUE, stderr = TRUE, env = "MAKEFLAGS="))
  writeLines(lines)
  status <- attr(lines, "status")
  said <- regmatches(lines, regexec("^core: ([0-9]+) passed, ([0-9]+) failed$", lines))
  said <- do.call(rbind, said[lengths(said) > 0])
  counts <- c(
    passed = sum(as.numeric(said[, 2])), failed = sum(as.numeric(said[, 3])), skipped = 0, later = 0
  )
  # A core that did not compile, crashed or tested nothing has failed.
  if (counts[["failed"]] == 0 && (!is.null(status) || counts[["passed"]] == 0)) {
    cat("The tests of the C core did not come to their end.\n")
    counts[["failed"]] <- 1
  }
  c(counts, shown = 1)
}

# ---- the queue -------------------------------------------------------------------------------------------

# The longest first, by their last seconds here. A file of unknown seconds is judged by its size, and by
# whether it says that it is slow. Half a minute of test-package-golden.R would be missed at the end. A
# session that has run many files takes five seconds to fork, which test-package-interrupts.R would measure.
in_order <- function(tests) {
  path <- file.path("tests/testthat", tests)
  says <- "skip_slow_file|skip_on_cran|skip_unless_full|two_daemons"
  slow <- vapply(path, function(file) any(grepl(says, readLines(file))), NA)
  seconds <- stats::setNames(file.size(path) / 5000 * ifelse(slow, 4, 1), tests)
  seconds[tests == "test-package-golden.R"] <- 30
  if (file.exists(record)) {
    known <- dget(record)
    known <- known[intersect(names(known), tests)]
    seconds[names(known)] <- known
  }
  seconds[tests == "test-package-interrupts.R"] <- Inf
  c(the_core, names(sort(seconds, decreasing = TRUE)))
}

start_process <- function(queue, quick) {
  process <- processx::process$new(
    file.path(R.home("bin"), "Rscript"), c("tools/test.R", "--take", queue, if (quick) "quick"),
    stdout = "|", stderr = "2>&1",
    # On CI testthat neither deletes snapshots that are not used nor draws a moving picture. Threads of two
    # processes that wait must not spin.
    env = c("current", NOT_CRAN = "true", CI = "true", OMP_WAIT_POLICY = "passive")
  )
  list2env(list(process = process, job = NULL, said = character()))
}

# Runs the jobs, each in one of the processes: compiled code that crashes fails its job and ends no other.
# A data frame with a row for each job.
run_jobs <- function(jobs, quick) {
  queue <- tempfile("tests")
  dir.create(queue)
  writeLines(jobs, file.path(queue, "jobs"))
  done <- list()
  failed <- character()
  end_job <- function(lane, crash = NULL) {
    file <- file.path(queue, lane$job, "counts")
    counts <- if (is.null(crash) && file.exists(file)) readRDS(file)
    if (is.null(counts)) {
      counts <- c(passed = 0, failed = 1, skipped = 0, later = 0, shown = 1, cpu = NA, clock = NA)
      lane$said <- c(lane$said, paste0(lane$job, " did not come to its end (status ", crash, ")."))
    }
    done[[lane$job]] <<- counts
    text <- job_text(lane$job, counts, lane$said)
    writeLines(text)
    if (counts[["failed"]]) failed <<- c(failed, text)
    lane$job <- NULL
    lane$said <- character()
  }
  hear <- function(lane, lines) {
    for (line in lines) {
      if (startsWith(line, started)) {
        if (!is.null(lane$job)) end_job(lane)
        lane$job <- substring(line, nchar(started) + 1)
      } else {
        lane$said <- c(lane$said, line)
      }
    }
  }
  second <- Sys.getenv("LANDMARKER_TEST_SECOND")
  lanes <- list(start_process(queue, quick))
  alone <- TRUE
  while (length(lanes)) {
    if (alone && (!nzchar(second) || file.exists(second))) {
      lanes <- c(lanes, start_process(queue, quick))
      alone <- FALSE
    }
    Sys.sleep(0.2)
    ended <- vapply(lanes, function(lane) !lane$process$is_alive(), NA)
    for (lane in lanes) hear(lane, lane$process$read_output_lines())
    for (lane in lanes[ended]) {
      hear(lane, lane$process$read_all_output_lines())
      status <- lane$process$get_exit_status()
      if (is.null(lane$job)) {
        writeLines(lane$said)
        next
      }
      end_job(lane, if (status != 0) status)
      # Another process takes the place of one that crashed.
      left <- jobs[!dir.exists(file.path(queue, jobs))]
      if (status != 0 && length(left)) lanes <- c(lanes, start_process(queue, quick))
    }
    lanes <- lanes[!c(ended, logical(length(lanes) - length(ended)))]
  }
  for (job in sub("^forked-", "", list.files(queue, "^forked-"))) {
    text <- paste0(job, ": a forked process came back from a test.")
    writeLines(text)
    failed <- c(failed, text)
    done[[job]] <- one_more_failed(done[[job]])
  }
  unlink(queue, recursive = TRUE)
  for (job in setdiff(jobs, names(done))) {
    cat(job, "did not run.\n")
    done[[job]] <- c(passed = 0, failed = 1, skipped = 0, later = 0, shown = 1, cpu = NA, clock = NA)
  }
  structure(as.data.frame(do.call(rbind, done)), failed = failed)
}

job_text <- function(job, counts, said) {
  line <- sprintf(
    "%-28s %6.1f s %6d passed%s%s", job, counts[["cpu"]], as.integer(counts[["passed"]]),
    if (counts[["failed"]]) sprintf(", %d failed", as.integer(counts[["failed"]])) else "",
    if (counts[["skipped"]]) sprintf(", %d skipped", as.integer(counts[["skipped"]])) else ""
  )
  c(line, if (counts[["shown"]]) c(said[!grepl("DONE =*$|DONE \u2550*$", said)], ""))
}

# What failed is said again near the end: a log of CI may be cut to its last lines.
report <- function(found, clock) {
  known <- found[!is.na(found$cpu), ]
  slow <- utils::head(known[order(-known$cpu), ], 10)
  cat("\nThe slowest, in seconds of the processor (and of the clock):\n")
  cat(sprintf("%8.1f (%5.1f)  %s\n", slow$cpu, slow$clock, rownames(slow)), sep = "")
  cat(sprintf("%8.1f (%5.1f)  all\n", sum(known$cpu), clock))
  seconds <- stats::setNames(known$cpu, rownames(known))
  before <- if (file.exists(record)) dget(record)
  dir.create(dirname(record), recursive = TRUE, showWarnings = FALSE)
  dput(c(seconds, before[setdiff(names(before), names(seconds))]), record)
  if (sum(found$later)) {
    cat("\n", sum(found$later), " of the skipped tests are only in `make test-all`.\n", sep = "")
  }
  suggested <- gsub("[ \n].*|\\(.*", "", trimws(strsplit(read.dcf("DESCRIPTION", "Suggests"), ",")[[1]]))
  absent <- suggested[!nzchar(vapply(suggested, function(name) system.file(package = name), ""))]
  if (length(absent)) cat("\nTests skip for want of these packages: ", toString(absent), ".\n", sep = "")
  failed <- attr(found, "failed")
  if (length(failed)) writeLines(c("", "What failed:", failed[nzchar(failed)]))
  cat(sprintf("\n%.0f passed, %.0f failed, %.0f skipped\n",
              sum(found$passed), sum(found$failed), sum(found$skipped)))
}

# The test files that are asked for.
asked_tests <- function(args) {
  every <- list.files("tests/testthat", "^test-.*\\.R$")
  if (!length(args)) return(every)
  if (args[1] == "only") {
    named <- paste0("test-", args[-1], ".R")
    if (!all(named %in% every)) stop("There is no ", paste(setdiff(named, every), collapse = ", "), ".")
    return(named)
  }
  if (args[1] != "quick") stop("Give nothing, `quick`, `quick FILE ...` or `only NAME ...`.")
  changed <- if (length(args) > 1) args[-1] else changed_files()
  found <- tests_of_changes(changed)
  if (length(found$without)) cat("No test file is named after:", found$without, "\n")
  found$tests
}

args <- commandArgs(TRUE)
if (length(args) > 1 && args[1] == "--take") {
  take_jobs(args[2], quick = length(args) > 2)
  # Now: the rest of this file is not read, which somebody may be editing.
  quit()
} else {
  tests <- asked_tests(args)
  jobs <- in_order(tests)
  if ("only" %in% args) jobs <- setdiff(jobs, the_core)
  clock <- proc.time()[[3]]
  found <- run_jobs(jobs, quick = "quick" %in% args[1])
  report(found, proc.time()[[3]] - clock)
  quit(status = if (sum(found$failed) > 0 || sum(found$passed) == 0) 1 else 0)
}
