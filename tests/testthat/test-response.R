# What a response may be.

test_that("tags that are the same in all rows are told", {
  y <- cbind(a = rep(0:1, 10), b = 0, c = 1)
  expect_message(as_response(y, 20), "2 tags are the same in all rows", class = "landmarker_message_response")
  expect_no_message(as_response(y[, 1, drop = FALSE], 20))
})
