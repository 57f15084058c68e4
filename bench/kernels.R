# Kernels: what of the trace remains by the default method, beside random rows and k-means, and the seconds of
# a fit beside those of the Gaussian kernel.
source("bench/tools.R")
library(landmarker)

kernels <- landmarker:::kernel_names
set.seed(1)
data(spam, package = "kernlab")
sets <- list(
  "shipped digits" = list(x = digits$images / 255),
  "Swiss roll" = list(x = sim_swiss_roll(5000)),
  quakes = list(x = as.matrix(quakes), scale = TRUE),
  diamonds = list(
    x = as.matrix(ggplot2::diamonds[sample(nrow(ggplot2::diamonds), 10000), c(1, 5:10)]), scale = TRUE
  ),
  spam = list(x = log1p(as.matrix(spam[1:57])), scale = TRUE)
)

table_heading(
  "100 landmarks: the share of the trace that remains, and seconds",
  c("data", "kernel", "by_gp()", "over random rows", "over k-means", "seconds over gaussian")
)
for (name in names(sets)) {
  data <- sets[[name]]
  fit <- function(kernel, method) {
    landmarks(data$x, 100, method, scale = isTRUE(data$scale), kernel = kernel)
  }
  left <- function(kernel, method) {
    vapply(1:3, function(seed) {
      set.seed(seed)
      1 - tail(suppressWarnings(fit(kernel, method))$explained, 1)
    }, 0)
  }
  calls <- lapply(stats::setNames(nm = kernels), function(kernel) function() fit(kernel, by_gp()))
  seconds <- do.call(in_turn, c(calls, runs = 5))
  for (kernel in kernels) {
    gp <- left(kernel, by_gp())
    table_row(
      name, kernel, signif(mean(gp), 3), signif(mean(gp) / mean(left(kernel, by_random())), 2),
      signif(mean(gp) / mean(left(kernel, by_kmeans())), 3),
      spread(seconds[, kernel] / seconds[, "gaussian"])
    )
  }
}
