# How good are the first m of n landmarks? What they leave of the kernel's trace, over what a fit of m
# leaves, by each criterion.
source("bench/tools.R")
library(landmarker)

set.seed(7)
sets <- list(
  list(name = "MNIST, 12,000 digits", x = mnist(12000), space = "nonnegative"),
  list(name = "Swiss roll, 5,000 points", x = sim_swiss_roll(5000), space = "euclidean"),
  list(name = "iris", x = as.matrix(iris[1:4]), space = "euclidean")
)
heading(
  paste0(
    "The first m of 100 landmarks: approximation error, and its ratio to that of ",
    "m landmarks by the trace (mean of 3 seeds)"
  )
)
for (set in sets) {
  if (is.null(set$x)) next
  # One bandwidth for all numbers of landmarks.
  bandwidth <- landmarks(set$x, 100, "random", space = set$space)$bandwidth
  left <- function(n, criterion, m, seed) {
    set.seed(seed)
    fit <- suppressWarnings(
      landmarks(set$x, n, by_gp(criterion = criterion), bandwidth = bandwidth, space = set$space)
    )
    reconstruction_error(fit, set$x, n = m) / nrow(set$x)
  }
  m <- c(10, 25, 50)
  own <- sapply(1:3, function(seed) vapply(m, function(k) left(k, "trace", k, seed), 0))
  for (criterion in c("trace", "volume")) {
    first <- sapply(1:3, function(seed) left(100, criterion, m, seed))
    ratio <- rowMeans(first) / rowMeans(own)
    report(
      paste0(set$name, ": ", criterion),
      paste(sprintf("m = %d: %.3g left, %.2f times", m, rowMeans(first), ratio), collapse = "; ")
    )
  }
}
