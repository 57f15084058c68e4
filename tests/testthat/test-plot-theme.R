# The theme of pictures.

test_that("theme_landmarks() checks its argument", {
  expect_s3_class(theme_landmarks(8), "theme")
  expect_refused(theme_landmarks(0), theme_landmarks("big"))
})
