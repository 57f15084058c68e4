
test_that("the best row of by_response() predicts as its fit does", {
  withr::local_seed(1)
  cv <- cv_landmarks(iris[1:4], iris$Species,
    n = 4, methods = list(response = by_response(iterations = 50)), folds = 3, seeds = 1, scale = TRUE
  )
  for (type in c("prob", "set", "variance", "nearest")) {
    expect_equal(predict(cv, iris[1:4], type), predict(cv$fit, iris[1:4], type))
  }
  numbers <- cv_landmarks(mpg ~ wt + hp, mtcars,
    n = 3, methods = list(response = by_response(iterations = 50)), folds = 8, seeds = 1, scale = TRUE
  )
  expect_equal(predict(numbers, mtcars, interval = "prediction"),
    predict(numbers$fit, mtcars, interval = "prediction"))
  # The share of the variance of all rows, not of four.
  spread <- mean((mtcars$mpg - mean(mtcars$mpg))^2)
  expect_equal(numbers$best$r_squared, 1 - numbers$best$mse / spread, tolerance = 1e-10)
  other <- cv_landmarks(mpg ~ wt + hp, mtcars, n = 3, methods = "gp", folds = 3, seeds = 1, scale = TRUE)
  expect_refused(
    predict(other, mtcars, interval = "prediction"),
    predict(other, mtcars, "set")
  )
  classes <- cv_landmarks(iris[1:4], iris$Species, n = 3, methods = "gp", folds = 3, seeds = 1)
  expect_equal(unname(rowSums(predict(classes, iris[1:4], "prob"))), rep(1, 150))
})
