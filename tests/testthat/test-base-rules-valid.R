# Objects that were edited or cut are refused by each function that takes them, with the part that is wrong.

skip_slow_file()

set.seed(3)
x <- sim_spiral(40)
y <- factor(rep(c("p", "q"), 20))
scores <- tagging_scores(cbind(a = x[, 1] > 0, b = 0.5), cbind(a = x[, 2] > 0, b = y == "p"), 1)
raw <- raw_features(iris[1:4], scale = TRUE)
halves <- in_chunks(x, 2, rows = c(20, 0, 20))

test_that("tagging scores, features and data in chunks that were edited are refused", {
  tags <- scores$tags
  tags$auc <- tags$auc + 1
  expect_refused(print(with_part(scores, tags = tags)), "scores")
  expect_refused(summary(without(scores, "top")), "scores")
  expect_refused(as.data.frame(with_part(scores, items = "many")), "scores")
  expect_refused(print(with_part(summary(scores), means = 1)), "scores")
  expect_refused(predict(with_part(raw, divisor = c(1, 0, 1, 1)), iris), "features")
  expect_refused(predict(without(raw, "width"), iris), "features")
  basis <- structure(list(basis = matrix(-1, 2, 2), iterations = 5), class = "nmf_features")
  expect_refused(predict(basis, x), "features")
  endless <- structure(list(basis = matrix(0.5, 2, 2), iterations = 1e308), class = "nmf_features")
  expect_refused(predict(endless, abs(x)), "features")
  expect_refused(print(with_part(halves, rows = 1:2)), "chunks")
  expect_refused(as_chunks(with_part(halves, sample = 3.5)), "chunks")
  expect_error(landmarks(with_part(halves, read = "file"), 3), class = "landmarker_error_chunks")
  expect_error(map_chunks(without(halves, "x"), function(rows, k) k), class = "landmarker_error_chunks")
})

test_that("a step of a recipe that was edited is refused", {
  skip_if_not_installed("recipes", "1.0.4")
  made <- recipes::recipe(Species ~ ., iris)
  made <- step_landmarks(made, recipes::all_numeric_predictors(), num_landmarks = 3, method = "random")
  step <- recipes::prep(made, iris)$steps[[1]]
  expect_refused(print(without(step, "res")), "step")
  expect_refused(tidy(with_part(step, columns = "Sepal.Length")), "step")
  expect_refused(recipes::bake(with_part(step, prefix = 1), iris), "step")
})
