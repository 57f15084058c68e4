# `subset` of a formula: the rows that are used.

fit_to <- function(...) {
  set.seed(1)
  landmarks(...)
}
flowers <- subset(iris, Species != "setosa")

test_that("a subset is the fit of its rows", {
  whole <- fit_to(~ . - Species, flowers, 4)
  for (fit in list(
    fit_to(~ . - Species, iris, 4, subset = Species != "setosa"),
    fit_to(~ . - Species, iris, 4, subset = 51:150), fit_to(~ . - Species, iris, 4, subset = -(1:50))
  )) {
    expect_identical(coef(fit), coef(whole))
    expect_identical(fit$nearest, whole$nearest)
    expect_equal(nobs(fit), 100)
  }
  # A comparison that is NA keeps no row, as in lm().
  gap <- iris
  gap$Species[60] <- NA
  expect_equal(nobs(fit_to(~ Sepal.Length, gap, 2, subset = Species == "versicolor")), 49)
})

test_that("weights go with their rows, from a column or beside the data", {
  heavy <- transform(iris, w = Petal.Width)
  by_column <- fit_to(~ Sepal.Length + Sepal.Width, heavy, 3, weights = w, subset = w > 1)
  beside <- fit_to(~ Sepal.Length + Sepal.Width, iris, 3,
    weights = iris$Petal.Width, subset = Petal.Width > 1
  )
  rest <- subset(heavy, w > 1)
  by_hand <- fit_to(~ Sepal.Length + Sepal.Width, rest, 3, weights = w)
  expect_identical(coef(by_column), coef(by_hand))
  expect_identical(coef(beside), coef(by_hand))
})

test_that("update() finds the rows of a subset again", {
  set.seed(1)
  fit <- landmarks(~ . - Species, iris, 4, subset = Species != "setosa" & Sepal.Length > 5)
  expect_identical(nobs(fit), nrow(subset(iris, Species != "setosa" & Sepal.Length > 5)))
  again <- withr::with_seed(1, update(fit, subset = NULL))
  expect_equal(nobs(again), 150)
})

test_that("comparisons take a subset", {
  compare <- function(...) {
    cv_landmarks(Species ~ ., ..., n = 3, methods = "random", folds = 2, seeds = 1, refit = FALSE)
  }
  part <- compare(iris, subset = Species != "setosa")
  rest <- compare(flowers)
  expect_equal(part$summary[c("n", "accuracy")], rest$summary[c("n", "accuracy")])
})

test_that("what is no subset is refused", {
  expect_refused(
    fit_to(~ Sepal.Length, iris, 2, subset = there_is_none > 1),
    fit_to(~ Sepal.Length, iris, 2, subset = c(TRUE, FALSE)),
    fit_to(~ Sepal.Length, iris, 2, subset = 151),
    fit_to(~ Sepal.Length, iris, 2, subset = c(-1, 2)),
    fit_to(~ Sepal.Length, iris, 2, subset = c(2, 2)),
    fit_to(~ Sepal.Length, iris, 2, subset = "1"),
    fit_to(~ Sepal.Length, iris, 2, subset = Sepal.Length > 100),
    fit_to(~ Sepal.Length, iris, 2, subset = c(TRUE, NA)),
    fit_to(~ Sepal.Length, iris, 2, subset = length > 5)
  )
})
