# Pictures of fits: landmarks among their data, and the surface of variance or mean.

skip_slow_file()

fits <- picture_fits()

test_that("landmarks are drawn for 1, 2, 3, 4 and 784 columns, dense and sparse", {
  for (case in fits) {
    expect_identical(expect_drawn(plot(case$fit, case$x)), case$fit)
  }
  for (case in fits[c(1, 4)]) {
    expect_drawn(plot(case$fit))
    color <- factor(rep_len(1:12, nrow(case$x)))
    expect_drawn(plot(case$fit, case$sparse, color = color, labels = FALSE, max_points = 20))
  }
})

test_that("odd fits are drawn too", {
  set.seed(1)
  x <- fits[[2]]$x
  for (rows in list(x, x[1, , drop = FALSE], cbind(1, x, 2), cbind(rep(1:10, 5), 0, 0))) {
    expect_drawn(plot(landmarks(rows, 1, bandwidth = 1), rows))
  }
  expect_drawn(plot(as_landmarks(x[c(1, 1, 2), ], x)))
  expect_drawn(plot(quiet(as_landmarks(x[1:3, ] + 1e4, x))))
  frame <- data.frame(a = x[, 1], f = rep_len(c("u", "v"), 50))
  expect_drawn(plot(landmarks(frame, 3), frame, color = frame$f))
})

test_that("colors are of all rows of the data, or of those that are drawn", {
  fit <- landmarks(~ Solar.R + Temp, airquality, 4, na.action = stats::na.omit, scale = TRUE)
  whole <- !is.na(airquality$Solar.R)
  colors <- function(color) shown_data(fit, airquality, color, "landmarks", NULL)$color
  expect_identical(colors(airquality$Day), airquality$Day[whole])
  expect_identical(colors(airquality$Day[whole]), airquality$Day[whole])
})

x <- withr::with_seed(1, sim_spiral(200))
fit <- withr::with_seed(1, landmarks(x, 8, bandwidth = 0.3))

tiles_of <- function(...) ggplot2::autoplot(...)$layers[[1]]$data

test_that("the surface has the variance or the mean at the middle of each cell", {
  tiles <- tiles_of(fit, x, type = "surface")
  expect_equal(tiles$value, predict(fit, cbind(x = tiles$a, y = tiles$b), "variance"))
  # All data are inside, with a margin.
  expect_true(all(apply(tiles[1:2], 2, min) < apply(x, 2, min)))
  expect_true(all(apply(tiles[1:2], 2, max) > apply(x, 2, max)))
  surface <- ggplot2::autoplot(fit, x, type = "surface")
  mean <- ggplot2::autoplot(fit, x, values = 11:18)
  range_of <- function(picture) ggplot2::ggplot_build(picture)$plot$scales$get_scales("colour")$range$range
  expect_identical(range_of(surface), c(0, 1))
  # 0, what the mean is far away, is on the scale of positive values.
  expect_lte(range_of(mean)[1], 0)
  expect_identical(c(surface$labels$colour, mean$labels$colour), c("variance", "mean"))
  expect_identical(mean$labels$title, "Posterior mean given values at 8 landmarks")
  # Values up to its ends.
  values <- cos(5 * 1:8)
  tiles <- tiles_of(fit, x, values = values)
  expect_equal(tiles$value, predict(fit, cbind(x = tiles$a, y = tiles$b), values = values), tolerance = 1e-12)
  expect_drawn(plot(fit, x, values = 1:8))
  # A single column of equal values has some height.
  flat <- landmarks(cbind(a = 1:20, b = 1), 3)
  expect_drawn(plot(flat, cbind(a = 1:20, b = 1), type = "surface"))
})

test_that("it is in the units of the data, of scaled columns, data frames and ranks", {
  for (scale in list(TRUE, "ranks")) {
    fit <- withr::with_seed(1, landmarks(~ eruptions + waiting, faithful, 5, scale = scale))
    tiles <- tiles_of(fit, faithful, type = "surface")
    new <- data.frame(eruptions = tiles$a, waiting = tiles$b)
    expect_equal(tiles$value, unname(predict(fit, new, "variance")))
  }
})

test_that("arguments are checked", {
  expect_refused(
    plot(fit, color = 1:8), plot(fit, x, color = 1:3), plot(fit, x, color = list(1)),
    plot(fit, x, max_points = 0), plot(fit, x, labels = NA), plot(fit, x, groups = 1:200),
    plot(fit, x, main = "Two columns"), plot(fit, "a"), plot(fit, x, type = "scree"),
    plot(fit, type = "words", k = 0), plot(fit, type = "words", which = c(1, 1)),
    plot(fit, type = "words", by = "name"), plot(fit, type = "words", words = 3), plot(fit, type = "images"),
    plot(fit, type = "images", dim = c(2, 2)), plot(landmarks(iris[1:4], 3), type = "surface"),
    plot(landmarks(iris[1:4], 3), values = 1:3), plot(fit, x, type = "surface", color = 1:200),
    plot(fit, x, type = "surface", values = 1:3), plot(fit, x, values = cbind(1:8, 8:1)),
    plot(fit, x, type = "variance", values = 1:8)
  )
})

test_that("a color that is the bare name of a column is refused with the remedy", {
  fit <- landmarks(iris[1:4], 3)
  draws <- list(
    function() plot(fit, iris[1:4], color = Species), function() plot(fit, iris[1:4], color = stop("no"))
  )
  for (draw in draws) {
    e <- expect_error(draw(), "color = iris$Species", fixed = TRUE, class = "landmarker_error_input")
    expect_identical(e$arg, "color")
  }
})
