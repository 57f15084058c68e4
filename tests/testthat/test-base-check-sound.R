# What is refused of objects whose parts do not fit each other, of a selector's results, and of digits.

x <- cbind(a = c(0, 1, 2, 3, 4, 5, 6, 7), b = c(0, 2, 1, -1, 0.5, 3, 2, 2))
fit <- landmarks(x, 3)

test_that("data frames and factors must be whole", {
  frame <- as.data.frame(x)
  uneven <- structure(list(a = 1:8, b = 1:3), row.names = 1:8, class = "data.frame")
  unnamed <- structure(list(1:8), row.names = 1:8, class = "data.frame")
  codes <- structure(rep(c(1L, 9L), 4), levels = c("u", "v"), class = "factor")
  bare <- structure(1:8, class = "factor")
  frame$f <- 1:8
  frame[["f"]] <- codes
  expect_refused(
    landmarks(uneven, 2),
    landmarks(unnamed, 2),
    landmarks(frame, 2),
    predict(fit, uneven),
    cv_landmarks(x, codes),
    landmarks(x, 2, by_response(bare))
  )
})

test_that("strings must have an encoding that R knows", {
  skip_if_not(l10n_info()[["UTF-8"]])
  words <- rep(c("caf\xe9 {x}", "tea"), 4)
  expect_refused(
    landmarks(data.frame(a = 1:8, b = words), 2),
    cv_landmarks(x, factor(words))
  )
  latin <- `Encoding<-`(words, "latin1")
  expect_s3_class(suppressWarnings(landmarks(data.frame(a = 1:8, b = latin), 2)), "landmarks")
})

test_that("a sparse y with wrong indices is refused before it is read", {
  y <- Matrix::sparseMatrix(i = c(1, 3, 5, 8), j = c(1, 2, 1, 2), x = 1, dims = c(8, 2))
  cv <- suppressWarnings(cv_landmarks(x, y, n = 2, folds = 2, methods = "random", seeds = 1))
  expect_s3_class(cv, "cv_landmarks")
  y@i[2] <- 2000000000L
  # The second line has the words of Matrix, which change from version to version.
  rule <- "^`y` must be a valid object of its class, <dgCMatrix>.\\nx `validObject\\(\\)` reports: ."
  expect_match(refusal(cv_landmarks(x, y, n = 2)), rule)
  y@i[2] <- -5L
  expect_error(cv_landmarks(x, y, n = 2), rule, class = "landmarker_error_data")
})

test_that("selection(), rows_as_points() and new_method() say what is wrong", {
  expect_refused(
    selection(),
    selection(1:3),
    selection(x[1:3, ], iterations = 1:2),
    selection(x[1:3, ], rows = c(1, 2, 0)),
    selection(x[1:3, ], exact = NA),
    selection(x[1:3, ], used = list(1)),
    rows_as_points(x, 1:2),
    new_method("mine", list(1))
  )
})

test_that("what a selector returns is checked", {
  registerS3method("select_landmarks", "by_test_result", function(method, source, n, kernel, held, call) {
    method$give(source, n)
  })
  registerS3method("format", "by_test_result", function(x, ...) "mine")
  giving <- function(give) landmarks(x, 3, new_method("by_test_result", list(give = give)))
  expect_s3_class(giving(function(source, n) selection(rows_as_points(source, 1:3), rows = 1:3)), "landmarks")
  expect_snapshot({
    writeLines(refusal(giving(function(source, n) x[1:3, ])))
    writeLines(refusal(giving(function(source, n) selection(cbind(x[1:3, ], 1)))))
    writeLines(refusal(giving(function(source, n) selection(x[1:3, ] / 0))))
    writeLines(refusal(giving(function(source, n) selection(x[1:3, ], rows = 7:9))))
    writeLines(refusal(giving(function(source, n) selection(rows_as_points(source, 7:9)))))
  })
})

test_that("digits must be a number of digits, and colors be colors", {
  cv <- suppressWarnings(cv_landmarks(x, x[, 1], n = 2, folds = 2, methods = "random", seeds = 1))
  for (bad in list(0, 1.5, NA, "a", NULL, 1:2, 1e10)) {
    expect_error(print(cv, digits = bad), "`digits` must be one whole", class = "landmarker_error")
  }
  for (object in list(summary(cv), summary(fit))) {
    expect_error(print(object, digits = NA), "`digits` must be one whole", class = "landmarker_error")
  }
  expect_output(print(cv, digits = 2), "best")
  for (col in list(-1, list(1), "nocolor", 1e10)) {
    expect_error(plot_images(fit, dim = c(2, 1), col = col), class = "landmarker_error_input")
  }
})
