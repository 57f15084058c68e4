# The columns of new data for a fit: by name, by number, or refused; and columns of every class.

x <- cbind(a = c(0, 1, 2, 3, 4, 5), b = c(0, 2, 1, -1, 0.5, 3), c = c(1, 0, -2, 0, 1, 4))
fit <- withr::with_seed(1, landmarks(x, 2))
d <- withr::with_seed(1, data.frame(a = rnorm(30), b = rnorm(30)))

test_that("newdata must have the columns of the fit", {
  wide <- matrix(rep(0:1, 9), 2, 9, dimnames = list(NULL, letters[1:9]))
  expect_refused(
    predict(fit, x[, 1:2]),
    predict(fit, unname(x[, 1:2])),
    predict(fit, unname(cbind(x, 1))),
    predict(fit, `colnames<-`(x, c("a", "b", "z"))),
    predict(fit, cbind(x, a = 1)),
    predict(fit, methods::as(x[, 2:3], "CsparseMatrix")),
    predict(landmarks(wide, 1), wide[, 8:9]),
    add_landmarks(fit, x[, 1:2], 1),
    refine_landmarks(fit, x[, 1:2]),
    nearest_observations(fit, x[, 1:2], 1),
    plot(fit, x[, 1:2])
  )
  # Names that cannot be told apart must be as they were.
  twice <- `colnames<-`(x, c("a", "a", "b"))
  on_twice <- landmarks(twice, 2)
  expect_identical(dim(predict(on_twice, twice)), c(6L, 2L))
  expect_refused(predict(on_twice, twice[, c(1, 3, 2)]))
  # A name that may be meant.
  fit <- landmarks(iris[1:4], 3)
  names(iris)[2] <- "Sepal_Width"
  expect_error(predict(fit, iris), "Did you mean Sepal_Width", class = "landmarker_error_columns")
})

test_that("columns are matched by name where both have names", {
  as_sparse <- function(x) methods::as(x, "CsparseMatrix")
  expect_identical(predict(fit, cbind(z = 1, x[, c(2, 3, 1)])), predict(fit, x))
  expect_identical(predict(fit, as_sparse(x[, 3:1])), predict(fit, as_sparse(x)))
  expect_identical(predict(fit, unname(x)), predict(fit, x))
  of_unnamed <- withr::with_seed(1, landmarks(unname(x), 2))
  expect_identical(predict(of_unnamed, x[, 3:1]), predict(fit, unname(x[, 3:1])))
})

test_that("a matrix of any class takes the place of a data frame, or is refused for its columns", {
  fit <- landmarks(iris[1:4], 2)
  for (class in c("mine", "table")) {
    classed <- structure(as.matrix(iris[1:3, 1:4]), class = class)
    expect_equal(predict(fit, classed), predict(fit, iris[1:3, ]), ignore_attr = TRUE)
    expect_error(predict(fit, unname(classed)), class = "landmarker_error_columns")
  }
})

test_that("columns of classes that only label numbers or strings are columns of these", {
  v <- withr::with_seed(2, round(rnorm(30), 2))
  s <- rep(c("p", "q", "r"), 10)
  labelled <- function(v, type) {
    structure(v, labels = c(x = v[1]), class = c("haven_labelled", "vctrs_vctr", type))
  }
  columns <- function(column) frame_blueprint(~., `[[<-`(d, "v", value = column))$x
  plain <- cbind(d, v = v)
  on_matrix <- landmarks(as.matrix(plain), 4)
  for (other in list(ts(v), array(v, 30), labelled(v, "double"), structure(v, class = "units"), I(v))) {
    data <- `[[<-`(d, "v", value = other)
    expect_identical(columns(other), as.matrix(plain), ignore_attr = "dimnames")
    fit <- landmarks(data, 4)
    expect_identical(predict(fit, data), predict(fit, plain))
    expect_equal(predict(on_matrix, data), predict(on_matrix, as.matrix(plain)), ignore_attr = TRUE)
  }
  for (other in list(array(s, 30), labelled(s, "character"), factor(s), I(s))) {
    expect_identical(columns(other)[, 3:5], outer(s, c(vp = "p", vq = "q", vr = "r"), "==") + 0)
  }
})

test_that("a matrix of TRUE and FALSE is columns of 0 and 1", {
  d$m <- cbind(d$a > 0, d$a > 1)
  fit <- landmarks(d, 4)
  expect_identical(colnames(coef(fit)), c("a", "b", "m1", "m2"))
  expect_equal(unname(frame_blueprint(~., d)$x), unname(cbind(d$a, d$b, d$m)))
  expect_equal(predict(fit, d[3:1, ]), predict(fit, d)[3:1, ])
  d$m <- d$m[, 1, drop = FALSE]
  expect_error(predict(fit, d), "m must be 2 numeric columns", class = "landmarker_error_columns")
})

test_that("columns that cannot be used are refused with the function that converts them", {
  d$when <- as.POSIXlt("2024-01-01", tz = "UTC") + 86400 * 1:30
  d$when <- as.POSIXlt(d$when)
  expect_error(landmarks(d, 2), "as.POSIXct()", fixed = TRUE, class = "landmarker_error_data")
  whole <- structure(as.double(1:30), class = "integer64")
  d$when <- whole
  expect_error(landmarks(d, 2), "integer64", class = "landmarker_error_data")
  expect_error(landmarks(~a, d, 2, weights = whole), "as.numeric()", fixed = TRUE,
    class = "landmarker_error_weights"
  )
  d$m <- matrix(0, 30, 0)
  expect_error(landmarks(~ a + m, d, 2), "m is a double matrix, 30 x 0", class = "landmarker_error_data")
  expect_error(landmarks(~ pi * a, d, 2), "`pi` gives 1", class = "landmarker_error_data")
})

test_that("a column of dates is not one of numbers, and times are days too", {
  d <- data.frame(a = d$a, when = as.Date("2024-01-01") + 1:30)
  fit <- landmarks(d, 3, verbose = FALSE)
  expect_error(predict(fit, transform(d, a = when)), "a must be numeric", class = "landmarker_error_columns")
  expect_error(predict(fit, transform(d, when = a)), "when must be dates or times",
    class = "landmarker_error_columns"
  )
  expect_equal(predict(fit, transform(d, when = as.POSIXct(format(when), tz = "UTC"))), predict(fit, d))
})
