# Pictures of codebooks.

book <- withr::with_seed(1, codebook(iris[1:4], 5))

test_that("frames and codewords stand in the plane of the frames", {
  picture <- ggplot2::autoplot(book, iris[1:4], color = iris$Species)
  axes <- stats::prcomp(iris[1:4])
  at <- function(layer) abs(as.matrix(ggplot2::layer_data(picture, layer)[c("x", "y")]))
  expect_equal(at(1), abs(unname(axes$x[, 1:2])), ignore_attr = TRUE)
  expect_equal(at(2), abs(stats::predict(axes, coef(book))[, 1:2]), ignore_attr = TRUE)
  expect_identical(picture$labels$title, "5 codewords")
  expect_identical(ggplot2::autoplot(book)$labels$title, "5 codewords, on their principal components")
  some <- ggplot2::autoplot(book, iris[1:4], color = iris$Species, max_points = 50)
  expect_match(some$labels$title, "50 of 150 rows")
  # Columns are found by their names.
  mixed <- ggplot2::autoplot(book, iris[c(3, 1, 4, 2)], color = iris$Species)
  expect_identical(ggplot2::layer_data(mixed, 1), ggplot2::layer_data(picture, 1))
  expect_drawn(plot(book))
  expect_refused(
    plot(book, iris[1:3]), plot(book, iris[1:4], color = 1:3), plot(book, iris[1:4], size = 3),
    plot(book, replace(as.matrix(iris[1:4]), 3, NA)), plot(structure(list(), class = "codebook")),
    on_device(plot(book, color = iris$Species))
  )
})
