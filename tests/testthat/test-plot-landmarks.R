# Pictures of fits: they are drawn without a warning.

skip_slow_file()

fits <- picture_fits()

test_that("landmarks are drawn for 1, 2, 3, 4 and 784 columns, dense and sparse", {
  for (case in fits) {
    n <- nrow(case$x)
    expect_identical(expect_drawn(plot(case$fit, case$x)), case$fit)
    expect_drawn(plot(case$fit, case$sparse))
    expect_drawn(plot(case$fit, case$x, color = rep_len(c("u", "v", "w"), n)))
    expect_drawn(
      plot(case$fit, case$sparse, color = factor(rep_len(1:12, n)), labels = FALSE, max_points = 20)
    )
    expect_drawn(plot(case$fit))
    expect_drawn(plot(case$fit, type = "variance"))
  }
})

test_that("odd fits are drawn too", {
  set.seed(1)
  x <- fits[[2]]$x
  expect_drawn(plot(landmarks(x, 1)))
  expect_drawn(plot(landmarks(x, 1), x))
  expect_drawn(plot(landmarks(x[1, , drop = FALSE], 1, bandwidth = 1), x[1, , drop = FALSE]))
  # Some landmarks, or all, without any variance.
  expect_drawn(plot(as_landmarks(x[c(1, 1, 2), ], x)))
  expect_warning(far <- as_landmarks(x[1:3, ] + 1e4, x), class = "landmarker_warning_off_data")
  expect_drawn(plot(far))
  constant <- cbind(1, x, 2)
  expect_drawn(plot(landmarks(constant, 2), constant))
  frame <- data.frame(a = x[, 1], f = rep_len(c("u", "v"), 50))
  expect_drawn(plot(landmarks(frame, 3), frame, color = frame$f))
  flat <- cbind(rep(1:10, 5), 0, 0)
  expect_drawn(plot(landmarks(flat, 3), flat))
})
