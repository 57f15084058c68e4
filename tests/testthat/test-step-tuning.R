# The step in a workflow of tidymodels, where its packages are installed.

test_that("parameters have the values that landmarks() takes", {
  skip_if_not_installed("dials")
  expect_identical(dials::range_get(num_landmarks()), list(lower = 5L, upper = 100L))
  expect_identical(dials::value_seq(num_landmarks(c(10L, 30L)), 3), c(10L, 20L, 30L))
  rules <- dials::value_seq(landmark_bandwidth(), 7)
  of_one <- vapply(rules, function(rule) landmarks(as.matrix(iris[1:4]), 2, bandwidth = rule)$bandwidth, 0)
  variance <- sum(apply(iris[1:4], 2, var))
  expect_equal(sort(unname(of_one) / variance), c(0.1, 0.2, 0.5, 1, 2, 5, 10))
  # The first few are on both sides of 1.
  expect_identical(dials::value_seq(landmark_bandwidth(), 3), c("variance", "0.5 * variance", "2 * variance"))
  for (name in dials::value_seq(landmark_method(), 5)) expect_s3_class(find_method(name), "landmark_method")
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
