# The columns of new data for a fit: by name, by number, or refused. As in test-data-matrix-bad.R.

skip_slow_file()

x <- cbind(a = c(0, 1, 2, 3, 4, 5), b = c(0, 2, 1, -1, 0.5, 3), c = c(1, 0, -2, 0, 1, 4))
set.seed(1)
fit <- landmarks(x, 2)

test_that("newdata must have the columns of the fit", {
  expect_refused(predict(fit, x[, 1:2]), "columns")
  expect_refused(predict(fit, unname(x[, 1:2])), "columns")
  expect_refused(predict(fit, unname(cbind(x, 1))), "columns")
  expect_refused(predict(fit, `colnames<-`(x, c("a", "b", "z"))), "columns")
  expect_refused(predict(fit, cbind(x, a = 1)), "columns")
  expect_refused(predict(fit, methods::as(x[, 2:3], "CsparseMatrix")), "columns")
  expect_refused(add_landmarks(fit, x[, 1:2], 1), "columns")
  expect_refused(refine_landmarks(fit, x[, 1:2]), "columns")
  expect_refused(nearest_observations(fit, x[, 1:2], 1), "columns")
  expect_refused(plot(fit, x[, 1:2]), "columns")
  wide <- matrix(0, 2, 9, dimnames = list(NULL, letters[1:9]))
  wide[1, ] <- 1
  expect_refused(predict(landmarks(wide, 1), wide[, 8:9]), "columns")
  # Names that cannot be told apart must be as they were.
  twice <- `colnames<-`(x, c("a", "a", "b"))
  on_twice <- landmarks(twice, 2)
  expect_identical(dim(predict(on_twice, twice)), c(6L, 2L))
  expect_refused(predict(on_twice, twice[, c(1, 3, 2)]), "columns")
})

test_that("columns are matched by name where both have names", {
  expect_identical(predict(fit, x[, 3:1]), predict(fit, x))
  expect_identical(predict(fit, cbind(z = 1, x[, c(2, 3, 1)])), predict(fit, x))
  expect_identical(
    predict(fit, methods::as(x[, 3:1], "CsparseMatrix")), predict(fit, methods::as(x, "CsparseMatrix"))
  )
  expect_identical(predict(fit, unname(x)), predict(fit, x))
  set.seed(1)
  expect_identical(predict(landmarks(unname(x), 2), x[, 3:1]), predict(fit, unname(x[, 3:1])))
})

test_that("a matrix of any class takes the place of a data frame, or is refused for its columns", {
  fit <- landmarks(iris[1:4], 2)
  rows <- as.matrix(iris[1:3, 1:4])
  for (class in c("mine", "table")) {
    classed <- structure(rows, class = class)
    expect_equal(predict(fit, classed), predict(fit, iris[1:3, ]), ignore_attr = TRUE)
    expect_equal(predict(fit, classed, na.action = na.exclude), predict(fit, classed), ignore_attr = TRUE)
    expect_error(predict(fit, unname(classed)), class = "landmarker_error_columns")
  }
})
