# The default fit of 100 landmarks of 50,000 digits beside its rivals at their best: k-means by the core, by
# mini-batches and by stats::kmeans (by scikit-learn: sklearn.R). Seconds in turn, and the share of the
# kernel's trace that each leaves on all rows.
source("bench/tools.R")
library(landmarker)

x <- mnist()
if (is.null(x)) quit(status = 0)
heading("Rivals: MNIST, 50,000 x 784, 100 landmarks, nonnegative, two threads")
fit <- function(method, data = x) landmarks(data, 100, method, space = "nonnegative")
left <- function(fit) reconstruction_error(fit, x) / nrow(x)
methods <- list(
  "default (trace)" = function() fit(by_gp()),
  "volume" = function() fit(by_gp(criterion = "volume")),
  "by_kmeans(), all rows, 10 iterations" = function() fit(by_kmeans()),
  "by_kmeans(), 100 batches of 1,000 rows" = function() fit(by_kmeans(batch_size = 1000)),
  "by_kmeans() on 5,000 random rows" = function() fit(by_kmeans(), x[sample(nrow(x), 5000), ])
)
set.seed(1)
invisible(methods[[1]]())
t <- do.call(in_turn, c(methods, runs = 5))
for (m in names(methods)) {
  fits <- lapply(1:3, function(seed) {
    set.seed(seed)
    methods[[m]]()
  })
  report(m, sprintf(
    "%s s; over the default %s; approximation error %s", spread(t[, m]), spread(t[, m] / t[, 1]),
    paste(sprintf("%.4f", vapply(fits, left, 0)), collapse = ", ")
  ))
}
set.seed(1)
slow <- elapsed(suppressWarnings(centers <- stats::kmeans(x, 100, iter.max = 10, algorithm = "Lloyd")))
report("stats::kmeans(Lloyd, 10 iterations), once", sprintf(
  "%.1f s; over the default %.0f; approximation error %.4f", slow, slow / stats::median(t[, 1]),
  left(as_landmarks(centers$centers, x, space = "nonnegative"))
))
