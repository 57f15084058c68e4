# Data frames of embeddings.

set.seed(1)
x <- cbind(a = cos(1:200), b = sin(1:200), c = 0.1 * rnorm(200))
fit <- landmarks(x, 20, by_dpp(neighbors = 9, sigma = 0.5))
embedding <- embed_landmarks(fit, dims = 3, neighbors = 4)

test_that("tidy() has a row for each landmark", {
  rows <- tidy(embedding)
  expect_named(rows, c("landmark", "E1", "E2", "E3"))
  expect_identical(rows$landmark, 1:20)
  expect_identical(unname(as.matrix(rows[-1])), unname(coef(embedding)))
  expect_named(tidy(embed_landmarks(fit, dims = 1, neighbors = 4)), c("landmark", "E1"))
})

test_that("augment() puts predict()'s coordinates beside the data", {
  y <- predict(embedding, x)
  with <- augment(embedding, x)
  expect_named(with, c("a", "b", "c", ".E1", ".E2", ".E3", ".novelty"))
  expect_identical(unname(as.matrix(with[4:6])), unname(y))
  expect_identical(with$.novelty, predict(fit, x, "variance"))
  expect_named(augment(embedding, methods::as(x, "CsparseMatrix")), c(".E1", ".E2", ".E3", ".novelty"))
  # Columns of data frames are found by their names, and rows keep theirs.
  flowers <- quietly(embed_landmarks(landmarks(iris, 12)))
  named <- `rownames<-`(iris[c(5, 60), 5:1], c("p", "q"))
  expect_equal(predict(flowers, named), `rownames<-`(predict(flowers, iris)[c(5, 60), ], c("p", "q")))
  expect_refused(augment(embedding, x, dims = 1), augment(embedding, x[, 1:2]))
})

test_that("glance() has what the embedding was made by, and summary() a row for each coordinate", {
  one <- glance(embedding)
  expect_identical(unlist(one[c("landmarks", "nobs", "dims")], use.names = FALSE), c(20L, 200L, 3L))
  graph <- c("edges", "neighbors", "components", "distance", "edge_weights", "sigma")
  expect_identical(one[graph], glance(embedding$graph)[graph])
  expect_identical(as.matrix(embedding), coef(embedding))
  rows <- summary(embedding)
  expect_identical(rows$coordinate, c("E1", "E2", "E3"))
  expect_identical(rows$value, embedding$values[1:3])
  expect_identical(rows$least, unname(apply(coef(embedding), 2, min)))
  expect_identical(rows$largest, unname(apply(coef(embedding), 2, max)))
})
