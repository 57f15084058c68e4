# The default fit beside k-means, Nystrom's method and maps, on 10,000 digits of MNIST, 100 points each, with
# two threads where a method has them. In one run and in turn: seconds; what the points leave of the kernel's
# trace; and the accuracy of a softmax regression on the points' features on 10,000 other digits.
# All points get the kernel of the default fit; by_response() learns its own, and its own regression. About
# five minutes. Without MNIST the shipped digits are taken, 2,000 to train and 1,000 to test.
# BENCH_SHORT=1 tries each line on few rows.
#   Rscript bench/compare.R
source("bench/tools.R")
library(landmarker)
options(landmarker.threads = 2)

short <- nzchar(Sys.getenv("BENCH_SHORT"))
read_digits <- function() {
  folder <- bench_data("mnist")
  if (is.null(folder)) {
    message("The shipped digits take its place.")
    return(list(x = unname(digits$images) / 255, y = digits$labels, train = 1:2000, test = 2001:3000))
  }
  file <- function(what, idx) file.path(folder, sprintf("train-%s-idx%d-ubyte.gz", what, idx))
  rows <- if (short) 1:2000 else c(1:10000, 50001:60000)
  x <- read_idx(file("images", 3))[rows, ] / 255
  half <- length(rows) / 2
  y <- factor(read_idx(file("labels", 1))[rows])
  list(x = x, y = y, train = seq_len(half), test = half + seq_len(half))
}
data <- read_digits()
x <- data$x[data$train, ]
y <- data$y[data$train]
other <- data$x[data$test, ]
other_y <- data$y[data$test]
n <- if (short) 20 else 100
set.seed(1)
first <- landmarks(x, n, space = "nonnegative")
bandwidth <- first$bandwidth
sigma <- 1 / (2 * bandwidth^2)

# What a method gives: points that have features, or a map, coordinates of the rows in two dimensions.
points <- function(run, package = "landmarker") list(run = run, package = package, map = FALSE)
map <- function(run, package = "landmarker") list(run = run, package = package, map = TRUE)
fitted <- function(...) coef(landmarks(x, n, ..., space = "nonnegative", bandwidth = bandwidth))
means <- function(...) suppressWarnings(stats::kmeans(x, n, ...)$centers)
# A row that all steps of inchol() have chosen so far has no more to give: it takes n rows at most.
chosen_rows <- function() {
  found <- kernlab::inchol(x, "rbfdot", list(sigma = sigma), tol = 0, maxiter = n)
  x[kernlab::pivots(found), ]
}
# Nystrom's features in kernlab's way: the kernel at random rows, times the inverse root of theirs.
random_rows <- function() {
  rows <- x[sample(nrow(x), n), ]
  kernel <- kernlab::rbfdot(sigma)
  among <- eigen(kernlab::kernelMatrix(kernel, rows), symmetric = TRUE)
  root <- among$vectors %*% (t(among$vectors) / sqrt(pmax(among$values, 1e-12)))
  features <- kernlab::kernelMatrix(kernel, x, rows) %*% root
  stopifnot(nrow(features) == nrow(x))
  rows
}
# The eigenmap of the rows through diverse rows, as ?embed_landmarks says.
eigenmap <- function() {
  fit <- landmarks(x, if (short) 100 else 1000, by_dpp())
  predict(embed_landmarks(fit), x)
}
methods <- list(
  "landmarks(x, 100)" = points(function() fitted()),
  "landmarks(x, 100, by_kmeans())" = points(function() fitted(by_kmeans())),
  "landmarks(x, 100, by_response(y))" = points(
    function() landmarks(x, n, by_response(y), space = "nonnegative")
  ),
  "stats::kmeans(), Hartigan and Wong" = points(function() means(iter.max = 10), "stats"),
  "stats::kmeans(), Lloyd, 10 iterations" = points(
    function() means(iter.max = 10, algorithm = "Lloyd"), "stats"
  ),
  "kernlab::inchol(), rows at the pivots" = points(chosen_rows, "kernlab"),
  "Nystrom: random rows, kernlab::kernelMatrix()" = points(random_rows, "kernlab"),
  "landmarks(x, 1000, by_dpp()) and embed_landmarks()" = map(eigenmap),
  "uwot::umap()" = map(function() uwot::umap(x, n_threads = 2, n_sgd_threads = 2), "uwot"),
  "Rtsne::Rtsne()" = map(function() Rtsne::Rtsne(x, num_threads = 2)$Y, "Rtsne")
)
here <- vapply(methods, function(m) requireNamespace(m$package, quietly = TRUE), NA)
if (!all(here)) {
  message("Not measured, as their packages are not here: ", paste(names(methods)[!here], collapse = "; "))
}
methods <- methods[here]

# Softmax regression on the features of some points, its penalty chosen on a fifth of the rows.
accuracy <- function(fit) {
  path <- function(rows) {
    one_hot <- outer(as.integer(y[rows]), seq_along(levels(y)), "==") + 0
    landmarker:::ridge_path(features[rows, ], ncol(features), one_hot, lambda, "classes")
  }
  share <- function(path, features, truth) {
    vapply(seq_along(lambda), function(l) {
      p <- landmarker:::ridge_response(features, path$coefficients[, , l], path$link)
      mean(max.col(p, "first") == as.integer(truth))
    }, 0)
  }
  lambda <- 10^(0:-5)
  features <- predict(fit, x, "features")
  held <- seq(5, nrow(x), by = 5)
  best <- which.max(share(path(-held), features[held, ], y[held]))
  share(path(seq_len(nrow(x))), predict(fit, other, "features"), other_y)[best]
}
# The share of rows whose class is that of most of their five nearest others in a map.
neighbor_accuracy <- function(map) {
  across <- t(map)
  right <- vapply(seq_len(nrow(map)), function(i) {
    distance <- colSums((across - map[i, ])^2)
    distance[i] <- Inf
    near <- which(distance <= sort(distance, partial = 5)[5])
    which.max(tabulate(y[near], nlevels(y))) == as.integer(y[i])
  }, NA)
  mean(right)
}

# In turn, forwards and backwards. What takes longer than a second is run three times, and what has taken
# 90 seconds is not run again.
runs <- if (short) 2 else 5
seconds <- matrix(NA_real_, runs, length(methods), dimnames = list(NULL, names(methods)))
left <- right <- seconds
for (r in seq_len(runs)) {
  for (m in if (r %% 2 == 1) names(methods) else rev(names(methods))) {
    taken <- sum(seconds[, m], na.rm = TRUE)
    if (m != names(methods)[1] && (taken > 90 || (r > 3 && taken > 3))) next
    set.seed(r)
    seconds[r, m] <- elapsed(found <- methods[[m]]$run())
    if (methods[[m]]$map) {
      if (r == 1) right[r, m] <- neighbor_accuracy(found)
    } else if (inherits(found, "landmarks")) {
      right[r, m] <- mean(predict(found, other, type = "class") == other_y)
    } else {
      fit <- as_landmarks(found, x, bandwidth = bandwidth)
      left[r, m] <- reconstruction_error(fit, x) / nrow(x)
      if (r <= 2) right[r, m] <- accuracy(fit)
    }
  }
}

table_heading(
  sprintf("%s digits, %d points or a map", format(nrow(x), big.mark = ","), n),
  c("", "seconds", "over the default", "approximation error", "test accuracy")
)
figure <- function(v, digits) {
  v <- v[!is.na(v)]
  if (length(v) == 0) return("")
  if (length(unique(v)) == 1) as.character(signif(v[1], digits)) else spread(v, digits)
}
for (m in names(methods)) {
  ran <- !is.na(seconds[, m])
  ratio <- if (m == names(methods)[1]) 1 else seconds[ran, m] / seconds[ran, 1]
  table_row(
    m, figure(seconds[ran, m], 3), figure(ratio, 3), figure(left[, m], 3),
    paste0(figure(right[, m], 3), if (methods[[m]]$map) ", by 5 neighbors in the map")
  )
}
