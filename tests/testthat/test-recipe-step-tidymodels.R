# The step with packages of tidymodels that are not in Suggests. The tarball leaves this file out
# (.Rbuildignore): CRAN wants every package declared that a test names. `make test` runs it where they are.

skip_if_not_installed("recipes", "1.0.4")

test_that("case weights of both kinds become weights", {
  skip_if_not_installed("hardhat")
  times <- rep(c(1L, 3L), 75)
  for (kind in list(hardhat::importance_weights, hardhat::frequency_weights)) {
    d <- iris[1:4]
    d$w <- kind(times)
    rec <- trained(step_of(d, ~., num_landmarks = 4))
    set.seed(1)
    fit <- landmarks(as.matrix(iris[1:4]), 4, weights = times, scale = FALSE)
    expect_identical(features_of(rec, d), predict(fit, as.matrix(iris[1:4])))
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
  rec <- trained(step_landmarks(rec, recipes::all_predictors(), num_landmarks = 4))
  expect_true(rec$steps[[1]]$res$sparse)
  set.seed(1)
  fit <- landmarks(x, 4)
  expect_identical(unname(features_of(rec, d)), unname(predict(fit, x)))
})

test_that("a workflow is tuned, finalized and fitted", {
  for (package in c("dials", "parsnip", "rsample", "tune", "workflows", "yardstick")) {
    skip_if_not_installed(package)
  }
  skip_on_cran()
  set.seed(1)
  folds <- rsample::vfold_cv(quakes[1:300, ], v = 3)
  rec <- recipes::recipe(mag ~ lat + long + depth, quakes[1:300, ])
  rec <- recipes::step_normalize(rec, recipes::all_numeric_predictors())
  rec <- step_landmarks(rec, recipes::all_numeric_predictors(),
    num_landmarks = tune::tune(), bandwidth = tune::tune(), method = tune::tune("how")
  )
  flow <- workflows::workflow(rec, parsnip::linear_reg())
  parameters <- workflows::extract_parameter_set_dials(flow)
  expect_setequal(parameters$id, c("num_landmarks", "bandwidth", "how"))
  grid <- data.frame(
    num_landmarks = c(4L, 8L), bandwidth = c("variance", "0.5 * variance"), how = c("gp", "kmeans")
  )
  measure <- yardstick::metric_set(yardstick::rmse)
  tuned <- tune::tune_grid(flow, folds, grid = grid, metrics = measure)
  table <- tune::collect_metrics(tuned)
  expect_setequal(table$num_landmarks, c(4, 8))
  expect_identical(table$n, c(3L, 3L))
  # By hand: the same features after the same seed, and their regression.
  best <- tune::finalize_workflow(flow, grid[1, ])
  set.seed(2)
  fitted <- parsnip::fit(best, quakes[1:300, ])
  z <- scale(as.matrix(quakes[c("lat", "long", "depth")][1:300, ]))
  set.seed(2)
  w <- data.frame(predict(landmarks(z[, ], 4, scale = FALSE), z))
  w$mag <- quakes$mag[1:300]
  by_hand <- unname(stats::fitted(stats::lm(mag ~ ., w)))
  expect_equal(predict(fitted, quakes[1:300, ])$.pred, by_hand, tolerance = 1e-6)
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
