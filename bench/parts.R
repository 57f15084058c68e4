# The parts of `make bench`, in the order in which they run, each with what it measures. A part keeps what it
# finds in bench/results/<part>.md. bench/RESULTS.md and the page of the site are put together from these.
bench_parts <- c(
  compare = "landmarker, k-means, Nystrom's method (kernlab), uwot and Rtsne",
  climb = "Fits of digits, text and sparse counts, and other uses, and those of an earlier commit",
  busy = "Two threads and one, on two cores that are idle and that are busy with other processes",
  fit = "The default fit of digits and the published Algorithm 1",
  products = "Products of matrices: landmarker, OpenBLAS and R's own BLAS",
  text = "Topics of 20 Newsgroups, sparse and dense",
  memory = "Peak memory of a fit",
  schedules = "Batches and iterations of the fit: quality and seconds on nine data sets",
  seams = "The default fit around the switches of its schedule, by rows and by landmarks",
  single = "Random batches in single and in double precision",
  many = "Thousands of landmarks: the default, k-means and random rows",
  kernels = "Kernels other than the Gaussian: approximation error and seconds",
  select = "Active learning and kernlab's incomplete Cholesky factorization",
  evaluate = "Penalized regressions: landmarker and glmnet",
  prefix = "The first few landmarks of many",
  response = "Supervised landmarks and k-means",
  chunks = "Data in chunks, in the session and on daemons, and an HDF5 file",
  rivals = "The default fit of digits, and k-means of this package and of R",
  sklearn = "landmarker and Python's scikit-learn",
  roll = "Ten million points of a Swiss roll: landmarks, eigenmap, extension",
  digits = "Diverse rows of MNIST, and k-means",
  extension = "predict() of an embedding, and OpenBLAS's product",
  search = "Nearest rows, by products and by a tree",
  layout = "t-SNE of MNIST by landmarks"
)

part_file <- function(part) file.path("bench", "results", paste0(part, ".md"))

# The first line of a part: what it was measured with, when, and at which commit.
part_machine <- function(part) {
  cpu <- sub(".*: *", "", grep("model name", readLines("/proc/cpuinfo"), value = TRUE)[1])
  set <- Sys.getenv()
  set <- set[grepl("^(OPENBLAS|OMP|GOMP)_", names(set))]
  paste(c(
    sprintf("%s, %s, two threads", R.version.string, cpu),
    sprintf("landmarker %s, products: %s", packageVersion("landmarker"),
      tail(.Call(landmarker:::C_variants), 1)),
    if (length(set)) paste0("set: ", paste(sprintf("%s=%s", names(set), set), collapse = ", ")),
    format(Sys.Date()), sprintf("made by `Rscript bench/bench.R %s` at commit %s", part, code_commit())
  ), collapse = "; ")
}

# bench/RESULTS.md: a table of the parts, with links.
write_index <- function(file = file.path("bench", "RESULTS.md")) {
  parts <- names(bench_parts)[file.exists(part_file(names(bench_parts)))]
  machine <- vapply(part_file(parts), readLines, "", n = 1)
  machine <- sub("; made by .*", "", machine)
  machine <- sub("R version ([0-9.]+)[^,]*,", "R \\1,", machine)
  writeLines(c(
    "# Results", "",
    "`make bench` measures all parts, and `Rscript bench/bench.R NAME` one of them. Each part has a file of",
    "its own in `bench/results/`, which a new run of the part replaces. This table is made of them.",
    "", "Figures are medians of at least three runs, with their range in parentheses. Ratios are taken",
    "within one run. The machines are shared and noisy, so ratios are more reliable than seconds.", "",
    "| part | what it measures | measured with |", "|---|---|---|",
    sprintf("| [%s](results/%s.md) | %s | %s |", parts, parts, bench_parts[parts], machine)
  ), file)
}
