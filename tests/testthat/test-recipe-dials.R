# Parameters for tuning.

test_that("parameters have the values that landmarks() takes, and refuse others", {
  skip_if_not_installed("dials")
  expect_identical(dials::range_get(num_landmarks()), list(lower = 5L, upper = 100L))
  expect_identical(dials::value_seq(num_landmarks(c(10L, 30L)), 3), c(10L, 20L, 30L))
  rules <- dials::value_seq(landmark_bandwidth(), 7)
  of_one <- vapply(rules, function(rule) landmarks(as.matrix(iris[1:4]), 2, bandwidth = rule)$bandwidth, 0)
  expect_equal(unname(of_one) / sum(diag(stats::var(iris[1:4]))), c(1, 0.5, 2, 0.2, 5, 0.1, 10))
  for (name in dials::value_seq(landmark_method(), 5)) expect_s3_class(match_method(name), "landmark_method")
  wrong <- function(code, message) expect_error(code, message, class = "landmarker_error_input", fixed = TRUE)
  wrong(landmark_bandwidth(c("variance", "wide")), "One of them is \"wide\".")
  wrong(landmark_bandwidth(c(1, 2)), "`values` must be bandwidth rules, as strings.")
  wrong(landmark_bandwidth(character()), "It is a character vector of length 0.")
  wrong(landmark_bandwidth(NA_character_), "One of them is NA.")
  wrong(landmark_method("nearest"), "One of them is \"nearest\".")
  wrong(landmark_method(NULL), "`values` must be names of methods, as strings.")
  expect_error(num_landmarks(c(1.5, "a")))
})
