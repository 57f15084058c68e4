# Arguments that are called otherwise here.

x <- unname(as.matrix(iris[1:4]))
fit <- landmarks(x, 5)

test_that("arguments of the same meaning elsewhere are told what they are here", {
  expect_refused(
    landmarks(x, k = 5),
    landmarks(x, 5, na.rm = TRUE),
    landmarks(x, 5, subset = 1:10),
    landmarks(x, 5, weights = "w"),
    plot(fit, x, color = "Species"),
    landmarks(~ Sepal.Length | Species, iris, 5)
  )
})
