# Tests where suggested packages are missing. Each test that needs one must be skipped with a message.
#
#   Rscript tools/imports_only.R                  Imports alone: all test files and examples
#   Rscript tools/imports_only.R named            Imports alone: the test files that name a suggested package
#   Rscript tools/imports_only.R each             without each suggested package in turn: files that name it
#   Rscript tools/imports_only.R without PACKAGE ...    the same for these packages
#
# From the top of the repository, with the package installed (`make imports` does both). A library of
# links below build/ has what may be seen, and the tests run in a copy (where every test of a file is
# skipped, testthat deletes the file's snapshots). Packages that come with R itself are in a library that
# R always searches: a folder with nothing but a DESCRIPTION hides them, as in R CMD check.
# The status is 1 if anything failed.

field <- function(name) {
  entries <- trimws(strsplit(read.dcf("DESCRIPTION", name)[1], ",")[[1]])
  sub("[ (\n].*", "", entries)
}

installed <- installed.packages(noCache = TRUE)
installed <- installed[!duplicated(rownames(installed)), ]
base <- rownames(installed)[installed[, "Priority"] %in% "base"]
recommended <- rownames(installed)[installed[, "Priority"] %in% "recommended"]

# These packages and all that they need.
closure <- function(names) {
  hard <- c("Depends", "Imports", "LinkingTo")
  needs <- tools::package_dependencies(names, installed, hard, recursive = TRUE)
  setdiff(intersect(c(names, unlist(needs)), rownames(installed)), base)
}

library_of <- function(seen) {
  lib <- file.path(normalizePath("build"), "imports", "lib")
  unlink(lib, recursive = TRUE)
  dir.create(lib, recursive = TRUE)
  file.symlink(file.path(installed[seen, "LibPath"], seen), file.path(lib, seen))
  for (name in setdiff(recommended, seen)) {
    dir.create(file.path(lib, name))
    file.copy(file.path(installed[name, "LibPath"], name, "DESCRIPTION"), file.path(lib, name))
  }
  lib
}

# An R that sees this library only. TRUE if the code ran to its end.
run <- function(lib, code) {
  environment <- c(
    paste0("R_LIBS=", shQuote(lib)), "R_LIBS_USER=NULL", "R_LIBS_SITE=NULL", "R_ENVIRON_USER=''",
    "NOT_CRAN=true", "CI=true"
  )
  program <- file.path(R.home("bin"), "Rscript")
  system2(program, c("--no-init-file", "-e", shQuote(code)), env = environment) == 0
}

tests_of <- function(files) {
  names <- sub("^test-(.*)\\.R$", "\\1", basename(files))
  sprintf(
    'testthat::test_dir("build/imports/testthat", filter = "%s", package = "landmarker",
       load_package = "installed",
       reporter = testthat::SummaryReporter$new(show_praise = FALSE, max_reports = Inf))',
    paste0("^(", paste(names, collapse = "|"), ")$")
  )
}

examples <- '
  library(landmarker)
  for (page in names(tools::Rd_db("landmarker"))) {
    code <- tempfile(fileext = ".R")
    tools::Rd2ex(tools::Rd_db("landmarker")[[page]], code)
    if (file.exists(code)) {
      grDevices::pdf(NULL)
      capture.output(sys.source(code, new.env()))
    }
  }'

dir.create("build/imports", recursive = TRUE, showWarnings = FALSE)
file.copy("tests/testthat", "build/imports", recursive = TRUE)
files <- Sys.glob("tests/testthat/test-*.R")
text <- vapply(files, function(file) paste(readLines(file), collapse = "\n"), "")
naming <- function(packages) files[grepl(paste0("\\b(", paste(packages, collapse = "|"), ")\\b"), text)]
alone <- function() library_of(closure(c("landmarker", field("Imports"), "testthat", "withr")))

without <- function(package) {
  some <- naming(package)
  if (!package %in% rownames(installed)) {
    message(package, " is not installed: `make test` runs without it.")
    return(TRUE)
  }
  if (!length(some)) {
    message(package, ": no test names it.")
    return(TRUE)
  }
  cat("\n## without", package, "\n")
  run(library_of(setdiff(rownames(installed), c(base, package))), tests_of(some))
}

asked <- commandArgs(TRUE)
suggested <- setdiff(field("Suggests"), c("testthat", "withr"))
fine <- switch(
  c(asked, "all")[1],
  all = c(tests = run(alone(), tests_of(files)), examples = run(alone(), examples)),
  named = c(tests = run(alone(), tests_of(naming(suggested)))),
  each = vapply(suggested, without, NA),
  without = vapply(asked[-1], without, NA),
  stop("Give nothing, or `named`, `each` or `without PACKAGE`.")
)
if (!all(fine)) stop("failed: ", toString(names(fine)[!fine]))
cat("\nEverything passed or was skipped.\n")
