# The picture of variance or mean over the plane of two columns.

x <- withr::with_seed(1, sim_spiral(200))
fit <- withr::with_seed(1, landmarks(x, 8, bandwidth = 0.3))

tiles_of <- function(...) ggplot2::autoplot(...)$layers[[1]]$data

test_that("the surface has the variance or the mean at the middle of each cell", {
  tiles <- tiles_of(fit, x, type = "surface")
  expect_equal(tiles$value, predict(fit, cbind(x = tiles$a, y = tiles$b), "variance"))
  # All data are inside, with a margin.
  expect_true(all(apply(tiles[1:2], 2, min) < apply(x, 2, min)))
  expect_true(all(apply(tiles[1:2], 2, max) > apply(x, 2, max)))
  range_of <- function(...) {
    ggplot2::ggplot_build(ggplot2::autoplot(fit, x, ...))$plot$scales$get_scales("colour")$range$range
  }
  expect_identical(range_of(type = "surface"), c(0, 1))
  # 0, what the mean is far away, is on the scale of positive values.
  expect_lte(range_of(values = 11:18)[1], 0)
  mean <- ggplot2::autoplot(fit, x, values = sin(1:8))
  expect_identical(mean$labels$colour, "mean")
  expect_identical(mean$labels$title, "Mean given values at 8 landmarks")
  expect_identical(ggplot2::autoplot(fit, x, type = "surface")$labels$colour, "variance")
})

test_that("it is in the units of the data, of scaled columns, data frames and ranks", {
  for (scale in list(TRUE, "ranks")) {
    fit <- withr::with_seed(1, landmarks(~ eruptions + waiting, faithful, 5, scale = scale))
    tiles <- tiles_of(fit, faithful, type = "surface")
    new <- stats::setNames(tiles[1:2], names(faithful))
    expect_equal(tiles$value, unname(predict(fit, new, "variance")))
  }
})

test_that("it is drawn, with values up to its ends", {
  expect_silent(on_device(plot(fit, x, type = "surface")))
  expect_silent(on_device(plot(fit, x, values = 1:8)))
  # The scale reaches to the ends of what is drawn.
  values <- cos(5 * 1:8)
  tiles <- ggplot2::autoplot(fit, x, values = values)$layers[[1]]$data
  at <- cbind(x = tiles$a, y = tiles$b)
  expect_equal(tiles$value, predict(fit, at, values = values), tolerance = 1e-12)
  many <- withr::with_seed(1, landmarks(x, 120, "random", bandwidth = 0.05))
  expect_silent(on_device(print(ggplot2::autoplot(many, x, type = "surface"))))
  # A single column of equal values has some height.
  flat <- landmarks(cbind(a = 1:20, b = 1), 3)
  expect_silent(on_device(plot(flat, cbind(a = 1:20, b = 1), type = "surface")))
})

test_that("what is no surface is refused", {
  expect_refused(
    on_device(plot(landmarks(iris[1:4], 3), type = "surface")),
    on_device(plot(landmarks(iris[1:4], 3), values = 1:3)),
    on_device(plot(fit, x, type = "surface", color = 1:200)),
    on_device(plot(fit, x, type = "surface", values = 1:3)),
    on_device(plot(fit, x, values = cbind(1:8, 8:1))),
    on_device(plot(fit, x, type = "variance", values = 1:8))
  )
})
