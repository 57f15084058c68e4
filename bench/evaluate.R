# The regressions of cv_landmarks() against glmnet's, and what it costs beside its
# parts.
source("bench/tools.R")
library(landmarker)
x <- mnist()
if (is.null(x)) quit(status = 0)
labels <- factor(read_idx(bench_data("mnist", "train-labels-idx1-ubyte.gz"))[1:50000])
heading("Evaluation: 50,000 x 100 features, ten classes, seven penalties")

set.seed(1)
w <- predict(landmarks(x, 100, space = "nonnegative"), x)
y <- landmarker:::as_response(labels, 50000)$y
lambda <- 10^(-3:3)
runs <- if (nzchar(Sys.getenv("BENCH_SHORT"))) 1 else 3
ours <- replicate(runs, elapsed(found <- landmarker:::ridge_newton(w, 100, y, rev(lambda), "classes", tolerance = 1e-6)))
report("seconds of Newton to a relative gradient of 1e-6", spread(ours))
if (requireNamespace("glmnet", quietly = TRUE)) {
  bare <- function(x) glmnet::glmnet(x, labels, "multinomial", alpha = 0, lambda = rev(lambda) / 50000, standardize = FALSE)
  theirs <- elapsed(suppressWarnings(plain <- bare(w)))
  turned <- elapsed(landmarker:::ridge_glmnet(w, 100, y, rev(lambda), "classes"))
  report("glmnet (alpha = 0, softmax, default tolerance) / Newton, seconds", signif(theirs / stats::median(ours), 3), "at least 5 (aim 10)")
  report("glmnet on principal axes (engine = \"glmnet\") / Newton, seconds", signif(turned / stats::median(ours), 3))
  # How far glmnet's own answer at the weakest penalty is from the optimum of what it minimises.
  gradient <- function(coefficients) {
    p <- exp(cbind(1, w) %*% coefficients)
    p <- p / rowSums(p)
    g <- crossprod(w, p - y) + min(lambda) * coefficients[-1, ]
    sqrt(sum(g^2)) / sqrt(sum(crossprod(w, 0.1 - y)^2))
  }
  reached <- length(plain$lambda)
  last <- sapply(stats::coef(plain, s = plain$lambda[reached]), as.vector)
  report("glmnet's relative gradient at its weakest penalty", sprintf("%.1e (%d of 7 reached)", gradient(last), reached))
}

t <- numeric(runs)
parts <- numeric(runs)
for (r in seq_len(runs)) {
  t[r] <- elapsed(cv <- cv_landmarks(x, labels, c(50, 100), list(gp = by_gp(), random = by_random()),
    lambda, folds = NULL, validation = 40001:50000, seeds = r, refit = FALSE, space = "nonnegative"
  ))
  u <- cv$units[cv$units$lambda == 1, ]
  parts[r] <- sum(u$seconds_learn[!duplicated(paste(u$method, ifelse(u$method == "gp", u$n, 0)))]) + sum(u$seconds_regress)
}
report("cv_landmarks() / (its landmark fits + its regressions), seconds", spread(t / parts), "at most 1.2")
