# What pictures share: titles that fit, and the theme of ggplot2.

test_that("titles are not clipped", {
  grDevices::pdf(NULL, 400 / 72, 400 / 72)
  withr::defer(grDevices::dev.off())
  graphics::plot.new()
  room <- grDevices::dev.size()[1]
  for (n in c(1, 10, 30, 60, 200)) {
    title <- fitted_title(strtrim(paste(rep("landmarks", 30), collapse = " "), n))
    expect_lt(max(graphics::strwidth(title$main, "inches", cex = title$size, font = 2)), room)
    expect_gt(title$size, 0.7)
  }
  expect_null(fitted_title(NULL)$main)
})

test_that("theme_landmarks() checks its argument", {
  skip_if_not_installed("ggplot2", "3.4.0")
  expect_s3_class(theme_landmarks(8), "theme")
  expect_refused(theme_landmarks(0))
  expect_refused(theme_landmarks("big"))
})
