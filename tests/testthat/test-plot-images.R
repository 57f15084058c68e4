# Landmarks as images: their pixels, order and colors.

skip_slow_file()

# The rasters of a picture, with where they are drawn.
rasters_of <- function(picture) {
  params <- Filter(function(p) !is.null(p$raster), lapply(picture$layers, function(layer) layer$geom_params))
  lapply(params, function(p) list(image = as.matrix(p$raster), box = c(p$xmin, p$ymin, p$xmax, p$ymax)))
}
boxes_of <- function(rasters) t(vapply(rasters, function(one) one$box, numeric(4)))

test_that("pixels are where they belong", {
  # Two rows of three pixels: black top left, white bottom right.
  image <- rbind(c(1, 0.5, 0), c(0.5, 0, 0))
  expected <- rbind(c("#000000", "#7F7F7F", "#FFFFFF"), c("#7F7F7F", "#FFFFFF", "#FFFFFF"))
  gray <- grDevices::gray(c(1, 127 / 255, 0))
  drawn <- rasters_of(plot_images(rbind(as.vector(t(image))), c(2, 3), col = gray))
  expect_identical(drawn[[1]]$image, expected)
  by_column <- rasters_of(plot_images(rbind(as.vector(image)), c(2, 3), byrow = FALSE, col = gray))
  expect_identical(by_column[[1]]$image, expected)
  # Drawn upright: left to right, bottom to top, in the image's own proportions.
  box <- drawn[[1]]$box
  expect_gt(box[3], box[1])
  expect_equal((box[4] - box[2]) / (box[3] - box[1]), 2 / 3)
})

test_that("images come in order, row by row", {
  images <- diag(6)[, 1:4]
  drawn <- rasters_of(plot_images(images, c(2, 2), columns = 3, labels = TRUE))
  boxes <- boxes_of(drawn)
  expect_equal(order(-round(boxes[, 2], 6), boxes[, 1]), 1:6)
  expect_equal(boxes[1:3, 2], rep(boxes[1, 2], 3))
  expect_lt(boxes[4, 4], boxes[1, 2])
  expect_identical(vapply(drawn[1:4], function(one) which(t(one$image) == "#000000"), 1L), 1:4)
  some <- rasters_of(plot_images(images, c(2, 2), which = c(3, 1)))
  expect_identical(some[[1]]$image, drawn[[3]]$image)
})

test_that("values beyond the range have its ends' colors", {
  ends <- c("#FF0000", "#0000FF")
  drawn <- rasters_of(plot_images(rbind(c(-5, 0, 1, 9)), c(1, 4), range = c(0, 1), col = ends))
  expect_identical(drawn[[1]]$image, rbind(rep(ends, each = 2)))
})

test_that("fits and matrices are drawn without a warning", {
  fit <- landmarks(digits$images[1:60, ] / 255, 5)
  expect_identical(expect_drawn(plot(fit, type = "images", dim = c(28, 28))), fit)
  silent <- function(...) expect_silent(on_device(print(plot_images(...))))
  silent(digits$images[1:7, ], dim = c(28, 28), labels = digits$labels[1:7])
  silent(fit, dim = c(784, 1), columns = 99, labels = TRUE)
})

test_that("each landmark stands above its nearest rows", {
  pixels <- odd_matrix(30, 6)
  fit <- as_landmarks(pixels[c(3, 9, 20, 25, 28), ] * 0.9, pixels, bandwidth = 1)
  picture <- plot_images(fit, c(2, 3), nearest = 2, data = pixels, columns = 3, labels = TRUE)
  near <- nearest_observations(fit, pixels, 2)
  images <- rbind(fit$landmarks, pixels[near$observation[order(near$rank, near$landmark)], ])
  # The same shades as of the images themselves, in five lines: the rows of a landmark are below it.
  shades <- function(picture) lapply(rasters_of(picture), function(one) one$image)
  expect_identical(shades(picture), shades(plot_images(images, c(2, 3))))
  boxes <- boxes_of(rasters_of(picture))
  expect_identical(boxes[6:15, 1], rep(boxes[1:5, 1], 2))
  lines <- c(1, 1, 1, 4, 4, 2, 2, 2, 5, 5, 3, 3, 3, 6, 6)
  expect_equal(match(-boxes[, 2], unique(sort(-boxes[, 2]))), lines)
  expect_identical(picture$data$label, c(1:5, rep("", 10)))
  # Some of them, in another order; in the data's units.
  fit <- withr::with_seed(1, landmarks(pixels, 4, scale = "ranks"))
  near <- nearest_observations(fit, pixels, 1)$observation
  expect_equal(unname(nearest_images(fit, 3:2, 1, pixels, NULL)), pixels[near[3:2], ], tolerance = 0.05)
  expect_drawn(plot(fit, pixels, type = "images", dim = c(2, 3), nearest = 2))
})

test_that("a caption says why images of landmarks that predict look wrong", {
  pixels <- odd_matrix(40, 6)
  method <- by_response(rep(1:2, 20), iterations = 2, held_out = 0)
  fit <- withr::with_seed(1, quiet(landmarks(pixels, 3, method), "response"))
  of <- function(x) plot_images(x, c(2, 3))$labels$caption
  expect_match(of(fit), "exaggerate")
  expect_null(of(landmarks(pixels, 3)))
  expect_null(of(pixels))
  expect_match(ggplot2::autoplot(fit, type = "images", dim = c(2, 3))$labels$caption, "exaggerate")
})

test_that("ink is dark on an empty page, and photographs are light where values are high", {
  expect_true(is_ink(digits$images[1:20, ], c(28, 28), TRUE))
  expect_false(is_ink(odd_matrix(20, 12), c(3, 4), TRUE))
})

test_that("arguments are checked", {
  pixels <- odd_matrix(30, 6)
  fit <- without(as_landmarks(pixels[1:3, ], pixels, bandwidth = 1), "call")
  of_fit <- function(...) plot_images(fit, c(2, 3), ...)
  expect_refused(
    plot_images(), plot_images("a", c(1, 1)), plot_images(as.data.frame(pixels), c(2, 3)), plot_images(fit),
    # A square is told how.
    plot_images(matrix(0, 2, 9)), plot_images(fit, dim = c(2, 2)), plot_images(fit, dim = 6),
    plot_images(fit, dim = c(-2, -3)), plot_images(pixels / 0, dim = c(2, 3)), of_fit(which = 4),
    of_fit(byrow = NA), of_fit(columns = 0), of_fit(labels = 1:2), of_fit(range = 1),
    of_fit(range = c(1, 0)), of_fit(col = "no such color"),
    # Nearest rows need landmarks and their data.
    plot_images(pixels, c(2, 3), nearest = 1), of_fit(nearest = 1), of_fit(nearest = -1),
    of_fit(nearest = 31, data = pixels), of_fit(nearest = 1, data = pixels[, 1:5])
  )
})
