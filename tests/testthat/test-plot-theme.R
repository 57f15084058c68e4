# Colors, legends and the theme of pictures.

test_that("groups are factors, strings, logicals, and whole numbers of at most twelve values", {
  some <- list(factor(c("b", "a")), c("b", "a"), c(TRUE, NA), 1:12, c(4, 6, 8, NA), rep(NA, 3), NA_real_)
  for (v in some) expect_identical(check_color(v, length(v), "point", NULL), as.factor(v))
  # In the order of the numbers, not of their digits.
  expect_identical(levels(check_color(c(10, 2), 2, "point", NULL)), c("2", "10"))
  # Levels without rows are no groups.
  expect_identical(levels(check_color(factor("b", letters), 1, "row", NULL)), "b")
  # Other numbers, dates and times have a scale.
  for (numbers in list(1:13, c(0.5, 1), Sys.Date() + 0:1, as.POSIXct("2024-03-01") + 0:1)) {
    expect_identical(check_color(numbers, length(numbers), "point", NULL), numbers)
  }
  when <- as.POSIXct("2024-01-01", tz = "UTC") + 1:5
  refused <- function(color) check_color(color, 5, "row{?s}", NULL)
  expect_refused(refused(as.POSIXlt(when)), refused(when - when[1]))
})

test_that("the key of dates shows dates", {
  days <- as.Date("2024-01-01") + c(0, 90, 200)
  scale <- color_scale(days)
  scale$train(scale$trans$transform(days))
  expect_true(all(scale$get_labels() %in% c(NA, format(as.Date(paste0("2024-", 1:12, "-01")), "%b"))))
  expect_identical(toupper(scale$map(as.double(days))[c(1, 3)]), c("#440154", "#FDE725"))
  fit <- landmarks(iris[1:4], 3)
  for (color in list(iris$Petal.Length, days[1] + 1:150, as.POSIXct("2024-01-01") + 1:150, rep(NA, 150))) {
    expect_drawn(plot(fit, iris[1:4], color = color))
  }
})

colored <- function(color) ggplot2::autoplot(landmarks(iris[1:4], 3), iris[1:4], color = color)
colors_of <- function(color) toupper(ggplot2::layer_data(colored(color), 1)$colour)

test_that("ordered groups go from dark to light", {
  sizes <- factor(rep(c("S", "M", "L"), 50), c("S", "M", "L"), ordered = TRUE)
  light <- colSums(c(0.299, 0.587, 0.114) * grDevices::col2rgb(colors_of(sizes)[1:3]))
  expect_true(all(diff(light) > 20))
  expect_identical(colors_of(factor(sizes, ordered = FALSE))[1:3], okabe_ito[1:3])
})

test_that("each group has a color of its own, and a place in the legend", {
  for (k in c(7, 10, 21, 40)) {
    expect_identical(anyDuplicated(group_colors(k)), 0L)
    expect_length(unique(colors_of(factor(rep_len(1:k, 150)))), k)
  }
  color <- factor(c(rep_len(letters[1:10], 148), NA, NA))
  expect_identical(colors_of(color)[c(1, 8, 149)], c(group_colors(10)[c(1, 8)], "GRAY70"))
  scale <- ggplot2::ggplot_build(colored(color))$plot$scales$get_scales("colour")
  expect_identical(scale$get_labels(), c(letters[1:10], NA))
})

test_that("legends have the name of what was given", {
  names <- list(
    species = quote(species), Species = quote(iris$Species), Species = quote(iris[["Species"]]),
    length = quote(attr(x, "position")[, "length"]), Species = quote(factor(iris$Species[rows])),
    `x > 3` = quote(x > 3), value = c(1, 2),
    value = quote(paste("a very long expression", of, several, names))
  )
  expect_identical(vapply(unname(names), color_name, ""), names(names))
  picture <- ggplot2::autoplot(landmarks(iris[1:4], 3), iris[1:4], color = iris$Species)
  expect_identical(picture$labels$colour, "Species")
  # The title is changed as in any picture.
  picture <- ggplot2::ggplot_build(picture + ggplot2::labs(color = "kind"))$plot
  expect_identical(picture$scales$get_scales("colour")$make_title(picture$labels$colour), "kind")
})

test_that("theme_landmarks() checks its argument", {
  expect_s3_class(theme_landmarks(8), "theme")
  expect_refused(theme_landmarks(0), theme_landmarks("big"))
})
