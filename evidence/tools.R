# What every piece of evidence shares: data, where it was made, where it is kept.
# Run from the top of the repository, the package installed: `make evidence`.
source(file.path("bench", "tools.R"))
suppressPackageStartupMessages(library(landmarker))

# The counts of words in all posts of 20 Newsgroups; `newsgroups` has those of the training posts.
all_newsgroups <- function() {
  found <- new.env()
  load(file.path("data-raw", "newsgroups_all.rda"), found)
  found$newsgroups
}

# What a vignette has to say of figures that were made elsewhere.
provenance <- function(data, seeds) {
  cpu <- tryCatch(sub(".*: *", "", grep("model name", readLines("/proc/cpuinfo"), value = TRUE)[1]),
    error = function(e) R.version$platform
  )
  list(
    data = data, seeds = seeds, date = format(Sys.Date()),
    machine = sprintf("%s, two threads, %s, %s", cpu, R.version.string, blas_name()),
    version = as.character(utils::packageVersion("landmarker"))
  )
}

# `parts`: a named list of small tables and vectors, and `made`, its provenance.
# The pages read it by evidence() of vignettes/helpers/common.R. What only pages of the site read is not in
# the tarball (.Rbuildignore).
save_evidence <- function(name, parts) {
  parts$made[c("commit", "command")] <- list(code_commit(), paste0("Rscript evidence/", name, ".R"))
  folder <- file.path("inst", "evidence")
  dir.create(folder, recursive = TRUE, showWarnings = FALSE)
  file <- file.path(folder, paste0(name, ".rds"))
  saveRDS(parts, file, version = 2, compress = "xz")
  cat(sprintf("%s: %.1f KB\n", file, file.size(file) / 1024))
}

# A function that computes a part of a script's work once at each commit, and keeps it in build/evidence/.
# Nothing is kept of code that is not committed, as it may change between two runs.
keep_parts <- function(script) {
  commit <- code_commit()
  kept <- grepl("^[0-9a-f]+$", commit)
  folder <- file.path(if (kept) "build/evidence" else tempdir(), paste0(script, "-", commit))
  dir.create(folder, recursive = TRUE, showWarnings = FALSE)
  function(name, code) {
    file <- file.path(folder, paste0(name, ".rds"))
    if (!file.exists(file)) saveRDS(code, file)
    readRDS(file)
  }
}

# Pieces of work on two processes, each of one thread and without progress: what run(job) gives for each, a
# list. A piece that fails is an error here, when the others are done.
in_processes <- function(jobs, run) {
  done <- parallel::mclapply(jobs, function(job) {
    old <- options(landmarker.threads = 1L, landmarker.progress = FALSE)
    on.exit(options(old))
    tryCatch(list(value = run(job)), error = identity)
  }, mc.cores = if (.Platform$OS.type == "windows") 1 else 2, mc.preschedule = FALSE)
  why <- vapply(done, function(d) {
    if (inherits(d, "error")) conditionMessage(d) else if (is.list(d)) "" else "the process ended"
  }, "")
  failed <- which(why != "")
  if (length(failed)) {
    stop(length(failed), " of ", length(jobs), " pieces of work failed, the first: ", why[failed[1]])
  }
  lapply(done, `[[`, "value")
}
