# Peak memory of a fit, dense and sparse: the high-water mark of the process
# above where it stood with the data loaded. Linux only.
source("bench/tools.R")
library(landmarker)

status <- function(field) {
  line <- grep(field, readLines("/proc/self/status"), value = TRUE)
  as.numeric(gsub("[^0-9]", "", line)) / 1024
}

peak <- function(expr) {
  gc()
  writeLines("5", "/proc/self/clear_refs")
  before <- status("VmRSS")
  expr
  status("VmHWM") - before
}

if (file.exists("/proc/self/clear_refs")) {
  x <- mnist()
  if (!is.null(x)) {
    heading("Peak memory above the data, MB")
    set.seed(1)
    data <- as.double(object.size(x)) / 2^20
    small <- peak(landmarks(x[1:3000, ], 10, space = "nonnegative"))
    used <- peak(landmarks(x, 100, space = "nonnegative"))
    report("dense fit of 50,000 x 784 (x itself: 299 MB)", round(used), "at most 499: a copy and 200")
    news <- newsgroups_rows()
    if (!is.null(news)) {
      size <- as.double(object.size(news)) / 2^20
      used <- peak(landmarks(news, 12, space = "nonnegative_sphere"))
      report(sprintf("sparse fit of 18,846 x 1,545 (x itself: %.1f MB)", size), round(used, 1), sprintf("%.1f: three times x", 3 * size))
    }
  }
}
