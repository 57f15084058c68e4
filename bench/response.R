# Landmarks that know the response, on MNIST: 50,000 images to learn from, 10,000 others to choose the penalty
# of k-means's regression, 10,000 test images. Two threads. The order of the rows: seconds and accuracy, seeds
# 1 to 5.
#   Rscript bench/response.R
source("bench/tools.R")
library(landmarker)

folder <- bench_data("mnist")
if (is.null(folder)) quit(status = 0)
short <- nzchar(Sys.getenv("BENCH_SHORT"))
read <- function(part, what, idx) {
  out <- read_idx(file.path(folder, sprintf("%s-%s-idx%d-ubyte.gz", part, what, idx)))
  if (what == "labels") factor(out) else out / 255
}
rows <- seq_len(if (short) 3000 else 50000)
images <- read("train", "images", 3)
digits_of <- read("train", "labels", 1)
x <- images[rows, ]
y <- digits_of[rows]
held <- images[50001:60000, ]
held_y <- digits_of[50001:60000]
rm(images)
test <- read("t10k", "images", 3)
test_y <- read("t10k", "labels", 1)
seeds <- seq_len(if (short) 2 else 5)

# Softmax regression on the features of a fit, its penalty chosen on the held-out images.
regression <- function(fit) {
  one_hot <- outer(as.integer(y), 1:10, "==") + 0
  w <- predict(fit, x, "features")
  lambda <- 10^(0:-5)
  path <- landmarker:::ridge_path(w, ncol(w), one_hot, lambda, "classes")
  accuracy <- function(w, truth) {
    vapply(seq_along(lambda), function(l) {
      p <- landmarker:::ridge_response(w, path$coefficients[, , l], path$link)
      mean(max.col(p, "first") == as.integer(truth))
    }, 0)
  }
  accuracy(predict(fit, test, "features"), test_y)[
    which.max(accuracy(predict(fit, held, "features"), held_y))
  ]
}

one <- function(n, method, own) {
  found <- vapply(seeds, function(seed) {
    set.seed(seed)
    seconds <- elapsed(fit <- landmarks(x, n, method, space = "nonnegative"))
    c(seconds, if (own) mean(predict(fit, test, type = "class") == test_y) else regression(fit))
  }, numeric(2))
  list(seconds = found[1, ], accuracy = found[2, ])
}
figures <- function(one) {
  sprintf("accuracy %.4f (%.4f to %.4f) in %s s", mean(one$accuracy), min(one$accuracy), max(one$accuracy),
    spread(one$seconds)
  )
}

heading("Response: MNIST, test accuracy by landmarks that know the digits and by k-means")
for (n in if (short) 20 else c(50, 100)) {
  response <- one(n, by_response(y), TRUE)
  target <- if (n == 100) "0.968 in 20 s (aim 0.972 in 10 s)" else if (n == 50) "above 0.955" else ""
  report(sprintf("%d landmarks, by_response(), its own regression", n), figures(response), target)
  means <- one(n, by_kmeans(), FALSE)
  report(sprintf("%d landmarks, by_kmeans(), softmax regression", n), figures(means))
  report(sprintf("%d landmarks: by_response() above by_kmeans()", n),
    sprintf("%.4f", mean(response$accuracy) - mean(means$accuracy)), if (n == 100) "at least 0.02" else ""
  )
}
