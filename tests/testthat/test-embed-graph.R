# The graph of landmarks against loops straight from its definition.

skip_slow_file()

x <- bent_rows()
fit <- bent_fit()

test_that("the Euclidean graph is that of ranks", {
  squared <- as.matrix(stats::dist(kernel_points(fit)))^2
  for (k in c(1, 10, 24)) {
    for (weights in c("heat", "binary")) {
      g <- quietly(landmark_graph(fit, neighbors = k, edge_weights = weights))
      expect_false(any(g$weights@x == 0))
      expect_equal(as.matrix(g$weights), naive_graph(squared, k, g$sigma, weights), tolerance = 1e-12)
      expect_equal(g$reach, unname(apply(squared, 1, sort)[k + 1, ]), tolerance = 1e-12)
    }
    expect_identical(g$sigma, NA_real_)
  }
  g <- landmark_graph(fit, neighbors = 10, sigma = 0.7)
  expect_equal(as.matrix(g$weights), naive_graph(squared, 10, 0.7), tolerance = 1e-12)
})

test_that("the default of sigma is half a typical distance to the last neighbor, by hand", {
  # Nearest at 1, 1, 2 and 4, second nearest at 3, 2, 3 and 6, third at 7, 6, 4 and 7: the farthest from all
  # others, at 4, sets sigma, and then half of the median 6.5.
  line <- as_landmarks(cbind(c(0, 1, 3, 7)), cbind(0:7), bandwidth = 1)
  sigma <- vapply(1:3, function(k) quietly(landmark_graph(line, neighbors = k))$sigma, 0)
  expect_equal(sigma, c(2, 2, 3.25))
  two <- as_landmarks(cbind(0:1), cbind(0:1))
  expect_equal(unname(as.matrix(weights_of(two))), exp(-2) * (1 - diag(2)), tolerance = 1e-12)
})

test_that("an embedding of a graph has the bits of one that makes the graph by itself", {
  graphs <- list(
    list(), list(neighbors = 6, sigma = 0.8), list(neighbors = 6, edge_weights = "binary"),
    list(x = x, neighbors = 6, distance = "bhattacharyya", covariance = "full", ridge = 0.1)
  )
  maps <- list(list(dims = 4), list(dims = 1, independent = FALSE, alpha = 0.5))
  if (rlang::is_installed("Rtsne")) maps <- c(maps, list(list(layout = "tsne", perplexity = 4)))
  for (i in 1:4) {
    map <- maps[[1 + i %% length(maps)]]
    graph <- quietly(rlang::inject(landmark_graph(fit, !!!graphs[[i]])))
    made <- withr::with_seed(1, quietly(rlang::inject(embed_landmarks(fit, !!!graphs[[i]], !!!map))))
    staged <- withr::with_seed(1, quietly(rlang::inject(embed_landmarks(graph, !!!map))))
    expect_identical(staged[names(staged) != "seconds"], made[names(made) != "seconds"])
  }
})

test_that("arguments of a graph are checked, and landmarks must differ", {
  x <- cbind(a = c(0, 1, 2, 3, 4, 5), b = c(0, 2, 1, -1, 0.5, 3), c = c(1, 0, -2, 0, 1, 4))
  fit <- as_landmarks(x[1:4, ], x)
  by_shape <- function(..., on = fit, data = x) landmark_graph(on, data, ..., distance = "bhattacharyya")
  by <- function(covariance, on = fit) by_shape(on = with_part(on, covariance = covariance), data = NULL)
  # In one place, but with covariances of their own, they are two.
  twice <- as_landmarks(x[c(1, 2, 3, 2), ], x)
  expect_s3_class(by(x[1:4, ]^2 + 1, twice), "landmark_graph")
  # In place, but farther apart than numbers reach by narrow covariances.
  far <- with_part(fit, landmarks = fit$landmarks * 1e140)
  # Euclidean distances do without data, but a slip is told.
  expect_identical(landmark_graph(fit, x), landmark_graph(fit))
  # Semidefinite covariances are enough with a ridge.
  expect_s3_class(by(array(1, c(3, 3, 4))), "landmark_graph")
  repeated <- x[rep(1, 12), ]
  expect_refused(
    landmark_graph(), landmark_graph(x), landmark_graph(as_landmarks(x[1, , drop = FALSE], x)),
    landmark_graph(twice), by_shape(on = twice), landmark_graph(as_landmarks(x[c(2, 2), ], x)),
    by(matrix(1e-40, 4, 3), far), landmark_graph(fit, neighbors = 0), landmark_graph(fit, neighbors = 4),
    landmark_graph(fit, distance = "manhattan"), landmark_graph(fit, edge_weights = "cold"),
    landmark_graph(fit, sigma = 0), landmark_graph(fit, sigma = 1, edge_weights = "binary"),
    # A landmark without a neighbor.
    landmark_graph(fit, sigma = 0.01), landmark_graph(fit, sigma = 1e-300),
    landmark_graph(as_landmarks(rbind(x[1:4, ], 1e3), x), sigma = 2), by_shape(data = NULL),
    by_shape(data = x[, 1:2]), by_shape(data = x[1, , drop = FALSE]), by_shape(data = x / 0),
    landmark_graph(fit, 3), by_shape(covariance = "round"), by_shape(ridge = -1), by_shape(data = repeated),
    by_shape(data = repeated, covariance = "full"), by_shape(data = cbind(x[, 1:2], c = 1), ridge = 0),
    by(matrix(0, 4, 3)), by(array(diag(c(1, 1, -1)), c(3, 3, 4)))
  )
})
