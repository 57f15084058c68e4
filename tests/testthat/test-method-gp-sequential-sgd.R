# One landmark at a time by Algorithm 1 as published.

eta <- 0.7
x <- odd_matrix(80, 3)
points <- odd_matrix(6, 3, 900)
weights <- 0.1 + (seq_len(80) * 0.377) %% 2

test_that("a step of Algorithm 1 is the raw gradient or the one of norm 1", {
  rows <- c(1L, 4L, 9:50)
  part <- x[rows, ]
  gradient <- function(at, rows, w) naive_gradient(x[rows, ], at, eta, w)
  for (n in c(1, 4)) {
    at <- points[seq_len(n), , drop = FALSE]
    for (w in list(NULL, weights)) {
      # Over these rows, with weights of mean 1 over all of them.
      v <- if (is.null(w)) NULL else w[rows]
      g <- naive_gradient(part, at, eta, v) * if (is.null(w)) 1 else mean(v) / mean(w)
      expected <- list(raw = 0.01 * g, unit = 0.01 * g / sqrt(sum(g^2)))
      for (kind in names(expected)) {
        settings <- c(list(batches = list(rows), rates = 0.01, gradient = kind), compute_with())
        got <- .Call(
          C_gradient_steps, as_source(x, w), at, list(bandwidth = eta, space = "euclidean"), settings
        )
        expect_equal(got[n, ] - at[n, ], expected[[kind]], tolerance = 1e-9)
        expect_identical(got[-n, , drop = FALSE], at[-n, , drop = FALSE])
      }
    }
  }
})

test_that("the gradient of Algorithm 1 is that of N V_n by finite differences", {
  h <- 1e-4
  slope <- vapply(1:3, function(j) {
    up <- down <- points[6, , drop = FALSE]
    up[j] <- up[j] + h
    down[j] <- down[j] - h
    v <- naive_variance(x, points[1:5, ], rbind(up, down), eta)
    80 * (v[1] - v[2]) / (2 * h)
  }, 0)
  settings <- c(list(batches = list(1:80), rates = 1, gradient = "raw"), compute_with())
  got <- .Call(C_gradient_steps, as_source(x), points, list(bandwidth = eta, space = "euclidean"), settings)
  expect_equal(got[6, ] - points[6, ], slope, tolerance = 1e-6)
})

test_that("Algorithm 1 as a whole is its loop in R, step by step", {
  # Batches are all rows here, so that only the normal start is drawn.
  for (kind in c("raw", "unit")) {
    for (space in c("euclidean", "nonnegative")) {
      withr::local_seed(12)
      # Small steps: of the default length they jump about, and double every rounding error.
      method <- by_gp("sgd", iterations = 60, gradient = kind, step_size = function(s) 0.01 * (10 + s)^-0.51)
      fit <- landmarks(x, 2, method, bandwidth = eta, space = space)
      withr::local_seed(12)
      at <- matrix(0, 0, 3)
      for (k in 1:2) {
        at <- naive_project(rbind(at, stats::rnorm(3, colMeans(x), apply(x, 2, stats::sd))), space)
        for (s in 1:60) {
          g <- naive_gradient(x, at, eta)
          if (kind == "unit") g <- g / sqrt(sum(g^2))
          at[k, ] <- naive_project(rbind(at[k, ] + 0.01 * (10 + s)^-0.51 * g), space)
        }
      }
      expect_equal(unname(coef(fit)), at, tolerance = 1e-9)
      expect_identical(fit$iterations, c(60L, 60L))
    }
  }
})

test_that("the step of Algorithm 1 is a function of its number, by default (10 + s)^-0.51", {
  s <- c(1, 2, 10, 1000)
  expect_equal(by_gp("sgd")$step_size(s), (10 + s)^-0.51, tolerance = 1e-15)
  asked <- integer()
  withr::local_seed(1)
  landmarks(x, 1, by_gp("sgd", iterations = 7, step_size = function(s) {
    asked <<- c(asked, s)
    0
  }), bandwidth = eta)
  expect_identical(asked, 1:7)
})
