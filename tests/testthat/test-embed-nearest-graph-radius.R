# landmark_graph(radius = ): all landmarks within a distance are joined.

x <- withr::with_seed(1, sim_circles(300))
fit <- withr::with_seed(1, landmarks(x, 25, bandwidth = 0.2))
apart <- as.matrix(stats::dist(fit$landmarks))

test_that("edges are those within the radius, with weights by their lengths", {
  for (radius in c(1.2, 2)) {
    graph <- suppressWarnings(landmark_graph(fit, radius = radius))
    weights <- unname(as.matrix(graph$weights))
    sigma <- radius / 2
    expected <- unname(ifelse(apart <= radius, exp(-apart^2 / (2 * sigma^2)), 0))
    diag(expected) <- 0
    expect_equal(weights, expected, tolerance = 1e-12)
    expect_identical(graph$sigma, sigma)
    expect_identical(graph$radius, radius)
  }
  binary <- suppressWarnings(landmark_graph(fit, radius = 1.2, edge_weights = "binary"))
  expect_identical(unname(as.matrix(binary$weights) > 0), unname(apart <= 1.2 & apart > 0))
  own <- suppressWarnings(landmark_graph(fit, radius = 1.2, sigma = 3))
  expect_equal(max(own$weights), exp(-min(apart[apart > 0])^2 / 18))
  # Distances of the radius itself are within it, whatever their rounding.
  grid <- as.matrix(expand.grid(0:4, 0:4)) * 0.1
  on_grid <- as_landmarks(grid, grid, bandwidth = 1)
  edges <- function(radius) sum(as.matrix(landmark_graph(on_grid, radius = radius)$weights) > 0) / 2
  expect_identical(c(edges(0.1), edges(sqrt(2) * 0.1)), c(40, 72))
})

test_that("scaled columns and covariances have their own distance", {
  scaled <- withr::with_seed(1, landmarks(iris[1:4], 12, scale = TRUE))
  at <- sweep(scaled$landmarks, 2, scaled$factor, "*")
  graph <- suppressWarnings(landmark_graph(scaled, radius = 2))
  expect_identical(unname(as.matrix(graph$weights) > 0), unname(as.matrix(stats::dist(at)) <= 2) & !diag(12))
  covariances <- naive_covariances(fit, x, rows_of_covariance(fit, x, FALSE), FALSE)
  squared <- naive_squared(fit, with_ridge(covariances, 0.001))
  graph <- suppressWarnings(landmark_graph(fit, x, distance = "bhattacharyya", radius = 2))
  expect_identical(unname(as.matrix(graph$weights) > 0), unname(sqrt(squared) <= 2) & !diag(25))
})

test_that("an embedding's extension at a landmark is its coordinate", {
  for (weights in c("heat", "binary")) {
    graph <- suppressWarnings(landmark_graph(fit, radius = 1.5, edge_weights = weights, join = FALSE))
    skip_if(max(graph$components) > 1)
    map <- embed_landmarks(graph)
    expect_equal(predict(map, fit$landmarks), coef(map), tolerance = 1e-8, ignore_attr = TRUE)
    # A point between has the mean of what is within the radius, over 1 - lambda.
    at <- colMeans(fit$landmarks[1:2, ])
    far <- sqrt(colSums((t(fit$landmarks) - at)^2))
    near <- union(which(far <= 1.5), order(far)[1:2])
    w <- if (weights == "heat") exp(-far[near]^2 / (2 * 0.75^2)) else rep(1, length(near))
    expected <- colSums(w * coef(map)[near, , drop = FALSE]) / sum(w) / (1 - map$values[1:2])
    expect_equal(unname(predict(map, rbind(at))[1, ]), unname(expected), tolerance = 1e-8)
  }
})

test_that("a radius is printed and drawn, and its shortcuts are told", {
  graph <- suppressWarnings(landmark_graph(fit, radius = 1.5))
  expect_output(print(graph), "within radius 1.5, by euclidean distance")
  expect_silent(on_device(plot(graph, x)))
  expect_output(print(suppressWarnings(embed_landmarks(fit, radius = 1.5))), "radius")
  roll <- withr::with_seed(2, sim_swiss_roll(2000))
  random <- withr::with_seed(2, landmarks(roll, 100, by_random(), bandwidth = 20))
  expect_warning(across <- landmark_graph(random, roll, radius = 9), class = "landmarker_warning_shortcuts")
  expect_gt(nrow(across$shortcuts), 0)
  tiny <- as_landmarks(x[1:10, ] * 1e-155, x * 1e-155, bandwidth = 2e-307)
  expect_refused(
    suppressWarnings(embed_landmarks(landmark_graph(fit, radius = 1e10), dims = 5)),
    # Its sigma underflows.
    landmark_graph(tiny, radius = 3e-155), landmark_graph(fit, radius = 0.1), landmark_graph(fit, radius = 0),
    landmark_graph(fit, radius = "a"), landmark_graph(fit, radius = 1e200),
    landmark_graph(fit, radius = 1, neighbors = 3), landmark_graph(fit, radius = 1, edges = "data"),
    landmark_graph(as_landmarks(rbind(1:2, 1:2, 3:4), x, bandwidth = 1), radius = 3)
  )
})

test_that("the smallest radius that helps is told", {
  # The second number makes one graph of all.
  told <- conditionMessage(rlang::catch_cnd(landmark_graph(fit, radius = 0.1)))
  connects <- as.numeric(sub(".*connected\\s+graph\\s+it\\s+is\\s+([0-9.]+)\\..*", "\\1", told))
  expect_identical(max(suppressWarnings(landmark_graph(fit, radius = connects))$components), 1L)
  nearest <- apart
  diag(nearest) <- Inf
  least <- max(apply(nearest, 1, min))
  expect_error(landmark_graph(fit, radius = least * 0.99), class = "landmarker_error_graph")
  warned <- rlang::catch_cnd(landmark_graph(fit, radius = least * 1.001), "landmarker_warning_components")
  skip_if(is.null(warned))
  told <- as.numeric(sub(".*radius = ([0-9.e+-]+).*", "\\1", conditionMessage(warned)))
  expect_identical(max(suppressWarnings(landmark_graph(fit, radius = told))$components), 1L)
  expect_gt(max(suppressWarnings(landmark_graph(fit, radius = told * 0.995))$components), 1)
})
