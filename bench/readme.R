# The figures of README.md, between its markers, from bench/results/: two headlines, and four rows of
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
  "100 landmarks of 50,000 digits by `by_response()`, 10,000 test digits" =
    measured_cell("response", "", "100 landmarks, by_response()"),
  "ten million points of a Swiss roll, 2,500 landmarks: seconds = landmarks + eigenmap + extension" =
    measured_cell("roll", "reference BLAS", "seconds by the euclidean graph")
)
# Of the part `compare` these rows, without the column that divides by the first row.
rivals <- c(
  "landmarks(x, 100)", "landmarks(x, 100, by_response(y))", "stats::kmeans(), Hartigan and Wong",
  "kernlab::inchol(), rows at the pivots"
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
  cells <- strsplit(grep("^\\|", readLines(compare), value = TRUE), " *\\| *")
  names(cells) <- vapply(cells, `[`, "", 2)
  if (!all(rivals %in% names(cells))) stop("bench/results/compare.md lacks a row of README.md.")
  rows <- vapply(cells[rivals], function(row) paste(row[c(2, 3, 5, 6)], collapse = " | "), "")
  header <- "| 100 landmarks of 10,000 digits | seconds | approximation error | test accuracy |"
  readme <- fill(readme, "compare", c(header, "|---|---|---|---|", paste("|", rows, "|")))
}
writeLines(readme, "README.md")
