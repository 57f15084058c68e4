# The regressions of cv_landmarks() against glmnet's, like against like: one softmax against one
# softmax, ten logistic regressions against ten. And what a comparison costs beside its parts.
source("bench/tools.R")
library(landmarker)
x <- mnist(60000)
if (is.null(x)) quit(status = 0)
labels <- factor(read_idx(bench_data("mnist", "train-labels-idx1-ubyte.gz"))[1:60000])
heading("Evaluation: 50,000 x 100 features, ten classes, seven penalties")

set.seed(1)
train <- 1:50000
w <- predict(landmarks(x[train, ], 100, space = "nonnegative"), x)
held <- w[-train, ]
w <- w[train, ]
y <- landmarker:::as_response(labels[train], 50000)$y
lambda <- 10^(3:-3)
runs <- if (nzchar(Sys.getenv("BENCH_SHORT"))) 1 else 3

# The best share of held-out digits that are told right, over the penalties. `chances` gives the
# scores of the ten classes at penalty number l.
accuracy <- function(chances, reached = length(lambda)) {
  told <- vapply(seq_len(reached), function(l) mean(levels(labels)[max.col(chances(l))] == labels[-train]), 0)
  sprintf("%.4f at lambda = %g", max(told), lambda[which.max(told)])
}
ours_at <- function(path, link) {
  function(l) landmarker:::ridge_response(held, path$coefficients[, , l], link)
}

# A gradient as small as ours asks for more than glmnet's default; both are timed as they come.
softmax <- replicate(runs, elapsed(soft <<- landmarker:::newton_path(w, 100, y, lambda, "classes")))
report("softmax, seconds of Newton to a relative gradient of 1e-7", spread(softmax))
report("softmax by Newton, accuracy on 10,000 held-out digits", accuracy(ours_at(soft, "softmax")))
rest <- replicate(runs, elapsed(ovr <<- landmarker:::newton_path(w, 100, y, lambda, "tags")))
report("one against the rest, seconds of Newton to a relative gradient of 1e-7", spread(rest))
report("one against the rest by Newton, accuracy on 10,000 held-out digits",
  accuracy(ours_at(ovr, "logistic"))
)
report("softmax / one against the rest, seconds of Newton",
  signif(stats::median(softmax) / stats::median(rest), 3)
)

if (requireNamespace("glmnet", quietly = TRUE)) {
  fit <- function(response, family) {
    suppressWarnings(glmnet::glmnet(w, response, family,
      alpha = 0, lambda = lambda / length(train), standardize = FALSE
    ))
  }
  theirs <- elapsed(multinomial <- fit(labels[train], "multinomial"))
  reached <- length(multinomial$lambda)
  report("glmnet softmax (alpha = 0, default tolerance) / our softmax, seconds",
    signif(theirs / stats::median(softmax), 3), "at least 5"
  )
  report("glmnet softmax, accuracy on 10,000 held-out digits",
    accuracy(function(l) {
      stats::predict(multinomial, held, s = multinomial$lambda[l], type = "response")[, , 1]
    }, reached)
  )
  theirs <- elapsed(binomials <- lapply(1:10, function(k) fit(y[, k], "binomial")))
  reached <- min(vapply(binomials, function(b) length(b$lambda), 0L))
  report("ten glmnet binomials (alpha = 0, default tolerance) / ours, seconds",
    signif(theirs / stats::median(rest), 3), "at least 5"
  )
  report("ten glmnet binomials, accuracy on 10,000 held-out digits", accuracy(function(l) {
    sapply(binomials, function(b) stats::predict(b, held, s = b$lambda[l], type = "response"))
  }, reached))
}

x <- x[train, ]
t <- numeric(runs)
parts <- numeric(runs)
for (r in seq_len(runs)) {
  t[r] <- elapsed(cv <- cv_landmarks(x, labels[train], c(50, 100), list(gp = by_gp(), random = by_random()),
    validation = 40001:50000, seeds = r, refit = FALSE, space = "nonnegative"
  ))
  u <- cv$units[cv$units$lambda == cv$lambda[1], ]
  learned <- !duplicated(paste(u$method, ifelse(u$method == "gp", u$n, 0)))
  parts[r] <- sum(u$seconds_learn[learned]) + sum(u$seconds_regress)
}
report("cv_landmarks() / (its landmark fits + its regressions), seconds", spread(t / parts), "at most 1.2")
