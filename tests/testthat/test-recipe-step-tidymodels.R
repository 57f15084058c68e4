# The step with packages of tidymodels that are not in Suggests. The tarball leaves this file out
# (.Rbuildignore): CRAN wants every package declared that a test names. `make test` runs it where they are.

skip_if_not_installed("recipes", "1.0.4")

test_that("case weights of both kinds become weights", {
  skip_if_not_installed("hardhat")
  times <- rep(c(1L, 3L), 75)
  for (kind in list(hardhat::importance_weights, hardhat::frequency_weights)) {
    d <- iris[1:4]
    d$w <- kind(times)
    rec <- trained(step_of(d, ~., num_landmarks = 4, type = "features"))
    set.seed(1)
    fit <- landmarks(as.matrix(iris[1:4]), 4, weights = times, scale = FALSE)
    expect_identical(features_of(rec, d), predict(fit, as.matrix(iris[1:4]), "features"))
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
  set.seed(1)
  fit <- landmarks(x, 4)
  expect_identical(unname(features_of(rec, d)), unname(predict(fit, x, "features")))
})

skip_without_tidymodels <- function() {
  skip_on_cran()
  for (package in c("dials", "parsnip", "rsample", "tune", "workflows", "yardstick")) {
    skip_if_not_installed(package)
  }
}

# The root mean squared error of a workflow for each row of a grid, over two folds.
tuned_errors <- function(flow, data, grid) {
  set.seed(1)
  folds <- rsample::vfold_cv(data, v = 2)
  tuned <- tune::tune_grid(flow, folds, grid = grid, metrics = yardstick::metric_set(yardstick::rmse))
  expect_identical(nrow(tune::collect_notes(tuned)), 0L)
  table <- tune::collect_metrics(tuned)
  expect_identical(table$n, rep(2L, nrow(grid)))
  list(tuned = tuned, table = table, folds = folds)
}

test_that("a recipe with landmarks is tuned, and its best setting is judged by rows that were left out", {
  skip_without_tidymodels()
  set.seed(1)
  split <- rsample::initial_split(quakes[1:300, ], prop = 0.8)
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
  found <- tuned_errors(flow, train, grid)
  expect_setequal(found$table$num_landmarks, c(4, 8))
  best <- tune::select_best(found$tuned, metric = "rmse")
  expect_identical(best$how, found$table$how[which.min(found$table$mean)])
  last <- tune::finalize_workflow(flow, best)
  set.seed(2)
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
  net <- landmark_net("regression",
    num_landmarks = tune::tune(), bandwidth = tune::tune(), penalty = tune::tune()
  )
  flow <- workflows::workflow(mpg ~ wt + hp, parsnip::set_engine(net, "landmarker", iterations = 20))
  parameters <- workflows::extract_parameter_set_dials(flow)
  expect_setequal(parameters$id, c("num_landmarks", "bandwidth", "penalty"))
  grid <- data.frame(
    num_landmarks = c(2L, 4L), bandwidth = c("variance", "2 * variance"), penalty = c(1e-3, 1)
  )
  found <- tuned_errors(flow, mtcars, grid)
  # One of its errors by hand: the settings reach landmarks(). The fits draw numbers of tune's own.
  expect_false(found$table$mean[1] == found$table$mean[2])
  last <- tune::finalize_workflow(flow, grid[2, ])
  set.seed(3)
  fit <- workflows::extract_fit_engine(parsnip::fit(last, mtcars))
  set.seed(3)
  plain <- landmarks(mtcars[c("wt", "hp")], 4, by_response(mtcars$mpg, iterations = 20, penalty = 1),
    bandwidth = "2 * variance", scale = TRUE
  )
  expect_equal(fit$landmarks, plain$landmarks)
  expect_identical(fit$bandwidth, plain$bandwidth)
  expect_equal(coef(fit, "response"), coef(plain, "response"))
})

test_that("case weights of a model of parsnip become weights", {
  skip_if_not_installed("parsnip")
  skip_if_not_installed("hardhat")
  times <- rep(1:2, 16)
  set.seed(1)
  spec <- parsnip::set_engine(landmark_net("regression", num_landmarks = 3), "landmarker", iterations = 40)
  weighted <- parsnip::fit(spec, mpg ~ wt, mtcars, case_weights = hardhat::frequency_weights(times))
  set.seed(1)
  plain <- landmarks(mtcars["wt"], 3, by_response(mtcars$mpg, iterations = 40), weights = times, scale = TRUE)
  expect_equal(weighted$fit$landmarks, plain$landmarks)
})
