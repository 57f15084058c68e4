# `make bench`: every comparison, each in an R process of its own, with R on the
# BLAS that it has and (Debian and Ubuntu) on OpenBLAS, unpacked beside the
# build and preloaded, nothing installed. A part writes bench/results/<part>.md;
# bench/RESULTS.md and the figures in README.md are put together from these.
#
# With names of parts as arguments (bench/parts.R has them): only those are measured and replaced. With
# BENCH_SHORT=1, or where a part fails or is skipped, what is printed is not kept. All parts take hours, of
# which `digits` waits twenty minutes for k-means, and `climb` takes nearly as long: it measures the package
# at an earlier commit as well.
source(file.path("bench", "tools.R"))
source(file.path("bench", "parts.R"))

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
    if (!is.null(blas) && length(kernels)) paste0("OPENBLAS_CORETYPE=", kernels),
    if (short) "BENCH_SHORT=1"
  )
  status <- system2("Rscript", c(file.path("bench", paste0(script, ".R")), arguments), env = environment)
  if (status != 0) stop("bench/", script, ".R failed")
}

# OpenBLAS chooses its kernels by the processor, and those of a very old one where it does not know the
# processor: there it is told the newest that run. The headings say which kernels are used.
best_kernels <- function(blas) {
  command <- c("-e", shQuote('source("bench/tools.R"); cat(blas_title())'))
  title <- system2("Rscript", command, stdout = TRUE, env = paste0("LD_PRELOAD=", blas))
  if (!any(grepl("Prescott|Nehalem", title))) return(NULL)
  file <- "/proc/cpuinfo"
  flags <- if (file.exists(file)) strsplit(grep("^flags", readLines(file), value = TRUE)[1], " ")[[1]]
  best <- c(avx512_bf16 = "Cooperlake", avx512f = "SkylakeX", avx2 = "Haswell")
  unname(utils::head(best[names(best) %in% flags], 1))
}
if (nzchar(Sys.getenv("OPENBLAS_CORETYPE"))) {
  message("OPENBLAS_CORETYPE=", Sys.getenv("OPENBLAS_CORETYPE"), " is not passed on to the benches.")
  Sys.unsetenv("OPENBLAS_CORETYPE")
}
wanted <- commandArgs(trailingOnly = TRUE)
unknown <- setdiff(wanted, names(bench_parts))
if (length(unknown)) {
  stop("No such part: ", paste(unknown, collapse = ", "), ". Parts are ",
    paste(names(bench_parts), collapse = ", "), ".", call. = FALSE)
}
if (length(wanted) == 0) wanted <- names(bench_parts)

blas <- openblas()
if (is.null(blas)) message("OpenBLAS is not here: only R's own BLAS is measured.")
kernels <- if (!is.null(blas)) best_kernels(blas)

# What one part runs.
measure <- function(part) {
  if (part %in% c("fit", "products", "select") && !is.null(blas)) run(part, blas)
  if (part == "memory") {
    for (which in c("dense", "sparse")) run("memory", arguments = which)
  } else if (part == "sklearn") {
    theirs <- sklearn()
    if (is.null(theirs)) {
      message("skipped: Python's scikit-learn is not here (on Debian: apt-get install python3-sklearn)")
    } else {
      run("sklearn", blas, arguments = theirs$python, set = theirs$set)
    }
  } else if (part %in% c("extension", "roll")) {
    # The extension with OpenBLAS first: its product is what both are compared with.
    if (!is.null(blas)) run("embedding", blas, arguments = part)
    run("embedding", arguments = part)
  } else if (part %in% c("digits", "search")) {
    run("embedding", arguments = part)
  } else {
    run(part, short = part == "fit")
  }
}

# A part is written beside the build first, and takes its place only when it is whole.
keep <- !nzchar(Sys.getenv("BENCH_SHORT"))
new <- normalizePath(file.path("build", "bench.md"), mustWork = FALSE)
dir.create("build", showWarnings = FALSE)
dir.create(file.path("bench", "results"), showWarnings = FALSE)
Sys.setenv(BENCH_OUT = new)
for (part in wanted) {
  machine <- part_machine(part)
  writeLines(machine, new)
  measure(part)
  measured <- readLines(new)
  if (keep && length(measured) > 1) {
    writeLines(measured, part_file(part))
    write_index()
    source(file.path("bench", "readme.R"))
  }
}
