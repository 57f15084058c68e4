# Objects that were edited or cut are refused by each function that takes them, with the part that is wrong.

skip_slow_file()

set.seed(3)
x <- sim_spiral(40)
y <- factor(rep(c("p", "q"), 20))
some <- list(random = by_random(), raw = raw_features)
cv <- cv_landmarks(x, y, n = c(3, 4), methods = some, folds = 2, seeds = 1, lambda = c(0.01, 1))
scores <- tagging_scores(cbind(a = x[, 1] > 0, b = 0.5), cbind(a = x[, 2] > 0, b = y == "p"), 1)
raw <- raw_features(iris[1:4], scale = TRUE)
halves <- data_parts(c(40, 2), function(part) x[seq_len(20) + 20 * (part - 1), ], 2)
without <- function(object, part) {
  object[part] <- NULL
  object
}
with_part <- function(object, ...) {
  parts <- list(...)
  object[names(parts)] <- parts
  object
}

test_that("each function for a comparison refuses one that lacks a part", {
  uses <- list(
    print, summary, plot, as.data.frame, coef, nobs, tidy, glance, function(o) predict(o, x),
    function(o) augment(o, x)
  )
  if (rlang::is_installed("ggplot2", version = "3.4.0")) uses <- c(uses, ggplot2::autoplot)
  needed <- c("units", "summary", "best", "type", "measure", "compared", "lambda", "n_rows", "kind")
  for (use in uses) {
    for (part in needed) expect_error(use(without(cv, part)), class = "landmarker_error_comparison")
    expect_error(use(structure(list(), class = "cv_landmarks")), class = "landmarker_error_comparison")
  }
  expect_refused(print(without(cv, "units")), "comparison")
})

test_that("the parts of a comparison must belong together", {
  better <- cv$summary
  better$accuracy[1] <- 1
  units <- cv$units
  units$method[1] <- "other"
  refit <- cv$coefficients[-1, , drop = FALSE]
  expect_refused(print(with_part(cv, summary = better)), "comparison")
  expect_refused(print(with_part(cv, units = units)), "comparison")
  expect_refused(print(with_part(cv, best = better[0, ])), "comparison")
  expect_refused(predict(with_part(cv, coefficients = refit), x), "comparison")
  expect_refused(predict(with_part(cv, fit = without(cv$fit, names(cv$fit)[1])), x), "comparison")
  expect_refused(coef(with_part(cv, link = "softmax2")), "comparison")
  expect_refused(glance(with_part(cv, levels = "p")), "comparison")
  expect_error(print(with_part(cv, summary = structure(list(), class = "data.frame"))),
    class = "landmarker_error_comparison"
  )
  expect_refused(print(without(summary(cv), "table")), "comparison")
})

test_that("comparisons of every kind are valid", {
  tags <- cbind(t = y == "p", u = x[, 1] > 0)
  quick <- function(...) suppressWarnings(cv_landmarks(..., n = 3, seeds = 1:2, lambda = c(0.01, 1)))
  all <- list(
    quick(x, y, methods = some, folds = 2, nested = TRUE), quick(x, x[, 1], methods = some, validation = 10),
    quick(x, tags, methods = by_random(), folds = 2, lambda_per_tag = TRUE),
    quick(Species ~ ., iris, methods = some, folds = 2, test = 1:20, classes = "one_vs_rest"),
    quick(x, y, methods = some, folds = 2, refit = FALSE, bandwidth = c("variance", "2 * variance")),
    quick(x, y, methods = with_data(by_random(), x^2), folds = 2, weights = rep(0:3, 10))
  )
  for (one in all) expect_null(object_flaw(one, cv_rules))
})

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

test_that("the parts of a fit must belong together", {
  fit <- landmarks(data.frame(a = x[, 1], f = y), 4, scale = TRUE)
  expect_refused(print(with_part(fit, nearest = c(1L, 2L, 3L, 41L))), "fit")
  expect_refused(predict(with_part(fit, center = stats::setNames(fit$center, c("b", "c", "d"))), x), "fit")
  expect_refused(summary(with_part(fit, explained = c(NA, 1, 1, 1))), "fit")
  expect_refused(coef(with_part(fit, gaps = cbind(low = 2L, high = 1L))), "fit")
  expect_refused(print(with_part(fit, na.action = 3L)), "fit")
  expect_refused(print(with_part(fit, experiment = "counts")), "fit")
  expect_refused(print(with_part(fit, call = "landmarks(x, 4)")), "fit")
  blueprint <- fit$blueprint
  blueprint$levels$f <- c("p", "p")
  expect_refused(predict(with_part(fit, blueprint = blueprint), data.frame(a = 1, f = "p")), "fit")
  blueprint <- fit$blueprint
  attr(blueprint$terms, "factors") <- NULL
  expect_refused(predict(with_part(fit, blueprint = blueprint), data.frame(a = 1, f = "p")), "fit")
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

test_that("a step leaves rows with missing values out, and gives them missing features", {
  skip_if_not_installed("recipes", "1.0.4")
  gaps <- airquality[1:40, 1:4]
  whole <- stats::na.omit(gaps)
  step <- function(data) {
    made <- recipes::recipe(Temp ~ ., data)
    made <- step_landmarks(made, recipes::all_numeric_predictors(),
      num_landmarks = 3, method = "active", scale = TRUE, options = list(na.action = na.omit)
    )
    recipes::prep(made, data)
  }
  # Also where the training data had none.
  for (one in list(step(gaps), step(whole))) {
    out <- recipes::bake(one, gaps)
    expect_identical(nrow(out), 40L)
    expect_identical(which(is.na(out$L1)), as.integer(attr(whole, "na.action")))
  }
  set.seed(1)
  of_gaps <- recipes::bake(step(gaps), whole)
  set.seed(1)
  expect_equal(of_gaps, recipes::bake(step(whole), whole))
})

test_that("as_landmarks() leaves rows with missing values out as landmarks() does", {
  gaps <- airquality[1:40, c("Ozone", "Temp")]
  whole <- stats::na.omit(gaps)
  points <- data.frame(Ozone = c(20, 30, 100), Temp = c(60, 70, 80))
  fit <- as_landmarks(points, gaps, scale = TRUE, na.action = na.omit)
  rest <- as_landmarks(points, whole, scale = TRUE)
  expect_identical(fit$variance, rest$variance)
  expect_identical(fit$na.action, attr(whole, "na.action"))
  expect_identical(row.names(gaps)[fit$nearest], row.names(whole)[rest$nearest])
  expect_identical(
    as_landmarks(as.matrix(points), as.matrix(gaps), scale = TRUE, na.action = na.exclude)$nearest,
    fit$nearest
  )
  weights <- as.double(1:40)
  expect_identical(
    as_landmarks(points, gaps, weights = weights, na.action = na.omit)$variance,
    as_landmarks(points, whole, weights = weights[-attr(whole, "na.action")])$variance
  )
  expect_error(as_landmarks(points, gaps), class = "landmarker_error_missing")
})

test_that("an update that leaves too few landmarks for `[` says so", {
  fit <- landmarks(x, 6)
  expect_identical(length(update(fit[c(5, 2)], n = 7)), 2L)
  expect_refused(update(fit[c(5, 2)], n = 3), "index")
})
