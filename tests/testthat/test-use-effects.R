# Importance and effects by packages for any model, which are not in Suggests: the tarball leaves this file
# out (.Rbuildignore), because CRAN wants every package declared that a test names.

model_of <- function() {
  set.seed(1)
  landmarks(mpg ~ ., data = mtcars, n = 8, method = by_response(iterations = 100), scale = TRUE)
}
predicted <- function(object, newdata) predict(object, newdata)

test_that("pdp draws the mean prediction along a column", {
  skip_if_not_installed("pdp")
  fit <- model_of()
  found <- pdp::partial(fit, "wt", train = mtcars, grid.resolution = 4,
    pred.fun = function(object, newdata) mean(predicted(object, newdata))
  )
  by_hand <- vapply(found$wt, function(w) mean(predict(fit, transform(mtcars, wt = w))), 0)
  expect_equal(found$yhat, by_hand)
})

test_that("DALEX explains a fit", {
  skip_if_not_installed("DALEX")
  explained <- DALEX::explain(model_of(), mtcars[-1], mtcars$mpg, predicted, verbose = FALSE)
  expect_equal(explained$y_hat, unname(predict(model_of(), mtcars)))
})
