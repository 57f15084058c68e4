# Bad input to embed_landmarks() and predict(). As in test-data-matrix-bad.R.

x <- cbind(a = c(0, 1, 2, 3, 4, 5), b = c(0, 2, 1, -1, 0.5, 3), c = c(1, 0, -2, 0, 1, 4))
fit <- as_landmarks(x, x, bandwidth = 4)
e <- embed_landmarks(fit, neighbors = 3)
by_shape <- function(...) embed_landmarks(fit, x, ..., neighbors = 3, distance = "bhattacharyya")

test_that("the fit must be one, of two landmarks that differ", {
  expect_refused(
    embed_landmarks(),
    embed_landmarks(x),
    embed_landmarks(as_landmarks(x[1, , drop = FALSE], x)),
    embed_landmarks(as_landmarks(x[c(1, 2, 3, 2), ], x))
  )
})

test_that("dims are fewer than landmarks, and no more than there are smooth coordinates", {
  expect_refused(
    embed_landmarks(fit, dims = 6),
    embed_landmarks(fit, dims = 0),
    embed_landmarks(fit, dims = 1.5),
    embed_landmarks(fit, dims = "two"),
    embed_landmarks(fit, dims = NULL)
  )
  # All joined to all with weight 1: K = 11', and every eigenvalue is 1.
  expect_refused(embed_landmarks(fit, dims = 2, neighbors = 5, edge_weights = "binary"))
  # A star of two arms: one smooth coordinate, the next has lambda 1.
  three <- as_landmarks(cbind(c(0, 1, 2)), cbind(0:2))
  expect_refused(embed_landmarks(three, dims = 2, neighbors = 1, edge_weights = "binary"))
})

test_that("arguments of the graph are for the fit, by name, and no others", {
  expect_refused(
    embed_landmarks(fit, neighbours = 3),
    embed_landmarks(fit, independant = FALSE),
    embed_landmarks(fit, NULL, 2, 3),
    embed_landmarks(e$graph, neighbors = 3),
    embed_landmarks(e$graph, 2, "umap"),
    embed_landmarks(e$graph, lay_out = "umap"),
    embed_landmarks(e$graph, x),
    embed_landmarks(e$graph, dims = 6)
  )
})

test_that("full covariances that would not fit into memory are refused", {
  withr::local_options(landmarker.memory = 400)
  expect_refused(by_shape(covariance = "full"))
  withr::local_options(landmarker.memory = TRUE)
  expect_refused(by_shape(covariance = "full"))
})

test_that("new data have the columns of those that were learned from, and no missing values", {
  expect_refused(
    predict(e),
    predict(e, NULL),
    predict(e, "a"),
    predict(e, x[, 1:2]),
    predict(e, unname(cbind(x, 1))),
    predict(e, cbind(a = 1, b = 2, z = 3)),
    predict(e, replace(x, 4, NA)),
    predict(e, replace(x, 4, Inf)),
    predict(e, methods::as(replace(x, 4, NA), "CsparseMatrix")),
    predict(e, x, type = "features")
  )
  none <- predict(e, x[0, ])
  expect_identical(none, matrix(0, 0, 2, dimnames = list(NULL, c("E1", "E2"))))
  expect_identical(predict(by_shape(), x[0, ]), none)
})

test_that("new data so far away that squares overflow are refused", {
  for (o in list(e, by_shape(), by_shape(covariance = "full"))) {
    expect_true(all(is.finite(predict(o, x * 1e100))))
    expect_error(predict(o, x * 1e160), class = "landmarker_error_data")
    expect_error(predict(o, replace(x, 1:18, 1.7e308)), class = "landmarker_error_data")
    sparse <- methods::as(replace(x, 3, -1.7e308), "CsparseMatrix")
    expect_error(predict(o, sparse), class = "landmarker_error_data")
  }
  expect_refused(predict(e, x * 1e160))
})
