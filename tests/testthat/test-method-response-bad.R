# Bad input to by_response() and by_class(), and input that is hard.

x <- cbind(a = c(0, 1, 2, 3, 4, 5), b = c(0, 2, 1, -1, 0.5, 3))
y <- factor(c("u", "v", "u", "v", "u", "v"))
learn <- function(...) suppressWarnings(landmarks(x, 2, by_response(...)))

test_that("options of by_response() are checked where they are given", {
  expect_refused(
    by_response(y, family = "gamma"),
    by_response(y, start = by_gp),
    by_response(y, iterations = 0),
    by_response(y, batch_size = 0),
    by_response(y, held_out = 0.6),
    by_response(y, penalty = -1),
    by_response(y, relevance = -1),
    by_response(y, relevance = c(TRUE, FALSE)),
    by_response(y, trend = 1),
    by_class(y),
    by_class(by_response(), y)
  )
})

test_that("a response must be there once, and fit the data", {
  data <- data.frame(x, y)
  setosa <- iris$Species == "setosa"
  expect_refused(
    learn(),
    learn(y[-1]),
    learn(replace(y, 2, NA)),
    learn(c(1, 2, Inf, 4, 5, 6)),
    learn(factor(rep("u", 6))),
    learn(rep(3, 6)),
    learn(list(1, 2, 3, 4, 5, 6)),
    learn(matrix(1, 6, 2)),
    learn(cbind(1:6, 3)),
    learn(-(1:6), family = "poisson"),
    learn(1:6 / 7, family = "multinomial"),
    learn(factor(c(1:3, 1:3)), family = "binomial"),
    learn(cbind(c(0, 1, 0, 1, 1, 1), 1), family = "multinomial"),
    landmarks(iris[1:4], 4, by_response(setosa), weights = as.numeric(setosa)),
    landmarks(y ~ a, data, 2, by_response(y)),
    landmarks(z ~ a, data, 2, by_response()),
    landmarks(y ~ a, data, 2),
    cv_landmarks(x, y, 2, list(r = by_response(y)), folds = 2, seeds = 1),
    refine_landmarks(landmarks(x, 2), x, y = y[-1]),
    refine_landmarks(landmarks(x, 2), x, 1.5, y = y),
    landmarks(x, 2, by_class()),
    landmarks(x, 2, by_class(y = 1:6 / 7)),
    landmarks(x, 1, by_class(y = y))
  )
})

test_that("predict() says where there is no response, or not the one that it needs", {
  number <- learn(1:6 / 7, iterations = 5)
  classes <- learn(y, iterations = 5)
  tags <- learn(cbind(c(0, 1, 0, 1, 1, 1), 0), iterations = 5)
  expect_refused(
    predict(landmarks(x, 2), x, "response"),
    predict(number, x, "class"),
    predict(number, x, "nearest", interval = "prediction"),
    predict(number, x, interval = "confidence"),
    predict(number, x, interval = "prediction", level = 90),
    predict(classes, x, "response", interval = "prediction"),
    predict(tags, x, "set"),
    predict(learn(y, iterations = 5, held_out = 0), x, "set"),
    predict(learn(1:6 / 7, iterations = 5, held_out = 0), x, interval = "prediction")
  )
})

test_that("the name of a column, a file or a table in a wrong place has a remedy", {
  expect_refused(
    cv_landmarks(iris[1:4], "Species", 3),
    landmarks("a.csv", 3),
    embed_landmarks(iris[1:4])
  )
})

test_that("tens of thousands of classes are an error of memory before anything is computed", {
  x <- matrix(stats::rnorm(40000), 20000)
  expect_error(
    landmarks(x, 5, by_response(as.character(1:20000))), "20000 classes in 20000 rows needs about 38.4 GB",
    class = "landmarker_error_memory"
  )
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
  learn <- function(x, y, ...) landmarks(x, 2, by_response(y, iterations = 10), scale = FALSE, ...)
  expect_snapshot(writeLines(told(compare(frame, frame$Species))))
  expect_match(told(compare(frame, as.character(frame$Species))), "Column Species of `x`", fixed = TRUE)
  unnamed <- unname(as.matrix(frame[1:4]))
  expect_match(told(compare(unnamed, frame$Petal.Width)), "Column 4 of `x`", fixed = TRUE)
  holes <- replace(frame, cbind(3, 1), NA)
  expect_match(told(learn(holes, frame$Species, na.action = na.omit)), "Column Species of", fixed = TRUE)
  # Numbers that agree in the first rows alone.
  expect_null(told(compare(frame[1:4], replace(frame$Petal.Width, 60, 0))))
  expect_null(told(learn(frame[1:4], frame$Species)))
})

test_that("few rows, few steps, a kernel of rank 1 and tiny weights are no errors", {
  finite <- function(fit) expect_true(all(is.finite(fit$response$coefficients)))
  one <- factor(c("u", "v", "v", "u", "w", "v"))
  expect_identical(levels(predict(learn(one, iterations = 20), x, "class")), levels(one))
  finite(suppressWarnings(landmarks(x, 6, by_response(y, iterations = 20))))
  for (k in c(1, 2, 21)) finite(landmarks(iris[1:4], 3, by_response(iris$Species, iterations = k)))
  finite(suppressWarnings(
    landmarks(iris[1:4], 3, by_response(iris$Sepal.Width, iterations = 60), bandwidth = 1e40)
  ))
  set.seed(1)
  z <- matrix(stats::rnorm(300), 100)
  finite(suppressWarnings(
    landmarks(z, 5, by_response(z[, 1] > 0, iterations = 50), weights = c(1, rep(1e-200, 99)))
  ))
  suppressWarnings(expect_warning(
    landmarks(x, 2, by_response(letters[1:6], iterations = 5)), "most classes have a single row"
  ))
})

test_that("responses of any size are predicted, and an outlier of any size leaves a fit whole", {
  learn <- function(y, family = NULL) {
    set.seed(1)
    # The response as it is, but for its last bits, is a column of the data too.
    suppressWarnings(landmarks(iris[1:4], 3, by_response(y, family, iterations = 30), bandwidth = 2))
  }
  y <- iris$Sepal.Width * (1 + 1e-15)
  p <- predict(learn(y), iris)
  for (times in c(1e-300, 1e-170, 1e160, 1e300)) {
    expect_equal(predict(learn(y * times), iris) / times, p, tolerance = 1e-4)
  }
  for (size in c(1e10, 1e155, 1e300)) for (family in c("gaussian", "huber")) {
    expect_true(all(is.finite(predict(learn(replace(y, 3, size), family), iris))))
  }
})
