# Effects by packages for any model, which are not in Suggests: the tarball leaves this file out
# (.Rbuildignore), because CRAN wants every package declared that a test names.

test_that("pdp draws the mean prediction along a column", {
  skip_if_not_installed("pdp")
  fit <- landmarks(mpg ~ ., mtcars, 8, by_response(iterations = 100), scale = TRUE)
  mean_of <- function(object, newdata) mean(predict(object, newdata))
  found <- pdp::partial(fit, "wt", train = mtcars, grid.resolution = 4, pred.fun = mean_of)
  expect_equal(found$yhat, vapply(found$wt, function(w) mean_of(fit, transform(mtcars, wt = w)), 0))
})
