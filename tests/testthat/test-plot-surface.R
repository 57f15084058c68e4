# The picture of variance or mean over the plane of two columns.

x <- withr::with_seed(1, sim_spiral(200))
fit <- withr::with_seed(1, landmarks(x, 8, bandwidth = 0.3))

drawn <- function(fit, data, values = NULL) {
  picture_of_points(fit, data, "surface", NULL, NULL, NULL, NULL, NULL, values)
}

test_that("the surface has the variance or the mean at the middle of each cell", {
  picture <- drawn(fit, x)
  surface <- picture$layers[[1]]
  cells <- shown_cells(surface, TRUE)
  expect_identical(cells$range, c(0, 1))
  # From the top left, down the columns.
  wide <- diff(cells$box[1:2]) / cells$columns
  high <- diff(cells$box[3:4]) / cells$rows
  k <- c(1, 2, cells$rows + 1)
  at <- cbind(cells$box[1] + c(0.5, 0.5, 1.5) * wide, cells$box[4] - c(0.5, 1.5, 0.5) * high)
  expect_equal(cells$values[k], predict(fit, at, "variance"))
  expect_length(cells$values, cells$rows * cells$columns)
  # All data are inside, with a margin.
  expect_true(all(picture$box[c(1, 3)] < apply(x, 2, min) & picture$box[c(2, 4)] > apply(x, 2, max)))
  mean <- drawn(fit, x, sin(1:8))
  expect_equal(mean$layers[[1]]$of(at), predict(fit, at, values = sin(1:8)))
  expect_identical(mean$scale$title, "mean")
  expect_identical(mean$title, "Mean given values at 8 landmarks")
  # 0, what the mean is far away, is on the scale of positive values.
  expect_lte(drawn(fit, x, 11:18)$scale$color$range[1], 0)
})

test_that("the legend of a surface has the title that is given", {
  title <- function(...) {
    built <- ggplot2::ggplot_build(ggplot2::autoplot(fit, x, type = "surface", ...))
    built$plot$scales$get_scales("fill")$name
  }
  expect_identical(title(), "variance")
  expect_identical(title(values = 1:8, legend = "Ozone"), "Ozone")
  expect_null(title(legend = ""))
})

test_that("it is in the units of the data, of scaled columns, data frames and ranks", {
  for (scale in list(TRUE, "ranks")) {
    fit <- withr::with_seed(1, landmarks(~ eruptions + waiting, faithful, 5, scale = scale))
    of <- drawn(fit, faithful)$layers[[1]]$of
    at <- cbind(c(2, 4), c(60, 80))
    new <- stats::setNames(as.data.frame(at), names(faithful))
    expect_equal(of(at), unname(predict(fit, new, "variance")))
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
  expect_refused(on_device(plot(landmarks(iris[1:4], 3), type = "surface")), "columns")
  expect_refused(on_device(plot(landmarks(iris[1:4], 3), values = 1:3)), "columns")
  expect_refused(on_device(plot(fit, x, type = "surface", color = 1:200)))
  expect_refused(on_device(plot(fit, x, type = "surface", values = 1:3)))
  expect_refused(on_device(plot(fit, x, values = cbind(1:8, 8:1))))
  expect_refused(on_device(plot(fit, x, type = "variance", values = 1:8)))
})
