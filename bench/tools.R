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

# "median (min to max)" of what is given.
spread <- function(v, digits = 3) {
  sprintf("%s (%s to %s)", signif(stats::median(v), digits), signif(min(v), digits), signif(max(v), digits))
}

blas_name <- function() {
  loaded <- readLines("/proc/self/maps")
  if (any(grepl("openblas", loaded))) "OpenBLAS" else "reference BLAS"
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
  write_results(c("", sprintf("## %s (R with %s)", title, blas_name()), ""))
  write_results(c(paste0("| ", paste(columns, collapse = " | "), " |"), rule))
}

# One row of the results: its name, the figure, the target.
report <- function(name, figure, target = "") table_row(name, figure, target)

heading <- function(title) table_heading(title, c("", "measured", "target"))
