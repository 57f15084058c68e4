# The step in a workflow of tidymodels, where its packages are installed.

test_that("parameters have the values that landmarks() takes", {
  skip_if_not_installed("dials")
  expect_identical(dials::range_get(num_landmarks()), list(lower = 5L, upper = 100L))
  expect_identical(dials::value_seq(num_landmarks(c(10L, 30L)), 3), c(10L, 20L, 30L))
  rules <- dials::value_seq(landmark_bandwidth(), 7)
  of_one <- vapply(rules, function(rule) landmarks(as.matrix(iris[1:4]), 2, bandwidth = rule)$bandwidth, 0)
  variance <- sum(apply(iris[1:4], 2, var))
  expect_equal(sort(unname(of_one) / variance), c(0.1, 0.2, 0.5, 1, 2, 5, 10))
  # The first few are on both sides of 1.
  expect_identical(dials::value_seq(landmark_bandwidth(), 3), c("variance", "0.5 * variance", "2 * variance"))
  for (name in dials::value_seq(landmark_method(), 5)) expect_s3_class(match_method(name), "landmark_method")
})
