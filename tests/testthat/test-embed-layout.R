# Landmarks arranged in a plane by t-SNE or UMAP, and points among them.

clusters <- function(rows, shift = 0) {
  at <- rbind(c(0, 0, 0, 0), c(8, 0, 3, 0), c(0, 8, 0, 3))
  at[rep(1:3, length.out = rows), ] + odd_matrix(rows, 4, shift)
}
x <- clusters(90)
fit <- as_landmarks(x, x)

# `...`: which graph.
check_arranged <- function(layout, letter, ...) {
  arrange <- function() withr::with_seed(1, embed_landmarks(fit, ..., layout = layout))
  # No one is told of parts, which a layout shows.
  expect_no_warning(e <- arrange())
  expect_identical(coef(arrange()), coef(e))
  expect_equal(predict(e, x), coef(e), tolerance = 1e-8, ignore_attr = TRUE)
  # The first of the sorted is the landmark itself.
  last <- apply(naive_distances(coef(e), coef(e)), 1, function(d) sort(d)[e$graph$neighbors + 1])
  expect_equal(e$plane^2, stats::median(last^2), tolerance = 1e-8)
  # New points lie among the landmarks of their own cluster.
  home <- apply(naive_distances(predict(e, clusters(60, 3)), coef(e)), 1, which.min)
  expect_equal(home %% 3, rep(c(1, 2, 0), 20))
  expect_output(print(e), "layout")
  expect_identical(names(tidy(e)), c("landmark", paste0(letter, 1:2)))
  e
}

test_that("t-SNE and UMAP arrange clusters, and points go to theirs", {
  skip_if_not_installed("igraph")
  skip_if_not_installed("Rtsne")
  skip_if_not_installed("uwot")
  check_arranged("tsne", "T", edges = "nearest")
  check_arranged("tsne", "T", x = x, edges = "data")
  if (full_run()) check_arranged("umap", "U", edges = "nearest")
  e <- check_arranged("umap", "U", x = x, edges = "data")
  expect_no_warning(predict(e, x))
  expect_warning(y <- predict(e, rbind(x[1:3, ], x[1:2, ] + 100)), class = "landmarker_warning_far")
  expect_true(all(is.finite(y)))
  few <- as_landmarks(x[1:5, ], x)
  expect_refused(
    embed_landmarks(fit, layout = "circle"), embed_landmarks(fit, layout = "tsne", dims = 3),
    embed_landmarks(fit, layout = "tsne", alpha = 1), embed_landmarks(fit, perplexity = 5),
    embed_landmarks(fit, layout = "isomap", perplexity = 5),
    embed_landmarks(fit, layout = "tsne", perplexity = 50), embed_landmarks(few, layout = "tsne")
  )
})

# Shortest paths by Floyd and Warshall, from the edges that tidy() tells.
naive_paths <- function(graph) {
  edges <- tidy(graph)
  n <- nrow(graph$weights)
  d <- matrix(Inf, n, n)
  diag(d) <- 0
  d[cbind(edges$from, edges$to)] <- d[cbind(edges$to, edges$from)] <- edges$distance
  for (k in seq_len(n)) d <- pmin(d, outer(d[, k], d[k, ], "+"))
  d
}

test_that("a layout through the data is made of paths along its edges", {
  skip_if_not_installed("igraph")
  squared <- function(graph) squared_paths(graph, landmark_distances(graph$fit, NULL, NULL), NULL)
  graph <- landmark_graph(rolled(1, 60, "kmeans", 2000, noise = 0.3)$fit)
  expect_identical(max(graph$components), 1L)
  expect_equal(squared(graph), naive_paths(graph)^2, tolerance = 1e-12, ignore_attr = TRUE)
  # Parts: the paths are those of the graph whose parts are joined.
  apart <- quietly(landmark_graph(fit, x, edges = "data"))
  joined <- quietly(landmark_graph(fit, x, edges = "data", join = TRUE))
  expect_gt(max(apart$components), 1)
  expect_equal(squared(apart), naive_paths(joined)^2, tolerance = 1e-12, ignore_attr = TRUE)
})

test_that("Isomap shows a roll as a rectangle of its length and width, for new points too", {
  skip_if_not_installed("igraph")
  roll <- rolled(1, 100, "gp", 3000)
  e <- embed_landmarks(roll$fit, layout = "isomap")
  y <- predict(e, roll$x)
  expect_gt(min(abs(diag(cor(y, roll$at)))), 0.97)
  extent <- function(v) diff(range(v))
  expect_equal(apply(y, 2, extent), apply(roll$at, 2, extent), tolerance = 0.2, ignore_attr = TRUE)
  expect_equal(predict(e, roll$fit$landmarks), coef(e), ignore_attr = TRUE)
  expect_identical(colnames(y), c("I1", "I2"))
})

# The position of a point by ridge regression on differences from the nearest landmark.
naive_position <- function(x, e) {
  landmarks <- e$graph$fit$landmarks
  near <- order(colSums((t(landmarks) - x)^2))[1:6]
  near <- near[c(TRUE, e$graph$weights[near[1], near[-1]] > 0)]
  differences <- function(m) t(m[near[-1], , drop = FALSE]) - m[near[1], ]
  a <- differences(landmarks)
  u <- solve(crossprod(a) + diag(0.01 * sum(a^2), ncol(a)), crossprod(a, x - landmarks[near[1], ]))
  e$coordinates[near[1], ] + differences(e$coordinates) %*% u / max(1, sum(abs(u)) / 2)
}

test_that("Isomap places points by local linear reconstruction, also far away and in many dimensions", {
  skip_if_not_installed("igraph")
  roll <- rolled(2, 60, "kmeans", 1000)
  # In many dimensions neighbors are found by products instead of a tree.
  turn <- qr.Q(qr(odd_matrix(20, 3)))
  for (x in list(roll$x, roll$x %*% t(turn))) {
    fit <- as_landmarks(x[seq(1, 1000, 20), ], x)
    e <- suppressWarnings(embed_landmarks(fit, layout = "isomap"))
    new <- rbind(x[1:100, ], x[1:3, ] + 100)
    want <- t(apply(new, 1, naive_position, e))
    expect_equal(suppressWarnings(predict(e, new)), want, tolerance = 1e-9, ignore_attr = TRUE)
  }
})

test_that("Isomap is classical scaling of the lengths of shortest paths", {
  skip_if_not_installed("igraph")
  # An arc, joined by nearest neighbors: its points have their lengths along the arc as coordinates.
  angle <- seq(0, 5, length.out = 21)
  x <- cbind(cos(angle), sin(angle))
  graph <- landmark_graph(as_landmarks(x, x, bandwidth = 1), edges = "nearest", neighbors = 1, join = TRUE)
  e <- embed_landmarks(graph, dims = 1, layout = "isomap")
  expect_equal(abs(coef(e)[, 1]), 2 * sin(angle[2] / 2) * abs(-10:10), ignore_attr = TRUE)
  expect_error(embed_landmarks(graph, dims = 2, layout = "isomap"), class = "landmarker_error_rank")
})

test_that("Isomap warns of too few landmarks, and of components that it joins", {
  skip_if_not_installed("igraph")
  few <- withr::with_seed(1, landmarks(sim_swiss_roll(2000), 20))
  expect_warning(
    e <- embed_landmarks(few, layout = "isomap"), "of the lengths", class = "landmarker_warning_graph"
  )
  eigenvalues <- eigen(-scale(t(scale(naive_paths(e$graph)^2, scale = FALSE)), scale = FALSE) / 2)$values
  expect_lt(sum(eigenvalues[1:2]) / sum(pmax(eigenvalues, 0)), 0.85)
  # Coordinates through the data need no width of a kernel.
  expect_identical(e$plane, 0)
  expect_warning(
    apart <- landmark_graph(fit, x, edges = "data"), "would only separate them",
    class = "landmarker_warning_components"
  )
  for (graph in list(apart, quietly(landmark_graph(fit, neighbors = 3)))) {
    said <- paste("joins", max(graph$components), "disconnected")
    expect_warning(
      embed_landmarks(graph, layout = "isomap"), said, class = "landmarker_warning_components"
    )
  }
  expect_no_warning(embed_landmarks(fit, x, edges = "data", join = TRUE, layout = "isomap"))
})

test_that("a layout of few landmarks for many rows warns of islands", {
  skip_if_not_installed("Rtsne")
  skip_if_not_installed("igraph")
  x <- withr::with_seed(1, sim_swiss_roll(1010))
  fit <- landmarks(x, 20, by_random())
  expect_warning(
    embed_landmarks(fit, layout = "tsne"), "20 landmarks for 1010 rows", class = "landmarker_warning_graph"
  )
  fit <- landmarks(x[1:1000, ], 20, by_random())
  expect_no_warning(embed_landmarks(fit, layout = "tsne"), class = "landmarker_warning_graph")
})
