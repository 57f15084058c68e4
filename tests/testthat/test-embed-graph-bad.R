# Bad input to landmark_graph(). As in test-data-matrix-bad.R.

x <- cbind(a = c(0, 1, 2, 3, 4, 5), b = c(0, 2, 1, -1, 0.5, 3), c = c(1, 0, -2, 0, 1, 4))
fit <- as_landmarks(x[1:4, ], x)

by_shape <- function(..., on = fit, data = x) landmark_graph(on, data, ..., distance = "bhattacharyya")

bringing <- function(covariance) {
  fit$covariance <- covariance
  fit
}

test_that("the fit must have two landmarks that differ", {
  expect_refused(landmark_graph(), landmark_graph(x), landmark_graph(as_landmarks(x[1, , drop = FALSE], x)))
  twice <- as_landmarks(x[c(1, 2, 3, 2), ], x)
  expect_refused(landmark_graph(twice), by_shape(on = twice), landmark_graph(as_landmarks(x[c(2, 2), ], x)))
  # In one place, but with covariances of their own, they are two.
  twice$covariance <- x[1:4, ]^2 + 1
  expect_s3_class(by_shape(on = twice, data = NULL), "landmark_graph")
  far <- fit
  # In place, but farther apart than numbers reach by narrow covariances.
  far$landmarks <- fit$landmarks * 1e140
  far$covariance <- matrix(1e-40, 4, 3)
  expect_refused(by_shape(on = far, data = NULL))
})

test_that("neighbors must be fewer than landmarks", {
  expect_refused(
    landmark_graph(fit, neighbors = 0),
    landmark_graph(fit, neighbors = 4),
    landmark_graph(fit, neighbors = 1.5),
    landmark_graph(fit, neighbors = NA),
    landmark_graph(fit, neighbors = "many")
  )
})

test_that("distance, weights and sigma are checked", {
  expect_refused(
    landmark_graph(fit, distance = "manhattan"),
    landmark_graph(fit, distance = NULL),
    landmark_graph(fit, edge_weights = "cold"),
    landmark_graph(fit, edge_weights = c(1, 1, 1, 1, 1, 1)),
    landmark_graph(fit, sigma = 0),
    landmark_graph(fit, sigma = -1),
    landmark_graph(fit, sigma = Inf),
    landmark_graph(fit, sigma = c(1, 2)),
    landmark_graph(fit, sigma = NA),
    landmark_graph(fit, sigma = 1, edge_weights = "binary")
  )
})

test_that("a landmark without a neighbor is refused", {
  expect_refused(
    landmark_graph(fit, sigma = 0.01),
    landmark_graph(fit, sigma = 1e-300),
    landmark_graph(as_landmarks(rbind(x[1:4, ], 1e3), x), sigma = 2)
  )
})

test_that("covariances need x", {
  expect_refused(
    by_shape(data = NULL),
    by_shape(data = "a"),
    by_shape(data = x[, 1:2]),
    by_shape(data = unname(x[, 1:2])),
    by_shape(data = x[1, , drop = FALSE]),
    by_shape(data = x[0, ]),
    by_shape(data = x / 0),
    by_shape(data = methods::as(x / 0, "CsparseMatrix"))
  )
  # Euclidean distances do without, but a slip is told.
  expect_identical(landmark_graph(fit, x), landmark_graph(fit))
  expect_refused(landmark_graph(fit, 3))
})

test_that("covariance and ridge are checked", {
  expect_refused(
    by_shape(covariance = "round"),
    by_shape(covariance = diag(3)),
    by_shape(ridge = -1),
    by_shape(ridge = NA),
    by_shape(ridge = Inf)
  )
})

test_that("covariances that are nothing, or have no inverse, are refused", {
  repeated <- x[rep(1, 12), ]
  expect_refused(
    by_shape(data = repeated),
    by_shape(data = repeated, covariance = "full"),
    by_shape(data = cbind(x[, 1:2], c = 1), ridge = 0)
  )
})

test_that("covariances of a fit must have an inverse with the ridge", {
  expect_refused(
    by_shape(on = bringing(matrix(0, 4, 3)), data = NULL),
    by_shape(on = bringing(array(diag(c(1, 1, -1)), c(3, 3, 4))), data = NULL)
  )
  # Semidefinite is enough.
  expect_s3_class(by_shape(on = bringing(array(1, c(3, 3, 4))), data = NULL), "landmark_graph")
})
