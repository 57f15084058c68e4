# The figures of README.md, between its markers, from bench/results/: three headlines, and the whole table of
# the part `compare`. Run by bench.R after each part, or alone: Rscript bench/readme.R

# The measured cell of the row of a part that starts so, under the last heading that matches.
measured_cell <- function(part, heading, row) {
  lines <- readLines(file.path("bench", "results", paste0(part, ".md")))
  at <- utils::tail(grep(paste0("^## .*", heading), lines), 1)
  if (length(at) == 0) stop("bench/results/", part, ".md has no section ", heading)
  found <- lines[-seq_len(at)]
  found <- found[startsWith(found, paste0("| ", row))]
  if (length(found) == 0) stop("bench/results/", part, ".md has no row that starts with ", row)
  trimws(strsplit(found[1], "|", fixed = TRUE)[[1]][3])
}
headlines <- c(
  "100 landmarks of 50,000 digits x 784 pixels, seconds" =
    measured_cell("fit", "reference BLAS", "seconds of the fit (default"),
  "100 landmarks that know the digits, 10,000 test digits told right" =
    measured_cell("response", "", "100 landmarks, by_response()"),
  "ten million points of a Swiss roll embedded, seconds = landmarks + eigenmap + extension" =
    measured_cell("roll", "reference BLAS", "seconds by the euclidean graph")
)
fill <- function(lines, name, new) {
  from <- grep(sprintf("^<!-- %s", name), lines)
  to <- grep(sprintf("^<!-- /%s -->", name), lines)
  if (length(from) != 1 || length(to) != 1) stop("README.md has no two markers ", name)
  c(lines[seq_len(from)], new, lines[to:length(lines)])
}
readme <- readLines("README.md")
rows <- sprintf("| %s | %s |", names(headlines), headlines)
readme <- fill(readme, "bench", c("| | measured |", "|---|---|", rows))
compare <- file.path("bench", "results", "compare.md")
if (file.exists(compare)) {
  lines <- readLines(compare)
  title <- sub("^## ", "", grep("^## ", lines, value = TRUE)[1])
  table <- grep("^\\|", lines, value = TRUE)
  readme <- fill(readme, "compare", c("", paste0("Measured: ", title, ", two threads"), "", table))
}
writeLines(readme, "README.md")
