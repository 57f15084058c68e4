# Pictures of panels.

two_panels <- function(...) {
  marks <- data.frame(
    panel = c(1L, 1L, 2L, 2L), style = c(1L, 2L, 1L, 2L), x = c(1, 2, 1, 2), y = c(1e-3, 0.1, 5, 60)
  )
  panels <- list(
    list(name = "small", x = c(1, 2), y = c(1e-3, 0.1), log = TRUE),
    list(name = "large", x = c(1, 2), y = c(0, 100), log = FALSE)
  )
  styles <- mark_styles(okabe_ito[1:2], label = c("one", "two"))
  panels_picture(panels, "A title", list("across", "up"), styles,
    paths = marks, points = cbind(marks, size = 1), key = "kind", ...
  )
}

test_that("each mark is drawn", {
  picture <- ggplot_panels(two_panels(note = "a note"))
  built <- ggplot2::ggplot_build(picture)
  expect_identical(picture$labels$subtitle, "a note")
  points <- built$data[[3]]
  # Facets share a scale: the first panel's numbers are logarithms.
  expect_equal(points$y, c(-3, -1, 5, 60))
  expect_identical(points$colour, okabe_ito[c(1, 2, 1, 2)])
})

test_that("numbers on a shared axis are told by the ranges of the panels", {
  ranges <- list(c(-4.2, 0.1), c(0, 100))
  log <- c(TRUE, FALSE)
  expect_true(is_of_log(c(-4, 0), ranges, log))
  expect_true(is_of_log(c(NA, -4, -2, 0), ranges, log))
  expect_false(is_of_log(c(0, 50, 100), ranges, log))
  expect_false(is_of_log(c(-5, 105), ranges, log))
  at <- log_places(c(-4.2, 0.1), TRUE)
  expect_equal(as.numeric(log_labels(at, TRUE)), 10^at)
  expect_identical(log_labels(c(NA, 50), FALSE), c("", "50"))
})

test_that("places of whole numbers are whole", {
  expect_identical(whole_places(c(1, 2)), c(1, 2))
  expect_true(all(whole_places(c(0.6, 12.4)) %% 1 == 0))
})
