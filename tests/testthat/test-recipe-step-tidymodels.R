# The step with packages of tidymodels that are not in Suggests. The tarball leaves this file out
# (.Rbuildignore): CRAN wants every package declared that a test names. `make test` runs it where they are.

skip_if_not_installed("recipes", "1.0.4")

test_that("case weights of both kinds become weights", {
  skip_if_not_installed("hardhat")
  times <- rep(c(1L, 3L), 75)
  x <- as.matrix(iris[1:4])
  fit <- withr::with_seed(1, landmarks(x, 4, weights = times, scale = FALSE))
  for (kind in list(hardhat::importance_weights, hardhat::frequency_weights)) {
    d <- cbind(iris[1:4], w = kind(times))
    rec <- trained(step_of(d, ~., num_landmarks = 4, type = "features"))
    expect_identical(features_of(rec, d), predict(fit, x, "features"))
    expect_true(rec$steps[[1]]$res$weighted)
  }
})

test_that("columns that are sparse vectors are learned from as a sparse matrix", {
  skip_if_not_installed("sparsevctrs")
  x <- newsgroups[1:200, 1:50]
  x <- x[Matrix::rowSums(x) > 0, ]
  colnames(x) <- make.names(colnames(x), unique = TRUE)
  d <- sparsevctrs::coerce_to_sparse_tibble(x)
  rec <- recipes::update_role(recipes::recipe(d), tidyselect::everything(), new_role = "predictor")
  rec <- trained(step_landmarks(rec, recipes::all_predictors(), num_landmarks = 4, type = "features"))
  expect_true(rec$steps[[1]]$res$sparse)
  fit <- withr::with_seed(1, landmarks(x, 4))
  expect_identical(unname(features_of(rec, d)), unname(predict(fit, x, "features")))
})

skip_without_tidymodels <- function() {
  skip_on_cran()
  for (name in c("dials", "parsnip", "rsample", "tune", "workflows", "yardstick")) skip_if_not_installed(name)
}

# A workflow tuned by the root mean squared error over two folds.
tuned_by <- function(flow, data, grid) {
  folds <- withr::with_seed(1, rsample::vfold_cv(data, v = 2))
  tuned <- tune::tune_grid(flow, folds, grid = grid, metrics = yardstick::metric_set(yardstick::rmse))
  expect_identical(nrow(tune::collect_notes(tuned)), 0L)
  tuned
}

test_that("a recipe with landmarks is tuned, and its best setting is judged by rows that were left out", {
  skip_without_tidymodels()
  split <- withr::with_seed(1, rsample::initial_split(quakes[1:300, ], prop = 0.8))
  train <- rsample::training(split)
  test <- rsample::testing(split)
  rec <- recipes::recipe(mag ~ lat + long + depth, train)
  rec <- recipes::step_normalize(rec, recipes::all_numeric_predictors())
  rec <- step_landmarks(rec, recipes::all_numeric_predictors(),
    num_landmarks = tune::tune(), bandwidth = tune::tune(), method = tune::tune("how")
  )
  flow <- workflows::workflow(rec, parsnip::linear_reg())
  parameters <- workflows::extract_parameter_set_dials(flow)
  expect_setequal(parameters$id, c("num_landmarks", "bandwidth", "how"))
  expect_identical(dials::range_get(parameters$object[[match("num_landmarks", parameters$id)]])$upper, 100L)
  grid <- data.frame(
    num_landmarks = c(4L, 8L), bandwidth = c("variance", "0.5 * variance"), how = c("kmeans", "random")
  )
  tuned <- tuned_by(flow, train, grid)
  table <- tune::collect_metrics(tuned)
  expect_setequal(table$num_landmarks, c(4, 8))
  best <- tune::select_best(tuned, metric = "rmse")
  expect_identical(best$how, table$how[which.min(table$mean)])
  last <- tune::finalize_workflow(flow, best)
  judged <- tune::last_fit(last, split, metrics = yardstick::metric_set(yardstick::rmse))
  rows <- tune::collect_predictions(judged)
  # What was predicted is what the workflow that was kept predicts, whose landmarks are of the training rows.
  kept <- tune::extract_workflow(judged)
  expect_equal(rows$.pred, predict(kept, test)$.pred)
  z <- scale(as.matrix(train[c("lat", "long", "depth")]))
  new <- scale(as.matrix(test[colnames(z)]), attr(z, "scaled:center"), attr(z, "scaled:scale"))
  fit <- workflows::extract_recipe(kept)$steps[[2]]$res
  expect_length(fit, best$num_landmarks)
  expect_identical(fit$n_rows, nrow(train))
  # By hand, for these landmarks. An intercept and any basis of the same space give the same predictions.
  model <- stats::lm(train$mag ~ ., data.frame(predict(fit, z[, ])))
  by_hand <- unname(predict(model, data.frame(predict(fit, new[, ]))))
  expect_equal(rows$.pred, by_hand, tolerance = 1e-6)
  expect_equal(tune::collect_metrics(judged)$.estimate, sqrt(mean((by_hand - test$mag)^2)), tolerance = 1e-6)
})

test_that("a landmark network is tuned", {
  skip_without_tidymodels()
  net <- landmark_net("regression", "landmarker", tune::tune(), tune::tune(), tune::tune())
  flow <- workflows::workflow(mpg ~ wt + hp, parsnip::set_engine(net, "landmarker", iterations = 20))
  parameters <- workflows::extract_parameter_set_dials(flow)
  expect_setequal(parameters$id, c("num_landmarks", "bandwidth", "penalty"))
  rules <- c("variance", "2 * variance")
  grid <- data.frame(num_landmarks = c(2L, 4L), bandwidth = rules, penalty = c(1e-3, 1))
  errors <- tune::collect_metrics(tuned_by(flow, mtcars, grid))$mean
  expect_false(errors[1] == errors[2])
  # The settings reach landmarks(). The fits above draw numbers of tune's own.
  last <- tune::finalize_workflow(flow, grid[2, ])
  fit <- workflows::extract_fit_engine(withr::with_seed(3, parsnip::fit(last, mtcars)))
  method <- by_response(mtcars$mpg, iterations = 20, penalty = 1)
  plain <- withr::with_seed(3, landmarks(mtcars[c("wt", "hp")], 4, method, rules[2], scale = TRUE))
  expect_equal(fit$landmarks, plain$landmarks)
  expect_identical(fit$bandwidth, plain$bandwidth)
  expect_equal(coef(fit, "response"), coef(plain, "response"))
})

test_that("case weights of a model of parsnip become weights", {
  skip_if_not_installed("parsnip")
  skip_if_not_installed("hardhat")
  times <- rep(1:2, 16)
  spec <- parsnip::set_engine(landmark_net("regression", num_landmarks = 3), "landmarker", iterations = 40)
  weights <- hardhat::frequency_weights(times)
  weighted <- withr::with_seed(1, parsnip::fit(spec, mpg ~ wt, mtcars, case_weights = weights))
  method <- by_response(mtcars$mpg, iterations = 40)
  plain <- withr::with_seed(1, landmarks(mtcars["wt"], 3, method, weights = times, scale = TRUE))
  expect_equal(weighted$fit$landmarks, plain$landmarks)
})
