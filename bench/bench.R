# `make bench`: every comparison, each in an R process of its own, with R on the
# BLAS that it has and (Debian and Ubuntu) on OpenBLAS, unpacked beside the
# build and preloaded, nothing installed. Writes bench/RESULTS.md.
#
# With names as arguments (fit, products, text, memory, schedules, select, evaluate, criteria, prefix, rivals,
# roll, digits, extension, search, layout): only those, printed, and kept in the file BENCH_OUT where that is
# set. All of them take well over an hour, of which `digits` waits twenty minutes for k-means and `criteria`
# takes as long.

openblas <- function() {
  folder <- file.path("build", "openblas")
  find <- function() {
    list.files(folder, "^libopenblasp?-?r?[0-9.]*[.]so([.]0)?$", recursive = TRUE, full.names = TRUE)
  }
  if (length(find()) == 0 && nzchar(Sys.which("apt-get")) && nzchar(Sys.which("dpkg"))) {
    dir.create(folder, recursive = TRUE, showWarnings = FALSE)
    system(
      sprintf("cd %s && apt-get download libopenblas0-pthread >/dev/null 2>&1 && dpkg -x *.deb .", folder)
    )
  }
  found <- find()
  if (length(found)) normalizePath(found[1]) else NULL
}

run <- function(script, blas = NULL, short = FALSE, arguments = character()) {
  environment <- c(
    if (!is.null(blas)) c(paste0("LD_PRELOAD=", blas), "OPENBLAS_NUM_THREADS=2"),
    if (short) "BENCH_SHORT=1"
  )
  status <- system2("Rscript", c(file.path("bench", paste0(script, ".R")), arguments), env = environment)
  if (status != 0) stop("bench/", script, ".R failed")
}

wanted <- commandArgs(trailingOnly = TRUE)
everything <- length(wanted) == 0
if (everything) {
  wanted <- c("fit", "products", "text", "memory", "schedules", "select", "evaluate", "criteria", "prefix",
    "rivals",
    "roll", "digits", "extension", "search", "layout")
  out <- normalizePath(file.path("bench", "RESULTS.md"), mustWork = FALSE)
  Sys.setenv(BENCH_OUT = out)
  cpu <- sub(".*: *", "", grep("model name", readLines("/proc/cpuinfo"), value = TRUE)[1])
  writeLines(c(
    "# Results", "",
    paste0(
      "`make bench` writes this file. `Rscript bench/bench.R NAME` measures a part of it. ",
      "Figures are medians of at"
    ),
    paste0(
      "least three runs, with their range in parentheses. Ratios are taken within one run. ",
      "The machines are shared and"
    ),
    "noisy, so the ratios are more reliable than the seconds.", "",
    sprintf("- %s, %s, two threads", R.version.string, cpu),
    sprintf("- landmarker %s, products: %s", packageVersion("landmarker"),
      tail(.Call(landmarker:::C_variants), 1)),
    sprintf("- %s", format(Sys.Date()))
  ), out)
}

blas <- openblas()
if (is.null(blas)) message("OpenBLAS is not here: only R's own BLAS is measured.")
if ("fit" %in% wanted) {
  if (!is.null(blas)) run("fit", blas)
  run("fit", short = TRUE)
}
if ("products" %in% wanted) {
  if (!is.null(blas)) run("products", blas)
  run("products")
}
if ("text" %in% wanted) run("text")
if ("memory" %in% wanted) for (which in c("dense", "sparse")) run("memory", arguments = which)
if ("schedules" %in% wanted) run("schedules")
if ("select" %in% wanted) {
  if (!is.null(blas)) run("select", blas)
  run("select")
}
if ("evaluate" %in% wanted) run("evaluate")
for (which in intersect(c("criteria", "prefix", "rivals", "layout"), wanted)) run(which)
# The extension with OpenBLAS first: its product is what both are compared with.
for (which in intersect(c("extension", "roll"), wanted)) {
  if (!is.null(blas)) run("embedding", blas, arguments = which)
  run("embedding", arguments = which)
}
for (which in intersect(c("digits", "search"), wanted)) run("embedding", arguments = which)
if (everything) source(file.path("bench", "readme.R"))
