# Bad input to by_response() and by_class().

x <- cbind(a = c(0, 1, 2, 3, 4, 5), b = c(0, 2, 1, -1, 0.5, 3))
y <- factor(c("u", "v", "u", "v", "u", "v"))

test_that("options of by_response() are checked where they are given", {
  expect_refused(
    by_response(y, family = "gamma"),
    by_response(y, family = NA),
    by_response(y, start = "nearest"),
    by_response(y, start = by_gp),
    by_response(y, iterations = 0),
    by_response(y, iterations = 1.5),
    by_response(y, batch_size = 0),
    by_response(y, held_out = -0.1),
    by_response(y, held_out = 0.6),
    by_response(y, held_out = NA),
    by_response(y, penalty = -1),
    by_response(y, penalty = Inf),
    by_response(y, penalty = "none"),
    by_response(y, relevance = -1),
    by_response(y, relevance = "yes"),
    by_response(y, relevance = c(TRUE, FALSE)),
    by_response(y, trend = NA),
    by_response(y, trend = 1),
    by_class("nearest"),
    by_class(y),
    by_class(by_response(), y)
  )
})

test_that("a response must be there once, and fit the data", {
  refused <- function(...) expect_refused(landmarks(x, 2, by_response(...)))
  refused()
  refused(y[-1])
  refused(replace(y, 2, NA))
  refused(c(1, 2, Inf, 4, 5, 6))
  refused(c(1, 2, NaN, 4, 5, 6))
  refused(factor(rep("u", 6)))
  refused(rep(3, 6))
  refused(list(1, 2, 3, 4, 5, 6))
  refused(matrix(0, 6, 2))
  refused(matrix(1, 6, 2))
  refused(matrix(2, 6, 2))
  refused(cbind(1:6, 3))
  refused(-(1:6), family = "poisson")
  refused(1:6 / 7, family = "multinomial")
  refused(factor(c(1:3, 1:3)), family = "binomial")
  refused(cbind(c(0, 1, 0, 1, 1, 1), 1), family = "multinomial")
  data <- data.frame(x, y)
  expect_refused(
    landmarks(y ~ a, data, 2, by_response(y)),
    landmarks(~ a + b, data, 2, by_response()),
    landmarks(z ~ a, data, 2, by_response()),
    landmarks(y ~ a, data, 2),
    cv_landmarks(x, y, 2, list(r = by_response(y)), folds = 2, seeds = 1),
    add_landmarks(landmarks(x, 1), x, 2, by_response()),
    refine_landmarks(landmarks(x, 2), x, y = y[-1]),
    refine_landmarks(landmarks(x, 2), x, 1.5, y = y),
    landmarks(x, 2, by_class()),
    landmarks(x, 2, by_class(y = 1:6 / 7)),
    landmarks(x, 1, by_class(y = y))
  )
})

test_that("a class of one row, and as many landmarks as rows, are no errors", {
  one <- factor(c("u", "v", "v", "u", "w", "v"))
  fit <- suppressWarnings(landmarks(x, 3, by_response(one, iterations = 20)))
  expect_equal(levels(predict(fit, x, "class")), levels(one))
  expect_true(all(is.finite(predict(fit, x, "response"))))
  fit <- suppressWarnings(landmarks(x, 6, by_response(y, iterations = 20)))
  expect_true(all(is.finite(fit$response$coefficients)))
  twice <- rbind(x, x, x, x, x)
  fit <- suppressWarnings(landmarks(twice, 6, by_response(rep(y, 5), iterations = 50)))
  expect_true(all(is.finite(predict(fit, x, "response"))))
})

test_that("responses of any size are predicted", {
  set.seed(1)
  # The response as it is, but for its last bits, is a column of the data too.
  a <- landmarks(iris[1:4], 4, by_response(iris$Sepal.Width * (1 + 1e-15), iterations = 50), bandwidth = 2)
  for (times in c(1e-300, 1e-170, 1e160, 1e300)) {
    set.seed(1)
    b <- landmarks(iris[1:4], 4, by_response(iris$Sepal.Width * times, iterations = 50), bandwidth = 2)
    expect_equal(
      predict(b, iris, "response") / times, predict(a, iris, "response"), tolerance = 1e-4
    )
  }
  outlier <- replace(iris$Sepal.Width, 3, 1e300)
  fit <- suppressWarnings(landmarks(iris[1:4], 4, by_response(outlier, iterations = 50)))
  expect_true(all(is.finite(predict(fit, iris, "response"))))
})

test_that("data that say nothing, and few iterations, are no errors", {
  for (k in c(1, 2, 19, 21)) {
    fit <- landmarks(iris[1:4], 3, by_response(iris$Species, iterations = k))
    expect_lte(fit$response$iterations, fit$response$of)
    expect_true(all(is.finite(fit$response$coefficients)))
  }
  # The kernel has rank 1.
  fit <- suppressWarnings(
    landmarks(iris[1:4], 3, by_response(iris$Sepal.Width, iterations = 60), bandwidth = 1e40)
  )
  expect_equal(dim(fit$response$coefficients), c(nrow(coef(fit)) + 1, 1))
  set.seed(1)
  z <- matrix(stats::rnorm(300), 100)
  fit <- suppressWarnings(
    landmarks(z, 5, by_response(z[, 1] > 0, iterations = 50), weights = c(1, rep(1e-200, 99)))
  )
  expect_true(all(is.finite(fit$response$coefficients)))
  # Six classes in six rows.
  suppressWarnings(expect_warning(
    landmarks(x, 2, by_response(letters[1:6], iterations = 5)), "most classes have a single row"
  ))
})

test_that("predict() says where there is no response", {
  expect_refused(
    predict(landmarks(x, 2), x, "response"),
    predict(landmarks(x, 2), x, "class")
  )
  fit <- suppressWarnings(landmarks(x, 2, by_response(1:6 / 7, iterations = 5)))
  expect_refused(
    predict(fit, x, "class"),
    predict(fit, x, "prob"),
    predict(fit, x, "nearest", interval = "prediction")
  )
  classes <- suppressWarnings(landmarks(x, 2, by_response(y, iterations = 5)))
  expect_refused(predict(classes, x, "response", interval = "prediction"))
  none <- landmarks(x, 2, by_response(y, iterations = 5, held_out = 0))
  expect_refused(predict(none, x, "set"))
  none <- landmarks(x, 2, by_response(1:6 / 7, iterations = 5, held_out = 0))
  expect_refused(predict(none, x, interval = "prediction"))
  tags <- suppressWarnings(landmarks(x, 2, by_response(cbind(c(0, 1, 0, 1, 1, 1), 0), iterations = 5)))
  expect_refused(predict(tags, x, "set"))
})

test_that("a response that is a column of the data too is told, by name or number", {
  frame <- iris[c(1:20, 51:70, 101:120), ]
  told <- function(code) {
    said <- NULL
    withCallingHandlers(code, warning = function(w) {
      if (inherits(w, "landmarker_warning_response")) said <<- conditionMessage(w)
      invokeRestart("muffleWarning")
    })
    said
  }
  compare <- function(x, y) {
    cv_landmarks(x, y, n = 2, folds = 2, methods = "random", seeds = 1, scale = FALSE, refit = FALSE)
  }
  expect_snapshot(writeLines(told(compare(frame, frame$Species))))
  expect_match(told(compare(frame, as.character(frame$Species))), "Column Species of `x`", fixed = TRUE)
  expect_match(told(compare(frame[1:4], frame$Petal.Width)), "Column Petal.Width of `x`", fixed = TRUE)
  unnamed <- unname(as.matrix(frame[1:4]))
  expect_match(told(compare(unnamed, frame$Petal.Width)), "Column 4 of `x`", fixed = TRUE)
  # Numbers that agree in the first rows alone.
  near <- replace(frame$Petal.Width, 60, 0)
  expect_null(told(compare(frame[1:4], near)))
  expect_null(told(compare(frame[1:4], frame$Species)))
  expect_null(told(cv_landmarks(Species ~ ., frame, n = 2, folds = 2, methods = "random", seeds = 1)))
  learn <- function(x, y, ...) landmarks(x, 2, by_response(y, iterations = 10), scale = FALSE, ...)
  expect_match(told(learn(frame, frame$Species)), "Column Species of `x`", fixed = TRUE)
  expect_match(told(learn(as.matrix(frame[1:4]), frame$Petal.Width)), "Column Petal.Width of", fixed = TRUE)
  holes <- replace(frame, cbind(3, 1), NA)
  expect_match(told(learn(holes, frame$Species, na.action = na.omit)), "Column Species of", fixed = TRUE)
  expect_null(told(learn(frame[1:4], frame$Species)))
})

test_that("the name of a column, a file or a table in a wrong place has a remedy", {
  expect_refused(
    cv_landmarks(iris[1:4], "Species", 3),
    landmarks("a.csv", 3),
    embed_landmarks(iris[1:4]),
    reconstruction_error(iris[1:4], iris[1:4])
  )
})

test_that("a response that does not vary among rows of weight above 0 is refused", {
  setosa <- iris$Species == "setosa"
  expect_refused(landmarks(iris[1:4], 4, by_response(setosa), weights = as.numeric(setosa)))
  number <- ifelse(setosa, 5, iris$Sepal.Length)
  expect_refused(landmarks(iris[1:4], 4, by_response(number), weights = as.numeric(setosa)))
})

test_that("tens of thousands of classes are an error of memory before anything is computed", {
  x <- matrix(stats::rnorm(40000), 20000)
  expect_error(
    landmarks(x, 5, by_response(as.character(1:20000))), "20000 classes in 20000 rows needs about 38.4 GB",
    class = "landmarker_error_memory"
  )
})
