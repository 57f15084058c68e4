# predict(type = "mean"): the process given its values at the landmarks, and arguments of other types.

x <- withr::with_seed(1, sim_circles(120))
fit <- withr::with_seed(1, landmarks(x, 8, bandwidth = 0.3))

naive_mean <- function(fit, new, values) {
  w <- naive_features(fit$landmarks, fit$landmarks, fit$bandwidth)
  naive_features(new, fit$landmarks, fit$bandwidth) %*% solve(w, values)
}

test_that("the mean is that of the equation, for one function and several", {
  values <- cbind(a = sin(1:8), b = 1:8)
  expect_equal(predict(fit, x, values = values), naive_mean(fit, x, values), tolerance = 1e-6)
  one <- predict(fit, x, "mean", values = values[, 1])
  expect_equal(one, naive_mean(fit, x, values)[, 1], tolerance = 1e-6)
  expect_null(dim(one))
  expect_equal(predict(fit, x, values = 1:8), predict(fit, x, values = as.double(1:8)))
  # At the landmarks it is what was given, far away 0.
  expect_equal(unname(predict(fit, fit$landmarks, values = sin(1:8))), sin(1:8), tolerance = 1e-6)
  expect_identical(unname(predict(fit, matrix(100, 1, 2), values = 1:8)), 0)
  rownames(x) <- paste0("r", 1:120)
  expect_named(predict(fit, x, values = 1:8), rownames(x))
})

test_that("it is in the coordinates of the kernel, also in chunks", {
  table <- as.matrix(iris[1:4]) * rep(c(1, 10, 100, 1000), each = 150)
  fit <- withr::with_seed(1, landmarks(table, 6, scale = TRUE, bandwidth = 3))
  unit <- apply(table, 2, stats::sd)
  naive <- fit
  naive$landmarks <- sweep(fit$landmarks, 2, unit, "/")
  values <- cos(1:6)
  mean <- predict(fit, table, values = values)
  expected <- naive_mean(naive, sweep(table, 2, unit, "/"), values)
  expect_equal(unname(mean), unname(expected[, 1]), tolerance = 1e-6)
  expect_equal(unname(predict(fit, in_chunks(table, 4), values = values)), unname(mean))
  missing <- table[1:3, ]
  missing[2, 1] <- NA
  expect_identical(
    is.na(unname(predict(fit, missing, values = values, na.action = stats::na.pass))), c(FALSE, TRUE, FALSE)
  )
})

test_that("wrong values are refused", {
  expect_refused(
    predict(fit, x, "mean"), predict(fit, x, values = 1:7), predict(fit, x, values = letters[1:8]),
    predict(fit, x, values = c(1:7, NA)), predict(fit, x, values = matrix(0, 8, 0)),
    predict(fit, x, values = rep(NA, 8)), predict(fit, x, values = c(1:7, 1e300)),
    predict(fit[1], x, values = 1:2), predict(fit, x, "features", values = 1:8),
    predict(fit, x, "features", x = x), predict(fit, x, values = 1:8, x = x),
    predict(fit, x, "variance", weights = rep(1, 120)), predict(fit, x, interval = "prediction"),
    predict(fit, x, level = 0.9)
  )
  # The remedy of a missing value.
  known <- 1:8 != 3
  got <- predict(fit[known], x, values = (1:8)[known])
  expect_equal(got, naive_mean(fit[known], x, (1:8)[known])[, 1], tolerance = 1e-6)
})
