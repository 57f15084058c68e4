# update() of a fit of several steps gives what the steps by hand give.

skip_slow_file()

x <- odd_matrix(150, 3)
eta <- 0.6

test_that("update() makes all steps again", {
  withr::local_seed(1)
  fit <- landmarks(x, 6, "random", bandwidth = eta)
  more <- add_landmarks(fit, x, 4, "random")
  set.seed(2)
  again <- update(more)
  set.seed(2)
  by_hand <- add_landmarks(landmarks(x, 6, "random", bandwidth = eta), x, 4, "random")
  expect_identical(bare(again), bare(by_hand))
  expect_identical(nrow(coef(again)), 10L)
  # Arguments of landmarks() change the first step.
  expect_identical(length(update(more, n = 7)), 11L)
  both <- refine_landmarks(more, x, criterion = "volume", max_iterations = 2)
  set.seed(2)
  expect_equal(
    coef(update(both)), coef(refine_landmarks(by_hand, x, criterion = "volume", max_iterations = 2))
  )
  set.seed(2)
  expect_equal(
    coef(update(both, max_iterations = 3)),
    coef(refine_landmarks(by_hand, x, criterion = "volume", max_iterations = 3))
  )
  expect_identical(update(both, bandwidth = 2)$bandwidth, 2)
  expect_identical(update(both, max_iterations = 3, evaluate = FALSE)$fit, more$call)
  own <- add_landmarks(as_landmarks(x[1:3, ], x, bandwidth = eta), x, 2, "random")
  expect_identical(nrow(coef(update(own))), 5L)
  # No data in the calls.
  heavy <- do.call(add_landmarks, list(do.call(landmarks, list(x, 3, bandwidth = eta)), x, 2))
  expect_lt(length(serialize(heavy$call, NULL)), 5000)
})

test_that("new weights are those of all steps that had the old ones", {
  v <- rep(1:2, 75)
  fit <- refine_landmarks(landmarks(x, 4, "kmeans", weights = v), x, 1, weights = v)
  expect_identical(
    update(fit, weights = 3 - v, evaluate = FALSE),
    quote(refine_landmarks(
      fit = landmarks(x = x, n = 4, method = "kmeans", weights = 3 - v), x = x, max_iterations = 1,
      weights = 3 - v
    ))
  )
})
