# cv_landmarks() with a formula: the same as with the matrix that it stands for, and predictions from data
# frames.

flowers <- transform(iris, wide = ifelse(Sepal.Width > 3, "yes", "no"))
compare <- function(..., methods = list(km = by_kmeans()), n = 4, lambda = 0.1) {
  cv_landmarks(..., n = n, methods = methods, folds = 3, seeds = 1, lambda = lambda)
}

test_that("a formula is the matrix of its columns", {
  of_both <- function(...) {
    compare(..., n = c(3, 5), methods = list(km = by_kmeans(), raw = raw_features), scale = TRUE,
      lambda = c(0.1, 1)
    )
  }
  by_formula <- of_both(Species ~ . - wide, data = flowers)
  by_matrix <- of_both(as.matrix(iris[1:4]), iris$Species)
  expect_identical(no_time(by_formula$units), no_time(by_matrix$units))
  expect_identical(coef(by_formula), coef(by_matrix))
  expect_identical(predict(by_formula, flowers), predict(by_matrix, as.matrix(iris[1:4])))
  expect_identical(by_formula$formula, Species ~ . - wide, ignore_formula_env = TRUE)
  expect_identical(by_formula$call[[1]], quote(cv_landmarks))
})

test_that("factors have a column for each level, and poly() is as it was learned", {
  cv <- compare(log(Sepal.Length) ~ wide + Species + poly(Petal.Width, 2), data = flowers)
  own <- cbind(
    outer(flowers$wide, c("no", "yes"), "==") + 0,
    outer(as.character(iris$Species), levels(iris$Species), "==") + 0, poly(iris$Petal.Width, 2)
  )
  same <- compare(own, log(iris$Sepal.Length))
  expect_equal(cv$summary$mse, same$summary$mse)
  # Without the response, in another order, with one level only.
  new <- flowers[c(140, 3, 70), c("Petal.Width", "Species", "wide")]
  expect_equal(unname(predict(cv, new)), predict(same, own)[c(140, 3, 70)])
  expect_equal(predict(cv$fit, new), predict(same$fit, own)[c(140, 3, 70), ], ignore_attr = TRUE)
})

test_that("a data frame is the formula of all its columns, for functions and raw features too", {
  given <- flowers[c("Sepal.Width", "wide")]
  methods <- list(km = by_kmeans(), raw = raw_features, own = function(x, n) {
    expect_identical(colnames(x), c("Sepal.Width", "wideno", "wideyes"))
    raw_features(x)
  })
  by_frame <- compare(given, iris$Species, methods = methods)
  by_formula <- compare(Species ~ Sepal.Width + wide, data = flowers, methods = methods)
  expect_identical(no_time(by_frame$units), no_time(by_formula$units))
  expect_identical(predict(by_frame, given, "prob"), predict(by_formula, given, "prob"))
  # The best is a function of the user: its predictions go by the formula.
  of_user <- list(own = function(x, n) raw_features(x))
  own <- compare(wide ~ Species + Petal.Width, data = flowers, methods = of_user)
  p <- predict(own, flowers[1:4, c("Species", "Petal.Width")], "response")
  features <- cbind(1, outer(as.character(iris$Species), levels(iris$Species), "=="), iris$Petal.Width)
  expect_equal(p, as.vector(stats::plogis(features %*% coef(own)))[1:4])
})

test_that("tags are a matrix on the left, and a method's own data are the data of its predictions", {
  two <- cbind(big = Sepal.Length > 6, old = Petal.Width > 1) ~ Sepal.Width + Petal.Length
  tags <- compare(two, data = iris, scale = TRUE)
  expect_identical(tags$levels, c("big", "old"))
  expect_identical(colnames(predict(tags, iris)), c("big", "old"))
  methods <- list(own = method_with_data(by_kmeans(), iris[3:4]), few = by_random())
  cv <- compare(Species ~ Sepal.Width, data = iris, methods = methods)
  expect_identical(cv$best$method, "own")
  expect_s3_class(predict(cv, iris[3:4]), "factor")
})

test_that("a formula needs data, a response, and what the response is made of", {
  one <- function(..., methods = by_random()) compare(..., methods = methods, n = 2)
  fit <- one(Species ~ Sepal.Width + Petal.Width, iris)
  raw <- one(Species ~ Sepal.Width, iris, methods = raw_features)
  expect_refused(
    one(Species ~ .), one(~., iris), one(Genus ~ Sepal.Width, iris), one(NULL ~ Sepal.Width, iris),
    one(Species ~ ., iris, y = iris$Species), one(Species ~ ., replace(iris, 1, NA)),
    predict(fit, iris[1:2]), predict(raw, iris$Sepal.Width)
  )
})

test_that("a warning shows the name of the function, not the data", {
  broken <- function(x, n) stop("no luck")
  warning <- expect_warning(compare(Species ~ Petal.Width, iris, methods = list(a = broken, b = by_random())))
  expect_identical(conditionCall(warning), quote(cv_landmarks()))
})

test_that("new rows with missing values get missing predictions, or are left out", {
  cv <- compare(Species ~ ., data = iris, methods = "random", scale = TRUE)
  new <- iris[c(1, 60, 140), ]
  whole <- predict(cv, new, "response")
  class <- predict(cv, new)
  new[2, 1] <- NA
  expect_identical(predict(cv, new, "response", na.action = na.pass)[-2, ], whole[-2, ])
  expect_identical(predict(cv, new, na.action = na.exclude), replace(class, 2, NA))
  expect_identical(predict(cv, new, na.action = na.omit), stats::setNames(class[-2], c("1", "140")))
  expect_error(predict(cv, new), class = "landmarker_error_missing")
  raw <- compare(iris[1:4], iris$Species, methods = list(raw = raw_features))
  unless <- "must be `na.fail` unless the best method selects landmarks"
  expect_error(predict(raw, new[1:4], na.action = na.omit), unless, class = "landmarker_error_input")
})

test_that("na.action leaves out rows with a missing value in a variable or in the response", {
  data <- transform(airquality, often = rep(1:3, 51))
  of_ozone <- function(data, ...) {
    compare(Ozone ~ Wind + Solar.R, data = data, methods = "random", scale = TRUE, ...)
  }
  whole <- stats::complete.cases(data[c("Ozone", "Wind", "Solar.R")])
  cv <- of_ozone(data, weights = often, na.action = na.omit)
  expect_identical(cv$summary$mse, of_ozone(data[whole, ], weights = often)$summary$mse)
  expect_identical(nobs(cv), sum(whole))
  expect_identical(as.integer(cv$na.action), which(!whole))
  expect_output(print(cv), "42 rows with missing values left out", fixed = TRUE)
  expect_refused(
    of_ozone(data), of_ozone(data, weights = 1:3, na.action = na.omit), of_ozone(data, na.action = na.pass),
    of_ozone(data, na.action = na.omit, validation = 1:10)
  )
})
