# Arguments that are not there, are called otherwise here, or are no digits.

x <- unname(as.matrix(iris[1:4]))
fit <- landmarks(x, 5)
grDevices::pdf(NULL)
withr::defer(grDevices::dev.off(), teardown_env())

test_that("arguments of the same meaning elsewhere are told what they are here", {
  expect_refused(
    landmarks(x, k = 5),
    landmarks(x, 5, na.rm = TRUE),
    landmarks(x, 5, subset = 1:10),
    landmarks(x, 5, weights = "w"),
    plot(fit, x, color = "Species"),
    landmarks(~ Sepal.Length | Species, iris, 5)
  )
})

test_that("options of printing and drawing are checked", {
  cv <- cv_landmarks(x, iris$Species, 3, list(by_random()), folds = 2)
  for (digits in list(NA, "a", -1, c(1, 2), 1e9, NULL)) {
    expect_error(print(cv, digits = digits), class = "landmarker_error_input")
  }
  expect_refused(print(cv, digits = NA))
  expect_output(print(cv, digits = 2), "best")
  for (col in list(-1, list(1), "nocolor", 1e10)) {
    expect_error(plot_images(fit, dim = c(2, 2), col = col), class = "landmarker_error_input")
  }
})
