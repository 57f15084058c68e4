# Landmarks that predict a response.

skip_slow_file()

set.seed(15)
spiral <- two_arms()
quick <- function(...) by_response(..., iterations = 200)

test_that("landmarks that know the response predict it better than those that do not", {
  test <- seq(1, 400, 4)
  set.seed(1)
  fit <- landmarks(spiral$x[-test, ], 8, by_response(spiral$y[-test]))
  right <- mean(predict(fit, spiral$x[test, ], "class") == spiral$y[test])
  cv <- cv_landmarks(spiral$x, spiral$y, 8,
    methods = list(gp = by_gp(), kmeans = by_kmeans(), response = by_response()), test = test, folds = 3,
    seeds = 1
  )
  others <- cv$summary$test_accuracy[cv$summary$method != "response"]
  expect_gt(right, max(others) + 0.05)
  expect_gt(cv$summary$test_accuracy[cv$summary$method == "response"], max(others) + 0.05)
})

test_that("landmarks stay in their space", {
  x <- hellinger(matrix(stats::rpois(300 * 12, 2), 300))
  y <- factor(max.col(x[, 1:3]))
  set.seed(7)
  fit <- landmarks(x, 6, quick(y), space = "nonnegative_sphere")
  expect_equal(rowSums(coef(fit)^2), rep(1, 6), tolerance = 1e-10, ignore_attr = TRUE)
  expect_true(all(coef(fit) >= 0))
  first <- function(t) c(0, t[-1])
  set.seed(7)
  fit <- landmarks(spiral$x, 5, quick(spiral$y), space = first)
  expect_equal(unname(coef(fit)[, 1]), numeric(5))
})

test_that("landmarks are added to those that are held, and any fit can be moved toward a response", {
  set.seed(10)
  fit <- quiet(landmarks(spiral$x, 6))
  more <- quiet(add_landmarks(fit, spiral$x, 4, quick(spiral$y)))
  expect_identical(coef(more)[1:6, ], coef(fit)[1:6, ])
  expect_equal(more$bandwidth, fit$bandwidth)
  expect_equal(nrow(more$response$coefficients), 11)
  moved <- refine_landmarks(fit, spiral$x, 200, y = spiral$y)
  expect_equal(dim(coef(moved)), c(6, 2))
  expect_equal(moved$bandwidth, fit$bandwidth)
  expect_gt(mean(predict(moved, spiral$x, "class") == spiral$y), 0.8)
  # The landmarks of a fit with a response have seen that of all rows.
  expect_gt(more$response$held_out$rows, 0)
  expect_null(add_landmarks(more, spiral$x, 2, quick(spiral$y))$response$held_out)
  expect_null(refine_landmarks(more, spiral$x, 50, y = spiral$y)$response$held_out)
  # Without the response the regression no longer fits.
  expect_null(suppressWarnings(refine_landmarks(moved, spiral$x, 2))$response)
  expect_null(suppressWarnings(add_landmarks(moved, spiral$x, 2, "random"))$response)
})
