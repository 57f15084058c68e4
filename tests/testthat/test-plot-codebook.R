# Pictures of codebooks.

book <- withr::with_seed(1, codebook(iris[1:4], 5))

test_that("frames and codewords stand in the plane of the frames", {
  picture <- codebook_picture(book, iris[1:4], iris$Species, NULL, NULL, "Species")
  axes <- stats::prcomp(iris[1:4])
  expect_equal(abs(picture$layers[[1]]$at), abs(unname(axes$x[, 1:2])), ignore_attr = TRUE)
  at <- stats::predict(axes, coef(book))[, 1:2]
  expect_equal(abs(picture$layers[[2]]$at), abs(at), ignore_attr = TRUE)
  expect_identical(picture$title, "5 codewords")
  # Columns are found by their names.
  expect_identical(codebook_picture(book, iris[c(3, 1, 4, 2)], iris$Species, NULL, NULL, "Species"), picture)
})

test_that("plot() and autoplot() draw them, with frames or alone", {
  expect_drawn(plot(book, iris[1:4], color = iris$Species))
  expect_drawn(plot(book))
  expect_drawn(plot(book, iris[1:4], max_points = 50, labels = FALSE))
  alone <- codebook_picture(book, NULL, NULL, NULL, NULL, "")
  expect_identical(alone$title, "5 codewords, on their own components")
  some <- codebook_picture(book, iris[1:4], iris$Species, 50, NULL, "")
  expect_identical(nrow(some$layers[[1]]$at), 50L)
  expect_match(some$title, "50 of 150 rows")
  flat <- codebook(iris[1:2], 3)
  expect_drawn(plot(flat, iris[1:2], color = iris$Sepal.Length))
  built <- ggplot2::ggplot_build(ggplot2::autoplot(book, iris[1:4], color = iris$Species))
  expect_identical(nrow(built$data[[1]]), 150L)
})

test_that("what cannot be drawn is refused", {
  expect_refused(plot(book, iris[1:3]), "columns")
  expect_refused(plot(book, as.matrix(unname(iris[1:3]))), "columns")
  expect_refused(plot(book, iris[1:4], color = 1:3))
  expect_refused(plot(book, iris[1:4], size = 3), "dots")
  expect_refused(plot(book, replace(as.matrix(iris[1:4]), 3, NA)), "missing")
  expect_refused(plot(structure(list(), class = "codebook")), "codebook")
})

test_that("a color needs frames", {
  expect_refused(on_device(plot(codebook(iris[1:4], 3), color = iris$Species)), "data")
})
