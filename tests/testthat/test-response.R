# What a response may be.

test_that("tags that are the same in all rows are told", {
  y <- cbind(a = rep(0:1, 10), b = 0, c = 1)
  expect_message(as_response(y, 20), "2 tags are the same in all rows", class = "landmarker_message_response")
  expect_no_message(as_response(y[, 1, drop = FALSE], 20))
})

test_that("numbers with further attributes are the same response as plain ones", {
  of <- getFromNamespace("as_response", "landmarker")
  plain <- of(mtcars$mpg, 32)
  labelled <- structure(mtcars$mpg, labels = c(low = 10), class = c("haven_labelled", "vctrs_vctr", "double"))
  united <- structure(mtcars$mpg, units = "m", class = "units")
  seconds <- as.difftime(mtcars$mpg, units = "secs")
  for (y in list(ts(mtcars$mpg), array(mtcars$mpg, 32), labelled, united, seconds)) {
    expect_identical(of(y, 32), plain)
  }
  expect_refused(of(as.Date("2020-01-01") + 1:32, 32))
})

test_that("0 and 1 are numbers for families of numbers", {
  for (family in c("gaussian", "poisson", "huber")) {
    fit <- suppressWarnings(landmarks(mtcars["wt"], 3, by_response(mtcars$am, family, iterations = 5)))
    expect_identical(fit$response$type, "number")
  }
  fit <- landmarks(mtcars["wt"], 3, by_response(cbind(mtcars$am, mtcars$vs), "poisson", iterations = 5))
  expect_identical(fit$response$type, "numbers")
  rlang::local_options(rlib_message_verbosity = "verbose")
  expect_message(landmarks(mtcars["wt"], 3, by_response(mtcars$gear, iterations = 5)), "This is a regression")
  expect_message(landmarks(mtcars["wt"], 3, by_response(mtcars$gear, "gaussian", iterations = 5)), NA)
})

test_that("levels without rows keep their place and have probability 0", {
  y <- factor(iris$Species, c("nobody", levels(iris$Species)), ordered = TRUE)
  for (rows in list(1:150, 51:150)) {
    x <- iris[rows, 1:4]
    set.seed(1)
    fit <- landmarks(x, 4, by_response(y[rows], iterations = 20))
    set.seed(1)
    bare <- landmarks(x, 4, by_response(droplevels(y[rows]), iterations = 20))
    p <- predict(fit, x, "prob")
    expect_identical(colnames(p), levels(y))
    seen <- levels(droplevels(y[rows]))
    expect_identical(p[, seen], predict(bare, x, "prob"))
    expect_true(all(p[, setdiff(levels(y), seen)] == 0))
    expect_identical(predict(fit, x), factor(predict(bare, x), levels(y), ordered = TRUE))
    expect_identical(colnames(predict(fit, x, "set")), levels(y))
  }
  cv <- cv_landmarks(iris[1:4], y, n = 4, methods = by_kmeans(), folds = 2, seeds = 1)
  expect_identical(levels(predict(cv, iris[1:4])), levels(y))
  expect_true(all(predict(cv, iris[1:4], "prob")[, "nobody"] == 0))
})

test_that("terms of coefficients and columns of augment() are unique", {
  d <- data.frame(L1 = mtcars$wt, b = mtcars$hp)
  fit <- landmarks(d, 3, by_response(mtcars$mpg, iterations = 5, trend = TRUE), scale = TRUE)
  expect_identical(tidy(fit, "coefficients")$term, c("(Intercept)", "L1", "L2", "L3", "trend(L1)", "b"))
  y <- factor(iris$Species, labels = c("class", "b", "c"))
  fit <- landmarks(iris[1:4], 3, by_response(y, iterations = 5))
  expect_identical(anyDuplicated(names(augment(fit, iris[1:4]))), 0L)
})

test_that("tags that are predicted well have a large area", {
  y <- cbind(a = iris$Sepal.Length > 6, b = iris$Species == "virginica") + 0
  set.seed(2)
  report <- landmarks(iris[1:4], 6, by_response(y, iterations = 100))$response$held_out
  expect_gt(report$measure, 0.9)
})
