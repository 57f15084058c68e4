# Landmarks arranged in a plane by t-SNE or UMAP, and points among them.

clusters <- function(rows, shift = 0) {
  group <- rep(1:3, length.out = rows)
  at <- rbind(c(0, 0, 0, 0), c(8, 0, 3, 0), c(0, 8, 0, 3))
  list(x = at[group, ] + odd_matrix(rows, 4, shift), group = group)
}
learned <- clusters(90)
new <- clusters(60, 3)
fit <- as_landmarks(learned$x, learned$x)

# `...`: which graph.
check_arranged <- function(layout, letter, ...) {
  arrange <- function() withr::with_seed(1, quietly(embed_landmarks(fit, ..., layout = layout)))
  e <- arrange()
  again <- arrange()
  expect_identical(again[names(again) != "seconds"], e[names(e) != "seconds"])
  expect_identical(colnames(coef(e)), paste0(letter, 1:2))
  expect_equal(predict(e, learned$x), coef(e), tolerance = 1e-8, ignore_attr = TRUE)
  # The first of the sorted is the landmark itself.
  last <- apply(naive_distances(coef(e), coef(e)), 1, function(d) sort(d)[e$graph$neighbors + 1])
  expect_equal(e$plane^2, stats::median(last^2), tolerance = 1e-8)
  # New points lie among the landmarks of their own cluster.
  y <- predict(e, new$x)
  home <- apply(naive_distances(y, coef(e)), 1, which.min)
  expect_identical(learned$group[home], new$group)
  expect_output(print(e), "layout")
  expect_identical(names(tidy(e)), c("landmark", paste0(letter, 1:2)))
}

test_that("t-SNE and UMAP arrange clusters, and points go to theirs", {
  skip_if_not_installed("igraph")
  skip_if_not_installed("Rtsne")
  skip_if_not_installed("uwot")
  for (layout in c("tsne", "umap")) {
    letter <- c(tsne = "T", umap = "U")[[layout]]
    check_arranged(layout, letter, edges = "nearest")
    check_arranged(layout, letter, x = learned$x, edges = "data")
  }
  # No one is told of parts, which a layout shows, but of rows far from all landmarks.
  expect_no_warning(e <- embed_landmarks(fit, learned$x, edges = "data", layout = "umap"))
  expect_no_warning(predict(e, learned$x))
  expect_warning(y <- predict(e, rbind(learned$x[1:3, ], learned$x[1:2, ] + 100)),
    "2 of 5 rows.*the first is row 4", class = "landmarker_warning_far"
  )
  expect_true(all(is.finite(y)))
  few <- as_landmarks(learned$x[1:5, ], learned$x)
  expect_refused(
    embed_landmarks(fit, layout = "circle"), embed_landmarks(fit, layout = "tsne", dims = 3),
    embed_landmarks(fit, layout = "tsne", alpha = 1), embed_landmarks(fit, perplexity = 5),
    embed_landmarks(fit, neighbors = 40, layout = "tsne", perplexity = 50),
    embed_landmarks(fit, neighbors = 40, layout = "tsne", perplexity = "few"),
    embed_landmarks(few, layout = "tsne")
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
straight <- function(graph) landmark_distances(graph$fit, NULL, NULL)

test_that("a layout through the data is made of paths along its edges", {
  skip_if_not_installed("igraph")
  x <- withr::with_seed(1, sim_swiss_roll(2000, noise = 0.3))
  graph <- landmark_graph(withr::with_seed(1, landmarks(x, 60)))
  expect_identical(max(graph$components), 1L)
  paths <- squared_paths(graph, straight(graph), NULL)
  expect_equal(paths, naive_paths(graph)^2, tolerance = 1e-12, ignore_attr = TRUE)
  expect_gt(max(paths / straight(graph), na.rm = TRUE), 4)
  # Parts: the paths are those of the graph whose parts are joined.
  apart <- quietly(landmark_graph(fit, learned$x, edges = "data"))
  joined <- quietly(landmark_graph(fit, learned$x, edges = "data", join = TRUE))
  expect_gt(max(apart$components), 1)
  expect_equal(squared_paths(apart, straight(apart), NULL), naive_paths(joined)^2,
    tolerance = 1e-12, ignore_attr = TRUE
  )
})

test_that("a layout follows a roll with noise, which nearest landmarks fold", {
  skip_if_not_installed("igraph")
  skip_if_not_installed("uwot")
  x <- withr::with_seed(1, sim_swiss_roll(4000, noise = 0.6))
  some <- seq(1, 4000, by = 8)
  followed <- function(...) {
    e <- withr::with_seed(1, quietly(embed_landmarks(..., layout = "umap")))
    y <- predict(e, x[some, ])
    stats::cor(stats::dist(y), stats::dist(attr(x, "position")[some, ]), method = "spearman")
  }
  fit <- withr::with_seed(1, landmarks(x, 200))
  expect_gt(followed(fit), 0.9)
  expect_lt(followed(fit, edges = "nearest"), 0.7)
  # A fit that keeps no graph, with the data.
  fit$joined <- NULL
  expect_gt(followed(fit, x), 0.9)
})

test_that("Isomap shows a roll as a rectangle of its length and width, for new points too", {
  skip_if_not_installed("igraph")
  set.seed(1)
  roll <- sim_swiss_roll(3000)
  position <- attr(roll, "position")
  fit <- landmarks(roll, 100)
  e <- embed_landmarks(fit, layout = "isomap")
  y <- predict(e, roll)
  expect_gt(min(abs(diag(cor(y, position)))), 0.97)
  extent <- function(v) diff(range(v))
  expect_equal(apply(y, 2, extent), apply(position, 2, extent), tolerance = 0.2, ignore_attr = TRUE)
  expect_equal(predict(e, fit$landmarks), coef(e), ignore_attr = TRUE)
  expect_identical(colnames(y), c("I1", "I2"))
})

test_that("Isomap is classical scaling of the lengths of shortest paths", {
  skip_if_not_installed("igraph")
  # An arc, joined by nearest neighbors: its points have their lengths along the arc as coordinates.
  angle <- seq(0, 5, length.out = 21)
  x <- cbind(cos(angle), sin(angle))
  graph <- landmark_graph(as_landmarks(x, x, bandwidth = 1), edges = "nearest", neighbors = 1, join = TRUE)
  e <- embed_landmarks(graph, dims = 1, layout = "isomap")
  step <- 2 * sin(angle[2] / 2)
  expect_equal(abs(coef(e)[, 1]), step * abs(-10:10), ignore_attr = TRUE)
  expect_error(embed_landmarks(graph, dims = 2, layout = "isomap"), class = "landmarker_error_rank")
  expect_refused(
    embed_landmarks(graph, dims = 1, layout = "isomap", alpha = 1),
    embed_landmarks(graph, dims = 1, layout = "isomap", perplexity = 5)
  )
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
    apart <- landmark_graph(fit, learned$x, edges = "data"), "as layouts other than eigenmaps do",
    class = "landmarker_warning_components"
  )
  for (graph in list(apart, quietly(landmark_graph(fit, neighbors = 3)))) {
    said <- paste("joins", max(graph$components), "disconnected")
    expect_warning(
      embed_landmarks(graph, layout = "isomap"), said, class = "landmarker_warning_components"
    )
  }
  expect_no_warning(embed_landmarks(fit, learned$x, edges = "data", join = TRUE, layout = "isomap"))
})
