# Comparisons that were edited or cut are refused by each function that takes them.

skip_slow_file()

set.seed(3)
x <- sim_spiral(40)
y <- factor(rep(c("p", "q"), 20))
some <- list(random = by_random(), raw = raw_features)
cv <- cv_landmarks(x, y, n = c(3, 4), methods = some, folds = 2, seeds = 1, lambda = c(0.01, 1))

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
