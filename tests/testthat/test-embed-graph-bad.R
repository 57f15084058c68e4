# Bad input to landmark_graph(). As in test-data-matrix-bad.R.

x <- cbind(a = c(0, 1, 2, 3, 4, 5), b = c(0, 2, 1, -1, 0.5, 3), c = c(1, 0, -2, 0, 1, 4))
fit <- as_landmarks(x[1:4, ], x)

by_shape <- function(..., on = fit, data = x) landmark_graph(on, data, ..., distance = "bhattacharyya")

bringing <- function(covariance) {
  fit$covariance <- covariance
  fit
}

test_that("the fit must have two landmarks that differ", {
  expect_refused(landmark_graph(), "input")
  expect_refused(landmark_graph(x), "fit")
  expect_refused(landmark_graph(as_landmarks(x[1, , drop = FALSE], x)), "graph")
  twice <- as_landmarks(x[c(1, 2, 3, 2), ], x)
  expect_refused(landmark_graph(twice), "graph")
  expect_refused(by_shape(on = twice), "graph")
  expect_refused(landmark_graph(as_landmarks(x[c(2, 2), ], x)), "graph")
  # In one place, but with covariances of their own, they are two.
  twice$covariance <- x[1:4, ]^2 + 1
  expect_s3_class(by_shape(on = twice, data = NULL), "landmark_graph")
  far <- fit
  # In place, but farther apart than numbers reach by narrow covariances.
  far$landmarks <- fit$landmarks * 1e140
  far$covariance <- matrix(1e-40, 4, 3)
  expect_refused(by_shape(on = far, data = NULL), "graph")
})

test_that("neighbors must be fewer than landmarks", {
  expect_refused(landmark_graph(fit, neighbors = 0))
  expect_refused(landmark_graph(fit, neighbors = 4))
  expect_refused(landmark_graph(fit, neighbors = 1.5))
  expect_refused(landmark_graph(fit, neighbors = NA))
  expect_refused(landmark_graph(fit, neighbors = "many"))
})

test_that("distance, weights and sigma are checked", {
  expect_refused(landmark_graph(fit, distance = "manhattan"))
  expect_refused(landmark_graph(fit, distance = NULL))
  expect_refused(landmark_graph(fit, edge_weights = "cold"))
  expect_refused(landmark_graph(fit, edge_weights = c(1, 1, 1, 1, 1, 1)))
  expect_refused(landmark_graph(fit, sigma = 0))
  expect_refused(landmark_graph(fit, sigma = -1))
  expect_refused(landmark_graph(fit, sigma = Inf))
  expect_refused(landmark_graph(fit, sigma = c(1, 2)))
  expect_refused(landmark_graph(fit, sigma = NA))
  expect_refused(landmark_graph(fit, sigma = 1, edge_weights = "binary"))
})

test_that("a landmark without a neighbor is refused", {
  expect_refused(landmark_graph(fit, sigma = 0.01), "graph")
  expect_refused(landmark_graph(fit, sigma = 1e-300), "graph")
  expect_refused(landmark_graph(as_landmarks(rbind(x[1:4, ], 1e3), x), sigma = 2), "graph")
})

test_that("covariances need x", {
  expect_refused(by_shape(data = NULL), "data")
  expect_refused(by_shape(data = "a"), "data")
  expect_refused(by_shape(data = x[, 1:2]), "columns")
  expect_refused(by_shape(data = unname(x[, 1:2])), "columns")
  expect_refused(by_shape(data = x[1, , drop = FALSE]), "data")
  expect_refused(by_shape(data = x[0, ]), "data")
  expect_refused(by_shape(data = x / 0), "missing")
  expect_refused(by_shape(data = methods::as(x / 0, "CsparseMatrix")), "missing")
  # Euclidean distances do without, but a slip is told.
  expect_identical(landmark_graph(fit, x), landmark_graph(fit))
  expect_refused(landmark_graph(fit, 3), "data")
})

test_that("covariance and ridge are checked", {
  expect_refused(by_shape(covariance = "round"))
  expect_refused(by_shape(covariance = diag(3)))
  expect_refused(by_shape(ridge = -1))
  expect_refused(by_shape(ridge = NA))
  expect_refused(by_shape(ridge = Inf))
})

test_that("covariances that are nothing, or have no inverse, are refused", {
  repeated <- x[rep(1, 12), ]
  expect_refused(by_shape(data = repeated), "covariance")
  expect_refused(by_shape(data = repeated, covariance = "full"), "covariance")
  expect_refused(by_shape(data = cbind(x[, 1:2], c = 1), ridge = 0), "covariance")
})

test_that("covariances of a fit must have an inverse with the ridge", {
  expect_refused(by_shape(on = bringing(matrix(0, 4, 3)), data = NULL), "covariance")
  expect_refused(by_shape(on = bringing(array(diag(c(1, 1, -1)), c(3, 3, 4))), data = NULL), "covariance")
  # Semidefinite is enough.
  expect_s3_class(by_shape(on = bringing(array(1, c(3, 3, 4))), data = NULL), "landmark_graph")
})
