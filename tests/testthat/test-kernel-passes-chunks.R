# The pass over chunks that measures landmarks.

test_that("what landmarks leave of all rows is that of the equation, for every number of them", {
  set.seed(1)
  x <- matrix(rnorm(900), 300)
  fit <- landmarks(x, 12, "random")
  three <- function(x) chunked(1:3, function(k) x[seq(100 * k - 99, 100 * k), ], rows = rep(100, 3))
  w <- exp(-as.matrix(dist(fit$landmarks))^2 / fit$bandwidth)
  k <- exp(-as.matrix(dist(rbind(x, fit$landmarks)))[1:300, -(1:300)]^2 / fit$bandwidth)
  left <- function(m, v) {
    c <- k[, 1:m, drop = FALSE]
    sum(v * (1 - rowSums(c * t(solve(w[1:m, 1:m], t(c))))))
  }
  errors <- reconstruction_error(fit, three(x), n = c(1, 5, 12))
  expect_equal(unname(errors), c(left(1, 1), left(5, 1), left(12, 1)), tolerance = 1e-8)
  v <- runif(300)
  weighted <- reconstruction_error(fit, three(x), weights = v)
  expect_equal(weighted, left(12, v / mean(v)), tolerance = 1e-8)
})
