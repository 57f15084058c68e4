# Objects that were edited or cut are refused by each function that takes them, with the part that is wrong.

skip_slow_file()

set.seed(3)
x <- sim_spiral(40)
y <- factor(rep(c("p", "q"), 20))
scores <- tagging_scores(cbind(a = x[, 1] > 0, b = 0.5), cbind(a = x[, 2] > 0, b = y == "p"), 1)
raw <- raw_features(iris[1:4], scale = TRUE)
halves <- data_parts(c(40, 2), function(part) x[seq_len(20) + 20 * (part - 1), ], 2)

test_that("tagging scores, features and data in parts that were edited are refused", {
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
  expect_refused(print(with_part(halves, seen = list())), "parts")
  expect_refused(nrow(with_part(halves, columns = 3.5)), "parts")
  expect_error(landmarks(with_part(halves, read = "file"), 3), class = "landmarker_error_parts")
  expect_error(dim(without(halves, "total")), class = "landmarker_error_parts")
  workers <- structure(list(rows = 1L), class = "worker_data")
  expect_refused(print(workers), "worker")
  for (use in list(dim, dimnames, function(o) o[1, ], function(o) landmarks(o, 2))) {
    expect_error(use(workers), class = "landmarker_error_worker")
  }
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
