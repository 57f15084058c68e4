# Edges of the graph of landmarks: neighbors, weights and components, and the warnings about them.

skip_slow_file()

expect_no_warning_of <- function(code) expect_warning(code, NA)

x <- bent_rows()
fit <- bent_fit()

binary <- function(...) as.matrix(weights_of(..., edge_weights = "binary"))

test_that("sigma is the least for which typical farthest and all nearest neighbors weigh e^-2", {
  far <- as_landmarks(rbind(x[1:24, ], 9), x, bandwidth = 1)
  for (on in list(fit, far)) {
    apart <- as.matrix(stats::dist(kernel_points(on)))
    for (k in c(1, 7, 24)) {
      sigma <- quietly(landmark_graph(on, neighbors = k))$sigma
      weigh <- function(d) exp(-d^2 / (2 * sigma^2))
      sorted <- apply(apart, 1, sort)
      typical <- stats::median(weigh(sorted[k + 1, ]))
      expect_equal(min(typical, weigh(sorted[2, ])), exp(-2), tolerance = 1e-12)
    }
  }
})

test_that("all that are as near as the last neighbor are neighbors", {
  # Squared distances on a grid are whole numbers, which tie exactly.
  grid <- as.matrix(expand.grid(a = 1:5, b = 1:5))
  squared <- round(unname(as.matrix(stats::dist(grid)))^2)
  for (unit in c(1, 0.1)) {
    on_grid <- as_landmarks(grid * unit, grid * unit, bandwidth = 1)
    for (k in 1:6) {
      last <- apply(squared, 1, sort)[k + 1, ]
      joined <- squared > 0 & (squared <= last | t(squared <= last))
      expect_identical(unname(binary(on_grid, neighbors = k)) == 1, joined)
    }
    # By hand: the 40 sides of the squares; with a third neighbor the diagonal at each corner.
    expect_identical(sum(binary(on_grid, neighbors = 1)), 2 * 40)
    expect_identical(sum(binary(on_grid, neighbors = 2)), 2 * 40)
    expect_identical(sum(binary(on_grid, neighbors = 3)), 2 * 44)
  }
})

# ---- components -----------------------------------------------------------------

clusters <- rbind(x[1:12, ], x[13:20, ] + 6, x[21:26, ] - 9)
apart <- as_landmarks(clusters, x)

# By igraph: the component of each landmark.
components_by_igraph <- function(g) {
  skip_if_not_installed("igraph")
  made <- igraph::graph_from_adjacency_matrix(g$weights, mode = "undirected", weighted = TRUE)
  as.integer(igraph::components(made)$membership)
}

test_that("components are told, and how many neighbors connect them", {
  for (weights in c("heat", "binary")) {
    warning <- expect_warning(
      g <- landmark_graph(apart, NULL, 3, edge_weights = weights),
      class = "landmarker_warning_graph"
    )
    expect_identical(g$components, components_by_igraph(g))
    expect_identical(g$components, rep(1:3, c(12, 8, 6)))
    expect_match(conditionMessage(warning), "has 3 connected components, of 12, 8, 6 landmarks", fixed = TRUE)
    least <- as.integer(sub(".*neighbors = ([0-9]+).*", "\\1", conditionMessage(warning)))
    expect_no_warning_of(whole <- landmark_graph(apart, NULL, least, edge_weights = weights))
    expect_identical(components_by_igraph(whole), rep(1L, 26))
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
  expect_no_warning_of(landmark_graph(apart, NULL, 25, sigma = 2))
})

test_that("a landmark far from all others is said to have set sigma", {
  x <- rbind(odd_matrix(30, 2), c(1e4, 0))
  far <- as_landmarks(x, x)
  warning <- expect_warning(g <- embed_landmarks(far, edges = "nearest"), class = "landmarker_warning_graph")
  expect_match(conditionMessage(warning), "set by L31", fixed = TRUE)
  expect_equal(g$graph$sigma, min(naive_distances(x[1:30, ], x[31, , drop = FALSE])) / 2, tolerance = 1e-12)
  expect_no_warning_of(landmark_graph(far, edge_weights = "binary"))
  expect_no_warning_of(landmark_graph(far, sigma = 1e4))
  expect_no_warning_of(landmark_graph(as_landmarks(x[1:30, ], x)))
})

test_that("warnings about a graph come with the graph, and not with its embedding", {
  expect_warning(graph <- landmark_graph(apart, NULL, 3), class = "landmarker_warning_graph")
  expect_no_warning_of(embed_landmarks(graph))
  withr::local_seed(1)
  roll <- sim_swiss_roll(5000)
  folded <- landmarks(roll, 200, "kmeans")
  expect_warning(graph <- landmark_graph(folded, neighbors = 20), class = "landmarker_warning_shortcuts")
  expect_no_warning_of(embed_landmarks(graph))
  expect_output(print(graph), paste("shortcuts", nrow(graph$shortcuts), "of the edges"))
  # They are edges of the graph, which lead far along the roll.
  ends <- graph$shortcuts
  expect_true(all(graph$weights[ends] > 0))
  along <- attr(roll, "position")[nearest_observations(folded, roll, 1)$observation, "length"]
  size <- sqrt(rowSums((coef(folded)[ends[, 1], ] - coef(folded)[ends[, 2], ])^2))
  expect_true(all(abs(along[ends[, 1]] - along[ends[, 2]]) > 3 * size))
})
