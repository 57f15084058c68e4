# Columns that are constant in the training data: with `scale` they enter no distance, and a warning names
# those whose values differ in new data.

skip_slow_file()

constants <- withr::with_seed(1, {
  x <- cbind(a = rnorm(200), b = rnorm(200), year = 2023, tenth = rep(c(0.3, 3 * 0.1), 100), none = 0)
  list(x = x, varying = x[, 1:2], new = rbind(x[1:19, ], replace(x[20, ], c("year", "none"), c(2024, 1))))
})
with_seed_fit <- function(x, method, scale = TRUE) withr::with_seed(1, landmarks(x, 6, method, scale = scale))

# How many warnings of this kind `code` gives, and the columns that they name.
warnings_of <- function(code) {
  named <- character()
  withCallingHandlers(code, landmarker_warning_constant = function(w) {
    named <<- c(named, strsplit(conditionMessage(w), "` have|` has")[[1]][1])
    rlang::cnd_muffle(w)
  })
  named
}
of_new <- function(arg) sprintf("Columns `year` and `none` of `%s", arg)

test_that("a column that is constant up to rounding has factor 0, and the fit is that of the others", {
  for (method in list("gp", "kmeans", by_dpp(covariance = "full"), by_dpp_exact())) {
    for (data in list(identity, as_sparse)) {
      fit <- with_seed_fit(data(constants$x), method)
      without <- with_seed_fit(data(constants$varying), method)
      expect_identical(unname(fit$factor[3:5]), c(0, 0, 0))
      expect_equal(coef(fit)[, 1:2], coef(without), tolerance = 1e-10)
      expect_equal(unname(coef(fit)[, 3:5]), cbind(2023, 0.3, rep(0, 6)), tolerance = 1e-14)
      expect_equal(fit$covariance[1:2, 1:2, ], without$covariance, ignore_attr = TRUE)
      expect_true(all(fit$covariance[3:5, , ] == 0))
    }
  }
})

test_that("new values of such columns change no prediction, and give one warning that names the columns", {
  kinds <- list(identity, as_sparse, function(x) in_chunks(x, 4), ranks = identity)
  for (k in 1:4) {
    fit <- with_seed_fit(constants$x, "gp", if (k == 4) "ranks" else TRUE)
    for (type in c("features", "nearest", "variance")) {
      expect_silent(expected <- predict(fit, kinds[[k]](constants$x[1:20, ]), type))
      expect_identical(warnings_of(found <- predict(fit, kinds[[k]](constants$new), type)), of_new("newdata"))
      expect_equal(found, expected, tolerance = 1e-12)
    }
  }
})

test_that("each function that takes new data warns once", {
  fit <- with_seed_fit(constants$x, "gp")
  new <- constants$new
  map <- embed_landmarks(fit)
  book <- withr::with_seed(1, codebook(constants$x, 4, scale = TRUE))
  expect_equal(unname(coef(book)[, 3:5]), cbind(2023, 0.3, rep(0, 4)), tolerance = 1e-14)
  # The constants stay those of the first fit.
  more <- quiet(add_landmarks(fit, new, 1), "constant")
  expect_identical(unname(coef(more)[, "year"]), rep(2023, 7))
  uses <- list(
    x = function() add_landmarks(fit, new, 1), x = function() refine_landmarks(fit, new),
    x = function() refine_landmarks(fit, in_chunks(new)), x = function() reconstruction_error(fit, new),
    x = function() nearest_observations(fit, new), x = function() sketch_rows(fit, new, 8),
    x = function() embed_landmarks(fit, x = new), newdata = function() predict(map, new),
    newdata = function() augment(fit, newdata = new), data = function() on_device(plot(fit, new)),
    points = function() as_landmarks(new, constants$x, scale = TRUE),
    frames = function() predict(book, new, rep(1, 20))
  )
  for (k in seq_along(uses)) expect_identical(warnings_of(uses[[k]]()), of_new(names(uses)[k]))
  # The data that were learned from never do, nor columns that are not scaled: these keep their unit.
  expect_identical(warnings_of(augment(add_landmarks(fit, constants$x, 1), constants$x)), character())
  plain <- with_seed_fit(constants$x, "gp", FALSE)
  expect_identical(unname(plain$factor), rep(1, 5))
  expect_identical(warnings_of(found <- predict(plain, new, "nearest")), character())
  expect_gt(found$distance[20], 1)
})

test_that("a supervised fit ignores them in its features, its trend and its intervals", {
  d <- withr::with_seed(2, {
    d <- data.frame(constants$x, g = factor(sample(c("u", "v"), 200, TRUE), c("u", "v", "w")))
    d$y <- sin(2 * d$a) + d$b / 2 + stats::rnorm(200, sd = 0.1)
    d
  })
  fit <- withr::with_seed(1, landmarks(y ~ ., d, 8, by_response(iterations = 20), scale = TRUE))
  constant <- c("year", "tenth", "none", "gw")
  columns <- tidy(fit, "columns")
  none <- columns[columns$column %in% constant, c("sd", "distance", "slope", "effect")]
  expect_true(all(none == 0))
  expect_true(all(coef(fit, "response")[constant, ] == 0))
  new <- transform(d[1:20, ], year = 2024, tenth = 9, none = -1)
  expect_identical(
    warnings_of(found <- predict(fit, new, interval = "prediction", level = 0.8)),
    "Columns `year`, `tenth`, and `none` of `newdata"
  )
  expect_identical(found, predict(fit, d[1:20, ], interval = "prediction", level = 0.8))
  expect_identical(warnings_of(predict(fit, replace(d[1:2, ], "g", factor("w")))), "Column `gw` of `newdata")
  # Without scaling a trend ignores what is constant up to rounding.
  x <- constants$x[, c("a", "tenth")]
  fit <- withr::with_seed(1, landmarks(x, 8, by_response(sin(2 * x[, 1]), iterations = 20, trend = TRUE)))
  expect_identical(fit$response$trend[["tenth", 1]], 0)
})

test_that("data that are constant up to rounding are refused as constant data are", {
  x <- matrix(c(0.3, 3 * 0.1), 30, 3)
  for (scale in list(FALSE, TRUE, "ranks")) {
    expect_error(landmarks(x, 3, scale = scale), "rows are equal", class = "landmarker_error_bandwidth")
    expect_warning(fit <- landmarks(x, 3, bandwidth = 1, scale = scale), class = "landmarker_warning_rank")
    expect_length(fit, 1)
  }
})

test_that("what is constant does not depend on the number of rows, on weights, or on chunks", {
  # The mean of 1e7 / 7 equal values has an error of its own.
  expect_identical(column_moments(cbind(rep(0.1, 1.5e6)), NULL, "x", NULL)$variance, 0)
  x <- cbind(a = 1:60 + 0, b = c(5, rep(0.1, 59)))
  expect_identical(as_source(x, c(0, rep(1, 59)), TRUE)$factor[2], 0)
  tenths <- cbind(a = 1:60 + 0, b = rep(c(0.3, 3 * 0.1), each = 30))
  expect_identical(landmarks(in_chunks(tenths, 2), 3, scale = TRUE)$factor[2], 0)
  expect_gt(as_source(cbind(1, 1e6 + 1:9 * 1e-5), NULL, TRUE)$factor[2], 0)
})

test_that("folds, in which a column may be constant, give no warning, and a step of a recipe gives one", {
  x <- cbind(constants$x, rare = c(1, rep(0, 199)))
  compare <- function() {
    cv_landmarks(x, x[, 1]^2, 5, list("random", raw = raw_features), scale = TRUE, folds = 3, seeds = 1)
  }
  expect_identical(warnings_of(compare()), character())
  skip_if_not_installed("recipes")
  d <- as.data.frame(constants$x)
  step <- recipes::prep(step_landmarks(
    recipes::recipe(d, ~.), recipes::all_predictors(), num_landmarks = 5, scale = TRUE
  ))
  expect_length(warnings_of(recipes::bake(step, as.data.frame(constants$new))), 1)
})
