# What `color` means in every picture.

kind_of <- function(color) check_color(color, length(color), "point", NULL)$kind

test_that("groups are factors, strings, logicals, and whole numbers of at most twelve values", {
  some <- list(factor(c("b", "a")), c("b", "a"), c(TRUE, NA), 1:12, c(4, 6, 8, NA), rep(NA, 3), NA_real_)
  for (groups in some) {
    color <- check_color(groups, length(groups), "point", NULL)
    expect_identical(color$kind, "groups")
    expect_identical(color$values, as.factor(groups))
  }
  # In the order of the numbers, not of their digits.
  expect_identical(levels(check_color(c(10, 2), 2, "point", NULL)$values), c("2", "10"))
})

test_that("other numbers, dates and times have a scale", {
  for (numbers in list(1:13, c(0.5, 1), Sys.Date() + 0:1, as.POSIXct("2024-03-01") + 0:1)) {
    expect_identical(kind_of(numbers), "numbers")
  }
  expect_null(check_color(NULL, 3, "point", NULL)$values)
  expect_identical(kind_of(NULL), "none")
})

test_that("the key of dates shows dates", {
  days <- as.Date("2024-01-01") + c(0, 90, 200)
  color <- check_color(days, 3, "point", NULL)
  expect_identical(color$range, as.double(range(days)))
  at <- scale_ticks(color$range, color$shown)
  expect_gte(length(at), 3)
  expect_true(all(format(color$shown(at), "%d") %in% c("01", "15")))
  hours <- as.POSIXct("2024-01-01", tz = "UTC") + 3600 * 0:12
  color <- check_color(hours, 13, "point", NULL)
  expect_match(format(color$shown(scale_ticks(color$range, color$shown))), ":00")
  fit <- withr::with_seed(1, landmarks(iris[1:4], 3))
  for (color in list(iris$Petal.Length, as.Date("2024-01-01") + 1:150, as.POSIXct("2024-01-01") + 1:150)) {
    expect_silent(on_device(plot(fit, iris[1:4], color = color)))
  }
})

test_that("ordered groups go from dark to light, with one shape", {
  sizes <- factor(c("S", "M", "L"), c("S", "M", "L"), ordered = TRUE)
  light <- colSums(c(0.299, 0.587, 0.114) * grDevices::col2rgb(group_colors(sizes)))
  expect_true(all(diff(light) > 20))
  expect_identical(group_shapes(sizes), rep(16, 3))
  expect_identical(group_shades(sizes), group_colors(sizes))
  expect_identical(group_colors(factor(sizes, ordered = FALSE)), okabe_ito[1:3])
})

test_that("pictures of a fit and of its embedding agree", {
  fit <- withr::with_seed(1, landmarks(iris[1:4], 8))
  given <- list(cyl = rep(c(4, 6, 8), 50), length = iris$Petal.Length)
  for (color in given) {
    shown <- shown_data(fit, iris[1:4], color, "landmarks", NULL)$color
    expect_identical(shown$kind, check_color(color, 150, "point", NULL)$kind)
  }
})

test_that("levels without rows are no groups, and ticks differ", {
  color <- factor(iris$Species, c(letters, levels(iris$Species)))
  expect_identical(levels(check_color(color, 150, "row", NULL)$values), levels(iris$Species))
  expect_identical(tick_labels(c(0, 0.1, 0.3)), c("0.0", "0.1", "0.3"))
  expect_false(anyDuplicated(tick_labels(1e6 + c(0, 5e-4, 1e-3))) > 0)
  second <- as.POSIXct("2024-01-01 10:00:00", tz = "UTC")
  times <- check_color(second + seq(0, 1, length.out = 50), 50, "row", NULL)
  expect_equal(diff(times$range), 1)
  at <- scale_ticks(times$range, times$shown)
  expect_false(anyDuplicated(tick_labels(at, times$shown)) > 0)
})

test_that("times of other classes are told what to be", {
  when <- as.POSIXct("2024-01-01", tz = "UTC") + 1:5
  expect_refused(check_color(as.POSIXlt(when), 5, "row", NULL))
  expect_refused(check_color(when - when[1], 5, "row", NULL))
})
