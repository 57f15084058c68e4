# Which criterion makes the better features: the share of the kernel's trace that
# the landmarks leave, and held-out accuracy, for both criteria and k-means.
source("bench/tools.R")
library(landmarker)

trace_left <- function(fit, x) {
  c <- predict(fit, x)
  w <- predict(fit, coef(fit))
  1 - mean(rowSums((c %*% solve(w + diag(1e-8, nrow(w)))) * c))
}

sets <- list(
  "MNIST, 50,000 and 10,000 digits" = function() {
    x <- mnist(60000)
    if (is.null(x)) return(NULL)
    list(x = x, y = read_idx(bench_data("mnist", "train-labels-idx1-ubyte.gz")), held = 50001:60000)
  },
  "USPS, 7,291 and 2,007 digits" = function() {
    files <- list.files(bench_data("usps_16x16") %||% return(NULL), full.names = TRUE)
    list(
      x = read_idx(grep("images", files, value = TRUE)) / 255, y = read_idx(grep("labels", files, value = TRUE)), held = 7292:9298
    )
  }
)
`%||%` <- function(a, b) if (is.null(a)) b else a
methods <- list(
  volume = by_gp(), trace = by_gp(criterion = "trace"), sequential = by_gp("sequential"),
  `k-means` = by_kmeans(), random = by_random()
)
for (name in names(sets)) {
  set <- sets[[name]]()
  if (is.null(set)) next
  attr(set$x, "dim_item") <- NULL
  heading(paste0("Criteria: ", name, ", 100 landmarks, three seeds"))
  cv <- cv_landmarks(set$x, factor(set$y), 100, methods, validation = set$held, seeds = 1:3, refit = FALSE,
    space = "nonnegative"
  )
  train <- set$x[-set$held, ]
  for (m in names(methods)) {
    set.seed(1)
    left <- trace_left(landmarks(train, 100, methods[[m]], space = "nonnegative"), train)
    s <- cv$summary[cv$summary$method == m, ]
    report(m, sprintf("accuracy %.4f (se %.4f), trace left %.3f", s$accuracy, s$accuracy_se, left))
  }
}
