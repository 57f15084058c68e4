# Graphs of nearest landmarks and of those within a radius: components, covariances, shortcuts and warnings.

skip_slow_file()

x <- bent_rows()
clusters <- rbind(x[1:12, ], x[13:20, ] + 6, x[21:26, ] - 9)
apart <- as_landmarks(clusters, x)

# The number that a message recommends for an argument.
told <- function(condition, arg) {
  as.numeric(sub(paste0(".*", arg, " = ([0-9.e+-]+).*"), "\\1", conditionMessage(condition)))
}

test_that("components are told, and how many neighbors connect them", {
  for (weights in c("heat", "binary")) {
    of <- function(k) landmark_graph(apart, NULL, k, edge_weights = weights)
    warning <- expect_warning(g <- of(3), class = "landmarker_warning_components")
    expect_identical(g$components, rep(1:3, c(12, 8, 6)))
    least <- told(warning, "neighbors")
    expect_no_warning(whole <- of(least))
    expect_identical(whole$components, rep(1L, 26))
    expect_warning(of(least - 1), class = "landmarker_warning_components")
  }
  expect_snapshot(invisible(landmark_graph(apart, NULL, 3)))
  expect_snapshot(print(quietly(landmark_graph(apart, NULL, 3, edge_weights = "binary"))))
})

test_that("more neighbors whose weights are 0 are no cure", {
  for (k in c(3, 25)) {
    expect_warning(landmark_graph(apart, NULL, k, sigma = 0.2), "weights of further neighbors are 0")
  }
  expect_no_warning(landmark_graph(apart, NULL, 25, sigma = 2))
})

test_that("a landmark far from all others is said to have set sigma", {
  x <- rbind(odd_matrix(30, 2), c(1e4, 0))
  far <- as_landmarks(x, x)
  expect_warning(g <- landmark_graph(far, edges = "nearest"), "determined by L31.*`fit\\[-31\\]`")
  expect_equal(g$sigma, min(naive_distances(x[1:30, ], x[31, , drop = FALSE])) / 2, tolerance = 1e-12)
  expect_no_warning(landmark_graph(far, edge_weights = "binary"))
  expect_no_warning(landmark_graph(far, sigma = 1e4))
  expect_no_warning(landmark_graph(as_landmarks(x[1:30, ], x)))
})

test_that("covariances are cov() of as many nearest rows as the help page says, with a ridge", {
  flat <- cbind(x[, 1:2], 1, x[, 1] + x[, 2])
  wide <- odd_matrix(40, 12)
  data <- list(flat, sparse_case(100, 8, 0.5)$sparse, wide[1:9, ], wide[, 1, drop = FALSE])
  if (full_run()) data <- c(data, list(matrix(as.integer(99 * odd_matrix(60, 4)), 60), wide))
  for (rows in data) for (n in c(5, 20)) for (full in c(FALSE, TRUE)) {
    on <- as_landmarks(as.matrix(rows[seq_len(min(n, nrow(rows))), ]), rows, scale = n == 20)
    covariances <- naive_covariances(on, rows, rows_of_covariance(on, rows, full), full)
    kind <- if (full) "full" else "diagonal"
    ridge <- if (n == 5) 0.5 else 0.001
    g <- quietly(landmark_graph(on, rows, 3, "bhattacharyya", covariance = kind, ridge = ridge))
    squared <- naive_squared(on, with_ridge(covariances, ridge))
    expect_equal(as.matrix(g$weights), naive_graph(squared, 3, g$sigma), tolerance = 1e-7)
  }
})

# ---- shortcuts -----------------------------------------------------------------

# Which edges lead to another turn of the roll: those whose ends are farther along it than they are apart.
crossing <- function(roll, edges) {
  own <- roll$at[nearest_observations(roll$fit, roll$x, 1)$observation, "length"]
  size <- sqrt(rowSums((coef(roll$fit)[edges$i, ] - coef(roll$fit)[edges$j, ])^2))
  unname(abs(own[edges$i] - own[edges$j]) > 3 * size)
}

test_that("edges between the sheets of a roll are told, and how to be rid of them", {
  roll <- rolled(1, 600, by_kmeans(max_iterations = 5), 3000)
  found <- function(edges, source) shortcut_finder(roll$fit, source, compute_with())(edges$i, edges$j)
  for (k in c(7, 12, 20)) {
    graph <- quietly(landmark_graph(roll$fit, neighbors = k))
    edges <- Matrix::summary(graph$weights)
    crosses <- crossing(roll, edges)
    expect_identical(found(edges, as_source(roll$x)), crosses)
    if (k <= 12) expect_identical(found(edges, NULL), crosses)
    if (k <= 12) expect_identical(nrow(graph$shortcuts), sum(crosses))
    expect_identical(any(crosses), k > 7)
  }
  warning <- expect_warning(
    graph <- landmark_graph(roll$fit, neighbors = 20), class = "landmarker_warning_shortcuts"
  )
  expect_output(print(graph), paste("shortcuts  ", nrow(graph$shortcuts), "short-circuit edge"))
  # Warnings come with the graph, and not with its embedding.
  expect_no_warning(embed_landmarks(graph))
  best <- told(warning, "neighbors")
  expect_no_warning(landmark_graph(roll$fit, neighbors = best))
  expect_warning(landmark_graph(roll$fit, neighbors = best + 1), class = "landmarker_warning_shortcuts")
})

test_that("there is a warning where a roll stays folded, and none without an edge between sheets", {
  seen <- character()
  for (n in if (full_run()) c(50, 100, 200) else c(50, 200)) {
    for (method in if (full_run()) c("gp", "dpp", "kmeans") else "kmeans") {
      roll <- rolled(1, n, method)
      e <- quietly(embed_landmarks(roll$fit, edges = "nearest"))
      warned <- nrow(e$graph$shortcuts) > 0
      unrolled <- follows(predict(e, roll$x)[, 1], roll$at[, "length"]) > 0.95
      # One such edge of many may do no harm.
      crosses <- any(crossing(roll, Matrix::summary(e$graph$weights)))
      expect_true(if (unrolled) crosses || !warned else warned)
      seen <- c(seen, unrolled)
    }
  }
  expect_setequal(seen, c("TRUE", "FALSE"))
})

test_that("there is no alarm where nothing is folded", {
  withr::local_seed(1)
  sets <- list(sim_circles(1000, 1), as.matrix(iris[1:4]), sim_fish_bowl(1000))
  for (x in c(sets, if (full_run()) list(digits$images / 255))) {
    fit <- landmarks(x, 40, "kmeans")
    for (k in c(3, 12)) expect_no_warning(quiet(landmark_graph(fit, neighbors = k), "graph"))
  }
})

# ---- within a radius -----------------------------------------------------------

x <- withr::with_seed(1, sim_circles(300))
fit <- withr::with_seed(1, landmarks(x, 25, bandwidth = 0.2))
apart <- as.matrix(stats::dist(fit$landmarks))

test_that("edges are those within the radius, with weights by their lengths", {
  for (radius in c(1.2, 2)) {
    graph <- suppressWarnings(landmark_graph(fit, radius = radius))
    expected <- ifelse(apart <= radius & apart > 0, exp(-2 * apart^2 / radius^2), 0)
    expect_equal(unname(as.matrix(graph$weights)), unname(expected), tolerance = 1e-12)
    expect_identical(c(graph$sigma, graph$radius), c(radius / 2, radius))
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
  graph <- suppressWarnings(landmark_graph(fit, x, distance = "bhattacharyya", radius = 2))
  expect_lte(max(tidy(graph)$distance), 2)
})

test_that("the extension to a point between landmarks is of those within the radius", {
  for (weights in c("heat", "binary")) {
    map <- embed_landmarks(suppressWarnings(landmark_graph(fit, radius = 1.5, edge_weights = weights)))
    # The mean of what is within the radius, over 1 - lambda.
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
  expect_drawn(plot(graph, x))
  expect_output(print(suppressWarnings(embed_landmarks(fit, radius = 1.5))), "radius")
  roll <- rolled(2, 100, by_random(), 2000, bandwidth = 20)
  expect_warning(
    across <- landmark_graph(roll$fit, roll$x, radius = 9), "edges are shortcuts",
    class = "landmarker_warning_shortcuts"
  )
  expect_gt(nrow(across$shortcuts), 1)
  one <- rolled(5, 100, by_random(), 2000, bandwidth = 20)
  expect_warning(
    landmark_graph(one$fit, one$x, 2, edges = "nearest"), "^1 of [0-9]+ edges is a shortcut",
    class = "landmarker_warning_shortcuts"
  )
  tiny <- as_landmarks(x[1:10, ] * 1e-155, x * 1e-155, bandwidth = 2e-307)
  expect_refused(
    suppressWarnings(embed_landmarks(landmark_graph(fit, radius = 1e10), dims = 5)),
    # Its sigma underflows.
    landmark_graph(tiny, radius = 3e-155), landmark_graph(fit, radius = 0.1), landmark_graph(fit, radius = 0),
    landmark_graph(fit, radius = 1e200), landmark_graph(fit, radius = 1, neighbors = 3),
    landmark_graph(as_landmarks(rbind(1:2, 1:2, 3:4), x, bandwidth = 1), radius = 3)
  )
})

test_that("the smallest radius that helps is told", {
  # The second number makes one graph of all.
  message <- conditionMessage(rlang::catch_cnd(landmark_graph(fit, radius = 0.1)))
  connects <- as.numeric(sub(".*connected\\s+graph\\s+it\\s+is\\s+([0-9.]+)\\..*", "\\1", message))
  expect_identical(max(suppressWarnings(landmark_graph(fit, radius = connects))$components), 1L)
  least <- max(apply(apart + diag(Inf, 25), 1, min))
  expect_error(landmark_graph(fit, radius = least * 0.99), class = "landmarker_error_graph")
  best <- told(expect_warning(landmark_graph(fit, radius = least * 1.001)), "radius")
  expect_identical(max(suppressWarnings(landmark_graph(fit, radius = best))$components), 1L)
  expect_gt(max(suppressWarnings(landmark_graph(fit, radius = best * 0.995))$components), 1)
})
