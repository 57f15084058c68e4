# Published kernel methods by linear methods on Nystrom features: the page "Kernel methods through landmarks".

test_that("if all rows are landmarks, ridge regression on Nystrom features is the dense Gaussian process", {
  set.seed(1)
  x <- matrix(rnorm(600), 200)
  y <- sin(2 * x[, 1]) + x[, 2]
  new <- matrix(rnorm(90), 30)
  s2 <- 0.05
  for (name in kernel_names) {
    fit <- as_landmarks(x, x, bandwidth = 2, kernel = name)
    z <- predict(fit, x)
    at <- predict(fit, new)
    a <- crossprod(z) + s2 * diag(ncol(z))
    # The dense process, by the kernel of the rows alone.
    k <- predict(fit, x, "features") + s2 * diag(200)
    k_new <- predict(fit, new, "features")
    expect_lt(max(abs(at %*% solve(a, crossprod(z, y)) - k_new %*% solve(k, y))), 1e-6, label = name)
    variance <- 1 - rowSums(at^2) + s2 * rowSums(at %*% solve(a) * at)
    expect_lt(max(abs(variance - (1 - rowSums(k_new %*% solve(k) * k_new)))), 1e-6, label = name)
  }
})

test_that("kernel PCA separates circles, and spectral clustering finds moons", {
  set.seed(2)
  inner <- rep(c(TRUE, FALSE), 300)
  angle <- stats::runif(600, 0, 2 * pi)
  x <- ifelse(inner, 0.3, 1) * cbind(cos(angle), sin(angle)) + stats::rnorm(1200, sd = 0.05)
  first <- stats::prcomp(predict(landmarks(x, 40, bandwidth = 0.2), x), rank. = 1)$x[, 1]
  separated <- function(v) max(v[inner]) < min(v[!inner]) || min(v[inner]) > max(v[!inner])
  expect_true(separated(first))
  expect_false(any(apply(stats::prcomp(x)$x, 2, separated)))

  angle <- stats::runif(800, 0, pi)
  moon <- rep(1:2, 400)
  up <- moon == 1
  x <- cbind(ifelse(up, cos(angle), 1 - cos(angle)), ifelse(up, sin(angle), 0.5 - sin(angle)))
  x <- x + stats::rnorm(1600, sd = 0.05)
  z <- predict(landmarks(x, 100, bandwidth = 0.03), x)
  u <- svd(z / sqrt(drop(z %*% colSums(z))), nu = 2, nv = 0)$u
  groups <- stats::kmeans(u / sqrt(rowSums(u^2)), 2, nstart = 5)$cluster
  expect_gt(abs(mean(groups == moon) - 0.5), 0.49)
})

test_that("the mean discrepancy of Nystrom features rejects only samples of different distributions", {
  set.seed(3)
  p_value <- function(a, b) {
    z <- predict(landmarks(rbind(a, b), 25), rbind(a, b))
    first <- rep(c(TRUE, FALSE), c(nrow(a), nrow(b)))
    mmd <- function(one) sum((colMeans(z[one, ]) - colMeans(z[!one, ]))^2)
    (1 + sum(replicate(99, mmd(sample(first))) >= mmd(first))) / 100
  }
  normal <- function() matrix(stats::rnorm(800), 400)
  expect_lte(p_value(normal(), normal() * 1.4), 0.01)
  expect_gt(p_value(normal(), normal()), 0.05)
})

test_that("a linear support vector machine on Nystrom features is as accurate as the kernel's", {
  skip_if_not_installed("kernlab")
  found <- new.env()
  utils::data("spam", package = "kernlab", envir = found)
  spam <- found$spam
  set.seed(4)
  train <- sample(nrow(spam), 1000)
  fit <- landmarks(~ . - type, spam[train, ], 150, by_kmeans(), scale = TRUE)
  z <- predict(fit, spam)
  linear <- kernlab::ksvm(z[train, ], spam$type[train],
    kernel = "vanilladot", C = 10, kpar = list(), scaled = FALSE
  )
  exact <- kernlab::ksvm(type ~ ., spam[train, ], C = 10, kpar = list(sigma = 1 / fit$bandwidth))
  right <- function(p) mean(p == spam$type[-train])
  expect_gt(
    right(kernlab::predict(linear, z[-train, ])), right(kernlab::predict(exact, spam[-train, ])) - 0.01
  )
})
