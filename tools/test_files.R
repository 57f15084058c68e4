# Which test files belong to which sources. tools/test.R runs these after a change.
#
# R/<room>_<name>.R is tested by test-<room>-<name>.R and test-<room>-<name>-*.R. Where there is none, the
# last word of the name is left out, again and again: `fit_on_data` is tested by `test-fit-on*.R`, or else
# by `test-fit*.R`.

# Those of `test_files` that test an R file. None if even its first word has none.
tests_of <- function(r_file, test_files) {
  tested <- sub("^test-(.*)\\.R$", "\\1", basename(test_files))
  words <- strsplit(sub("\\.R$", "", basename(r_file)), "[_-]")[[1]]
  for (k in rev(seq_along(words))) {
    start <- paste(words[seq_len(k)], collapse = "-")
    found <- tested == start | startsWith(tested, paste0(start, "-"))
    if (any(found)) return(test_files[found])
  }
  test_files[0]
}

# Those that use what a helper defines, by name: also through other helpers.
tests_of_helper <- function(helper, test_files) {
  words <- function(file) all.names(parse(file, keep.source = FALSE))
  defined <- function(file) {
    is_definition <- function(e) is.call(e) && identical(e[[1]], as.name("<-"))
    calls <- Filter(is_definition, as.list(parse(file, keep.source = FALSE)))
    vapply(calls, function(e) as.character(e[[2]])[1], "")
  }
  folder <- dirname(helper)
  others <- setdiff(Sys.glob(file.path(folder, "helper-*.R")), helper)
  names <- defined(helper)
  repeat {
    using <- vapply(others, function(file) any(words(file) %in% names), NA)
    names <- c(names, unlist(lapply(others[using], defined)))
    others <- others[!using]
    if (!any(using)) break
  }
  test_files[vapply(test_files, function(file) any(words(file.path(folder, file)) %in% names), NA)]
}

# The files that differ from the last commit, with those that are new; where there are none, from the place
# where this branch left `origin/main`.
changed_files <- function() {
  git <- function(...) {
    lines <- suppressWarnings(system2("git", c(...), stdout = TRUE, stderr = FALSE))
    if (is.null(attr(lines, "status"))) lines else character()
  }
  changed <- c(git("diff", "--name-only", "HEAD"), git("ls-files", "--others", "--exclude-standard"))
  base <- if (!length(changed)) git("merge-base", "origin/main", "HEAD")
  if (length(base)) changed <- git("diff", "--name-only", base, "HEAD")
  unique(changed)
}

# The test files that changed files call for, and those R files that have none. test-package-golden.R, which
# sees any change of numbers, is run whatever changed.
tests_of_changes <- function(changed, folder = "tests/testthat") {
  test_files <- list.files(folder, "^test-.*\\.R$")
  of <- lapply(changed, function(file) {
    name <- basename(file)
    if (startsWith(file, "R/")) return(tests_of(file, test_files))
    if (startsWith(file, file.path(folder, "_snaps"))) {
      snapshot <- strsplit(substring(file, nchar(file.path(folder, "_snaps")) + 2), "/")[[1]][1]
      return(paste0("test-", sub("\\.md$", "", snapshot), ".R"))
    }
    if (startsWith(file, folder) && startsWith(name, "test-")) return(name)
    if (startsWith(file, folder) && startsWith(name, "helper-") && file.exists(file)) {
      return(tests_of_helper(file, test_files))
    }
    if (startsWith(file, "vignettes/")) return("test-package-vignettes.R")
    if (file == "README.md") return("test-package-readme.R")
    character()
  })
  alone <- changed[startsWith(changed, "R/") & lengths(of) == 0]
  list(tests = intersect(test_files, c("test-package-golden.R", unlist(of))), without = alone)
}
