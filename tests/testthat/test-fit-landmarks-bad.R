# Arguments that R's own errors used to answer, or none: errors of this package, with a remedy.

x <- unname(as.matrix(iris[1:4]))
fit <- landmarks(x, 5)
grDevices::pdf(NULL)
withr::defer(grDevices::dev.off(), teardown_env())
frame <- data.frame(a = 1:5, b = c(2, 1, 4, 3, 5))

test_that("data frames that are put together wrongly are refused", {
  uneven <- structure(list(a = 1:3, b = 1:2), class = "data.frame", row.names = 1:3)
  expect_refused(landmarks(uneven, 2))
  for (f in list(
    function(x) landmarks(~ a + b, x, 2), function(x) cv_landmarks(x, 1:3, 1), hellinger,
    function(x) predict(landmarks(frame, 2), x), function(x) predict(landmarks(as.matrix(frame), 2), x),
    function(x) codebook(x, 2)
  )) expect_error(f(uneven), class = "landmarker_error_columns")
  for (names in list(c("a", NA), c("a", ""), NULL)) {
    expect_error(landmarks(`names<-`(frame, names), 2), class = "landmarker_error_columns")
  }
  expect_refused(landmarks(`names<-`(frame, c("a", "")), 2))
  twice <- cbind(frame, a = 1:5)
  expect_refused(predict(landmarks(frame, 2), twice))
  # Numbers in a matrix are columns; anything else in one is not.
  wide <- frame
  wide$m <- matrix(c(1, 3, 2, 5, 4, 1:5), 5)
  expect_identical(ncol(coef(landmarks(wide, 2, scale = TRUE))), 4L)
  wide$m <- matrix(letters[1:10], 5)
  expect_refused(landmarks(wide, 2))
  wide$m <- array(1, c(5, 2, 2))
  expect_error(landmarks(wide, 2), class = "landmarker_error_data")
  wide$m <- as.list(1:5)
  expect_error(landmarks(wide, 2), class = "landmarker_error_data")
  wide$m <- frame
  expect_error(landmarks(wide, 2), class = "landmarker_error_data")
})

test_that("generics that a fit or a graph has no answer for say what to use", {
  expect_refused(residuals(fit), augment(landmark_graph(fit), x))
  dense <- Matrix::Matrix(x, sparse = FALSE)
  expect_equal(augment(fit, dense), augment(fit, x), ignore_attr = TRUE)
})

test_that("a pipe is no idx file", {
  skip_on_os("windows")
  path <- withr::local_tempfile()
  skip_if(system2("mkfifo", path) != 0)
  expect_error(read_idx(path), class = "landmarker_error_idx")
})

test_that("a space whose numbers are fewer than its length is refused", {
  registerS3method("as.double", "few_numbers", function(x, ...) 1, asNamespace("base"))
  short <- function(t) structure(t, class = "few_numbers")
  expect_refused(landmarks(x, 3, "random", space = short))
  expect_error(landmarks(x, 3, space = short), class = "landmarker_error_space")
})
