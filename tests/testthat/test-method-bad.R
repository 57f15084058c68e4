# Methods that are no method objects, and options of new_method().

test_that("messages name the option", {
  expect_snapshot(error = TRUE, new_method())
  expect_snapshot(error = TRUE, new_method(1))
  expect_snapshot(error = TRUE, new_method("mine", 1:3))
})

test_that("a method that is misspelled, or a response in its place, has a remedy", {
  x <- odd_matrix(20, 2)
  refused <- function(...) {
    e <- expect_error(landmarks(...), class = "landmarker_error")
    cli::ansi_strip(conditionMessage(e))
  }
  expect_match(refused(x, 3, "kmean"), "Did you mean \"kmeans\"", fixed = TRUE)
  expect_match(refused(x, 3, factor(rep(1:2, length.out = nrow(x)))), "by_response(y)", fixed = TRUE)
  expect_match(refused(x, 3, y = 1:3), "method = by_response(y)", fixed = TRUE)
  # No distance between strings of no encoding.
  expect_no_match(refused(x, 3, `Encoding<-`("\xff\xfe", "bytes")), "Did you mean")
})
