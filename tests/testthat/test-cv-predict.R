# Predictions by the best row of a comparison.

compare <- function(..., n = 4, methods = list(response = by_response(iterations = 30)), folds = 3) {
  withr::local_seed(1)
  cv_landmarks(..., n = n, methods = methods, folds = folds, seeds = 1, scale = TRUE)
}

test_that("the best row of by_response() predicts as its fit does", {
  cv <- compare(iris[1:4], iris$Species)
  for (type in c("class", "prob", "set", "variance", "nearest")) {
    expect_equal(predict(cv, iris[1:4], type), predict(cv$fit, iris[1:4], type))
  }
  expect_identical(coef(cv), coef(cv$fit, "response"))
  expect_identical(colnames(predict(cv, iris[1:4], "features")), paste0("L", 1:4))
  expect_output(print(cv), "by its own regression")
  numbers <- compare(mpg ~ wt + hp, mtcars, folds = 8)
  expect_equal(predict(numbers, mtcars, interval = "prediction"),
    predict(numbers$fit, mtcars, interval = "prediction"))
  expect_equal(augment(numbers, mtcars)$.pred, unname(predict(numbers$fit, mtcars)))
  # The share of the variance of all rows, not of four.
  spread <- mean((mtcars$mpg - mean(mtcars$mpg))^2)
  expect_equal(numbers$best$r_squared, 1 - numbers$best$mse / spread, tolerance = 1e-10)
})

test_that("a ridge regression has chances, and neither intervals nor sets", {
  other <- compare(mpg ~ wt + hp, mtcars, methods = "gp")
  expect_refused(
    predict(other, mtcars, interval = "prediction"),
    predict(other, mtcars, "set")
  )
  classes <- compare(iris[1:4], iris$Species, methods = "random")
  expect_equal(unname(rowSums(predict(classes, iris[1:4], "prob"))), rep(1, 150))
})
