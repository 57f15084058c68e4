# Neighbors, weights, components and covariances of the graph of nearest landmarks, and its warnings.

skip_slow_file()

x <- bent_rows()
fit <- bent_fit()

clusters <- rbind(x[1:12, ], x[13:20, ] + 6, x[21:26, ] - 9)
apart <- as_landmarks(clusters, x)

test_that("components are told, and how many neighbors connect them", {
  for (weights in c("heat", "binary")) {
    warning <- expect_warning(
      g <- landmark_graph(apart, NULL, 3, edge_weights = weights),
      class = "landmarker_warning_graph"
    )
    expect_identical(g$components, rep(1:3, c(12, 8, 6)))
    expect_match(conditionMessage(warning), "3 disconnected components, of 12, 8, 6", fixed = TRUE)
    least <- as.integer(sub(".*neighbors = ([0-9]+).*", "\\1", conditionMessage(warning)))
    expect_no_warning(whole <- landmark_graph(apart, NULL, least, edge_weights = weights))
    expect_identical(whole$components, rep(1L, 26))
    expect_warning(
      landmark_graph(apart, NULL, least - 1, edge_weights = weights),
      class = "landmarker_warning_graph"
    )
  }
  expect_snapshot(invisible(landmark_graph(apart, NULL, 3)))
  expect_snapshot(print(quietly(landmark_graph(apart, NULL, 3, edge_weights = "binary"))))
})

test_that("more neighbors whose weights are 0 are no cure", {
  warning <- expect_warning(landmark_graph(apart, NULL, 3, sigma = 0.2), class = "landmarker_warning_graph")
  expect_match(conditionMessage(warning), "weights of further neighbors are 0")
  expect_warning(landmark_graph(apart, NULL, 25, sigma = 0.2), class = "landmarker_warning_graph")
  expect_no_warning(landmark_graph(apart, NULL, 25, sigma = 2))
})

test_that("a landmark far from all others is said to have set sigma", {
  x <- rbind(odd_matrix(30, 2), c(1e4, 0))
  far <- as_landmarks(x, x)
  warning <- expect_warning(g <- embed_landmarks(far, edges = "nearest"), class = "landmarker_warning_graph")
  expect_match(conditionMessage(warning), "dominated by L31", fixed = TRUE)
  expect_equal(g$graph$sigma, min(naive_distances(x[1:30, ], x[31, , drop = FALSE])) / 2, tolerance = 1e-12)
  expect_no_warning(landmark_graph(far, edge_weights = "binary"))
  expect_no_warning(landmark_graph(far, sigma = 1e4))
  expect_no_warning(landmark_graph(as_landmarks(x[1:30, ], x)))
})

test_that("covariances are cov() of the nearest rows, whatever the data are stored as", {
  case <- sparse_case()
  whole <- matrix(as.integer(7 * odd_matrix(50, 4)), 50, 4)
  data <- list(dense = x, sparse_stored_densely = case$dense, sparse = case$sparse, whole = whole)
  for (name in names(data)) for (scale in c(FALSE, TRUE)) for (full in c(FALSE, TRUE)) {
    rows <- data[[name]]
    on <- as_landmarks(as.matrix(rows[1:9, ]), rows, scale = scale)
    for (m in c(2, 17, nrow(rows))) {
      want <- naive_covariances(on, rows, m, full)
      expect_equal(covs_as_list(on, rows, m, full), want, tolerance = 1e-12, info = name)
    }
  }
})

test_that("rows of weight 0 have no part in covariances, and other weights none either", {
  weights <- rep(c(0, 1, 3), 100)
  source <- landmarker:::as_source(x, weights)
  got <- landmarker:::local_covariances(fit, source, 12, "full", NULL)
  want <- naive_covariances(fit, x[weights > 0, ], 12, TRUE)
  expect_equal(got, simplify2array(want), tolerance = 1e-12)
})

test_that("the default neighborhoods overlap", {
  around <- landmarker:::covariance_rows
  expect_equal(around(1000, c(50, 4), "diagonal"), 60)
  expect_equal(around(1000, c(900, 4), "diagonal"), 10)
  expect_equal(around(1000, c(900, 30), "full"), 31)
  expect_equal(around(7, c(5, 30), "full"), 7)
})

test_that("flat neighborhoods have a finite distance by the ridge", {
  flat <- cbind(x[, 1:2], 1, x[, 1] + x[, 2])
  on <- as_landmarks(flat[1:20, ], flat)
  m <- rows_of_covariance(on, flat, TRUE)
  g <- quietly(landmark_graph(on, flat, 5, "bhattacharyya", covariance = "full"))
  squared <- naive_squared(on, with_ridge(naive_covariances(on, flat, m, TRUE), 0.001))
  expect_equal(as.matrix(g$weights), naive_graph(squared, 5, g$sigma), tolerance = 1e-7)
})
