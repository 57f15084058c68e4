# The rows of bench/RESULTS.md that README.md quotes, between its two markers.
quoted <- c(
  "seconds of the fit (default", "trace / volume", "trace left by the fit", "default (trace)", "by_kmeans()",
  "stats::kmeans(Lloyd", "Algorithm 1 / fit", "log det of Phi'Phi by", "sequential / joint",
  "400 landmarks / 100", "predict(features) rate / OpenBLAS", "reference tcrossprod",
  "kernlab::kernelMatrix", "dense / sparse, seconds", "dense fit of 50000",
  "kernlab::inchol / landmarks", "50,000 x 784, 100 pivots", "glmnet softmax (alpha = 0",
  "ten glmnet binomials (alpha", "cv_landmarks() / (its",
  "seconds by the", "peak memory of the process", "stats::kmeans (1,000", "rate of an embedding"
)
results <- readLines("bench/RESULTS.md")
section <- ""
rows <- character()
for (line in results) {
  if (startsWith(line, "## ")) section <- sub("^## ([^:,]*).*(\\(R with .*\\))$", "\\1 \\2", line)
  for (q in quoted) {
    if (startsWith(line, paste0("| ", q))) {
      cells <- trimws(strsplit(line, "|", fixed = TRUE)[[1]])
      rows <- c(
        rows, sprintf("| %s | %s | %s |", cells[2], cells[3], sub(".*\\(R with (.*)\\)", "\\1", section))
      )
    }
  }
}
readme <- readLines("README.md")
from <- grep("<!-- bench:", readme, fixed = TRUE)
to <- grep("<!-- /bench -->", readme, fixed = TRUE)
table <- c("| | median (range) | R with |", "|---|---|---|", rows)
writeLines(c(readme[seq_len(from)], table, readme[to:length(readme)]), "README.md")
