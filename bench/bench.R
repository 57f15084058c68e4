# `make bench`: every comparison, each in an R process of its own, with R on the
# BLAS that it has and (Debian and Ubuntu) on OpenBLAS, unpacked beside the
# build and preloaded, nothing installed. Writes bench/RESULTS.md.
#
# With names as arguments (climb, busy, fit, products, text, memory, schedules, select, evaluate, criteria,
# prefix, response, files, workers, rivals, sklearn, roll, digits, extension, search, layout): only those,
# printed, and kept in the file BENCH_OUT where that is set. All of them take hours, of which `digits` waits
# twenty minutes for k-means, `criteria` takes as long, and `climb` nearly as long: it measures the package at
# an earlier commit as well.

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

# What runs Python with scikit-learn: the interpreter, and the variables of the environment that it needs.
# From Debian's packages, unpacked beside the build as OpenBLAS is, where the machine has none; or NULL.
sklearn <- function() {
  python <- Sys.which(c("/usr/bin/python3", "python3"))
  python <- python[nzchar(python)]
  works <- function(python, set = character()) {
    system2(python, c("-c", shQuote("import sklearn")), stdout = FALSE, stderr = FALSE, env = set) == 0
  }
  if (length(python) == 0) return(NULL)
  for (one in python) if (works(one)) return(list(python = one, set = character()))
  folder <- file.path("build", "sklearn")
  if (length(dir(folder)) == 0 && nzchar(Sys.which("apt-get")) && nzchar(Sys.which("dpkg"))) {
    dir.create(folder, recursive = TRUE, showWarnings = FALSE)
    # The packages that this machine lacks, by the names that apt-get would install them by.
    asked <- "apt-get install --print-uris -qq --no-install-recommends python3-sklearn 2>/dev/null"
    files <- sub("_.*", "", vapply(strsplit(system(asked, intern = TRUE), " "), `[`, "", 2))
    names <- grep("-(all|dev)$|-all-dev$", files, value = TRUE, invert = TRUE)
    unpack <- "for deb in *.deb; do dpkg -x $deb . || exit; done"
    names <- paste(names, collapse = " ")
    system(sprintf("cd %s && apt-get download %s >/dev/null 2>&1 && %s", folder, names, unpack))
  }
  home <- normalizePath(folder, mustWork = FALSE)
  set <- c(
    paste0("PYTHONPATH=", home, "/usr/lib/python3/dist-packages"),
    paste0("LD_LIBRARY_PATH=", paste(Sys.glob(paste0(home, "/usr/lib/*-linux-gnu")), collapse = ":"))
  )
  for (one in python) if (works(one, set)) return(list(python = one, set = set))
  NULL
}

run <- function(script, blas = NULL, short = FALSE, arguments = character(), set = character()) {
  environment <- c(
    set,
    if (!is.null(blas)) c(paste0("LD_PRELOAD=", blas), "OPENBLAS_NUM_THREADS=2"),
    if (short) "BENCH_SHORT=1"
  )
  status <- system2("Rscript", c(file.path("bench", paste0(script, ".R")), arguments), env = environment)
  if (status != 0) stop("bench/", script, ".R failed")
}

# OpenBLAS is to choose its kernels by the processor. The headings say which it has chosen.
if (nzchar(Sys.getenv("OPENBLAS_CORETYPE"))) {
  message("OPENBLAS_CORETYPE=", Sys.getenv("OPENBLAS_CORETYPE"), " is not passed on to the benches.")
  Sys.unsetenv("OPENBLAS_CORETYPE")
}
set_for_blas <- Sys.getenv()
set_for_blas <- set_for_blas[grepl("^(OPENBLAS|OMP|GOMP)_", names(set_for_blas))]
set_for_blas <- sprintf("%s=%s", names(set_for_blas), set_for_blas)

wanted <- commandArgs(trailingOnly = TRUE)
everything <- length(wanted) == 0
if (everything) {
  wanted <- c("climb", "busy", "fit", "products", "text", "memory", "schedules", "select", "evaluate",
    "criteria", "prefix", "response", "files", "workers", "rivals", "sklearn", "roll", "digits", "extension",
    "search", "layout")
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
    if (length(set_for_blas)) paste("- set in the environment:", paste(set_for_blas, collapse = ", ")),
    sprintf("- %s", format(Sys.Date()))
  ), out)
}

blas <- openblas()
if (is.null(blas)) message("OpenBLAS is not here: only R's own BLAS is measured.")
for (which in intersect(c("climb", "busy"), wanted)) run(which)
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
alone <- c("criteria", "prefix", "response", "files", "workers", "rivals", "layout")
for (which in intersect(alone, wanted)) run(which)
if ("sklearn" %in% wanted) {
  theirs <- sklearn()
  if (is.null(theirs)) {
    message("skipped: Python's scikit-learn is not here (on Debian: apt-get install python3-sklearn)")
  } else {
    run("sklearn", blas, arguments = theirs$python, set = theirs$set)
  }
}
# The extension with OpenBLAS first: its product is what both are compared with.
for (which in intersect(c("extension", "roll"), wanted)) {
  if (!is.null(blas)) run("embedding", blas, arguments = which)
  run("embedding", arguments = which)
}
for (which in intersect(c("digits", "search"), wanted)) run("embedding", arguments = which)
if (everything) source(file.path("bench", "readme.R"))
