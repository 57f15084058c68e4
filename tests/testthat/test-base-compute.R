
test_that("long calls announce their time, comparisons once for all their fits", {
  withr::local_options(landmarker.announce = 0, landmarker.progress = NULL)
  expect_message(
    landmarks(mpg ~ wt, mtcars, 3, by_response(iterations = 20)), class = "landmarker_message_time"
  )
  compare <- function(...) {
    cv_landmarks(mpg ~ wt, mtcars, n = 3, methods = by_response(iterations = 20), folds = 2, ...)
  }
  said <- testthat::capture_messages(compare())
  expect_length(said, 1)
  expect_match(said, "will take about")
  expect_no_message(compare(verbose = FALSE))
})
