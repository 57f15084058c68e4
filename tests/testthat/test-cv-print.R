# What a comparison prints, and its summary.

skip_slow_file()

test_that("a comparison says what it found", {
  fake <- few()
  fake$seconds <- 1.5
  fake$units$seconds_learn <- ifelse(fake$units$method == "random", 0.001, fake$units$n / 50)
  fake <- summarised_again(fake)
  expect_equal(fake$summary$seconds, c(0.1, 0.2, 0.001, 0.001))
  for (said in c(
    "best accuracy: (gp|random), n = 10, lambda = ", "3-fold cross-validation, 1 seed, softmax, 1.5 s",
    "method +n +lambda +accuracy +deviance +seconds"
  )) expect_output(print(fake), said)
  cv <- of_flowers(iris$Species)
  cv$units$seconds_learn <- 0
  cv$seconds <- 1
  expect_snapshot(print(summary(summarised_again(cv))))
})

test_that("what is printed beside the table follows from it", {
  s <- few()
  s$summary$accuracy <- c(0.80, 0.90, 0.885, 0.89)
  s$summary$accuracy_se <- 0.02
  s$best <- s$summary[2, ]
  expect_identical(within_error(s), c("gp, n = 10", "random, n = 5"))
  s$summary$accuracy[1] <- 0.881
  expect_identical(within_error(s), c("gp, n = 5", "random, n = 5"))
  # The best alone is not repeated.
  for (error in c(NA, 0.001)) {
    s$best$accuracy_se <- error
    expect_identical(within_error(s), character())
  }
  expect_null(edge_note(c(1, 1), c(0.1, 1, 10)))
  expect_identical(edge_note(c(0.1, 10, NA, 0.1), c(0.1, 1, 10)), c(
    "In 2 of 4 rows lambda is the smallest of its grid, 0.1: try smaller values.",
    "In 1 of 4 rows lambda is the largest of its grid, 10: try larger values."
  ))
  # One validation part and one seed have no standard error.
  once <- utils::capture.output(print(few(lambda = 1, folds = NULL, validation = 201:300)))
  expect_match(once, "best accuracy: .*, lambda = 1$", all = FALSE)
  expect_no_match(once, "[(]0[.]|in parentheses")
})
