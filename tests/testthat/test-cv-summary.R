# Which lambda and which row is best.

test_that("the best mean counts, then the deviance, then the larger lambda", {
  u <- data.frame(
    lambda = rep(c(0.1, 1, 10), each = 2), accuracy = c(0.8, 1, 1, 0.8, 0.9, 0.7),
    deviance = c(3, 5, 1, 2, 0, 0)
  )
  expect_identical(best_lambda(u, "accuracy"), 1)
  expect_identical(best_lambda(u, "deviance"), 10)
  u$deviance[1:2] <- c(1, 1)
  expect_identical(best_lambda(u, "accuracy"), 0.1)
  u$deviance <- 1
  expect_identical(best_lambda(u, "accuracy"), 1)
  # A lambda with a unit missing is not picked where another is whole.
  u$accuracy[3] <- NA
  expect_identical(best_lambda(u, "accuracy"), 0.1)
  u$accuracy[c(1, 5)] <- NA
  expect_identical(best_lambda(u, "accuracy"), 0.1)
  u$accuracy <- NA_real_
  expect_identical(best_lambda(u, "accuracy"), 10)
  numbers <- data.frame(lambda = c(1, 2, 3), mse = c(4, 1, 1), r_squared = c(0.5, 0.5, 0.1))
  expect_identical(best_lambda(numbers, "r_squared"), 2)
  expect_identical(best_lambda(numbers, "mse"), 3)
})

test_that("ties are ties however the sums were rounded, and NA is never best", {
  expect_identical(best_of(c(1, 1 + 1e-15, NA, 0.5), c(2, 1, 9, 9)), 1L)
  expect_identical(best_of(c(NA, NA), c(1, 2)), integer())
  expect_identical(best_of(c(1, 1, 0), c(NA, 3, 4)), 2L)
  expect_identical(best_of(c(1, 1), c(NA, NA)), 1:2)
  expect_identical(best_of(c(-2, -2 - 1e-9), c(0, 1)), 1L)
})

test_that("where classes are told apart without an error, probabilities say so", {
  setosa <- iris$Species == "setosa"
  for (measure in c("accuracy", "auc")) {
    cv <- cv_landmarks(iris[1:4], setosa, 5, "random", 10^(-3:3), measure = measure, folds = 3, seeds = 1)
    expect_identical(cv$best[[measure]], 1)
    expect_identical(check_measure(c(accuracy = "Accuracy", auc = "roc_auc")[[measure]], "binary"), measure)
    p <- predict(cv, iris[1:4], "response")
    expect_gt(min(p[setosa]), 0.9)
    expect_lt(max(p[!setosa]), 0.1)
  }
})

test_that("the best row of several with one measure has the best probabilities, and lacks no regression", {
  units <- function(...) {
    data.frame(seed = 1, n = 5, bandwidth = "variance", part = "held_out", lambda = 1, features = 5,
      problem = NA_character_, seconds_learn = 1, ...
    )
  }
  best_of_units <- function(u) {
    chosen_by <- list(best = "accuracy", lambda = "accuracy")
    cv_summary(u, chosen_by, unique(u$method), "variance", NULL)$best$method
  }
  three <- units(fold = 1, method = c("a", "b", "c"), accuracy = c(0.9, 0.9, 0.8), deviance = c(2, 1, 0))
  expect_identical(best_of_units(three), "b")
  # A row with a regression that did not converge is best only where no row is whole.
  two <- units(
    fold = rep(1:2, 2), method = rep(c("a", "b"), each = 2), accuracy = c(0.9, NA, 0.8, 0.7),
    deviance = c(1, NA, 2, 2)
  )
  expect_identical(best_of_units(two), "b")
  two$accuracy[4] <- two$deviance[4] <- NA
  expect_identical(best_of_units(two), "a")
})

test_that("a fold with one class has no area under the ROC curve, and the comparison can be printed", {
  # Each row is a fold of its own.
  compare <- function(lambda, ...) {
    cv_landmarks(odd_matrix(12, 2), factor(rep(c("p", "q"), 6)), 3, by_random(), lambda, folds = 1:12,
      seeds = 1, ...
    )
  }
  cv <- compare(c(0.1, 1))
  expect_true(all(is.na(cv$units$auc) & !is.nan(cv$units$auc)))
  expect_true(all(cv$units$accuracy %in% 0:1))
  expect_output(print(cv), "accuracy")
  expect_error(compare(1, measure = "auc"), "constant in each fold")
})
