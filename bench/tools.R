# What every benchmark shares: data, timing, tables.

# The folder of real data, or NULL with a message.
bench_data <- function(...) {
  roots <- c(Sys.getenv("LANDMARKER_DATA", NA), "../shared/data", "../../shared/data")
  for (root in roots[!is.na(roots)]) {
    path <- file.path(root, ...)
    if (file.exists(path)) return(path)
  }
  message("skipped: ", file.path(...), " is not here (set LANDMARKER_DATA to the folder of real data)")
  NULL
}

mnist <- function(rows = 50000) {
  path <- bench_data("mnist", "train-images-idx3-ubyte.gz")
  if (is.null(path)) return(NULL)
  x <- landmarker::read_idx(path)[seq_len(rows), ] / 255
  attr(x, "dim_item") <- NULL
  x
}

# 20 Newsgroups: posts x the most frequent words that are no stop words, rows of
# norm 1 (square roots of shares), as a dgCMatrix; the attribute "posts" says which of the posts they are.
newsgroups_rows <- function(words = 1545) {
  path <- bench_data("20news", "20news.mtx.gz")
  if (is.null(path)) return(NULL)
  counts <- methods::as(Matrix::readMM(gzfile(path)), "CsparseMatrix")
  stats <- utils::read.delim(gzfile(file.path(dirname(path), "vocab_stats.tsv.gz")))
  if (ncol(counts) != nrow(stats)) counts <- Matrix::t(counts)
  kept <- order(stats$stop, -stats$tf)[seq_len(words)]
  counts <- counts[, kept]
  posts <- which(Matrix::rowSums(counts) > 0)
  counts <- counts[posts, ]
  x <- methods::as(Matrix::Diagonal(x = 1 / Matrix::rowSums(counts)) %*% counts, "CsparseMatrix")
  x@x <- sqrt(x@x)
  dimnames(x) <- list(NULL, stats$word[kept])
  attr(x, "posts") <- posts
  x
}

elapsed <- function(expr) {
  gc(FALSE)
  system.time(expr, gcFirst = FALSE)[["elapsed"]]
}

# Runs functions in turn, A B C A B C ..., so that drift of the machine's speed
# meets all alike; a matrix of seconds, runs x functions.
in_turn <- function(..., runs = 3) {
  f <- list(...)
  out <- matrix(NA_real_, runs, length(f), dimnames = list(NULL, names(f)))
  for (r in seq_len(runs)) for (j in seq_along(f)) out[r, j] <- elapsed(f[[j]]())
  out
}

# A figure of /proc/self/status in MB: "VmRSS", what the process holds, "VmHWM", the most that it held. Linux
# only.
process_mb <- function(field) {
  line <- grep(field, readLines("/proc/self/status"), value = TRUE)
  as.numeric(gsub("[^0-9]", "", line)) / 1024
}

# Makes VmHWM start again from here; FALSE where that is not permitted.
reset_peak <- function() {
  if (!file.exists("/proc/self/clear_refs")) return(FALSE)
  suppressWarnings(tryCatch({
    writeLines("5", "/proc/self/clear_refs")
    TRUE
  }, error = function(e) FALSE))
}

# The most memory that the process holds while `expr` is computed, above what it held before, in MB; NA where
# this cannot be known.
peak_mb <- function(expr) {
  gc(FALSE)
  known <- reset_peak()
  held <- if (known) process_mb("VmRSS")
  force(expr)
  if (known) process_mb("VmHWM") - held else NA
}

# "median (min to max)" of what is given.
spread <- function(v, digits = 3) {
  sprintf("%s (%s to %s)", signif(stats::median(v), digits), signif(min(v), digits), signif(max(v), digits))
}

# The commit of the code, with a plus if code of the package or of scripts differs from it.
code_commit <- function() {
  git <- function(...) suppressWarnings(system2("git", c(...), stdout = TRUE, stderr = FALSE))
  places <- c("R", "src", "bench/*.R", "bench/*.c", "bench/*.py", "evidence")
  changed <- git("status", "--porcelain", "--untracked-files=no", "--", places)
  paste0(c(git("rev-parse", "--short=10", "HEAD"), "unknown")[1], if (length(changed)) "+")
}

blas_name <- function() {
  loaded <- readLines("/proc/self/maps")
  if (any(grepl("openblas", loaded))) "OpenBLAS" else "reference BLAS"
}

# The same with the kernels that OpenBLAS has chosen, which it is asked for by five lines of C, compiled once:
# a variable of the environment (OPENBLAS_CORETYPE) can make it choose those of an older processor.
blas_title <- function() {
  if (blas_name() != "OpenBLAS") return(blas_name())
  folder <- file.path("build", "corename")
  object <- file.path(folder, paste0("corename", .Platform$dynlib.ext))
  if (!file.exists(object)) {
    dir.create(folder, recursive = TRUE, showWarnings = FALSE)
    writeLines(c(
      "#include <dlfcn.h>", "#include <Rinternals.h>", "SEXP corename(void) {",
      "  char *(*name)(void) = (char *(*)(void))dlsym(RTLD_DEFAULT, \"openblas_get_corename\");",
      "  return Rf_mkString(name ? name() : \"unknown\");", "}"
    ), file.path(folder, "corename.c"))
    source <- file.path(folder, "corename.c")
    system2(file.path(R.home("bin"), "R"), c("CMD", "SHLIB", source), stdout = FALSE, stderr = FALSE)
  }
  name <- tryCatch(.Call(getNativeSymbolInfo("corename", dyn.load(object))), error = function(e) "unknown")
  forced <- Sys.getenv("OPENBLAS_CORETYPE")
  paste0("OpenBLAS, kernels for ", name, if (nzchar(forced)) ", forced by OPENBLAS_CORETYPE")
}

# Lines of the results: to the console, and where BENCH_OUT names a file to that.
write_results <- function(lines) {
  lines <- paste0(lines, "\n")
  cat(lines, sep = "")
  out <- Sys.getenv("BENCH_OUT")
  if (nzchar(out)) cat(lines, file = out, append = TRUE, sep = "")
}

# One row of a table with columns of its own.
table_row <- function(...) write_results(paste0("| ", paste(..., sep = " | "), " |"))

table_heading <- function(title, columns) {
  rule <- paste0("|", strrep("---|", length(columns)))
  write_results(c("", sprintf("## %s (R with %s)", title, blas_title()), ""))
  write_results(c(paste0("| ", paste(columns, collapse = " | "), " |"), rule))
}

# One row of the results: its name, the figure, the target.
report <- function(name, figure, target = "") table_row(name, figure, target)

heading <- function(title) table_heading(title, c("", "measured", "target"))

# The package at an earlier commit, for comparisons within one run: the library that has it, installed once
# below build/before/. NULL with a message where it cannot be had.
before_library <- function(commit = Sys.getenv("LANDMARKER_BEFORE", "5781be3")) {
  missing <- function(why) {
    message("Not compared with the package at commit ", commit, ": ", why)
    NULL
  }
  if (!nzchar(Sys.which("git"))) return(missing("git is not here."))
  look <- c("rev-parse", "--verify", "--quiet", shQuote(paste0(commit, "^{}")))
  hash <- suppressWarnings(system2("git", look, stdout = TRUE, stderr = FALSE))
  if (length(hash) != 1) return(missing("this repository does not have it."))
  folder <- file.path("build", "before", hash)
  library <- file.path(folder, "lib")
  if (!dir.exists(library)) {
    message("Installing the package at commit ", commit, " below build/before, once.")
    unlink(folder, recursive = TRUE)
    dir.create(file.path(folder, "new"), recursive = TRUE)
    dir.create(file.path(folder, "source"))
    steps <- c(
      sprintf("git archive %s | tar -x -C %s/source", hash, folder),
      sprintf("MAKEFLAGS=-j2 R CMD INSTALL --library=%s/new %s/source >%s/log 2>&1", folder, folder, folder)
    )
    if (any(vapply(steps, system, 0L) != 0)) return(missing(paste0("see ", folder, "/log.")))
    # Under its name only now, so that half an installation is never taken for a whole one.
    file.rename(file.path(folder, "new"), library)
  }
  normalizePath(library)
}

# An R process with the package of one library, in which `prepare` has run. stop_worker() ends it.
start_worker <- function(library, prepare) {
  old <- Sys.getenv("R_LIBS")
  on.exit(Sys.setenv(R_LIBS = old))
  Sys.setenv(R_LIBS = paste(c(library, if (nzchar(old)) old), collapse = .Platform$path.sep))
  worker <- parallel::makePSOCKcluster(1)
  in_worker(worker, bquote({
    setwd(.(getwd()))
    source("bench/tools.R")
    library(landmarker)
    stopifnot(dirname(find.package("landmarker")) == .(library))
  }))
  # The data stay there.
  in_worker(worker, bquote({
    .(prepare)
    NULL
  }))
  worker
}

in_worker <- function(worker, expr) parallel::clusterCall(worker, eval, expr, envir = globalenv())[[1]]
stop_worker <- function(worker) parallel::stopCluster(worker)

# What a worker does with a case: seconds of `run`, the most memory that it held above what it held before, in
# MB, and `value`, computed afterwards, where `fit` is what `run` gave.
measured <- function(run, value, seed) {
  set.seed(seed)
  peak <- peak_mb(suppressMessages(suppressWarnings(seconds <- elapsed(fit <- eval(run, globalenv())))))
  list(seconds = seconds, peak = peak, value = eval(value, list(fit = fit), globalenv()))
}

# A case of beside(): what is measured and what is told of it, expressions; `runs` where it is another number
# than the others'.
case <- function(run, value = quote(fit$log_det), runs = NULL) list(run = run, value = value, runs = runs)

# The package as it was (`before`, a library, or NULL: then only `now`) beside the package as it is: a process
# for each, which get the same expressions in turn, A B B A ..., run r with seed r. `prepare` runs in each
# first. `fresh`: so many times both processes begin anew and meet the first case, the first fit of a session.
# A list of what measured() says, for the cases by name and for `first`: each a list of `seconds` and `peak`,
# matrices with a run a row, and of `value`, the same as a list; columns "before" (if any) and "now".
beside <- function(before, now, cases, runs = 5, prepare = NULL, fresh = 0) {
  libraries <- c(before = before, now = now)
  sides <- names(libraries)
  workers <- list()
  on.exit(for (w in workers) stop_worker(w))
  start <- function() {
    for (w in workers) stop_worker(w)
    workers <<- list()
    workers <<- lapply(libraries, start_worker, prepare)
  }
  tell <- function(case, runs, anew = FALSE) {
    empty <- matrix(NA_real_, runs, length(sides), dimnames = list(NULL, sides))
    out <- list(seconds = empty, peak = empty, value = array(list(), dim(empty), dimnames(empty)))
    for (r in seq_len(runs)) {
      if (anew) start()
      for (side in if (r %% 2 == 1) sides else rev(sides)) {
        expr <- bquote(measured(quote(.(case$run)), quote(.(case$value)), .(r)))
        one <- in_worker(workers[[side]], expr)
        out$seconds[r, side] <- one$seconds
        out$peak[r, side] <- one$peak
        out$value[[r, side]] <- one$value
      }
    }
    out
  }
  first <- if (fresh > 0) tell(cases[[1]], fresh, anew = TRUE) else start()
  out <- lapply(cases, function(case) tell(case, if (is.null(case$runs)) runs else case$runs))
  if (fresh > 0) c(list(first = first), out) else out
}

# "now 1 (...) s, before 2 (...) s; now / before 0.5 (...)", of a matrix of seconds or MB.
compared <- function(m, unit = "s") {
  text <- sprintf("%s %s", spread(m[, "now"]), unit)
  if (!"before" %in% colnames(m)) return(text)
  sprintf("%s, before %s %s; now / before %s", text, spread(m[, "before"]), unit,
    spread(m[, "now"] / m[, "before"])
  )
}

# The values of a case, one of each run: "now 401.1, 402.5; before 400.9, 401.3".
told <- function(case, format = "%.1f") {
  of <- function(side) paste(sprintf(format, vapply(case$value[, side], `[`, 0, 1)), collapse = ", ")
  if (!"before" %in% colnames(case$value)) return(of("now"))
  paste0(of("now"), "; before ", of("before"))
}

# Counts, a dgCMatrix: column j is in a row with chance 1 - exp(-a / j), by Zipf's law, so that a row has
# `each` entries on average.
zipf_counts <- function(rows, columns, each) {
  loadNamespace("Matrix")
  chance <- function(a) 1 - exp(-a / seq_len(columns))
  a <- stats::uniroot(function(a) sum(chance(a)) - each, c(1e-9, 1e9), tol = 1e-6)$root
  sizes <- pmax(1L, as.integer(round(rows * chance(a))))
  # Into one vector: what many small ones leave free would hide what a fit uses.
  end <- cumsum(sizes)
  at <- integer(end[columns])
  for (j in seq_len(columns)) at[seq(end[j] - sizes[j] + 1, end[j])] <- sort(sample.int(rows, sizes[j]))
  counts <- 1 + stats::rgeom(length(at), 0.6)
  size <- as.integer(c(rows, columns))
  methods::new("dgCMatrix", i = at - 1L, p = c(0L, end), x = counts, Dim = size)
}
