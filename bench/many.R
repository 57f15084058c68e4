# Thousands of landmarks of MNIST: the default beside centers of k-means from batches, and random rows.
# Seconds, the explained share, and the share of the kernel's trace that a Nystrom approximation loses. Takes
# an hour, of which nearly all is for 5,000 landmarks.
#   Rscript bench/many.R
source("bench/tools.R")
library(landmarker)

short <- nzchar(Sys.getenv("BENCH_SHORT"))
x <- mnist(if (short) 3000 else 60000)
if (is.null(x)) quit(save = "no")
options(landmarker.memory = 1.2e10)
sizes <- if (short) c(100, 200) else c(300, 1000, 2000, 5000)
methods <- list(
  "the default" = function(n) by_gp(),
  "by_kmeans(batch_size = 5 n)" = function(n) by_kmeans(batch_size = 5 * n),
  "by_random()" = function(n) by_random()
)

table_heading(
  sprintf("%s digits of MNIST, two threads", format(nrow(x), big.mark = ",")),
  c("landmarks", "method", "seconds", "over random rows", "explained", "approximation error")
)
for (n in sizes) {
  fits <- lapply(methods, function(method) {
    set.seed(1)
    seconds <- elapsed(fit <- suppressMessages(landmarks(x, n, method(n), space = "nonnegative")))
    c(seconds, fit$explained[n], reconstruction_error(fit, x) / nrow(x))
  })
  for (name in names(fits)) {
    one <- fits[[name]]
    over <- one[1] / fits[["by_random()"]][1]
    table_row(format(n, big.mark = ","), name, signif(one[1], 3), signif(over, 3),
      sprintf("%.5f", one[2]), sprintf("%.4f", one[3])
    )
  }
}
