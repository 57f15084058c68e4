# Bad input to the pictures of embeddings. As in test-data-matrix-bad.R.

x <- cbind(a = c(0, 1, 2), b = c(0, 2, 1))
embedding <- whole_embedding(
  cbind(E1 = c(L1 = 1, L2 = 0, L3 = -1), E2 = c(0, 1, 2)), c(0.25, 0.5),
  methods::as(Matrix::forceSymmetric(Matrix::Matrix(1 - diag(3), sparse = TRUE)), "CsparseMatrix"),
  as_landmarks(x, x)
)
points <- cbind(E1 = c(0.5, 0.25), E2 = c(1, 1.5))

changed <- function(part, value) {
  embedding[[part]] <- value
  embedding
}

with_graph <- function(part, value) {
  embedding$graph[[part]] <- value
  embedding
}

test_that("points are those of predict()", {
  expect_refused(
    plot(embedding, points = points[, 1]),
    plot(embedding, points = as.data.frame(points)),
    plot(embedding, points = points[, 2:1]),
    plot(embedding, points = rbind(points, NaN)),
    plot(embedding, points = rbind(points, -Inf))
  )
})

test_that("color has a value for each point, or for each landmark", {
  expect_refused(
    plot(embedding, points = points, color = 1:3),
    plot(embedding, points = points, color = "red"),
    plot(embedding, points = points, color = points),
    plot(embedding, points = points, color = 1i * 0:1),
    plot(embedding, points = points, color = c(1, Inf))
  )
})

test_that("options are in their range", {
  expect_refused(
    plot(embedding, dims = c(1, 3)),
    plot(embedding, dims = c(1, NA)),
    plot(embedding, dims = "E1"),
    plot(embedding, edges = 1),
    plot(embedding, labels = NA),
    plot(embedding, max_points = -1)
  )
})
