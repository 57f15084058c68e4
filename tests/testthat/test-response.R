# What a response may be.

test_that("tags that are the same in all rows are told", {
  y <- cbind(a = rep(0:1, 10), b = 0, c = 1)
  expect_message(as_response(y, 20), "2 labels are the same", class = "landmarker_message_response")
  expect_no_message(as_response(y[, 1, drop = FALSE], 20))
})

test_that("numbers with further attributes are the same response as plain ones", {
  plain <- as_response(mtcars$mpg, 32)
  labelled <- structure(mtcars$mpg, labels = c(low = 10), class = c("haven_labelled", "vctrs_vctr", "double"))
  united <- structure(mtcars$mpg, units = "m", class = "units")
  seconds <- as.difftime(mtcars$mpg, units = "secs")
  for (y in list(ts(mtcars$mpg), array(mtcars$mpg, 32), labelled, united, seconds)) {
    expect_identical(as_response(y, 32), plain)
  }
  expect_refused(as_response(as.Date("2020-01-01") + 1:32, 32))
})

test_that("0 and 1 are numbers for families of numbers, and few values are said to be a regression", {
  learn <- function(...) landmarks(mtcars["wt"], 3, by_response(..., iterations = 5, held_out = 0))
  for (family in c("gaussian", "poisson", "huber")) {
    expect_identical(learn(mtcars$am, family)$response$type, "number")
    expect_identical(learn(cbind(mtcars$am, mtcars$vs), family)$response$type, "numbers")
  }
  rlang::local_options(rlib_message_verbosity = "verbose")
  expect_message(learn(mtcars$gear), "This is a regression")
  expect_message(learn(mtcars$gear, "gaussian"), NA)
})

test_that("terms of coefficients and columns of augment() are unique", {
  d <- data.frame(L1 = mtcars$wt, b = mtcars$hp)
  fit <- landmarks(d, 3, by_response(mtcars$mpg, iterations = 5, held_out = 0, trend = TRUE), scale = TRUE)
  expect_identical(tidy(fit, "coefficients")$term, c("(Intercept)", "L1", "L2", "L3", "trend(L1)", "b"))
  y <- factor(iris$Species, labels = c("class", "b", "c"))
  with <- augment(landmarks(iris[1:4], 3, by_response(y, iterations = 5, held_out = 0)), iris[1:4])
  expect_identical(anyDuplicated(names(with)), 0L)
})
